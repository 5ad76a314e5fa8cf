//! Everything that packages contain, from a binary and the repository it was built from.

use crate::archive::{Effort, Tree};
use crate::metadata::{Checksums, Metadata};
use crate::{DistError, Release, Shell, licences, oci, sbom};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Gathers a release of the binary at `binary`, which was built from the repository at `root`. Symbols are taken out of it
/// and written to `debug`, where `gdb` and `perf` find them, if that is given.
///
/// # Errors
/// The binary is not one that is wrapped, or a program that is asked fails: `objcopy`, `cargo metadata` or the binary.
pub fn release(binary: &Path, root: &Path, debug: Option<&Path>, effort: Effort) -> Result<Release, DistError> {
    let stripped = stripped(binary, debug)?;
    let (machine, glibc) = Release::facts(&stripped)?;
    let metadata = metadata(root)?;
    let dependencies = metadata.of_binary()?;
    let checksums = Checksums::read(&text(&root.join("Cargo.lock"))?)?;
    let ask = |arguments: &[&str]| {
        let answer = run(Command::new(binary).args(arguments))?;
        String::from_utf8(answer).map_err(|error| DistError::Binary(error.to_string()))
    };
    let completions = Shell::ALL.iter().map(|shell| Ok((*shell, ask(&["completions", &shell.to_string()])?)));
    Ok(Release {
        version: dependencies.root.version.clone(),
        binary: stripped,
        machine,
        glibc,
        readme: text(&root.join("README.md"))?,
        licence: text(&root.join("LICENSE"))?,
        notices: licences::notices(&dependencies),
        sbom: sbom::sbom(&dependencies, &checksums),
        manual: ask(&["manual"])?,
        completions: completions.collect::<Result<_, DistError>>()?,
        effort,
    })
}

/// What cargo knows of every crate of the repository, on the platform that packages are made for.
///
/// # Errors
/// cargo fails.
pub fn metadata(root: &Path) -> Result<Metadata, DistError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", &target]).current_dir(root);
    Metadata::read(&run(&mut command)?)
}

/// The base of the image: the packages of [`oci::BASE`] that this Debian offers, loaded into `directory`.
///
/// # Errors
/// This is no Debian, or its packages cannot be loaded.
pub fn base(directory: &Path) -> Result<Tree, DistError> {
    std::fs::create_dir_all(directory).map_err(|error| failed(directory.as_os_str(), &error))?;
    let mut packages = Vec::new();
    for name in oci::BASE {
        let find = || -> Option<std::path::PathBuf> {
            let entries = directory.read_dir().ok()?.flatten().map(|entry| entry.path());
            entries.into_iter().find(|path| {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                file.starts_with(&format!("{name}_")) && file.ends_with(".deb")
            })
        };
        if find().is_none() {
            run(Command::new("apt-get").args(["download", "--quiet", name]).current_dir(directory))?;
        }
        let file = find().ok_or_else(|| DistError::Program("apt-get".into(), format!("it loaded no `{name}`")))?;
        packages.push((name.to_owned(), run(Command::new("dpkg-deb").arg("--fsys-tarfile").arg(&file))?));
    }
    oci::base(&packages)
}

/// The executable without symbols. They are written to `debug`.
fn stripped(binary: &Path, debug: Option<&Path>) -> Result<Vec<u8>, DistError> {
    let directory = tempfile::tempdir().map_err(|error| failed(OsStr::new("a temporary directory"), &error))?;
    let out = directory.path().join("bailiwick");
    if let Some(debug) = debug {
        run(Command::new("objcopy").args(["--only-keep-debug", "--compress-debug-sections"]).arg(binary).arg(debug))?;
    }
    run(Command::new("objcopy").arg("--strip-all").arg(binary).arg(&out))?;
    std::fs::read(&out).map_err(|error| failed(out.as_os_str(), &error))
}

fn text(path: &Path) -> Result<String, DistError> {
    std::fs::read_to_string(path).map_err(|error| failed(path.as_os_str(), &error))
}

/// What a program prints.
fn run(command: &mut Command) -> Result<Vec<u8>, DistError> {
    let program = command.get_program().to_owned();
    let output = command.output().map_err(|error| failed(&program, &error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(DistError::Program(program.display().to_string(), format!("{}: {said}", output.status)))
}

fn failed(what: &OsStr, error: &std::io::Error) -> DistError {
    DistError::Program(what.display().to_string(), error.to_string())
}
