//! The stand-in for emitters that are on no registry (`tests/stand-in-emitter/`), installed with the compiler and the
//! libraries it needs for every SDK repository of the fixture that names it.

use crate::process::{run, step};
use crate::{dotnet, host, repository};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The SDK repositories of the fixture.
const REPOSITORIES: &str = "tests/fixtures/widget";
/// The modules, and where they lie in a repository; its own `package.json` is there already.
const MODULES: &str = "tests/stand-in-emitter";
const PLACE: &str = "eng/stand-in-emitter";
const LAID_OUT: &str = "target/stand-in";

/// Installs what those repositories generate with, so that no test needs the network.
///
/// # Errors
/// When a repository cannot be laid out or something cannot be installed.
pub(crate) fn set_up(binary: &Path) -> Result<()> {
    let repositories = repository::root().join(REPOSITORIES);
    for entry in fs::read_dir(&repositories).with_context(|| format!("cannot read `{REPOSITORIES}`"))? {
        let repository = entry?.path();
        if !repository.join(PLACE).join("package.json").is_file() {
            continue;
        }
        let name = repository.file_name().unwrap_or_default().to_string_lossy().into_owned();
        step(&format!("toolchains: installing what is missing for {name}, whose emitter is a stand-in"), || {
            let laid_out = lay_out(&repository)?;
            let mut command = host::command(binary, "setup");
            command.arg("--emitter-package").arg(laid_out.join("eng/emitter-package.json"));
            if let Some(path) = dotnet::path() {
                command.env("PATH", path);
            }
            run(&mut command)
        })?;
    }
    Ok(())
}

/// The repository's `eng` with the modules in place, as the tests lay it out.
fn lay_out(repository: &Path) -> Result<PathBuf> {
    let directory = repository::root().join(LAID_OUT).join(repository.file_name().unwrap_or_default());
    let place = directory.join(PLACE);
    // A module that is gone must not stay: everything here counts in the key of what is installed.
    if directory.exists() {
        fs::remove_dir_all(&directory).with_context(|| format!("cannot remove `{}`", directory.display()))?;
    }
    fs::create_dir_all(&place).with_context(|| format!("cannot create `{}`", place.display()))?;
    for (from, to) in [
        (repository.join("eng"), directory.join("eng")),
        (repository.join(PLACE), place.clone()),
        (repository::root().join(MODULES), place),
    ] {
        for entry in fs::read_dir(&from).with_context(|| format!("cannot read `{}`", from.display()))? {
            let path = entry?.path();
            let is_wanted = path.extension().is_some_and(|extension| extension == "json" || extension == "mjs");
            if is_wanted && path.is_file() {
                fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
            }
        }
    }
    Ok(directory)
}
