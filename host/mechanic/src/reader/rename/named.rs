//! What the new name of a sign is for, where the sentence names it by a noun, in a reason or by what it is part of.

use bailiwick_sdk::tasks::EntityKind;

use super::super::lexicon as words;
use super::super::sentence::{Sentence, Zone};
use super::super::targets::{Focus, Found, PLACING};

/// Things in the order in which a sentence names them, where it names all of them.
pub(super) fn in_order(sentence: &Sentence<'_>, mut all: Vec<usize>) -> Vec<usize> {
    let place =
        |one: usize| sentence.mentions.iter().position(|mention| mention.strong && mention.candidates.contains(&one));
    if all.iter().all(|&one| place(one).is_some()) {
        all.sort_by_key(|&one| place(one));
    }
    all
}

/// The kinds that a noun directly in front of a sign names: `the parameter to`, `this argument should be`.
pub(super) fn noun_in_front(sentence: &Sentence<'_>, end: usize) -> Option<&'static [EntityKind]> {
    let idle = |at: usize| {
        sentence.is(at, words::MODALS)
            || sentence.is(at, words::OBLIGING)
            || sentence.is(at, &["be", "renamed", "changed"])
    };
    let last = (sentence.clause_start(end.saturating_sub(1))..end).rev().find(|&at| !idle(at))?;
    let ordinals = ["first", "second", "third", "last", "other", "only"];
    let before = last.checked_sub(1 + usize::from(sentence.is(last.saturating_sub(1), &ordinals)));
    let determined = before.is_some_and(|at| sentence.is(at, &["the", "this", "that", "its"]));
    // `x of this method`
    let place = before.and_then(|at| at.checked_sub(1)).is_some_and(|at| sentence.is(at, PLACING));
    words::kinds_of(sentence.lower(last)).filter(|_| determined && !place && sentence.mention_at(last).is_none())
}

/// The one thing of some kinds that what was spoken of holds, where a sentence before named it.
pub(super) fn part_of_kind(sentence: &Sentence<'_>, outer: &[usize], kinds: &[EntityKind], focus: &Focus) -> Found {
    let spoken = focus.parts.iter().copied();
    let mut inside: Vec<usize> = spoken
        .filter(|&one| kinds.contains(&sentence.lookup.entity(one).kind))
        .filter(|&one| outer.iter().any(|&holder| sentence.lookup.holds(holder, one)))
        .collect();
    inside.dedup();
    if let [one] = inside.as_slice() { Found::These(vec![*one]) } else { Found::Unfit }
}

/// The type that `the type itself` in front of a sign stands for: it holds what was named before.
pub(super) fn holder(sentence: &Sentence<'_>, end: usize, focus: &Focus) -> Option<usize> {
    let last = (0..end).rev().find(|&at| !sentence.is(at, words::MODALS))?;
    let noun = if sentence.is(last, &["itself"]) { last.checked_sub(1)? } else { last };
    let kinds = words::kinds_of(sentence.lower(noun))
        .filter(|_| sentence.is(noun.saturating_sub(1), &["the", "this", "that"]))?;
    let named = sentence.mentions.iter().filter(|mention| mention.strong && mention.end <= noun);
    let members: Vec<usize> = named.filter_map(|mention| sentence.settle(mention, focus).ok()).collect();
    let members = if members.is_empty() { focus.subject.clone() } else { members };
    let mut holders: Vec<usize> = members
        .iter()
        .filter_map(|&one| sentence.lookup.by_reference(sentence.lookup.entity(one).container.as_deref()?))
        .filter(|&one| kinds.contains(&sentence.lookup.entity(one).kind) && sentence.lookup.entity(one).kind.is_type())
        .collect();
    holders.dedup();
    if let [one] = holders.as_slice() { Some(*one) } else { None }
}

/// The one thing that a reason in front of a pronoun names.
pub(super) fn explained(sentence: &Sentence<'_>, end: usize, focus: &Focus, test: &dyn Fn(usize) -> bool) -> Found {
    let mut named: Vec<usize> = sentence
        .mentions
        .iter()
        .filter(|mention| mention.strong && mention.end <= end && sentence.zone(mention.at) == Zone::Reason)
        .filter_map(|mention| sentence.settle(mention, focus).ok())
        .collect();
    named.dedup();
    match named.as_slice() {
        [one] if test(*one) => Found::These(named),
        _ => Found::Nothing,
    }
}

/// What a sentence names in front of a place, in order, but for what it compares with or explains.
pub(super) fn main_mentions(sentence: &Sentence<'_>, end: usize, focus: &Focus) -> Vec<usize> {
    let mut found = Vec::new();
    for mention in sentence
        .mentions
        .iter()
        .filter(|mention| mention.strong && mention.end <= end && sentence.zone(mention.at) == Zone::Main)
    {
        match sentence.settle(mention, focus) {
            Ok(one) if !found.contains(&one) => found.push(one),
            Ok(_) => {}
            Err(_) => return Vec::new(),
        }
    }
    found
}
