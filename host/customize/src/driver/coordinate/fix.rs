//! `azsdk_sdk_fix` for a workflow: Phase B as one step of it, in the workflow's own run.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::Customizer;
use super::super::session::Session;
use super::CoordinateError;
use super::edits::Edits;
use super::persist::{self, Kept};
use crate::coordinator::{FixType, Phase};
use crate::machine::{Checked, CodePatch, Event, NotLanded};

/// What a code fix came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum Fix {
    /// Patches landed; the caller reports `sdk_fix_applied`.
    Applied {
        /// One line for each place that was patched.
        patches: Vec<String>,
    },
    /// Nothing landed; the caller reports `sdk_fix_failed`.
    Failed {
        /// Why, as one sentence.
        reason: String,
    },
}

impl Customizer {
    /// Repairs the customization code of a workflow that waits for it. The caller still reports what came of it.
    ///
    /// # Errors
    /// See [`CoordinateError`]. The workflow is then as before.
    pub async fn fix_for_workflow(&self, id: &str) -> Result<Fix, CoordinateError> {
        let (record, kept) = persist::find(&self.store, id)?;
        let due = |kept: &Kept| match (kept.settled().phase(), kept.settled().over()) {
            (_, Some(over)) => Err(CoordinateError::Rejected(over)),
            (Phase::AttemptSdkFix, None) => Ok(()),
            _ => Err(CoordinateError::NotDue(id.to_owned())),
        };
        due(&kept)?;
        let run = self.store.resume(&record.id).map_err(super::super::CustomizeError::from)?;
        let mut kept = Kept::resumed(&run)?;
        kept.settle_interrupted();
        let before = kept.before_step(&run);
        if let Edits::Refused(violations) = self.judged(&run, &kept, FixType::Sdk)? {
            kept.settle(before);
            kept.save(run.directory())?;
            run.suspend().map_err(super::super::CustomizeError::from)?;
            return Ok(Fix::Failed { reason: format!("what was edited is refused: {}", violations.join("; ")) });
        }
        let prepared = self.prepared_again(&kept)?;
        let mut session = Session::resume(self, run, prepared, kept.index_before.clone()).await?;
        let fix = match due(&kept) {
            Ok(()) => session.fix(&mut kept).await,
            Err(error) => Err(error),
        };
        kept.settle(before);
        kept.save(session.run.directory())?;
        session.suspend()?;
        fix
    }
}

impl Session<'_> {
    async fn fix(&mut self, kept: &mut Kept) -> Result<Fix, CoordinateError> {
        if kept.diagnostics.is_empty() {
            // Nothing was built yet: what is to be repaired is what a build says, not what a caller says.
            match self.build(None).await? {
                Event::Built { build: Checked::Failed { diagnostics }, .. } => kept.diagnostics = diagnostics,
                Event::Disturbed { message } => return Ok(Fix::Failed { reason: message }),
                _ => {
                    return Ok(Fix::Failed {
                        reason: "the package builds as it stands; nothing is to be repaired".into(),
                    });
                }
            }
        }
        self.look_again().await?;
        let attempt = kept.workflow.iteration();
        let renames = self.renames();
        let event = self.patch_code(attempt, kept.diagnostics.clone(), Vec::new(), renames).await?;
        let Event::CodePatched { patch } = event else { unreachable!("a repair answers with its own event") };
        Ok(match patch {
            CodePatch::Landed { patches } => Fix::Applied {
                patches: patches
                    .iter()
                    .map(|patch| format!("{}: {} places", patch.file_path, patch.replacement_count))
                    .collect(),
            },
            CodePatch::Guidance(guidance) => Fix::Failed { reason: guidance.reason },
            CodePatch::NotLanded(NotLanded { diagnostics, .. }) => Fix::Failed {
                reason: diagnostics.first().map_or_else(|| "nothing landed".into(), |first| first.message.clone()),
            },
        })
    }
}
