//! What is wrapped.

use crate::DistError;
use crate::archive::Effort;
use crate::elf;
use std::fmt;

/// The machines that packages are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// x86-64.
    X64,
    /// 64-bit Arm.
    Arm64,
}

impl Machine {
    /// As Python's platform tags and `uname` have it.
    #[must_use]
    pub fn uname(self) -> &'static str {
        match self {
            Self::X64 => "x86_64",
            Self::Arm64 => "aarch64",
        }
    }

    /// As npm has it.
    #[must_use]
    pub fn npm(self) -> &'static str {
        match self {
            Self::X64 => "x64",
            Self::Arm64 => "arm64",
        }
    }

    /// As Debian and OCI have it.
    #[must_use]
    pub fn debian(self) -> &'static str {
        match self {
            Self::X64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }
}

/// A shell that completions are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shell {
    /// Bash.
    Bash,
    /// Elvish.
    Elvish,
    /// fish.
    Fish,
    /// PowerShell.
    PowerShell,
    /// Zsh.
    Zsh,
}

impl Shell {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Bash, Self::Elvish, Self::Fish, Self::PowerShell, Self::Zsh];

    /// The file that the shell looks for.
    #[must_use]
    pub fn file(self) -> &'static str {
        match self {
            Self::Bash => "bailiwick.bash",
            Self::Elvish => "bailiwick.elv",
            Self::Fish => "bailiwick.fish",
            Self::PowerShell => "_bailiwick.ps1",
            Self::Zsh => "_bailiwick",
        }
    }
}

impl fmt::Display for Shell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Bash => "bash",
            Self::Elvish => "elvish",
            Self::Fish => "fish",
            Self::PowerShell => "powershell",
            Self::Zsh => "zsh",
        })
    }
}

/// One version of the program for one machine, with everything that packages contain.
#[derive(Debug, Clone)]
pub struct Release {
    /// The version, such as `0.1.0`.
    pub version: String,
    /// The executable.
    pub binary: Vec<u8>,
    /// For which machine it is.
    pub machine: Machine,
    /// The oldest glibc it runs on.
    pub glibc: (u32, u32),
    /// The README in Markdown.
    pub readme: String,
    /// The licence of the program.
    pub licence: String,
    /// The licences of its dependencies.
    pub notices: String,
    /// Its software bill of materials, as CycloneDX in JSON.
    pub sbom: String,
    /// The manual page, as roff.
    pub manual: String,
    /// Completions for each shell.
    pub completions: Vec<(Shell, String)>,
    /// How much work goes into compression.
    pub effort: Effort,
}

impl Release {
    /// Reads from the executable for which machine it is and which glibc it needs.
    ///
    /// # Errors
    /// It is not a dynamically linked Linux executable of a machine that packages are made for.
    pub fn facts(binary: &[u8]) -> Result<(Machine, (u32, u32)), DistError> {
        Ok((elf::machine(binary)?, elf::glibc(binary)?))
    }
}

/// One file that is offered for installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name, which the format prescribes.
    pub file: String,
    /// What it contains.
    pub bytes: Vec<u8>,
}

impl Package {
    pub(crate) fn made(file: String, bytes: std::io::Result<Vec<u8>>) -> Result<Self, DistError> {
        match bytes {
            Ok(bytes) => Ok(Self { file, bytes }),
            Err(source) => Err(DistError::Write { name: file, source }),
        }
    }
}
