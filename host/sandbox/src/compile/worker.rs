//! Compiling in a process of its own.
//!
//! A component of a language toolchain has tens of thousands of functions, some of them very long, and its compilation
//! takes a minute and a gigabyte. A thread that compiles cannot be stopped and its memory not be told from the host's. A
//! process can be killed, and has a bound of its own. It is this program again; what it is handed is the component, and
//! what it hands back is what the compiler made of it.

use super::component;
use crate::cache::engine_key;
use crate::error::{LoadError, SandboxError};
use crate::limits::LoadLimits;
use crate::sanitize::sanitized;
use bytes::Bytes;
use rustix::process::{Pid, Resource, Rlimit, Signal};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;
use wasmtime::Engine;
use wasmtime::component::Component;

/// The word that tells this program to be a worker, in place of a command. See [`compile_worker`].
pub const COMPILE_WORKER: &str = "__compile";

/// What compiles components that are beyond the [`LoadLimits`] of a sandbox.
#[derive(Debug, Clone)]
pub struct CompileWorker {
    /// A program that calls [`compile_worker`] when its first argument is [`COMPILE_WORKER`]: usually this one.
    pub program: PathBuf,
    /// What may be compiled there. `deadline` is when the process is killed whatever it does, `threads` how many it has.
    pub limits: LoadLimits,
    /// How much processor time it may use, in whole seconds: what the component costs, and not what else this machine
    /// does meanwhile.
    pub processor: Duration,
    /// The address space of the process, in bytes.
    pub memory_bytes: u64,
}

/// Compiled code is about four times as long as the component; see the cache.
const MOST_PER_BYTE: u64 = 32;
const MOST_BESIDE: u64 = 16 << 20;

/// How much of its error is read.
const LONGEST_REASON: u64 = 4096;

impl CompileWorker {
    /// Has a component compiled, and takes what came of it.
    pub(super) fn compile(&self, engine: &Engine, bytes: Bytes) -> Result<Component, LoadError> {
        let most = (bytes.len() as u64).saturating_mul(MOST_PER_BYTE).saturating_add(MOST_BESIDE);
        let arguments: [OsString; 4] = [
            COMPILE_WORKER.into(),
            engine_key(engine).into(),
            self.memory_bytes.to_string().into(),
            self.limits.threads.to_string().into(),
        ];
        let mut child = Command::new(&self.program)
            .args(arguments)
            // Nothing of this process is its business, least of all keys.
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| LoadError::Cache(SandboxError::Thread(error)))?;
        let compiled = self.bound(&child).and_then(|()| self.talk(&mut child, bytes, most));
        // Whatever happened, nothing of it stays.
        let _ = child.kill();
        let status = child.wait();
        let (compiled, reason) = compiled?;
        match status.map(|status| (status.success(), status.signal())) {
            Ok((true, _)) => {}
            Ok((false, None)) => return Err(LoadError::of_engine(reason)),
            Ok((false, Some(signal))) if signal == Signal::XCPU.as_raw() => {
                return Err(LoadError::TooMuchWork(self.processor));
            }
            Ok((false, Some(_))) | Err(_) => {
                let most = self.memory_bytes >> 20;
                return Err(LoadError::Invalid(format!(
                    "the process that compiled it ended early; it may have {most} MiB of memory"
                )));
            }
        }
        // SAFETY: it comes from this very program over a pipe that no other process has, made by the engine with this key.
        #[expect(unsafe_code, reason = "a compiled component is trusted input by nature, and this is our own compiler")]
        let component = unsafe { Component::deserialize(engine, &compiled) };
        component.map_err(|error| LoadError::Invalid(format!("{error:#}")))
    }

    /// Bounds the processor time of the process. From outside, so that it holds for whatever the program is.
    fn bound(&self, child: &Child) -> Result<(), LoadError> {
        let seconds = self.processor.as_secs().max(1);
        // It is told at the first bound, which ends it, and killed at the second.
        let bound = Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) };
        rustix::process::prlimit(Some(Pid::from_child(child)), Resource::Cpu, bound)
            .map(drop)
            .map_err(|errno| LoadError::Cache(SandboxError::Thread(errno.into())))
    }

    /// What it wrote to its standard output and error, once both have ended.
    fn talk(&self, child: &mut Child, bytes: Bytes, most: u64) -> Result<(Vec<u8>, String), LoadError> {
        let stopped = || LoadError::Invalid("the process that compiles cannot be talked to".into());
        let mut input = child.stdin.take().ok_or_else(stopped)?;
        let output = child.stdout.take().ok_or_else(stopped)?;
        let errors = child.stderr.take().ok_or_else(stopped)?;
        super::spawn("bailiwick-compile", move || {
            // A worker that refuses need not read it all.
            let _ = input.write_all(&bytes);
        })?;
        let (sender, receiver) = sync_channel(1);
        super::spawn("bailiwick-compile", move || {
            let mut compiled = Vec::new();
            let _ = output.take(most).read_to_end(&mut compiled);
            let mut reason = Vec::new();
            let _ = errors.take(LONGEST_REASON).read_to_end(&mut reason);
            let reason = String::from_utf8_lossy(&reason).trim().to_owned();
            let _ = sender.send((compiled, sanitized(&reason).into_owned()));
        })?;
        receiver.recv_timeout(self.limits.deadline).map_err(|error| match error {
            RecvTimeoutError::Timeout => LoadError::TooSlow(self.limits.deadline),
            RecvTimeoutError::Disconnected => stopped(),
        })
    }

    /// How long everything may take that waits for it.
    pub(super) fn patience(&self) -> Duration {
        self.limits.deadline.saturating_add(Duration::from_secs(10))
    }
}

/// Is a worker: reads a component from standard input and writes it compiled to standard output. The arguments are those
/// after [`COMPILE_WORKER`]. Says on standard error why it could not.
pub fn compile_worker(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match work(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn work(arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let [key, memory, threads] = arguments.as_slice() else { return Err("it is started by bailiwick alone".into()) };
    let memory: u64 = memory.parse().map_err(|_| "the memory is not a number")?;
    let threads: usize = threads.parse().map_err(|_| "the number of threads is not a number")?;
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    let bound = Rlimit { current: Some(memory), maximum: Some(memory) };
    rustix::process::setrlimit(Resource::As, bound).map_err(|error| error.to_string())?;
    // It has nothing to write but its answer.
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(Resource::Core, none);
    let _ = rustix::process::setrlimit(Resource::Fsize, none);

    let engine = Engine::new(&super::engine_config()).map_err(|error| format!("{error:#}"))?;
    if engine_key(&engine) != *key {
        return Err("the program was replaced while it ran, so what it compiles cannot be used".into());
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let component = component(&engine, &bytes, threads).map_err(|error| error.to_string())?;
    drop(bytes);
    let compiled = component.serialize().map_err(|error| format!("{error:#}"))?;
    let mut output = std::io::stdout().lock();
    output.write_all(&compiled).and_then(|()| output.flush()).map_err(|error| error.to_string())
}
