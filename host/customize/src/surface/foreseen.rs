//! What typed actions would do to the client model. No compiler has read the edit: what this cannot foresee it says.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{
    Access, Change, Decorator, Directive, Entity, EntityKind, Language, SpecIndex, TypeSpecChange,
};

use super::model::between;
use super::{SeenIn, Surface};

/// As many operations as the index names for a type at most: past it, others may use the type.
const NAMED_USES: usize = 8;

/// How the client of `language` would change by these directives; `None` where nothing is foreseen.
#[must_use]
pub(crate) fn foreseen(language: Language, index: &SpecIndex, directives: &[&Directive]) -> Option<Surface> {
    let mut after = index.clone();
    let (mut changes, mut notes) = (Vec::new(), Vec::new());
    let mut hidden: BTreeSet<String> = BTreeSet::new();
    for directive in directives {
        if directive.scope.as_ref().is_some_and(|scope| !scope.covers(language)) {
            continue;
        }
        let mut by = |decorator: &str, target: &str| {
            changes.push(TypeSpecChange {
                decorator_name: decorator.to_owned(),
                target: target.to_owned(),
                scope: String::new(),
                file_path: String::new(),
            });
        };
        match &directive.change {
            Change::Rename { target, name, .. } => {
                let address = address(index, target);
                by("clientName", address);
                rename(&mut after, target, address, name);
            }
            Change::Hide { target, .. } => {
                by("access", target);
                hidden.insert(target.clone());
                access(&mut after, target, Access::Internal);
            }
            Change::Show { target, .. } => {
                by("access", target);
                access(&mut after, target, Access::Public);
            }
            Change::Repair { .. } => {}
            Change::Move { target, to, .. } => note(&mut notes, format!("`{target}` is reached through `{to}` then")),
            Change::Client { name, .. } => {
                note(
                    &mut notes,
                    format!("what is reached through `{name}` is known once the compiler has read the edit"),
                );
            }
            Change::Decorate { target, decoration, .. } => {
                let decorator = decoration.decorator();
                note(&mut notes, format!("`@{}` on `{target}`: {}", decorator.name(), consequence(decorator)));
            }
            Change::Undecorate { target, decorator, .. } => {
                let what = consequence(*decorator);
                note(&mut notes, format!("without `@{}` on `{target}` the reverse: {what}", decorator.name()));
            }
        }
    }
    // A type that only hidden operations use is hidden with them.
    for (kind, users) in &index.uses {
        if users.len() < NAMED_USES && !users.is_empty() && users.iter().all(|one| hidden.contains(one)) {
            access(&mut after, kind, Access::Internal);
        }
    }
    match between(language, index, &after, &changes) {
        Some(mut surface) => {
            surface.notes.extend(notes);
            Some(Surface { seen_in: SeenIn::Actions, ..surface })
        }
        None => Surface::of(SeenIn::Actions, Vec::new(), notes),
    }
}

fn note(notes: &mut Vec<String>, sentence: String) {
    if !notes.contains(&sentence) {
        notes.push(sentence);
    }
}

/// What users of a client notice of a decorator, as the end of a sentence. What the compiler alone knows, it says.
fn consequence(decorator: Decorator) -> &'static str {
    match decorator {
        Decorator::Access => "it leaves or joins the public surface, and so do types that nothing else uses",
        Decorator::AlternateType => "it has another type, which code that passes or reads it has to follow",
        Decorator::ApiVersion => {
            "whether the parameter is the API version decides whether the client or its caller gives it"
        }
        Decorator::Client | Decorator::OperationGroup => {
            "what is reached through which client is known once the compiler has read the edit"
        }
        Decorator::ClientApiVersions => "the client offers these API versions",
        Decorator::ClientDoc => "its documentation is another one; no name and no signature changes",
        Decorator::ClientInitialization => {
            "the client is created in another way, and what it is created with leaves its methods"
        }
        Decorator::ClientLocation => "it is reached another way",
        Decorator::ClientName => "it has another name",
        Decorator::ClientNamespace => "it is imported from another namespace or module",
        Decorator::ClientOption => "what the option does, the emitter says",
        Decorator::ConvenientApi => "methods that take and return models come or go",
        Decorator::ProtocolApi => "methods that take and return raw bodies come or go",
        Decorator::DeserializeEmptyStringAsNull | Decorator::UseSystemTextJsonConverter => {
            "JSON is read in another way; no name and no signature changes"
        }
        Decorator::FlattenProperty => "what is in it becomes a part of the model that has it",
        Decorator::Override => "its parameters, their order or its result change",
        Decorator::ParamAlias => "what the client is created with stands for it under this name",
        Decorator::ResponseAsBool => "its method returns whether the service found the resource",
        Decorator::Scope => "it leaves or joins the client, and types that nothing else uses with it",
        Decorator::Usage => "what it serves for changes; models may come or go with it, and no name changes",
    }
}

/// What a decorator names to reach a target.
fn address<'a>(index: &'a SpecIndex, target: &'a str) -> &'a str {
    index.entities.iter().find(|one| one.reference == target).and_then(Entity::address).unwrap_or(target)
}

/// The name of a target, and of the parameters that are spread from what a decorator for it stands on.
fn rename(index: &mut SpecIndex, target: &str, address: &str, name: &str) {
    let is_it = |one: &&Entity| one.kind == EntityKind::Parameter && one.reference == target;
    let parameters: Vec<(String, String)> = index
        .spread_from(address)
        .chain(index.entities.iter().filter(is_it))
        .filter_map(|one| Some((one.container.clone()?, one.name.clone())))
        .collect();
    for operation in index.clients.iter_mut().flat_map(|client| &mut client.operations) {
        let reference = &operation.reference;
        let is_renamed = |declared: &String| {
            parameters.iter().any(|(holder, parameter)| holder == reference && parameter == declared)
        };
        for parameter in operation.parameters.iter_mut().filter(|one| is_renamed(&one.declared)) {
            name.clone_into(&mut parameter.name);
        }
    }
    for entity in index.entities.iter_mut().filter(|entity| entity.reference == target) {
        if let Some(client) = &mut entity.client {
            client.name = name.to_owned();
        }
    }
    for client in &mut index.clients {
        if client.reference.as_deref() == Some(target) {
            client.name = name.to_owned();
        }
        for operation in client.operations.iter_mut().filter(|one| one.source == target || one.reference == target) {
            operation.name = name.to_owned();
        }
    }
}

fn access(index: &mut SpecIndex, target: &str, access: Access) {
    let held = |entity: &Entity| entity.reference == target || entity.container.as_deref() == Some(target);
    for entity in index.entities.iter_mut().filter(|entity| held(entity)) {
        if let Some(client) = &mut entity.client {
            client.access = access;
        }
    }
    for operation in index.clients.iter_mut().flat_map(|client| &mut client.operations) {
        if operation.source == target || operation.reference == target {
            operation.access = access;
        }
    }
}
