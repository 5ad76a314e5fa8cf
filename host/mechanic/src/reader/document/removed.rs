//! Renames that a request takes out again: ``Remove `A -> B` ``, and the pairs below `Remove the following renames:`.
//!
//! A rename is taken out where a sentence orders that and nothing else. Where a sentence only speaks of a removal, its pairs wait
//! for a person. In neither case are they carried out as renames.

use super::super::lexicon as words;
use super::super::sentence::{Sentence, same_name};
use super::super::token::Kind;
use super::{Ask, Document, Doubt, Veto};

/// What a request says of the pairs of a sentence, or of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Removal {
    /// It takes them out.
    Ordered,
    /// It speaks of taking them out.
    Told,
}

/// Verbs that order to take something out.
const ORDERS: &[&str] =
    list! { "remove" "drop" "delete" "revert" "undo" "discard" "strip" "scrap" "withdraw" "retire" };
/// Their other forms.
const FORMS: &[&str] = list! {
    "removes" "removed" "removing" "drops" "dropped" "dropping" "deletes" "deleted" "deleting" "reverts" "reverted" "reverting"
    "undoes" "undid" "undone" "undoing" "discards" "discarded" "strips" "stripped" "scraps" "scrapped" "withdraws" "withdrew"
    "withdrawn" "retires" "retired"
};
/// What is taken out.
const RENAMES: &[&str] = list! {
    "rename" "renames" "renaming" "renamings" "alias" "aliases" "mapping" "mappings" "override" "overrides" "decorator"
    "decorators" "clientname" "@clientname" "@@clientname"
};
/// What may stand in front of it.
const BETWEEN: &[&str] = list! {
    "the" "this" "that" "these" "those" "following" "also" "both" "all" "our" "line" "lines" "entry" "entries" "of" "for" "from"
    "custom" "client" "csharp" "c#" "java" "python" "go" "javascript" "unneeded" "unused" "stale" "in" "client.tsp"
};
/// Verbs that make something of the pairs behind them.
const MAKING: &[&str] = list! {
    "add" "adds" "do" "rename" "make" "use" "call" "introduce" "put" "keep" "apply" "restore" "replace" "replacing" "should"
};
/// Words by which a sentence says why.
const REASONS: &[&str] = &["because", "since"];
/// Words with which nothing is ordered for now.
const OPEN: &[&str] = list! {
    "if" "when" "once" "until" "unless" "maybe" "perhaps" "before" "after" "wait" "sure" "ignore" "draft" "disagree" "against"
    "mistake" "wrong" "then" "how" "why" "would" "could" "might" "but" "not"
};

impl Document<'_> {
    /// What a sentence asks that takes pairs out: the specification's own name where the client has the other one. Every other
    /// pair waits for a person.
    pub(super) fn removed_pairs(&mut self, sentence: &Sentence<'_>) -> Option<Vec<Ask>> {
        let pairs = self.pairs(sentence);
        let (first, ..) = pairs.first()?;
        let made = (*first..sentence.tokens.len()).find(|&at| sentence.is(at, MAKING)).unwrap_or(usize::MAX);
        let end = pairs.iter().rev().find(|(at, ..)| *at < made).map_or(0, |(.., end)| *end);
        let added = pairs.iter().any(|(at, ..)| *at > made);
        // `- A -> B (keep)`
        let noted = (end..sentence.tokens.len()).any(|at| sentence.is_text(at));
        let listed = self.removing.map(|removing| if noted { Removal::Told } else { removing });
        let removal = listed.or_else(|| removal(sentence, *first, end, added.then_some(made)))?;
        let mut asks: Vec<Ask> = Vec::new();
        for (_, target, name, _) in pairs.iter().filter(|(at, ..)| *at > made) {
            asks.push(Ask::Rename { target: *target, name: name.clone() });
        }
        for (_, target, name, _) in pairs.into_iter().filter(|(at, ..)| *at < made) {
            if asks.iter().any(|ask| ask.target() == Some(target)) {
                continue;
            }
            let entity = self.lookup.entity(target);
            let stands = entity.client.as_ref().is_some_and(|client| same_name(&client.name, &name));
            if removal == Removal::Ordered && stands && self.is_customized(target) {
                asks.push(Ask::Rename { target, name: entity.name.clone() });
            } else {
                self.found.vetoes.push(Veto::kept(target, self.sentence));
                asks.push(Ask::Rename { target, name }.held(Doubt::Undecided, None));
            }
        }
        Some(asks)
    }

    /// The place of each pair, its thing, its new name, and where it ends.
    fn pairs(&self, sentence: &Sentence<'_>) -> Vec<(usize, usize, String, usize)> {
        let quoted = |at: usize| sentence.get(at).is_some_and(|token| token.quoted);
        let arrows = (1..sentence.tokens.len()).filter(|&at| {
            let colon = sentence.get(at).is_some_and(|token| token.is_sign(':'));
            sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow)
                || colon && quoted(at.saturating_sub(1)) && quoted(at.saturating_add(1))
        });
        let pair = |arrow: usize| {
            let mention = sentence.mentions.iter().find(|one| one.at < arrow && one.end >= arrow)?;
            let target = sentence.settle(mention, &self.focus).ok()?;
            let behind = (arrow.saturating_add(1)..sentence.tokens.len()).find(|&at| sentence.is_text(at))?;
            let name = sentence.get(behind)?;
            Some((mention.at, target, name.text.clone(), behind.saturating_add(1)))
        };
        arrows.filter_map(pair).collect()
    }
}

/// What words above a list or a section say of the renames below them.
pub(super) fn removal_below(sentence: &Sentence<'_>) -> Option<Removal> {
    if sentence.mentions.iter().any(|one| one.strong) {
        return None;
    }
    let count = sentence.tokens.len();
    let idle = |at: usize| {
        !sentence.is_text(at)
            || sentence.is(at, BETWEEN)
            || sentence.is(at, RENAMES)
            || sentence.is(at, words::POLITE)
            || sentence.languages.iter().any(|(place, ..)| *place == at)
    };
    let here = sentence.languages.iter().all(|(_, language, _)| *language == sentence.language);
    let ordered = here
        && first_order(sentence)
            .is_some_and(|(_, behind)| (behind..count).any(|at| sentence.is(at, RENAMES)) && (behind..count).all(idle));
    if ordered && !sentence.is_turned() {
        return Some(Removal::Ordered);
    }
    // `The Go team removed these renames:`, `Removed renames`, `These renames are removed:`
    let told = (0..count).any(|at| {
        let object = (at.saturating_add(1)..at.saturating_add(6)).find(|&here| !sentence.is(here, BETWEEN));
        let is =
            at.checked_sub(1).is_some_and(|here| sentence.is(here, &["are", "were", "be", "been", "is", "was", "get"]));
        let passive = is && (2..5).any(|step| at.checked_sub(step).is_some_and(|here| sentence.is(here, RENAMES)));
        (sentence.is(at, ORDERS) || sentence.is(at, FORMS))
            && (passive || object.is_some_and(|object| sentence.is(object, RENAMES) && !followed(sentence, object)))
    });
    told.then_some(Removal::Told)
}

/// Whether `renames` goes on: `the aliases with these renames`.
fn followed(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at.saturating_add(1), &["with", "by", "through"])
}

/// The verb that begins a sentence as an order, and where what it orders begins.
fn first_order(sentence: &Sentence<'_>) -> Option<(usize, usize)> {
    let first = (0..sentence.tokens.len()).find(|&at| {
        sentence.is_text(at) && !sentence.is(at, words::POLITE) && !sentence.is(at, &["let's", "lets", "so", "also"])
    })?;
    let length = if sentence.is(first, ORDERS) && !super::undone::is_a_thing(sentence, first) {
        1
    } else if sentence.phrase(first, &["get", "rid", "of"]) {
        3
    } else if sentence.phrase(first, &["take", "out"]) {
        2
    } else {
        return None;
    };
    Some((first, first.saturating_add(length)))
}

/// What a sentence says of its pairs, of which the first begins and the last ends at these tokens; behind them other pairs may be
/// made.
fn removal(sentence: &Sentence<'_>, first: usize, end: usize, made: Option<usize>) -> Option<Removal> {
    let idle = |at: usize| !sentence.is_text(at) || sentence.is(at, BETWEEN) || sentence.is(at, RENAMES);
    let ordered = first_order(sentence).is_some_and(|(_, behind)| behind <= first && (behind..first).all(idle));
    if ordered {
        let joins = |at: usize| made.is_some() && sentence.is(at, &["and"]);
        // Behind the pairs nothing, what it is for, or why.
        let behind = (end..made.unwrap_or(sentence.tokens.len())).find(|&at| {
            sentence.is_text(at)
                && !sentence.is(at, words::POLITE)
                && !sentence.is(at, &["for", "in", "from", "client.tsp", "now", "again"])
                && !joins(at)
                && sentence.languages.iter().all(|(place, ..)| *place != at)
        });
        // `(never shipped under that name)`
        let bracket =
            behind.is_some_and(|at| sentence.is_sign(at.saturating_sub(1), '(') && sentence.is(at, &["never"]));
        let why = behind.is_none_or(|at| bracket || sentence.is(at, REASONS));
        let asks = sentence.tokens.iter().any(|token| token.is_sign('?'));
        let turned = (0..end).any(|at| sentence.is(at, words::NEGATIONS)) || !bracket && sentence.is_turned();
        let order = why && !asks && !turned && !sentence.any(OPEN);
        return Some(if order { Removal::Ordered } else { Removal::Told });
    }
    let told = (0..first).any(|at| {
        let behind = at.saturating_add(1);
        (sentence.is(at, ORDERS) && sentence.mention_at(at).is_none()
            || sentence.is(at, FORMS)
            || sentence.phrase(at, &["rid", "of"])
            || sentence.phrase(at, &["take", "out"]))
            && (behind..first).all(|here| idle(here) || sentence.is(here, &["out", "of"]))
    });
    told.then_some(Removal::Told)
}
