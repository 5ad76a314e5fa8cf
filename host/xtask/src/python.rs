//! Python environments of the tests: locked packages, and nothing else.

use crate::process::{run, run_with_retries, step};
use crate::repository;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter of an environment that has what `requirements` lists, with the digests of every file. It is made once
/// and kept in the cache as `NAME-DIGEST`.
///
/// # Errors
/// When there is no `python3` with `venv`, or something cannot be installed.
pub(crate) fn environment(name: &str, requirements: &Path) -> Result<PathBuf> {
    let text = fs::read(requirements).with_context(|| format!("cannot read `{}`", requirements.display()))?;
    let digest = Sha256::digest(&text);
    let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let finished = repository::cache().join(format!("{name}-{digest}"));
    let python = finished.join("bin/python");
    if python.exists() {
        return Ok(python);
    }
    step(&format!("python: installing {name}"), || {
        // Under another name until it is whole, so that what broke off is never taken for it.
        let unfinished = repository::cache().join(format!("{name}-{digest}.{}", std::process::id()));
        let made = make(&unfinished, requirements);
        if made.is_ok() && fs::rename(&unfinished, &finished).is_ok() {
            return Ok(());
        }
        // Of an environment that is not used. It may not even be there.
        let _ = fs::remove_dir_all(&unfinished);
        made
    })?;
    Ok(python)
}

fn make(at: &Path, requirements: &Path) -> Result<()> {
    run(Command::new("python3").args(["-I", "-m", "venv"]).arg(at))?;
    run_with_retries(|| {
        let mut pip = pip(&at.join("bin/python"), "install");
        pip.arg("--only-binary=:all:").arg("-r").arg(requirements);
        pip
    })
}

/// `pip` of an environment, held to the digests of a requirements file that has every dependency.
pub(crate) fn pip(python: &Path, subcommand: &str) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-I", "-m", "pip", subcommand, "--quiet", "--require-hashes", "--no-deps"]);
    pip.args(["--disable-pip-version-check", "--no-input"]);
    pip
}
