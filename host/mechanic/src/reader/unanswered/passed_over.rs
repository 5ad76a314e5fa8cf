//! A wish with a thing and a name that nothing has, in a request that would end as nothing to do.

use bailiwick_sdk::tasks::Language;

use super::super::document::{Findings, sentence_spans};
use super::super::lexicon as words;
use super::super::names::is_shaped;
use super::super::rename::{rewrites_code, tells};
use super::super::sentence::{Sentence, Zone};
use super::super::structure::{Role, units};
use super::super::token::{Kind, tokenize};
use super::idle::is_idle;
use crate::entities::Lookup;

/// Whether any sentence that nothing was read of obliges a thing to have a name, and nothing turns that round.
pub(in crate::reader) fn passes_over(request: &str, found: &Findings, language: Language, lookup: &Lookup<'_>) -> bool {
    if found.closed || found.retracted || found.to_tools {
        return false;
    }
    let prose = units(request).into_iter().filter(|unit| matches!(unit.role, Role::Prose | Role::Item));
    prose.into_iter().any(|unit| {
        let text = request.get(unit.span).unwrap_or_default();
        sentence_spans(text).into_iter().any(|span| {
            let tokens = tokenize(text.get(span).unwrap_or_default());
            let sentence = Sentence::new(&tokens, lookup, language);
            let rewritten = (0..sentence.tokens.len()).any(|at| {
                sentence.get(at).is_some_and(|token| token.kind == Kind::Arrow) && rewrites_code(&sentence, at)
            });
            rewritten || obliges_a_name(&sentence) || keeps_back(&sentence) || obliges_what_was_named(&sentence)
        })
    })
}

fn obliges_a_name(sentence: &Sentence<'_>) -> bool {
    let named = |at: usize| {
        sentence
            .mentions
            .iter()
            .any(|mention| mention.strong && mention.at < at && sentence.zone(mention.at) == Zone::Main)
    };
    let free = |at: usize| {
        sentence
            .get(at)
            .is_some_and(|token| token.is_text() && token.looks_like_name() && is_shaped(token) && !token.called)
            && sentence.get(at).is_some_and(|token| crate::names::is_identifier(&token.text))
            && sentence.mention_at(at).is_none()
            && sentence.zone(at) == Zone::Main
    };
    let asked = |at: usize| {
        let clause = sentence.clause_start(at)..at;
        let arrow =
            at.checked_sub(1).and_then(|before| sentence.get(before)).is_some_and(|token| token.kind == Kind::Arrow);
        let turned = clause.clone().any(|here| sentence.is(here, words::NEGATIONS));
        let obliged = sentence.has(clause, words::OBLIGING) && !turned;
        (arrow || obliged) && !sentence.is_about_others(at) && !is_idle(sentence, sentence.clause_start(at)..at)
    };
    !tells(sentence) && (0..sentence.tokens.len()).any(|at| free(at) && named(at) && asked(at))
}

/// `don't publish X before GA`: something that shall not be seen, in words of which nothing was read.
fn keeps_back(sentence: &Sentence<'_>) -> bool {
    sentence.mentions.iter().filter(|mention| mention.strong).any(|mention| {
        let clause = sentence.clause_start(mention.at)..mention.at;
        let verb = clause.clone().find(|&at| sentence.is(at, &["publish", "release", "ship", "offer"]));
        verb.is_some_and(|verb| {
            let ordered = sentence.phrase(verb.saturating_sub(2), &["do", "not"])
                || verb.checked_sub(1).is_some_and(|before| sentence.is(before, &["don't", "dont", "never"]));
            ordered && !sentence.is_about_others(verb)
        })
    })
}

/// `the second value should be X`: something that was named before, and is not found.
fn obliges_what_was_named(sentence: &Sentence<'_>) -> bool {
    (1..sentence.tokens.len()).any(|at| {
        let next = at.saturating_add(1);
        words::kinds_of(sentence.lower(at)).is_some()
            && sentence.is(at.saturating_sub(1), &["that", "first", "second", "third", "last", "other"])
            && sentence.is(next, words::OBLIGING)
            && sentence.is(next.saturating_add(1), &["be", "become", "read"])
            && sentence.zone(at) == Zone::Main
            && !sentence.is_about_others(at)
    })
}
