//! Failures, told apart by who can do something about them.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// The kinds of failure a tool reports, as in `wit/tool.wit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The input is off the schema or contradicts itself.
    InvalidInput,
    /// The sandbox refused.
    NotPermitted,
    /// Nothing is there.
    NotFound,
    /// Not the kind of file that was meant.
    WrongKind,
    /// Over a limit of the tool.
    TooLarge,
    /// Not text.
    NotText,
    /// More than one place matches.
    Ambiguous,
    /// No place matches.
    NoMatch,
    /// Anything else.
    Failed,
}

impl ErrorKind {
    /// The kind in one word, as `wit/tool.wit` spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid-input",
            Self::NotPermitted => "not-permitted",
            Self::NotFound => "not-found",
            Self::WrongKind => "wrong-kind",
            Self::TooLarge => "too-large",
            Self::NotText => "not-text",
            Self::Ambiguous => "ambiguous",
            Self::NoMatch => "no-match",
            Self::Failed => "failed",
        }
    }
}

/// A failure that is the caller's (often a model's) to read and react to. Free of host paths.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{message}")]
pub struct ToolError {
    /// What kind.
    pub kind: ErrorKind,
    /// One sentence.
    pub message: String,
}

/// The call did not run to an answer. The store was dropped, the next call is unharmed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostFailure {
    /// Guest code ran past the deadline.
    #[error("the tool did not answer within {0:?}")]
    Deadline(Duration),
    /// A host call blocked past the deadline; its thread was given up and replaced.
    #[error("the tool was abandoned after {0:?}: a file operation did not return")]
    Abandoned(Duration),
    /// The answer was no longer waited for, so the guest was stopped.
    #[error("the call was given up by its caller")]
    Cancelled,
    /// So many calls wait for a worker that no further one is taken.
    #[error("{waiting} calls wait already")]
    Busy {
        /// How many may.
        waiting: usize,
    },
    /// Every place for an instance is taken. Places are counted so that this cannot happen to a component that was
    /// loaded; if it does, the call has done nothing and can be made again.
    #[error("no slot is free for another instance")]
    Crowded,
    /// So many threads hang in blocked file operations that no call is taken until one returns.
    #[error("{stuck} tool threads hang in file operations that do not return")]
    Saturated {
        /// How many hang.
        stuck: usize,
    },
    /// The stack that the host gives to WebAssembly is used up. (A guest that was compiled from Rust or C keeps most of
    /// its own stack in linear memory, and may run out of that first: an invalid access, so a [`HostFailure::Trap`].)
    #[error("the tool called itself too deeply")]
    Stack,
    /// Tables over the limit.
    #[error("the tool needed more than {limit} table elements")]
    Tables {
        /// The limit in elements.
        limit: usize,
    },
    /// More random bytes than allowed.
    #[error("the tool asked for more than {limit} random bytes")]
    Random {
        /// The limit in bytes.
        limit: u64,
    },
    /// Linear memory over the limit.
    #[error("the tool needed more than {limit} bytes of memory")]
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
    /// More open handles than allowed.
    #[error("the tool held more than {limit} open files")]
    Handles {
        /// The limit.
        limit: usize,
    },
    /// The paths by which callers name a granted directory lead to another one by now, or to none. Nothing is done in
    /// what lies there, nor in what was opened, which an answer would call by the path of something else.
    #[error(
        "the directory that was granted as `{grant}` was moved, removed or replaced since, so nothing is done in it"
    )]
    Moved {
        /// The name of the grant.
        grant: String,
    },
    /// The input is longer than allowed.
    #[error("the input has {length} bytes, more than the {limit} allowed")]
    Input {
        /// Its length.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// The output is longer than allowed.
    #[error("the output is longer than the {limit} bytes allowed")]
    Output {
        /// The limit.
        limit: usize,
    },
    /// The tool said more on the way than it may.
    #[error("the tool sent more than {count} notices or {bytes} bytes of them")]
    Notices {
        /// How many it may send.
        count: u32,
        /// How long they may be together.
        bytes: usize,
    },
    /// The tool answered something its own output schema does not allow.
    #[error("the tool's answer does not fit its schema: {0}")]
    OffSchema(String),
    /// The guest stopped: a panic, an invalid access, an answer that is not one.
    #[error("the tool stopped: {0}")]
    Trap(String),
    /// The host's own code stopped. A defect of this program, and never the end of it.
    #[error("the host failed at this call: {0}")]
    Panicked(String),
    /// The tool was listed from what was kept of it, and could not be made ready when it was called.
    #[error("the tool cannot be loaded: {0}")]
    NotLoaded(String),
    /// The audit log cannot be written to, so the tool was not called.
    #[error("the tool was not called since the call cannot be put on record: {0}")]
    NotRecordable(String),
    /// The audit log could not be written to when the call had ended, whatever it came to.
    #[error("what the call came to could not be put on record: {0}")]
    Unrecorded(String),
    /// The sandbox is shutting down.
    #[error("the sandbox is shutting down")]
    Closed,
}

impl HostFailure {
    /// The failure in one word, as the audit log has it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Deadline(_) => "deadline",
            Self::Abandoned(_) => "abandoned",
            Self::Cancelled => "cancelled",
            Self::Busy { .. } => "busy",
            Self::Crowded => "crowded",
            Self::Saturated { .. } => "saturated",
            Self::Stack => "stack",
            Self::Tables { .. } => "tables",
            Self::Memory { .. } => "memory",
            Self::Handles { .. } => "handles",
            Self::Input { .. } => "input",
            Self::Output { .. } => "output",
            Self::Notices { .. } => "notices",
            Self::OffSchema(_) => "off-schema",
            Self::Trap(_) => "trap",
            Self::Panicked(_) => "panicked",
            Self::NotLoaded(_) => "not-loaded",
            Self::NotRecordable(_) => "not-recordable",
            Self::Unrecorded(_) => "unrecorded",
            Self::Random { .. } => "random",
            Self::Moved { .. } => "moved",
            Self::Closed => "closed",
        }
    }
}

/// Why a call gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallError {
    /// The tool says so; the caller can react.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The host stopped it.
    #[error(transparent)]
    Host(#[from] HostFailure),
}

/// What of a component is counted before it is compiled, or measured when it describes itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Bytes of the whole component.
    Component,
    /// Bytes of one function.
    Function,
    /// Functions of all modules.
    Functions,
    /// Instances that one instantiation makes, nested ones multiplied out.
    Instances,
    /// Memories of all these instances.
    Memories,
    /// Tables of all these instances.
    Tables,
    /// Bytes of the description.
    Description,
    /// Bytes of a schema.
    Schema,
}

impl std::fmt::Display for Part {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Component => "bytes",
            Self::Function => "bytes in one function",
            Self::Functions => "functions",
            Self::Instances => "instances",
            Self::Memories => "memories",
            Self::Tables => "tables",
            Self::Description => "bytes of description",
            Self::Schema => "bytes in one schema",
        })
    }
}

/// Why a component was not loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// More than [`LoadLimits`](crate::LoadLimits) allows; told before anything of it was compiled.
    #[error("the component has {found} {part}, more than the {limit} allowed")]
    TooLarge {
        /// Of what.
        part: Part,
        /// How much there is, at least.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Compilation took too long and was given up.
    #[error("the component was not compiled within {0:?}")]
    TooSlow(Duration),
    /// Compilation took more processor time than it may.
    #[error("compiling the component took more than {0:?} of processor time")]
    TooMuchWork(Duration),
    /// So many compilations were given up and still run that no further one is started.
    #[error("{stuck} compilations that were given up still run")]
    Saturated {
        /// How many.
        stuck: usize,
    },
    /// Not a component, or one this engine cannot compile.
    #[error("not a component this host can run: {0}")]
    Invalid(String),
    /// It is built for WASI 0.3, which this host does not run: it needs the asynchronous component model, or imports an
    /// interface of that version.
    #[error("the component is built for WASI 0.3 ({0}), and this host runs components of WASI 0.2")]
    LaterWasi(String),
    /// It exports functions, and none of them can be called with JSON.
    #[error("none of the {functions} functions of the component can be a tool; of `{path}`: {reason}")]
    NothingCallable {
        /// How many there are.
        functions: usize,
        /// One of them: `pkg:name/interface#function`.
        path: String,
        /// Why it cannot be used, as a sentence.
        reason: String,
    },
    /// It wants more than the policy grants.
    #[error("the component imports what it was not granted: {}", .0.join(", "))]
    NotGranted(Vec<String>),
    /// It exports nothing that a rich component can.
    #[error("the component exports none of `bailiwick:tool/rich-tools`, `/resources` and `/prompts` in version 0.1.0")]
    NothingOffered,
    /// It does not export the tool interface.
    #[error("the component does not export `bailiwick:tool/tool@0.1.0`: {0}")]
    NotATool(String),
    /// `describe` failed or answered something unusable.
    #[error("the component does not describe itself: {0}")]
    Undescribed(String),
    /// The bytes of a component that was listed cannot be had any more.
    #[error("{0}")]
    Unreadable(String),
    /// The bytes of a component that was listed are others by now.
    #[error("the component is not the one that was listed: its SHA-256 is {found} and not {expected}")]
    Exchanged {
        /// The SHA-256 it was listed with, in hexadecimal.
        expected: String,
        /// That of what was read.
        found: String,
    },
    /// The compile cache could not be used safely.
    #[error(transparent)]
    Cache(#[from] SandboxError),
}

impl LoadError {
    /// What the engine says of a component that it does not take.
    pub(crate) fn of_engine(said: String) -> Self {
        // The engine has no type for it. What it says is written down by a test of each.
        let asynchronous = ["component model async", "component model error-context"];
        if asynchronous.iter().any(|feature| said.contains(feature)) {
            Self::LaterWasi("it has asynchronous functions, streams or futures".into())
        } else {
            Self::Invalid(said)
        }
    }
}

/// Why a sandbox could not be set up.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The engine refused its configuration.
    #[error("the WebAssembly engine cannot start: {0}")]
    Engine(String),
    /// A cache directory that others could write to would let them run code in this process.
    #[error("the component cache `{}` is not safe to use: {reason}", path.display())]
    UnsafeCache {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The configuration cannot work.
    #[error("a sandbox cannot be built so: {0}")]
    Impossible(String),
    /// A thread could not be started.
    #[error("a worker thread cannot start: {0}")]
    Thread(#[from] std::io::Error),
}

/// The text of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}
