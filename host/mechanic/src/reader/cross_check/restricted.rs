//! Changes that are wished for a part of the library alone: `for async only`, `only in the docs`. A decorator changes the name for
//! everybody, so that the change is not what was asked.

use super::super::sentence::{Sentence, Zone};

/// Whether a sentence wants its change for a part of the library, or for some of its users.
pub(super) fn is_for_a_part_only(sentence: &Sentence<'_>) -> bool {
    (0..sentence.tokens.len()).any(|at| {
        let clause = sentence.clause_start(at)..sentence.clause_end(at);
        let behind = at.saturating_add(1)..at.saturating_add(7).min(clause.end);
        let before = at.saturating_sub(6).max(clause.start)..at;
        let preposition = |at: usize| sentence.is(at, &["in", "for", "from", "on", "inside", "within"]);
        let says = |mut range: std::ops::Range<usize>| {
            let from = range.clone().find(|&at| preposition(at));
            from.is_some_and(|from| (from..range.end).any(|at| is_a_part(sentence, at))) && range.next().is_some()
        };
        let only = sentence.is(at, &["only", "solely", "exclusively", "alone"]) && sentence.zone(at) == Zone::Main;
        let ends = !sentence.is_text(at.saturating_add(1)) || at.saturating_add(1) >= clause.end;
        // `in requests, not in responses`
        let but_not = sentence.is(at, &["not"])
            && preposition(at.saturating_add(1))
            && (at.saturating_add(1)..at.saturating_add(4)).any(|here| is_a_part(sentence, here));
        // `it is for support only`: what a thing is.
        let told = sentence
            .has(clause.clone(), &["is", "are", "was", "were", "has", "have", "uses", "use", "exists", "needs"]);
        !told && (only && (preposition(behind.start) && says(behind.clone()) || ends && says(before)) || but_not)
    })
}

/// A word for a part of a library, a time of it, or those who use it.
fn is_a_part(sentence: &Sentence<'_>, at: usize) -> bool {
    let version =
        |word: &str| word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()));
    (sentence.is(at, PARTS) || version(sentence.lower(at))) && sentence.mention_at(at).is_none_or(|one| !one.strong)
}

const PARTS: &[&str] = list! {
    "async" "sync" "asynchronous" "synchronous" "preview" "previews" "beta" "alpha" "request" "requests" "response" "responses" "input"
    "inputs" "output" "outputs" "version" "versions" "docs" "documentation" "docstring" "docstrings" "samples" "sample" "readme" "tests"
    "test" "users" "customers" "admins" "partners" "tenants" "callers" "external" "overload" "overloads" "portal"
};
