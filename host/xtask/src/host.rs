//! The `bailiwick` binary, and what it installs for itself.

use crate::guests::{self, Rebuild};
use crate::process::{run, run_with_retries, say, step};
use crate::{prerequisites, repository};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the emitter of the fixture that the demo and most end-to-end tests work on.
const EMITTER_PACKAGE: &str = "tests/fixtures/widget/azure-sdk-for-python/eng/emitter-package.json";
/// Names the emitter of the Java fixture. Its tools come from Maven Central as well, so the demo does without.
const JAVA_EMITTER_PACKAGE: &str = "tests/fixtures/widget/azure-sdk-for-java/eng/emitter-package.json";

/// How the binary is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For the demo and the tests: built once, dependencies optimised.
    Dev,
    /// For measuring.
    Release,
}

/// Builds guests and binary and installs the toolchains; returns the binary.
///
/// # Errors
/// When a prerequisite is missing, something does not build, or something cannot be installed.
pub(crate) fn set_up(profile: Profile) -> Result<PathBuf> {
    prerequisites::check(&prerequisites::TOOLCHAINS)?;
    fetch()?;
    guests::build(Rebuild::WhenChanged)?;
    let binary = build(profile)?;
    // It tries again by itself where another attempt can help, and leaves alone what is there already.
    step("toolchains: installing what is missing", || {
        run(command(&binary, "setup").arg("--emitter-package").arg(EMITTER_PACKAGE))
    })?;
    Ok(binary)
}

/// Says what puts the binary onto the path of a shell, with the toolchains that it has here: by itself it looks for them in the
/// cache directory of the person.
pub(crate) fn say_how_to_use(binary: &Path) {
    let directory = binary.parent().unwrap_or(binary).display();
    say("setup: done. To use `bailiwick` in this shell, with the toolchains that were installed for it:\n");
    say(format_args!("export PATH=\"{directory}:$PATH\" BAILIWICK_CACHE_DIR=\"{}\"", repository::cache().display()));
}

/// Installs the Java emitter and fills a repository of Maven's for it.
///
/// # Errors
/// When a prerequisite is missing or something cannot be installed.
pub(crate) fn set_up_java(binary: &Path) -> Result<()> {
    prerequisites::check(&prerequisites::JAVA)?;
    step("toolchains: installing what is missing for Java", || {
        run(command(binary, "setup").arg("--emitter-package").arg(JAVA_EMITTER_PACKAGE))
    })
}

/// Installs what makes components of Python and JavaScript, for the tests of other people's tools.
///
/// # Errors
/// When something cannot be installed.
pub(crate) fn set_up_tool_builders(binary: &Path) -> Result<()> {
    step("toolchains: installing what is missing for tools in Python and JavaScript", || {
        run(command(binary, "setup").arg("--tool-builders"))
    })
}

/// Shows the main job.
///
/// # Errors
/// When the set-up or the demo fails.
pub(crate) fn demo(arguments: &[String]) -> Result<()> {
    let binary = set_up(Profile::Dev)?;
    step("demo", || run(command(&binary, "demo").args(arguments)))
}

/// Fetches every crate of the host, so that what follows needs no network.
///
/// # Errors
/// When the registry cannot be reached.
pub(crate) fn fetch() -> Result<()> {
    run_with_retries(|| {
        let mut command = repository::cargo();
        command.args(["fetch", "--quiet"]);
        command
    })
}

/// Builds the binary as the tests build it: with the feature that they ask for, so that no crate is built for it alone
/// (`one_build` compares both). Programs of the tests and of this repository are left out.
pub(crate) const BUILD: [&str; 7] =
    ["build", "--package", "bailiwick-cli", "--bin", "bailiwick", "--features", "bailiwick-base/failpoints"];

/// Builds the binary.
fn build(profile: Profile) -> Result<PathBuf> {
    let mut cargo = repository::cargo();
    let directory = match profile {
        Profile::Dev => {
            cargo.args(BUILD);
            "debug"
        }
        Profile::Release => {
            cargo.args(["build", "--workspace", "--bins", "--release"]);
            "release"
        }
    };
    step("host: building", || run(&mut cargo))?;
    built(directory)
}

/// Where cargo puts the binary of a profile.
///
/// # Errors
/// When the system does not say where this program is.
pub(crate) fn built(directory: &str) -> Result<PathBuf> {
    Ok(repository::target()?.join(directory).join(format!("bailiwick{}", std::env::consts::EXE_SUFFIX)))
}

/// `bailiwick <subcommand>` with the cache of this repository.
pub(crate) fn command(binary: &Path, subcommand: &str) -> Command {
    let mut command = Command::new(binary);
    command.arg(subcommand).current_dir(repository::root()).env("BAILIWICK_CACHE_DIR", repository::cache());
    // Set by `cargo run` for this task.
    command.env_remove("LD_LIBRARY_PATH");
    command
}
