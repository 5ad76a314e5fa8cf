//! Finds what hand-written Python code calls by a name that a rename took away, and changes that and nothing else.
//!
//! `source` parses a file, `scopes` tells what a name is bound to, `annotations` reads type annotations, `types` and `members` tell
//! what a value is as far as that is certain, `arguments` what calls are given by name, `generated` lists what generated code defines. `rename_type` and `rename_member`
//! collect edits, with the names of an operation's methods from `operation_names`; `module_names` and
//! `moved_modules` find what only generated code shows; `docstrings` follows cross-references. `duplicate` and `missing_import` answer errors that no rename is
//! behind, `evidence` compares edits with what the build reported, `consequences` tells what follows from the rest, `repair` does
//! all of it for the frame.

mod annotations;
mod arguments;
mod consequences;
mod constructors;
mod definitions;
mod docstrings;
mod duplicate;
mod evidence;
mod generated;
mod members;
mod missing_import;
mod module_names;
mod moved_modules;
mod operation_names;
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
