//! Phase B: an agent repairs staged customization files; what the gate accepts is applied.

use std::sync::{Arc, Mutex, PoisonError};

use bailiwick_agent::{AgentError, Microagent, Validation};
use bailiwick_runs::ApplyError;
use bailiwick_sdk::tasks::{
    AgentTask, CodePatchDetail, Diagnostic, Language, ManualGuidance, PatchResult, PatchTask, Rename, TypeSpecChange,
};
use serde_json::{Value, json};

use crate::gate::{Landing, PatchDifference, PatchLimits, Touched, Verdict, Violation, judge_patch, patches};
use crate::machine::{CodePatch, Event, NotLanded, NotLandedCause};
use crate::stage::{Stage, StageLimits};

use super::attempt::{reasons, violation};
use super::roots::SDK;
use super::session::Session;
use super::{CustomizeError, agents, instructions, observe};

/// "Fewer than 20 lines in fewer than 5 files" (seed 000), over all attempts of a run.
const LINES: u32 = 19;
const FILES: u32 = 4;
pub(super) const LIMITS: PatchLimits =
    PatchLimits { lines: LINES as usize, files: FILES as usize, file_bytes: 1 << 20, line_characters: 200 };
const STAGE_LIMITS: StageLimits = StageLimits { entries: 2_000, file_bytes: LIMITS.file_bytes };

impl Session<'_> {
    pub(super) async fn patch_code(
        &mut self,
        attempt: u8,
        diagnostics: Vec<Diagnostic>,
        typespec_changes: Vec<TypeSpecChange>,
        renames: Vec<Rename>,
    ) -> Result<Event, CustomizeError> {
        self.attempts("repairing customization code", format!("phase B, attempt {attempt}"));
        let editable = self.editable()?;
        let (stage, grant) = self.stage(SDK, &editable, STAGE_LIMITS)?;
        let toolbox = agents::toolbox(self.customizer, &["ReadFile", "ListFiles", "CodePatch"], grant)?
            .of_run(&self.run.id().to_string());
        let renames = self.renames_to_follow(renames, &diagnostics)?;
        let task = PatchTask {
            language: self.language.language(),
            package: self.project.package_name(),
            diagnostics,
            customization_files: editable.iter().map(|file| format!("{SDK}/{file}")).collect(),
            typespec_changes,
            renames,
            line_limit: LINES,
            file_limit: FILES,
        };
        let instructions = instructions::code_patch(&task)?;
        let task = AgentTask::from(task).to_value()?;
        let judge = Arc::new(Judge {
            touched: self.touched(&editable)?,
            language: self.language.language(),
            stage,
            editable,
            decided: Mutex::default(),
        });
        let own = judge.clone();
        let agent = Microagent::<PatchResult>::templated(instructions, task, agents::editor_budget())
            .validated_by(move |result: &PatchResult| own.validate(result));
        let agent = agents::with_cost_limit(agent, self.customizer.money);
        let backend = self.customizer.backend.clone();
        let outcome = bailiwick_agent::run(&agent, &toolbox, backend.as_ref(), &mut self.transcript).await;
        let decided = judge.decided();
        let patch = match outcome {
            Ok(completed) => match completed.result {
                PatchResult::Guidance(guidance) => CodePatch::Guidance(guidance),
                PatchResult::Patched { .. } => self.land_patches(decided)?,
            },
            Err(error @ (AgentError::Transcript(_) | AgentError::Definition(_))) => return Err(error.into()),
            Err(error) => CodePatch::NotLanded(decided.not_landed(&error.to_string(), None)),
        };
        Ok(Event::CodePatched { patch })
    }

    fn land_patches(&mut self, decided: Decided) -> Result<CodePatch, CustomizeError> {
        let Some(landings) = decided.accepted.clone().filter(|landings| !landings.is_empty()) else {
            return Ok(CodePatch::NotLanded(decided.not_landed("no file was changed", None)));
        };
        let files: Vec<_> = landings.iter().map(|landing| landing.path.clone()).collect();
        match self.apply(SDK, landings) {
            Ok(()) => {}
            Err(CustomizeError::Apply(error @ (ApplyError::Conflict { .. } | ApplyError::NotAFile { .. }))) => {
                let diagnostic = agents::diagnostic("gate", Some("changed-since-staged"), None, error.to_string());
                return Ok(CodePatch::NotLanded(NotLanded {
                    cause: NotLandedCause::RefusedByGate,
                    diagnostics: vec![diagnostic],
                    guidance: None,
                }));
            }
            Err(error) => return Err(error),
        }
        for file in files {
            self.customizer.progress.say(&format!("patched {file}"));
        }
        Ok(CodePatch::Landed { patches: self.patches_so_far()? })
    }

    /// The files that a repair may change, sorted. Of a generated file with code of a person in it, edits are counted from what
    /// the first generation that needs a repair makes of it.
    fn editable(&mut self) -> Result<Vec<String>, CustomizeError> {
        let shared = self.shared_files()?;
        for file in &shared {
            if !self.carried.contains_key(file) {
                let now = self.content(SDK, file)?;
                self.carried.insert(file.clone(), now);
            }
        }
        let mut editable = self.language.customization_files(&self.project.package)?;
        editable.extend(shared);
        editable.sort();
        Ok(editable)
    }

    /// What all attempts of this run together made of the customization files.
    fn patches_so_far(&mut self) -> Result<Vec<CodePatchDetail>, CustomizeError> {
        let editable = self.editable()?;
        let text = |bytes: Option<Vec<u8>>| String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        let mut details = Vec::new();
        for touched in self.touched(&editable)? {
            let path = format!("{SDK}/{}", touched.path);
            details.extend(patches(&path, &text(touched.original), &text(touched.now)));
        }
        Ok(details)
    }

    /// What earlier attempts of this run did to customization files: the limits count over all of them.
    fn touched(&self, editable: &[String]) -> Result<Vec<Touched>, CustomizeError> {
        let mut touched = Vec::new();
        for path in editable {
            let original = self.original(path)?;
            let now = self.content(SDK, path)?;
            touched.push(Touched { path: path.clone(), original, now });
        }
        Ok(touched)
    }
}

struct Judge {
    stage: Stage,
    touched: Vec<Touched>,
    language: Language,
    editable: Vec<String>,
    decided: Mutex<Decided>,
}

#[derive(Default, Clone)]
struct Decided {
    accepted: Option<Vec<Landing>>,
    violations: Vec<Violation>,
}

impl Decided {
    fn not_landed(self, message: &str, guidance: Option<ManualGuidance>) -> NotLanded {
        let (cause, diagnostics) = if self.violations.is_empty() {
            (NotLandedCause::AgentFailed, vec![agents::diagnostic("agent", None, None, message.to_owned())])
        } else {
            (NotLandedCause::RefusedByGate, self.violations.iter().map(violation).collect())
        };
        NotLanded { cause, diagnostics, guidance }
    }
}

impl Judge {
    fn decided(&self) -> Decided {
        self.decided.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn validate(&self, result: &PatchResult) -> Validation {
        if matches!(result, PatchResult::Guidance(_)) {
            return Validation::Accepted;
        }
        let mut decided = Decided::default();
        let verdict = match self.judge(&mut decided) {
            Ok(0) => Validation::refused("no file was changed; hand in guidance if nothing can be repaired"),
            Ok(_) => Validation::Accepted,
            Err(reason) => Validation::refused(reason),
        };
        *self.decided.lock().unwrap_or_else(PoisonError::into_inner) = decided;
        verdict
    }

    /// How many files may land, or why none.
    fn judge(&self, decided: &mut Decided) -> Result<usize, Value> {
        let difference = self.stage.collect().map_err(|error| json!(format!("the stage cannot be read: {error}")))?;
        if !difference.violations.is_empty() {
            observe::refused(&difference.violations);
            decided.violations = difference.violations;
            return Err(reasons(&decided.violations));
        }
        let candidates: Vec<_> = difference
            .files
            .into_iter()
            .map(|change| {
                let known = self.touched.iter().find(|touched| touched.path == change.path);
                let now = known.and_then(|touched| self.stage.present(&touched.path));
                change.candidate(known.and_then(|touched| touched.original.clone()), now)
            })
            .collect();
        let verdict = judge_patch(&PatchDifference {
            language: self.language,
            customization_files: &self.editable,
            candidates: &candidates,
            earlier: &self.touched,
            limits: LIMITS,
        });
        observe::gate(&verdict);
        match verdict {
            Verdict::Lands(landings) => {
                let count = landings.len();
                decided.accepted = Some(landings);
                Ok(count)
            }
            Verdict::Refused(violations) => {
                decided.violations = violations;
                Err(reasons(&decided.violations))
            }
        }
    }
}
