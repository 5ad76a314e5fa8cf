//! Matches a clause against the forms of `patterns`. A form fits only if it accounts for every word.

use super::clause::{Clause, GRAMMAR};
use super::intents::Verb;
use super::patterns::{Part, Pattern};
use super::place::SaidPlace;
use super::targets::Target;
use super::tokens::TokenKind;
use super::words::{self, stop_kind};
use super::work;

/// A form that fits, with what stands in its slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) verb: Verb,
    pub(crate) target: Option<Target>,
    pub(crate) name: Option<NewName>,
    pub(crate) place: Option<SaidPlace>,
}

/// A new name as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewName {
    pub(crate) text: String,
    /// Quotes, capitals or underscores: it cannot be an ordinary word.
    pub(crate) certain: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct State {
    at: usize,
    target: Option<Target>,
    name: Option<NewName>,
    place: Option<SaidPlace>,
    /// `call X …` and `X should be called …` have an everyday meaning for operations.
    called: bool,
}

/// Longer sentences are no request of any of the forms.
const LONGEST_CLAUSE: usize = 60;
const MOST_PUNCTUATION: usize = 16;

/// All ways in which a clause fits a form, from its first to its last word.
pub(crate) fn matches(clause: &Clause<'_>) -> Vec<Match> {
    let punctuation = clause.tokens.iter().filter(|token| token.is_punctuation()).count();
    if clause.len() > LONGEST_CLAUSE || punctuation > MOST_PUNCTUATION {
        return Vec::new();
    }
    let mut starts = vec![0];
    let mut next = 0;
    // Any number of lead-ins: `hello, please could you …`
    while next < starts.len() {
        for &at in clause.skips(starts[next]).iter() {
            for lead_in in words::LEAD_INS {
                if let Some(end) = phrase(clause, at, lead_in)
                    && !starts.contains(&end)
                {
                    starts.push(end);
                }
            }
        }
        next += 1;
    }
    let mut found: Vec<Match> = Vec::new();
    for pattern in &GRAMMAR.patterns {
        for one in starts.iter().flat_map(|&start| fits(clause, pattern, start)) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

fn phrase(clause: &Clause<'_>, at: usize, phrase: &str) -> Option<usize> {
    let mut here = at;
    for word in phrase.split(' ') {
        if clause.word(here) != word {
            return None;
        }
        here += 1;
    }
    Some(here)
}

fn fits(clause: &Clause<'_>, pattern: &Pattern, start: usize) -> Vec<Match> {
    let mut states = vec![State { at: start, ..State::default() }];
    for part in &pattern.parts {
        let mut next: Vec<State> = Vec::new();
        for state in &states {
            step(clause, part, state, &mut next);
        }
        let mut unique: Vec<State> = Vec::with_capacity(next.len());
        for state in next {
            if !unique.contains(&state) {
                unique.push(state);
            }
        }
        states = unique;
        if states.is_empty() {
            return Vec::new();
        }
    }
    states
        .into_iter()
        .filter(|state| clause.skips(state.at).contains(&clause.len()))
        .filter(|state| !is_everyday_call(clause, state))
        .map(|state| Match { verb: pattern.verb, target: state.target, name: state.name, place: state.place })
        .collect()
}

/// `deleteWidget should be called twice` is about calling, not about a name.
fn is_everyday_call(clause: &Clause<'_>, state: &State) -> bool {
    let operation = |at: &usize| clause.lookup.entity(*at).kind == bailiwick_sdk::tasks::EntityKind::Operation;
    state.called
        && state.name.as_ref().is_some_and(|name| !name.certain)
        && state.target.as_ref().is_some_and(|target| target.candidates.iter().any(operation))
}

fn step(clause: &Clause<'_>, part: &Part, state: &State, next: &mut Vec<State>) {
    let optional = match part {
        Part::Word { optional, .. } => *optional,
        Part::Subject { optional } => !optional.is_empty(),
        Part::Kind => true,
        _ => false,
    };
    if optional {
        next.push(state.clone());
    }
    for &at in clause.skips(state.at).iter() {
        work::steps(1);
        let moved = |at: usize| State { at, ..state.clone() };
        match part {
            Part::Word { words, .. } => {
                if clause.is(at, words) {
                    let called = state.called || clause.is(at, &["call", "called"]);
                    next.push(State { called, ..moved(at + 1) });
                }
            }
            Part::Target => next.extend(
                clause.targets(at).iter().map(|(end, target)| State { target: Some(target.clone()), ..moved(*end) }),
            ),
            Part::Name => {
                if let Some(name) = new_name(clause, at) {
                    next.push(State { name: Some(name), ..moved(at + 1) });
                }
            }
            Part::Place => next
                .extend(clause.places(at).into_iter().map(|(end, place)| State { place: Some(place), ..moved(end) })),
            Part::Internal => {
                if clause.is(at, words::INTERNAL) {
                    next.push(moved(at + 1));
                } else if clause.word(at) == "not" && clause.is(at + 1, words::VISIBLE) {
                    next.push(moved(at + 2));
                }
            }
            Part::Visible => {
                let at = at + usize::from(clause.word(at) == "publicly");
                if clause.is(at, words::VISIBLE) {
                    next.push(moved(at + 1));
                }
            }
            Part::Kind => {
                let fits = |target: &Target| {
                    let kinds = words::kinds_of_noun(clause.word(at)).unwrap_or_default();
                    target.candidates.iter().all(|&found| kinds.contains(&clause.lookup.entity(found).kind))
                };
                if state.target.as_ref().is_some_and(fits) {
                    next.push(moved(at + 1));
                }
            }
            Part::Public => next.extend(clause.public_surface(at).into_iter().map(moved)),
            Part::Subject { optional } => {
                if clause.is(at, optional) {
                    next.push(moved(at + 1));
                }
                next.extend(clause.subject(at).into_iter().map(moved));
            }
        }
    }
}

/// What stands at `at`, taken for a new name. Words that talk about names or turn requests round are none unless quoted.
pub(crate) fn new_name(clause: &Clause<'_>, at: usize) -> Option<NewName> {
    let token = clause.tokens.get(at)?;
    let quoted = token.kind == TokenKind::Quoted;
    let lower = token.lower.as_str();
    let talk = stop_kind(lower).is_some()
        || words::language(lower).is_some()
        || [words::FILLERS, words::NO_NAMES, words::INTERNAL, words::REASONS].iter().any(|list| list.contains(&lower))
        || ["public", "visible", "private"].contains(&lower);
    if !quoted && (!token.is_word() || talk) {
        return None;
    }
    let certain = quoted || token.text.contains('_') || token.text.chars().any(char::is_uppercase);
    Some(NewName { text: token.text.clone(), certain })
}
