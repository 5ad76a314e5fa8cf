//! Collects what the store has of a run.
//!
//! A record can be damaged, cut off or written by an older version. What can be read is reported, and what cannot is named
//! in [`Report::damaged`].

mod answer;
mod attempts;
mod conversations;
mod events;
mod json_lines;
mod steps;
mod verdict;

use bailiwick_agent::KnownSecrets;
use bailiwick_agent::transcript::{Scrub as _, scrubbed};
use bailiwick_customize::timings::Timings;
use bailiwick_runs::{RunId, RunRecord, Status, Store, StoreError};
use serde_json::Value;

use crate::model::{Place, Report, Totals};

use answer::Answer;
use events::Event;

/// Everything that is known of a run, without the secrets that are known.
///
/// # Errors
/// When there is no such run, when its own record cannot be read, or when the store cannot be.
pub fn gather(store: &Store, id: &RunId, secrets: &KnownSecrets) -> Result<Report, StoreError> {
    let mut damaged = Vec::new();
    let record = match store.show(id) {
        Ok(record) => record,
        Err(StoreError::Damaged { .. }) => {
            damaged.push("the changes or the response of the run cannot be read".to_owned());
            store.record(id)?
        }
        Err(error) => return Err(error),
    };
    let directory = store.run_directory(id)?;
    let mut events = Vec::new();
    let kept = json_lines::each(&directory.join("events.jsonl"), |value| {
        events.extend(Event::read(scrubbed(value, secrets)));
    });
    note(&mut damaged, "events", &kept);
    if events.is_empty() {
        damaged.push("the run has no events".to_owned());
    }
    let mut conversations = conversations::Conversations::default();
    let kept =
        json_lines::each(&directory.join("transcript.jsonl"), |value| conversations.add(&scrubbed(value, secrets)));
    note(&mut damaged, "conversations with models", &kept);

    let answer = Answer::read(scrubbed(record.response.clone(), secrets));
    let mut report = Report { damaged, ..of_record(&record, secrets) };
    let history = attempts::Attempts::read(&events, &conversations.sent_back, record.status);
    (report.attempts, report.timeline) = (history.attempts, events::timeline(&events, &history.said));
    report.attempts.extend(attempts::of_workflow(&directory.join("workflow.json"), secrets));
    report.took_ms = events::took(&events);
    report.agents = conversations.agents;
    report.totals = totals(&report.agents);
    report.timings = Timings::read(&directory);
    answer.fill(&mut report);
    report.verdict = verdict::verdict(&record, &answer, &events);
    report.decision = verdict::decision(&record);
    Ok(report)
}

fn of_record(record: &RunRecord, secrets: &KnownSecrets) -> Report {
    let detail =
        |name: &str| record.details.get(name).and_then(Value::as_str).map(|text| secrets.scrub(text.to_owned()));
    let place = |directory: &std::path::Path| directory.display().to_string();
    let package = record.roots.iter().find(|root| root.name == "sdk").or(record.roots.first());
    let package = package.and_then(|root| root.directory.file_name());
    Report {
        run: record.id.to_string(),
        kind: record.kind.clone(),
        package: package.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        language: detail("language").map(|token| language(&token)),
        model: detail("model"),
        status: record.status.to_string(),
        places: record
            .roots
            .iter()
            .map(|root| Place { name: root.name.clone(), directory: place(&root.directory) })
            .collect(),
        started: record.started.clone(),
        finished: record.finished.clone(),
        request: secrets.scrub(record.request.clone()),
        ..Report::default()
    }
}

/// The scope token of a language as people write the language.
fn language(token: &str) -> String {
    match token {
        "python" => "Python",
        "java" => "Java",
        "csharp" => ".NET",
        "javascript" => "JavaScript",
        "go" => "Go",
        other => other,
    }
    .to_owned()
}

fn note(damaged: &mut Vec<String>, what: &str, kept: &json_lines::Kept) {
    if kept.unreadable > 0 {
        damaged.push(format!("{} of the {what} cannot be read", crate::say::count(kept.unreadable, "line")));
    }
    if kept.cut {
        damaged.push(format!("the {what} are too long to be read to their end"));
    }
    if let Some(error) = &kept.error {
        damaged.push(format!("the {what} cannot be read: {error}"));
    }
}

/// What all conversations took; `None` without any.
fn totals(agents: &[crate::model::Agent]) -> Option<Totals> {
    let mut all = agents.first()?.totals.clone();
    for agent in &agents[1..] {
        let one = &agent.totals;
        all.turns += one.turns;
        all.tool_calls += one.tool_calls;
        all.input_tokens += one.input_tokens;
        all.cached_input_tokens += one.cached_input_tokens;
        all.output_tokens += one.output_tokens;
        // A sum that leaves something out is not shown as the cost.
        all.cost_millionths = all.cost_millionths.zip(one.cost_millionths).map(|(sum, cost)| sum + cost);
        all.model_ms = all.model_ms.zip(one.model_ms).map(|(sum, took)| sum + took);
    }
    Some(all)
}

/// Whether the run has ended.
fn is_over(status: Status) -> bool {
    !matches!(status, Status::Running | Status::Suspended | Status::Reverting)
}
