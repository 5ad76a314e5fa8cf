//! Languages that are told as a group: `the other four languages`, `the same two`.

use super::super::sentence::Sentence;
use super::{Ask, Document};
use bailiwick_sdk::tasks::{Language, Scope};

/// How many languages there are.
const ALL: usize = 5;

/// What a sentence says of a group of languages.
pub(super) enum Group {
    /// The changes are for these.
    For(Scope),
    /// There are not as many as it says.
    Unclear,
}

fn number(word: &str) -> Option<usize> {
    Some(match word {
        "two" | "2" | "both" => 2,
        "three" | "3" => 3,
        "four" | "4" => 4,
        _ => return None,
    })
}

impl Document<'_> {
    /// The languages that a sentence counts and does not name.
    pub(super) fn group(&self, sentence: &Sentence<'_>) -> Option<Group> {
        let count = sentence.tokens.len();
        let next = |at: usize| at.saturating_add(1);
        let found = (0..count).find_map(|at| {
            let size = number(sentence.lower(next(at)))?;
            let behind = next(next(at));
            let noun = sentence.is(behind, &["languages", "sdks", "libraries", "packages"]);
            let ends = noun
                || sentence.get(behind).is_none_or(|token| !token.is_text())
                || sentence.is(behind, &["must", "should", "have", "need", "has", "please", "too", "do"]);
            let other = sentence.is(at, &["other", "remaining"]);
            let same = sentence.is(at, &["same"]);
            // Another thing that is counted.
            (ends && (other || same)).then_some((size, other, noun))
        });
        let (size, other, noun) = found?;
        let mut named: Vec<Language> = sentence.languages.iter().map(|(_, language, _)| *language).collect();
        named.dedup();
        if !named.is_empty() {
            return match named.len() == size {
                true => Some(Group::For(Scope::Only(named))),
                false => noun.then_some(Group::Unclear),
            };
        }
        let before = &self.languages;
        if before.is_empty() {
            return noun.then_some(Group::Unclear);
        }
        Some(match other {
            true if before.len().saturating_add(size) == ALL => Group::For(Scope::Except(before.clone())),
            false if before.len() == size => Group::For(Scope::Only(before.clone())),
            _ => Group::Unclear,
        })
    }

    /// Remembers the languages that a sentence names.
    pub(super) fn remember_languages(&mut self, sentence: &Sentence<'_>) {
        let mut named: Vec<Language> = Vec::new();
        for (_, language, _) in &sentence.languages {
            if !named.contains(language) {
                named.push(*language);
            }
        }
        if !named.is_empty() {
            self.languages = named;
        }
    }

    /// Holds back what was asked since a place for a group that is not clear.
    pub(super) fn hold_group(&mut self, since: usize) {
        for asked in self.found.asked.iter_mut().skip(since) {
            if !matches!(asked.ask, Ask::Unsure(_)) {
                asked.hold(super::Doubt::Undecided);
            }
        }
    }
}
