//! Renames in a sentence: a target, a sign between them, a new name.

use super::lexicon as words;
use super::names::{Names, NewName, Plain, is_shaped, name_of, names_at, resembles, suits};
use super::sentence::{Sentence, Zone};
use super::targets::{Focus, Found};
use super::token::Kind;
use crate::entities::Lookup;

/// A rename as far as one sentence says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rename {
    /// The target, or why there is none.
    pub(super) target: Result<usize, Found>,
    pub(super) name: NewName,
    /// Several names are offered for a choice.
    pub(super) alternatives: bool,
    /// What asks for it is turned round.
    pub(super) negated: bool,
    /// Where the sign between them stands.
    pub(super) at: usize,
}

/// What a sign makes of its surroundings.
struct Sign {
    at: usize,
    /// Where the name begins at the earliest.
    name: usize,
    /// Where the target ends at the latest.
    target: usize,
    negated: bool,
    /// The target may be what the sentences before are about.
    reaches_back: bool,
    /// Whether a plain word can be the name.
    sure: bool,
    /// The target stands behind: `X instead of Y`.
    behind: Option<usize>,
}

/// All renames of a sentence, in order.
pub(super) fn renames(sentence: &Sentence<'_>, focus: &Focus) -> Vec<Rename> {
    let mut found: Vec<Rename> = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    for sign in signs(sentence) {
        let arrow = sentence.get(sign.at).is_some_and(|token| token.kind == Kind::Arrow);
        let plain = if arrow { Plain::Any } else { Plain::Allowed };
        let Some(names) = names_at(sentence, sign.name, plain) else { continue };
        if names.names.iter().any(|name| taken.contains(&name.at)) {
            continue;
        }
        // What the sentence named before is no new name.
        let again = |name: &NewName| {
            let end = sentence.get(name.at).map_or(0, |token| token.span.end);
            let calls = sentence
                .get(name.at.saturating_add(1))
                .is_some_and(|token| token.is_sign('(') && token.span.start == end)
                || sentence.get(name.at).is_some_and(|token| token.called);
            calls
                && sentence.mention_at(name.at).is_some_and(|mention| {
                    sentence
                        .mentions
                        .iter()
                        .any(|other| other.at < sign.at && other.strong && other.candidates == mention.candidates)
                })
        };
        if sign.behind.is_none() && names.names.iter().any(|name| name.at > sign.at && again(name)) {
            continue;
        }
        let after = found.last().map_or(0, |rename: &Rename| rename.name.at.saturating_add(1));
        let start = if after <= sign.target { after } else { 0 };
        let first = names.names.first().map(|name| name.text.clone()).unwrap_or_default();
        let test = |at: usize| suits(sentence.lookup.entity(at).kind, &first, sentence.language);
        let targets = match sign.behind {
            Some(behind) => sentence.target_after(behind, focus),
            None => sentence.targets_fitting(start, sign.target, focus, &test),
        };
        // `no wait`, an arrow to prose and the like name nothing.
        let targets = match targets {
            Found::Nothing if sign.reaches_back => subject(focus, &names.names, sentence.lookup, &test),
            Found::Unfit if sign.reaches_back && pronoun(sentence, sign.target) => {
                subject(focus, &names.names, sentence.lookup, &test)
            }
            other => other,
        };
        // `the client shall be named XClient`
        let targets = match targets {
            Found::Nothing | Found::Unfit | Found::Unknown(_) if client_named(sentence, &first) => {
                focus.root.map_or(Found::Nothing, |root| Found::These(vec![root]))
            }
            other => other,
        };
        // An operation that is called twice has no new name.
        let called = sentence.is(sign.at, &["called"])
            && matches!(&targets, Found::These(all) if all.iter().any(|&at| sentence.lookup.entity(at).kind == bailiwick_sdk::tasks::EntityKind::Operation));
        if (!sign.sure || called) && !is_certain(sentence, &names, &targets) {
            continue;
        }
        if let Some(pairs) = pairs(&targets, &names, sentence.lookup, focus) {
            taken.extend(names.names.iter().map(|name| name.at));
            for (target, name) in pairs {
                found.push(Rename {
                    target: Ok(target),
                    name,
                    alternatives: false,
                    negated: sign.negated,
                    at: sign.at,
                });
            }
        } else if targets != Found::Nothing {
            taken.extend(names.names.iter().map(|name| name.at));
            let name = names.names.first().cloned();
            found.extend(name.map(|name| Rename {
                target: Err(targets),
                name,
                alternatives: names.alternatives,
                negated: sign.negated,
                at: sign.at,
            }));
        }
    }
    if found.is_empty() {
        found = fragments(sentence, focus);
    }
    found
}

/// Whether `it` stands in front of a token.
fn pronoun(sentence: &Sentence<'_>, at: usize) -> bool {
    (sentence.clause_start(at)..at).any(|here| sentence.is(here, &["it", "this", "that", "which"]))
}

/// A name of a client in a sentence that speaks of the client.
fn client_named(sentence: &Sentence<'_>, name: &str) -> bool {
    name.ends_with("Client")
        && name.starts_with(char::is_uppercase)
        && (0..sentence.tokens.len()).any(|at| sentence.is(at, &["client", "clients"]))
}

/// What the sentences before are about, as far as a name can be meant for it.
fn subject(focus: &Focus, names: &[NewName], lookup: &Lookup<'_>, test: &dyn Fn(usize) -> bool) -> Found {
    let count = names.len();
    if !focus.subject.is_empty() && focus.subject.len() == count && focus.subject.iter().all(|&at| test(at)) {
        return Found::These(focus.subject.clone());
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

/// Each target with its name, if there are as many of the ones as of the others.
fn pairs(targets: &Found, names: &Names, lookup: &Lookup<'_>, focus: &Focus) -> Option<Vec<(usize, NewName)>> {
    let Found::These(targets) = targets else { return None };
    let _ = focus;
    if names.alternatives {
        return None;
    }
    if targets.len() == names.names.len() {
        let all: Vec<(usize, NewName)> = targets.iter().copied().zip(names.names.iter().cloned()).collect();
        return all.iter().all(|(target, name)| fits(*target, name, lookup)).then_some(all);
    }
    // Of names that go on behind the first the rest may be another sentence's.
    match (targets.as_slice(), names.names.as_slice()) {
        ([target], [first, ..]) if fits(*target, first, lookup) => Some(vec![(*target, first.clone())]),
        _ => None,
    }
}

/// Whether a path in front of a new name leads to what holds the target.
pub(super) fn fits(target: usize, name: &NewName, lookup: &Lookup<'_>) -> bool {
    let Some((path, _)) = name.text.rsplit_once(['.', '#']) else { return true };
    let parts: Vec<&str> = path.split(['.', '#']).collect();
    let Some(last) = parts.last() else { return true };
    let entity = lookup.entity(target);
    let holder = entity.container.as_deref().and_then(|full| lookup.by_reference(full));
    let leads = |text: &str| {
        lookup
            .find(text)
            .into_iter()
            .chain(lookup.find_elsewhere(text))
            .any(|at| Some(at) == holder || lookup.holds(at, target))
    };
    leads(last) || ["models", "client", "operations"].contains(last) || lookup.find(last).is_empty()
}

/// The signs of a sentence that a rename can stand at, the surest first.
fn signs(sentence: &Sentence<'_>) -> Vec<Sign> {
    let mut signs = Vec::new();
    let count = sentence.tokens.len();
    for at in 0..count {
        if sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow) {
            let target = at;
            let start = sentence.clause_start(at);
            let negated = (start..at).any(|here| sentence.is(here, &["not", "don't", "never", "dont"]));
            if (start..at).any(|here| sentence.is(here, words::RENAMING) && is_statement(sentence, here)) {
                continue;
            }
            signs.push(Sign {
                at,
                name: at.saturating_add(1),
                target,
                negated,
                reaches_back: true,
                sure: true,
                behind: None,
            });
        }
    }
    let open = |at: usize| sentence.zone(at) != Zone::Comparison && sentence.zone(at) != Zone::Reason;
    for at in (0..count).filter(|&at| open(at)) {
        signs.extend(instead(sentence, at));
        signs.extend(name_for(sentence, at));
        signs.extend(bracketed(sentence, at));
        signs.extend(dash(sentence, at));
    }
    for at in (0..count).filter(|&at| open(at)) {
        signs.extend(verb_to(sentence, at));
        signs.extend(side_by_side(sentence, at));
        signs.extend(calling(sentence, at));
    }
    for at in (0..count).filter(|&at| open(at)) {
        signs.extend(colon(sentence, at));
    }
    signs
}

/// `X instead of Y`, `X, not Y`.
fn instead(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    let of = sentence.phrase(at, &["instead", "of"])
        || sentence.phrase(at, &["rather", "than"])
        || sentence.phrase(at, &["in", "place"]);
    let not = sentence.is(at, &["not"])
        && at.checked_sub(1).and_then(|before| sentence.get(before)).is_some_and(|token| token.is_sign(','))
        && sentence.mention_at(next).is_some();
    if !of && !not {
        return None;
    }
    let behind = if not { next } else { at.saturating_add(2) };
    // The name in front of it, past a comma and its qualifiers.
    let name = (0..at).rev().take(4).find(|&here| {
        name_of(sentence, here).is_some_and(|_| {
            sentence
                .get(here)
                .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        })
    })?;
    let target = sentence.mentions.iter().find(|mention| mention.at >= behind)?;
    let known = sentence.mention_at(name).is_some_and(|mention| mention.candidates == target.candidates);
    if known {
        return None;
    }
    let asked = (0..name).any(|here| {
        sentence.is(here, words::MODALS)
            || sentence.is(here, words::RENAMING)
            || sentence.is(here, &["expect", "please"])
    }) || (0..sentence.tokens.len()).any(|here| sentence.is(here, words::POLITE));
    let negated = sentence.negated(name);
    asked.then_some(Sign { at, name, target: behind, negated, reaches_back: false, sure: false, behind: Some(behind) })
}

/// `rename X to Y`, `X should be exposed as Y`.
fn verb_to(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    if sentence.is(at, &["with", "by"])
        && (0..at).any(|here| sentence.is(here, &["replace", "swap"]) && !is_statement(sentence, here))
    {
        return Some(Sign {
            at,
            name: next,
            target: at,
            negated: sentence.negated(at),
            reaches_back: true,
            sure: false,
            behind: None,
        });
    }
    if !sentence.is(at, &["to", "as", "into", "too", "="]) && !sentence.get(at).is_some_and(|token| token.is_sign('='))
    {
        return None;
    }
    if sentence.get(at).is_some_and(|token| token.is_sign('=')) {
        let plain = sentence.mentions.iter().any(|mention| mention.at < at)
            && sentence.get(next).is_some_and(super::token::Token::looks_like_name);
        return plain.then(|| Sign {
            at,
            name: next,
            target: at,
            negated: sentence.negated(at),
            reaches_back: false,
            sure: false,
            behind: None,
        });
    }
    // `use Y as the name of X`
    if sentence.is(at, &["as"])
        && (next..next.saturating_add(3)).any(|here| sentence.is(here, &["name"]))
        && let Some(name) = at
            .checked_sub(1)
            .filter(|&name| sentence.get(name).is_some_and(is_shaped) && sentence.mention_at(name).is_none())
        && let Some(mention) = sentence.mentions.iter().find(|mention| mention.at > at)
        && (0..name).any(|here| sentence.is(here, &["use", "take", "choose", "have", "prefer"]))
    {
        return Some(Sign {
            at,
            name,
            target: mention.at,
            negated: sentence.negated(name),
            reaches_back: false,
            sure: false,
            behind: Some(mention.at),
        });
    }
    let verb = (0..at).rev().take(24).find(|&here| {
        sentence.is(here, words::RENAMING) && sentence.zone(here) != Zone::Reason && !is_noun(sentence, here)
    })?;
    let proper = sentence.is(verb, words::RENAME_PROPER);
    if sentence.is(at, &["too"]) && !proper {
        return None;
    }
    // `go to`, `want to`, `have to`, `like to` in front of a verb.
    if !proper
        && sentence.is(at, &["to"])
        && !sentence.is(
            verb,
            &[
                "change",
                "changed",
                "switch",
                "expand",
                "expanded",
                "shorten",
                "shortened",
                "update",
                "updated",
                "correct",
                "corrected",
                "adjust",
                "adjusted",
                "convert",
                "turn",
                "set",
                "go",
                "rewrite",
                "simplify",
                "replace",
                "alias",
                "spell",
                "get",
                "fix",
                "align",
                "lengthen",
                "move",
            ],
        )
    {
        return None;
    }
    if sentence.is(at, &["as"])
        && sentence.is(verb, &["go", "want", "get", "make", "change", "fix", "set", "move", "use", "like", "turn"])
        && !(verb..at).any(|here| sentence.mention_at(here).is_some())
    {
        return None;
    }
    if is_statement(sentence, verb) {
        return None;
    }
    let target = at;
    // Behind the verb, or in front of it where nothing stands in between.
    let reaches_back = true;
    Some(Sign { at, name: next, target, negated: sentence.negated(verb), reaches_back, sure: proper, behind: None })
}

/// `should be called Y`, `call it Y`, `make it Y`, `use Y`, `becomes Y`.
fn calling(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let next = at.saturating_add(1);
    let start = sentence.clause_start(at);
    let lower = sentence.lower(at);
    let modal = (start..at).any(|here| {
        sentence.is(here, words::MODALS)
            || sentence.is(here, &["let", "let's", "lets"])
            || contracted(sentence.lower(here))
    }) || sentence.phrase(at.saturating_sub(2), &["is", "to"])
        || sentence.phrase(at.saturating_sub(2), &["are", "to"])
        || (start..at).any(|here| {
            sentence.phrase(here, &["is", "to"])
                || sentence.phrase(here, &["are", "to"])
                || sentence.phrase(here, &["be", "to"])
        });
    let modal = modal || (start..at).any(|here| sentence.is(here, &["ensure", "sure"]));
    let imperative = start == at
        || at.checked_sub(1).is_some_and(|before| {
            sentence.is(before, words::POLITE)
                || sentence
                    .is(before, &["to", "and", "then", "so", "you", "we", "just", "i", "also", "should", "kindly"])
        });
    let pronoun = |at: usize| sentence.is(at, &["it", "this", "that", "them", "these", "those"]);
    let wished = modal || imperative;
    let (name, target) = match lower {
        "be" if modal && !sentence.is(next, &["a", "an", "of", "in", "at", "on"]) => (next, at),
        "becomes" | "become" if !is_statement(sentence, at) => (next, at),
        "reads" | "read" | "says" | "say" | "display" if modal => (next, at),
        "called" | "named" | "titled" | "spelled" | "spelt" | "labelled" if modal && !is_statement(sentence, at) => {
            (next, at)
        }
        // `X we would like named A, and Y named B`
        "called" | "named"
            if at.checked_sub(1).is_some_and(|before| sentence.mention_at(before).is_some())
                && sentence.get(next).is_some_and(|token| token.quoted)
                && (0..at).any(|here| sentence.is(here, words::MODALS) && !sentence.is(here, &["has", "have"])) =>
        {
            (next, at)
        }
        "call" | "name" | "label" | "make" | "spell" | "title" if pronoun(next) && wished => (at.saturating_add(2), at),
        "call" | "name"
            if wished
                && sentence
                    .mention_at(next)
                    .is_some_and(|mention| sentence.get(mention.end).is_some_and(super::token::Token::is_text)) =>
        {
            let end = sentence.mention_at(next).map_or(next, |mention| mention.end);
            (end, end)
        }
        "wants" | "needs" | "deserves" | "bear" | "get" | "write" if wished => (next, at),
        "deserves" => (next, at),
        "wants" if sentence.mentions.iter().any(|mention| mention.end == at) => (next, at),
        "say" if imperative || sentence.clause_start(at) == at => (next, at),
        "name"
            if at
                .checked_sub(1)
                .is_some_and(|before| sentence.is(before, &["the", "that", "this", "a", "its", "new"])) =>
        {
            (
                next.saturating_add(usize::from(sentence.get(next).is_some_and(|token| token.is_sign(',')))),
                at.saturating_sub(1),
            )
        }
        "want" | "wants" | "prefer" | "demand" | "demands"
            if at.checked_sub(1).is_some_and(|before| {
                sentence.is(
                    before,
                    &[
                        "reviewers",
                        "now",
                        "we",
                        "i",
                        "board",
                        "team",
                        "architects",
                        "users",
                        "customers",
                        "they",
                        "everybody",
                        "everyone",
                        "all",
                        "would",
                        "owners",
                        "service",
                    ],
                )
            }) && !sentence.is(next, &["a", "an", "to", "it"]) =>
        {
            (next, at)
        }
        "use" | "prefer" | "choose" | "pick" | "take" | "want" | "expect" | "favor" | "favour" | "see" | "have"
            if wished =>
        {
            (next, at)
        }
        "with" | "for"
            if at
                .checked_sub(1)
                .is_some_and(|before| sentence.is(before, &["go", "went", "ask", "asks", "asked", "stick"])) =>
        {
            (next, at.saturating_sub(1))
        }
        "on" | "upon"
            if at.checked_sub(1).is_some_and(|before| {
                sentence.is(before, &["settled", "agreed", "consensus", "decided", "landed", "settle", "agree"])
            }) =>
        {
            (next, at.saturating_sub(1))
        }
        "suggested" | "suggest" | "proposed" | "propose" | "proposal" | "suggestion" | "recommended" | "recommend"
        | "recommendation" => (next, at),
        _ => return None,
    };
    let weak = [
        "be",
        "use",
        "prefer",
        "choose",
        "pick",
        "take",
        "want",
        "expect",
        "favor",
        "favour",
        "see",
        "have",
        "suggested",
        "suggest",
        "proposed",
        "propose",
        "proposal",
        "suggestion",
        "recommended",
        "recommend",
        "recommendation",
        "on",
        "upon",
        "for",
        "with",
        "say",
        "says",
        "read",
        "reads",
        "display",
        "wants",
        "needs",
        "deserves",
        "bear",
        "get",
        "write",
    ]
    .contains(&lower)
        || lower == "name" && target < at;
    if weak && names_at(sentence, name, Plain::Allowed).is_none() {
        return None;
    }
    let said = lower == "be" && (start..at).any(|here| sentence.is(here, &["name"]));
    let sure = ["called", "named", "call", "name", "title"].contains(&lower) && target == at || said;
    Some(Sign { at, name, target, negated: sentence.negated(at), reaches_back: true, sure, behind: None })
}

fn contracted(word: &str) -> bool {
    word.ends_with("'d") || word.ends_with("'ll")
}

/// Whether names are written as such, or spell out what they are for.
fn is_certain(sentence: &Sentence<'_>, names: &Names, targets: &Found) -> bool {
    let shaped = |name: &NewName| sentence.get(name.at).is_some_and(is_shaped);
    let spelled_out = |name: &NewName| match targets {
        Found::These(targets) => {
            targets.len() == 1 && targets.iter().all(|&at| resembles(&sentence.lookup.entity(at).name, &name.text))
        }
        _ => false,
    };
    let idle = |name: &NewName| {
        sentence.get(name.at).is_some_and(|token| token.is(words::FEATURES) || token.is(words::APPROVING))
    };
    names.names.iter().all(|name| shaped(name) || spelled_out(name) && !idle(name))
}

/// `X: Y`, with nothing else behind it than what ends a thought.
fn colon(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.get(at).is_some_and(|token| token.is_sign(':')) {
        return None;
    }
    let next = at.saturating_add(1);
    let label = at.checked_sub(1).is_some_and(|before| {
        sentence.is(
            before,
            &[
                "suggestion",
                "suggested",
                "proposal",
                "proposed",
                "name",
                "new",
                "better",
                "preferred",
                "wish",
                "recommended",
            ],
        )
    });
    let named = sentence.mentions.iter().any(|mention| mention.at < at && mention.strong);
    let kind = at.checked_sub(1).and_then(|before| words::kinds_of(sentence.lower(before)));
    let label = label || kind.is_some() && !named;
    let names = names_at(sentence, next, if named && !label { Plain::Allowed } else { Plain::Refused })?;
    let first = names.names.first()?;
    if !named && !label {
        return None;
    }
    let adjacent = (next..first.at).all(|here| !sentence.get(here).is_some_and(|token| token.is(words::RENAMING)));
    let ends = super::names::ends_here(sentence, names.end) || sentence.get(names.end).is_none();
    let sure = sentence
        .get(first.at)
        .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        || names.end >= sentence.tokens.len()
        || ends;
    let negated = sentence.negated(at)
        && !(sentence.clause_start(at.saturating_sub(1))..at)
            .any(|here| sentence.is(here, &["is", "isn't", "are", "aren't"]));
    let known = first.text.chars().any(char::is_alphabetic) && sentence.mention_at(first.at).is_none();
    (adjacent && ends && sure && known).then_some(Sign {
        at,
        name: next,
        target: at,
        negated,
        reaches_back: label,
        sure: named && !label,
        behind: None,
    })
}

/// `use X for Y`, `X (Y)`: the new name in front of the old one.
fn name_for(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    let mut next = at.saturating_add(1);
    while sentence.is(at, &["for"]) && sentence.is(next, words::FILLERS) {
        next = next.saturating_add(1);
    }
    let before = at.checked_sub(1)?;
    let bracket = sentence.get(at).is_some_and(|token| token.is_sign('('));
    if !sentence.is(at, &["for"]) && !bracket {
        return None;
    }
    if sentence.is(at, &["for"]) && sentence.is(before, &["name", "term", "word", "choice"]) {
        let start = sentence.clause_start(at);
        let name = (start..before)
            .find(|&here| {
                sentence.get(here).is_some_and(is_shaped)
                    && name_of(sentence, here).is_some()
                    && sentence.mention_at(here).is_none()
            })
            .or_else(|| {
                (start == 0).then_some(0).filter(|_| {
                    sentence.get(0).is_some_and(super::token::Token::looks_like_name)
                        && sentence.mention_at(0).is_none()
                })
            })?;
        let mention = sentence.mentions.iter().find(|mention| mention.at > at && mention.strong)?;
        let negated = (name..at)
            .any(|here| sentence.is(here, words::NEGATIONS) || sentence.is(here, &["bad", "poor", "wrong", "awful"]));
        return Some(Sign {
            at,
            name,
            target: mention.at,
            negated,
            reaches_back: false,
            sure: false,
            behind: Some(mention.at),
        });
    }
    let mention = sentence.mention_at(next).filter(|mention| mention.strong)?;
    let new = sentence.get(before).is_some_and(is_shaped)
        && sentence.mention_at(before).is_none()
        && name_of(sentence, before).is_some();
    let closed = !bracket || sentence.get(mention.end).is_some_and(|token| token.is_sign(')'));
    let start = sentence.clause_start(before);
    let wished = (0..before).any(|here| {
        sentence.is(
            here,
            &["use", "prefer", "want", "i.e", "well", "same", "also", "like", "choose", "should", "please", "instead"],
        )
    });
    let _ = start;
    // A list of pairs, or a wish: the name stands for nothing else.
    let known_target = mention.candidates.iter().any(|&one| {
        let entity = sentence.lookup.entity(one);
        entity.client.as_ref().is_none_or(|client| {
            !crate::names::key(&client.name)
                .eq(&crate::names::key(&sentence.get(before).map(|token| token.text.clone()).unwrap_or_default()))
        })
    });
    let earlier = sentence.mentions.iter().any(|other| {
        other.at < before
            && other.strong
            && !other
                .candidates
                .iter()
                .any(|&outer| mention.candidates.iter().any(|&inner| sentence.lookup.holds(outer, inner)))
    });
    (new && closed && wished && known_target && !earlier).then(|| Sign {
        at,
        name: before,
        target: next,
        negated: sentence.negated(before),
        reaches_back: false,
        sure: false,
        behind: Some(next),
    })
}

/// `write numbers in full (number_made, number_sold)`: names in brackets, as many as there are targets.
fn bracketed(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.get(at).is_some_and(|token| token.is_sign('(')) {
        return None;
    }
    let names = names_at(sentence, at.saturating_add(1), Plain::Refused)?;
    let closed = sentence.get(names.end).is_some_and(|token| token.is_sign(')'));
    let new = names.names.iter().all(|name| sentence.mention_at(name.at).is_none());
    let asked = (0..at).any(|here| {
        sentence.is(here, words::OBLIGING)
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["write", "spell", "expand", "full"])
    });
    let many = names.names.len() > 1 || sentence.mentions.len() == 1;
    (closed && new && asked && many).then(|| Sign {
        at,
        name: at.saturating_add(1),
        target: at,
        negated: sentence.negated(at),
        reaches_back: true,
        sure: false,
        behind: None,
    })
}

/// `X - Y` with nothing else in the sentence.
fn dash(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.get(at).is_some_and(|token| ['-', '–', '—'].iter().any(|sign| token.is_sign(*sign))) {
        return None;
    }
    let next = at.saturating_add(1);
    let first = sentence.mention_at(0).is_some_and(|mention| mention.end == at);
    let new = sentence.get(next).is_some_and(is_shaped)
        && sentence.mention_at(next).is_none()
        && name_of(sentence, next).is_some();
    let ends = super::names::ends_here(sentence, next.saturating_add(1));
    (first && new && ends).then_some(Sign {
        at,
        name: next,
        target: at,
        negated: false,
        reaches_back: false,
        sure: false,
        behind: None,
    })
}

/// `X to Y` without a verb, where the one is a name and the other is none.
fn side_by_side(sentence: &Sentence<'_>, at: usize) -> Option<Sign> {
    if !sentence.is(at, &["to"]) {
        return None;
    }
    let next = at.saturating_add(1);
    let new = sentence.get(next).is_some_and(super::token::Token::looks_like_name)
        && sentence.mention_at(next).is_none()
        && name_of(sentence, next).is_some();
    let mut here = at;
    while let Some(before) = here.checked_sub(1) {
        if sentence.mention_at(before).is_some_and(|mention| mention.strong) {
            break;
        }
        let idle = sentence.is(before, words::FILLERS)
            || words::kinds_of(sentence.lower(before)).is_some()
            || sentence.is(before, &["of", "in", "same", "on", "that", "this"]);
        if !idle {
            return None;
        }
        here = before;
    }
    let moved = (0..at).any(|here| sentence.is(here, words::MOVE_PROPER)) || tells(sentence);
    (new && here > 0 && !moved).then(|| Sign {
        at,
        name: next,
        target: at,
        negated: sentence.negated(at),
        reaches_back: false,
        sure: false,
        behind: None,
    })
}

/// `a name`, `the call`, `the rename`: no verb.
fn is_noun(sentence: &Sentence<'_>, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        sentence.is(
            before,
            &[
                "the", "a", "an", "this", "that", "its", "old", "new", "wire", "class", "property", "model", "method",
                "my", "our", "python", "java", "poor", "bad", "good", "better", "type", "in", "of", "each", "any",
            ],
        )
    }) && sentence.is(
        at,
        &[
            "name", "call", "rename", "change", "update", "label", "fix", "surface", "switch", "read", "set", "use",
            "like", "show", "turn", "go", "named", "called", "project", "see", "write", "have", "get",
        ],
    )
}

/// Whether a sentence tells of a renaming that was done.
pub(super) fn tells(sentence: &Sentence<'_>) -> bool {
    (0..sentence.tokens.len()).any(|at| {
        sentence.is(at, words::RENAMING)
            && sentence.lower(at).ends_with("ed")
            && sentence.mention_at(at).is_none()
            && is_statement(sentence, at)
    })
}

/// Whether a verb tells what was done or is so, and asks for nothing.
pub(super) fn is_statement(sentence: &Sentence<'_>, verb: usize) -> bool {
    let start = sentence.clause_start(verb);
    let window = start..verb;
    let modal = window.clone().any(|here| {
        sentence.is(here, &["ensure", "sure"])
            || sentence.is(here, words::MODALS) && !sentence.is(here, &["has", "have"])
            || contracted(sentence.lower(here))
            || sentence.phrase(here, &["has", "to"])
            || sentence.phrase(here, &["have", "to"])
            || sentence.phrase(here, &["is", "to"])
            || sentence.phrase(here, &["are", "to"])
            || sentence.is(here, words::POLITE)
            || sentence.is(here, &["let", "let's", "lets", "want", "like", "needs", "prefer", "can"])
    });
    if modal {
        return false;
    }
    let lower = sentence.lower(verb);
    let past = lower.ends_with("ed")
        || ["spelt", "written", "known", "made", "hid", "hidden", "set", "shown", "called"].contains(&lower);
    let told = window.clone().any(|here| {
        sentence.is(
            here,
            &[
                "was", "were", "is", "are", "got", "been", "being", "has", "have", "had", "gets", "already", "isn't",
                "aren't",
            ],
        )
    });
    let person = window.clone().any(|here| {
        sentence.is(here, &["i", "we", "they", "you", "somebody", "someone", "he", "she", "people", "reviewers"])
    });
    let by_verb = verb.checked_sub(1).is_some_and(|before| {
        sentence.is(before, &["i", "we", "they", "people", "users", "customers", "everybody", "everyone", "nobody"])
    });
    past && (told || person)
        || by_verb
            && !sentence
                .is(verb, &["prefer", "suggest", "propose", "recommend", "use", "want", "like", "need", "expect"])
        || told && ["rename", "call", "name"].contains(&lower) && !window.clone().any(|here| sentence.is(here, &["to"]))
}

/// Names that stand alone, for what the sentences before are about: `PortName, please.`
fn fragments(sentence: &Sentence<'_>, focus: &Focus) -> Vec<Rename> {
    if sentence.tokens.iter().any(|token| token.kind == Kind::Arrow) {
        return Vec::new();
    }
    let mut start = 0;
    while start < sentence.tokens.len() {
        let end = piece_end(sentence, start);
        if let Some(found) = fragment(sentence, start, end, focus) {
            return found;
        }
        start = end.saturating_add(1);
    }
    Vec::new()
}

fn piece_end(sentence: &Sentence<'_>, start: usize) -> usize {
    (start..sentence.tokens.len())
        .find(|&at| {
            let sign = |token: &super::token::Token| {
                [';', '—', '–', '-', '.', '!', '?', ':', '(', ')', '…'].iter().any(|sign| token.is_sign(*sign))
            };
            sentence.get(at).is_some_and(|token| sign(token) || token.is_sign(',') && !joins_names(sentence, at))
        })
        .unwrap_or(sentence.tokens.len())
}

fn joins_names(sentence: &Sentence<'_>, at: usize) -> bool {
    let named = |at: Option<usize>| {
        at.is_some_and(|at| {
            name_of(sentence, at).is_some()
                && sentence
                    .get(at)
                    .is_some_and(|token| token.looks_like_name() || token.text.starts_with(char::is_uppercase))
        })
    };
    named(at.checked_sub(1)) && named(Some(at.saturating_add(1)))
}

/// What may stand beside a name that stands alone.
const BESIDE: &[&str] = &[
    "it",
    "is",
    "shall",
    "be",
    "would",
    "do",
    "will",
    "enough",
    "better",
    "fits",
    "works",
    "is",
    "then",
    "for",
    "in",
    "here",
    "also",
    "please",
    "pls",
    "so",
    "that",
    "should",
    "as",
    "too",
    "and",
    "sounds",
    "me",
    "us",
    "good",
    "nicer",
    "clearer",
    "reads",
    "more",
    "makes",
    "sense",
    "the",
    "clean",
    "suffices",
    "suffice",
    "wins",
    "might",
    "use",
    "hmm",
    "ok",
    "okay",
    "yes",
    "agreed",
    "there",
    "a",
    "an",
    "proper",
    "suitable",
    "nice",
    "right",
    "correct",
    "fitting",
    "natural",
    "choice",
    "option",
    "term",
    "word",
    "class",
    "type",
    "seems",
    "feels",
    "much",
    "far",
    "best",
    "great",
    "fine",
    "by",
    "hence",
    "thus",
    "therefore",
    "or",
    "method",
    "property",
    "field",
    "model",
    "enum",
    "really",
    "say",
    "convention",
    "conventions",
    "mgmt",
    "guideline",
    "guidelines",
    "standard",
    "rule",
    "are",
    "was",
    "one",
    "prefer",
    "preferred",
    "proposal",
    "proposed",
    "name",
    "new",
    "go",
    "with",
    "let's",
    "we",
    "i",
    "i'd",
    "thanks",
    "thx",
    "perhaps",
    "simply",
    "just",
    "instead",
    "not",
    "exactly",
];

fn fragment(sentence: &Sentence<'_>, start: usize, end: usize, focus: &Focus) -> Option<Vec<Rename>> {
    let backed = (start..end)
        .any(|at| at > start && (sentence.is(at, words::POLITE) || sentence.is(at, &["it", "would", "will", "shall"])));
    let names: Vec<NewName> = (start..end)
        .filter(|&at| sentence.get(at).is_some_and(super::token::Token::is_text))
        .filter_map(|at| {
            let token = sentence.get(at)?;
            // A word that is only capital needs courtesy or a verb beside it.
            let spelled = focus
                .subject
                .iter()
                .chain(&focus.mentioned)
                .any(|&one| resembles(&sentence.lookup.entity(one).name, &token.text));
            let sole =
                (start..end).filter(|&other| sentence.get(other).is_some_and(super::token::Token::is_text)).count()
                    == 1;
            let sure =
                token.looks_like_name() || is_shaped(token) && (backed || at > start || spelled) || spelled && sole;
            let alone = !(0..sentence.tokens.len()).any(|other| {
                (other < start || other >= end) && sentence.get(other).is_some_and(super::token::Token::is_text)
            });
            let known = !alone
                && sentence.mention_at(at).is_some_and(|mention| {
                    mention.strong && !mention.candidates.iter().any(|one| focus.subject.contains(one))
                });
            (sure
                && !known
                && !token.is(BESIDE)
                && !token.is(words::NEVER_NAMES)
                && !token.is(words::HIDING)
                && !token.is(words::PUBLICITY)
                && !token.is(words::FEATURES))
            .then(|| bare_name(sentence, at))
            .flatten()
        })
        .collect();
    let language = |at: usize| sentence.languages.iter().any(|(place, ..)| *place == at);
    let others = (start..end).filter(|&at| {
        sentence.get(at).is_some_and(|token| {
            token.is_text() && !token.is(BESIDE) && !token.is(words::FILLERS) && !token.is(words::POLITE)
        }) && !language(at)
            && !names.iter().any(|name| name.at == at)
            && sentence.zone(at) == Zone::Main
    });
    if names.is_empty() || others.count() > 0 || (start..end).any(|at| sentence.is(at, words::NEGATIONS)) {
        return None;
    }
    // One that has the name already is not renamed by saying its name.
    let stands = |name: &NewName| {
        sentence.mention_at(name.at).is_some_and(|mention| {
            mention.candidates.iter().any(|&at| {
                let entity = sentence.lookup.entity(at);
                let today = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
                focus.subject.contains(&at) && crate::names::key(today) == crate::names::key(&name.text)
            })
        })
    };
    if names.iter().any(stands) {
        return None;
    }
    let first = names.first().map(|name| name.text.clone()).unwrap_or_default();
    let test = |at: usize| suits(sentence.lookup.entity(at).kind, &first, sentence.language);
    // What the sentence itself names before counts more than what was spoken of.
    let own = sentence.targets_fitting(0, start, focus, &test);
    let found = match own {
        Found::Nothing => subject(focus, &names, sentence.lookup, &test),
        other => other,
    };
    let Found::These(subject) = found else { return None };
    if subject.len() != names.len() {
        return None;
    }
    let alternatives = (start..end).any(|at| sentence.is(at, &["or"]));
    let at = names.first()?.at;
    Some(
        subject
            .into_iter()
            .zip(names)
            .map(|(target, name)| Rename { target: Ok(target), name, alternatives, negated: false, at })
            .collect(),
    )
}

fn bare_name(sentence: &Sentence<'_>, at: usize) -> Option<NewName> {
    let token = sentence.get(at)?;
    let last = token.text.rsplit(['.', '#']).next().unwrap_or(&token.text);
    let language = sentence.languages.iter().any(|(place, ..)| *place == at);
    (crate::names::is_identifier(last) && !language && last.len() > 1).then(|| NewName { at, text: token.text.clone() })
}
