//! Programs that a few tests speak to. A desktop may have them; a machine of continuous integration gets Debian's packages of
//! them. Other machines are not changed for a few tests.

use crate::debian;
use crate::process::{say, step};
use anyhow::Result;
use std::env;

/// Programs that belong together.
pub(crate) struct Peers {
    name: &'static str,
    programs: &'static [&'static str],
    packages: &'static [&'static str],
    /// The tests that need them.
    tests: &'static str,
    /// What becomes of those tests where they are not installed.
    left_out: &'static str,
    /// With this variable the tests fail without them.
    required: &'static str,
}

/// The keyring of the test that takes a key out of one: 10 MB to load and 51 MB installed, most of it libraries of GNOME.
pub(crate) const KEYRING: Peers = Peers {
    name: "keyring",
    programs: &["dbus-run-session", "gnome-keyring-daemon", "secret-tool"],
    packages: &["dbus", "gnome-keyring", "libsecret-tools"],
    tests: "one test",
    left_out: "one test is left out",
    required: "BAILIWICK_KEYRING_REQUIRED",
};

/// Debian's registry server, a program that signs, and one that makes certificates: 5 MB to load and 20 MB installed.
pub(crate) const REGISTRY: Peers = Peers {
    name: "registry",
    programs: &["docker-registry", "minisign", "openssl"],
    packages: &["docker-registry", "minisign", "openssl"],
    tests: "the tests that distribute tools",
    left_out: "the tests that distribute tools are left out",
    required: "BAILIWICK_REGISTRY_REQUIRED",
};

impl Peers {
    /// Installs them under `CI=true` on a Debian as root. The answer is the variable that the tests are to have, where they are
    /// there.
    ///
    /// # Errors
    /// When apt fails.
    pub(crate) fn set_up(&self) -> Result<Option<&'static str>> {
        let Self { name, packages, tests, left_out, .. } = self;
        if !self.are_there() && env::var_os("CI").is_some_and(|ci| ci == "true") && debian::can_install() {
            step(&format!("{name}: Debian's packages, for {tests}"), || debian::install(packages))?;
        }
        if self.are_there() {
            return Ok(Some(self.required));
        }
        say(format_args!("{name}: not installed, so {left_out}; on Debian: apt-get install {}", packages.join(" ")));
        Ok(None)
    }

    fn are_there(&self) -> bool {
        let path = env::var_os("PATH").unwrap_or_default();
        self.programs.iter().all(|program| env::split_paths(&path).any(|directory| directory.join(program).is_file()))
    }
}
