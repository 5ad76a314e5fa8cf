//! New names in a sentence: which words can be one, and where they stand.

use bailiwick_sdk::tasks::{EntityKind, Language};

use super::commanded::commanded;
use super::lexicon as words;
use super::sentence::Sentence;
use super::token::{Kind, Token};
use crate::names::{is_identifier, key};

/// A new name where a sentence has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewName {
    pub(super) at: usize,
    pub(super) text: String,
}

/// Names that are given together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) names: Vec<NewName>,
    /// Behind the last.
    pub(super) end: usize,
    /// Whether they are offered for a choice.
    pub(super) alternatives: bool,
}

/// Whether a word without any mark of a name can be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// Behind an arrow, or a verb that has no other sense.
    Allowed,
    /// Directly behind an arrow even a word of the language is one.
    Any,
    /// It has to be quoted or written as names are.
    Refused,
}

/// Whether a token is quoted or written as names are, a capital in the middle of a sentence included.
pub(super) fn is_shaped(token: &Token) -> bool {
    token.looks_like_name()
        || token.text.starts_with(char::is_uppercase)
            && (!words::NEVER_NAMES.contains(&token.lower.as_str()) || is_shouted(&token.text))
}

/// How far a name may be from the sign that announces it.
const REACH: usize = 5;

/// Whether the next pair of `rename A to b and C to d` begins at a token.
pub(super) fn opens_a_pair(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    (sentence.is(at, &["and"]) || sentence.is_sign(at, ','))
        && sentence
            .mention_at(next)
            .is_some_and(|mention| mention.strong && sentence.is(mention.end, &["to", "as", "into"]))
}

/// The names that begin at a token or a few fillers behind it.
pub(super) fn names_at(sentence: &Sentence<'_>, start: usize, plain: Plain) -> Option<Names> {
    if let Some(names) = listed(sentence, start).filter(|_| plain == Plain::Any) {
        return Some(names);
    }
    let first = commanded(sentence, start).or_else(|| first_name(sentence, start, plain))?;
    let mut names = Names { end: first.at.saturating_add(1), names: vec![first], alternatives: false };
    // `a, b`, `a / b`, `a and b`.
    loop {
        let mut here = names.end;
        let mut joined = false;
        let mut alternative = false;
        while let Some(token) = sentence.get(here) {
            if [',', '/', '&', '|', '+'].iter().any(|sign| token.is_sign(*sign))
                || token.is(&["and", "resp", "respectively"])
            {
                joined = true;
            } else if token.is(&["or", "maybe", "perhaps", "alternatively"]) {
                joined = true;
                alternative = true;
            } else {
                break;
            }
            here = here.saturating_add(1);
        }
        let next = sentence.get(here).filter(|_| joined).and_then(|token| {
            // `to some_name and other.`: a word that ends the thought.
            let last = !alternative
                && token.kind == Kind::Word
                && ends_thought(sentence, here.saturating_add(1))
                && sentence.is(here.saturating_sub(1), &["and"])
                && ![words::FEATURES, words::POLITE, words::FILLERS, words::NEVER_NAMES, words::KEEPING, words::HIDING]
                    .iter()
                    .any(|list| token.is(list));
            // `Label and Level`: a capital as the one before.
            let capital = |token: &Token| token.kind == Kind::Word && token.text.starts_with(char::is_uppercase);
            let alike = !alternative
                && capital(token)
                && names.names.last().and_then(|last| sentence.get(last.at)).is_some_and(capital)
                && ends_thought(sentence, here.saturating_add(1));
            let certain = is_shaped(token) || last || alike;
            // The next pair of a list: `a -> b, c -> d`.
            let opens =
                sentence.get(here.saturating_add(1)).is_some_and(|next| next.kind == Kind::Arrow || next.is_sign(':'));
            let clause = sentence.is(
                here.saturating_add(1),
                &[
                    "to", "should", "must", "as", "is", "stays", "becomes", "has", "would", "can", "may", "stay",
                    "named", "called", "likewise", "too", "also", "same", "will", "remains", "are", "was",
                ],
            );
            // `a for b, c for d`
            let exchanged = start.checked_sub(1).is_some_and(|sign| sentence.is(sign, &["for"]))
                && sentence.is(here.saturating_add(1), &["for"]);
            (certain && !opens && !clause && !exchanged && !is_language(sentence, here))
                .then(|| match name_of(sentence, here) {
                    None if alike => Some(NewName { at: here, text: token.text.clone() }),
                    name => name,
                })
                .flatten()
        });
        let Some(next) = next else { break };
        names.end = here.saturating_add(1);
        // `GetXAsync / GetX`: one name in two forms.
        let stem = |text: &str| {
            let text = text.trim_end_matches("Async");
            let bare = ["get", "set", "with", "is"]
                .iter()
                .find_map(|prefix| text.strip_prefix(prefix).filter(|rest| rest.starts_with(char::is_uppercase)));
            key(bare.unwrap_or(text))
        };
        if names.names.last().is_some_and(|last| stem(&last.text) == stem(&next.text)) {
            continue;
        }
        names.alternatives |= alternative;
        names.names.push(next);
    }
    Some(names)
}

/// Whether a sentence ends at a token, or says that names go to things in their order.
pub(super) fn ends_thought(sentence: &Sentence<'_>, at: usize) -> bool {
    let at = at.saturating_add(usize::from(sentence.is_sign(at, ',')));
    sentence.get(at).is_none_or(|token| token.is(&["resp", "respectively"]) || token.is_sign('.'))
}

/// `width/height/depth`, written without spaces.
fn listed(sentence: &Sentence<'_>, start: usize) -> Option<Names> {
    let mut names: Vec<NewName> = Vec::new();
    let mut here = start;
    loop {
        let token = sentence
            .get(here)
            .filter(|token| token.kind == Kind::Word && token.text.len() > 1 && is_identifier(&token.text))?;
        names.push(NewName { at: here, text: token.text.clone() });
        let slash =
            sentence.get(here.saturating_add(1)).filter(|next| next.is_sign('/') && next.span.start == token.span.end);
        let Some(slash) = slash else { break };
        sentence.get(here.saturating_add(2)).filter(|next| next.span.start == slash.span.end)?;
        here = here.saturating_add(2);
    }
    (names.len() > 1).then(|| Names { end: here.saturating_add(1), names, alternatives: false })
}

fn first_name(sentence: &Sentence<'_>, start: usize, plain: Plain) -> Option<NewName> {
    let mut here = start;
    while here < start.saturating_add(REACH) {
        let token = sentence.get(here)?;
        if token.kind == Kind::Sign('\n') {
            return None;
        }
        if plain == Plain::Any
            && here == start
            && token.is_text()
            && is_identifier(&token.text)
            && ends_here(sentence, here.saturating_add(1))
            && !is_language(sentence, here)
        {
            // `CANCELLED -> CANCELED`: in capitals as what it replaces.
            let capitals = is_in_capitals(&token.text)
                && (0..here)
                    .rev()
                    .filter_map(|before| sentence.get(before))
                    .find(|token| token.is_text())
                    .is_some_and(|before| is_in_capitals(before.text.rsplit(['.', '#']).next().unwrap_or_default()));
            // `Sent -> Delivered`: a state as what it replaces.
            let state = token.text.starts_with(char::is_uppercase)
                && sentence.mentions.iter().any(|mention| {
                    mention.end == here.saturating_sub(1)
                        && mention.candidates.iter().any(|&one| {
                            let entity = sentence.lookup.entity(one);
                            entity.kind == EntityKind::EnumMember && resembles(&entity.name, &token.text)
                        })
                });
            let verb = !token.looks_like_name() && !capitals && !state && token.lower.ends_with("ed")
                || token.is(words::FEATURES) && !spells_out(sentence, here)
                || token.is(words::NEGATIONS)
                || !capitals && (token.is(words::HIDING) || token.is(words::PUBLICITY))
                || token.is(words::POLITE)
                || token.is(words::APPROVING)
                || token.is(words::KEEPING)
                || token.is(words::DOUBTS)
                || token.is(words::RETRACTIONS)
                || token.is(words::AGREEING);
            return (!verb).then(|| NewName { at: here, text: token.text.clone() });
        }
        let is_filler = token.is(words::FILLERS)
            || token.is(list! {
                "called" "named" "something" "like" "be" "back" "either" "simply" "e.g" "i.e" "spelled" "spelt"
                "say" "write" "use" "rather" "hence"
            });
        if let Some(name) = name_of(sentence, here).filter(|_| plain != Plain::Refused || is_shaped(token)) {
            // A word that is a filler as well is a name only where nothing follows.
            if !is_filler
                || token.quoted
                || ends_here(sentence, here.saturating_add(1)) && !words::NEVER_NAMES.contains(&token.lower.as_str())
            {
                return Some(name);
            }
        }
        let skipped = is_filler
            || ['"', '\'', '`', '*', ':', '“', '(', '‘'].iter().any(|sign| token.is_sign(*sign))
            || words::kinds_of(&token.lower).is_some() && here == start;
        if !skipped {
            return None;
        }
        here = here.saturating_add(1);
    }
    None
}

/// `PENDING`: a member of an enum, and no word.
fn is_shouted(text: &str) -> bool {
    is_in_capitals(text) && text.chars().count() > 4
}

fn is_in_capitals(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

fn is_language(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.languages.iter().any(|(place, ..)| *place == at)
}

/// The name at a token, if it can be one.
pub(super) fn name_of(sentence: &Sentence<'_>, at: usize) -> Option<NewName> {
    let token = sentence.get(at).filter(|token| token.is_text())?;
    if is_language(sentence, at) {
        return None;
    }
    if is_ending(sentence, at) {
        return None;
    }
    // `Access.internal`: what a decorator takes.
    if ["access.internal", "access.public"].contains(&token.lower.as_str()) {
        return None;
    }
    // A path that leads to something is no new name: `widgets.delete(…)`.
    if token.called && token.text.contains('.') && !sentence.lookup.find(&token.text).is_empty() {
        return None;
    }
    let text = token.text.trim_matches(['.', '#', '"']).to_owned();
    let last = text.rsplit(['.', '#']).next().unwrap_or(&text);
    if !is_identifier(last) || is_convention(last) || is_file(&text) {
        return None;
    }
    // `… [RuleOfTheTool]`: what a tool calls its rule.
    let bracketed = at.checked_sub(1).is_some_and(|before| sentence.is_sign(before, '['))
        && sentence.is_sign(at.saturating_add(1), ']');
    if bracketed && !token.quoted {
        return None;
    }
    // `= rest_field(name="a")`
    let assigned = at.checked_sub(1).is_some_and(|before| sentence.is_sign(before, '='));
    if assigned && token.called {
        return None;
    }
    let shaped = token.looks_like_name();
    // `list[Part]`
    let end = token.span.end;
    let generic = sentence
        .get(at.saturating_add(1))
        .is_some_and(|next| (next.is_sign('[') || next.is_sign('<')) && next.span.start == end && !token.quoted);
    // `should be Serializable`
    let adjective = !shaped && ["able", "ible"].iter().any(|ending| token.lower.ends_with(ending));
    if generic || adjective {
        return None;
    }
    let never = words::NEVER_NAMES.contains(&token.lower.as_str()) && !is_shouted(&text);
    let capital = text.starts_with(char::is_uppercase) && sentence.clause_start(at) != at;
    let certain = token.quoted || shaped || capital && !never;
    let plain = !never
        && !token.is(words::HIDING)
        && !token.is(words::PUBLICITY)
        && !token.is(words::RENAME_PROPER)
        && token.lower.chars().count() > 1
        && words::language(&token.lower).is_none()
        && ends_here(sentence, at.saturating_add(1));
    (certain || plain).then_some(NewName { at, text })
}

/// `src/parts.spec.ts`, `parts.go`
pub(super) fn is_file(text: &str) -> bool {
    const ENDINGS: &[&str] =
        list! { "py" "java" "cs" "ts" "js" "go" "tsp" "md" "json" "yaml" "yml" "txt" "xml" "cjs" "mjs" };
    text.contains('/') || text.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// A way of writing names, or a name that a language itself gives: `snake_case`, `__slots__`.
pub(super) fn is_convention(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.starts_with("__")
        || ["snake_case", "camelcase", "pascalcase", "kebab_case", "upper_case"].contains(&lower.as_str())
}

/// `...Uri`: an ending of names, and no name.
pub(super) fn is_ending(sentence: &Sentence<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| sentence.get(before));
    sentence.get(at).zip(before).is_some_and(|(token, before)| {
        before.span.end == token.span.start && (before.is_sign('.') || before.is_sign('…'))
    })
}

/// Whether what follows ends the thought: a sign, courtesy, a place, a reason.
pub(super) fn ends_here(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(token) = sentence.get(at) else { return true };
    let sign = |token: &Token| matches!(token.kind, Kind::Sign(c) if c != '\'' && c != '/');
    sign(token)
        || token.is(words::POLITE)
        || token.is(list! {
            "in" "for" "and" "because" "so" "as" "since" "instead" "then" "while" "like" "which" "but" "or" "too"
            "if" "unless" "once" "here" "there" "everywhere" "now" "also" "rather" "when" "to" "only" "on" "until"
            "from" "of" "anyway" "everyone" "all" "alike" "same"
        })
        || sentence.languages.iter().any(|(place, ..)| *place == at)
}

/// Whether a new name is written as names of a kind are in a language, so that it can be meant for it.
pub(super) fn suits(kind: EntityKind, text: &str, language: Language) -> bool {
    let last = text.rsplit(['.', '#']).next().unwrap_or(text);
    let upper = last.chars().any(char::is_uppercase);
    let lower = last.chars().any(char::is_lowercase);
    let shouted = upper && !lower && last.chars().count() > 1;
    let pascal = last.starts_with(char::is_uppercase) && lower;
    let snake = last.contains('_') && lower;
    // `-> string`: a type, and only an operation can be called like one.
    if kind != EntityKind::Operation && words::TYPES.contains(&last.to_lowercase().as_str()) {
        return false;
    }
    let is_type = kind.is_type() || kind == EntityKind::Namespace;
    let is_client = last.ends_with("Client") && last.len() > 6;
    if kind == EntityKind::Namespace || is_client {
        return is_client && matches!(kind, EntityKind::Namespace | EntityKind::Interface);
    }
    match language {
        _ if kind == EntityKind::Interface => true,
        Language::Python | Language::Java if shouted && last.contains('_') => kind == EntityKind::EnumMember,
        _ if snake => !is_type,
        Language::Dotnet | Language::Go => true,
        _ if last.chars().count() == 1 => is_type == upper,
        _ if pascal => is_type || kind == EntityKind::EnumMember,
        _ if shouted => kind == EntityKind::EnumMember || is_type,
        // A word in lower case is no name of a class.
        _ => !is_type,
    }
}

/// Whether a word spells out what is named in front of it.
pub(super) fn spells_out(sentence: &Sentence<'_>, at: usize) -> bool {
    let text = sentence.get(at).map_or("", |token| token.text.as_str());
    let before = sentence.mentions.iter().filter(|mention| mention.end <= at);
    before.flat_map(|mention| &mention.candidates).any(|&one| resembles(&sentence.lookup.entity(one).name, text))
}

/// Whether a new name spells out or goes on from an old one: its letters in their order, or a word that both have.
pub(super) fn resembles(old: &str, new: &str) -> bool {
    let (short, long) = (key(old), key(new));
    let mut letters = long.chars();
    let spelled = short.chars().next() == long.chars().next()
        && short.chars().count() >= 2
        && short.chars().filter(|c| !c.is_ascii_digit()).all(|c| letters.any(|other| other == c));
    let long_words: Vec<String> = crate::names::words(new).iter().map(|word| word.to_lowercase()).collect();
    let shared = crate::names::words(old)
        .iter()
        .any(|word| word.chars().count() > 2 && long_words.contains(&word.to_lowercase()));
    spelled || shared
}
