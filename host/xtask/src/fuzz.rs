//! Hostile text for every reader of foreign text, for as long as one likes.
//!
//! The targets are built once, with `opt-level` 1, which makes them several times faster and keeps the checks for overflow;
//! only the project's own crates are compiled anew for it. (`cargo test` reads the corpus without it, where frames are
//! largest.) Each then runs in a process of its own, as many at once as there are processors, so that a target which ends
//! its process ends no other one.
//!
//! They are not guided by coverage. The readers are private to their crates, so a target has to be a unit test of its crate;
//! `libFuzzer` wants a program of its own for each target, a nightly compiler and every dependency compiled anew.

use crate::guests::{self, Rebuild};
use crate::process::{say, step};
use crate::repository;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

/// Has each target read changed copies of its corpus for so many seconds. `name` is the first part of the names of the
/// targets that are meant; none means all.
///
/// # Errors
/// When a reader panics, takes too long or exhausts the stack; all targets are tried first.
pub(crate) fn run(seconds: u64, name: Option<&str>) -> Result<()> {
    // The host embeds the guests.
    guests::build(Rebuild::WhenChanged)?;
    let host = step("fuzz: building the targets", || programs(repository::cargo()))?;
    let guests = step("fuzz: building those of the guests, for this machine's own target", || {
        programs(repository::components_cargo())
    })?;
    let mut targets = Vec::new();
    for program in host.iter().chain(&guests) {
        targets.extend(targets_of(program, name)?);
    }
    if targets.is_empty() {
        bail!("no target is called `{}`", name.unwrap_or_default());
    }
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let what = format!("fuzz: {} targets, {seconds} s each, {at_once} at once", targets.len());
    let ended = step(&what, || all(targets, seconds, at_once))?;
    let failed = ended.iter().filter(|(_, ended)| ended.failure.is_some()).count();
    say(format_args!("\n{}", table(&ended)));
    if failed > 0 {
        bail!("{failed} of {} targets failed; what they printed stands above", ended.len());
    }
    Ok(())
}

/// A test program.
#[derive(Debug)]
struct Program {
    executable: PathBuf,
    /// The directory of its package, in which cargo runs tests, too.
    package: PathBuf,
}

/// A unit test in a module called `fuzzing`.
#[derive(Debug, Clone)]
struct Target {
    executable: PathBuf,
    package: PathBuf,
    test: String,
}

impl Target {
    fn shown(&self) -> String {
        let package = self.package.file_name().unwrap_or_default().to_string_lossy();
        format!("{package} {}", self.test.rsplit("::").next().unwrap_or(&self.test))
    }
}

/// How a target ended.
#[derive(Debug)]
struct Ended {
    /// The texts that it read; `None` where it did not say, as a test beside the targets does not.
    texts: Option<u64>,
    failure: Option<String>,
}

/// Builds the unit tests of a workspace and says where their programs lie.
fn programs(mut cargo: Command) -> Result<Vec<Program>> {
    // Every package, so that nothing is built twice: the dependencies' features are those of all tests.
    cargo.args([
        "test",
        "--workspace",
        "--lib",
        "--bins",
        "--no-run",
        "--quiet",
        "--message-format",
        "json-render-diagnostics",
    ]);
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    let output = cargo.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the targets do not build");
    }
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not text")?;
    Ok(messages.lines().filter_map(program).collect())
}

/// The test program that a message of cargo is about.
fn program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    let text = |key: &str| message.get(key).and_then(Value::as_str);
    let executable = text("executable")?.into();
    let package = Path::new(text("manifest_path")?).parent()?.to_owned();
    (text("reason") == Some("compiler-artifact")).then_some(Program { executable, package })
}

/// The targets of a program.
fn targets_of(program: &Program, name: Option<&str>) -> Result<Vec<Target>> {
    let mut list = Command::new(&program.executable);
    list.current_dir(&program.package).args(["--list", "--format", "terse"]);
    let output = list.output().with_context(|| format!("cannot start `{}`", program.executable.display()))?;
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let tests = listed.lines().filter_map(|line| line.strip_suffix(": test")).filter(|test| is_meant(test, name));
    let target = |test: &str| Target {
        executable: program.executable.clone(),
        package: program.package.clone(),
        test: test.to_owned(),
    };
    Ok(tests.map(target).collect())
}

fn is_meant(test: &str, name: Option<&str>) -> bool {
    let own = test.strip_prefix("fuzzing::").or_else(|| test.split_once("::fuzzing::").map(|(_, own)| own));
    own.is_some_and(|own| own.starts_with(name.unwrap_or_default()))
}

/// Runs them, so many at once.
fn all(targets: Vec<Target>, seconds: u64, at_once: usize) -> Result<Vec<(Target, Ended)>> {
    let count = targets.len();
    let waiting = Mutex::new(VecDeque::from(targets));
    let ended = Mutex::new(Vec::with_capacity(count));
    let work = || -> Result<()> {
        loop {
            let Some(target) = waiting.lock().ok().and_then(|mut waiting| waiting.pop_front()) else { return Ok(()) };
            let result = one(&target, seconds)?;
            let Ok(mut ended) = ended.lock() else { return Ok(()) };
            ended.push((target, result));
            let (target, result) = &ended[ended.len() - 1];
            say(format_args!("fuzz: {} of {count}: {}: {}", ended.len(), target.shown(), word(result)));
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a worker panicked")))
    })?;
    let mut ended = ended.into_inner().unwrap_or_default();
    ended.sort_by_key(|(target, _)| target.shown());
    Ok(ended)
}

/// Runs one, and prints what it said if it failed.
fn one(target: &Target, seconds: u64) -> Result<Ended> {
    let mut run = Command::new(&target.executable);
    run.args(["--exact", &target.test, "--nocapture"]).current_dir(&target.package);
    run.env("CARGO_MANIFEST_DIR", &target.package).env("BAILIWICK_FUZZ_SECONDS", seconds.to_string());
    let output = run.stdin(Stdio::null()).output().context("cannot start a target")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(Ended { texts: texts(&said), failure: None });
    }
    say(format_args!("{said}{}", String::from_utf8_lossy(&output.stdout)));
    Ok(Ended { texts: texts(&said), failure: Some(output.status.to_string()) })
}

/// The number of texts that a target says it has read.
fn texts(said: &str) -> Option<u64> {
    let number = |line: &str| line.strip_suffix(" texts, nothing found")?.rsplit(' ').next()?.parse().ok();
    said.lines().find_map(number)
}

fn word(ended: &Ended) -> String {
    match (&ended.failure, ended.texts) {
        (Some(failure), _) => format!("failed ({failure})"),
        (None, Some(texts)) => format!("{texts} texts, nothing found"),
        (None, None) => "passed, a test of fixed texts".to_owned(),
    }
}

/// What stands at the end.
fn table(ended: &[(Target, Ended)]) -> String {
    let mut table = "| target | texts | result |\n|---|---|---|\n".to_owned();
    for (target, ended) in ended {
        let texts = ended.texts.map_or_else(|| "fixed".to_owned(), |texts| texts.to_string());
        let result = ended.failure.as_deref().unwrap_or("nothing found");
        table.push_str(&format!("| {} | {texts} | {result} |\n", target.shown()));
    }
    let all: u64 = ended.iter().filter_map(|(_, ended)| ended.texts).sum();
    table.push_str(&format!("| all {} | {all} | |", ended.len()));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tests_in_modules_for_fuzzing_are_targets() {
        for (test, name, meant) in [
            ("fuzzing::logs", None, true),
            ("a::b::fuzzing::logs", None, true),
            ("a::b::fuzzing::logs", Some("lo"), true),
            ("a::b::fuzzing::logs", Some("og"), false),
            ("a::logs", None, false),
            ("a::fuzzing", None, false),
        ] {
            assert_eq!(is_meant(test, name), meant, "{test} {name:?}");
        }
    }

    #[test]
    fn programs_and_numbers_are_read_from_what_cargo_and_targets_say() {
        let artifact =
            r#"{"reason":"compiler-artifact","manifest_path":"/w/host/sdk/Cargo.toml","executable":"/t/sdk-1"}"#;
        let found = program(artifact).unwrap();
        assert_eq!((found.executable, found.package), ("/t/sdk-1".into(), "/w/host/sdk".into()));
        for other in [r#"{"reason":"compiler-artifact","manifest_path":"/w/a/Cargo.toml","executable":null}"#, "", "{}"]
        {
            assert!(program(other).is_none(), "{other}");
        }
        assert_eq!(texts("fuzz: logs: seed 1, what\nfuzz: logs: 640 texts, nothing found\n"), Some(640));
        assert_eq!(texts("running 1 test\n"), None);
    }
}
