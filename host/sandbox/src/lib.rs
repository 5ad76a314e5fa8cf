//! Runs every tool as a WebAssembly component that holds only what it was handed.
//!
//! - [`Grant`]: a name, open directory handles and an access. Authority is this value and nothing else.
//! - [`Sandbox`]: one engine, its worker threads, its watchdog and its cache of compiled components.
//! - [`Tool`]: a component that was checked at load: what it imports was allowed, what it describes is valid.
//! - [`Sandbox::call`]: a fresh instance, limits, a deadline, and a [`Cost`] whatever happened.
//!
//! What a guest does with files goes through [`fs`], the only place that resolves a guest's path.
//!
//! ```
//! use bailiwick_sandbox::*;
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let limits = Limits {
//!     memory_bytes: 16 << 20,
//!     table_elements: 10_000,
//!     deadline: Duration::from_secs(10),
//!     input_bytes: 64 << 10,
//!     output_bytes: 1 << 20,
//!     handles: 16,
//!     directory_entries: 1_000,
//!     written_bytes: 1 << 20,
//! };
//! let sandbox = Sandbox::new(SandboxConfig {
//!     allocation: Allocation::OnDemand,
//!     workers: 1,
//!     waiting: 16,
//!     most_stuck: 1,
//!     largest_memory: 16 << 20,
//!     cache: CompileCache::Off,
//!     load: LoadLimits {
//!         component_bytes: 16 << 20,
//!         functions: 50_000,
//!         function_bytes: 64 << 10,
//!         instances: 8,
//!         memories: 1,
//!         tables: 4,
//!         description_bytes: 16 << 10,
//!         schema_bytes: 64 << 10,
//!         deadline: Duration::from_secs(60),
//!         at_once: 1,
//!         threads: 1,
//!         most_stuck: 1,
//!     },
//!     audit: Audit::Off,
//!     describe: limits.clone(),
//! })?;
//! let write = sandbox.load(builtin::WRITE_FILE, &Capabilities::files()).await?;
//!
//! let directory = tempfile::tempdir()?;
//! let grant = |access| Grant::open("notes", directory.path(), access, &Reserved::none());
//! let input = r#"{"filePath": "notes/a.txt", "content": "hello"}"#;
//!
//! // The same tool and the same input: what it may do is in the grant.
//! let readable = Grants::new(vec![grant(Access::ReadOnly)?])?;
//! let report = sandbox.call(&write, &readable, input, &limits).await;
//! assert!(matches!(report.outcome, Err(CallError::Tool(error)) if error.kind == ErrorKind::NotPermitted));
//! assert!(!report.denials.is_empty());
//!
//! let writable = Grants::new(vec![grant(Access::ReadWrite)?])?;
//! let report = sandbox.call(&write, &writable, input, &limits).await;
//! assert!(report.outcome?.contains("created"));
//! assert_eq!(std::fs::read_to_string(directory.path().join("a.txt"))?, "hello");
//! # Ok(())
//! # }
//! ```

mod adaptive_spin;
mod bindings;
pub mod builtin;
mod cache;
mod call;
mod capabilities;
mod code;
mod compile;
mod cost;
mod denial;
mod description;
mod engine;
mod engine_limit;
mod error;
pub mod fs;
#[cfg(test)]
mod fuzzing;
mod grant;
mod hidden;
pub mod http;
mod limits;
mod linkers;
mod names;
mod observe;
mod outline;
mod pattern;
mod pool_state;
mod prepared;
mod program;
mod queue;
mod record;
mod reply_to;
mod reserved;
pub mod rich;
mod sanitize;
mod scan;
mod schema;
mod sensitive;
mod state;
mod tool;
mod typed;
mod wasi;
mod watchdog;
mod worker;

pub use bailiwick_audit::is_invisible;
pub use cache::CompileCache;
pub use capabilities::{Capabilities, Clocks, Directories, Random, Speech, Wasi};
pub use code::Code;
pub use compile::{COMPILE_WORKER, CompileWorker, compile_worker};
pub use cost::Cost;
pub use denial::{Denial, DenialReason};
pub use engine::{Allocation, Conditions, Offered, RichReport, Sandbox, SandboxConfig, TypedTools};
pub use error::{CallError, ErrorKind, HostFailure, LoadError, Part, SandboxError, ToolError};
pub use grant::{Access, Grant, GrantError, Grants, HardLinks};
pub use hidden::{HIDDEN, MOST_PATTERNS, is_hidden};
pub use limits::{Limits, LoadLimits};
pub use outline::Outline;
pub use pattern::{LONGEST_PATTERN, PatternError};
pub use program::Program;
pub use record::Audit;
pub use reserved::Reserved;
pub use schema::{Complaint, Schema, SchemaError};
pub use sensitive::SENSITIVE;
pub use tool::{Descriptor, Effects, Tool};

/// What one call came to: the tool's JSON answer or why there is none, and what it cost either way.
#[derive(Debug)]
pub struct CallReport {
    /// The output JSON text, valid against the tool's output schema, or the failure.
    pub outcome: Result<String, CallError>,
    /// Measured on the worker, and kept when the call failed.
    pub cost: Cost,
    /// The refused attempts, the first sixteen of them; the cost counts all.
    pub denials: Vec<Denial>,
}
