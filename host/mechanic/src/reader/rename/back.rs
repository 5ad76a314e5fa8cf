//! What a sign without a target of its own is about: what the sentences before named, if nothing else is its object.

use super::super::lexicon as words;
use super::super::names::{Names, NewName, resembles};
use super::super::sentence::Sentence;
use super::super::targets::{Focus, Found};
use super::super::token::Kind;
use super::Sign;
use crate::entities::Lookup;
use bailiwick_sdk::tasks::EntityKind;

/// Whether a sign without a target of its own can be about what the sentences before are about: it has no other object
/// (`set the milestone to X`), and its name is no everyday word (`I prefer Mondays`).
pub(super) fn speaks_back(sentence: &Sentence<'_>, sign: &Sign, names: &Names, targets: &Found) -> bool {
    let arrow = sentence.get(sign.at).is_some_and(|token| token.kind == Kind::Arrow);
    let to = sentence.is(sign.at, &["to", "as", "into", "with", "by"]);
    let start = sentence.clause_start(sign.at);
    let from = if to {
        (start..sign.at)
            .rev()
            .find(|&here| sentence.is(here, words::RENAMING) && !sentence.is(here.saturating_sub(1), &["the", "a"]))
            .map_or(start, |verb| verb.saturating_add(1))
    } else {
        start
    };
    let idle = |at: usize| {
        sentence.get(at).is_none_or(|token| !token.is_text() || token.text.chars().all(|c| c.is_ascii_digit()))
            || sentence.is(at, words::FILLERS)
            || sentence.is(at, words::POLITE)
            || words::kinds_of(sentence.lower(at)).is_some()
            || sentence.languages.iter().any(|(place, ..)| *place == at)
            || sentence.is(
                at,
                list! {
                    "it" "this" "that" "them" "these" "those" "name" "so" "and" "or" "for" "in" "line" "ln"
                    "spelling" "one" "back" "everywhere" "be" "its" "of" "both" "should" "must" "renamed" "changed"
                    "suffix" "prefix"
                },
            )
    };
    let renames = |at: usize| arrow && sentence.is(at, words::RENAME_PROPER);
    if (arrow || to) && !(from..sign.at).all(|at| idle(at) || renames(at)) {
        return false;
    }
    if let Found::These(all) = targets
        && is_of_another_kind(sentence, start, sign.at, all)
    {
        return false;
    }
    let bare = arrow && !(start..sign.at).any(|at| sentence.is_text(at));
    let resembling = |name: &NewName| match targets {
        Found::These(all) => all.iter().any(|&at| resembles(&sentence.lookup.entity(at).name, &name.text)),
        _ => false,
    };
    bare && !names.names.is_empty()
        || sign.sure && !arrow
        || names.names.iter().all(|name| sentence.looks_like_name(name.at) || resembling(name))
}

/// `type should be X`, of a thing that is no type.
pub(super) fn is_of_another_kind(sentence: &Sentence<'_>, start: usize, end: usize, targets: &[usize]) -> bool {
    let noun = (start..end).find(|&at| words::kinds_of(sentence.lower(at)).is_some());
    let kinds = noun
        .filter(|&at| sentence.is(at.saturating_add(1), words::MODALS))
        .and_then(|at| words::kinds_of(sentence.lower(at)));
    kinds.is_some_and(|kinds| !targets.iter().all(|&at| kinds.contains(&sentence.lookup.entity(at).kind)))
}

/// Whether `it` stands in front of a token.
pub(super) fn pronoun(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.has(sentence.clause_start(at)..at, &["it", "this", "that", "which"])
}

/// Whether a name that is given to an operation is more likely one of the parameter that was spoken of.
pub(super) fn is_of_its_parameter(sentence: &Sentence<'_>, focus: &Focus, one: usize, name: &str) -> bool {
    let entity = sentence.lookup.entity(one);
    let spoken = focus.parameters
        && entity.kind == EntityKind::Operation
        && !sentence.mentions.iter().any(|mention| mention.candidates.contains(&one));
    let operation =
        (0..sentence.tokens.len()).any(|at| words::kinds_of(sentence.lower(at)) == Some(&[EntityKind::Operation]));
    // `NewXPager`, `listX` for `listY`: what operations alone are called.
    let verb = |name: &str| crate::names::words(name).first().map(|word| word.to_lowercase());
    let pager = name.starts_with("New") && name.ends_with("Pager") || name.ends_with("Async");
    spoken && !operation && !pager && verb(&entity.name) != verb(name)
}

/// A name of a client in a sentence that speaks of the client.
pub(super) fn client_named(sentence: &Sentence<'_>, name: &str) -> bool {
    name.ends_with("Client") && name.starts_with(char::is_uppercase) && sentence.any(&["client", "clients"])
}

/// What the sentences before are about, as far as a name can be meant for it.
pub(super) fn subject(focus: &Focus, names: &[NewName], lookup: &Lookup<'_>, test: &dyn Fn(usize) -> bool) -> Found {
    let count = names.len();
    if !focus.subject.is_empty() && focus.subject.len() == count && focus.subject.iter().all(|&at| test(at)) {
        return Found::These(focus.subject.clone());
    }
    if count > 1 && focus.all.len() == count {
        return Found::These(focus.all.clone());
    }
    // Of the members of an excerpt the last one stands at the remark, if the name speaks for no other.
    if let (Some(&last), [name]) = (focus.subject.last().filter(|_| focus.excerpt && focus.subject.len() > 1), names) {
        let others = focus.subject.iter().filter(|&&one| one != last);
        let spoken_for = others.copied().any(|one| resembles(&lookup.entity(one).name, &name.text));
        if !spoken_for && test(last) {
            return Found::These(vec![last]);
        }
    }
    let fitting: Vec<usize> = focus.mentioned.iter().copied().filter(|&at| test(at)).collect();
    if fitting.is_empty() {
        Found::Nothing
    } else if fitting.len() == count {
        Found::These(fitting)
    } else if let [name] = names
        && let [one] = fitting
            .iter()
            .copied()
            .filter(|&at| resembles(&lookup.entity(at).name, &name.text))
            .collect::<Vec<_>>()
            .as_slice()
    {
        Found::These(vec![*one])
    } else {
        Found::Unfit
    }
}
