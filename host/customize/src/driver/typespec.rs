//! Phase A: an agent edits a staged `client.tsp`; what the compiler takes and the gate accepts is applied.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_agent::{AgentError, Microagent, Validation, Validator};
use bailiwick_runs::{ApplyError, Change, Digest};
use bailiwick_sdk::tasks::{
    AgentTask, Diagnostic, ItemVerdict, ManualGuidance, Rename, Scope, SpecIndex, TypespecResult, TypespecTask,
};
use serde_json::json;
use tokio::sync::Mutex;

use crate::gate::{Granted, Landing, TypespecDifference, Verdict, Violation, judge_typespec, typespec_changes};
use crate::language::LanguageService;
use crate::machine::{Event, NotLanded, NotLandedCause, State, TypespecEdit};
use crate::stage::{Stage, StageLimits};
use crate::typespec::{ProbeRequest, Project, probe};
use bailiwick_toolchains::{Children, Tools};

use super::languages::{granted, permitted};
use super::session::{CLIENT_FILE, SDK, SPEC, Session, plain_content};
use super::{CustomizeError, agents, instructions, observe};

/// A client file is written by hand; one of a mebibyte was not.
pub(super) const FILE_BYTES: usize = 1 << 20;
const STAGE_LIMITS: StageLimits = StageLimits { entries: 64, file_bytes: FILE_BYTES };

impl Session<'_> {
    pub(super) async fn edit_typespec(
        &mut self,
        state: &State,
        attempt: u8,
        items: Vec<ItemVerdict>,
        feedback: Vec<Diagnostic>,
    ) -> Result<Event, CustomizeError> {
        self.attempts("editing `client.tsp`", format!("phase A, attempt {attempt}"));
        let (stage, grant) = self.stage(SPEC, &[CLIENT_FILE.to_owned()], STAGE_LIMITS)?;
        let toolbox = agents::toolbox(self.customizer, &["ReadFile", "WriteFile", "ListFiles", "CodePatch"], grant)?
            .of_run(&self.run.id().to_string());
        let task = TypespecTask {
            items,
            request: state.request().to_owned(),
            language: self.language.language(),
            index: self.index.clone(),
            client_file: format!("{SPEC}/{CLIENT_FILE}"),
            main_file: self.project.main.clone(),
            feedback,
        };
        let instructions = instructions::typespec_customization(&task, &self.reference)?;
        let task = AgentTask::from(task).to_value()?;
        let judge = Arc::new(Judge {
            stage,
            project: self.project.clone(),
            tools: self.tools.clone(),
            children: self.children.called("compiler"),
            language: self.language.language(),
            permitted: permitted(self.language.language(), &self.languages),
            granted: granted(self.directed.iter().flat_map(|directed| &directed.items)),
            original: self.run.before(SPEC, CLIENT_FILE)?,
            index_before: self.index_before.clone(),
            work: self.work.clone(),
            decided: Mutex::default(),
        });
        let agent = Microagent::<TypespecResult>::templated(instructions, task, agents::editor_budget())
            .validated_by(Shared(judge.clone()));
        let agent = agents::with_cost_limit(agent, self.customizer.money);
        let backend = self.specification_backend();
        let outcome = bailiwick_agent::run(&agent, &toolbox, backend.as_ref(), &mut self.transcript).await;
        let decided = std::mem::take(&mut *judge.decided.lock().await);
        let edit = match outcome {
            Ok(completed) => self.land_typespec(completed.result, decided)?,
            Err(error @ (AgentError::Transcript(_) | AgentError::Definition(_))) => return Err(error.into()),
            Err(error) => TypespecEdit::NotLanded(decided.not_landed(&error.to_string())),
        };
        Ok(Event::TypespecEdited { edit })
    }

    fn land_typespec(&mut self, result: TypespecResult, decided: Decided) -> Result<TypespecEdit, CustomizeError> {
        if let Some(guidance) = result.failure {
            let message = guidance.reason.clone();
            return Ok(TypespecEdit::NotLanded(NotLanded { guidance: Some(guidance), ..decided.not_landed(&message) }));
        }
        if let Some(guidance) = collision(self.language.as_ref(), &self.project.package, &result.renames)? {
            let message = guidance.reason.clone();
            return Ok(TypespecEdit::NotLanded(NotLanded { guidance: Some(guidance), ..decided.not_landed(&message) }));
        }
        let Some((landings, index)) = decided.accepted.filter(|(landings, _)| !landings.is_empty()) else {
            return Ok(TypespecEdit::NotNeeded { renames: result.renames });
        };
        let changes = typespec_changes(&self.index_before, &index, &format!("{SPEC}/{CLIENT_FILE}"));
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
        self.index = index;
        for change in &changes {
            self.customizer
                .progress
                .say(&format!("@@{} on {} for {}", change.decorator_name, change.target, change.scope));
        }
        Ok(TypespecEdit::Landed { changes, renames: result.renames })
    }

    /// Writes what the gate let through, all of it or nothing.
    pub(super) fn apply(&mut self, root: &str, landings: Vec<Landing>) -> Result<(), CustomizeError> {
        let changes: Vec<Change> = landings
            .into_iter()
            .map(|landing| Change {
                root: root.to_owned(),
                path: landing.path,
                expected: landing.expected.as_deref().map(Digest::of),
                content: Some(landing.content),
            })
            .collect();
        Ok(self.run.apply(&changes)?)
    }
}

/// Judges what an agent left in the stage, each time it wants to hand in. Changes nothing.
struct Judge {
    stage: Stage,
    project: Project,
    tools: Tools,
    children: Children,
    language: bailiwick_sdk::tasks::Language,
    permitted: Scope,
    granted: Vec<Granted>,
    original: Option<Vec<u8>>,
    index_before: SpecIndex,
    work: std::path::PathBuf,
    decided: Mutex<Decided>,
}

/// The last decision.
#[derive(Default)]
struct Decided {
    accepted: Option<(Vec<Landing>, SpecIndex)>,
    compile_errors: Vec<Diagnostic>,
    violations: Vec<Violation>,
}

impl Decided {
    /// An attempt that ended without landing, with the last reason there was.
    fn not_landed(self, message: &str) -> NotLanded {
        let (cause, diagnostics) = if !self.compile_errors.is_empty() {
            (NotLandedCause::DoesNotCompile, self.compile_errors)
        } else if !self.violations.is_empty() {
            (NotLandedCause::RefusedByGate, self.violations.iter().map(violation).collect())
        } else {
            (NotLandedCause::AgentFailed, vec![agents::diagnostic("agent", None, None, message.to_owned())])
        };
        NotLanded { cause, diagnostics, guidance: None }
    }
}

pub(super) fn violation(violation: &Violation) -> Diagnostic {
    agents::diagnostic("gate", Some(violation.rule.name()), Some(violation.path.clone()), violation.message.clone())
}

/// A judge that the agent and the driver both hold.
struct Shared(Arc<Judge>);

#[async_trait]
impl Validator<TypespecResult> for Shared {
    async fn validate(&self, result: &TypespecResult) -> Validation {
        // Giving up needs no permission; what was staged is left behind.
        if result.failure.is_some() {
            return Validation::Accepted;
        }
        let mut decided = Decided::default();
        let verdict = match self.0.judge(&mut decided).await {
            Ok(landings) if landings.is_empty() && !result.no_edit_needed => Validation::refused(
                "`client.tsp` was not changed; say that no edit is needed, or why it cannot be done",
            ),
            Ok(_) => Validation::Accepted,
            Err(reason) => Validation::refused(reason),
        };
        *self.0.decided.lock().await = decided;
        verdict
    }
}

impl Judge {
    async fn judge(&self, decided: &mut Decided) -> Result<Vec<Landing>, serde_json::Value> {
        let failed = |error: &dyn std::fmt::Display| json!(format!("the edit cannot be judged: {error}"));
        let difference = self.stage.collect().map_err(|error| failed(&error))?;
        if !difference.violations.is_empty() {
            observe::refused(&difference.violations);
            decided.violations = difference.violations;
            return Err(reasons(&decided.violations));
        }
        if difference.files.is_empty() {
            decided.accepted = Some((Vec::new(), self.index_before.clone()));
            return Ok(Vec::new());
        }
        let now = self.stage.present(CLIENT_FILE);
        let candidates: Vec<_> = difference
            .files
            .into_iter()
            .map(|change| {
                let client = change.path == CLIENT_FILE;
                let (original, now) = if client { (self.original.clone(), now.clone()) } else { (None, None) };
                change.candidate(original, now)
            })
            .collect();
        let judge = |index_after| {
            judge_typespec(&TypespecDifference {
                client_file: CLIENT_FILE,
                language: self.language,
                permitted: &self.permitted,
                granted: &self.granted,
                candidates: &candidates,
                index_before: &self.index_before,
                index_after,
                file_bytes: FILE_BYTES,
            })
        };
        // A compiler runs what a file imports, so it reads nothing that its text alone refuses.
        if let Verdict::Refused(violations) = judge(None) {
            observe::refused(&violations);
            decided.violations = violations;
            return Err(reasons(&decided.violations));
        }
        let edited = candidates.iter().find(|candidate| candidate.path == CLIENT_FILE);
        let text = edited.and_then(|candidate| candidate.after.as_deref()).map(String::from_utf8_lossy);
        let request =
            ProbeRequest { project: &self.project, language: self.language, client: text.as_deref(), work: &self.work };
        let index = probe(request, self.tools.compiler(), &self.children).await.map_err(|error| failed(&error))?;
        let errors: Vec<_> = index.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect();
        if !errors.is_empty() {
            decided.compile_errors.clone_from(&errors);
            return Err(json!({ "rule": "must compile", "diagnostics": errors }));
        }
        let verdict = judge(Some(&index));
        observe::gate(&verdict);
        match verdict {
            Verdict::Lands(landings) => {
                decided.accepted = Some((landings.clone(), index));
                Ok(landings)
            }
            Verdict::Refused(violations) => {
                decided.violations = violations;
                Err(reasons(&decided.violations))
            }
        }
    }
}

/// Violations as the reason that goes back to the agent.
pub(super) fn reasons(violations: &[Violation]) -> serde_json::Value {
    json!({ "refusedByGate": violations })
}

/// A new type name that hand-written code defines already would hide the generated type, and no build notices.
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
        for rename in renames.iter().filter(|rename| rename.container.is_none()) {
            let Some(line) = language.defines(&text, &rename.new) else { continue };
            return Ok(Some(ManualGuidance {
                issue: format!("`{}` cannot become `{}`: hand-written code defines that name", rename.old, rename.new),
                files: vec![format!("{SDK}/{file}:{line}")],
                approach: format!("choose another name, or rename `{}` in the customization code first", rename.new),
                reason: "the hand-written name would hide the generated one, and no build would notice".into(),
            }));
        }
    }
    Ok(None)
}
