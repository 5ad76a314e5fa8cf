//! The `bailiwick` command.
//!
//! stdout is data, stderr is for people. Exit codes are a contract: see [`exit::Code`].

mod answering;
mod arguments;
#[cfg(test)]
mod command_line_page;
mod commands;
mod configuration;
mod conversation;
mod exit;
mod grant_argument;
mod installation;
mod installed;
mod logging;
mod model;
#[cfg(feature = "nats")]
mod nats_login;
mod output;
mod password_prompt;
mod pipeline;
mod places;
mod runtime;
mod secrets;
#[cfg(feature = "opentelemetry")]
mod telemetry;
#[cfg(not(feature = "opentelemetry"))]
#[path = "telemetry_off.rs"]
mod telemetry;
mod trim_memory;
mod visible;
mod waiting;

use clap::Parser;
use logging::Logging;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The re-executed helper that confines a child; not a command of a person, so it is in no help text.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "__confined") {
        return bailiwick_process::confined_main();
    }
    // The process that compiles an untrusted component; not a command either.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == bailiwick_sandbox::COMPILE_WORKER) {
        return bailiwick_sandbox::compile_worker(std::env::args_os().skip(2));
    }
    // The process in which a compiler stays between commands; not a command either.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == bailiwick_customize::typespec::STANDBY_ARGUMENT) {
        return bailiwick_customize::typespec::stand_by();
    }
    std::panic::set_hook(Box::new(output::panicked));
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error),
    };
    let json = arguments.json;
    let logging = descriptors().and_then(|()| Logging::start(arguments.log.as_deref(), arguments.log_format));
    let logging = match logging {
        Ok(logging) => logging,
        Err(error) => return output::report(&error, json).into(),
    };
    let code = logging.within(arguments.command.name(), || match commands::execute(arguments) {
        Ok(code) => output::settled(code),
        Err(error) => output::report(&error, json),
    });
    logging.finish();
    code.into()
}

/// As many open files as the system allows this process, and an error where those are too few to do anything.
fn descriptors() -> exit::Result<()> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    const NEEDED: u64 = 64;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current < limit.maximum {
        limit.current = limit.maximum;
        // Where it is not to be had, what there is has to do.
        let _ = setrlimit(Resource::Nofile, limit);
    }
    match getrlimit(Resource::Nofile).current {
        Some(files) if files < NEEDED => {
            Err(exit::Error::failed(format!("this process may open only {files} files and needs {NEEDED}"))
                .hint("raise the limit with `ulimit -n`"))
        }
        _ => Ok(()),
    }
}
