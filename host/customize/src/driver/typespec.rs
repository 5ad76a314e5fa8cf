//! Phase A: an agent edits a staged `client.tsp`; what the compiler takes and the gate accepts is applied.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use bailiwick_agent::Backend;
use bailiwick_runs::{ApplyError, Change, Digest, Run};
use bailiwick_sdk::renames::renames_between;
use bailiwick_sdk::tasks::{
    Diagnostic, EntityKind, ItemVerdict, ManualGuidance, Rename, Scope, TypespecResult, TypespecTask,
};

use crate::gate::{Granted, Landing, typespec_changes};
use crate::language::{LanguageService, Override};
use crate::machine::{Event, NotLanded, NotLandedCause, State, TypespecEdit};

use super::attempt::{Attempt, Attempted, Decided, Judging, STAGE_LIMITS, View};
use super::languages::{granted, permitted};
use super::roots::{CLIENT_FILE, SDK, SPEC, plain_content};
use super::session::Session;
use super::{CustomizeError, agents};

impl Session<'_> {
    pub(super) async fn edit_typespec(
        &mut self,
        state: &State,
        attempt: u8,
        items: Vec<ItemVerdict>,
        feedback: Vec<Diagnostic>,
    ) -> Result<Event, CustomizeError> {
        self.attempts("editing `client.tsp`", format!("phase A, attempt {attempt}"));
        let task = TypespecTask {
            items,
            request: state.request().to_owned(),
            language: self.language.language(),
            index: self.index.clone(),
            client_file: format!("{SPEC}/{CLIENT_FILE}"),
            main_file: self.project.main.clone(),
            feedback,
        };
        let permitted = permitted(self.language.language(), &self.languages);
        let granted = granted(self.directed.iter().flat_map(|directed| &directed.items));
        let backend = self.specification_backend();
        let Attempted { result, decided } = self.attempted(task, backend, permitted, granted).await?;
        let edit = match result {
            Ok(result) => self.land_typespec(result, decided)?,
            Err(error) => TypespecEdit::NotLanded(decided.not_landed(&error)),
        };
        Ok(Event::TypespecEdited { edit })
    }

    /// Has an agent edit a stage, and the package's compiler and the gate judge what it leaves there.
    pub(super) async fn attempted(
        &mut self,
        task: TypespecTask,
        backend: Arc<dyn Backend>,
        permitted: Scope,
        granted: Vec<Granted>,
    ) -> Result<Attempted, CustomizeError> {
        let view = View {
            language: self.language.language(),
            emitter: self.project.emitter.emitter.clone(),
            before: self.index_before.clone(),
        };
        let judging = Judging {
            project: self.project.specification(),
            compiler: (self.tools.build.node.clone(), self.tools.emitter.clone()),
            children: self.children.called("compiler"),
            residents: self.customizer.residents.clone(),
            views: vec![view],
            permitted,
            granted,
            original: self.run.before(SPEC, CLIENT_FILE)?,
            work: self.work.clone(),
        };
        let attempt = Attempt {
            staged: self.stage(SPEC, &[CLIENT_FILE.to_owned()], STAGE_LIMITS)?,
            customizer: self.customizer,
            run: &self.run,
            transcript: &mut self.transcript,
            reference: &self.reference,
            backend,
            task,
            judging,
        };
        attempt.make().await
    }

    fn land_typespec(&mut self, result: TypespecResult, decided: Decided) -> Result<TypespecEdit, CustomizeError> {
        if let Some(guidance) = result.failure {
            let message = guidance.reason.clone();
            return Ok(TypespecEdit::NotLanded(NotLanded { guidance: Some(guidance), ..decided.not_landed(&message) }));
        }
        // What stands in the specification already was decided before: a repair follows it.
        let edits = decided.accepted.as_ref().is_some_and(|(landings, _)| !landings.is_empty());
        if edits && let Some(guidance) = collision(self.language.as_ref(), &self.project.package, &result.renames)? {
            let message = guidance.reason.clone();
            return Ok(TypespecEdit::NotLanded(NotLanded { guidance: Some(guidance), ..decided.not_landed(&message) }));
        }
        let accepted = decided.accepted.filter(|(landings, _)| !landings.is_empty());
        let Some((landings, Some(index))) = accepted.map(|(landings, indexes)| (landings, indexes.into_iter().next()))
        else {
            return Ok(TypespecEdit::NotNeeded { renames: result.renames });
        };
        let changes = typespec_changes(&self.index_before, &index, &format!("{SPEC}/{CLIENT_FILE}"));
        let client = landings.iter().find(|one| one.path == CLIENT_FILE).map(|one| one.content.clone());
        match self.apply(SPEC, landings) {
            Ok(()) => {}
            Err(CustomizeError::Apply(error @ (ApplyError::Conflict { .. } | ApplyError::NotAFile { .. }))) => {
                let diagnostic = agents::diagnostic("gate", Some("changed-since-staged"), None, error.to_string());
                return Ok(TypespecEdit::NotLanded(NotLanded {
                    cause: NotLandedCause::RefusedByGate,
                    diagnostics: vec![diagnostic],
                    guidance: None,
                }));
            }
            Err(error) => return Err(error),
        }
        self.landed(index, client);
        for change in &changes {
            self.customizer
                .progress
                .say(&format!("@@{} on {} for {}", change.decorator_name, change.target, change.scope));
        }
        let renames = self.with_copies(result.renames);
        Ok(TypespecEdit::Landed { changes, renames })
    }

    /// These renames, and those of copies of what they name: a decorator goes along where a model or an operation is spread or
    /// reused.
    fn with_copies(&self, mut renames: Vec<Rename>) -> Vec<Rename> {
        for made in renames_between(&self.index_before, &self.index, self.language.language()) {
            // A name that the language writes as before breaks nothing, and the class of a client is no type of the service.
            let follows = made.new != made.old && made.kind != EntityKind::Namespace;
            if follows && !renames.iter().any(|one| one.old == made.old && one.container == made.container) {
                renames.push(made);
            }
        }
        renames
    }

    /// Writes what the gate let through, all of it or nothing.
    pub(super) fn apply(&mut self, root: &str, landings: Vec<Landing>) -> Result<(), CustomizeError> {
        apply(&mut self.run, root, landings)
    }
}

/// Writes what the gate let through beneath a root of a run, all of it or nothing.
pub(super) fn apply(run: &mut Run, root: &str, landings: Vec<Landing>) -> Result<(), CustomizeError> {
    let changes: Vec<Change> = landings
        .into_iter()
        .map(|landing| Change {
            root: root.to_owned(),
            path: landing.path,
            expected: landing.expected.as_deref().map(Digest::of),
            content: Some(landing.content),
        })
        .collect();
    Ok(run.apply(&changes)?)
}

/// What hand-written code of a package stands against renames, told before anything is generated. A new type name that it
/// defines already would hide the generated type, and no build notices. An operation that it overrides with a method of its
/// own signature would have two names, and which of them users call is for a person. An override that takes what the
/// generated method takes follows the rename; that none stays behind is seen by the drift check.
pub(super) fn collision(
    language: &dyn LanguageService,
    package: &Path,
    renames: &[Rename],
) -> Result<Option<ManualGuidance>, CustomizeError> {
    if renames.is_empty() {
        return Ok(None);
    }
    for file in language.customization_files(package)? {
        let content = plain_content(package, &file)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&content);
        let hides = |rename: &&Rename| rename.container.is_none() && language.may_hide(package, &file, &rename.old);
        for rename in renames.iter().filter(hides) {
            let Some(line) = language.defines(&text, &rename.new) else { continue };
            return Ok(Some(ManualGuidance {
                issue: format!("`{}` cannot become `{}`: hand-written code defines that name", rename.old, rename.new),
                files: vec![format!("{SDK}/{file}:{line}")],
                approach: format!("choose another name, or rename `{}` in the customization code first", rename.new),
                reason: "the hand-written name would hide the generated one, and no build would notice".into(),
            }));
        }
        // That hand-written code wraps an operation which is hidden now is what hiding is for.
        for rename in renames.iter().filter(|rename| !rename.new.starts_with('_')) {
            if let Some(own) = around_a_public_one(language, package, language.wrappers(&text, rename))? {
                return Ok(Some(wrapped(&file, rename, &own)));
            }
            let overrides = language.overrides(&text, rename);
            let Some(own) = of_its_own_signature(language, package, &overrides, rename)? else { continue };
            return Ok(Some(ManualGuidance {
                issue: format!(
                    "`{}` cannot become `{}`: hand-written code overrides it with other parameters",
                    rename.old, rename.new
                ),
                files: vec![format!("{SDK}/{file}:{}", own.line)],
                approach: format!(
                    "decide whether users call the hand-written method `{}` or `{}`, rename it accordingly, and ask again",
                    rename.old, rename.new
                ),
                reason: "whether the hand-written method is renamed along is a decision about the public surface"
                    .into(),
            }));
        }
    }
    Ok(None)
}

/// A rename that would not reach users: they call a hand-written method, which keeps its name.
fn wrapped(file: &str, rename: &Rename, own: &Override) -> ManualGuidance {
    ManualGuidance {
        issue: format!(
            "`{}` cannot become `{}` for users: they call the hand-written method `{}`, which keeps its name",
            rename.old, rename.new, own.name
        ),
        files: vec![format!("{SDK}/{file}:{}", own.line)],
        approach: format!(
            "decide what users shall call: rename the hand-written `{}` and what it calls, or leave the operation as it is",
            own.name
        ),
        reason:
            "a rename of the generated operation would change no public name, and renaming the hand-written method is \
                 a decision about the public surface"
                .into(),
    }
}

/// The first of these methods whose name a generated method has, too. One around an internal operation has a name of its own.
fn around_a_public_one(
    language: &dyn LanguageService,
    package: &Path,
    wrappers: Vec<Override>,
) -> Result<Option<Override>, CustomizeError> {
    if wrappers.is_empty() {
        return Ok(None);
    }
    let mut public: BTreeSet<String> = BTreeSet::new();
    for path in language.generated_files(package)? {
        let content = plain_content(package, &path)?.unwrap_or_default();
        let found = language.definitions(&path, &String::from_utf8_lossy(&content));
        public.extend(found.into_iter().filter(|one| one.kind == EntityKind::Operation).map(|one| one.name));
    }
    Ok(wrappers.into_iter().find(|one| public.contains(&one.name)))
}

/// The first of these methods that does not take what the generated methods of its name take, or of whose name none is found. A
/// method around an internal one (`x` around `_x`) overrides nothing: its name is its author's, and it stays.
fn of_its_own_signature<'o>(
    language: &dyn LanguageService,
    package: &Path,
    overrides: &'o [Override],
    rename: &Rename,
) -> Result<Option<&'o Override>, CustomizeError> {
    if overrides.is_empty() {
        return Ok(None);
    }
    let mut taken: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for path in language.generated_files(package)? {
        let content = plain_content(package, &path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&content);
        for name in overrides.iter().flat_map(|one| [one.name.clone(), format!("_{}", one.name)]) {
            let found = language.takes(&text, rename.container.as_deref(), &name);
            taken.entry(name).or_default().extend(found);
        }
    }
    let of = |name: &str| taken.get(name).map(Vec::as_slice).unwrap_or_default();
    let follows = |one: &&Override| match of(&one.name) {
        [] => !of(&format!("_{}", one.name)).is_empty(),
        generated => generated.iter().all(|taken| *taken == one.takes),
    };
    Ok(overrides.iter().find(|one| !follows(one)))
}
