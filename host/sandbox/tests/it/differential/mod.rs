//! The sandbox against an oracle that trusts none of it: plans of operations are carried out by the hostile guest on
//! one tree and by ordinary calls of the system on its twin. Every answer must be what the oracle says, and afterwards
//! the trees must be alike. Where the sandbox is to do otherwise than the system, `oracle.rs` has a rule with its reason.
//!
//! `host/sandbox/fuzz` makes plans of the same bytes by coverage, for as long as one likes.

mod check;
mod expected;
mod held;
mod oracle;
mod plan;
mod random;
mod regressions;
mod resolver;
mod way;
mod without_openat2;
mod world;

/// Where the hostile guest is, from the directory of the crate.
const GUEST: &str = "../../components/dist/hostile-built-in-guest.wasm";
