//! Debian's packages, where they can be installed without asking anyone.

use crate::process::{first_line, run_with_retries};
use anyhow::Result;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Whether this is a Debian (or made from one).
pub(crate) fn is_debian() -> bool {
    Path::new("/etc/debian_version").is_file() && Path::new("/usr/bin/apt-get").is_file()
}

/// Whether packages can be installed without asking anyone.
pub(crate) fn can_install() -> bool {
    is_debian() && first_line(Command::new("id").arg("-u")).is_some_and(|user| user == "0")
}

/// Held by the one apt that runs: a second one fails.
static APT: Mutex<()> = Mutex::new(());

/// Installs packages, with what they need and no more.
///
/// # Errors
/// When apt fails.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let _alone = APT.lock().unwrap_or_else(PoisonError::into_inner);
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(["-q", "-o", "DPkg::Lock::Timeout=120"]).args(arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        // Its stdout is progress, and stdout here belongs to what is run in the end.
        command.stdout(std::io::stderr());
        command
    };
    run_with_retries(|| apt(&["update"]))?;
    run_with_retries(|| {
        let mut install = apt(&["install", "-y", "--no-install-recommends"]);
        install.args(packages);
        install
    })
}
