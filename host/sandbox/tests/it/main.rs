//! The tests of the sandbox over its public interface: one program, so that wasmtime is linked once.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod any;
mod blocked;
mod called;
mod common;
mod contract;
mod differential;
mod edits;
mod escape;
mod hostile;
mod later_wasi;
mod limits;
mod network;
mod record;
mod resolution;
mod rich;
mod texts;
mod tools_to_the_letter;
mod update_cspell_words;
mod what_writing_leaves;
mod whole_wasi;
mod without_openat2;
