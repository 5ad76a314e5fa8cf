//! Classification: an agent without tools that routes every item of the request.

use bailiwick_agent::{AgentError, Microagent};
use bailiwick_sdk::tasks::{
    AgentTask, Classification, ClassifyTask, Diagnostic, ItemVerdict, ManualGuidance, Route, SpecIndex,
    ValidationReport,
};

use crate::machine::{Event, State};

use super::agents::{self, NoTools};
use super::roots::{CLIENT_FILE, SPEC};
use super::session::Session;
use super::{CustomizeError, instructions, languages};

impl Session<'_> {
    pub(super) async fn classify(
        &mut self,
        state: &State,
        validation: Option<ValidationReport>,
    ) -> Result<Event, CustomizeError> {
        if let Some(directed) = self.directed.as_ref().filter(|_| self.first.is_none()) {
            let classification = self.as_users_see(directed.clone(), validation.as_ref())?;
            self.first = Some(classification.clone());
            return Ok(Event::Classified { classification });
        }
        self.customizer.progress.say("classifying the request");
        if let Some(classification) = broken_specification(&self.index, state.request()) {
            return Ok(Event::Classified { classification });
        }
        let task = ClassifyTask {
            request: state.request().to_owned(),
            language: self.language.language(),
            package: Some(self.project.package_name()),
            index: self.index.clone(),
            history: state.history(),
            validation: validation.clone(),
            first: self.first.clone(),
        };
        let instructions = instructions::classification(&task, &self.reference)?;
        let task = AgentTask::from(task).to_value()?;
        let agent = Microagent::<Classification>::templated(instructions, task, agents::classifier_budget());
        let agent = agents::with_cost_limit(agent, self.customizer.money);
        let backend = self.specification_backend();
        let outcome = bailiwick_agent::run(&agent, &NoTools, backend.as_ref(), &mut self.transcript).await;
        Ok(match outcome {
            Ok(completed) => {
                let classification = match self.first {
                    None => languages::kept_to(completed.result, self.language.language(), &self.languages),
                    Some(_) => completed.result,
                };
                let classification = self.as_users_see(classification, validation.as_ref())?;
                self.first.get_or_insert_with(|| classification.clone());
                Event::Classified { classification }
            }
            // The record of a run is not optional; everything else is an answer that did not come.
            Err(error @ (AgentError::Transcript(_) | AgentError::Definition(_))) => return Err(error.into()),
            Err(error) => Event::ClassifierFailed { message: error.to_string() },
        })
    }
}

/// A specification that does not compile, for reasons outside the one file a run may edit, is for a person before
/// anything is asked of a classifier: whatever it answered would rest on half an index.
pub(super) fn broken_specification(index: &SpecIndex, request: &str) -> Option<Classification> {
    let client = format!("{SPEC}/{CLIENT_FILE}");
    let errors: Vec<&Diagnostic> = index
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
        text: request.to_owned(),
        route: Route::Failure,
        reason: format!("the TypeSpec project has {} compile errors", errors.len()),
        directives: Vec::new(),
        guidance: Some(guidance),
    };
    Some(Classification { items: vec![item], ..Classification::default() })
}
