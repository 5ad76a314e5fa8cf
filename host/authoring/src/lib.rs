//! Tools that other people write: a project to begin with, a component made of it, cases that say what it does.
//!
//! | module | subject |
//! |---|---|
//! | [`template`] | a new project in Rust, Python or JavaScript |
//! | [`project`] | a directory with `tool.toml`, and its component |
//! | [`build`] | making the component, confined, with what is installed in the cache |
//! | [`case`] | `tests/*.toml`: files before, a call, its answer, files after |
//!
//! Running the cases takes a sandbox, which the command line has.

pub mod build;
pub mod case;
mod error;
pub mod project;
pub mod template;

pub use error::AuthoringError;
pub use project::Project;
