//! Finds out why a sentence fits no form, so that the guidance can name the word that stopped it.

use super::clause::Clause;
use super::intents::{Refusal, Verb};
use super::tokens::TokenKind;
use super::words::{self, StopKind, stop_kind};
use bailiwick_sdk::tasks::Entity;

/// The best reason there is, the most dangerous kind first.
pub(crate) fn explain(clause: &Clause<'_>) -> Refusal {
    stops(clause, &[StopKind::Negation, StopKind::Exception, StopKind::Condition])
        .or_else(|| other_language(clause))
        .or_else(|| verbs(clause))
        .or_else(|| second_target(clause))
        .or_else(|| stops(clause, &[StopKind::Conjunction, StopKind::Quantity]))
        .or_else(|| unknown_word(clause))
        .unwrap_or_else(|| incomplete(clause))
}

fn words_at<'a>(clause: &'a Clause<'_>) -> impl Iterator<Item = (usize, &'a str)> {
    (0..clause.len()).map(|at| (at, clause.word(at))).filter(|(_, word)| !word.is_empty())
}

fn stops(clause: &Clause<'_>, kinds: &[StopKind]) -> Option<Refusal> {
    words_at(clause).find_map(|(at, word)| {
        let kind = stop_kind(word).filter(|kind| kinds.contains(kind))?;
        Some(Refusal::Stop { word: clause.tokens[at].text.clone(), kind })
    })
}

fn other_language(clause: &Clause<'_>) -> Option<Refusal> {
    let at = (0..clause.len()).find(|&at| clause.is_other_language(at))?;
    Some(Refusal::OtherLanguage { named: clause.tokens[at].text.clone() })
}

/// What a word asks for, if it is a verb of a supported request.
fn core_verb(word: &str) -> Option<Verb> {
    match word {
        "hide" | "hides" | "hid" | "hidden" | "hiding" | "conceal" | "internal" | "private" | "nonpublic"
        | "non-public" => Some(Verb::Hide),
        "rename" | "renames" | "renamed" | "renaming" | "named" | "called" => Some(Verb::Rename),
        "move" | "moves" | "moved" | "moving" | "relocate" => Some(Verb::Move),
        _ => None,
    }
}

fn verbs(clause: &Clause<'_>) -> Option<Refusal> {
    let sentence = clause.text();
    let core: Vec<(usize, Verb)> =
        words_at(clause).filter_map(|(at, word)| core_verb(word).map(|verb| (at, verb))).collect();
    let other = words_at(clause)
        .find(|&(at, word)| words::OTHER_VERBS.contains(&word) && !is_part_of_name(clause, at))
        .map(|(at, _)| at);
    match (core.first(), other) {
        (None, None) => match words_at(clause).find(|(_, word)| ["call", "name"].contains(word)) {
            Some(_) => None,
            None => Some(Refusal::NoVerb { sentence }),
        },
        (None, Some(other)) => Some(Refusal::Unsupported { verb: clause.word(other).to_owned(), sentence }),
        (Some(&(first, verb)), _) => {
            let second = core.iter().find(|(_, second)| *second != verb).map(|&(at, _)| at);
            let helps =
                ["make", "set", "mark", "turn", "change", "take", "use", "give", "remove", "drop", "put", "place"];
            let other = other.filter(|&at| at > first || !helps.contains(&clause.word(at)));
            second.or(other).map(|at| Refusal::SecondVerb { word: clause.tokens[at].text.clone() })
        }
    }
}

/// Two names of entities, none of which is inside the other, where the form has room for one.
fn second_target(clause: &Clause<'_>) -> Option<Refusal> {
    let mut names: Vec<(String, Vec<usize>)> = Vec::new();
    for token in clause.tokens.iter().filter(|token| token.is_word() || token.kind == TokenKind::Quoted) {
        let known = words::kinds_of_noun(&token.lower).is_some() || words::SDK_NOUNS.contains(&token.lower.as_str());
        let found = clause.lookup.find(&token.text);
        if !found.is_empty() && !known {
            names.push((token.text.clone(), found));
        }
    }
    let (first, rest) = names.split_first()?;
    let joined = words_at(clause).any(|(_, word)| matches!(stop_kind(word), Some(StopKind::Conjunction)))
        || clause.tokens.iter().any(|token| token.kind == TokenKind::Punctuation(','));
    let second = rest.iter().find(|(_, found)| *found != first.1)?;
    joined.then(|| Refusal::SecondTarget { first: first.0.clone(), second: second.0.clone() })
}

fn verb_of(clause: &Clause<'_>) -> Verb {
    words_at(clause).find_map(|(_, word)| core_verb(word)).unwrap_or(Verb::Rename)
}

fn unknown_word(clause: &Clause<'_>) -> Option<Refusal> {
    let unknown: Vec<usize> = (0..clause.len())
        .filter(|&at| clause.tokens[at].is_word() && !clause.is_known_word(at) && !is_part_of_name(clause, at))
        .collect();
    let near = |at: usize| -> Vec<Entity> {
        clause
            .lookup
            .near(&clause.tokens[at].text)
            .into_iter()
            .map(|found| clause.lookup.entity(found).clone())
            .collect()
    };
    let nearest = unknown.iter().map(|&at| (at, near(at))).find(|(_, near)| !near.is_empty());
    if let Some((at, near)) = nearest {
        return Some(Refusal::NotFound { text: clause.tokens[at].text.clone(), near });
    }
    // What follows `to` or `called` is most likely the new name, which nobody expects to be known.
    let is_new_name =
        |at: usize| at > 0 && clause.is(at - 1, &["to", "as", "into", "->", "called", "named", "name", "renamed"]);
    let first = *unknown.iter().find(|at| !is_new_name(**at)).or(unknown.first())?;
    Some(Refusal::UnknownWord { word: clause.tokens[first].text.clone(), verb: verb_of(clause) })
}

/// Whether a word, alone or with its neighbours, names an entity.
fn is_part_of_name(clause: &Clause<'_>, at: usize) -> bool {
    (at.saturating_sub(4)..=at).any(|from| {
        (at..(from + 5).min(clause.len())).any(|to| {
            let words: Vec<&str> = clause.tokens[from..=to].iter().map(|token| token.text.as_str()).collect();
            !clause.lookup.find(&words.join(" ")).is_empty()
        })
    })
}

fn incomplete(clause: &Clause<'_>) -> Refusal {
    let verb = verb_of(clause);
    let names = clause.tokens.iter().any(|token| {
        (token.is_word() || token.kind == TokenKind::Quoted) && !clause.lookup.find(&token.text).is_empty()
    });
    let sentence = clause.text();
    match verb {
        _ if !names => Refusal::MissingTarget { verb, sentence },
        Verb::Rename => Refusal::MissingName { sentence },
        _ => Refusal::Unclear { sentence },
    }
}
