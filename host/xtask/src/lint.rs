//! Formatting and clippy, for both workspaces, licences of dependencies, the book, packages of the crates, and links of pages
//! and documentation that lead nowhere.

use crate::guests::{self, Rebuild};
use crate::process::{self, step};
use crate::{book, dist, host, packages, prerequisites, repository};
use anyhow::Result;

const CLIPPY: [&str; 7] = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"];

/// Over the tests that `--all-targets` leaves out, because `cargo test` runs them only by name.
const CLIPPY_BY_NAME: [&str; 8] =
    ["clippy", "--workspace", "--test=real", "--test=llama_server", "--quiet", "--", "--deny", "warnings"];

/// Checks both workspaces.
///
/// # Errors
/// At the first complaint.
pub(crate) fn run() -> Result<()> {
    prerequisites::check(&prerequisites::LINTERS)?;
    step("lint: formatting", || {
        process::run(repository::cargo().args(["fmt", "--all", "--check"]))?;
        process::run(repository::components_cargo().args(["fmt", "--all", "--check"]))
    })?;
    host::fetch()?;
    book::build()?;
    step("lint: licences of dependencies", dist::check_licences)?;
    step("lint: clippy over the guests", || process::run(repository::components_cargo().args(CLIPPY)))?;
    // The host embeds the guests, so it cannot be looked at without them.
    guests::build(Rebuild::WhenChanged)?;
    packages::pack()?;
    step("lint: clippy over the host", || {
        process::run(repository::cargo().args(CLIPPY))?;
        process::run(repository::cargo().args(CLIPPY_BY_NAME))
    })?;
    step("lint: the documentation of the host's crates", || {
        let mut doc = repository::cargo();
        process::run(doc.args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))
    })
}
