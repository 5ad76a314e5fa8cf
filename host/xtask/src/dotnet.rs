//! A C# compiler for the tests of .NET packages: the .NET SDK where there is one, else Debian's `mono-mcs`, which the
//! stand-in in `tests/stand-in-dotnet/` runs. Only continuous integration gets it without being asked.

use crate::debian;
use crate::process::{say, step};
use crate::repository;
use anyhow::Result;
use std::env;
use std::ffi::OsString;

/// Debian's package with the compiler; 40 MB installed, with the runtime it runs on.
const PACKAGE: &str = "mono-mcs";

/// Installs the compiler under `CI=true` on a Debian as root, and says so where there is none.
///
/// # Errors
/// When apt fails.
pub(crate) fn set_up() -> Result<()> {
    if is_there("dotnet") || is_there("mcs") {
        return Ok(());
    }
    if env::var_os("CI").is_some_and(|ci| ci == "true") && debian::can_install() {
        return step("C#: Debian's compiler, for the tests of .NET packages", || debian::install(&[PACKAGE]));
    }
    say(format_args!(
        "C#: neither the .NET SDK nor Mono's compiler is installed, so the tests of .NET packages are left out; \
         on Debian: apt-get install {PACKAGE}"
    ));
    Ok(())
}

/// The path with the stand-in for the .NET SDK in front, where there is no SDK.
pub(crate) fn path() -> Option<OsString> {
    let stand_in = repository::root().join("tests/stand-in-dotnet");
    let path = env::var_os("PATH").unwrap_or_default();
    (!is_there("dotnet"))
        .then(|| env::join_paths(std::iter::once(stand_in).chain(env::split_paths(&path))).ok())
        .flatten()
}

fn is_there(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(program).is_file())
}
