//! What became of each comment of a review, with words for an answer.

use bailiwick_sdk::tasks::ManualGuidance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read::{Comment, Review, Standing};
use crate::machine::Outcome;
use crate::plan::{Plan, PlanOutcome, PlannedAction};
use crate::response::Response;

/// A row for each comment, in the order of the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ledger {
    /// The rows.
    pub comments: Vec<LedgerRow>,
}

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerRow {
    /// What the review calls it.
    pub id: String,
    /// The file and line, or the element of the API.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub place: Option<String>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub author: Option<String>,
    /// What became of it.
    pub outcome: RowOutcome,
    /// What would be done, or was done.
    pub actions: Vec<PlannedAction>,
    /// What a person has to do or decide.
    pub guidance: Vec<ManualGuidance>,
    /// Words for an answer; empty where none is due.
    pub reply: String,
}

/// What became of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RowOutcome {
    /// It would be done.
    Planned,
    /// It is done, and the package was regenerated and built with it.
    Done,
    /// It was tried, and the run ended without success.
    NotDone,
    /// It is for a person.
    Guidance,
    /// It asks for nothing, or it is so already.
    Nothing,
    /// It was resolved before, so it was not read.
    Resolved,
    /// It answers another comment and was read with that one.
    Answered,
}

impl Ledger {
    /// The rows of a review whose open comments have these plans, in their order.
    #[must_use]
    pub fn new(review: &Review, plans: &[Plan]) -> Self {
        let mut plans = plans.iter();
        let row = |comment: &Comment| match &comment.standing {
            Standing::Open => plans.next().map_or_else(
                || LedgerRow::without_plan(comment, RowOutcome::Nothing, String::new()),
                |plan| LedgerRow::planned(comment, plan),
            ),
            Standing::Empty => LedgerRow::without_plan(comment, RowOutcome::Nothing, String::new()),
            Standing::Resolved => LedgerRow::without_plan(comment, RowOutcome::Resolved, String::new()),
            Standing::Answers(_) => LedgerRow::without_plan(comment, RowOutcome::Answered, String::new()),
        };
        Self { comments: review.comments.iter().map(row).collect() }
    }

    /// The rows after a run that carried out what was planned.
    #[must_use]
    pub fn after(mut self, response: &Response) -> Self {
        let done = response.outcome == Outcome::Success;
        for row in self.comments.iter_mut().filter(|row| row.outcome == RowOutcome::Planned) {
            row.outcome = if done { RowOutcome::Done } else { RowOutcome::NotDone };
            row.reply = if done {
                format!("Done: {}.", words(&row.actions))
            } else {
                format!("Not done: {}. What was tried: {}.", response.message, words(&row.actions))
            };
        }
        self
    }

    /// For people: a line for each comment, and what is to be answered below it.
    #[must_use]
    pub fn format(&self) -> String {
        let mut lines = Vec::new();
        for row in &self.comments {
            let outcome = serde_json::to_value(row.outcome).ok();
            let outcome = outcome.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
            let place = row.place.as_deref().map(|place| format!(" at {place}")).unwrap_or_default();
            lines.push(format!("{outcome}: comment {}{place}", row.id));
            if !row.reply.is_empty() {
                lines.push(format!("  {}", row.reply));
            }
        }
        lines.join("\n")
    }
}

impl LedgerRow {
    fn without_plan(comment: &Comment, outcome: RowOutcome, reply: String) -> Self {
        Self {
            id: comment.id.clone(),
            place: comment.place.clone(),
            author: comment.author.clone(),
            outcome,
            actions: Vec::new(),
            guidance: Vec::new(),
            reply,
        }
    }

    fn planned(comment: &Comment, plan: &Plan) -> Self {
        let open = plan.guidance.iter().map(|one| format!("{}: {}", one.issue, one.approach)).collect::<Vec<_>>();
        let (outcome, mut reply) = match plan.outcome {
            PlanOutcome::Planned => (RowOutcome::Planned, format!("To be done: {}.", words(&plan.actions))),
            PlanOutcome::Guidance => (RowOutcome::Guidance, String::new()),
            PlanOutcome::Nothing if plan.settled.is_empty() => (RowOutcome::Nothing, String::new()),
            PlanOutcome::Nothing => (RowOutcome::Nothing, format!("No change: {}.", plan.settled.join("; "))),
        };
        if !open.is_empty() {
            let gap = if reply.is_empty() { "" } else { " " };
            reply = format!("{reply}{gap}Left for a person: {}.", open.join("; "));
        }
        Self {
            actions: plan.actions.clone(),
            guidance: plan.guidance.clone(),
            ..Self::without_plan(comment, outcome, reply)
        }
    }
}

fn words(actions: &[PlannedAction]) -> String {
    actions.iter().map(PlannedAction::words).collect::<Vec<_>>().join("; ")
}
