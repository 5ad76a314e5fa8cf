//! The mechanic: the embedded backend that needs no model, no key and no network.
//!
//! It reads requests strictly (`request`, `sentences`, `matcher`): every word of the clause that asks must be known,
//! anything else is answered with guidance that names the word. From what it understood it plans the same tool calls
//! as any model would make, each turn a pure function of the task and the messages so far.
//!
//! | reads | decides | plans |
//! |---|---|---|
//! | `text`, `logs`, `tokens`, `words` | `patterns`, `clause`, `targets`, `matcher`, `resolve` | `classify`, `typespec_plan`, `repair` with `python`, `java`, `compiled` |

/// A list of words, written as lines of words.
macro_rules! list {
    ($($word:literal)*) => { &[$($word),*] };
}

mod analyzer;
mod apiview;
mod backend;
mod classify;
mod clause;
mod client_file;
mod client_layout;
mod compiled_languages;
#[cfg(test)]
mod document_tests;
mod drift;
mod entities;
mod explain;
#[cfg(test)]
mod fuzzing;
mod guidance;
mod independent_items;
mod intents;
mod java;
mod log_items;
mod logs;
mod matcher;
mod msbuild;
mod names;
mod patterns;
mod place;
#[cfg(test)]
mod planner_tests;
#[cfg(test)]
mod property_tests;
mod python;
mod repair;
mod request;
mod resolve;
#[cfg(test)]
mod sample;
mod sentences;
mod targets;
mod text;
mod tokens;
mod tsp_syntax;
mod turns;
mod typespec_plan;
pub(crate) mod typo;
#[cfg(test)]
mod wording_tests;
pub mod wordings;
mod words;
mod work;

pub use backend::Mechanic;
