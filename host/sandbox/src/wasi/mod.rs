//! What of WASI 0.2 is not files: there for components whose language brings all of it, and inert unless granted.
//!
//! | what is asked for | without a grant | granted |
//! |---|---|---|
//! | environment | empty | the names and values that were granted |
//! | arguments, working directory | none | never |
//! | standard input | has ended | never |
//! | standard output and error | taken and dropped; the end of it explains a failure | never |
//! | terminals | none | never |
//! | exit | ends the call as a failure | never |
//! | clocks | stand still; waiting moves them by what was waited for | the time of this machine |
//! | random bytes | the same sequence in every call | those of the system |
//! | sockets, names of hosts | refused | never: requests go through `wasi:http` |
//!
//! Nothing here opens anything by itself, and nothing runs beside the call. A guest that waits is waited for on its
//! worker's thread, no longer than the call lasts ([`WaitDeadline`]).

mod cli;
mod clocks;
mod link;
mod output;
mod poll;
mod random;
mod sockets;
mod streams;
mod wait_deadline;

pub(crate) use cli::Exit;
pub(crate) use link::add;
pub(crate) use output::Said;
pub(crate) use random::TooRandom;
pub(crate) use streams::{FileFailed, Input, Output};
pub(crate) use wait_deadline::{Cancellation, WaitDeadline};

use crate::capabilities::Capabilities;
use crate::fs::Files;
use crate::limits::Limits;
use random::RandomSource;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use wasmtime_wasi::sockets::WasiSocketsCtx;

/// What one call sees of the world beside its files.
pub(crate) struct World {
    capabilities: Arc<Capabilities>,
    started: Instant,
    /// Nanoseconds by which waiting has moved clocks that stand still.
    waited: Arc<AtomicU64>,
    random: RandomSource,
    /// Allows nothing: the parts of `wasi:sockets` that need a socket to be called cannot be reached.
    sockets: WasiSocketsCtx,
}

impl World {
    pub(crate) fn new(capabilities: Arc<Capabilities>, limits: &Limits) -> Self {
        let random = RandomSource::new(capabilities.random, limits.output_bytes as u64);
        Self {
            capabilities,
            started: Instant::now(),
            waited: Arc::default(),
            random,
            sockets: WasiSocketsCtx::default(),
        }
    }
}

/// The world with the table in which its resources are.
pub(crate) struct View<'a> {
    files: &'a mut Files,
    world: &'a mut World,
}
