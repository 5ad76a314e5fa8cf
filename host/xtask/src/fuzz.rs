//! Hostile text for every reader of foreign text, for as long as one likes.

use crate::guests::{self, Rebuild};
use crate::process::{self, step};
use crate::repository;
use anyhow::Result;

/// Has each target read changed copies of its corpus for so many seconds, one target after the other. `name` is a part of
/// the names of the targets that are meant; none means all.
///
/// # Errors
/// When a reader panics, takes too long or exhausts the stack.
pub(crate) fn run(seconds: u64, name: Option<&str>) -> Result<()> {
    // The host embeds the guests.
    guests::build(Rebuild::WhenChanged)?;
    step("fuzz: hostile text for the readers of foreign text", || {
        let mut tests = repository::cargo();
        // Every package, so that nothing is built twice: the dependencies' features are those of all tests.
        tests.args(["test", "--workspace", "--lib", "--no-fail-fast", "--"]);
        tests.args(["--test-threads", "1", "--nocapture"]);
        tests.arg(name.map_or_else(|| "fuzzing::".to_owned(), |name| format!("fuzzing::{name}")));
        process::run(tests.env("BAILIWICK_FUZZ_SECONDS", seconds.to_string()))
    })
}
