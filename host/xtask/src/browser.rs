//! The browser in which reports are looked at: the one of the machine; a machine of continuous integration gets Debian's.
//! Other machines are not changed for one test.

use crate::debian;
use crate::process::{say, step};
use anyhow::{Result, ensure};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Any of these does; the first one found is taken.
const PROGRAMS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// The smallest of Debian's: 100 MB to load.
const PACKAGE: &str = "chromium-headless-shell";

/// Installs a browser under `CI=true` on a Debian as root, and says which one there is, if any.
///
/// # Errors
/// When apt fails.
pub(crate) fn set_up() -> Result<Option<PathBuf>> {
    let in_ci = env::var_os("CI").is_some_and(|ci| ci == "true");
    if find().is_none() && in_ci && debian::can_install() {
        step("browser: Debian's package, for one test", || debian::install(&[PACKAGE]))?;
    }
    let browser = find();
    if browser.is_none() {
        ensure!(!in_ci, "reports have to be looked at in a browser, and none of {PROGRAMS:?} is installed");
        say(format_args!(
            "browser: not installed, so reports are not looked at in one; on Debian: apt-get install {PACKAGE}"
        ));
    }
    Ok(browser)
}

fn find() -> Option<PathBuf> {
    let path: OsString = env::var_os("PATH").unwrap_or_default();
    let mut candidates =
        PROGRAMS.iter().flat_map(|program| env::split_paths(&path).map(move |directory| directory.join(program)));
    candidates.find(|program| program.is_file())
}
