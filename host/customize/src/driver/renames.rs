//! The renames that hand-written code may have to follow.
//!
//! What generated code shows before and after is certain: of internal operations, of names that had a client name before, and
//! the emitter's own. A specification says only how it names things now; whether a rename is new, the generated code of before
//! tells.

use bailiwick_runs::EntryKind;
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::renames::{made_renames, renames_between};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

use crate::language::{Definition, Origin, is_aside, surface_renames};

use super::CustomizeError;
use super::roots::SDK;
use super::session::Session;

impl Session<'_> {
    /// The renames of the specification that the generated code does not show yet. Those that it shows are kept apart: they
    /// were made some time before.
    pub(super) fn pending_renames(&mut self) -> Result<Vec<Rename>, CustomizeError> {
        let mut renames = made_renames(self.language.language(), &self.index);
        // A client library names its namespaces by rules of its own, not by what the specification declares.
        renames.retain(|rename| rename.kind != EntityKind::Namespace);
        if renames.is_empty() {
            self.earlier_renames = Vec::new();
            return Ok(renames);
        }
        let mut present: Vec<Definition> = Vec::new();
        for path in self.language.generated_files(&self.project.package)? {
            // Samples and tests define nothing of the library.
            if is_aside(&path) {
                continue;
            }
            let content = self.content(SDK, &path)?.unwrap_or_default();
            present.extend(self.language.definitions(&path, &String::from_utf8_lossy(&content)));
        }
        let (earlier, pending) = renames.into_iter().partition(|rename| shows(&present, rename));
        self.earlier_renames = earlier;
        Ok(pending)
    }

    /// These renames; those that the generated code shows since the run began; and earlier ones whose old name an error says.
    pub(super) fn renames_to_follow(
        &mut self,
        mut renames: Vec<Rename>,
        errors: &[Diagnostic],
    ) -> Result<Vec<Rename>, CustomizeError> {
        let (before, after) = self.definitions_before_and_now()?;
        let shown = surface_renames(&before, &after);
        let said = self.earlier_renames.iter().filter(|rename| errors.iter().any(|error| says(error, rename))).cloned();
        for rename in shown.iter().cloned().chain(said) {
            if !renames.iter().any(|one| one.old == rename.old && one.container == rename.container) {
                renames.push(rename);
            }
        }
        self.shown_renames = shown;
        Ok(renames)
    }

    /// What generated files define that changed since the run began: as they were, and as they are.
    fn definitions_before_and_now(&self) -> Result<(Vec<Definition>, Vec<Definition>), CustomizeError> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for changed in self.run.changed()? {
            let (root, path) = (&changed.root, &changed.path);
            if root != SDK || changed.kind != EntryKind::File || !self.language.is_source(path) || is_aside(path) {
                continue;
            }
            for (content, side) in
                [(self.run.before(root, path)?, &mut before), (self.content(root, path)?, &mut after)]
            {
                if let Some(content) =
                    content.filter(|content| self.language.origin(path, content) == Origin::Generated)
                {
                    side.extend(self.language.definitions(path, &String::from_utf8_lossy(&content)));
                }
            }
        }
        Ok((before, after))
    }

    /// The generated files that changed since the run began, as they were.
    pub(super) fn generated_before(&self) -> Result<Vec<(String, String)>, CustomizeError> {
        let mut files = Vec::new();
        for changed in self.run.changed()? {
            let (root, path) = (&changed.root, &changed.path);
            if root != SDK || changed.kind != EntryKind::File || !self.language.is_source(path) || is_aside(path) {
                continue;
            }
            let content = self.run.before(root, path)?;
            let generated = content.filter(|content| self.language.origin(path, content) == Origin::Generated);
            files.extend(generated.map(|content| (path.clone(), String::from_utf8_lossy(&content).into_owned())));
        }
        Ok(files)
    }

    /// Those of operations that were made in this run, and those whose old name generated code lost since it began. An
    /// operation that was internal had no public name that hand-written code could override.
    pub(super) fn fresh_operations(&self, renames: &[Rename]) -> Result<Vec<Rename>, CustomizeError> {
        if !renames.iter().any(|rename| rename.kind == EntityKind::Operation) {
            return Ok(Vec::new());
        }
        let made = renames_between(&self.index_before, &self.index, self.language.language());
        let (before, now) = self.definitions_before_and_now()?;
        let is_fresh = |rename: &&Rename| {
            let (was_public, was_internal) = (has(&before, rename), has(&before, &internal(rename)));
            let made = made.contains(rename) && (was_public || !was_internal);
            rename.kind == EntityKind::Operation && (made || was_public && !has(&now, rename))
        };
        Ok(renames.iter().filter(is_fresh).cloned().collect())
    }

    /// These renames and those that the generated code showed, by the names that users of the package know.
    pub(super) fn renames_for_users(&self, renames: &[Rename]) -> Vec<Rename> {
        let mut all = renames.to_vec();
        for rename in self.shown_renames.iter().filter(|rename| !rename.old.starts_with('_')) {
            if !all.iter().any(|one| one.old == rename.old) {
                all.push(rename.clone());
            }
        }
        all
    }
}

/// Whether generated code has the new name of a rename in its place.
fn shows(present: &[Definition], rename: &Rename) -> bool {
    present.iter().any(|one| {
        if rename.kind == EntityKind::Operation {
            let name = one.name.trim_start_matches('_');
            let public = rename.new.starts_with('_') || !one.name.starts_with('_');
            let new = rename.new.trim_start_matches('_');
            return one.kind == EntityKind::Operation
                && public
                && (name == new || name.strip_prefix("begin_") == Some(new));
        }
        let of_type = rename.container.is_none() == one.container.is_none();
        one.name == rename.new && of_type && (one.container.is_none() || one.container == rename.container)
    })
}

/// The same rename of the internal method.
fn internal(rename: &Rename) -> Rename {
    Rename { old: format!("_{}", rename.old), ..rename.clone() }
}

/// Whether an operation of the old name of a rename is among these.
fn has(present: &[Definition], rename: &Rename) -> bool {
    present.iter().any(|one| {
        one.kind == EntityKind::Operation
            && (one.name == rename.old || one.name.replacen("begin_", "", 1) == rename.old)
            && is_of(one.container.as_deref().unwrap_or_default(), rename.container.as_deref())
    })
}

/// Whether a generated class holds the operations of a group, or those of the client itself.
fn is_of(class: &str, group: Option<&str>) -> bool {
    let class = class.trim_start_matches('_');
    match group {
        Some(group) => class == group || class.strip_suffix("Operations") == Some(group),
        None => class.ends_with("Client") || class.ends_with("OperationsMixin"),
    }
}

/// Whether an error says the old name of a rename: a type's as a word, a member's as a quotation of its own.
fn says(error: &Diagnostic, rename: &Rename) -> bool {
    let quoted = quoted(&error.message);
    let part = |sign: char| sign.is_alphanumeric() || sign == '_';
    if rename.kind.is_type() {
        return quoted.iter().any(|text| text.split(|sign| !part(sign)).any(|word| word == rename.old));
    }
    quoted.contains(&rename.old)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename(kind: EntityKind, container: Option<&str>, old: &str, new: &str) -> Rename {
        Rename { kind, container: container.map(str::to_owned), old: old.to_owned(), new: new.to_owned() }
    }

    fn definition(kind: EntityKind, container: Option<&str>, name: &str) -> Definition {
        let container = container.map(str::to_owned);
        Definition { kind, file: "azure/w/_x.py".to_owned(), container, name: name.to_owned(), says: Vec::new() }
    }

    #[test]
    fn rename_is_shown_where_generated_code_has_its_new_name_in_its_place() {
        use EntityKind::{Model, Operation, Property};
        let present = [
            definition(Model, None, "Volume"),
            definition(Property, Some("Volume"), "title"),
            definition(Operation, Some("_ClientOperationsMixin"), "begin_renew"),
            definition(Operation, Some("_ClientOperationsMixin"), "_find"),
        ];
        let shown = |kind, container, new| shows(&present, &rename(kind, container, "old", new));
        assert!(shown(Model, None, "Volume") && shown(Property, Some("Volume"), "title"));
        assert!(shown(Operation, None, "renew") && shown(Operation, None, "_find"));
        // Another class has it, a type of the name of a member, and an operation that users do not see.
        assert!(!shown(Property, Some("Shelf"), "title") && !shown(Model, None, "title"));
        assert!(!shown(Operation, None, "find") && !shown(Model, None, "Shelf"));
    }

    #[test]
    fn error_says_the_old_name_of_a_type_as_a_word_and_that_of_a_member_on_its_own() {
        let error = |message: &str| Diagnostic {
            message: message.to_owned(),
            ..crate::driver::agents::diagnostic("mypy", None, None, String::new())
        };
        let of_type = rename(EntityKind::Model, None, "Volume", "Book");
        assert!(says(&error("Name \"_models.Volume\" is not defined"), &of_type));
        assert!(!says(&error("Name \"_models.VolumeState\" is not defined; Volume"), &of_type));
        let of_member = rename(EntityKind::Property, Some("Book"), "category", "category_id");
        assert!(says(&error("\"Book\" has no attribute \"category\""), &of_member));
        assert!(!says(&error("Superclass: \"def f(self, category: str)\""), &of_member));
    }

    #[test]
    fn operation_is_there_where_a_class_of_its_group_has_it() {
        let present = [
            definition(EntityKind::Operation, Some("_WidgetClientOperationsMixin"), "begin_renew"),
            definition(EntityKind::Operation, Some("PartsOperations"), "find"),
        ];
        let there = |container, old| has(&present, &rename(EntityKind::Operation, container, old, "new"));
        assert!(there(None, "renew") && there(Some("Parts"), "find"));
        let within = [definition(EntityKind::Operation, Some("WidgetClientOperationsMixin"), "_begin_find")];
        assert!(has(&within, &internal(&rename(EntityKind::Operation, None, "find", "new"))));
        assert!(!has(&within, &rename(EntityKind::Operation, None, "find", "new")));
        assert!(!there(Some("Parts"), "renew") && !there(None, "find") && !there(Some("Part"), "find"));
    }
}
