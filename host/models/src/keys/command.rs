//! A key that a command prints: a keyring's or a password manager's.
//!
//! A person names the command, so it is not confined, and it may ask that person for a password: it has the terminal
//! and the process group of this program, so that Ctrl-C ends both.

use std::ffi::OsStr;
use std::io::Read as _;
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use bailiwick_base::programs;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process};

use crate::choice::Dialect;

/// What stands for the provider's name, so that one command serves several.
const PROVIDER: &str = "{provider}";

/// How often it is looked whether the command has ended.
const TICK: Duration = Duration::from_millis(20);

/// How long a command that was told to end has to put the terminal in order.
const TO_END: Duration = Duration::from_secs(1);

/// What a command may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long it may take. A keyring may have to ask a person.
    pub deadline: Duration,
    /// How much it may print.
    pub output_bytes: usize,
}

/// What a command that prints a key may take.
pub const LIMITS: Limits = Limits { deadline: Duration::from_secs(60), output_bytes: 16 << 10 };

/// Why a command gave no key. Nothing here holds what it printed or was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandFault {
    /// The variable is not text.
    #[error("it is not UTF-8")]
    NotText,
    /// A quote without its end.
    #[error("a quote in it is not closed")]
    OpenQuote,
    /// Nothing but white space or a comment.
    #[error("there is no command in it")]
    NoWords,
    /// It cannot be started.
    #[error("`{program}` cannot be started: {reason}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It ended without success, as a keyring does that has no such key.
    #[error("`{program}` ended with {status}")]
    Failed {
        /// The program.
        program: String,
        /// `exit code 1` or `signal 9`.
        status: String,
    },
    /// It succeeded without a first line.
    #[error("`{0}` printed no key in its first line")]
    Silent(String),
    /// It printed more than a key.
    #[error("`{program}` printed more than {bytes} bytes")]
    TooMuch {
        /// The program.
        program: String,
        /// How much it may print.
        bytes: usize,
    },
    /// It did not end.
    #[error("`{program}` did not end within {seconds} s")]
    TooLong {
        /// The program.
        program: String,
        /// How long it may take.
        seconds: u64,
    },
}

/// A program and its arguments. Its environment is this process's, without the keys of models.
pub struct KeyCommand {
    words: Vec<String>,
    named: bool,
}

impl KeyCommand {
    /// Splits a line as a shell does, and hands it to none: nothing in it is expanded but `{provider}`.
    pub(super) fn parse(line: &OsStr, dialect: Dialect) -> Result<Self, CommandFault> {
        let words = split(line.to_str().ok_or(CommandFault::NotText)?)?;
        let named = words.iter().any(|word| word.contains(PROVIDER));
        // After the line was split, so that a name cannot become two words.
        let words: Vec<_> = words.into_iter().map(|word| word.replace(PROVIDER, dialect.provider())).collect();
        Ok(Self { named, ..Self::of(words)? })
    }

    /// A program and its arguments as they are: nothing in them is expanded.
    ///
    /// # Errors
    /// There is no program.
    pub fn of(words: Vec<String>) -> Result<Self, CommandFault> {
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandFault::NoWords);
        }
        Ok(Self { words, named: false })
    }

    /// Whether the provider is among what it is told, so that it can give the key of that one.
    pub(super) fn names_provider(&self) -> bool {
        self.named
    }

    /// Runs it to its end and returns the first line that it printed.
    ///
    /// # Errors
    /// It cannot be started, does not succeed, prints nothing or too much, or takes too long; then it is ended.
    pub fn run(&self, limits: Limits) -> Result<String, CommandFault> {
        let program = || self.words[0].clone();
        let start = |error: std::io::Error| CommandFault::Start { program: program(), reason: error.to_string() };
        let mut command = programs::command(&self.words[0]).map_err(start)?;
        command.args(&self.words[1..]).stdin(Stdio::null()).stdout(Stdio::piped());
        for variable in super::variables() {
            command.env_remove(variable);
        }
        let mut child = command.spawn().map_err(start)?;
        let outcome = match child.stdout.take() {
            Some(stdout) => collect(&mut child, stdout, limits),
            None => Err(Stop::Failed(std::io::Error::other("it has no stdout"))),
        };
        let (status, output) = outcome.map_err(|stop| {
            end(&mut child);
            match stop {
                Stop::Failed(error) => start(error),
                Stop::TooMuch => CommandFault::TooMuch { program: program(), bytes: limits.output_bytes },
                Stop::TooLong => CommandFault::TooLong { program: program(), seconds: limits.deadline.as_secs() },
            }
        })?;
        if !status.success() {
            return Err(CommandFault::Failed { program: program(), status: shown(status) });
        }
        // Binary output cannot be a key, and is refused.
        let text = String::from_utf8_lossy(&output);
        let first = text.lines().next().unwrap_or_default().trim();
        if first.is_empty() { Err(CommandFault::Silent(program())) } else { Ok(first.to_owned()) }
    }
}

/// The words of a line, as a shell splits them.
///
/// # Errors
/// A quote has no end.
pub fn split(line: &str) -> Result<Vec<String>, CommandFault> {
    shlex::split(line).ok_or(CommandFault::OpenQuote)
}

/// Why a command was not waited for any longer.
enum Stop {
    Failed(std::io::Error),
    TooMuch,
    TooLong,
}

/// Reads what a command prints until it ends. What it left in the background is not waited for: an agent that a
/// keyring starts may hold on to its stdout for good.
fn collect(child: &mut Child, mut stdout: ChildStdout, limits: Limits) -> Result<(ExitStatus, Vec<u8>), Stop> {
    let started = Instant::now();
    let mut output = Vec::new();
    let mut closed = false;
    loop {
        if started.elapsed() >= limits.deadline {
            return Err(Stop::TooLong);
        }
        // Asked before the pipe is: whatever it wrote is in the pipe once it has ended.
        let ended = child.try_wait().map_err(Stop::Failed)?;
        if !closed && readable(&stdout, if ended.is_some() { Duration::ZERO } else { TICK }).map_err(Stop::Failed)? {
            let mut bytes = [0; 4096];
            let count = stdout.read(&mut bytes).map_err(Stop::Failed)?;
            closed = count == 0;
            output.extend_from_slice(&bytes[..count]);
            if output.len() > limits.output_bytes {
                return Err(Stop::TooMuch);
            }
        } else if let Some(status) = ended {
            return Ok((status, output));
        } else if closed {
            std::thread::sleep(TICK);
        }
    }
}

fn readable(stdout: &ChildStdout, wait: Duration) -> std::io::Result<bool> {
    let wait = rustix::time::Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
    match poll(&mut [PollFd::new(stdout, PollFlags::IN)], Some(&wait)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// Ends a command, with a chance to give the terminal its echo back.
fn end(child: &mut Child) {
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
    let told = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if told.elapsed() >= TO_END {
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        std::thread::sleep(TICK);
    }
}

fn shown(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".to_owned(),
    }
}
