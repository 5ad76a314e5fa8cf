//! Which items of a list stand alone, so that one that is not understood stops no other.

use super::clause::looks_like_name;
use super::entities::Lookup;
use super::intents::Intent;
use super::tokens::{Token, TokenKind, tokenize};
use super::words::CONNECTIVES;
use super::words::REFERRING;
use bailiwick_sdk::tasks::Entity;

/// The entities that an item of a list is about, if it is about nothing else: it names at least one of them, goes on
/// from no other item and refers to none.
pub(super) fn about<'a>(text: &str, lookup: &Lookup<'a>) -> Option<Vec<&'a Entity>> {
    let tokens = tokenize(text);
    let first = tokens.iter().find(|token| token.is_word())?;
    let refers = |token: &Token| token.is_word() && REFERRING.contains(&token.lower.as_str());
    if CONNECTIVES.contains(&first.lower.as_str()) || tokens.iter().any(refers) {
        return None;
    }
    let is_name = |token: &&Token| token.kind == TokenKind::Quoted || token.is_word() && looks_like_name(token);
    let named: Vec<&Entity> =
        tokens.iter().filter(is_name).flat_map(|token| lookup.find(&token.text)).map(|at| lookup.entity(at)).collect();
    (!named.is_empty()).then_some(named)
}

/// Whether an intent is about one of these entities, what holds it or what it holds.
pub(super) fn touches(intent: &Intent, entities: &[&Entity]) -> bool {
    let near = |one: &str, other: &str| {
        let inside = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
        };
        inside(one, other) || inside(other, one)
    };
    let about = |reference: &String| entities.iter().any(|entity| near(reference, &entity.reference));
    match intent {
        Intent::Hide { target } | Intent::Rename { target, .. } | Intent::Move { target, .. } => {
            about(&target.reference)
        }
        Intent::Regroup { plan } => plan.clients.iter().flat_map(|client| &client.operations).any(about),
        Intent::Refresh { .. } | Intent::Nothing => false,
    }
}
