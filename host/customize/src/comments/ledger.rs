//! What became of each comment of a review, with words for an answer.

use bailiwick_sdk::tasks::{Decorator, Language, ManualGuidance, Scope, TypeSpecChange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read::{Comment, Review, Standing};
use crate::machine::Outcome;
use crate::plan::{ActionKind, Plan, PlanOutcome, PlannedAction};
use crate::response::{Response, SpecificationResponse};

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
    /// It is done, and a package was regenerated and built with it.
    Done,
    /// It was to be done, and the run ended without all of it.
    NotDone,
    /// It is for a person, or a part of it is.
    Guidance,
    /// It asks for nothing, or it is so already.
    Nothing,
    /// It was resolved before, so it was not read.
    Resolved,
    /// It answers another comment and was read with that one.
    Answered,
}

/// How a run ended, as far as the rows of a review are about it.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    complete: bool,
    message: &'a str,
    /// What is kept of a run that did not do all.
    changes: &'a [TypeSpecChange],
}

impl<'a> From<&'a Response> for End<'a> {
    fn from(response: &'a Response) -> Self {
        // A failure may leave changes where they can be looked at, and nothing was built with them.
        let changes = if response.outcome == Outcome::Partial { response.type_spec_changes.as_slice() } else { &[] };
        Self { complete: response.outcome == Outcome::Success, message: &response.message, changes }
    }
}

impl<'a> From<&'a SpecificationResponse> for End<'a> {
    fn from(response: &'a SpecificationResponse) -> Self {
        Self {
            complete: response.outcome.is_complete(),
            message: &response.message,
            changes: &response.type_spec_changes,
        }
    }
}

impl End<'_> {
    fn message(&self) -> &str {
        self.message.trim_end_matches('.')
    }

    /// Whether what was asked for is among the changes that are kept: the decorator, the target and the languages.
    fn kept(&self, action: &PlannedAction, language: Language) -> bool {
        let Some(asked) = scope(action.scope.as_deref().unwrap_or(language.scope_token())) else { return false };
        let decorators: &[&str] = match action.action {
            ActionKind::Rename => &["clientName"],
            ActionKind::Hide | ActionKind::Show => &["access", "scope"],
            ActionKind::Move => &["clientLocation"],
            ActionKind::Decorate | ActionKind::Undecorate => &[action.decorator.map_or("", Decorator::name)],
            // Code, and edits that nothing says more about.
            ActionKind::Client | ActionKind::Repair | ActionKind::Edit => &[],
        };
        self.changes.iter().any(|change| {
            let name = change.decorator_name.rsplit('.').next().unwrap_or_default();
            decorators.contains(&name)
                && action.target.as_deref() == Some(change.target.as_str())
                && scope(&change.scope)
                    .is_some_and(|scope| Language::ALL.into_iter().all(|one| asked.covers(one) == scope.covers(one)))
        })
    }
}

/// A scope as a decorator has it: without words it is about every language.
fn scope(text: &str) -> Option<Scope> {
    if text.is_empty() { Some(Scope::All) } else { Scope::parse(text).ok() }
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

    /// The rows after a run that carried out what was planned, for a package of this language. A row is done where the run
    /// did all of it, or what was asked is among the changes that are kept.
    #[must_use]
    pub fn after(mut self, language: Language, end: &End<'_>) -> Self {
        for row in self.comments.iter_mut().filter(|row| row.outcome == RowOutcome::Planned) {
            let (done, open): (Vec<&PlannedAction>, Vec<&PlannedAction>) =
                row.actions.iter().partition(|action| end.complete || end.kept(action, language));
            row.outcome = match (open.is_empty(), row.guidance.is_empty()) {
                (false, _) => RowOutcome::NotDone,
                (true, false) => RowOutcome::Guidance,
                (true, true) => RowOutcome::Done,
            };
            let done = (!done.is_empty()).then(|| format!("Done: {}.", words(done)));
            let open =
                (!open.is_empty()).then(|| format!("Not done: {}. The run ended so: {}.", words(open), end.message()));
            let parts: Vec<String> = [done, open, left(&row.guidance)].into_iter().flatten().collect();
            row.reply = parts.join(" ");
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
        let (outcome, mut reply) = match plan.outcome {
            PlanOutcome::Planned => (RowOutcome::Planned, format!("To be done: {}.", words(&plan.actions))),
            PlanOutcome::Guidance => (RowOutcome::Guidance, String::new()),
            PlanOutcome::Nothing if plan.settled.is_empty() => (RowOutcome::Nothing, String::new()),
            PlanOutcome::Nothing => (RowOutcome::Nothing, format!("No change: {}.", plan.settled.join("; "))),
        };
        if let Some(left) = left(&plan.guidance) {
            let gap = if reply.is_empty() { "" } else { " " };
            reply = format!("{reply}{gap}{left}");
        }
        Self {
            actions: plan.actions.clone(),
            guidance: plan.guidance.clone(),
            ..Self::without_plan(comment, outcome, reply)
        }
    }
}

/// What is for a person, in words.
fn left(guidance: &[ManualGuidance]) -> Option<String> {
    let open: Vec<String> = guidance.iter().map(|one| format!("{}: {}", one.issue, one.approach)).collect();
    (!open.is_empty()).then(|| format!("Left for a person: {}.", open.join("; ")))
}

fn words<'a>(actions: impl IntoIterator<Item = &'a PlannedAction>) -> String {
    actions.into_iter().map(PlannedAction::words).collect::<Vec<_>>().join("; ")
}
