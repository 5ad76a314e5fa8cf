//! The tests of the audit log over its public interface.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod agree;
mod chain;
mod common;
mod crash;
mod full;
mod lines;
mod safety;
