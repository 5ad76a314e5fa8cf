//! Reads requests as people write them, in layers that each have tests of their own:
//!
//! | layer | what it does |
//! |---|---|
//! | [`structure`] | tells prose, lists, tables, quotations, code, records, logs and mail history apart |
//! | [`token`], [`sentence`], [`languages`], [`zones`] | finds names of the specification, languages and the zones of a sentence |
//! | [`targets`], [`lists`], [`members`], [`names`], [`rename`], [`visibility`], [`moves`] | build the readings of a sentence |
//! | [`license`] | asks what a reading would have to be wrong about, and whether the text excludes it |
//! | [`standing`] | finds what is turned down, put off, done, or meant for another place |
//! | [`document`] | carries what sentences say of each other: pronouns, retractions, vetoes, scopes |
//! | [`verdicts`] | carries what is decided about wishes elsewhere: by their order, in votes, as a joke |
//! | [`cross_check`] | compares what would be done with all that the request names |
//! | [`decide`] | acts where one reading is left and nothing speaks against it |
//! | [`weigh`] | settles by learned weights what is left open, and doubts a rename whose name suits another thing better |

mod anaphora;
mod another_place;
mod clauses;
mod commanded;
mod cross_check;
mod decide;
mod document;
mod evidence;
mod languages;
mod lexicon;
mod license;
mod lists;
mod members;
mod moves;
mod names;
mod nouns;
mod other_names;
mod periphrases;
mod rename;
mod scopes;
mod sentence;
mod set_aside;
mod standing;
mod structure;
mod suggested;
mod targets;
mod token;
mod unanswered;
mod verdicts;
mod visibility;
mod weigh;
mod zones;

pub(crate) use another_place::{Around, Own, another_place};
use bailiwick_sdk::tasks::{Directive, Language, SpecIndex};

use crate::intents::Refusal;

/// What a request says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// What is asked, in the order of the request. There is always at least one.
    pub(crate) items: Vec<Item>,
    /// What it may ask for beside that, and does not say for certain.
    pub(crate) candidates: Vec<Directive>,
    /// Pieces that ask for nothing, verbatim.
    pub(crate) background: Vec<String>,
}

/// One thing that is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// The words of the request.
    pub(crate) text: String,
    pub(crate) outcome: Outcome,
}

/// What comes of an item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// It is done.
    Act(Vec<Directive>),
    /// The client is so already.
    Done(Vec<Directive>),
    /// Nothing is asked.
    Nothing,
    /// A person has to decide or to do it.
    Guide(Refusal),
}

/// Reads a request.
pub(crate) fn read(request: &str, language: Language, index: &SpecIndex) -> Reading {
    let lookup = crate::entities::Lookup::new(index);
    let mut found = document::Document::read(request, language, index, &lookup);
    let root = root(index, &lookup);
    document::regroup(request, language, &lookup, root, &mut found);
    found.hold_values();
    found.set_aside(request, set_aside::set_aside(request));
    verdicts::apply(request, language, &mut found, &lookup);
    let mut reading = decide::decide(request, &found, language, index, &lookup);
    let opinion = weigh::weigh(request, language, root, &lookup, &found, &reading);
    let nothing_asked = opinion.nothing_asked;
    if !opinion.is_empty() {
        found.adopt(opinion);
        verdicts::hold(request, language, &mut found, &lookup);
        reading = decide::decide(request, &found, language, index, &lookup);
    }
    match nothing_asked {
        Some(nothing) => decide::presume(nothing, reading, &found, request, language, index, &lookup),
        None => reading,
    }
}

/// The service's client; `None` where several stand alone, because `the client` can mean any of them.
fn root(index: &SpecIndex, lookup: &crate::entities::Lookup<'_>) -> Option<usize> {
    let mut roots = index.clients.iter().filter(|client| client.parent.is_none());
    let (Some(root), None) = (roots.next(), roots.next()) else { return None };
    lookup.by_reference(root.reference.as_deref()?)
}
