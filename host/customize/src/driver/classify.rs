//! Classification: an agent without tools that routes every item of the request.

use bailiwick_agent::{AgentError, Microagent};
use bailiwick_sdk::tasks::{
    AgentTask, Classification, ClassifyTask, Diagnostic, ItemVerdict, ManualGuidance, Route, ValidationReport,
};

use crate::machine::{Event, State};

use super::agents::{self, NoTools};
use super::session::{CLIENT_FILE, SPEC, Session};
use super::{CustomizeError, instructions};

impl Session<'_> {
    /// A specification that does not compile, for reasons outside the one file a run may edit, is for a person before
    /// anything is asked of a classifier: whatever it answered would rest on half an index.
    fn broken_specification(&self, state: &State) -> Option<Classification> {
        let client = format!("{SPEC}/{CLIENT_FILE}");
        let errors: Vec<&Diagnostic> = self
            .index
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error() && diagnostic.file.as_deref() != Some(client.as_str()))
            .collect();
        let first = errors.first()?;
        let guidance = ManualGuidance {
            issue: format!("the TypeSpec project does not compile: {}", first.message),
            files: errors.iter().map(|error| error.place()).collect(),
            approach: "correct these errors in the specification, then ask again".into(),
            reason: format!(
                "they are not in `{CLIENT_FILE}`, the only file of the specification a customization may change"
            ),
        };
        let item = ItemVerdict {
            id: "specification".into(),
            text: state.request().to_owned(),
            route: Route::Failure,
            reason: format!("the TypeSpec project has {} compile errors", errors.len()),
            guidance: Some(guidance),
        };
        Some(Classification { items: vec![item] })
    }

    pub(super) async fn classify(
        &mut self,
        state: &State,
        validation: Option<ValidationReport>,
    ) -> Result<Event, CustomizeError> {
        self.customizer.progress.say("classifying the request");
        if let Some(classification) = self.broken_specification(state) {
            return Ok(Event::Classified { classification });
        }
        let task = ClassifyTask {
            request: state.request().to_owned(),
            language: self.language.language(),
            index: self.index.clone(),
            history: state.history(),
            validation,
        };
        let instructions = instructions::classification(&task, &self.reference)?;
        let task = AgentTask::from(task).to_value()?;
        let agent = Microagent::<Classification>::templated(instructions, task, agents::classifier_budget());
        let agent = agents::with_cost_limit(agent, self.customizer.money);
        let backend = self.customizer.backend.clone();
        let outcome = bailiwick_agent::run(&agent, &NoTools, backend.as_ref(), &mut self.transcript).await;
        Ok(match outcome {
            Ok(completed) => Event::Classified { classification: completed.result },
            // The record of a run is not optional; everything else is an answer that did not come.
            Err(error @ (AgentError::Transcript(_) | AgentError::Definition(_))) => return Err(error.into()),
            Err(error) => Event::ClassifierFailed { message: error.to_string() },
        })
    }
}
