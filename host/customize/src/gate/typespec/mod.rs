//! Phase A: what may change in `client.tsp`.
//!
//! Two views are judged and both must pass: the file's own text, read by the small scanner here, and what the
//! TypeSpec compiler saw in it (the probe's index). The scanner understands statements and decorators and treats
//! everything else as a statement that may not be added, so what it does not understand is refused.

// A model, a client or a repository writes the source.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

mod application;
mod declarations;
mod decorators;
#[cfg(test)]
mod fuzzing;
mod header;
mod judge;
mod lexer;
mod located;
mod multiset;
mod neutral;
mod parser;
mod scope;
mod statement;
mod texts;
mod unreadable;
mod view;

#[cfg(test)]
mod deep_tests;
#[cfg(test)]
mod shared_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod texts_tests;

pub use decorators::{Granted, allowed_decorators};
pub use judge::{TypespecDifference, judge_typespec};
pub use scope::SCOPE_TOKENS;

pub(super) use decorators::canonical_name;
pub(super) use view::index_changes;
