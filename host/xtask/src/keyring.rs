//! The keyring of the test that takes a key out of one. A desktop has one; a machine of continuous
//! integration gets it. Other machines are not changed for one test.

use crate::debian;
use crate::process::{say, step};
use anyhow::Result;
use std::env;

const PROGRAMS: [&str; 3] = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];
/// Debian's packages with these programs; 10 MB to load and 51 MB installed, most of it libraries of GNOME.
const PACKAGES: [&str; 3] = ["dbus", "gnome-keyring", "libsecret-tools"];

/// Whether the test with a keyring runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyring {
    /// It does, and fails without one.
    Required,
    /// It says why it does not.
    LeftOut,
}

/// Installs the keyring under `CI=true` on a Debian as root, and says whether there is one.
///
/// # Errors
/// When apt fails.
pub(crate) fn set_up() -> Result<Keyring> {
    if !is_there() && env::var_os("CI").is_some_and(|ci| ci == "true") && debian::can_install() {
        step("keyring: Debian's packages, for one test", || debian::install(&PACKAGES))?;
    }
    if is_there() {
        return Ok(Keyring::Required);
    }
    say(format_args!(
        "keyring: not installed, so one test is left out; on Debian: apt-get install {}",
        PACKAGES.join(" ")
    ));
    Ok(Keyring::LeftOut)
}

fn is_there() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    PROGRAMS.iter().all(|program| env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}
