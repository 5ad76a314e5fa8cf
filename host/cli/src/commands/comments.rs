//! `package customize --comments`: an exported review in, a row for each of its comments out.

use super::customize::{Extent, Work};
use super::ending::{Beside, Rows, code_of_plan, kept, planned};
use super::text;
use crate::exit::{Code, Error, Result};
use crate::runtime;
use bailiwick_customize::comments::{End, Review, RowOutcome, read};
use bailiwick_customize::driver::{Request, Reviewed};
use bailiwick_customize::machine::Outcome;

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
    pub(crate) fn answer(&self, request: Request, review: &Review, extent: Extent, as_json: bool) -> Result<Code> {
        let (conversation, money) = self.conversation(&request, extent)?;
        let planner = self.planner(&conversation, money)?;
        let reviewed = match planned(planner.review(&request, review))? {
            Ok(reviewed) => reviewed,
            failed => kept(&conversation, failed)?,
        };
        let Reviewed { ledger, language, plan, classification } = reviewed;
        if extent == Extent::Plan || classification.items.is_empty() {
            conversation.finish()?;
            Rows { ledger: &ledger, beside: Beside::Plan(&plan) }.show(as_json);
            return Ok(code_of_plan(&plan));
        }
        let request = Request { classified: Some(classification), ..request };
        let response = runtime::block_on(self.run(&request, &conversation, money))??;
        let ledger = ledger.after(language, &End::from(&response));
        Rows { ledger: &ledger, beside: Beside::Response(&response) }.show(as_json);
        let open = ledger.comments.iter().any(|row| !row.guidance.is_empty() || row.outcome == RowOutcome::Guidance);
        Ok(if response.outcome == Outcome::Success && !open { Code::Done } else { Code::NoSuccess })
    }
}
