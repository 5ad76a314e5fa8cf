//! Runs every tool as a WebAssembly component that holds only what it was handed.
//!
//! - [`Grant`]: a name, open directory handles and an access. Authority is this value and nothing else.
//! - [`Sandbox`]: one engine, its worker threads, its watchdog and its cache of compiled components.
//! - [`Tool`]: a component that was checked at load: what it imports was allowed, what it describes is valid.
//! - [`Sandbox::call`]: a fresh instance, limits, a deadline, and a [`Cost`] whatever happened.
//!
//! What a guest does with files goes through [`fs`], the only place that resolves a guest's path.

mod bindings;
pub mod builtin;
mod cache;
mod call;
mod compile;
mod cost;
mod denial;
mod engine;
mod error;
pub mod fs;
mod grant;
mod legible;
mod limits;
mod record;
mod reserved;
mod roster;
mod scan;
mod schema;
mod sensitive;
mod state;
mod tool;
mod watchdog;
mod worker;

pub use cache::CompileCache;
pub use cost::Cost;
pub use denial::{Denial, DenialReason};
pub use engine::{Allocation, Sandbox, SandboxConfig};
pub use error::{CallError, ErrorKind, HostFailure, LoadError, Part, SandboxError, ToolError};
pub use grant::{Access, Grant, GrantError, Grants, HardLinks};
pub use limits::{Limits, LoadLimits};
pub use record::Audit;
pub use reserved::Reserved;
pub use sensitive::SENSITIVE;
pub use tool::{Descriptor, Effects, Policy, Tool};

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

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
