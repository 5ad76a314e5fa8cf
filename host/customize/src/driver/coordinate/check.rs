//! Edits, regeneration, build and drift, in this order, after a report.

use bailiwick_sdk::renames::renames_between;
use bailiwick_sdk::tasks::{Diagnostic, Language, ManualGuidance, Rename};

use super::super::CustomizeError;
use super::super::building::changed;
use super::super::session::Session;
use super::edits::Edits;
use super::persist::Kept;
use crate::coordinator::{Checked, FixType};
use crate::machine::{self, Event, Regeneration};
use crate::surface::Surface;

impl Session<'_> {
    pub(super) async fn check(&mut self, kept: &mut Kept, after: FixType) -> Result<Checked, CustomizeError> {
        match self.judge_edits(kept, after).await? {
            Edits::None => return Ok(Checked::NothingEdited),
            Edits::Refused(violations) => return Ok(Checked::EditsRefused { violations }),
            Edits::Allowed => {}
        }
        self.look_again().await?;
        if after == FixType::Tsp || customizes_at_generation(self.language.language()) {
            let diagnostics = match self.regenerate().await? {
                Event::Regenerated { regeneration: Regeneration::Failed { diagnostics, .. } } => Some(diagnostics),
                Event::Disturbed { message } => Some(vec![changed(message)]),
                _ => None,
            };
            if let Some(diagnostics) = diagnostics {
                kept.diagnostics.clone_from(&diagnostics);
                self.accept(kept)?;
                return Ok(Checked::RegenerationFailed { diagnostics });
            }
        }
        self.accept(kept)?;
        match self.build(None).await? {
            Event::Built { build: machine::Checked::Passed { .. }, .. } => {}
            Event::Built { build: machine::Checked::Failed { diagnostics }, .. } => {
                return Ok(failed(kept, diagnostics));
            }
            Event::Disturbed { message } => return Ok(failed(kept, vec![changed(message)])),
            other => unreachable!("a build answers with its own event, not {other:?}"),
        }
        if let Event::DriftChecked { drift: machine::Checked::Failed { diagnostics } } =
            self.check_drift(&self.renames())?
        {
            return Ok(failed(kept, diagnostics));
        }
        if let Some(message) = self.changed_since()? {
            return Ok(failed(kept, vec![changed(message)]));
        }
        kept.diagnostics.clear();
        // The caller decides what becomes of it.
        let notes = self.taken_in_vain()?.iter().map(in_one_sentence).collect();
        kept.workflow.shows(Surface::noting(self.present_surface()?, notes));
        Ok(Checked::Passed)
    }

    /// Takes the compiler's view of the specification as it is now.
    pub(super) async fn look_again(&mut self) -> Result<(), CustomizeError> {
        self.index = self.present_index().await?;
        Ok(())
    }

    /// How names in the client changed since the workflow began, by the compiler's own view.
    pub(super) fn renames(&self) -> Vec<Rename> {
        renames_between(&self.index_before, &self.index, self.language.language())
    }
}

/// What users see still, with the places.
fn in_one_sentence(one: &ManualGuidance) -> String {
    format!("{} ({})", one.issue, one.files.join(", "))
}

fn failed(kept: &mut Kept, diagnostics: Vec<Diagnostic>) -> Checked {
    kept.diagnostics.clone_from(&diagnostics);
    Checked::BuildFailed { diagnostics }
}

/// Whether the generator itself runs the customizations, so that an edit of them shows only after it ran.
fn customizes_at_generation(language: Language) -> bool {
    language == Language::Java
}
