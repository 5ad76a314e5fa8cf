//! The benchmarks: every `[[bench]]` of the workspace, built for release, with its table on stdout. One more of them
//! needs no change here.

use crate::guests::{self, Rebuild};
use crate::process::{self, say, step};
use crate::{host, repository};
use anyhow::Result;

/// Runs them. `arguments` are passed on.
///
/// # Errors
/// When one does not build or fails.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    host::fetch()?;
    guests::build(Rebuild::WhenChanged)?;
    say("bench: times on a shared machine are noisy; read the ratio to the peer beside it in the same run");
    step("bench", || {
        process::run(repository::cargo().args(["bench", "--workspace", "--bench", "*", "--"]).args(arguments))
    })
}
