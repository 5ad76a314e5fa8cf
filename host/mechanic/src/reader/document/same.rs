//! `The same for X`: what was asked last, of another thing.

use super::super::lexicon as words;
use super::super::names::{Plain, names_at};
use super::super::sentence::{Sentence, Zone, same_name};
use super::super::token::Kind;
use super::super::visibility::Wish;
use super::elsewhere::asks_for_the_same;
use super::{Ask, Document};
use bailiwick_sdk::tasks::{Entity, EntityKind};

impl<'a> Document<'a> {
    /// `Same for X`, `so should we`, `do the same`.
    pub(super) fn same_again(&self, sentence: &Sentence<'_>) -> Vec<Ask> {
        let place = (0..sentence.tokens.len()).find(|&at| {
            sentence.is(at, &["same", "ditto", "likewise", "similarly"]) && sentence.zone(at) != Zone::Comparison
                || sentence.is(at, &["so"])
                    && sentence.is(at.saturating_add(1), &["should", "must"])
                    && !sentence.is(at.saturating_add(2), &["be", "not", "have", "work", "stay"])
                || sentence.is(at, &["do"])
                    && sentence.is(at.saturating_add(1), &["that", "this", "so", "it"])
                    && sentence.has(at..sentence.tokens.len(), &["too", "also", "well"])
        });
        // `Saw the same in my tests.`
        let seen = place.is_some_and(|at| {
            (at.saturating_sub(3)..at).any(|verb| {
                sentence.is(
                    verb,
                    &["saw", "see", "seen", "got", "had", "hit", "noticed", "found", "get", "getting", "seeing"],
                )
            })
        });
        if seen || place.is_some_and(|at| is_adjective(sentence, at)) {
            return Vec::new();
        }
        let same = place.is_some();
        // What stands behind it in another clause is about something else.
        let end = place.map_or(sentence.tokens.len(), |at| sentence.clause_end(at));
        let turned = (0..end).any(|at| sentence.is(at, words::NEGATIONS) && !sentence.is_idle_negation(at));
        let follows = same
            || (0..sentence.tokens.len()).any(|at| {
                sentence.is(at, words::FOLLOWING)
                    || sentence.phrase(at, &["in", "line"])
                    || sentence.phrase(at, &["how", "c#"])
                    || sentence.is(at, &["how", "like"])
                        && sentence.languages.iter().any(|(place, ..)| *place == at.saturating_add(1))
            });
        let follows = follows || self.adopts(sentence);
        let of_code = super::discourse::speaks_of_code(sentence);
        let of_theirs = sentence.any(&["they", "their", "ours"]);
        let kept = sentence.has(0..end, words::KEEPING);
        if !follows || kept || of_code || of_theirs || turned || super::super::license::puts_off(sentence) {
            return Vec::new();
        }
        if self.elsewhere == Some(Wish::Hide) && place.is_none_or(|at| asks_for_the_same(sentence, at)) {
            return self.named_or_spoken_of(sentence).into_iter().map(|target| Ask::Hide { target }).collect();
        }
        if let Some(ask) = self.as_elsewhere(sentence) {
            return vec![ask];
        }
        if !same {
            return Vec::new();
        }
        let Some(last) = self.found.asked.get(self.last.clone()).and_then(|asked| asked.last()) else {
            return Vec::new();
        };
        match &last.ask {
            Ask::Hide { .. } => {
                self.named_or_spoken_of(sentence).into_iter().map(|target| Ask::Hide { target }).collect()
            }
            Ask::Show { .. } => {
                self.named_or_spoken_of(sentence).into_iter().map(|target| Ask::Show { target }).collect()
            }
            Ask::Rename { target, name } => self.same_member(sentence, *target, name).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn named_or_spoken_of(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        let named = self.named_here(sentence);
        if named.is_empty() { self.focus.subject.clone() } else { named }
    }

    pub(super) fn named_here(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        sentence.mentions.iter().filter_map(|mention| sentence.settle(mention, &self.focus).ok()).collect()
    }

    /// The member of the same name in another holder.
    pub(super) fn same_member(&self, sentence: &Sentence<'_>, target: usize, name: &str) -> Option<Ask> {
        let entity = self.lookup.entity(target);
        let given = names_after_as(sentence);
        // `the spare one, i.e. spare_count`
        let one = (1..sentence.tokens.len()).find(|&at| sentence.is(at, &["one"]));
        if let (Some(word), Some(given)) =
            (one.map(|at| sentence.lower(at.saturating_sub(1)).to_owned()), given.clone())
        {
            let siblings: Vec<usize> = (0..self.index.entities.len())
                .filter(|&at| {
                    let other = self.lookup.entity(at);
                    other.container == entity.container
                        && other.reference != entity.reference
                        && other.kind == entity.kind
                        && crate::names::words(&other.name).iter().any(|part| part.to_lowercase() == word)
                })
                .collect();
            if let [sibling] = siblings.as_slice() {
                return Some(Ask::Rename { target: *sibling, name: given });
            }
        }
        let holders = self.holders_named(sentence, entity);
        let members: Vec<usize> = (0..self.index.entities.len())
            .filter(|&at| {
                let one = self.lookup.entity(at);
                one.reference != entity.reference
                    && same_name(&one.name, &entity.name)
                    && holders.iter().any(|&holder| self.lookup.holds(holder, at))
            })
            .collect();
        let [member] = members.as_slice() else { return None };
        Some(Ask::Rename { target: *member, name: given.unwrap_or_else(|| name.to_owned()) })
    }

    pub(super) fn holders_named(&self, sentence: &Sentence<'_>, entity: &Entity) -> Vec<usize> {
        let mut holders: Vec<usize> = self
            .named_here(sentence)
            .into_iter()
            .filter(|&at| self.lookup.entity(at).kind.is_type() || self.lookup.entity(at).kind == EntityKind::Operation)
            .collect();
        if !holders.is_empty() {
            return holders;
        }
        // `the response model`, beside a request model of the same stem.
        let Some(own) = entity.container.as_deref().and_then(|full| self.lookup.by_reference(full)) else {
            return holders;
        };
        let stem: Vec<String> = crate::names::words(&self.lookup.entity(own).name);
        for token in sentence.tokens.iter().filter(|token| token.kind == Kind::Word) {
            let mut wanted = stem.clone();
            wanted.pop();
            wanted.push(token.text.clone());
            let found = self.lookup.find(&wanted.concat());
            holders.extend(found.into_iter().filter(|&at| self.lookup.entity(at).kind == EntityKind::Model));
        }
        holders
    }
}

/// `i.e. spare_count`, `which should be title`.
pub(super) fn names_after_as(sentence: &Sentence<'_>) -> Option<String> {
    let at = (0..sentence.tokens.len()).find(|&at| sentence.is(at, &["i.e", "be", "namely", "called", "as"]))?;
    let names = names_at(sentence, at.saturating_add(1), Plain::Refused)?;
    match names.names.as_slice() {
        [one] => Some(one.text.clone()),
        _ => None,
    }
}

/// `list does the same thing`, `X has the same signature`: what two things have in common, and no wish for one of them.
fn is_adjective(sentence: &Sentence<'_>, at: usize) -> bool {
    // `same signature, no collision`
    if sentence.is(at, &["same"])
        && sentence.is(at.saturating_add(1), &["signature", "behaviour", "behavior", "shape", "result"])
    {
        return true;
    }
    // `both are the same structs`
    let compares = sentence.is(at, &["same"])
        && at.checked_sub(2).is_some_and(|verb| sentence.is(verb, &["are", "is", "were", "was", "it's", "they're"]))
        && sentence.is(at.saturating_sub(1), &["the"])
        && sentence.is_text(at.saturating_add(1))
        && !sentence.is(at.saturating_add(1), &["as", "for", "in", "here", "there", "too", "with", "on", "please"]);
    if compares {
        return true;
    }
    let Some(verb) = at.checked_sub(2).filter(|_| sentence.is(at, &["same"])) else { return false };
    let troubled =
        sentence.is(at.saturating_add(1), &["problem", "issue", "flaw", "fault", "treatment", "fate", "reason"]);
    let does = [
        "does", "do", "did", "gives", "give", "returns", "return", "covers", "cover", "offers", "provides", "shares",
        "share",
    ];
    // `do the same for X`
    let order = sentence.is(verb, &["do"]) && sentence.clause_start(verb) == verb;
    sentence.is(verb, &does) && !order
        || sentence.is(verb, &["in"])
        || sentence.is(verb, &["has", "have", "had"]) && !troubled && sentence.is_text(at.saturating_add(1))
}
