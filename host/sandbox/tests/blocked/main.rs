//! A file operation that blocks costs its own call and nothing else: the call is given up at its deadline, its thread
//! replaced, counted and capped, while every other call keeps its speed.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod apart;
#[path = "../common/mod.rs"]
mod common;
mod dead;
mod fuse;
mod special;
