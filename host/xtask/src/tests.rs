//! The tests, quick ones first. Nothing is left out without a word.

use crate::guests::{self, Rebuild};
use crate::host::Profile;
use crate::keyring::{self, Keyring};
use crate::process::{self, say, step};
use crate::registry::{self, Registry};
use crate::{browser, dotnet, host, prerequisites, python, repository, stand_in};
use anyhow::Result;

/// The package of the tests over the real toolchains.
const END_TO_END: &str = "bailiwick-tests";

/// What the official Python SDKs of model providers need; requests are held against their types.
const SDK_REQUIREMENTS: &str = "host/models/tests/sdk-types/requirements.txt";

/// Parts of the names of tests that run against an attacker for a fixed number of rounds.
const RACES: [&str; 4] = ["swapped_in", "moved_away", "takes_the_place_of_a_file", "listed_inside"];

/// Which tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those that need nothing but what is built here.
    Quick,
    /// Those over the real toolchains, too.
    All,
}

/// Sets up and runs the tests.
///
/// # Errors
/// At the first set that fails.
pub(crate) fn run(extent: Extent) -> Result<()> {
    // Everything that needs the network comes before any test, so that a test fails for a reason of its own.
    let mut browser = None;
    let installed = match extent {
        Extent::All => {
            let requirements = repository::root().join(SDK_REQUIREMENTS);
            let sdk_python = python::environment("provider-sdks", &requirements)?;
            browser = browser::set_up()?;
            let binary = host::set_up(Profile::Dev)?;
            host::set_up_java(&binary)?;
            host::set_up_tool_builders(&binary)?;
            dotnet::set_up()?;
            prerequisites::check(&prerequisites::GO)?;
            stand_in::set_up(&binary)?;
            Some((binary, sdk_python, keyring::set_up()?, registry::set_up()?))
        }
        Extent::Quick => {
            host::fetch()?;
            guests::build(Rebuild::WhenChanged)?;
            None
        }
    };
    step("tests: the guests' logic, on this machine's own target", || {
        process::run(repository::components_cargo().args(["test", "--quiet"]))
    })?;
    step("tests: the host", || {
        let mut tests = repository::cargo();
        tests.args(["test", "--workspace", "--exclude", END_TO_END, "--no-fail-fast"]);
        if let Some(browser) = &browser {
            tests.env("BAILIWICK_BROWSER", browser);
        }
        if extent == Extent::Quick {
            say(format_args!(
                "tests: the races ({}) take minutes and are left out, as `--quick` says",
                RACES.join(", ")
            ));
            tests.arg("--").args(RACES.iter().flat_map(|race| ["--skip", race]));
        }
        process::run(&mut tests)
    })?;
    let Some((binary, sdk_python, keyring, registry)) = installed else {
        say("tests: those over the real toolchains were left out, as `--quick` says; `cargo xtask test` runs all");
        return Ok(());
    };
    step("tests: compiler, emitter, type checker, mock server, types of models and a keyring, one by one", || {
        let mut tests = repository::cargo();
        tests.args([
            "test",
            "--workspace",
            "--features",
            "bailiwick-customize/real-toolchains,bailiwick-models/real-toolchains",
        ]);
        tests.args(["--test", "real_toolchain", "--test", "secret_service"]);
        tests.env("BAILIWICK_CACHE_DIR", repository::cache());
        tests.env("BAILIWICK_SDK_PYTHON", &sdk_python);
        if keyring == Keyring::Required {
            tests.env("BAILIWICK_KEYRING_REQUIRED", "1");
        }
        process::run(&mut tests)
    })?;
    step("tests: the binary over the real toolchains", || {
        let mut tests = repository::cargo();
        tests.args(["test", "--package", END_TO_END, "--no-fail-fast"]);
        tests.env("BAILIWICK_BIN", &binary).env("BAILIWICK_CACHE_DIR", repository::cache());
        if registry == Registry::Required {
            tests.env("BAILIWICK_REGISTRY_REQUIRED", "1");
        }
        process::run(&mut tests)
    })?;
    say("tests: all passed");
    Ok(())
}
