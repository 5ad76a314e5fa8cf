//! Finds what hand-written Python code calls by a name that a rename took away, and changes that and nothing else.
//!
//! `source` parses a file, `scopes` tells what a name is bound to, `annotations` reads type annotations, `types` and `members` tell
//! what a value is as far as that is certain, `rename_type` and `rename_member` collect edits, `duplicate` and
//! `missing_import` answer errors that no rename is behind, `evidence` compares them
//! with what the build reported, `repair` does all of it for the frame.

mod annotations;
mod constructors;
mod definitions;
mod duplicate;
mod evidence;
mod members;
mod missing_import;
mod package;
mod rename_member;
mod rename_type;
mod repair;
mod scopes;
mod sites;
mod source;
#[cfg(test)]
pub(crate) mod tests;
mod types;

pub(crate) use repair::Python;
