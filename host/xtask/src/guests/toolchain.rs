//! What builds the guests ([`bailiwick_guests`] knows how). Looked for in this order:
//!
//! 1. the active toolchain, when it has the standard library of the target;
//! 2. the same after `rustup target add`, given up after [`RUSTUP_LIMIT`];
//! 3. on Debian, the packaged toolchain with its library source ([`Packaged`]), installed when this
//!    runs as root, which builds the standard library along;
//! 4. otherwise an error with the commands for this system.

use crate::debian;
use crate::process::{first_line, say, succeeds_within};
use crate::repository;
use anyhow::{Context, Result, bail};
use bailiwick_guests::{Active, FLAGS, PACKAGED_COMMANDS, PACKAGED_PACKAGES, Packaged, TARGET, Toolchain};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Where downloads are not possible the attempt hangs instead of failing.
const RUSTUP_LIMIT: Duration = Duration::from_secs(20);

/// Where the guests' workspace is built. Its own place, since the host's flags are not the guests'.
pub(crate) fn target_directory() -> PathBuf {
    repository::components().join("target")
}

/// Finds a toolchain, and gets one when that is possible.
///
/// # Errors
/// When there is none and none can be had.
pub(crate) fn find() -> Result<Toolchain> {
    if let Some(active) = Active::find() {
        return Ok(Toolchain::Active(active));
    }
    if let Some(active) = added_by_rustup() {
        return Ok(Toolchain::Active(active));
    }
    if let Some(packaged) = Packaged::find() {
        return Ok(Toolchain::Packaged(packaged));
    }
    if debian::can_install() {
        say("guests: installing Debian's packaged toolchain, about a minute");
        debian::install(&PACKAGED_PACKAGES)?;
        let packaged = Packaged::find()
            .context("Debian's packaged Rust was installed but is incomplete, older than 1.95, or has no linker")?;
        return Ok(Toolchain::Packaged(packaged));
    }
    bail!("no toolchain here can build for `{TARGET}`\n\nhint: {}", advice());
}

/// `cargo <subcommand>` of a toolchain over the guests' workspace.
pub(crate) fn cargo(toolchain: &Toolchain, subcommand: &str) -> Command {
    let cargo = toolchain.cargo();
    let mut command = match toolchain {
        Toolchain::Active(_) => repository::cargo(),
        Toolchain::Packaged(_) => Command::new(&cargo.program),
    };
    if matches!(toolchain, Toolchain::Packaged(_)) {
        let mut path = OsString::from("/usr/bin");
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        command.env("PATH", path);
        for variable in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
            command.env_remove(variable);
        }
        command.envs(cargo.environment);
    }
    // The text of a guest's panic must not name directories of the machine that built it.
    let home = |variable: &str| std::env::var_os(variable).map(PathBuf::from);
    let cargo_home = home("CARGO_HOME").or_else(|| home("HOME").map(|home| home.join(".cargo")));
    let mut flags = FLAGS.to_owned();
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

/// The active toolchain once rustup gave it the target. Where that failed for this compiler before and another toolchain
/// is at hand it is not tried again, since each attempt takes its whole time.
fn added_by_rustup() -> Option<Active> {
    let rustup = || Command::new("rustup");
    first_line(rustup().arg("--version"))?;
    let compiler = first_line(Command::new("rustc").arg("--version"))?;
    let note = target_directory().join("rustup-target-failed");
    if Packaged::find().is_some() && std::fs::read_to_string(&note).is_ok_and(|failed| failed == compiler) {
        return None;
    }
    say(format_args!("guests: `rustup target add {TARGET}`, at most {} s", RUSTUP_LIMIT.as_secs()));
    if succeeds_within(rustup().args(["target", "add", TARGET]), RUSTUP_LIMIT)
        && let Some(active) = Active::find()
    {
        return Some(active);
    }
    say("guests: rustup could not add the target");
    // Only saves time; nothing depends on it.
    let _ = std::fs::create_dir_all(target_directory()).and_then(|()| std::fs::write(note, compiler));
    None
}

fn advice() -> String {
    let rustup = format!("`rustup target add {TARGET}`");
    if debian::is_debian() {
        format!("run {rustup}, or as root `{}`", PACKAGED_COMMANDS)
    } else if first_line(Command::new("rustup").arg("--version")).is_some() {
        format!("run {rustup}")
    } else {
        format!("install Rust with rustup (https://rustup.rs), then run {rustup}")
    }
}
