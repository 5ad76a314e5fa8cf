//! The tests of model providers over their public interface, against stand-ins.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod common;
mod cut;
mod dialects;
mod faults;
mod fences;
mod preflight;
mod streams;
