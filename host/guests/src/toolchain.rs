//! What compiles a tool.

use crate::packaged::{self, Packaged};
use crate::program::first_line;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of the tools. What they import is then exactly what they use, which that of WASI does not give.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Stack and memory are small and fixed, so that a call needs no `memory.grow`, and no system call for it, unless a file
/// is large. Vector instructions make reading a large file three times as fast.
pub const FLAGS: &str = "-Clink-arg=-zstack-size=65536 -Clink-arg=--initial-memory=4194304 -Ctarget-feature=+simd128";

/// Targets for tools of other authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// [`TARGET`]: a core module, of which a component is made here. It imports what it uses.
    Unknown,
    /// `wasm32-wasip2`: its linker makes the component. The standard library works, and imports what it may need of WASI.
    Wasip2,
}

impl Target {
    /// Both, the one that asks for less first.
    pub const ALL: [Self; 2] = [Self::Unknown, Self::Wasip2];

    /// As cargo and rustup call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => TARGET,
            Self::Wasip2 => "wasm32-wasip2",
        }
    }

    /// The flags of the compiler.
    #[must_use]
    pub fn flags(self) -> &'static str {
        match self {
            Self::Unknown => FLAGS,
            // Its standard library decides on stack and memory.
            Self::Wasip2 => "-Ctarget-feature=+simd128",
        }
    }
}

/// A toolchain that can build tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Toolchain {
    /// The one that is active here.
    Active(Active),
    /// Debian's, beside the active one.
    Packaged(Packaged),
}

/// The active compiler, seen through rustup's proxies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Active {
    sysroot: PathBuf,
    target: Target,
}

/// How a toolchain's cargo is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cargo {
    /// The program.
    pub program: PathBuf,
    /// The variables that it needs beside those of any program.
    pub environment: Vec<(&'static str, OsString)>,
    /// What `cargo build` is told beside the target: whether the standard library is built along.
    pub arguments: &'static [&'static str],
    /// Directories beside the system's that it reads: itself, and its linker.
    pub reads: Vec<PathBuf>,
}

impl Toolchain {
    /// The first that there is: the active one, then Debian's.
    #[must_use]
    pub fn find() -> Option<Self> {
        Active::find().map(Self::Active).or_else(|| Packaged::find().map(Self::Packaged))
    }

    /// The first that there is for a project: for the target that it names itself, or else for any, [`TARGET`] of the
    /// active compiler before another and that before Debian's packages, which build for [`TARGET`] alone.
    #[must_use]
    pub fn find_for(own: Option<Target>) -> Option<Self> {
        let wanted = |target: &Target| own.is_none_or(|own| own == *target);
        let active = Target::ALL.into_iter().filter(wanted).find_map(Active::with);
        let packaged = || wanted(&Target::Unknown).then(Packaged::find).flatten();
        active.map(Self::Active).or_else(|| packaged().map(Self::Packaged))
    }

    /// What it compiles for.
    #[must_use]
    pub fn target(&self) -> Target {
        match self {
            Self::Active(Active { target, .. }) => *target,
            Self::Packaged(_) => Target::Unknown,
        }
    }

    /// Its cargo.
    #[must_use]
    pub fn cargo(&self) -> Cargo {
        match self {
            Self::Active(Active { sysroot, .. }) => Cargo {
                program: sysroot.join("bin/cargo"),
                environment: vec![("RUSTC", sysroot.join("bin/rustc").into())],
                arguments: &[],
                reads: vec![sysroot.clone()],
            },
            Self::Packaged(packaged) => Cargo {
                program: PathBuf::from(packaged::CARGO),
                environment: packaged.environment(),
                arguments: &["-Zbuild-std=std,panic_abort"],
                reads: linkers_toolchain(packaged.linker()),
            },
        }
    }
}

impl Active {
    /// The active compiler, if it has the standard library of [`TARGET`].
    #[must_use]
    pub fn find() -> Option<Self> {
        Self::with(Target::Unknown)
    }

    /// The active compiler, if it has the standard library of `target`.
    #[must_use]
    pub fn with(target: Target) -> Option<Self> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let asked = |what: &[&str]| first_line(Command::new(&rustc).args(["--print"]).args(what));
        let libraries = Path::new(&asked(&["target-libdir", "--target", target.name()])?).read_dir().ok()?;
        let mut names = libraries.flatten().map(|entry| entry.file_name());
        names.any(|name| name.to_string_lossy().starts_with("libstd-")).then_some(())?;
        Some(Self { sysroot: asked(&["sysroot"])?.into(), target })
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active(Active { target, .. }) => write!(formatter, "the active toolchain for {}", target.name()),
            Self::Packaged(packaged) => write!(formatter, "{packaged}, the standard library along with them"),
        }
    }
}

/// A linker of a rustup toolchain, `…/lib/rustlib/<host>/bin/rust-lld`, loads that toolchain's libraries.
fn linkers_toolchain(linker: &Path) -> Vec<PathBuf> {
    match linker.ancestors().nth(5) {
        Some(sysroot) if sysroot.join("lib/rustlib").is_dir() => vec![sysroot.to_owned()],
        _ => vec![linker.to_owned()],
    }
}
