//! The sandbox and the async runtime as the commands use them.

use crate::exit::{Code, Error, Result};
use crate::places;
use bailiwick_audit::{AuditError, Log};
use bailiwick_sandbox::{
    Allocation, Audit, Capabilities, CompileCache, CompileWorker, Limits, LoadError, LoadLimits, Sandbox,
    SandboxConfig, Tool, builtin,
};
use std::sync::Arc;
use std::time::Duration;

/// What one tool call may spend when a person or a customization makes it.
pub(crate) fn call_limits() -> Limits {
    Limits {
        memory_bytes: 64 << 20,
        table_elements: 10_000,
        deadline: Duration::from_secs(30),
        input_bytes: 8 << 20,
        output_bytes: 16 << 20,
        handles: 256,
        directory_entries: 200_000,
        written_bytes: 64 << 20,
    }
}

/// The most memory that a tool can be given, in bytes. A place for it costs addresses and no memory until it is used.
const LARGEST_MEMORY: usize = 512 << 20;

/// What a person can approve for one call of an added tool at most, whatever its manifest asks for.
pub(crate) fn most_limits() -> Limits {
    Limits {
        memory_bytes: LARGEST_MEMORY,
        deadline: Duration::from_secs(300),
        handles: 1024,
        written_bytes: 1 << 30,
        ..call_limits()
    }
}

/// How large a file of the audit log grows before the next one is begun.
const AUDIT_FILE_BYTES: u64 = 16 << 20;

/// The audit log, which every call of a tool goes to.
pub(crate) fn audit() -> Result<Audit> {
    let log = Log::open(&places::audit()?, AUDIT_FILE_BYTES).map_err(|error| match error {
        AuditError::Io { .. } | AuditError::Busy { .. } | AuditError::NoSpace { .. } => {
            Error::failed(error.to_string())
        }
        _ => Error::refused(error.to_string())
            .hint("no tool is called without a record; `bailiwick audit verify` says what is wrong"),
    })?;
    Ok(Audit::Log(Arc::new(log)))
}

/// Starts a sandbox whose compiled tools are cached and whose calls go on record.
pub(crate) fn sandbox(audit: Audit) -> Result<Arc<Sandbox>> {
    let config = SandboxConfig {
        allocation: Allocation::Pooled { slots: 16 },
        workers: std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 8),
        waiting: 1024,
        most_stuck: 8,
        largest_memory: LARGEST_MEMORY,
        cache: CompileCache::Directory(places::cache()?.join("components")),
        load: LoadLimits {
            component_bytes: 16 << 20,
            functions: 50_000,
            function_bytes: 64 << 10,
            // A component of Python's brings its libraries as modules of their own.
            instances: 64,
            memories: 2,
            tables: 16,
            description_bytes: 16 << 10,
            schema_bytes: 64 << 10,
            deadline: Duration::from_secs(60),
            at_once: 2,
            threads: 2,
            most_stuck: 2,
        },
        audit,
        describe: Limits { deadline: Duration::from_secs(2), ..call_limits() },
    };
    let program = std::env::current_exe()
        .map_err(|error| Error::failed(format!("this program cannot find itself, so it cannot compile: {error}")))?;
    // A language with its library: the largest so far has 18 MB, 16,000 functions and one function of 460 KB.
    let worker = CompileWorker {
        program,
        limits: LoadLimits {
            component_bytes: 64 << 20,
            functions: 200_000,
            function_bytes: 4 << 20,
            // Half an hour for what takes one minute on a machine that does nothing else.
            deadline: Duration::from_secs(1800),
            ..config.load.clone()
        },
        processor: Duration::from_secs(600),
        memory_bytes: 6 << 30,
    };
    let sandbox = Sandbox::new(config).map_err(|error| Error::failed(error.to_string()))?;
    Ok(Arc::new(sandbox.with_worker(worker)))
}

/// The built-in tools of agents. Their code is made ready by their first call.
pub(crate) async fn builtin_tools(sandbox: &Sandbox) -> Result<Vec<Tool>> {
    load(sandbox, &builtin::ALL).await
}

/// Loads the tools of the file server.
pub(crate) async fn file_server_tools(sandbox: &Sandbox) -> Result<Vec<Tool>> {
    load(sandbox, &builtin::FILE_SERVER).await
}

async fn load(sandbox: &Sandbox, components: &[&'static [u8]]) -> Result<Vec<Tool>> {
    let mut tools = Vec::new();
    for bytes in components {
        tools.push(sandbox.announce(*bytes, &Capabilities::built_in()).await.map_err(load_failed)?);
    }
    Ok(tools)
}

pub(crate) fn load_failed(error: LoadError) -> Error {
    match error {
        LoadError::Cache(error) => Error::refused(error.to_string())
            .hint("make the directory yours alone with `chmod 700`, or set `BAILIWICK_CACHE_DIR` to another one"),
        other => Error::failed(other.to_string()),
    }
}

/// A small runtime.
pub(crate) fn start() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Error::failed(format!("the runtime cannot start: {error}")))
}

/// A runtime on the thread that waits for it, for a server of one client: messages then wake no other thread.
/// Whatever works longer than a message takes to be read does so on threads of its own.
pub(crate) fn start_alone() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::failed(format!("the runtime cannot start: {error}")))
}

/// Runs a future to its end on a small runtime.
pub(crate) fn block_on<F: Future>(future: F) -> Result<F::Output> {
    let runtime = start()?;
    let output = runtime.block_on(future);
    // Waits for no thread that waits itself, for the name of a server say: a command that was interrupted ends at once.
    runtime.shutdown_background();
    Ok(output)
}

/// From now on another interruption ends the process at once, whatever it still tidies up.
pub(crate) fn end_when_interrupted_again() {
    tokio::spawn(async {
        interrupted().await;
        #[expect(clippy::exit, reason = "a person who asks twice does not wait for anything to be dropped")]
        std::process::exit(i32::from(Code::Interrupted as u8));
    });
}

/// Waits until a person interrupts or the system asks to end.
pub(crate) async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
