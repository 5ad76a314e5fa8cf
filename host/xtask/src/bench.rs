//! The benchmarks: every `[[bench]]` of the workspace, built for release, with its table on stdout. One more of them
//! needs no change here.

use crate::host::{self, Profile};
use crate::process::{self, say, step};
use crate::repository;
use anyhow::Result;

/// Sets up and runs them. `arguments` are passed on.
///
/// # Errors
/// When something cannot be set up, or a benchmark does not build or fails.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let binary = host::set_up(Profile::Release)?;
    say("bench: times on a shared machine are noisy; read the ratio to the peer beside it in the same run");
    step("bench", || {
        let mut bench = repository::cargo();
        bench.args(["bench", "--workspace", "--bench", "*", "--"]).args(arguments);
        bench.env("BAILIWICK_BIN", &binary).env("BAILIWICK_CACHE_DIR", repository::cache());
        process::run(&mut bench)
    })
}
