//! Which part of the driver performs which effect.

use super::Session;
use crate::driver::CustomizeError;
use crate::driver::roots::{CLIENT_FILE, SPEC, path_of_client};
use crate::gate::typespec_changes;
use crate::machine::{Effect, Event, State};
use crate::plan::{EditedFile, Plan, PlannedEdit};
use crate::surface::between;

impl Session<'_> {
    /// Performs one effect.
    pub(in crate::driver) async fn perform(&mut self, state: &State, effect: Effect) -> Result<Event, CustomizeError> {
        match &effect {
            // Reading and answering take no tool that builds.
            Effect::Classify { .. } | Effect::CheckClaims { .. } | Effect::Finish { .. } => {}
            // A proof names the tools that it was made with.
            Effect::CheckProof
            | Effect::EditTypespec { .. }
            | Effect::Regenerate
            | Effect::Build
            | Effect::CheckDrift
            | Effect::PatchCode { .. } => self.equip().await?,
        }
        // The others say for themselves what they do, with what it is about.
        match &effect {
            Effect::CheckProof => self.customizer.progress.say("checking whether it is done already"),
            Effect::CheckDrift => self.customizer.progress.say("looking for customizations of what is gone"),
            Effect::CheckClaims { .. } => self.customizer.progress.say("comparing what is claimed with the diff"),
            _ => {}
        }
        match effect {
            Effect::Classify { validation } => {
                let _step = self.step_called("classification");
                self.classify(state, validation).await
            }
            Effect::CheckProof => {
                let _step = self.step_called("proof");
                self.check_proof(state).await
            }
            Effect::EditTypespec { attempt, items, feedback } => {
                let _step = self.step_called("edit of client.tsp");
                self.edit_typespec(state, attempt, items, feedback).await
            }
            Effect::Regenerate => {
                self.show_plan(state)?;
                self.regenerate().await
            }
            Effect::Build => self.build(Some(state)).await,
            Effect::CheckDrift => self.check_drift(state.renames()),
            Effect::PatchCode { attempt, diagnostics, typespec_changes, renames } => {
                let _step = self.step_called("edit of custom code");
                self.patch_code(attempt, diagnostics, typespec_changes, renames).await
            }
            Effect::CheckClaims { typespec_changes, code_patches } => {
                let _step = self.step_called("claims");
                self.check_claims(&typespec_changes, &code_patches)
            }
            Effect::Finish { .. } => unreachable!("the loop ends before it performs an ending"),
        }
    }

    /// Says once what the request comes to, now that its edit has landed.
    fn show_plan(&mut self, state: &State) -> Result<(), CustomizeError> {
        let Some(classification) = self.first.as_ref().filter(|_| !self.plan_shown) else { return Ok(()) };
        let (before, after) = (self.run.before(SPEC, CLIENT_FILE)?, self.content(SPEC, CLIENT_FILE)?);
        let edited = after.filter(|after| before.as_ref() != Some(after));
        let file = edited.map(|after| EditedFile { path: path_of_client(), before, after });
        let changes = typespec_changes(&self.index_before, &self.index, &path_of_client());
        let surface = between(self.language.language(), &self.index_before, &self.index, &changes);
        let by_hand = self.foretold(classification)?;
        let edit = PlannedEdit { compiled: file.is_some(), file, surface, by_hand, ..PlannedEdit::default() };
        let own = self.language.language();
        let plan = Plan::new(own, state.scope(), classification, &edit).allowing(own, &self.languages);
        self.plan_shown = true;
        self.customizer.progress.planned(&plan);
        Ok(())
    }
}
