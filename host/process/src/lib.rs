//! Child processes under one supervisor: bounded, killable with everything they start, confined.
//!
//! A [`Supervisor`] never starts a program itself. It re-executes a helper (the caller's own binary,
//! whose `main` hands over to [`confined_main`] when `argv[1]` is [`HELPER_ARGUMENT`]) in two steps:
//!
//! ```text
//! caller ── keeper ── launcher, which becomes the program ── whatever the program starts
//! caller ── keeper ── launcher ║ init ── program ── whatever the program starts
//! ```
//!
//! The second line is a confined program where process namespaces can be had, `║` the border of one.
//!
//! - The *keeper* is a child subreaper: every orphan below it becomes its own child, also one that
//!   called `setsid` or forked twice. It holds one end of a socket whose other end only the caller holds.
//!   When the program ends, when the caller closes its end, and when the caller dies of anything,
//!   the keeper kills until it has no child left.
//! - The *launcher* reads the rules from a socket, takes from itself all that the program must not
//!   have, and executes the program.
//! - The *init* is the first process of the namespace. It collects orphans, tells how the program ended and ends: then
//!   the kernel kills whatever is left in there, at once.
//! - The keeper counts processes and measures memory and disk space while the program runs, and kills everything at a limit.
//!
//! Rules travel over inherited sockets and never over `argv`; the helper's own environment is empty.

mod apart;
mod command;
mod confine;
mod door;
mod environment;
mod error;
mod held;
mod helper;
mod observe;
mod outcome;
mod output;
mod supervisor;
mod support;
mod wire;

pub use apart::become_apart;
pub use command::{Command, Confinement, Limits, Measured, Network, PROXY_PORT, Rules, system_paths};
pub use door::Door;
pub use environment::scrubbed_environment;
pub use error::ProcessError;
pub use helper::{HELPER_ARGUMENT, confined_main};
pub use outcome::{Captured, Exit, Finished, Stream};
pub use supervisor::Supervisor;
pub use support::{Availability, Mechanism, Support, support};
#[doc(hidden)]
pub use wire::Missing;
