//! Languages that a sentence talks of and gives no order for: `rename X to Y, as it is called in Java`.

use bailiwick_sdk::tasks::{Language, Scope};

use super::super::lexicon as words;
use super::super::sentence::{LanguageRole, Sentence, Zone};
use super::super::token::Kind;

/// Whether a change would leave the package's own language out for a language that the sentence names in passing. What it
/// names nowhere stands in a heading, which is no talk.
pub(super) fn is_talk(sentence: &Sentence<'_>, scope: Option<&Scope>, own: Language) -> bool {
    let Some(scope) = scope.filter(|scope| !scope.covers(own)) else { return false };
    let named: Vec<usize> = sentence
        .languages
        .iter()
        .filter(|(_, language, role)| scope.covers(*language) && *role == LanguageRole::Scope)
        .map(|(at, ..)| *at)
        .collect();
    !named.is_empty() && !named.into_iter().any(|at| is_ordered_for(sentence, at))
}

/// `rename X in Java`, `In Java, …`, `Java: …`, `(Java only)`.
fn is_ordered_for(sentence: &Sentence<'_>, at: usize) -> bool {
    let next = at.saturating_add(1);
    let first = (0..sentence.tokens.len()).find(|&here| sentence.is_text(here)).unwrap_or(0);
    let placed = at
        .checked_sub(1)
        .is_some_and(|before| sentence.is(before, &["in", "for", "to", "the", "and", "our", "from", "of"]));
    let only = (at.saturating_sub(2)..at.saturating_add(4)).any(|here| sentence.is(here, &["only", "alone", "just"]));
    let leads = at <= first.saturating_add(2) && (placed || at == first);
    if only || leads || sentence.is_sign(next, ':') && at == first {
        return true;
    }
    let clause = sentence.clause_start(at)..sentence.clause_end(at);
    let copula =
        sentence.has(clause.start..at, &["it's", "was", "were", "had", "found", "came", "noticed", "got", "feedback"]);
    let order =
        [words::RENAME_PROPER, words::HIDING, words::MOVE_PROPER, words::OBLIGING, words::PUBLICITY, words::RENAMING]
            .iter()
            .any(|list| sentence.has(clause.clone(), list));
    let arrow = clause.clone().any(|here| sentence.get(here).is_some_and(|token| token.kind == Kind::Arrow));
    let bracket = (0..at).filter(|&here| sentence.is_sign(here, '(')).count()
        > (0..at).filter(|&here| sentence.is_sign(here, ')')).count();
    // `the name it has in Java`
    let told = at.checked_sub(2).is_some_and(|before| sentence.is(before, &["has", "have", "had"]));
    placed && !told && !bracket && !copula && (order || arrow) && sentence.zone(at) == Zone::Main
}
