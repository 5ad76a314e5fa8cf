//! Debian's packaged Rust with the source of its standard library. It is used for tools alone: the compiler of everything
//! else stays the active one, and the library source goes with the packaged compiler only.

use crate::program::first_line;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What installs it, for a person to type.
pub const COMMANDS: &str =
    "apt-get update && apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src";

/// The packages.
pub const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

const RUSTC: &str = "/usr/bin/rustc";
pub(crate) const CARGO: &str = "/usr/bin/cargo";
/// Where the packages put the source of the standard library.
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/src/lib.rs";
/// The oldest compiler that takes the tools, as `rust-version` in their workspace says.
const OLDEST: (u32, u32) = (1, 95);

/// The installed packages and a linker for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packaged {
    version: String,
    linker: PathBuf,
}

impl Packaged {
    /// What is installed, if it is complete and recent enough.
    #[must_use]
    pub fn find() -> Option<Self> {
        if !Path::new(SOURCE).is_file() || !Path::new(CARGO).is_file() {
            return None;
        }
        let version = first_line(Command::new(RUSTC).arg("--version").env_remove("LD_LIBRARY_PATH"))?;
        (release(&version)? >= OLDEST).then_some(())?;
        Some(Self { version, linker: linker()? })
    }

    /// Where the linker is.
    pub(crate) fn linker(&self) -> &Path {
        &self.linker
    }

    /// The variables that make it the compiler.
    pub(crate) fn environment(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("RUSTC", RUSTC.into()),
            // Building the standard library is not yet for stable compilers; this one is told to do it all the same.
            ("RUSTC_BOOTSTRAP", "1".into()),
            ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", self.linker.clone().into()),
        ]
    }
}

impl fmt::Display for Packaged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Debian's packages ({})", self.version)
    }
}

/// A linker for wasm: the one of the active toolchain, or LLVM's own.
fn linker() -> Option<PathBuf> {
    let sysroot = first_line(Command::new("rustc").args(["--print", "sysroot"]).env_remove("RUSTC"));
    let of_active = sysroot.and_then(|sysroot| {
        let hosts = Path::new(&sysroot).join("lib/rustlib").read_dir().ok()?;
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
    fn compiler_that_is_too_old_is_told_apart() {
        assert_eq!(release("rustc 1.96.0 (ac68faa20 2026-05-25)"), Some((1, 96)));
        assert!(release("rustc 1.63.0").is_some_and(|release| release < OLDEST));
        assert!(release("rustc 1.100.0").is_some_and(|release| release > OLDEST));
        assert_eq!(release("nonsense"), None);
    }
}
