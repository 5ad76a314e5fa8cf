//! Renames of the specification as the client of one language sees them.

use crate::method_names::javascript_property;
use crate::python_names;
use crate::tasks::{Access, Entity, EntityKind, Language, Reach, Rename, SpecIndex};

/// The rename that a client of this language sees for an entity whose name changes from `old` to `new`.
#[must_use]
pub fn rename_of(entity: &Entity, old: &str, new: &str, language: Language, index: &SpecIndex) -> Rename {
    let python = language == Language::Python;
    let javascript = language == Language::Javascript && entity.kind == EntityKind::Property;
    // A namespace that is called so is a client, and this the name of its class.
    let is_client = entity.kind == EntityKind::Namespace && old.ends_with("Client") && new.ends_with("Client");
    let converted = python && !is_client;
    let name = |name: &str| match (converted, javascript) {
        (true, _) => python_names::python_name(entity.kind, name),
        (_, true) => javascript_property(name),
        _ => name.to_owned(),
    };
    Rename { kind: entity.kind, container: container_of(entity, python, index), old: name(old), new: name(new) }
}

/// The rename that hiding an operation means: its method gets an underscore in Python and begins with a small letter in Go.
#[must_use]
pub fn rename_of_hidden(entity: &Entity, language: Language, index: &SpecIndex) -> Option<Rename> {
    if entity.kind != EntityKind::Operation {
        return None;
    }
    let name = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
    let (old, new) = match language {
        Language::Python => {
            let name = python_names::python_name(entity.kind, name);
            (name.clone(), format!("_{name}"))
        }
        Language::Go => {
            let mut rest = name.chars();
            let first = rest.next()?;
            let with = |first: String| first + rest.as_str();
            (with(first.to_uppercase().collect()), with(first.to_lowercase().collect()))
        }
        Language::Java | Language::Dotnet | Language::Javascript => return None,
    };
    let container = container_of(entity, language == Language::Python, index);
    Some(Rename { kind: entity.kind, container, old, new })
}

/// The class that has a member, as the client's code names it.
fn container_of(entity: &Entity, python: bool, index: &SpecIndex) -> Option<String> {
    let member = matches!(
        entity.kind,
        EntityKind::Property | EntityKind::EnumMember | EntityKind::Operation | EntityKind::Parameter
    );
    let holder = index.entities.iter().find(|one| member && Some(&one.reference) == entity.container.as_ref())?;
    if holder.kind == EntityKind::Namespace {
        return None;
    }
    Some(if python {
        python_names::of_entity(holder)
    } else {
        holder.client.as_ref().map_or(&holder.name, |client| &client.name).clone()
    })
}

/// The renames and hidings between two states of a specification, as a client of this language sees them.
#[must_use]
pub fn renames_between(before: &SpecIndex, after: &SpecIndex, language: Language) -> Vec<Rename> {
    // What a parameter is called that comes from a property of the client, the rename of that property says.
    let follows =
        |entity: &&Entity| matches!(&entity.reach, Reach::Property(property) if before.shows_property(property));
    let pairs = before.entities.iter().filter(|one| !follows(one)).filter_map(|old| {
        let new = after.entities.iter().find(|new| new.reference == old.reference)?;
        Some((old, old.client.as_ref()?, new.client.as_ref()?))
    });
    pairs
        .filter_map(|(entity, old, new)| {
            if old.name != new.name {
                return Some(rename_of(entity, &old.name, &new.name, language, before));
            }
            let hidden = old.access == Access::Public && new.access == Access::Internal;
            hidden.then(|| rename_of_hidden(entity, language, before)).flatten()
        })
        .collect()
}

/// All renames and hidings that the specification has already made for this language. Of parameters that come from elsewhere
/// it is not told where they were renamed, and hand-written code has had their names for as long as their declaration.
#[must_use]
pub fn made_renames(language: Language, index: &SpecIndex) -> Vec<Rename> {
    index
        .entities
        .iter()
        .filter(|entity| entity.reach.is_reference())
        .filter_map(|entity| {
            let client = entity.client.as_ref()?;
            if client.name != entity.name {
                let rename = rename_of(entity, &entity.name, &client.name, language, index);
                return (rename.old != rename.new).then_some(rename);
            }
            (client.access == Access::Internal).then(|| rename_of_hidden(entity, language, index)).flatten()
        })
        .collect()
}
