//! Whether users of a package see what was asked for. A decorator changes generated code; where people wrote the method or
//! the class that users call, its name stays, and a rename or a hiding that only generated code shows is no success.

mod effect;
mod given;
mod guidance;
mod nameless;
mod sources;

use std::path::Path;

use bailiwick_sdk::method_names::pascal;
use bailiwick_sdk::python_names::python_name;
use bailiwick_sdk::tasks::{
    Access, Classification, Directive, EntityKind, ItemVerdict, Language, ManualGuidance, Route, SpecIndex,
    TypeSpecChange, ValidationReport,
};

use super::CustomizeError;
use super::roots::{CLIENT_FILE, SPEC};
use super::session::Session;
use crate::gate::typespec_changes;
use crate::language::{Bond, LanguageService, Shown, Sought};
use crate::response::ChangedFile;
use effect::Done;
use given::{Given, Standing, changes, former_names};
use guidance::{Found, former_name, has_its_own_name, joined, keeps_its_name, made_public, still_public, still_used};
use sources::{Sources, found, named};

/// A package, and two views of its specification: those from before and after an edit, or one view twice.
pub(super) struct Seen<'a> {
    pub(super) language: &'a dyn LanguageService,
    pub(super) package: &'a Path,
    pub(super) before: &'a SpecIndex,
    pub(super) after: &'a SpecIndex,
}

/// Whether an edit was made already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Before,
    After,
}

impl Session<'_> {
    /// Takes "done" back where users do not see it. `validation` is that of the last attempt: before one passed, only what
    /// needs no change can be done.
    pub(super) fn as_users_see(
        &self,
        classification: Classification,
        validation: Option<&ValidationReport>,
    ) -> Result<Classification, CustomizeError> {
        if validation.is_some_and(|validation| !validation.succeeded) {
            return Ok(classification);
        }
        let seen = self.seen(&self.index);
        let mut classification = seen.corrected(classification, self.first.as_ref())?;
        if validation.is_some() {
            let (decorators, files) = self.done()?;
            let done = seen.done(&decorators, &files);
            seen.held_to_effects(&mut classification, self.first.as_ref(), &done);
        }
        Ok(classification)
    }

    /// The decorators that the run wrote, and the files that differ since it began.
    fn done(&self) -> Result<(Vec<TypeSpecChange>, Vec<ChangedFile>), CustomizeError> {
        let decorators = typespec_changes(&self.index_before, &self.index, &format!("{SPEC}/{CLIENT_FILE}"));
        let files = if decorators.is_empty() { Vec::new() } else { self.changed_files()? };
        Ok((decorators, files))
    }

    /// What users will see still when these items are carried out.
    pub(super) fn foretold(&self, classification: &Classification) -> Result<Vec<ManualGuidance>, CustomizeError> {
        self.seen(&self.index_before).foretold(classification)
    }

    /// What users see still of the operations, types and properties that the specification took from them since the run began.
    pub(super) fn taken_in_vain(&self) -> Result<Vec<ManualGuidance>, CustomizeError> {
        let seen = self.seen(&self.index);
        let mut all = seen.of_changes()?;
        let (decorators, files) = self.done()?;
        let done = seen.done(&decorators, &files);
        all.extend(changes(seen.before, seen.after).iter().filter_map(|change| seen.without_effect(change, &done)));
        Ok(all)
    }

    /// What users see still under the names of before renames that the specification made at any time, a sentence for each.
    pub(super) fn under_former_names(&self) -> Result<Vec<String>, CustomizeError> {
        self.seen(&self.index).under_former_names()
    }

    fn seen<'s>(&'s self, after: &'s SpecIndex) -> Seen<'s> {
        let (language, package) = (self.language.as_ref(), self.project.package.as_path());
        Seen { language, package, before: &self.index_before, after }
    }
}

impl Seen<'_> {
    /// The same classification, where items that are called done and that users do not see are for a person.
    pub(super) fn corrected(
        &self,
        mut classification: Classification,
        first: Option<&Classification>,
    ) -> Result<Classification, CustomizeError> {
        let mut sources = None;
        let mut any = false;
        for item in &mut classification.items {
            let directives = understood(item, first).to_vec();
            any |= !directives.is_empty();
            if item.route == Route::Success
                && let Some(guidance) = self.kept(&directives, When::After, &mut sources)?
            {
                item.route = Route::Failure;
                item.reason.clone_from(&guidance.issue);
                item.guidance = Some(guidance);
            }
        }
        if !any {
            for (number, guidance) in self.of_changes()?.into_iter().enumerate() {
                classification.items.push(ItemVerdict {
                    id: format!("users-{}", number + 1),
                    text: guidance.issue.clone(),
                    route: Route::Failure,
                    reason: guidance.reason.clone(),
                    directives: Vec::new(),
                    guidance: Some(guidance),
                });
            }
        }
        Ok(classification)
    }

    /// Takes "done" back for items whose decorators changed nothing.
    fn held_to_effects(&self, classification: &mut Classification, first: Option<&Classification>, done: &Done<'_>) {
        for item in classification.items.iter_mut().filter(|item| item.route == Route::Success) {
            let of_language = understood(item, first)
                .iter()
                .filter(|one| one.scope.as_ref().is_none_or(|scope| scope.covers(self.language.language())));
            let found = of_language.map(|one| self.without_effect(&one.change, done));
            if let Some(guidance) = found.fold(None, joined) {
                item.route = Route::Failure;
                item.reason.clone_from(&guidance.issue);
                item.guidance = Some(guidance);
            }
        }
    }

    /// What users will see still when the items of a classification are carried out.
    pub(super) fn foretold(&self, classification: &Classification) -> Result<Vec<ManualGuidance>, CustomizeError> {
        let mut sources = None;
        let items = classification.items.iter().filter(|item| item.route == Route::PhaseA);
        let mut all = Vec::new();
        for item in items {
            all.extend(self.kept(&item.directives, When::Before, &mut sources)?);
        }
        Ok(all)
    }

    fn of_changes(&self) -> Result<Vec<ManualGuidance>, CustomizeError> {
        let mut sources = None;
        let mut all = Vec::new();
        for change in changes(self.before, self.after) {
            let directive = Directive { change, scope: None, basis: String::new() };
            all.extend(self.kept(&[directive], When::After, &mut sources)?);
        }
        Ok(all)
    }

    /// What users see still under the names that the specification gives to operations which the client calls otherwise. It may
    /// stand there on purpose.
    fn under_former_names(&self) -> Result<Vec<String>, CustomizeError> {
        let former = former_names(self.after);
        let sources = if former.is_empty() { Vec::new() } else { self.sources()? };
        let mut all = Vec::new();
        for (sought, now) in former {
            let kept = named(self.shown(&sources, std::slice::from_ref(&sought)).into_iter());
            let called = self.name_in_code(EntityKind::Operation, &now);
            all.extend((!kept.is_empty()).then(|| former_name(&kept, &called)));
        }
        Ok(all)
    }

    /// Guidance for what directives of one item do not take from users, each of them.
    fn kept(
        &self,
        directives: &[Directive],
        when: When,
        sources: &mut Option<Sources>,
    ) -> Result<Option<ManualGuidance>, CustomizeError> {
        let language = self.language.language();
        let mut all: Option<ManualGuidance> = None;
        for directive in directives {
            if directive.scope.as_ref().is_some_and(|scope| !scope.covers(language)) {
                continue;
            }
            let Some(given) = self.given(&directive.change) else { continue };
            if when == When::Before && follows(language, &given) {
                continue;
            }
            let sources = match sources {
                Some(sources) => sources,
                None => sources.insert(self.sources()?),
            };
            let own = self.own_names(sources, &given);
            let mut kept = self.kept_names(sources, &given, when);
            let Some(new) = &given.new else {
                let kept: Vec<Found> = kept.into_iter().chain(own).collect();
                all = joined(all, (!kept.is_empty()).then(|| still_public(&kept)));
                let made = if when == When::After { self.made_public(sources, &given) } else { Vec::new() };
                all = joined(all, (!made.is_empty()).then(|| made_public(&made, language)));
                continue;
            };
            // What has another name is not renamed.
            kept.retain(|(name, _)| self.is_called(&given, name));
            let settled = new.standing == Standing::Settled
                && (given.generated == Access::Public || !self.shown(sources, &new.sought).is_empty());
            let called = self.called(&given, &new.name);
            let keeps = (!kept.is_empty() && !settled).then(|| keeps_its_name(&kept, &called, given.generated));
            all = joined(all, keeps);
            all = joined(all, (!own.is_empty()).then(|| has_its_own_name(&own, &called)));
            let used = if when == When::After { self.still_used(sources, &given) } else { Vec::new() };
            all = joined(all, (!used.is_empty()).then(|| still_used(&used, &called)));
            let nameless = (when == When::After).then(|| self.nameless(sources, &directive.change)).flatten();
            all = joined(all, nameless);
        }
        Ok(all)
    }

    /// What users see under the names that are taken from them. What follows generated code is not foretold of a rename.
    fn kept_names(&self, sources: &Sources, given: &Given, when: When) -> Vec<Found> {
        let follows = |one: &Shown| when == When::Before && given.new.is_some() && one.bond == Bond::Half;
        named(self.shown(sources, &given.old).into_iter().filter(|(_, one)| !follows(one)))
    }

    /// What generated code shows still of what the specification hides.
    fn made_public(&self, sources: &Sources, given: &Given) -> Vec<Found> {
        let read = |path: &str, content: &[u8], one: &Sought| self.language.made_public(path, content, one);
        named(found(sources, &given.old, read).into_iter())
    }

    /// Where hand-written code uses a type under a name that no type of the client has any more.
    fn still_used(&self, sources: &Sources, given: &Given) -> Vec<Found> {
        let is_there = |gone: &str| {
            let mut names =
                self.after.entities.iter().filter(|one| one.kind.is_type()).filter_map(|one| one.client.as_ref());
            names.any(|client| client.name == gone)
        };
        let gone = given.old.iter().filter(|one| matches!(one, Sought::Type { name } if !is_there(name)));
        let gone: Vec<Sought> = gone.cloned().collect();
        let read = |path: &str, content: &[u8], one: &Sought| self.language.still_used(path, content, one);
        named(found(sources, &gone, read).into_iter())
    }

    /// What users call the generated things because a person named them so, but for the name that is asked for.
    fn own_names(&self, sources: &Sources, given: &Given) -> Vec<Found> {
        let read = |path: &str, content: &[u8], one: &Sought| self.language.own_names(path, content, one);
        let wanted = |shown: &Shown| {
            let last = shown.name.rsplit('.').next().unwrap_or_default();
            given.new.as_ref().is_some_and(|new| last.eq_ignore_ascii_case(&new.name))
        };
        named(found(sources, &given.generated_names, read).into_iter().filter(|(_, one)| !wanted(one)))
    }

    /// A name of the client model as users of the language know it.
    fn called(&self, given: &Given, name: &str) -> String {
        let kind = match given.old.iter().chain(&given.generated_names).next() {
            Some(Sought::Operation { .. }) => EntityKind::Operation,
            Some(Sought::Property { .. }) => EntityKind::Property,
            Some(Sought::Type { .. }) | None => return name.to_owned(),
        };
        self.name_in_code(kind, name)
    }

    /// How generated code writes a name of a member.
    fn name_in_code(&self, kind: EntityKind, name: &str) -> String {
        match self.language.language() {
            Language::Python => python_name(kind, name),
            Language::Dotnet | Language::Go => pascal(name),
            Language::Java | Language::Javascript => name.to_owned(),
        }
    }

    /// Whether a name that was found is that of an operation, where an operation was looked for.
    fn is_called(&self, given: &Given, found: &str) -> bool {
        let last = found.rsplit('.').next().unwrap_or(found);
        given.old.iter().any(|one| match one {
            Sought::Operation { name, .. } if self.language.language() == Language::Python => {
                let called = python_name(EntityKind::Operation, name);
                last == called || last.strip_prefix("begin_") == Some(called.as_str())
            }
            _ => true,
        })
    }
}

/// The directives of an item. A model may name what it understood the first time alone.
fn understood<'i>(item: &'i ItemVerdict, first: Option<&'i Classification>) -> &'i [Directive] {
    let known = first.and_then(|first| first.items.iter().find(|one| one.id == item.id));
    match known.filter(|_| item.directives.is_empty()) {
        Some(known) => &known.directives,
        None => &item.directives,
    }
}

/// Whether the repair of hand-written code follows a rename of what generated code shows to users, or the rename is refused
/// before anything is generated.
fn follows(language: Language, given: &Given) -> bool {
    let of_operation = given.old.iter().any(|one| matches!(one, Sought::Operation { .. }));
    given.new.is_some() && of_operation && given.generated == Access::Public && language == Language::Python
}

#[cfg(test)]
mod tests;
