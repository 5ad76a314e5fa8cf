//! The programs of the tests that distribute tools: Debian's registry server, one that signs, and one that makes certificates.
//! A machine of continuous integration gets them; other machines are not changed for one test.

use crate::debian;
use crate::process::{say, step};
use anyhow::Result;
use std::env;

const PROGRAMS: [&str; 3] = ["docker-registry", "minisign", "openssl"];
/// Debian's packages have the programs' names; 5 MB to load and 20 MB installed.
const PACKAGES: [&str; 3] = PROGRAMS;

/// Whether the tests with a registry run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    /// They do, and fail without one.
    Required,
    /// They say why they do not.
    LeftOut,
}

/// Installs them under `CI=true` on a Debian as root, and says whether they are there.
///
/// # Errors
/// When apt fails.
pub(crate) fn set_up() -> Result<Registry> {
    if !is_there() && env::var_os("CI").is_some_and(|ci| ci == "true") && debian::can_install() {
        step("registry: Debian's packages, for the tests that distribute tools", || debian::install(&PACKAGES))?;
    }
    if is_there() {
        return Ok(Registry::Required);
    }
    say(format_args!(
        "registry: not installed, so the tests that distribute tools are left out; on Debian: apt-get install {}",
        PACKAGES.join(" ")
    ));
    Ok(Registry::LeftOut)
}

fn is_there() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    PROGRAMS.iter().all(|program| env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}
