//! Parts of a list that no reading covers: `rename A to B and x to y`, `hide A and foo`. What is asked is not half done
//! without a word.

use super::super::lexicon as words;
use super::super::names::ends_here;
use super::super::sentence::{Sentence, Zone};
use super::super::token::Kind;
use super::Ask;

/// Whether a sentence lists something beside what was read of it, in a form that the readings share.
pub(super) fn lists_more(sentence: &Sentence<'_>, rested: &[(Ask, Vec<usize>)]) -> bool {
    let renames = rested.iter().any(|(ask, _)| matches!(ask, Ask::Rename { .. }));
    let seen: Vec<usize> = rested
        .iter()
        .filter(|(ask, _)| matches!(ask, Ask::Hide { .. } | Ask::Show { .. }))
        .filter_map(|(ask, _)| ask.target())
        .collect();
    let targets: Vec<usize> = rested.iter().filter_map(|(ask, _)| ask.target()).collect();
    renames && gives_another_name(sentence, rested)
        || !seen.is_empty() && (names_another(sentence, rested, &seen) || turns_another(sentence, rested))
        || lists_something_unknown(sentence, &targets)
        || goes_to_another_place(sentence, rested)
        || includes_another(sentence)
}

/// `X and foo should be internal`, `move X and foo to Y`: a word of the list that has the target in it.
fn lists_something_unknown(sentence: &Sentence<'_>, targets: &[usize]) -> bool {
    let joins = |at: usize| sentence.is(at, &["and", "plus"]) || sentence.is_sign(at, '&') || sentence.is_sign(at, ',');
    let ends = |at: usize| {
        sentence.is(at, words::MODALS)
            || sentence.is(at, words::OBLIGING)
            || sentence.is(at, &["to", "into", "must", "should"])
    };
    let known = |at: usize| {
        sentence.mention_at(at).is_some()
            || sentence.is(at, words::FILLERS)
            || sentence.is(at, words::POLITE)
            || words::kinds_of(sentence.lower(at)).is_some()
            || sentence.languages.iter().any(|(place, ..)| *place == at)
            || sentence.is(at, &["then", "so", "it", "they", "we", "i", "also", "therefore", "this", "that", "both"])
    };
    sentence
        .mentions
        .iter()
        .filter(|mention| mention.strong && mention.candidates.iter().any(|one| targets.contains(one)))
        .any(|mention| {
            let word = mention.end.saturating_add(1);
            joins(mention.end)
                && sentence.is_text(word)
                && !known(word)
                && ends(word.saturating_add(1))
                && sentence.zone(word) == Zone::Main
        })
}

/// `make X internal and foo public`: another word of being seen, for another thing.
fn turns_another(sentence: &Sentence<'_>, rested: &[(Ask, Vec<usize>)]) -> bool {
    let Some(&at) = rested
        .iter()
        .filter(|(ask, _)| matches!(ask, Ask::Hide { .. } | Ask::Show { .. }))
        .find_map(|(_, places)| places.first())
    else {
        return false;
    };
    let made = sentence.is(sentence.clause_start(at), &["make", "mark", "set"]);
    (at.saturating_add(1)..sentence.tokens.len().min(at.saturating_add(6))).any(|here| {
        made && sentence.is(at.saturating_add(1), &["and"])
            && sentence.is(here, &["internal", "public", "private", "hidden", "visible"])
            && sentence.mention_at(here).is_none()
    })
}

/// `X should be internal, and foo as well`, `… and so should foo`: more of the same for something that is not known.
fn includes_another(sentence: &Sentence<'_>) -> bool {
    (1..sentence.tokens.len()).any(|at| {
        let so = sentence.is(at, &["so"])
            && sentence.is(at.saturating_sub(1), &["and"])
            && sentence.is(at.saturating_add(1), &["should", "must", "shall"]);
        let next = at.saturating_add(1);
        let as_well = sentence.is(at, &["and"])
            && sentence.is_text(next)
            && sentence.mention_at(next).is_none()
            && sentence.languages.iter().all(|(place, ..)| *place != next)
            && sentence.phrase(next.saturating_add(1), &["as", "well"])
            && !sentence.is(next, &["in", "for"]);
        so || as_well
    })
}

/// `move X to A and foo to B`: as many places as places were read, or something goes to another one.
fn goes_to_another_place(sentence: &Sentence<'_>, rested: &[(Ask, Vec<usize>)]) -> bool {
    let mut places: Vec<&String> = Vec::new();
    for (ask, _) in rested {
        if let Ask::Move { to, .. } = ask
            && !places.contains(&to)
        {
            places.push(to);
        }
    }
    let renamed = rested.iter().any(|(ask, _)| matches!(ask, Ask::Rename { .. }));
    let joined = (1..sentence.tokens.len()).filter(|&at| {
        sentence.is(at, &["to", "into", "onto"])
            && sentence.zone(at) == Zone::Main
            && (at.saturating_sub(3)..at).any(|here| sentence.is(here, &["and"]) || sentence.is_sign(here, ','))
            && sentence.is_text(at.saturating_sub(1))
            && !sentence.is(
                at.saturating_sub(1),
                &["and", "over", "moved", "move", "it", "go", "goes", "belongs", "back", "up"],
            )
    });
    !places.is_empty() && !renamed && joined.count() >= places.len()
}

/// `… and x to y`, `… and x should be y`: the form of a rename that was not read.
fn gives_another_name(sentence: &Sentence<'_>, rested: &[(Ask, Vec<usize>)]) -> bool {
    let places: Vec<usize> = rested.iter().flat_map(|(_, places)| places.iter().copied()).collect();
    let Some(&first) = places.iter().min() else { return false };
    let read = |at: usize| places.contains(&at);
    let plain = |at: usize| {
        sentence.is_text(at)
            && !sentence.is(at, words::FILLERS)
            && !sentence.is(at, words::POLITE)
            && sentence.languages.iter().all(|(place, ..)| *place != at)
    };
    (first..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        let to = sentence.is(at, &["to"]) || sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow);
        let be = sentence.is(at, &["be"]) && sentence.is(at.saturating_sub(1), words::OBLIGING);
        let name = plain(next)
            && crate::names::is_identifier(sentence.get(next).map_or("", |token| token.text.as_str()))
            && ends_here(sentence, next.saturating_add(1))
            && !sentence.is(next, words::HIDING)
            && !sentence.is(next, words::PUBLICITY)
            && !sentence.is(
                next,
                &["done", "fixed", "consistent", "clear", "clearer", "better", "shorter", "it", "them", "that", "this"],
            );
        // What gets it stands behind a word that joins.
        let joined = (first..at).rev().take(6).find(|&here| sentence.is(here, &["and"]) || sentence.is_sign(here, ','));
        let thing = joined.is_some_and(|join| {
            let end = if be { at.saturating_sub(1) } else { at };
            (join.saturating_add(1)..end)
                .any(|here| plain(here) && !sentence.is(here, &["back", "it", "them", "up", "over", "so"]))
        });
        (to || be)
            && name
            && thing
            && !read(at)
            && !read(next)
            && sentence.zone(at) == Zone::Main
            && !sentence.negated(at)
            && !sentence
                .is(at.saturating_sub(1), &["similar", "according", "next", "due", "compared", "back", "thanks"])
    })
}

/// `hide A and foo`, `hide get and delete of B`: a word of the list that none of what was found stands for.
fn names_another(sentence: &Sentence<'_>, rested: &[(Ask, Vec<usize>)], targets: &[usize]) -> bool {
    let Some(at) = rested
        .iter()
        .filter(|(ask, _)| matches!(ask, Ask::Hide { .. } | Ask::Show { .. }))
        .find_map(|(_, places)| places.first().copied())
    else {
        return false;
    };
    let order = sentence.is(at, &["hide", "unexport", "conceal", "expose", "export", "unhide"]);
    if !order {
        return false;
    }
    let stops = |here: usize| {
        sentence.is(here, words::MODALS)
            || sentence.is(here, words::OBLIGING)
            || sentence.is(here, words::KEEPING)
            || sentence.is(here, words::NEGATIONS)
            || sentence.is(here, super::wishes::ORDERS) && sentence.mention_at(here).is_none()
            || sentence.is(
                here,
                &[
                    "is", "are", "but", "in", "for", "from", "because", "since", "so", "as", "like", "unlike", "while",
                    "which", "if",
                ],
            )
            || sentence.zone(here) != Zone::Main
            || sentence.get(here).is_some_and(
                |token| matches!(token.kind, Kind::Sign(c) if ![',', '`', '"', '\'', '*', '/', '&', '+'].contains(&c)),
            )
    };
    let end = (at.saturating_add(1)..sentence.tokens.len()).find(|&here| stops(here)).unwrap_or(sentence.tokens.len());
    let begins = |here: usize| {
        let before = here.saturating_sub(1);
        before == at
            || sentence.is(before, &["and", "plus"])
            || sentence.is_sign(before, ',')
            || sentence.is_sign(before, '/')
    };
    let stands_for = |here: usize| {
        sentence.mention_at(here).is_some_and(|mention| {
            mention
                .candidates
                .iter()
                .any(|one| targets.contains(one) || targets.iter().any(|&inner| sentence.lookup.holds(*one, inner)))
        })
    };
    (at.saturating_add(1)..end).filter(|&here| begins(here) && sentence.is_text(here)).any(|here| {
        let next = here.saturating_add(1);
        let item = next >= end || sentence.is(next, &["and", "plus", "of"]) || sentence.is_sign(next, ',');
        let named = sentence.mention_at(here).is_some() || sentence.looks_like_name(here) || capital(sentence, here);
        item && named && !stands_for(here) && sentence.languages.iter().all(|(place, ..)| *place != here)
    })
}

fn capital(sentence: &Sentence<'_>, at: usize) -> bool {
    at > 0 && sentence.get(at).is_some_and(|token| token.is_text() && token.text.starts_with(char::is_uppercase))
}
