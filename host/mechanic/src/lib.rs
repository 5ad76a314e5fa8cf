//! The mechanic: the embedded backend that needs no model, no key and no network.
//!
//! It reads requests in layers (`reader`) and acts on what is certain; anything else that is asked becomes guidance.
//! From what it understood it plans the same tool calls as any model would make, each turn a pure function of the task and
//! the messages so far.
//!
//! | reads | decides | plans |
//! |---|---|---|
//! | `reader`, `logs`, `entities`, `directives` | `check` with `moves`, `analyzer`, `drift` | `classify`, `typespec_plan`, `repair` with `python`, `java`, `compiled_languages` |

/// A list of words, written as lines of words.
macro_rules! list {
    ($($word:literal)*) => { &[$($word),*] };
}

mod analyzer;
mod backend;
mod check;
mod classify;
mod client_file;
mod client_layout;
mod compiled_languages;
mod declared_again;
mod decorate;
pub mod directives;
#[cfg(test)]
mod document_tests;
mod drift;
mod entities;
#[cfg(test)]
mod fuzzing;
mod guidance;
mod intents;
mod java;
mod moves;
#[cfg(test)]
mod mutation_tests;
mod nameless;
mod names;
mod out_of_reach;
#[cfg(test)]
mod out_of_reach_tests;
#[cfg(test)]
mod planner_tests;
mod python;
pub mod read;
mod reader;
#[cfg(test)]
mod reading_tests;
mod repair;
mod request;
#[cfg(test)]
mod sample;
mod tsp_syntax;
mod turns;
mod typespec_plan;
pub mod wordings;
mod work;

pub use backend::Mechanic;
