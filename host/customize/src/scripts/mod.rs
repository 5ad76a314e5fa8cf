//! What an SDK repository configures for its packages: `eng/swagger_to_sdk_config.json`.
//!
//! - `file` reads the file: for each purpose a command line or the path of a PowerShell script.
//! - `command` splits a command line and puts values into it. There is never a shell.
//! - `start` finds the program and runs it, confined.
//! - `copy` lays a package out anew, so that a build can write without changing it.
//! - `build` builds a package the configured way.
//!
//! Only this file names commands, never a model. It lies outside the package, where neither an agent nor an emitter can write, and it is
//! read before anything is started.

mod build;
mod command;
mod copy;
mod error;
mod file;
#[cfg(test)]
mod fuzzing;
mod start;

pub(crate) use build::build;
pub(crate) use copy::Copy;
pub use error::ScriptError;
pub use file::{Purpose, Script, SdkConfiguration};
pub(crate) use start::{Invocation, Program, Ran, last_words, run, run_program};
