//! What builds the guests. Looked for in this order:
//!
//! 1. the active toolchain, when it has the standard library of the target;
//! 2. the same after `rustup target add`, given up after [`RUSTUP_LIMIT`];
//! 3. on Debian, the packaged toolchain with its library source ([`super::packaged`]), installed when this
//!    runs as root, which builds the standard library along;
//! 4. otherwise an error with the commands for this system.

use super::packaged::{self, Packaged};
use crate::debian;
use crate::process::{first_line, say, succeeds_within};
use crate::repository;
use anyhow::{Result, bail};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The target of the guests.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Where downloads are not possible the attempt hangs instead of failing.
const RUSTUP_LIMIT: Duration = Duration::from_secs(20);

/// A toolchain that can build for [`TARGET`].
pub(crate) enum Toolchain {
    /// The one that is active here.
    Active,
    /// Debian's, beside the active one.
    Packaged(Packaged),
}

/// Where the guests' workspace is built. Its own place, since the host's flags are not the guests'.
pub(crate) fn target_directory() -> PathBuf {
    repository::components().join("target")
}

impl Toolchain {
    /// Finds one, and gets it when that is possible.
    ///
    /// # Errors
    /// When there is none and none can be had.
    pub(crate) fn find() -> Result<Self> {
        if active_has_target() {
            return Ok(Self::Active);
        }
        if let Some(toolchain) = added_by_rustup() {
            return Ok(toolchain);
        }
        if let Some(packaged) = packaged::find() {
            return Ok(Self::Packaged(packaged));
        }
        if debian::can_install() {
            say("guests: installing Debian's packaged toolchain, about a minute");
            return packaged::install().map(Self::Packaged);
        }
        bail!("no toolchain here can build for `{TARGET}`\n\nhint: {}", advice());
    }

    /// `cargo <subcommand>` of this toolchain over the guests' workspace.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let mut command = match self {
            Self::Active => repository::cargo(),
            Self::Packaged(packaged) => packaged.cargo(),
        };
        // Whoever reads a panic of a guest needs no directory of the machine that built it.
        let home = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
        let cargo_home = home("CARGO_HOME").or_else(|| home("HOME").map(|home| home.join(".cargo")));
        let mut flags = super::FLAGS.to_owned();
        let hidden = [(Some(repository::root().to_owned()), "bailiwick"), (cargo_home, "cargo")];
        for (directory, name) in hidden.into_iter().filter_map(|(directory, name)| Some((directory?, name))) {
            // Flags are split at spaces; a directory that has some is left as it is.
            let directory = directory.display().to_string();
            if !directory.contains(' ') {
                flags.push_str(&format!(" --remap-path-prefix={directory}={name}"));
            }
        }
        command
            .current_dir(repository::components())
            .args([subcommand, "--locked"])
            .env("CARGO_TARGET_DIR", target_directory())
            .env("RUSTFLAGS", flags)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            // `cargo run` points it at the active toolchain's libraries, which are not the packaged one's.
            .env_remove("LD_LIBRARY_PATH");
        command
    }

    /// The arguments that build the standard library along, where it is not installed.
    pub(crate) fn build_std(&self) -> &'static [&'static str] {
        match self {
            Self::Active => &[],
            Self::Packaged(_) => &["-Zbuild-std=std,panic_abort"],
        }
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active => formatter.write_str("the active toolchain"),
            Self::Packaged(packaged) => write!(formatter, "{packaged}, the standard library along with them"),
        }
    }
}

fn active_has_target() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let directory = first_line(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    let Some(directory) = directory else { return false };
    let Ok(entries) = Path::new(&directory).read_dir() else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
}

/// The active toolchain once rustup gave it the target. Where that failed for this compiler before and another toolchain
/// is at hand it is not tried again, since each attempt takes its whole time.
fn added_by_rustup() -> Option<Toolchain> {
    let rustup = || Command::new("rustup");
    first_line(rustup().arg("--version"))?;
    let compiler = first_line(Command::new("rustc").arg("--version"))?;
    let note = target_directory().join("rustup-target-failed");
    if packaged::find().is_some() && std::fs::read_to_string(&note).is_ok_and(|failed| failed == compiler) {
        return None;
    }
    say(format_args!("guests: `rustup target add {TARGET}`, at most {} s", RUSTUP_LIMIT.as_secs()));
    if succeeds_within(rustup().args(["target", "add", TARGET]), RUSTUP_LIMIT) && active_has_target() {
        return Some(Toolchain::Active);
    }
    say("guests: rustup could not add the target");
    // Only saves time; nothing depends on it.
    let _ = std::fs::create_dir_all(target_directory()).and_then(|()| std::fs::write(note, compiler));
    None
}

fn advice() -> String {
    let rustup = format!("`rustup target add {TARGET}`");
    if debian::is_debian() {
        format!("run {rustup}, or as root `{}`", packaged::COMMANDS)
    } else if first_line(Command::new("rustup").arg("--version")).is_some() {
        format!("run {rustup}")
    } else {
        format!("install Rust with rustup (https://rustup.rs), then run {rustup}")
    }
}
