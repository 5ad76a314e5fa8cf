//! `package customize --comments`: an exported review in, a row for each of its comments out.

use super::customize::Work;
use super::{package, text};
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_customize::comments::{Ledger, Review, RowOutcome, read};
use bailiwick_customize::driver::{Request, Reviewed};
use bailiwick_customize::machine::Outcome;
use bailiwick_customize::plan::{Plan, PlanOutcome};
use bailiwick_customize::response::Response;
use serde::Serialize;

/// What is printed: the rows, with the plan or the response.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    ledger: &'a Ledger,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a Plan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<&'a Response>,
}

/// The review that an argument names.
pub(crate) fn review(argument: &str) -> Result<Review> {
    let text = text::read("review", argument)?;
    read(&text).map_err(|error| {
        let usage = Error::usage(error.to_string());
        match error.hint() {
            Some(hint) => usage.hint(hint),
            None => usage,
        }
    })
}

impl Work<'_> {
    /// Reads every comment, and carries out all that is certain in one run unless only the plan is wanted.
    pub(crate) fn answer(&self, request: Request, review: &Review, dry_run: bool, as_json: bool) -> Result<Code> {
        let (conversation, money) = self.conversation(&request)?;
        let planner = package::planner(self.target.unconfined_builds, conversation.backend(), money)?;
        let reviewed = runtime::block_on(async {
            tokio::select! {
                reviewed = planner.review(&request, review) => reviewed.map_err(|error| package::failure(&error)),
                () = runtime::interrupted() => Err(Error::interrupted("interrupted; nothing was changed")),
            }
        })?;
        let Reviewed { ledger, plan, classification } = match reviewed {
            Ok(reviewed) => reviewed,
            Err(error) => {
                conversation.finish()?;
                return Err(error);
            }
        };
        if dry_run || classification.items.is_empty() {
            conversation.finish()?;
            show(&Answer { ledger: &ledger, plan: Some(&plan), response: None }, as_json);
            return Ok(if plan.outcome == PlanOutcome::Guidance { Code::NoSuccess } else { Code::Done });
        }
        let request = Request { classified: Some(classification), ..request };
        let response = runtime::block_on(self.run(&request, &conversation, money))??;
        let ledger = ledger.after(&response);
        show(&Answer { ledger: &ledger, plan: None, response: Some(&response) }, as_json);
        let open = ledger.comments.iter().any(|row| !row.guidance.is_empty() || row.outcome == RowOutcome::Guidance);
        Ok(if response.outcome == Outcome::Success && !open { Code::Done } else { Code::NoSuccess })
    }
}

fn show(answer: &Answer<'_>, as_json: bool) {
    if as_json {
        return output::json(answer);
    }
    output::line(&answer.ledger.format());
    let rest = answer.response.map(Response::format).or_else(|| answer.plan.map(Plan::format));
    if let Some(rest) = rest {
        output::line(&format!("\n{rest}"));
    }
}
