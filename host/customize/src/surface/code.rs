//! Two states of generated code: what a regeneration did to the public surface, and why.
//!
//! Only files that changed are read, with the lists of what a package passes on. A name that generated code has in two
//! files, as a method beside its asynchronous twin, is one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bailiwick_sdk::tasks::{Access, EntityKind, SpecIndex, TypeSpecChange};

use super::inherited::inherited;
use super::model::{Difference, differences};
use super::names::{folded, stems, word};
use super::signatures::{self, Parameter};
use super::text::because;
use super::{Cause, SeenIn, Surface, SurfaceChange, SurfaceChangeKind};
use crate::language::{
    Definition, LanguageError, LanguageService, Origin, Signature, content_of, files_of, is_aside, open_package,
    surface_renames,
};
use crate::response::{ChangedFile, Origin as Author};

/// Larger generations are compared in the client model alone.
const LARGEST: usize = 64 << 20;
/// The files that a note names.
const NAMED: usize = 5;

/// A package after a regeneration.
pub(crate) struct Regenerated<'a> {
    pub(crate) language: &'a dyn LanguageService,
    pub(crate) package: &'a Path,
    /// What differs from before the run, files of the package as `sdk/<path>`.
    pub(crate) files: &'a [ChangedFile],
    /// The compiler's view before the run and now.
    pub(crate) before: &'a SpecIndex,
    pub(crate) after: &'a SpecIndex,
    /// The decorators that the run wrote.
    pub(crate) changes: &'a [TypeSpecChange],
}

/// The name of a public thing, and of the type that has it.
type Key = (Option<String>, String);

impl Regenerated<'_> {
    /// How the public surface differs from before the run; `None` where it does not.
    pub(crate) fn surface(&self) -> Result<Option<Surface>, LanguageError> {
        let model = differences(self.language.language(), self.before, self.after, self.changes);
        let mut notes = inherited(self.after, self.changes);
        notes.extend(self.notes());
        let generated: Vec<(&str, &ChangedFile)> = self
            .files
            .iter()
            .filter(|file| file.origin == Author::Generator)
            .filter_map(|file| Some((file.path.strip_prefix("sdk/")?, file)))
            .filter(|(path, file)| self.is_library(path, file))
            .collect();
        let size = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        if generated.iter().map(|(_, file)| size(&file.before) + size(&file.after)).sum::<usize>() > LARGEST {
            notes.push("so much generated code changed that only the client model was compared".to_owned());
            return Ok(Surface::of(SeenIn::ClientModel, model.into_iter().map(|one| one.change).collect(), notes));
        }
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let (mut called, mut calls) = (Vec::new(), Vec::new());
        let mut unreadable = 0_usize;
        for (path, file) in &generated {
            let read = |bytes: &Option<Vec<u8>>| match bytes {
                None => Some(Vec::new()),
                Some(bytes) => self.language.public(path, &String::from_utf8_lossy(bytes)),
            };
            let signatures = |bytes: &Option<Vec<u8>>| {
                let text = bytes.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
                self.language.signatures(path, &text)
            };
            called.extend(signatures(&file.before));
            calls.extend(signatures(&file.after));
            match (read(&file.before), read(&file.after)) {
                (Some(before), Some(after)) => {
                    old.extend(before);
                    new.extend(after);
                }
                _ => unreadable += 1,
            }
        }
        if unreadable > 0 {
            let files =
                if unreadable == 1 { "1 generated file".to_owned() } else { format!("{unreadable} generated files") };
            notes.push(format!("{files} could not be read, and what changed there is not listed"));
        }
        let passed_on = self.passed_on()?;
        let comparison = Comparison { old: &old, new: &new, passed_on, model: &model, index: self.after };
        let mut changes = comparison.changes();
        changes.extend(comparison.signatures(&called, &calls));
        Ok(Surface::of(SeenIn::GeneratedCode, changes, notes))
    }

    /// Whether a file is generated code of the library, and not a sample, a test or a page.
    pub(super) fn is_library(&self, path: &str, file: &ChangedFile) -> bool {
        let content = file.after.as_deref().or(file.before.as_deref()).unwrap_or_default();
        !is_aside(path) && self.language.is_source(path) && self.language.origin(path, content) != Origin::HandWritten
    }

    /// What the package passes on to its users, before and now; `None` in a language in which nothing decides that.
    fn passed_on(&self) -> Result<Option<[BTreeSet<String>; 2]>, LanguageError> {
        let package = open_package(self.package)?;
        let changed: BTreeMap<&str, &ChangedFile> =
            self.files.iter().filter_map(|file| Some((file.path.strip_prefix("sdk/")?, file))).collect();
        let listed = files_of(&package)?;
        let mut paths: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
        paths.extend(changed.keys());
        let (mut any, mut sides) = (false, [BTreeSet::new(), BTreeSet::new()]);
        for path in paths.into_iter().filter(|path| self.language.is_source(path)) {
            let names = |text: &[u8]| self.language.exports(path, &String::from_utf8_lossy(text));
            // Most files pass nothing on and need not be read.
            if !matches!(path.rsplit('/').next(), Some("__init__.py" | "index.ts")) {
                continue;
            }
            let both = match changed.get(path) {
                Some(file) => [file.before.clone(), file.after.clone()],
                None => {
                    let content = content_of(&package, path)?;
                    [content.clone(), content]
                }
            };
            for (side, content) in sides.iter_mut().zip(both) {
                if let Some(found) = content.as_deref().and_then(names) {
                    any = true;
                    side.extend(found);
                }
            }
        }
        Ok(any.then_some(sides))
    }

    /// What no definition says: the version of the service, and files of the package that go or come.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for file in self.files.iter().filter(|file| file.origin == Author::Generator) {
            let Some(path) = file.path.strip_prefix("sdk/") else { continue };
            let library = self.is_library(path, file);
            match (&file.before, &file.after) {
                (Some(_), None) if !library || !path.contains('/') => gone.push(path),
                (None, Some(_)) if !library || !path.contains('/') => come.push(path),
                _ => {}
            }
            if library {
                old.extend(file.before.as_deref().map(versions).unwrap_or_default());
                new.extend(file.after.as_deref().map(versions).unwrap_or_default());
            }
        }
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
            one.difference(other).map(|version| format!("`{version}`")).collect()
        };
        let (left, right) = (only(&old, &new), only(&new, &old));
        if !left.is_empty() && !right.is_empty() {
            notes.push(format!("the API version moves from {} to {}", left.join(", "), right.join(", ")));
        } else if !right.is_empty() {
            notes.push(format!("the API version {} is new", right.join(", ")));
        } else if !left.is_empty() {
            notes.push(format!("the API version {} is gone", left.join(", ")));
        }
        notes.extend(files("removed", &gone));
        notes.extend(files("added", &come));
        notes
    }
}

fn files(what: &str, paths: &[&str]) -> Option<String> {
    if paths.is_empty() {
        return None;
    }
    let named: Vec<String> = paths.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    let more = paths.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Some(format!("files {what} by the emitter: {}{more}", named.join(", ")))
}

/// The versions of a service that a text quotes: a day, with what is behind it.
fn versions(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let is_version = |word: &&str| {
        let (day, rest) = word.split_at_checked(10).unwrap_or((word, "?"));
        let digits = |at: usize, one: char| if at == 4 || at == 7 { one == '-' } else { one.is_ascii_digit() };
        day.len() == 10
            && day.char_indices().all(|(at, one)| digits(at, one))
            && (rest.is_empty() || (rest.starts_with('-') && rest.len() <= 20 && !rest.contains(' ')))
    };
    text.split(['"', '\'']).filter(is_version).map(str::to_owned).collect()
}

/// Two states of the definitions, with what tells why they differ.
struct Comparison<'a> {
    old: &'a [Definition],
    new: &'a [Definition],
    passed_on: Option<[BTreeSet<String>; 2]>,
    model: &'a [Difference],
    index: &'a SpecIndex,
}

impl Comparison<'_> {
    fn changes(&self) -> Vec<SurfaceChange> {
        let [old, new] = [self.parts(self.old, 0), self.parts(self.new, 1)];
        let only = |one: &BTreeMap<Key, EntityKind>, other: &BTreeMap<Key, EntityKind>| -> BTreeMap<Key, EntityKind> {
            let held = |key: &Key| {
                let holder = key.0.as_ref().map(|holder| (None, holder.clone()));
                holder.is_some_and(|holder| one.contains_key(&holder) && !other.contains_key(&holder))
            };
            let own = one.iter().filter(|(key, _)| !other.contains_key(*key) && !held(key));
            own.map(|(key, kind)| (key.clone(), *kind)).collect()
        };
        let (mut gone, mut come) = (only(&old, &new), only(&new, &old));
        let mut changes = Vec::new();
        for (old, new) in self.pairs(&gone, &come) {
            let Some(kind) = gone.remove(&old) else { continue };
            come.remove(&new);
            let (cause, because) = self.cause(&old, Some(&new));
            changes.push(SurfaceChange {
                change: SurfaceChangeKind::Renamed,
                name: path(&old),
                new_name: Some(path(&new)),
                kind: word(kind),
                details: Vec::new(),
                cause,
                because,
            });
        }
        for (which, change) in [(gone, SurfaceChangeKind::Removed), (come, SurfaceChangeKind::Added)] {
            for (key, kind) in which {
                let (cause, because) = match change {
                    SurfaceChangeKind::Added => self.cause_of_new(&key),
                    _ => self.cause(&key, None),
                };
                let (name, kind) = (path(&key), word(kind));
                changes.push(SurfaceChange { change, name, new_name: None, kind, details: Vec::new(), cause, because });
            }
        }
        changes
    }

    /// The operations of both states whose parameters are others.
    fn signatures(&self, old: &[Signature], new: &[Signature]) -> Vec<SurfaceChange> {
        let by_name = |all: &[Signature], side: usize| -> BTreeMap<Key, BTreeMap<String, Parameter>> {
            let public = self.parts(if side == 0 { self.old } else { self.new }, side);
            let known = all.iter().map(|one| ((Some(one.container.clone()), one.name.clone()), one));
            known
                .filter(|(key, _)| public.contains_key(key))
                .map(|(key, one)| {
                    let parameter = |(name, required): (&String, &bool)| {
                        (name.clone(), Parameter { name: name.clone(), required: *required })
                    };
                    (key, one.parameters.iter().map(parameter).collect())
                })
                .collect()
        };
        let (old, new) = (by_name(old, 0), by_name(new, 1));
        let differing = old.iter().filter_map(|(key, before)| {
            let (change, details) = signatures::difference(before, new.get(key)?)?;
            let names = stems(&key.1);
            let of_model = self.model.iter().find(|one| one.change.kind == "operation" && names.contains(&one.new));
            let (cause, because) = match of_model {
                Some(one) => (Cause::Decorator, one.change.because.clone()),
                None => (Cause::SpecificationOrEmitter, because(Cause::SpecificationOrEmitter).to_owned()),
            };
            let (name, kind) = (path(key), word(EntityKind::Operation));
            Some(SurfaceChange { change, name, new_name: None, kind, details, cause, because })
        });
        differing.collect()
    }

    /// What users of one state can name.
    fn parts(&self, all: &[Definition], side: usize) -> BTreeMap<Key, EntityKind> {
        let listed = self.passed_on.as_ref().and_then(|sides| sides.get(side));
        let visible = |one: &Definition| {
            let name = one.container.as_ref().unwrap_or(&one.name);
            // A client that is put together of parts is named otherwise.
            listed.is_none_or(|names| names.contains(name) || (one.container.is_some() && name.ends_with("Client")))
        };
        let mut parts: BTreeMap<Key, EntityKind> = all
            .iter()
            .filter(|one| visible(one))
            .map(|one| ((one.container.clone(), one.name.clone()), one.kind))
            .collect();
        // What a list passes on may be defined in a file that did not change.
        // What a client is put together of is no thing of its own.
        for name in listed.into_iter().flatten().filter(|name| !name.ends_with("OperationsMixin")) {
            let kind = self.old.iter().chain(self.new).find(|one| one.container.is_none() && one.name == *name);
            parts.entry((None, name.clone())).or_insert(kind.map_or_else(|| kind_by_name(name), |one| one.kind));
        }
        parts
    }

    /// What became what: by the client model, or because it says the same.
    fn pairs(&self, gone: &BTreeMap<Key, EntityKind>, come: &BTreeMap<Key, EntityKind>) -> Vec<(Key, Key)> {
        let mut pairs: Vec<(Key, Key)> = Vec::new();
        let mut taken: BTreeSet<Key> = BTreeSet::new();
        for old in gone.keys() {
            let follows = |new: &&Key| {
                let same_place = old.0 == new.0 || old.0.is_some() == new.0.is_some() && old.1 == new.1;
                let renamed = self.model.iter().any(|one| {
                    one.change.change == SurfaceChangeKind::Renamed
                        && !one.old.is_empty()
                        && folded(&old.1).contains(&one.old)
                        && folded(&old.1).replacen(&one.old, &one.new, 1) == folded(&new.1)
                        && (one.old != one.new || old.0 != new.0)
                });
                same_place && renamed && !taken.contains(*new)
            };
            let mut fitting = come.keys().filter(follows);
            if let (Some(new), None) = (fitting.next(), fitting.next()) {
                taken.insert(new.clone());
                pairs.push((old.clone(), new.clone()));
            }
        }
        for rename in surface_renames(self.old, self.new) {
            let old = (rename.container.clone(), rename.old);
            let new = (rename.container, rename.new);
            let free = !pairs.iter().any(|(one, other)| *one == old || *other == new);
            if free && gone.contains_key(&old) && come.contains_key(&new) {
                pairs.push((old, new));
            }
        }
        pairs
    }

    /// Why something is gone, or has another name.
    fn cause(&self, old: &Key, new: Option<&Key>) -> (Cause, String) {
        let names = stems(&old.1);
        let by_model = self.model.iter().filter(|one| !one.old.is_empty() && names.contains(&one.old));
        // A name that fits as it is says more than one that fits in part.
        let by_model = by_model.min_by_key(|one| names.iter().position(|name| *name == one.old));
        if let Some(difference) = by_model {
            return (Cause::Decorator, difference.change.because.clone());
        }
        let cause = match (self.known(&names), new.map(|new| self.known(&stems(&new.1)))) {
            _ if self.index.entities.is_empty() => Cause::SpecificationOrEmitter,
            // The specification has it as it was, so another hand renamed or removed it.
            (Some(Access::Public), _) => Cause::Emitter,
            (Some(Access::Internal), _) | (None, Some(Some(_))) => Cause::Specification,
            (None, _) => Cause::SpecificationOrEmitter,
        };
        (cause, because(cause).to_owned())
    }

    fn cause_of_new(&self, new: &Key) -> (Cause, String) {
        let names = stems(&new.1);
        let by_model = self.model.iter().filter(|one| !one.new.is_empty() && names.contains(&one.new));
        if let Some(difference) = by_model.min_by_key(|one| names.iter().position(|name| *name == one.new)) {
            return (Cause::Decorator, difference.change.because.clone());
        }
        let cause = match self.known(&names) {
            _ if self.index.entities.is_empty() => Cause::SpecificationOrEmitter,
            Some(_) => Cause::Specification,
            None => Cause::Emitter,
        };
        (cause, because(cause).to_owned())
    }

    /// Whether the client model has one of these names, and where users see it.
    fn known(&self, names: &[String]) -> Option<Access> {
        let has = |name: &str| names.contains(&folded(name));
        let entities = self.index.entities.iter().filter_map(|entity| entity.client.as_ref());
        let entities = entities.filter(|client| has(&client.name)).map(|client| client.access);
        let operations = self.index.clients.iter().flat_map(|client| &client.operations);
        let operations = operations.filter(|one| has(&one.name)).map(|one| one.access);
        let clients = self.index.clients.iter().filter(|one| has(&one.name)).map(|_| Access::Public);
        entities.chain(operations).chain(clients).max_by_key(|access| *access == Access::Public)
    }
}

/// What a name is that no file which changed defines.
fn kind_by_name(name: &str) -> EntityKind {
    if name.ends_with("Client") || name.ends_with("Operations") { EntityKind::Interface } else { EntityKind::Model }
}

fn path(key: &Key) -> String {
    key.0.as_ref().map_or_else(|| key.1.clone(), |holder| format!("{holder}.{}", key.1))
}
