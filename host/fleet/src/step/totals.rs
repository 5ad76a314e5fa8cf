//! What all runs on one pull request came to, kept in the first line of their one comment.

use serde::{Deserialize, Serialize};

use crate::report::Report;
use crate::verdict::Verdict;

/// What begins the comment. The script finds its earlier comment by it.
const HEAD: &str = "<!-- bailiwick-repair ";
const TAIL: &str = " -->";

/// The longest first line that is read, in bytes.
const LONGEST: usize = 400;

/// What the runs on one pull request came to so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Totals {
    /// Runs.
    pub runs: u32,
    /// Packages of all runs that were done, those included that needed no repair.
    pub done: u32,
    /// Packages that were repaired.
    pub repaired: u32,
    /// Packages that were left to a person or failed.
    pub not_done: u32,
    /// Time of all packages together, in seconds.
    pub seconds: u32,
}

impl Totals {
    /// What an earlier comment says. A text that does not begin with a line that [`Self::line`] wrote counts nothing: a person
    /// may have edited it.
    #[must_use]
    pub fn read(comment: &str) -> Self {
        let line = comment.lines().next().unwrap_or_default().trim_end();
        let told = line.strip_prefix(HEAD).and_then(|rest| rest.strip_suffix(TAIL));
        told.filter(|told| told.len() <= LONGEST).and_then(|told| serde_json::from_str(told).ok()).unwrap_or_default()
    }

    /// The first line of the comment. Markdown does not show it.
    #[must_use]
    pub fn line(&self) -> String {
        // Numbers alone: nothing in it can end the comment.
        let told = serde_json::to_string(self).unwrap_or_default();
        format!("{HEAD}{told}{TAIL}")
    }

    /// The same with one more run.
    #[must_use]
    pub fn and(self, report: &Report) -> Self {
        let of = |wanted: fn(Verdict) -> bool| {
            let count = report.rows.iter().filter(|row| row.verdict.is_some_and(wanted)).count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast of a float saturates, and a negative duration counts as 0"
        )]
        let seconds = report.metrics.seconds.round() as u32;
        Self {
            runs: self.runs.saturating_add(1),
            done: self.done.saturating_add(of(Verdict::is_done)),
            repaired: self.repaired.saturating_add(of(|verdict| verdict == Verdict::Repaired)),
            not_done: self.not_done.saturating_add(of(|verdict| !verdict.is_done() && verdict != Verdict::Skipped)),
            seconds: self.seconds.saturating_add(seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_that_was_written_is_read_back_from_the_comment() {
        let totals = Totals { runs: 3, done: 7, repaired: 2, not_done: 1, seconds: 4000 };
        assert_eq!(Totals::read(&format!("{}\n## Fleet\n", totals.line())), totals);
        assert_eq!(Totals::read(&totals.line()), totals);
    }

    #[test]
    fn comment_that_was_edited_or_is_of_another_counts_nothing() {
        let long = format!("{HEAD}{}{TAIL}", " ".repeat(LONGEST + 1));
        for text in [
            "",
            "LGTM",
            "<!-- bailiwick-repair -->",
            "<!-- bailiwick-repair {\"runs\": -1} -->",
            "<!-- bailiwick-repair {\"runs\": 99999999999} -->",
            "\n<!-- bailiwick-repair {\"runs\":3,\"done\":7,\"repaired\":2,\"notDone\":1,\"seconds\":4000} -->",
            &long,
        ] {
            assert_eq!(Totals::read(text), Totals::default(), "{text}");
        }
    }

    #[test]
    fn counts_end_at_the_largest_number() {
        let report = Report::of(&crate::manifest::testing::manifest(2), &[]).unwrap();
        let most = Totals { runs: u32::MAX, ..Totals::default() };
        assert_eq!(most.and(&report), most);
    }
}
