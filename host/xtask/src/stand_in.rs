//! The stand-in for emitters that are on no registry (`tests/stand-in-emitter/`), installed with the compiler and the
//! libraries it needs for every SDK repository of the fixture that names it.

use crate::process::{run, step};
use crate::{host, repository};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
            // The package says what else is needed, such as the modules of Go.
            command.arg("--package-path").arg(lay_out_package(&repository, &laid_out)?);
            run(&mut command)
        })?;
    }
    Ok(())
}

/// The repository's one package, as far as its own files say what building it takes, in a git repository.
fn lay_out_package(repository: &Path, laid_out: &Path) -> Result<PathBuf> {
    run(Command::new("git").args(["init", "--quiet"]).arg(laid_out))?;
    let mut packages = Vec::new();
    for service in subdirectories(&repository.join("sdk"))? {
        packages.extend(subdirectories(&service)?);
    }
    packages.retain(|package| package.join("tsp-location.yaml").is_file());
    let package = packages.pop().with_context(|| format!("`{}` has no package", repository.display()))?;
    let place = laid_out.join(package.strip_prefix(repository)?);
    fs::create_dir_all(&place).with_context(|| format!("cannot create `{}`", place.display()))?;
    for entry in fs::read_dir(&package).with_context(|| format!("cannot read `{}`", package.display()))? {
        let path = entry?.path();
        if path.is_file() {
            fs::copy(&path, place.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(place)
}

fn subdirectories(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read `{}`", directory.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    Ok(paths.into_iter().filter(|path| path.is_dir()).collect())
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
