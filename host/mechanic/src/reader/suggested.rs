//! What the names and the verbs of a text suggest where nothing was read of it. It is shown to a person and never done by
//! itself, so it may be wrong.

use std::ops::Range;

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::document::{Ask, sentence_spans};
use super::lexicon as words;
use super::names::{NewName, name_of, suits};
use super::sentence::{Sentence, same_name};
use super::structure::{Role, units};
use super::targets::Focus;
use super::token::tokenize;
use crate::entities::Lookup;
use crate::names::key;

/// The most that is suggested of one text.
const MOST: usize = 20;

/// How many sentences back what a new name is for may be named.
const BACK: usize = 3;

/// What a text suggests, each with the part of it that does.
pub(super) fn suggested(
    text: &str,
    language: Language,
    lookup: &Lookup<'_>,
    root: Option<usize>,
) -> Vec<(Ask, Range<usize>)> {
    let mut found: Vec<(Ask, Range<usize>)> = Vec::new();
    // What the sentences so far name, the last one at the end.
    let mut spoken_of: Vec<Vec<usize>> = Vec::new();
    for unit in units(text) {
        if unit.role == Role::Aside {
            continue;
        }
        let own = matches!(unit.role, Role::Prose | Role::Item | Role::Row { .. });
        for part in sentence_spans(text.get(unit.span.clone()).unwrap_or_default()) {
            let span = unit.span.start.saturating_add(part.start)..unit.span.start.saturating_add(part.end);
            let tokens = tokenize(text.get(span.clone()).unwrap_or_default());
            let sentence = Sentence::new(&tokens, lookup, language);
            let named = named(&sentence, spoken_of.last().map_or(&[], Vec::as_slice));
            if !named.is_empty() {
                spoken_of.push(named);
            }
            for ask in asks(&sentence, &spoken_of, lookup, root) {
                if own && found.len() < MOST && !found.iter().any(|(known, _)| *known == ask) {
                    found.push((ask, span.clone()));
                }
            }
        }
    }
    found
}

/// The things that a sentence names for certain.
fn named(sentence: &Sentence<'_>, spoken_of: &[usize]) -> Vec<usize> {
    let focus = Focus { holders: spoken_of.to_vec(), ..Focus::on(spoken_of.to_vec()) };
    let mut named: Vec<usize> = Vec::new();
    for mention in sentence.mentions.iter().filter(|mention| mention.strong) {
        if let Ok(one) = sentence.settle(mention, &focus)
            && !named.contains(&one)
        {
            named.push(one);
        }
    }
    named
}

fn asks(sentence: &Sentence<'_>, spoken_of: &[Vec<usize>], lookup: &Lookup<'_>, root: Option<usize>) -> Vec<Ask> {
    if sentence.any(words::KEEPING) || super::rename::tells(sentence) {
        return Vec::new();
    }
    let Some(subjects) = spoken_of.last() else { return Vec::new() };
    let inner = innermost(subjects, lookup);
    let names = new_names(sentence);
    let moves = sentence.any(words::MOVE_PROPER) || sentence.any(words::MOVING);
    if let [name] = names.as_slice()
        && moves
        && sentence.any(&["group", "client"])
    {
        let operation = |one: &&usize| lookup.entity(**one).kind == EntityKind::Operation;
        return inner.iter().filter(operation).map(|&target| Ask::Move { target, to: name.text.clone() }).collect();
    }
    if !names.is_empty() {
        // What was spoken of last and can have such a name.
        return spoken_of
            .iter()
            .rev()
            .take(BACK)
            .map(|things| of_named_kind(sentence, &innermost(things, lookup), lookup))
            .map(|things| renames(&names, &things, sentence.language, lookup))
            .find(|asks| !asks.is_empty())
            .unwrap_or_default();
    }
    let operations: Vec<usize> =
        inner.iter().copied().filter(|&one| lookup.entity(one).kind == EntityKind::Operation).collect();
    let hides = sentence.any(words::HIDING)
        || sentence.any(words::PUBLICITY) && (sentence.is_turned() || sentence.any(words::REMOVING));
    if hides {
        return operations.into_iter().map(|target| Ask::Hide { target }).collect();
    }
    if let Some(to) = place(sentence, subjects, lookup, root)
        && moves
    {
        return operations.into_iter().map(|target| Ask::Move { target, to: to.clone() }).collect();
    }
    if sentence.any(&["public", "unhide", "exposed", "expose", "visible", "export", "exported"]) {
        return operations.into_iter().map(|target| Ask::Show { target }).collect();
    }
    Vec::new()
}

/// Without what holds another of them: that is where the other one is.
fn innermost(things: &[usize], lookup: &Lookup<'_>) -> Vec<usize> {
    let holds = |one: usize| things.iter().any(|&other| other != one && lookup.holds(one, other));
    things.iter().copied().filter(|&one| !holds(one)).collect()
}

/// Of these things those of a kind that a noun of the sentence names: `call the parameter x`.
fn of_named_kind(sentence: &Sentence<'_>, things: &[usize], lookup: &Lookup<'_>) -> Vec<usize> {
    let nouns: Vec<&[EntityKind]> =
        (0..sentence.tokens.len()).filter_map(|at| words::kinds_of(sentence.lower(at))).collect();
    let of_kind: Vec<usize> = things
        .iter()
        .copied()
        .filter(|&thing| nouns.iter().any(|kinds| kinds.contains(&lookup.entity(thing).kind)))
        .collect();
    let inner =
        |kinds: &&[EntityKind]| kinds.iter().all(|kind| matches!(kind, EntityKind::Parameter | EntityKind::Property));
    if of_kind.is_empty() && !nouns.iter().any(inner) { things.to_vec() } else { of_kind }
}

/// The names of a sentence that nothing has, each once.
fn new_names(sentence: &Sentence<'_>) -> Vec<NewName> {
    let mut names: Vec<NewName> = Vec::new();
    for (at, token) in sentence.tokens.iter().enumerate() {
        let shaped = token.quoted && crate::names::is_identifier(&token.text) || token.looks_like_name();
        if !shaped || token.called || token.text.contains('/') || sentence.mention_at(at).is_some() {
            continue;
        }
        if let Some(name) = name_of(sentence, at)
            && !names.iter().any(|known| same_name(&known.text, &name.text))
        {
            names.push(name);
        }
    }
    names
}

/// One name for the one thing that it fits, or as many names as things, in their order.
fn renames(names: &[NewName], things: &[usize], language: Language, lookup: &Lookup<'_>) -> Vec<Ask> {
    let fits = |thing: usize, name: &NewName| {
        let entity = lookup.entity(thing);
        suits(entity.kind, &name.text, language) && key(&entity.name) != key(&name.text)
    };
    let rename = |(&target, name): (&usize, &NewName)| Ask::Rename { target, name: name.text.clone() };
    let fitting: Vec<usize> =
        things.iter().copied().filter(|&thing| names.iter().all(|name| fits(thing, name))).collect();
    if fitting.len() == names.len() { fitting.iter().zip(names).map(rename).collect() } else { Vec::new() }
}

/// Where a sentence would have an operation: the last group or client that it names, or the client itself.
fn place(sentence: &Sentence<'_>, subjects: &[usize], lookup: &Lookup<'_>, root: Option<usize>) -> Option<String> {
    let group = |one: &usize| matches!(lookup.entity(*one).kind, EntityKind::Interface | EntityKind::Namespace);
    let elsewhere = |one: &usize| !subjects.iter().any(|&other| other != *one && lookup.holds(*one, other));
    let named = subjects.iter().copied().filter(group).rfind(elsewhere);
    let place = named.or_else(|| root.filter(|_| sentence.any(&["client", "directly", "root", "top-level"])))?;
    Some(lookup.entity(place).reference.clone())
}
