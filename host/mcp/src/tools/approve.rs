//! `azsdk_run_approve`: a person's act. This tool asks; it never decides.

use super::list::last_name;
use super::{Shared, arguments, recorded_run, schema, structured};
use crate::approval::{Asked, Said};
use crate::call::{Call, Person};
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use async_trait::async_trait;
use bailiwick_audit::printable;
use bailiwick_runs::{RunRecord, Since, StoreError};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// So many characters of the request stand in the question.
const REQUEST: usize = 300;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The run that waits for a decision.
    run_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Decided {
    /// The run.
    run_id: String,
    /// Whether the person approved.
    approved: bool,
    /// How far the run is now.
    status: String,
}

pub(super) struct Approve {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Approve {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_run_approve".into(),
            title: "Approve a run".into(),
            description:
                "Asks the person at the client whether the changes of a run stay for good, and closes the run if \
                so: it cannot be reverted afterwards. Refused where the client cannot ask."
                    .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<Decided>()),
            effect: Effect::Destructive { idempotent: false },
            reach: Reach::Local,
        };
        Self { definition, shared }
    }
}

#[async_trait]
impl Tool for Approve {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn about(&self) -> Option<&'static str> {
        Some("runId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let id = recorded_run(&self.shared, call, &given.run_id).await?;
        let store = self.shared.store(&call.caller, &call.directories).await?;
        let record = store.show(&id)?;
        if !record.status.waits() {
            // Checked before a person is asked or told what to type.
            return Err(StoreError::WrongStatus { id, status: record.status, action: "approved" }.into());
        }
        if matches!(call.person, Person::OutOfReach) {
            return Err(Failure::new("this client cannot ask the person who decides: it does not support elicitation")
                .hint(format!("the person types `bailiwick run approve {id}`")));
        }
        // The exact call: this tool with this argument, and what others changed after the run, which is a part of the question.
        let shown = store.of(&id)?.question(&id)?;
        let exactly = format!("azsdk_run_approve {id} {}", shown.digest);
        let said = match self.shared.approvals.ask(&exactly, &question(&record, &shown.since), call).await? {
            Asked::Ask(ask) => return Ok(Answer::Ask(ask)),
            Asked::Answered(said) => said,
        };
        let (approved, status, text) = match said {
            Said::Yes => {
                let since = store.of(&id)?.approve_as_shown(&id, &shown.digest.to_string())?;
                let since = since.sentence().map(|since| format!("\n{since}")).unwrap_or_default();
                (true, "approved".to_owned(), format!("approved {id}; the repositories stay as they are now{since}"))
            }
            Said::No => {
                let text = format!("not approved; {id} is {} and can still be approved or reverted", record.status);
                (false, record.status.to_string(), text)
            }
        };
        structured(&Decided { run_id: id.to_string(), approved, status }, text)
    }
}

/// On one line, with what a reader does not see as an escape.
fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

fn question(record: &RunRecord, since: &Since) -> String {
    let package = record.roots.iter().find(|root| root.name == "sdk").and_then(|root| last_name(&root.directory));
    // The client shows it to a person as it stands: neither may begin a line of its own or hide or turn what is said.
    let request: String = one_line(&record.request).chars().take(REQUEST).collect();
    let package = package.map(|package| one_line(&package));
    let since = since.sentence().map(|since| format!("\n\nBeware: {}", one_line(&since))).unwrap_or_default();
    format!(
        "Approve the run {} on {}? It changed {} files. After that it cannot be reverted.\n\nIt was asked: {request}{since}",
        record.id,
        package.as_deref().unwrap_or("a package"),
        record.changed.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_is_one_line_in_which_everything_is_seen() {
        let said = one_line("rename it\r\n\nApproved by you\u{202e}\u{200b}\u{1b}[2J\u{2028}now");
        assert_eq!(said, "rename it Approved by you\\u{202e}\\u{200b}\\u{1b}[2J now");
    }
}
