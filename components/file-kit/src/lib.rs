//! What several of the built-in file tools do alike. A library of theirs, not a tool.
//!
//! | module | subject |
//! |---|---|
//! | [`patch`] | finding a piece of a text and putting another in its place |
//! | [`composed`] | edits made one after the other, as edits of the first text |
//! | [`range`] | ranges of lines, found in a file that is seen piece by piece |
//! | [`glob`], [`path_glob`] | patterns for a name, and for a path |
//! | [`listing`] | what a directory holds, in one call |
//! | [`tree`] | directories as a walk sees them, and those it does not look into |

mod bindings;
pub mod composed;
#[cfg(test)]
mod fuzzing;
pub mod glob;
pub mod listing;
pub mod patch;
pub mod path_glob;
pub mod range;
pub mod tree;
