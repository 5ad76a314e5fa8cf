//! The helper executable of this crate's tests. Besides the helper itself it holds what the tests
//! start as children:
//!
//! - `confined-helper __confined …`: what every supervisor's helper does;
//! - `confined-helper probe OPERATION ARGUMENT…`: tries one thing that confinement is about and prints what came of it;
//! - `confined-helper supervise confined|unconfined DIRECTORY PROGRAM ARGUMENT…`: is a supervisor itself, so that a
//!   test can kill it; under `confined` the program may write below the directory.

mod call;
mod probe;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_process::{
    Command, Confinement, HELPER_ARGUMENT, Limits, Measured, Network, Rules, Supervisor, confined_main, system_paths,
};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [HELPER_ARGUMENT, ..] => confined_main(),
        ["probe", operation, ref rest @ ..] => {
            probe::say(&probe::probe(operation, rest));
            ExitCode::SUCCESS
        }
        ["supervise", mode, directory, program, ..] => {
            probe::say(&supervise(mode, directory, program, &arguments[4..]));
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(2),
    }
}

fn supervise(mode: &str, directory: &str, program: &str, arguments: &[OsString]) -> String {
    let (Ok(own), Ok(runtime)) =
        (std::env::current_exe(), tokio::runtime::Builder::new_current_thread().enable_all().build())
    else {
        return "cannot begin".to_owned();
    };
    let confinement = if mode == "confined" {
        let mut read = system_paths();
        read.push(own.clone());
        Confinement::Confined(Rules {
            read,
            list: Vec::new(),
            write: vec![PathBuf::from(directory)],
            network: Network::Refused,
        })
    } else {
        Confinement::Unconfined
    };
    let command = Command {
        program: PathBuf::from(program),
        arguments: arguments.to_vec(),
        directory: PathBuf::from(directory),
        environment: BTreeMap::new(),
        limits: Limits {
            measured: Measured::Often,
            deadline: Duration::from_secs(120),
            output_bytes: 64 * 1024,
            processes: 1000,
            memory_bytes: 1 << 30,
            file_bytes: 1 << 30,
            disk_bytes: 4 << 30,
        },
        confinement,
    };
    match runtime.block_on(Supervisor::new(own).run(&command, &mut |_, _| ())) {
        Ok(finished) => finished.stdout.text,
        Err(error) => error.to_string(),
    }
}
