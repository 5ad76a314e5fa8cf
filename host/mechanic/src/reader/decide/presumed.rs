//! Whether anything is asked, where the rules do nothing and no sentence says so for certain.

use super::super::document::{Findings, sentence_spans};
use super::super::{Item, Outcome, Reading};
use super::Decider;
use crate::entities::Lookup;
use crate::intents::Refusal;
use bailiwick_sdk::tasks::{Language, SpecIndex};

/// From this probability on nothing is asked by a request that the rules only doubt.
const NOTHING: f64 = 0.65;
/// Below this probability something is asked by a request in which the rules find nothing.
const SOMETHING: f64 = 0.5;

/// A shorter text is left to a person: those that the weights were learned from are longer, nearly without exception.
const SENTENCES: usize = 2;
const WORDS: usize = 12;

/// Follows how likely nothing is asked, where every item is of a kind that this may decide. No action rests on it.
pub(in crate::reader) fn presume(
    nothing: f64,
    reading: Reading,
    found: &Findings,
    request: &str,
    language: Language,
    index: &SpecIndex,
    lookup: &Lookup<'_>,
) -> Reading {
    let all = |fits: fn(&Outcome) -> bool| reading.items.iter().all(|item| fits(&item.outcome));
    let text = || request.trim().to_owned();
    if nothing >= NOTHING && all(is_unsure) && is_long(request) {
        let items = vec![Item { text: text(), outcome: Outcome::Nothing }];
        return Reading { items, background: vec![text()], ..reading };
    }
    // What is to stay as it is was read for certain: `do not hide X`, `~~hide X~~`.
    let is_known = !found.vetoes.is_empty() || found.judged;
    if nothing < SOMETHING && !is_known && all(|outcome| *outcome == Outcome::Nothing) {
        let decider = Decider { request, language, index, lookup };
        let refusal = Refusal::Unclear { about: decider.spoken_of(request), sentence: text() };
        return Reading { items: vec![Item { text: text(), outcome: Outcome::Guide(refusal) }], ..reading };
    }
    reading
}

fn is_long(request: &str) -> bool {
    let words = request.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    sentence_spans(request).len() >= SENTENCES && words.count() >= WORDS
}

/// Whether an item says no more than that it is not certain what is asked, or whether it is. What names a clear wish is not of
/// these: a taken name, a missing one, a thing that does not exist.
fn is_unsure(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Guide(
            Refusal::Unclear { .. }
                | Refusal::Undecided { .. }
                | Refusal::Held { .. }
                | Refusal::Question { .. }
                | Refusal::Condition { .. }
        )
    )
}
