//! The transitions.

use bailiwick_sdk::tasks::Diagnostic;

use super::workflow::{HistoryResult, MAX_HISTORY, Workflow};
use super::{Check, Checked, FixType, Phase, Report};

/// What comes after a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The caller is asked for something, or told the end: [`Workflow::answer`] says what.
    Answer,
    /// The driver checks first, and hands what came of it to [`Workflow::checked`].
    Check(Check),
}

/// A report that is not taken. The state is as before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// The workflow is over.
    #[error("workflow `{id}` is over ({phase}) and takes no further result")]
    Over {
        /// The workflow.
        id: String,
        /// How it ended.
        phase: Phase,
    },
    /// It was not continued in time.
    #[error("workflow `{id}` expired: it was not continued for {hours} hours, and both repositories are as before it")]
    Expired {
        /// The workflow.
        id: String,
        /// How long it could wait.
        hours: u64,
    },
    /// The last report is still being checked.
    #[error("the last result of workflow `{id}` is still being checked")]
    Checking {
        /// The workflow.
        id: String,
    },
    /// A type that another phase takes.
    #[error("phase {phase} takes a result of type {}, not `{given}`", quoted(expected))]
    WrongType {
        /// The present phase.
        phase: Phase,
        /// What was reported.
        given: &'static str,
        /// What the phase takes.
        expected: &'static [&'static str],
    },
}

impl Workflow {
    /// Takes a report of the caller.
    ///
    /// # Errors
    /// See [`Rejected`]; the state is then as before, and [`Workflow::answer`] still says what to do.
    pub fn receive(&mut self, report: &Report) -> Result<Next, Rejected> {
        if let Some(over) = self.over() {
            return Err(over);
        }
        if self.checking.is_some() {
            return Err(Rejected::Checking { id: self.id.clone() });
        }
        let expected = Report::expected(self.phase);
        if !expected.contains(&report.kind()) {
            return Err(Rejected::WrongType { phase: self.phase, given: report.kind(), expected });
        }
        self.refused.clear();
        if self.history.len() >= MAX_HISTORY {
            self.end(Phase::Failure, "Too many results led nowhere; the workflow is given up.");
            return Ok(Next::Answer);
        }
        match report {
            Report::Classification { tsp_applicable: true } => {
                self.note("TypeSpec can help", HistoryResult::Success, None);
                self.go(Phase::AttemptTspFix, "The errors are to be mended with TypeSpec decorators.");
            }
            Report::Classification { tsp_applicable: false } => {
                self.note("TypeSpec cannot help", HistoryResult::Success, None);
                self.go(Phase::AttemptSdkFix, "The errors are to be mended in the customization code.");
            }
            Report::TspFixApplied { description } => return Ok(self.check(FixType::Tsp, description)),
            Report::TspFixNotApplicable { reason } => {
                self.note("fix with TypeSpec", HistoryResult::Skipped, Some(reason));
                self.go(Phase::AttemptSdkFix, "TypeSpec cannot help; the customization code is to be mended.");
            }
            Report::SdkFixApplied { description } => return Ok(self.check(FixType::Sdk, description)),
            Report::SdkFixFailed { reason } => {
                self.note("fix in customization code", HistoryResult::Failure, Some(reason));
                self.end(Phase::Failure, "The customization code could not be mended.");
            }
        }
        Ok(Next::Answer)
    }

    /// Takes what came of a check. Without one under way nothing changes.
    pub fn checked(&mut self, checked: &Checked) {
        let Some(after) = self.checking.take() else { return };
        let reported = self.reported.take();
        // What was reported is history when the check has found it, and not before.
        if !matches!(checked, Checked::EditsRefused { .. } | Checked::NothingEdited) {
            let edit = match after {
                FixType::Tsp => "edit `client.tsp`",
                FixType::Sdk => "edit customization code",
            };
            self.note(edit, HistoryResult::Success, reported.as_deref());
        }
        let named = match after {
            FixType::Tsp => "fix with TypeSpec",
            FixType::Sdk => "fix in customization code",
        };
        match checked {
            Checked::EditsRefused { violations } => {
                self.note(named, HistoryResult::Failure, Some(&violations.join("; ")));
                self.refused.clone_from(violations);
                self.message = "What was changed is refused; nothing was regenerated or built.".into();
            }
            Checked::NothingEdited => {
                self.note(named, HistoryResult::Failure, Some("nothing was changed"));
                self.message = match after {
                    FixType::Tsp => "`client.tsp` is as it was: no edit is there that could be checked.".into(),
                    FixType::Sdk => "No customization file differs: no edit is there that could be checked.".into(),
                };
            }
            Checked::RegenerationFailed { diagnostics } => {
                self.last_fix = Some(after);
                self.note("regenerate", HistoryResult::Failure, first(diagnostics).as_deref());
                self.fail_with(diagnostics);
                self.end(Phase::Failure, "Regeneration failed.");
            }
            Checked::BuildFailed { diagnostics } => {
                self.last_fix = Some(after);
                self.note("build", HistoryResult::Failure, first(diagnostics).as_deref());
                self.fail_with(diagnostics);
                if self.iteration >= self.max_iterations {
                    let message = format!("The build still fails after {} iterations.", self.iteration);
                    self.end(Phase::Failure, &message);
                } else {
                    self.iteration += 1;
                    self.go(Phase::Classify, "The build still fails; its errors are to be looked at again.");
                }
            }
            Checked::Passed => {
                self.last_fix = Some(after);
                self.note("build", HistoryResult::Success, None);
                self.end(Phase::Success, "The build passed after the last edit.");
            }
        }
    }

    /// Ends a workflow from outside: a person gave it up.
    pub fn abandon(&mut self, why: &str) {
        if !self.phase.is_terminal() {
            self.checking = None;
            self.note("abandon", HistoryResult::Failure, Some(why));
            self.end(Phase::Failure, &format!("The workflow was given up: {why}."));
        }
    }

    /// Ends a workflow that was not continued for so many hours. Both repositories are put back.
    pub fn expire(&mut self, hours: u64) {
        if !self.phase.is_terminal() {
            self.checking = None;
            self.expired = Some(hours);
            self.note("expire", HistoryResult::Failure, Some(&format!("no step for {hours} hours")));
            let message = format!(
                "The workflow expired: it was not continued for {hours} hours. Both repositories are as before it."
            );
            self.end(Phase::Failure, &message);
        }
    }

    fn check(&mut self, after: FixType, description: &str) -> Next {
        self.checking = Some(after);
        self.reported = Some(description.into());
        self.message = "The edits are being checked, and the package is regenerated and built.".into();
        Next::Check(Check { after })
    }

    fn go(&mut self, phase: Phase, message: &str) {
        self.phase = phase;
        self.message = message.into();
    }

    fn end(&mut self, phase: Phase, message: &str) {
        self.refused.clear();
        self.go(phase, message);
    }
}

fn first(diagnostics: &[Diagnostic]) -> Option<String> {
    diagnostics.iter().find(|diagnostic| diagnostic.is_error()).map(crate::machine::diagnostic_line)
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}
