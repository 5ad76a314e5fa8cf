//! The tests, quick ones first. Nothing is left out without a word.
//!
//! Every call of cargo selects the whole workspace, and no call names a feature: with another selection or another feature
//! cargo would build dependencies once more. The binary is built with the features that the tests ask for, see `one_build`.

use crate::guests::{self, Rebuild};
use crate::host::Profile;
use crate::process::{self, say, step};
use crate::{browser, dotnet, fuzz, host, nats, packages, peers, prerequisites, python, repository, room, stand_in};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

/// The package of the tests over the binary.
const END_TO_END: &str = "bailiwick-tests";

/// The unit tests, the integration tests of each crate, and the end-to-end tests that need the binary alone.
const QUICK: [&str; 9] =
    ["--lib", "--bins", "--examples", "--test", "it", "--test", "compile_worker", "--test", "quick"];

/// The end-to-end tests, and the tests of single crates over real toolchains, which are called `real` as well.
const TIERS: [&str; 8] = ["--test", "quick", "--test", "stand_in", "--test", "real", "--test", "crash"];

/// How long each fuzz target takes in the slow tier.
const SLOW_FUZZ_SECONDS: u64 = 60;

/// How often the races of the sandbox are run in the slow tier.
const SLOW_RACES: u32 = 3;

/// Names the server of the tests of queues.
const NATS_SERVER: &str = "BAILIWICK_NATS_SERVER";

/// How many packages the fleets of the slow tier have.
const SLOW_PACKAGES: &str = "60";

/// What the official Python SDKs of model providers need; requests are held against their types.
const SDK_REQUIREMENTS: &str = "host/models/tests/sdk-types/requirements.txt";

/// Which tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those that need nothing but what is built here, and no minutes.
    Quick,
    /// Those over the real toolchains, too.
    All,
    /// What takes hours, and nothing else.
    Slow,
}

/// Sets up and runs the tests.
///
/// # Errors
/// At the first set that fails.
pub(crate) fn run(extent: Extent) -> Result<()> {
    match extent {
        Extent::Quick => run_quick(),
        Extent::All => run_all(),
        Extent::Slow => run_slow(),
    }
}

fn run_quick() -> Result<()> {
    host::fetch()?;
    guests::build(Rebuild::WhenChanged)?;
    test_guests()?;
    step("tests: the host, and the binary alone", || {
        process::run(cargo_test().args(QUICK).env("BAILIWICK_TESTS_QUICK", "1"))
    })?;
    say(
        "tests: left out, as `--quick` says: races, examples in the documentation, stand-ins and real toolchains; an eighth \
         of the random cases was tried. `cargo xtask test` runs all",
    );
    Ok(())
}

fn run_all() -> Result<()> {
    // Everything that needs the network comes before any test, so that a test fails for a reason of its own.
    prerequisites::check(&prerequisites::GO)?;
    room::check()?;
    let (beside, binary) = thread::scope(|scope| {
        // Waits for the network while the compiler works.
        let beside = scope.spawn(Beside::set_up);
        let binary = set_up_toolchains();
        (beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), binary)
    });
    let (Beside { sdk_python, browser, server, required }, binary) = (beside?, binary?);

    test_guests()?;
    step("tests: the host", || {
        let mut tests = cargo_test();
        tests.args(["--exclude", END_TO_END]).env(NATS_SERVER, &server);
        if let Some(browser) = &browser {
            tests.env("BAILIWICK_BROWSER", browser);
        }
        process::run(&mut tests)
    })?;
    step("tests: the binary alone, over stand-ins and over the real toolchains", || {
        let mut tests = cargo_test();
        tests.args(TIERS).env("BAILIWICK_BIN", &binary).env("BAILIWICK_SDK_PYTHON", &sdk_python);
        tests.env(NATS_SERVER, &server);
        process::run(tests.envs(required.iter().map(|variable| (variable, "1"))))
    })?;
    say("tests: all passed");
    Ok(())
}

/// The binary, with every toolchain that the tests need.
///
/// # Errors
/// When a prerequisite is missing, something does not build, or something cannot be installed.
pub(crate) fn set_up_toolchains() -> Result<PathBuf> {
    let binary = host::set_up(Profile::Dev)?;
    host::set_up_java(&binary)?;
    host::set_up_tool_builders(&binary)?;
    dotnet::set_up(&binary)?;
    stand_in::set_up(&binary)?;
    Ok(binary)
}

/// What tests need and the binary has no part in.
struct Beside {
    sdk_python: PathBuf,
    browser: Option<PathBuf>,
    server: PathBuf,
    /// Variables with which tests fail rather than being left out.
    required: Vec<&'static str>,
}

impl Beside {
    fn set_up() -> Result<Self> {
        let requirements = repository::root().join(SDK_REQUIREMENTS);
        let sdk_python = python::environment("provider-sdks", &requirements)?;
        let (browser, server) = (browser::set_up()?, nats::set_up()?);
        let required = [peers::KEYRING.set_up()?, peers::REGISTRY.set_up()?].into_iter().flatten().collect();
        Ok(Self { sdk_python, browser, server, required })
    }
}

/// The slow tier. What fails first does not keep the rest from being tried.
fn run_slow() -> Result<()> {
    let binary = host::set_up(Profile::Dev)?;
    host::set_up_java(&binary)?;
    dotnet::set_up(&binary)?;
    stand_in::set_up(&binary)?;
    let fuzzed = fuzz::run(SLOW_FUZZ_SECONDS, None);
    let crashed = step("tests: a kill before every system call that changes something", || {
        let mut tests = cargo_test();
        tests.args(["--test", "crash", "--", "--test-threads", "1"]).env("BAILIWICK_BIN", &binary);
        process::run(tests.env("BAILIWICK_CRASH_POINTS", "all"))
    });
    let server = nats::set_up()?;
    let proven = step("tests: fleets of 60 packages, whose workers are killed again and again", || {
        let mut tests = cargo_test();
        tests.args(["--test", "stand_in", "fleet::", "--", "--test-threads", "1", "--nocapture"]);
        tests.env("BAILIWICK_BIN", &binary).env(NATS_SERVER, &server);
        process::run(tests.env("BAILIWICK_FLEET_PACKAGES", SLOW_PACKAGES))
    });
    let replayed = step("tests: .NET with the answers of a model", || {
        let mut tests = cargo_test();
        tests.args(["--test", "real", "--", "dotnet::", "--ignored"]).env("BAILIWICK_BIN", &binary);
        process::run(&mut tests)
    });
    let raced = (1..=SLOW_RACES).try_for_each(|round| {
        step(&format!("tests: races, {round} of {SLOW_RACES}"), || process::run(cargo_test().args(["--test", "races"])))
    });
    fuzzed.and(crashed).and(proven).and(replayed).and(raced).and(packages::build())?;
    say("tests: the slow tier passed");
    Ok(())
}

fn test_guests() -> Result<()> {
    step("tests: the guests' logic, on this machine's own target", || {
        process::run(repository::components_cargo().args(["test", "--quiet"]))
    })
}

/// `cargo test` over the workspace.
fn cargo_test() -> Command {
    let mut tests = repository::cargo();
    tests.args(["test", "--workspace", "--no-fail-fast"]).env("BAILIWICK_CACHE_DIR", repository::cache());
    tests
}
