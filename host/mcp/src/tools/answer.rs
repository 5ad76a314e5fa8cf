//! The answer of the tools that wait for a run.

use super::Shared;
use crate::call::Call;
use crate::failure::Failure;
use crate::path_redaction::PathRedaction;
use crate::runs::{Job, JobOutcome};
use crate::sampling::Waited;
use crate::tool::Answer;
use crate::work::{Ended, Role};
use bailiwick_customize::driver::Step;
use bailiwick_customize::plan::Plan;
use bailiwick_customize::response::{Response, SpecificationResponse};
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// `status`, `runId`, `doing` while it is at work, and every field of the response, or of the plan, once it is finished.
pub(super) fn schema() -> Arc<JsonObject> {
    with_status(&[
        super::schema::answer::<Response>(),
        super::schema::answer::<Plan>(),
        super::schema::answer::<SpecificationResponse>(),
    ])
}

/// The same for a single step.
pub(super) fn step_schema() -> Arc<JsonObject> {
    with_status(&[super::schema::answer::<Step>()])
}

/// The same for a run of either kind.
pub(super) fn any_schema() -> Arc<JsonObject> {
    with_status(&[
        super::schema::answer::<Response>(),
        super::schema::answer::<Step>(),
        super::schema::answer::<Plan>(),
        super::schema::answer::<SpecificationResponse>(),
    ])
}

/// What an answer has besides its own fields, none of which is there while the run is at work.
pub(super) fn with_status(kinds: &[Arc<JsonObject>]) -> Arc<JsonObject> {
    let mut schema = kinds[0].as_ref().clone();
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
    for kind in kinds {
        if let Some(Value::Object(fields)) = kind.get("properties") {
            for (name, field) in fields {
                match properties.get_mut(name) {
                    None => drop(properties.insert(name.clone(), field.clone())),
                    Some(known) => either(known, field),
                }
            }
        }
    }
    schema.insert("properties".into(), Value::Object(properties));
    schema.insert("required".into(), json!(["status", "runId"]));
    Arc::new(schema)
}

/// Lets a field that several kinds of answers have be what it is in any of them.
fn either(known: &mut Value, other: &Value) {
    let without_words = |field: &Value| {
        let mut field = field.clone();
        field.as_object_mut().and_then(|field| field.shift_remove("description"));
        field
    };
    if without_words(known) != without_words(other) {
        *known = json!({ "anyOf": [known.take(), other] });
    }
}

/// Waits for a run, passing its progress on, and what it asks the client's model.
pub(super) async fn wait(
    shared: &Shared,
    job: &Job,
    within: Duration,
    role: Role,
    call: &Call,
    conceal: &PathRedaction,
) -> Result<Answer, Failure> {
    let within = call.patience.or(within);
    let work = (&job.work, &job.sampling);
    let ended = match shared.sampler.wait(work, Some(job.id()), (within, role), call, conceal).await? {
        Waited::Ended(ended) => Some(ended),
        Waited::Late => None,
        Waited::Ask(ask) => return Ok(Answer::Ask(ask)),
    };
    match ended.as_deref() {
        Some(Ended::Finished(came)) => finished(came, job.id().as_str(), conceal),
        Some(Ended::Cancelled) => {
            Ok(Answer::TakenBack(format!("the run `{}` was cancelled; both repositories are as before", job.id())))
        }
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

/// The answer for what a run came to.
pub(super) fn finished(came: &JobOutcome, run: &str, conceal: &PathRedaction) -> Result<Answer, Failure> {
    let (text, value) = match came {
        JobOutcome::Response(response) => (response.format(), serde_json::to_value(response)),
        JobOutcome::Specification(response) => (response.format(), serde_json::to_value(response)),
        JobOutcome::Plan(plan) => (plan.format(), serde_json::to_value(plan)),
        JobOutcome::Step(step) => (step_text(step), serde_json::to_value(step)),
    };
    let text = conceal.places(&text);
    let value = value.map_err(|error| Failure::new(format!("the response cannot be written: {error}")))?;
    let Value::Object(fields) = without_places(value, conceal) else {
        return Err(Failure::new("the response is not an object"));
    };
    let mut object = JsonObject::new();
    object.insert("status".into(), json!("finished"));
    object.extend(fields);
    // A dry run leaves no run; what it was waited for by stays its name.
    object.entry("runId").or_insert_with(|| json!(run));
    Ok(Answer::Structured { value: Value::Object(object), text })
}

/// What a step came to, and whose it is to decide.
fn step_text(step: &Step) -> String {
    let mut text = step.format();
    if !step.modified_files.is_empty() {
        text.push_str("\n\nhint: a person decides: `azsdk_run_approve` asks them, `azsdk_run_revert` undoes it");
    }
    text
}

/// Every text in a value without the places of this machine.
pub(super) fn without_places(value: Value, conceal: &PathRedaction) -> Value {
    match value {
        Value::String(text) => Value::String(conceal.places(&text)),
        Value::Array(items) => items.into_iter().map(|item| without_places(item, conceal)).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, without_places(member, conceal))).collect()
        }
        other => other,
    }
}
