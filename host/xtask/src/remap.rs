//! Paths of this machine in what the compiler writes: each directory that a build knows gets a name that is the same
//! everywhere, so that the same sources give the same program wherever they lie.

use crate::process::first_line;
use crate::repository;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Between flags, where one may have spaces.
const SEPARATOR: &str = "\u{1f}";

/// Gives a call of cargo the flags, beside those that this process was given.
///
/// # Errors
/// When the compiler does not say where it is, or a directory is not UTF-8.
pub(crate) fn add(cargo: &mut Command, workspace: &Path, target: &Path) -> Result<()> {
    let mut flags = given();
    for (directory, name) in names(workspace, target)? {
        let directory = directory.to_str().with_context(|| format!("`{}` is not UTF-8", directory.display()))?;
        flags.push(format!("--remap-path-prefix={directory}={name}"));
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR)).env("CARGO_TARGET_DIR", target).env_remove("RUSTFLAGS");
    Ok(())
}

fn given() -> Vec<String> {
    let of = |name: &str, separator: &str| {
        let flags = std::env::var(name).ok()?;
        Some(flags.split(separator).filter(|flag| !flag.is_empty()).map(str::to_owned).collect())
    };
    of("CARGO_ENCODED_RUSTFLAGS", SEPARATOR).or_else(|| of("RUSTFLAGS", " ")).unwrap_or_default()
}

/// Directories and their names. Of several that fit a path the compiler takes the last.
fn names(workspace: &Path, target: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut names = vec![(workspace.to_owned(), "bailiwick".to_owned()), (target.to_owned(), "target".to_owned())];
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    if let Some(cargo_home) = cargo_home.or_else(home) {
        names.push((cargo_home.clone(), "cargo".to_owned()));
        // A registry's directory is called by a digest of how cargo was told to reach it.
        for registry in std::fs::read_dir(cargo_home.join("registry/src")).into_iter().flatten() {
            names.push((registry?.path(), "crates".to_owned()));
        }
    }
    // Where the sources of the standard library are installed the compiler names their files, and else the commit.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let sysroot = first_line(Command::new(&rustc).args(["--print", "sysroot"])).context("rustc has no sysroot")?;
    let said =
        Command::new(&rustc).arg("-vV").current_dir(repository::root()).output().context("cannot start rustc")?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    if let Some(commit) = said.lines().find_map(|line| line.strip_prefix("commit-hash: ")) {
        names.push((Path::new(&sysroot).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A program that knows where it was built: it ends with a panic in a file that its build made, and includes
    /// one by its whole path.
    fn sources(directory: &Path) {
        fs::create_dir_all(directory.join("src")).unwrap();
        let manifest = "[package]\nname = \"same\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
        fs::write(directory.join("Cargo.toml"), manifest).unwrap();
        let build = r#"fn main() {
            let out = std::path::PathBuf::from(std::env::var("OUT_DIR").unwrap());
            std::fs::write(out.join("made.rs"), "pub fn made() { panic!(\"here\") }").unwrap();
        }"#;
        fs::write(directory.join("build.rs"), build).unwrap();
        let main = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\")); fn main() { made() }";
        fs::write(directory.join("src/main.rs"), main).unwrap();
    }

    /// The program, built there with the flags or without.
    fn built(workspace: &Path, target: &Path, with_flags: bool) -> Vec<u8> {
        sources(workspace);
        let mut cargo = repository::cargo();
        cargo.current_dir(workspace).args(["build", "--release", "--quiet", "--offline"]);
        if with_flags {
            add(&mut cargo, workspace, target).unwrap();
        } else {
            cargo.env("CARGO_TARGET_DIR", target);
        }
        assert!(cargo.status().unwrap().success());
        fs::read(target.join("release/same")).unwrap()
    }

    fn has(program: &[u8], text: &Path) -> bool {
        let text = text.to_str().unwrap().as_bytes();
        program.windows(text.len()).any(|window| window == text)
    }

    #[test]
    fn program_is_the_same_wherever_it_is_built() {
        let base = tempfile::tempdir().unwrap();
        let place = |name: &str| base.path().join(name);
        let one = built(&place("one"), &place("one/target"), true);
        let other = built(&place("other place/deeper"), &place("kept apart"), true);
        assert!(one == other && !has(&one, base.path()));
        // The compiler would name them.
        let without = built(&place("third"), &place("third/target"), false);
        assert!(has(&without, &place("third/target")));
    }
}
