//! The end of a run: claims against the difference, the response, and what becomes of the files.

use std::path::Path;

use bailiwick_runs::{ChangedFile as Entry, EntryKind, Status};
use bailiwick_sdk::tasks::{CodePatchDetail, Language, TypeSpecChange};

use serde_json::json;

use crate::gate::{missing_patches, missing_typespec_changes, typespec_changes};
use crate::machine::{Aim, Claims, Ending, Event, Keep, Outcome, State};
use crate::plan::PlannedAction;
use crate::response::{ChangedFile, Disposition, Origin, Response, RunFacts, unified};

use crate::surface::Surface;
use crate::surface::code::Regenerated;
use bailiwick_sdk::scopes::ScopeArgument;

use super::CustomizeError;
use super::roots::{CLIENT_FILE, SDK, SPEC};
use super::session::Session;
use super::steps::put_back;

impl Session<'_> {
    pub(super) fn check_claims(
        &self,
        claimed_changes: &[TypeSpecChange],
        claimed_patches: &[CodePatchDetail],
    ) -> Result<Event, CustomizeError> {
        let actual = typespec_changes(&self.index_before, &self.index, &format!("{SPEC}/{CLIENT_FILE}"));
        let mut missing = missing_typespec_changes(claimed_changes, &actual);
        let files = self.changed_files()?;
        let text = |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        let by_agent: Vec<_> = files
            .iter()
            .filter(|file| file.origin == Origin::Agent)
            .map(|file| (file.path.clone(), text(self.edited_from(file)), text(&file.after)))
            .collect();
        missing.extend(missing_patches(claimed_patches, &by_agent));
        if !claimed_changes.is_empty() && !by_agent.iter().any(|(path, ..)| path.starts_with(SPEC)) {
            missing.push(format!("a change of `{SPEC}/{CLIENT_FILE}`"));
        }
        let claims = if missing.is_empty() { Claims::AllInDiff } else { Claims::Missing { claims: missing } };
        Ok(Event::ClaimsChecked { claims })
    }

    /// Closes the run: a failed one is put back unless it is to be kept, a success leaves its proof.
    pub(super) fn end(self, state: &State, ending: &Ending, keep: Keep) -> Result<Response, CustomizeError> {
        self.last(|session| session.close(state, ending, keep))
    }

    fn close(mut self, state: &State, ending: &Ending, keep: Keep) -> Result<Response, CustomizeError> {
        let mut files = self.changed_files()?;
        let touched = !self.run.changed()?.is_empty();
        let failed = ending.outcome == Outcome::Failure;
        let mut patched = None;
        let (disposition, status) = match (failed, touched, keep) {
            (false, true, _) => (Disposition::Pending, Status::Pending),
            (_, false, _) => (Disposition::Unchanged, Status::Unchanged),
            (true, true, Keep::Failed) => (Disposition::Kept, Status::Failed { kept: true }),
            (true, true, Keep::WhatBuilds | Keep::Partial) => {
                self.customizer.progress.say("putting both repositories back");
                let patch = self.run.directory().join("put-back.patch");
                std::fs::write(&patch, unified(&files)).map_err(CustomizeError::io(&patch, "written"))?;
                patched = Some(patch);
                put_back(&mut self.run, &self.customizer.progress)?;
                files.clear();
                (Disposition::Reverted, Status::Failed { kept: false })
            }
        };
        let success = ending.outcome == Outcome::Success;
        if success {
            // A build that is no worse than before does not prove that the package builds.
            if state.before().known.is_empty() && !self.project.detached {
                self.keep_proof()?;
            }
            self.keep_present_index()?;
        }
        let surface = if disposition == Disposition::Reverted { None } else { self.surface(&files)? };
        let mut leftovers = Vec::new();
        if !failed {
            leftovers.extend(self.leftovers(&self.renames_for_users(state.renames()))?);
            // A request for a change says it of what it changes; a repair has nothing else to say it of.
            if state.aim() == Aim::Repair {
                leftovers.extend(self.under_former_names()?);
            }
            leftovers.extend(self.abandoned_modules()?);
        }
        leftovers.extend(changed_too(self.language.language(), &self.languages, state.typespec_changes()));
        let shown = |directory: &Path| directory.display().to_string();
        let directories =
            [(SDK.to_owned(), shown(&self.project.package)), (SPEC.to_owned(), shown(&self.project.directory))];
        let facts = RunFacts {
            run_id: self.run.id().to_string(),
            disposition,
            files,
            directories: directories.into(),
            surface,
            background: self.first.as_ref().map(|first| first.background.clone()).unwrap_or_default(),
            candidates: self
                .first
                .as_ref()
                .map_or_else(Vec::new, |first| PlannedAction::all(&first.candidates, self.language.language())),
            leftovers,
            put_back: patched.as_deref().map(shown),
            usage: self.transcript.spent().clone(),
        };
        let response = Response::new(state, &facts);
        let diff = self.run.directory().join("diff.patch");
        std::fs::write(&diff, &response.diff).map_err(CustomizeError::io(&diff, "written"))?;
        // Copies and scratch files are not needed once the run is over.
        let _ = std::fs::remove_dir_all(&self.work);
        // What the host itself took is what is left when children are taken away; `cargo xtask bench` reads it.
        let timeline = self.children.timeline();
        let (total, children) = (timeline.elapsed(), timeline.by_programs());
        let own = total.saturating_sub(children);
        let timing = json!({
            "totalMs": total.as_millis(), "childrenMs": children.as_millis(), "ownMs": own.as_millis(),
        });
        self.record("timing", &timing)?;
        let value = serde_json::to_value(&response)?;
        self.run.finish(status, &value)?;
        Ok(response)
    }

    /// How the public surface differs now from before the run.
    pub(super) fn present_surface(&self) -> Result<Option<Surface>, CustomizeError> {
        self.surface(&self.changed_files()?)
    }

    /// The same with these changed files.
    fn surface(&self, files: &[ChangedFile]) -> Result<Option<Surface>, CustomizeError> {
        let changes = typespec_changes(&self.index_before, &self.index, &format!("{SPEC}/{CLIENT_FILE}"));
        let regenerated = Regenerated {
            language: self.language.as_ref(),
            package: &self.project.package,
            files,
            before: &self.index_before,
            after: &self.index,
            changes: &changes,
        };
        Ok(regenerated.surface()?)
    }

    /// Ends a run whose work was dropped: once nothing that it started is alive, both repositories are put back.
    pub(super) async fn take_back(mut self) -> Result<(), CustomizeError> {
        self.customizer.progress.say("cancelled; putting both repositories back");
        self.customizer.supervisor.settled().await;
        let _ = std::fs::remove_dir_all(&self.work);
        put_back(&mut self.run, &self.customizer.progress)?;
        Ok(self.run.finish(Status::Reverted, &json!(null))?)
    }

    /// Ends a run that failed before anything was edited: there is nothing to put back.
    pub(super) fn leave(self) -> Result<(), CustomizeError> {
        let _ = std::fs::remove_dir_all(&self.work);
        Ok(self.run.finish(Status::Unchanged, &json!(null))?)
    }

    /// Every file of both repositories that differs from before the run, with its contents.
    pub(super) fn changed_files(&self) -> Result<Vec<ChangedFile>, CustomizeError> {
        let entries = self.run.changed()?;
        entries
            .iter()
            .filter(|entry| entry.kind != EntryKind::Directory)
            .map(|entry| self.changed_file(entry))
            .collect()
    }

    /// What an agent's edit of a file began with: what generation made of the code of a person in it, or what the run found.
    fn edited_from<'f>(&'f self, file: &'f ChangedFile) -> &'f Option<Vec<u8>> {
        let path = file.path.strip_prefix(SDK).and_then(|path| path.strip_prefix('/'));
        path.and_then(|path| self.carried.get(path)).unwrap_or(&file.before)
    }

    fn changed_file(&self, entry: &Entry) -> Result<ChangedFile, CustomizeError> {
        let before = self.run.before(&entry.root, &entry.path)?;
        let after = self.content(&entry.root, &entry.path)?;
        let content = after.as_deref().or(before.as_deref()).unwrap_or_default();
        // A repair may also change what a person wrote in a generated file.
        let in_generated = || self.carried.get(&entry.path).is_some_and(|original| *original != after);
        let by_agent = entry.root == SPEC || self.language.is_customization(&entry.path, content) || in_generated();
        let origin = if by_agent { Origin::Agent } else { Origin::Generator };
        Ok(ChangedFile { path: format!("{}/{}", entry.root, entry.path), origin, before, after })
    }
}

/// The next step where decorators change clients whose packages this run neither regenerated nor built.
fn changed_too(own: Language, allowed: &[Language], changes: &[TypeSpecChange]) -> Option<String> {
    let reached = |change: &TypeSpecChange, language: Language| {
        let scope = ScopeArgument::parse(Some(&change.scope));
        let named = |tokens: &[String]| tokens.iter().any(|token| token == language.scope_token());
        match () {
            // `@scope` names the languages that keep its target.
            () if change.decorator_name == "scope" => named(&scope.negated),
            () if !scope.negated.is_empty() => !named(&scope.negated),
            () => scope.is_general() || named(&scope.listed),
        }
    };
    let others = Language::ALL.into_iter().filter(|one| *one != own && allowed.contains(one));
    let others: Vec<&str> =
        others.filter(|one| changes.iter().any(|change| reached(change, *one))).map(Language::display_name).collect();
    (!others.is_empty()).then(|| {
        format!(
            "The clients of {} change too, and only the {own} package was regenerated and built: do so with theirs",
            others.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Dotnet, Go, Java, Python};

    #[test]
    fn languages_whose_clients_change_beside_the_package_are_a_next_step() {
        let said = |decorator: &str, scope: &str, allowed: &[Language]| {
            let change = TypeSpecChange {
                decorator_name: decorator.into(),
                target: "A.b".into(),
                scope: scope.into(),
                file_path: "spec/client.tsp".into(),
            };
            changed_too(Python, allowed, &[change])
        };
        assert_eq!(said("access", "python", &[]), None);
        assert_eq!(said("access", "python", &[Python, Dotnet]), None);
        assert!(said("access", "python, csharp", &[Python, Dotnet]).unwrap().contains("clients of .NET change too"));
        assert!(said("clientName", "", &Language::ALL).unwrap().contains("Java, .NET, JavaScript, Go"));
        assert!(said("clientName", "!java", &[Java, Go]).unwrap().contains("clients of Go"));
        assert!(said("scope", "!python, !java", &[Java, Go]).unwrap().contains("clients of Java change"));
    }
}
