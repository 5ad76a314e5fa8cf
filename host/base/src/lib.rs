//! Shared ground of every crate.
//!
//! - [`files`]: file work through open directory handles, one path component at a time and never through a link.
//! - [`time`]: points in time as files carry them, and their text form.
//!
//! This crate depends on no other crate of the workspace.

pub mod files;
pub mod time;
