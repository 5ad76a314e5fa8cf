//! What changed for programs that use the crates as libraries, told by `cargo-semver-checks`.
//!
//! Both interfaces are described by rustdoc, that of the older revision from its files in `target/semver`. The tool could
//! check out a revision by itself, but git does not have the built-in tools, without which the sandbox is not compiled.

use crate::guests::{self, Rebuild};
use crate::process::{self, first_line, step};
use crate::{host, repository};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The crates that others are meant to use, and the directory of the workspace they belong to.
const LIBRARIES: [(&str, &str); 3] =
    [("bailiwick-sandbox", "."), ("bailiwick-agent", "."), ("bailiwick-tool-sdk", "components")];

const HINT: &str = "`cargo install --locked cargo-semver-checks` installs it";

/// Compares public interfaces.
#[derive(Args)]
pub(crate) struct Semver {
    /// The git revision to compare with, such as the tag of the last release.
    #[arg(long, value_name = "REVISION")]
    since: String,
}

/// Says what is incompatible, if anything is.
///
/// # Errors
/// When an interface is incompatible, or cannot be read.
pub(crate) fn run(arguments: &Semver) -> Result<()> {
    if first_line(Command::new("cargo-semver-checks").arg("--version")).is_none() {
        bail!("`cargo-semver-checks` is not installed, or not in PATH\n\nhint: {HINT}");
    }
    host::fetch()?;
    guests::build(Rebuild::WhenChanged)?;
    let place = repository::root().join("target/semver");
    let before = place.join("before");
    step(&format!("semver: the files of `{}`", arguments.since), || check_out(&arguments.since, &before))?;
    let mut incompatible = Vec::new();
    for (library, workspace) in LIBRARIES {
        let compare = || {
            let older = described(&before.join(workspace), library, &place)?;
            let newer = described(&repository::root().join(workspace), library, &place)?;
            compare(&older, &newer)
        };
        if step(&format!("semver: {library}"), compare).is_err() {
            incompatible.push(library);
        }
    }
    if !incompatible.is_empty() {
        bail!("not compatible with `{}`, or not to be read: {}", arguments.since, incompatible.join(", "));
    }
    Ok(())
}

/// Writes the files of a revision, and the built-in tools of today beside them.
fn check_out(revision: &str, place: &Path) -> Result<()> {
    if place.exists() {
        fs::remove_dir_all(place).with_context(|| format!("cannot remove `{}`", place.display()))?;
    }
    fs::create_dir_all(place).with_context(|| format!("cannot make `{}`", place.display()))?;
    let mut archive = Command::new("git");
    archive.current_dir(repository::root()).args(["archive", "--format=tar", revision]);
    let mut archive = archive.stdout(Stdio::piped()).spawn().context("cannot start git")?;
    let files = archive.stdout.take().context("git has no output")?;
    let unpacked = process::run(Command::new("tar").arg("-x").current_dir(place).stdin(files));
    if !archive.wait().context("cannot wait for git")?.success() {
        bail!("git has no revision `{revision}`");
    }
    unpacked?;
    let tools = place.join("components/dist");
    fs::create_dir_all(&tools).with_context(|| format!("cannot make `{}`", tools.display()))?;
    for tool in fs::read_dir(repository::dist()).context("there are no built-in tools")? {
        let tool = tool?;
        fs::copy(tool.path(), tools.join(tool.file_name()))?;
    }
    Ok(())
}

/// The public interface of a library, as rustdoc writes it down. Both revisions share what is compiled of the crates of
/// others.
fn described(workspace: &Path, library: &str, place: &Path) -> Result<PathBuf> {
    let mut rustdoc = repository::cargo();
    rustdoc.current_dir(workspace).args(["rustdoc", "--quiet", "--lib", "--package", library]);
    // The format is not stable, so the compiler has to be told that it is meant. The tool does the same.
    rustdoc.args(["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"]);
    process::run(rustdoc.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", place.join("target")))?;
    let written = place.join("target/doc").join(format!("{}.json", library.replace('-', "_")));
    let age = if workspace.starts_with(place.join("before")) { "before" } else { "now" };
    let kept = place.join(format!("{library}.{age}.json"));
    fs::rename(&written, &kept).with_context(|| format!("rustdoc did not write `{}`", written.display()))?;
    Ok(kept)
}

/// Fails where a program that was compiled against `older` might not be against `newer`.
fn compare(older: &Path, newer: &Path) -> Result<()> {
    let mut checks = Command::new("cargo-semver-checks");
    // Versions are raised at a release and not before, so they say nothing here.
    checks.args(["semver-checks", "--release-type", "minor", "--baseline-rustdoc"]).arg(older);
    process::run(checks.arg("--current-rustdoc").arg(newer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_revision_come_with_the_built_in_tools() {
        let place = tempfile::tempdir().unwrap();
        let before = place.path().join("before");
        check_out("HEAD", &before).unwrap();
        assert!(before.join("host/sandbox/Cargo.toml").is_file() && before.join("wit/tool.wit").is_file());
        // Through the link by which the crate has them.
        assert!(before.join("host/sandbox/guests/read-file.wasm").is_file());
        let error = check_out("no-such-revision", &before).unwrap_err().to_string();
        assert_eq!(error, "git has no revision `no-such-revision`");
    }
}
