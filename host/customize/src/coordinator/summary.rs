//! What is said about a workflow when it is over.

use super::{Phase, Workflow};
use crate::coordinator::workflow::HistoryResult;

impl Workflow {
    /// Markdown; `None` before the end.
    pub(super) fn summary(&self) -> Option<String> {
        let outcome = match self.phase {
            Phase::Success => "success",
            Phase::Failure => "failure",
            _ => return None,
        };
        let mut lines = vec![
            "## SDK customization workflow".to_owned(),
            String::new(),
            format!("- outcome: **{outcome}**. {}", self.message),
            format!("- package: `{}`", self.package),
            format!("- iterations: {} of {}", self.iteration, self.max_iterations),
        ];
        if let Some(run) = self.run.as_ref().filter(|_| !self.has_expired()) {
            lines.push(format!(
                "- run: `{run}`. Nothing is committed: `bailiwick run approve {run}` keeps what changed, `bailiwick run revert {run}` \
                 puts both repositories back"
            ));
        }
        lines.extend([
            String::new(),
            "| iteration | phase | step | result | details |".to_owned(),
            "|---|---|---|---|---|".to_owned(),
        ]);
        for entry in &self.history {
            let result = match entry.result {
                HistoryResult::Success => "success",
                HistoryResult::Failure => "failure",
                HistoryResult::Skipped => "skipped",
            };
            // The caller's words must not become columns, rows or markup of the table.
            let details = entry.details.as_deref().unwrap_or_default().replace('|', "\\|").replace('<', "&lt;");
            lines.push(format!("| {} | {} | {} | {result} | {details} |", entry.iteration, entry.phase, entry.action));
        }
        if self.phase == Phase::Failure && !self.errors.is_empty() {
            lines.extend([String::new(), "What is left:".to_owned(), String::new()]);
            lines.extend(self.errors.lines().take(20).map(|line| format!("    {line}")));
        }
        Some(lines.join("\n"))
    }
}
