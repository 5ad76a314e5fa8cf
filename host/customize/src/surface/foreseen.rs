//! What typed actions would do to the client model. No compiler has read the edit: what this cannot foresee it says.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{Access, Change, Directive, Language, SpecIndex, TypeSpecChange};

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
                by("clientName", target);
                rename(&mut after, target, name);
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
            _ => {
                let note = "what moves between clients is known once the compiler has read the edit";
                if !notes.iter().any(|one| one == note) {
                    notes.push(note.to_owned());
                }
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
        Some(surface) => Some(Surface { seen_in: SeenIn::Actions, notes, ..surface }),
        None => Surface::of(SeenIn::Actions, Vec::new(), notes),
    }
}

fn rename(index: &mut SpecIndex, target: &str, name: &str) {
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
    let held = |entity: &bailiwick_sdk::tasks::Entity| {
        entity.reference == target || entity.container.as_deref() == Some(target)
    };
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
