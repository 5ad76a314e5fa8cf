//! One call in place of another: `list(frm=…) -> list(start=…)`.

use bailiwick_sdk::tasks::EntityKind;

use super::super::lexicon as words;
use super::super::names::NewName;
use super::super::sentence::{Sentence, same_name};
use super::super::token::Kind;
use super::Rename;

/// The parameters that have another name behind the arrow, where both calls have as many.
pub(super) fn arguments(sentence: &Sentence<'_>) -> Vec<Rename> {
    // `… -> …`, `… should be …`
    let arrow = sentence.tokens.iter().position(|token| token.kind == Kind::Arrow);
    let wished =
        |at: &usize| sentence.is(*at, words::OBLIGING) && sentence.is(at.saturating_add(1), &["be", "read", "become"]);
    let modal = || (0..sentence.tokens.len()).find(wished);
    let Some(at) = arrow.or_else(modal) else { return Vec::new() };
    let next = at.saturating_add(if arrow.is_some() { 1 } else { 2 });
    let called = |at: usize| sentence.get(at).filter(|token| token.called && !token.arguments.is_empty());
    let (Some(old), Some(new)) = (at.checked_sub(1).and_then(called), called(next)) else { return Vec::new() };
    let operations = sentence.lookup.find(&old.text);
    if old.arguments.len() != new.arguments.len() || !same_name(&old.text, &new.text) {
        return Vec::new();
    }
    let changed = old.arguments.iter().zip(&new.arguments).filter(|(old, new)| old != new);
    let parameter = |name: &str| {
        let mut found = sentence.lookup.find(name);
        found.retain(|&one| {
            sentence.lookup.entity(one).kind == EntityKind::Parameter
                && operations.iter().any(|&operation| sentence.lookup.holds(operation, one))
        });
        if let [one] = found.as_slice() { Some(*one) } else { None }
    };
    let renamed = |(old, new): (&String, &String)| {
        let name = NewName { at: next, text: new.clone() };
        let target = Ok(parameter(old)?);
        Some(Rename { target, name, alternatives: false, negated: sentence.negated(at), at, bare: false })
    };
    changed.map(renamed).collect::<Option<Vec<_>>>().unwrap_or_default()
}
