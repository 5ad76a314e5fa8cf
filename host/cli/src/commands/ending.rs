//! How commands that plan and customize end, for a package and for a specification alone.

use super::package;
use crate::conversation::Conversation;
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_customize::comments::Ledger;
use bailiwick_customize::driver::{CustomizeError, Customizer};
use bailiwick_customize::plan::{Plan, PlanOutcome};
use bailiwick_customize::response::{Response, SpecificationResponse};
use serde::Serialize;
use std::io::IsTerminal as _;

type Outcome<T> = std::result::Result<T, CustomizeError>;

/// Reads and plans, unless a person interrupts. The outer error is about this process.
pub(super) fn planned<T>(planning: impl Future<Output = Outcome<T>>) -> Result<Result<T>> {
    runtime::block_on(async {
        tokio::select! {
            planned = planning => planned.map_err(|error| package::failure(&error)),
            () = runtime::interrupted() => Err(Error::interrupted("interrupted; nothing was changed")),
        }
    })
}

/// The result of a conversation, which is kept first.
pub(super) fn kept<T>(conversation: &Conversation, result: Result<T>) -> Result<T> {
    let kept = conversation.finish();
    let value = result?;
    kept?;
    Ok(value)
}

/// A customizer that shows its plan at a terminal.
pub(super) async fn customizer(
    unconfined_builds: bool,
    conversation: &Conversation,
    money: Option<u64>,
) -> Result<Customizer> {
    let mut customizer = package::customizer(unconfined_builds, conversation.backend(), money).await?;
    if std::io::stderr().is_terminal() {
        customizer.progress = customizer.progress.showing_plans(|plan| output::progress(&plan.format()));
    }
    Ok(customizer)
}

/// The response of a run that has ended. A run that failed halfway is put back, and so is the one that `undoes` names
/// where its conversation cannot be kept. `interrupted` says how everything stands after an interruption.
pub(super) async fn settled<T>(
    customizer: &Customizer,
    conversation: &Conversation,
    outcome: Outcome<T>,
    undoes: impl FnOnce(&T) -> Option<&str>,
    interrupted: &str,
) -> Result<T> {
    let kept = conversation.finish();
    match outcome {
        Ok(response) => match kept {
            Ok(()) => Ok(response),
            Err(error) => {
                undoes(&response).map_or(Ok(()), |run| package::undo(&customizer.store, run))?;
                Err(error)
            }
        },
        Err(CustomizeError::Cancelled) => Err(Error::interrupted(format!("interrupted; {interrupted}"))),
        Err(error) => {
            // What failed halfway is put back now and not at the next start, once nothing of it can write any more.
            customizer.supervisor.settled().await;
            package::recover(&customizer.store)?;
            Err(package::failure(&error))
        }
    }
}

/// The rows of a review, with the plan or with what came of it.
#[derive(Serialize)]
pub(super) struct Rows<'a> {
    #[serde(flatten)]
    pub(super) ledger: &'a Ledger,
    #[serde(flatten)]
    pub(super) beside: Beside<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Beside<'a> {
    Plan(&'a Plan),
    Response(&'a Response),
    Specification(&'a SpecificationResponse),
}

impl Rows<'_> {
    fn format(&self) -> String {
        let beside = match self.beside {
            Beside::Plan(plan) => plan.format(),
            Beside::Response(response) => response.format(),
            Beside::Specification(response) => response.format(),
        };
        format!("{}\n\n{beside}", self.ledger.format())
    }

    pub(super) fn show(&self, as_json: bool) {
        show(self, Rows::format, as_json);
    }
}

/// Prints an answer: as JSON, or in words.
pub(super) fn show<T: Serialize>(answer: &T, in_words: impl FnOnce(&T) -> String, as_json: bool) {
    if as_json { output::json(answer) } else { output::line(&in_words(answer)) }
}

/// The code that carrying out the plan would begin with: what needs a scope that was not given is not carried out.
pub(super) fn code_of_plan(plan: &Plan) -> Code {
    let kept_back = plan.needs_scope.is_some() || plan.obstacle.is_some();
    if plan.outcome == PlanOutcome::Guidance || kept_back { Code::NoSuccess } else { Code::Done }
}
