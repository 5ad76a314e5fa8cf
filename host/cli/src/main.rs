//! The `bailiwick` command.
//!
//! stdout is data, stderr is for people. Exit codes are a contract: see [`exit::Code`].

mod arguments;
mod commands;
mod exit;
mod model;
mod output;
mod places;
mod runtime;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The re-executed helper that confines a child; not a command of a person, so it is in no help text.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "__confined") {
        return bailiwick_process::confined_main();
    }
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error),
    };
    let json = arguments.json;
    match commands::execute(arguments) {
        Ok(code) => output::settled(code).into(),
        Err(error) => output::report(&error, json).into(),
    }
}
