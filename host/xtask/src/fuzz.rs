//! Hostile text for every reader of foreign text, for as long as one likes.
//!
//! The targets are built with `opt-level` 1, which makes them several times faster and keeps the checks for overflow; only
//! the project's own crates are compiled anew for it. (`cargo test` reads the corpus without it, where frames are largest.)
//!
//! They are not guided by coverage. The readers are private to their crates, so a target has to be a unit test of its crate;
//! `libFuzzer` wants a program of its own for each target, a nightly compiler and every dependency compiled anew.

use crate::guests::{self, Rebuild};
use crate::process::{self, step};
use crate::repository;
use anyhow::Result;
use std::process::Command;

/// Has each target read changed copies of its corpus for so many seconds, one target after the other. `name` is a part of
/// the names of the targets that are meant; none means all.
///
/// # Errors
/// When a reader panics, takes too long or exhausts the stack.
pub(crate) fn run(seconds: u64, name: Option<&str>) -> Result<()> {
    // The host embeds the guests.
    guests::build(Rebuild::WhenChanged)?;
    let targets = name.map_or_else(|| "fuzzing::".to_owned(), |name| format!("fuzzing::{name}"));
    let fuzz = |tests: &mut Command| {
        // Every package, so that nothing is built twice: the dependencies' features are those of all tests.
        tests.args(["test", "--workspace", "--lib", "--no-fail-fast", "--"]);
        tests.args(["--test-threads", "1", "--nocapture", &targets]);
        tests.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        process::run(tests.env("BAILIWICK_FUZZ_SECONDS", seconds.to_string()))
    };
    step("fuzz: hostile text for the readers of foreign text", || fuzz(&mut repository::cargo()))?;
    step("fuzz: the same for the guests, on this machine's own target", || fuzz(&mut repository::components_cargo()))
}
