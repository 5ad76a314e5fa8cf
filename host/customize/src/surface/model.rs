//! Two states of the client model: what an edit of `client.tsp` does to the client of one language.

use std::collections::BTreeMap;

use bailiwick_sdk::tasks::{Access, ClientEntry, EntityKind, Language, OperationParameter, SpecIndex, TypeSpecChange};

use super::inherited::inherited;
use super::names::{folded, spelled, word};
use super::signatures::{self, Parameter};
use super::text::because;
use super::{Cause, SeenIn, Surface, SurfaceChange, SurfaceChangeKind};

/// One public thing of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    kind: EntityKind,
    /// The reference of what has it; `None` for what stands alone.
    holder: Option<String>,
    /// The holder's name.
    within: Option<String>,
    name: String,
    /// What an operation is called with, by the names of the specification.
    parameters: BTreeMap<String, Parameter>,
}

impl Part {
    fn path(&self) -> String {
        self.within.as_ref().map_or_else(|| self.name.clone(), |within| format!("{within}.{}", self.name))
    }
}

/// One difference, with what it was before and is after.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) change: SurfaceChange,
    /// The own names, folded; empty without names.
    pub(super) old: String,
    pub(super) new: String,
}

/// How the client of a language differs between two states of its specification; `changes` are the decorators that make
/// the difference. `None` where it does not.
#[must_use]
pub(crate) fn between(
    language: Language,
    before: &SpecIndex,
    after: &SpecIndex,
    changes: &[TypeSpecChange],
) -> Option<Surface> {
    let found = differences(language, before, after, changes).into_iter().map(|one| one.change).collect();
    Surface::of(SeenIn::ClientModel, found, inherited(before, changes))
}

/// The differences one by one.
pub(super) fn differences(
    language: Language,
    before: &SpecIndex,
    after: &SpecIndex,
    changes: &[TypeSpecChange],
) -> Vec<Difference> {
    let (old, new) = (parts(language, before), parts(language, after));
    // A member that goes or comes with its holder is not told apart from it.
    let with_holder = |part: &Part, other: &BTreeMap<String, Part>, own: &BTreeMap<String, Part>| {
        part.holder.as_ref().is_some_and(|holder| own.contains_key(holder) && !other.contains_key(holder))
    };
    let mut found = Vec::new();
    let mut put = |change, reference: &str, part: &Part, after: Option<&Part>, details: Vec<String>| {
        let (old, new) = match change {
            SurfaceChangeKind::Added => (String::new(), folded(&part.name)),
            SurfaceChangeKind::Removed => (folded(&part.name), String::new()),
            _ => (folded(&part.name), after.map_or_else(|| folded(&part.name), |one| folded(&one.name))),
        };
        let change = SurfaceChange {
            change,
            name: part.path(),
            new_name: after.map(Part::path),
            kind: word(part.kind),
            details,
            cause: Cause::Decorator,
            because: reason(reference, changes),
        };
        found.push(Difference { change, old, new });
    };
    for (reference, part) in &old {
        match new.get(reference) {
            None if with_holder(part, &new, &old) => {}
            None => put(SurfaceChangeKind::Removed, reference, part, None, Vec::new()),
            Some(now) => {
                // What is only reached through a holder of another name is not renamed itself.
                if now.name != part.name || now.holder != part.holder {
                    put(SurfaceChangeKind::Renamed, reference, part, Some(now), Vec::new());
                }
                if let Some((kind, details)) = signatures::difference(&part.parameters, &now.parameters) {
                    put(kind, reference, now, None, details);
                }
            }
        }
    }
    for (reference, part) in &new {
        if !old.contains_key(reference) && !with_holder(part, &old, &new) {
            put(SurfaceChangeKind::Added, reference, part, None, Vec::new());
        }
    }
    found
}

/// The decorator on the thing itself, on what has it, or else the only one there is.
fn reason(reference: &str, changes: &[TypeSpecChange]) -> String {
    let on = |target: &str| changes.iter().find(|change| change.target == target);
    let said = |change: &TypeSpecChange| format!("`@@{}` on `{}`", change.decorator_name, change.target);
    match (on(reference), changes) {
        (Some(change), _) => format!("by {}", said(change)),
        (None, [only]) => format!("it follows from {}", said(only)),
        (None, _) => because(Cause::Decorator).to_owned(),
    }
}

/// The public parts of the client, by their reference.
fn parts(language: Language, index: &SpecIndex) -> BTreeMap<String, Part> {
    let mut parts = BTreeMap::new();
    for client in &index.clients {
        let key = client_key(client.reference.as_deref(), &client.name);
        let part = Part {
            kind: EntityKind::Interface,
            holder: None,
            within: None,
            name: client_name(language, client),
            parameters: BTreeMap::new(),
        };
        for operation in client.operations.iter().filter(|one| one.access == Access::Public) {
            let part = Part {
                kind: EntityKind::Operation,
                holder: Some(key.clone()),
                within: Some(client_name(language, client)),
                name: spelled(language, EntityKind::Operation, &operation.name),
                parameters: operation.parameters.iter().map(|one| parameter(language, one)).collect(),
            };
            parts.insert(operation.source.clone(), part);
        }
        parts.insert(key, part);
    }
    let public = |client: &bailiwick_sdk::tasks::ClientView| client.access == Access::Public;
    let names: BTreeMap<&str, &str> = index
        .entities
        .iter()
        .filter_map(|entity| Some((entity.reference.as_str(), entity.client.as_ref()?.name.as_str())))
        .collect();
    for entity in &index.entities {
        let wanted = matches!(
            entity.kind,
            EntityKind::Model | EntityKind::Property | EntityKind::Enum | EntityKind::EnumMember | EntityKind::Union
        );
        let Some(client) = entity.client.as_ref().filter(|client| wanted && public(client)) else { continue };
        let holder = entity.container.clone().filter(|_| !entity.kind.is_type());
        let within = holder.as_deref().and_then(|holder| names.get(holder)).map(|name| (*name).to_owned());
        let name = spelled(language, entity.kind, &client.name);
        parts.insert(
            entity.reference.clone(),
            Part { kind: entity.kind, holder, within, name, parameters: BTreeMap::new() },
        );
    }
    parts
}

fn parameter(language: Language, one: &OperationParameter) -> (String, Parameter) {
    let name = spelled(language, EntityKind::Parameter, &one.name);
    (one.declared.clone(), Parameter { name, required: !one.optional })
}

/// The class of a client: in Python that of a client without a parent ends in `Client`, whatever the specification calls it.
fn client_name(language: Language, client: &ClientEntry) -> String {
    let ends = client.parent.is_some() || client.name.ends_with("Client");
    if language == Language::Python && !ends { format!("{}Client", client.name) } else { client.name.clone() }
}

/// What a client is known by: what it is made of, or its name.
fn client_key(reference: Option<&str>, name: &str) -> String {
    format!("client {}", reference.unwrap_or(name))
}
