//! Which `dotnet` the tests build with: the machine's, or the stand-in over Mono's compiler (`tests/stand-in-dotnet/`).

use crate::Sdk;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What builds .NET packages on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// The .NET SDK.
    Real,
    /// The stand-in, over Mono's C# compiler.
    StandIn,
}

/// What there is; `None`, and a line that says so, where there is nothing.
///
/// # Panics
/// Under `CI=true` where there is nothing: nothing is left out there.
#[must_use]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
pub fn compiler() -> Option<Compiler> {
    let found = if is_there("dotnet") {
        Some(Compiler::Real)
    } else {
        (is_there("mcs") && is_there("python3")).then_some(Compiler::StandIn)
    };
    if found.is_none() {
        let words = "neither the .NET SDK nor a C# compiler is installed; on Debian: apt-get install mono-mcs";
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{words}");
        eprintln!("left out: {words}");
    }
    found
}

/// The path for a package of this SDK repository, where it is another than the caller's.
pub(crate) fn path(sdk: Sdk) -> Option<OsString> {
    (sdk == Sdk::Dotnet && !is_there("dotnet")).then(with_stand_in)
}

/// The path with the stand-in in front.
fn with_stand_in() -> OsString {
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("stand-in-dotnet");
    std::env::join_paths(std::iter::once(stand_in).chain(entries())).unwrap()
}

fn entries() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

fn is_there(program: &str) -> bool {
    entries().iter().any(|directory| directory.join(program).is_file())
}
