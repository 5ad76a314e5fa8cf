//! One attempt to edit `client.tsp`: an agent edits a stage, and a judge says what of it may land.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use bailiwick_agent::{AgentError, Backend, Microagent, Transcript, Validation, Validator};
use bailiwick_runs::Run;
use bailiwick_sandbox::Grant;
use bailiwick_sdk::tasks::{AgentTask, Diagnostic, Language, Scope, SpecIndex, TypespecResult, TypespecTask};
use bailiwick_toolchains::{Children, Compiler, Emitter, Node};
use serde_json::json;
use tokio::sync::Mutex;

use crate::gate::{Granted, Landing, TypespecDifference, Verdict, Violation, judge_typespec};
use crate::knowledge::Reference;
use crate::machine::{NotLanded, NotLandedCause};
use crate::stage::{Stage, StageLimits};
use crate::typespec::{ProbeRequest, Residents, SpecProject};

use super::roots::CLIENT_FILE;
use super::{CustomizeError, Customizer, agents, instructions, observe};

/// A client file is written by hand; one of a mebibyte was not.
pub(super) const FILE_BYTES: usize = 1 << 20;
pub(super) const STAGE_LIMITS: StageLimits = StageLimits { entries: 64, file_bytes: FILE_BYTES };

/// An attempt before it is made.
pub(super) struct Attempt<'a> {
    pub(super) customizer: &'a Customizer,
    pub(super) run: &'a Run,
    pub(super) transcript: &'a mut Transcript,
    pub(super) reference: &'a Reference,
    /// Who edits.
    pub(super) backend: Arc<dyn Backend>,
    pub(super) task: TypespecTask,
    /// Where it edits, and the grant over it.
    pub(super) staged: (Stage, Grant),
    pub(super) judging: Judging,
}

/// What an edit is judged by.
pub(super) struct Judging {
    pub(super) project: SpecProject,
    pub(super) compiler: (Node, Emitter),
    pub(super) children: Children,
    pub(super) residents: Residents,
    /// The languages whose clients are looked at; never empty.
    pub(super) views: Vec<View>,
    pub(super) permitted: Scope,
    pub(super) granted: Vec<Granted>,
    /// The client file when the run began.
    pub(super) original: Option<Vec<u8>>,
    /// For copies; outside both repositories.
    pub(super) work: PathBuf,
}

/// How one language's client sees a project.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub(super) language: Language,
    /// The emitter whose options apply.
    pub(super) emitter: String,
    /// When the run began.
    pub(super) before: SpecIndex,
}

/// What an attempt came to.
pub(super) struct Attempted {
    /// What the agent handed in, or why it handed in nothing.
    pub(super) result: Result<TypespecResult, String>,
    pub(super) decided: Decided,
}

impl Attempt<'_> {
    /// Has the agent edit until the judge accepts what it left in the stage, or until it gives up. Changes no repository.
    pub(super) async fn make(self) -> Result<Attempted, CustomizeError> {
        let (stage, grant) = self.staged;
        let toolbox = agents::toolbox(self.customizer, &["ReadFile", "WriteFile", "ListFiles", "CodePatch"], grant)?
            .of_run(&self.run.id().to_string());
        let instructions = instructions::typespec_customization(&self.task, self.reference)?;
        let task = AgentTask::from(self.task).to_value()?;
        let judge = Arc::new(Judge { stage, judging: self.judging, decided: Mutex::default() });
        let agent = Microagent::<TypespecResult>::templated(instructions, task, agents::editor_budget())
            .validated_by(Shared(judge.clone()));
        let agent = agents::with_cost_limit(agent, self.customizer.money);
        let outcome = bailiwick_agent::run(&agent, &toolbox, self.backend.as_ref(), self.transcript).await;
        let decided = std::mem::take(&mut *judge.decided.lock().await);
        let result = match outcome {
            Ok(completed) => Ok(completed.result),
            Err(error @ (AgentError::Transcript(_) | AgentError::Definition(_))) => return Err(error.into()),
            Err(error) => Err(error.to_string()),
        };
        Ok(Attempted { result, decided })
    }
}

/// Judges what an agent left in the stage, each time it wants to hand in. Changes nothing.
struct Judge {
    stage: Stage,
    judging: Judging,
    decided: Mutex<Decided>,
}

/// The last decision.
#[derive(Default)]
pub(super) struct Decided {
    /// What may land, with the compiler's view of it for each language.
    pub(super) accepted: Option<(Vec<Landing>, Vec<SpecIndex>)>,
    compile_errors: Vec<Diagnostic>,
    violations: Vec<Violation>,
}

impl Decided {
    /// An attempt that ended without landing, with the last reason there was.
    pub(super) fn not_landed(self, message: &str) -> NotLanded {
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
        let Judging { views, .. } = &self.judging;
        let difference = self.stage.collect().map_err(|error| failed(&error))?;
        if !difference.violations.is_empty() {
            observe::refused(&difference.violations);
            decided.violations = difference.violations;
            return Err(reasons(&decided.violations));
        }
        if difference.files.is_empty() {
            decided.accepted = Some((Vec::new(), views.iter().map(|view| view.before.clone()).collect()));
            return Ok(Vec::new());
        }
        let now = self.stage.present(CLIENT_FILE);
        let candidates: Vec<_> = difference
            .files
            .into_iter()
            .map(|change| {
                let client = change.path == CLIENT_FILE;
                let (original, now) = if client { (self.judging.original.clone(), now.clone()) } else { (None, None) };
                change.candidate(original, now)
            })
            .collect();
        let judge = |view: &View, index_after: Option<&SpecIndex>| {
            judge_typespec(&TypespecDifference {
                client_file: CLIENT_FILE,
                language: view.language,
                permitted: &self.judging.permitted,
                granted: &self.judging.granted,
                candidates: &candidates,
                index_before: &view.before,
                index_after,
                file_bytes: FILE_BYTES,
            })
        };
        // A compiler runs what a file imports, so it reads nothing that its text alone refuses.
        for view in views {
            if let Verdict::Refused(violations) = judge(view, None) {
                observe::refused(&violations);
                decided.violations = violations;
                return Err(reasons(&decided.violations));
            }
        }
        let edited = candidates.iter().find(|candidate| candidate.path == CLIENT_FILE);
        let text = edited.and_then(|candidate| candidate.after.as_deref()).map(String::from_utf8_lossy);
        let (mut landings, mut indexes) = (Vec::new(), Vec::new());
        for view in views {
            let index = self.judging.compiled(view, text.as_deref()).await.map_err(|error| failed(&error))?;
            let errors: Vec<_> = index.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect();
            if !errors.is_empty() {
                decided.compile_errors.clone_from(&errors);
                return Err(json!({ "rule": "must compile", "diagnostics": errors }));
            }
            let verdict = judge(view, Some(&index));
            observe::gate(&verdict);
            match verdict {
                Verdict::Lands(lands) => landings = lands,
                Verdict::Refused(violations) => {
                    decided.violations = violations;
                    return Err(reasons(&decided.violations));
                }
            }
            indexes.push(index);
        }
        decided.accepted = Some((landings.clone(), indexes));
        Ok(landings)
    }
}

impl Judging {
    async fn compiled(&self, view: &View, client: Option<&str>) -> Result<SpecIndex, crate::typespec::TypespecError> {
        let request = ProbeRequest {
            project: &self.project,
            emitter: &view.emitter,
            language: view.language,
            client,
            work: &self.work,
        };
        let (node, emitter) = &self.compiler;
        self.residents.read(request, Compiler { node, emitter }, &self.children).await
    }
}

/// Violations as the reason that goes back to the agent.
pub(super) fn reasons(violations: &[Violation]) -> serde_json::Value {
    json!({ "refusedByGate": violations })
}
