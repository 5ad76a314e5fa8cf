//! The `dotnet` of the tests (`tests/dotnet`): a real runtime and compiler behind a stand-in for MSBuild. `cargo xtask setup --tests`
//! lays it out in the cache. It is used on machines with the .NET SDK too, so that every machine tests the same versions.

use crate::{Sdk, cache};
use std::ffi::OsString;

/// Whether .NET packages can be generated and built here. Says so where they cannot.
#[must_use]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
pub fn has_dotnet() -> bool {
    let is_there = cfg!(target_arch = "x86_64");
    if !is_there {
        eprintln!("left out: the .NET runtime of the tests is for x86-64 alone");
    }
    is_there
}

/// The path for packages of these SDK repositories, where it is another than the caller's.
pub(crate) fn path(repositories: &[&str]) -> Option<OsString> {
    repositories.contains(&Sdk::Dotnet.repository()).then(|| {
        let dotnet = cache().join("dotnet-for-tests");
        assert!(dotnet.join("dotnet").is_file(), "`{}` is missing; run `cargo xtask setup --tests`", dotnet.display());
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::join_paths(std::iter::once(dotnet).chain(std::env::split_paths(&path))).unwrap()
    })
}
