//! `bailiwick completions` and `bailiwick manual`: what shells and `man` read of the command line's definitions.

use crate::arguments::Arguments;
use crate::exit::{Code, Error, Result};
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use std::io::Write as _;

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

pub(super) fn execute(completions: &Completions) -> Result<Code> {
    let mut text = Vec::new();
    clap_complete::generate(completions.shell, &mut Arguments::command(), "bailiwick", &mut text);
    print(&text)
}

/// One page for all commands, as people search in it.
pub(super) fn manual() -> Result<Code> {
    let mut text = Vec::new();
    let command = Arguments::command();
    let page = |command: &clap::Command, text: &mut Vec<u8>| clap_mangen::Man::new(command.clone()).render(text);
    page(&command, &mut text).map_err(|error| Error::failed(format!("the manual cannot be made: {error}")))?;
    print(&text)
}

fn print(text: &[u8]) -> Result<Code> {
    match std::io::stdout().lock().write_all(text) {
        Ok(()) => Ok(Code::Done),
        // Whoever reads only the beginning has what they wanted.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Code::Done),
        Err(error) => Err(Error::failed(format!("stdout cannot be written: {error}"))),
    }
}
