//! Which renames of the specification hand-written code has not followed, told from what a build reports.

use super::logs::quoted;
use super::python_names;
use super::work;
use bailiwick_sdk::tasks::{Access, Diagnostic, Entity, EntityKind, Language, Rename, SpecIndex};

/// The rename that a client of this language sees for an entity whose name changes from `old` to `new`.
pub(crate) fn rename_of(entity: &Entity, old: &str, new: &str, language: Language, index: &SpecIndex) -> Rename {
    let python = language == Language::Python;
    let name = |name: &str| if python { python_names::python_name(entity.kind, name) } else { name.to_owned() };
    Rename { kind: entity.kind, container: container_of(entity, python, index), old: name(old), new: name(new) }
}

/// The rename that hiding an operation means: its method gets an underscore in Python and begins with a small letter in Go.
pub(crate) fn rename_of_hidden(entity: &Entity, language: Language, index: &SpecIndex) -> Option<Rename> {
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
    let pairs = before.entities.iter().filter_map(|old| {
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

/// All renames and hidings that the specification has already made for this language.
#[must_use]
pub fn made_renames(language: Language, index: &SpecIndex) -> Vec<Rename> {
    index
        .entities
        .iter()
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

/// Whether a diagnostic says that a name is missing which a rename took away.
pub(crate) fn is_explained_by(diagnostic: &Diagnostic, rename: &Rename) -> bool {
    work::steps(diagnostic.message.len());
    let names = quoted(&diagnostic.message);
    let is_old = |name: &String| {
        name.rsplit('.').next() == Some(rename.old.as_str())
            || rename.kind == EntityKind::Operation && *name == format!("begin_{}", rename.old)
    };
    if !names.iter().any(is_old) {
        return false;
    }
    match &rename.container {
        // Types are missing from modules.
        None => true,
        Some(class) => names.iter().any(|name| {
            let name = name.strip_prefix("type[").and_then(|name| name.strip_suffix(']')).unwrap_or(name);
            name.rsplit('.').next() == Some(class.as_str())
        }),
    }
}

/// The renames that explain every error of a log, or `None` if one error has another cause or there is no error.
pub(crate) fn renames_behind(diagnostics: &[Diagnostic], language: Language, index: &SpecIndex) -> Option<Vec<Rename>> {
    let made = made_renames(language, index);
    match language {
        Language::Java => return super::java::renames_behind(diagnostics, &made),
        Language::Dotnet => return super::compiled::CSHARP.renames_behind(diagnostics, &made),
        Language::Javascript => return super::compiled::TYPESCRIPT.renames_behind(diagnostics, &made),
        Language::Go => return super::compiled::GO.renames_behind(diagnostics, &made),
        Language::Python => {}
    }
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|one| one.is_error()).collect();
    if errors.is_empty() {
        return None;
    }
    let mut used: Vec<Rename> = Vec::new();
    for error in errors {
        let hand_written = error.file.as_ref().is_some_and(|file| file.ends_with("_patch.py"));
        let cause = made.iter().find(|rename| is_explained_by(error, rename)).filter(|_| hand_written)?;
        if !used.contains(cause) {
            used.push(cause.clone());
        }
    }
    Some(used)
}
