//! From a form that fits to an intent: one target, a name that can be, and no doubt left.

use super::clause::Clause;
use super::intents::{Intent, Refusal, Verb, can_be_hidden, can_be_renamed};
use super::matcher::{Match, NewName};
use super::names;
use super::place::move_to;
use super::sentences::Reader;
use super::targets::Target;
use bailiwick_sdk::python_names;
use bailiwick_sdk::tasks::{Entity, EntityKind, Language};

/// The intent of a form that fits.
pub(crate) fn resolve(
    reader: &Reader<'_>,
    found: &Match,
    target: &Target,
    clause: &Clause<'_>,
) -> Result<Intent, Refusal> {
    let entity = one_entity(reader, target)?;
    match (found.verb, &found.name) {
        (Verb::Hide, _) => hide(entity),
        (Verb::Move, _) => match &found.place {
            Some(said) => move_to(reader, entity, said),
            None => Err(Refusal::MissingTarget { verb: Verb::Move, sentence: clause.text() }),
        },
        (_, Some(name)) => rename(reader, entity, name),
        _ => Err(Refusal::MissingName { sentence: clause.text() }),
    }
}

pub(super) fn one_entity<'a>(reader: &Reader<'a>, target: &Target) -> Result<&'a Entity, Refusal> {
    let of = |found: &[usize]| -> Vec<Entity> { found.iter().map(|&at| reader.lookup.entity(at).clone()).collect() };
    match without_sources(reader, &target.candidates).as_slice() {
        [one] => Ok(reader.lookup.entity(*one)),
        [] if target.named.is_empty() => {
            Err(Refusal::NotFound { text: target.text.clone(), near: of(&reader.lookup.near(&target.text)) })
        }
        [] => Err(Refusal::KindMismatch {
            text: target.text.clone(),
            noun: target.noun.clone().unwrap_or_default(),
            found: of(&target.named),
        }),
        several => Err(Refusal::Ambiguous { text: target.text.clone(), candidates: of(several) }),
    }
}

/// Without the operations that clients of `client.tsp` refer to under the same name: the client has the reference, and
/// a decorator on what is referred to would change nothing.
fn without_sources(reader: &Reader<'_>, candidates: &[usize]) -> Vec<usize> {
    let references: Vec<&String> = candidates.iter().map(|&at| &reader.lookup.entity(at).reference).collect();
    let operations = || reader.index.clients.iter().flat_map(|client| &client.operations);
    let stands_in = |reference: &String| {
        operations()
            .any(|one| one.source == *reference && one.reference != *reference && references.contains(&&one.reference))
    };
    candidates.iter().copied().filter(|&at| !stands_in(&reader.lookup.entity(at).reference)).collect()
}

fn hide(target: &Entity) -> Result<Intent, Refusal> {
    if !can_be_hidden(target.kind) {
        Err(Refusal::CannotHide { target: Box::new(target.clone()) })
    } else if target.client.is_none() {
        Err(Refusal::NotInClient { target: Box::new(target.clone()) })
    } else {
        Ok(Intent::Hide { target: target.clone() })
    }
}

fn rename(reader: &Reader<'_>, target: &Entity, name: &NewName) -> Result<Intent, Refusal> {
    let is_client = target.kind == EntityKind::Namespace && target.client.is_some();
    if !can_be_renamed(target.kind) && !is_client {
        return Err(Refusal::CannotRename { target: Box::new(target.clone()) });
    }
    if target.client.is_none() {
        return Err(Refusal::NotInClient { target: Box::new(target.clone()) });
    }
    let bad = |problem: &str| Refusal::BadName { name: name.text.clone(), problem: problem.to_owned() };
    let given = own_part(target, &name.text).ok_or_else(|| bad("names a place in something other than the target"))?;
    if !names::is_identifier(given) {
        return Err(bad("is not an identifier (letters, digits and underscores, not beginning with a digit)"));
    }
    if is_client && !given.ends_with("Client") {
        return Err(bad("does not end with `Client`, as the name of a client must"));
    }
    if given.starts_with('_') {
        return Err(bad("begins with an underscore, which would say that it is hidden"));
    }
    let new = names::client_name(target.kind, &target.name, given);
    let written = if reader.language == Language::Python { python_names::snake(&new) } else { new.clone() };
    if [given, &new, &written].iter().any(|word| names::is_reserved(reader.language, word)) {
        return Err(bad(&format!("is a word that {} keeps for itself", reader.language)));
    }
    if reader.language == Language::Python && python_names::is_padded(target.kind, &new) {
        return Err(bad("is taken by the base class of generated models, so that the emitter would change it"));
    }
    match collision(reader, target, &new) {
        Some(other) => Err(Refusal::Collision { name: new, other: Box::new(other.clone()) }),
        None => Ok(Intent::Rename { target: target.clone(), new }),
    }
}

/// The last part of a new name that is written with what holds the target: `Widget.title`.
fn own_part<'a>(target: &Entity, name: &'a str) -> Option<&'a str> {
    let Some((path, last)) = name.rsplit_once('.') else { return Some(name) };
    let holder = target.container.as_deref()?;
    let ends_there = names::key(holder).ends_with(&names::key(path)) && !names::key(path).is_empty();
    ends_there.then_some(last)
}

/// What already has the name in the place where the target would have it.
fn collision<'a>(reader: &Reader<'a>, target: &Entity, new: &str) -> Option<&'a Entity> {
    let name = |entity: &Entity| names::key(entity.client.as_ref().map_or(&entity.name, |client| &client.name));
    let wanted = names::key(new);
    let is_type = |kind: EntityKind| (kind.is_type() && kind != EntityKind::Interface) || kind == EntityKind::Namespace;
    reader.index.entities.iter().find(|other| {
        let same_place = if is_type(target.kind) {
            is_type(other.kind)
        } else {
            other.kind == target.kind && other.container == target.container
        };
        let is_one = other.kind != EntityKind::Namespace || other.client.is_some();
        same_place && is_one && other.reference != target.reference && name(other) == wanted
    })
}
