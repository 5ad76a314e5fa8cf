//! `bailiwick completions` and `bailiwick manual`: what shells and `man` read of the command line's definitions.

use crate::arguments::Arguments;
use crate::exit::{Code, Error, Result};
use crate::output;
use clap::{Args, CommandFactory as _, ValueEnum};
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell that reads them.
    #[arg(value_enum)]
    pub(crate) shell: ShellName,
}

/// Shells with completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellName {
    /// GNU Bash.
    Bash,
    /// Elvish.
    Elvish,
    /// fish.
    Fish,
    /// PowerShell.
    #[value(name = "powershell")]
    PowerShell,
    /// Zsh.
    Zsh,
}

impl From<ShellName> for Shell {
    fn from(name: ShellName) -> Self {
        match name {
            ShellName::Bash => Self::Bash,
            ShellName::Elvish => Self::Elvish,
            ShellName::Fish => Self::Fish,
            ShellName::PowerShell => Self::PowerShell,
            ShellName::Zsh => Self::Zsh,
        }
    }
}

pub(super) fn execute(completions: &Completions) -> Result<Code> {
    let mut text = Vec::new();
    clap_complete::generate(Shell::from(completions.shell), &mut Arguments::command(), "bailiwick", &mut text);
    Ok(print(&text))
}

/// The page of the program. `--help` of each command has the options of it.
pub(super) fn manual() -> Result<Code> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Arguments::command())
        .render(&mut text)
        .map_err(|error| Error::failed(format!("the manual cannot be made: {error}")))?;
    Ok(print(&text))
}

fn print(text: &[u8]) -> Code {
    output::line(String::from_utf8_lossy(text).trim_end());
    Code::Done
}
