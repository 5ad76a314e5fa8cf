//! Shared ground of every crate.
//!
//! - [`files`]: file work through open directory handles, one path component at a time and never through a link.
//! - [`programs`]: programs that are named without a path, and where they are found.
//! - [`random`]: random bytes of the system.
//! - [`text`]: hexadecimal digits, and the name that a misspelt one is nearest to.
//! - [`time`]: points in time as files carry them, and their text form.
//! - [`timeline`]: where the time of a piece of work goes.
//!
//! This crate depends on no other crate of the workspace.

pub mod files;
pub mod programs;
pub mod random;
pub mod text;
pub mod time;
pub mod timeline;
