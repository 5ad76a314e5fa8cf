//! The answer of the tools that wait for a customization.

use super::Shared;
use crate::call::Call;
use crate::conceal::Conceal;
use crate::failure::Failure;
use crate::runs::Job;
use crate::tool::Answer;
use crate::work::{Ended, Role};
use bailiwick_customize::response::Response;
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// `status`, `runId`, `doing` while it is at work, and every field of the response once it is finished.
pub(super) fn schema() -> Arc<JsonObject> {
    let mut schema = super::schema::of::<Response>().as_ref().clone();
    let mut properties = JsonObject::new();
    properties.insert(
        "status".into(),
        json!({
            "type": "string",
            "enum": ["running", "finished"],
            "description": "`running`: call `azsdk_run_wait` with `runId`. `finished`: all fields of the outcome are there.",
        }),
    );
    properties.insert("doing".into(), json!({ "type": "string", "description": "What is being done, while it runs." }));
    if let Some(Value::Object(fields)) = schema.get("properties") {
        properties.extend(fields.clone());
    }
    schema.insert("properties".into(), Value::Object(properties));
    schema.insert("required".into(), json!(["status", "runId"]));
    Arc::new(schema)
}

/// Waits for a customization, passing its progress on.
pub(super) async fn wait(
    shared: &Shared,
    job: &Job,
    within: Duration,
    role: Role,
    call: &Call,
    conceal: &Conceal,
) -> Result<Answer, Failure> {
    match job.work.wait(call.patience.or(within), role, call, conceal).await.as_deref() {
        Some(Ended::Finished(response)) => finished(response, conceal),
        Some(Ended::Cancelled) => Ok(Answer::TakenBack(format!(
            "the customization `{}` was cancelled; both repositories are as before",
            job.id()
        ))),
        Some(Ended::Failed(failure)) => Err(failure.clone()),
        None => Ok(running(job.id().as_str(), job.work.last_line().map(|line| conceal.everything(&line)), shared)),
    }
}

/// The answer for one that goes on.
pub(super) fn running(run: &str, doing: Option<String>, shared: &Shared) -> Answer {
    let mut value = json!({ "status": "running", "runId": run });
    let mut text = format!("running: {run}");
    if let Some(doing) = doing {
        text.push_str(&format!("\ndoing: {doing}"));
        value["doing"] = json!(doing);
    }
    let seconds = shared.limits.answer_within.as_secs().max(1);
    text.push_str(&format!(
        "\n\nhint: call `azsdk_run_wait` with {{\"runId\":\"{run}\",\"seconds\":{seconds}}} until it is finished; \
         `azsdk_run_cancel` ends it"
    ));
    Answer::Structured { value, text }
}

/// The answer for a response.
pub(super) fn finished(response: &Response, conceal: &Conceal) -> Result<Answer, Failure> {
    let text = conceal.places(&response.format());
    let value = serde_json::to_value(response)
        .map_err(|error| Failure::new(format!("the response cannot be written: {error}")))?;
    let Value::Object(fields) = without_places(value, conceal) else {
        return Err(Failure::new("the response is no object"));
    };
    let mut object = JsonObject::new();
    object.insert("status".into(), json!("finished"));
    object.extend(fields);
    Ok(Answer::Structured { value: Value::Object(object), text })
}

/// Every text in a value without the places of this machine.
pub(super) fn without_places(value: Value, conceal: &Conceal) -> Value {
    match value {
        Value::String(text) => Value::String(conceal.places(&text)),
        Value::Array(items) => items.into_iter().map(|item| without_places(item, conceal)).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, without_places(member, conceal))).collect()
        }
        other => other,
    }
}
