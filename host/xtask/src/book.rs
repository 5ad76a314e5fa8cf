//! The book: `docs/` as HTML, by mdbook, after a look at every link.

mod links;

use crate::process::{run, run_with_retries, say, step};
use crate::repository;
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// The one version that builds the book. Without default features it has no server and watches no files.
const VERSION: &str = "0.5.4";

/// Checks the links of every page, then builds the book into `target/book`.
///
/// # Errors
/// When a link leads nowhere, mdbook cannot be installed, or the book does not build.
pub(crate) fn build() -> Result<()> {
    step("book: links and anchors", || links::check(repository::root()))?;
    let mdbook = mdbook()?;
    let docs = repository::root().join("docs");
    step("book: building", || run(Command::new(mdbook).arg("build").arg(&docs)))?;
    say("book: target/book/index.html");
    Ok(())
}

/// The path of mdbook, which is installed beside what cargo builds if it is not there yet. Continuous integration keeps that
/// directory from one run to the next.
fn mdbook() -> Result<PathBuf> {
    let root = repository::target()?.join(format!("mdbook-{VERSION}"));
    let program = root.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        step("book: installing mdbook, which takes some minutes once", || {
            run_with_retries(|| {
                let mut cargo = repository::cargo();
                cargo.args(["install", "--quiet", "--locked", "--version", VERSION]);
                // With the profile for development: what it does for this book takes a second.
                cargo.args(["--no-default-features", "--features", "search", "--profile", "dev", "--root"]);
                cargo.arg(&root).arg("mdbook");
                // Its dependencies have other features than ours, and stay out of our directory.
                cargo.env("CARGO_TARGET_DIR", root.join("target"));
                cargo
            })
        })?;
        // What was compiled on the way is of no further use.
        let _ = std::fs::remove_dir_all(root.join("target"));
    }
    Ok(program)
}
