//! Debian's packaged Rust with the source of its standard library. It is used for the guests alone: the compiler of the
//! host stays the active one, and the library source goes with the packaged compiler only.

use crate::debian;
use crate::process::first_line;
use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What installs it, for a person to type.
pub(crate) const COMMANDS: &str =
    "apt-get update && apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src";

const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
/// Where the packages put the source of the standard library.
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/src/lib.rs";
/// The oldest compiler that takes the guests, as `rust-version` in their workspace says.
const OLDEST: (u32, u32) = (1, 95);

/// The installed packages and a linker for them.
pub(crate) struct Packaged {
    version: String,
    linker: PathBuf,
}

/// What is installed, if it is complete and recent enough.
pub(crate) fn find() -> Option<Packaged> {
    if !Path::new(SOURCE).is_file() || !Path::new(CARGO).is_file() {
        return None;
    }
    let version = first_line(Command::new(RUSTC).arg("--version").env_remove("LD_LIBRARY_PATH"))?;
    (release(&version)? >= OLDEST).then_some(())?;
    Some(Packaged { version, linker: linker()? })
}

/// Installs the packages.
///
/// # Errors
/// When apt fails, or what it installed cannot be used.
pub(crate) fn install() -> Result<Packaged> {
    debian::install(&PACKAGES)?;
    find().context("Debian's packaged Rust was installed but is incomplete, older than 1.95, or has no linker")
}

impl Packaged {
    /// Its cargo.
    pub(crate) fn cargo(&self) -> Command {
        let mut path = OsString::from("/usr/bin");
        if let Some(rest) = env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        let mut command = Command::new(CARGO);
        command
            .env("PATH", path)
            .env("RUSTC", RUSTC)
            // Building the standard library is not yet for stable compilers; this one is told to do it all the same.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &self.linker);
        for variable in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
            command.env_remove(variable);
        }
        command
    }
}

impl fmt::Display for Packaged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Debian's packages ({})", self.version)
    }
}

/// A linker for wasm: the one of the active toolchain, or LLVM's own.
fn linker() -> Option<PathBuf> {
    let rustc = || Command::new("rustc");
    let sysroot = first_line(rustc().args(["--print", "sysroot"]).env_remove("RUSTC"));
    let of_active = sysroot.and_then(|sysroot| {
        let lib = Path::new(&sysroot).join("lib/rustlib");
        let hosts = lib.read_dir().ok()?;
        hosts.flatten().map(|host| host.path().join("bin/rust-lld")).find(|linker| linker.is_file())
    });
    of_active.or_else(|| {
        let directories = env::var_os("PATH")?;
        env::split_paths(&directories).map(|directory| directory.join("wasm-ld")).find(|linker| linker.is_file())
    })
}

/// `rustc 1.96.0 (…)` as `(1, 96)`.
fn release(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split_whitespace().nth(1)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_that_is_too_old_is_told_apart() {
        assert_eq!(release("rustc 1.96.0 (ac68faa20 2026-05-25)"), Some((1, 96)));
        assert!(release("rustc 1.63.0").is_some_and(|release| release < OLDEST));
        assert!(release("rustc 1.100.0").is_some_and(|release| release > OLDEST));
        assert_eq!(release("nonsense"), None);
    }
}
