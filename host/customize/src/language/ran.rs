//! One run of a build tool: how it ended, or that it did not end in time.

use bailiwick_process::{Finished, ProcessError};
use bailiwick_sdk::tasks::Diagnostic;
use bailiwick_toolchains::{Child, Children};

use super::LanguageError;

/// How a build tool came to its end.
pub(super) enum Ran {
    /// By itself.
    Ended(Finished),
    /// It was ended at its deadline.
    Stopped {
        /// What it had printed.
        log: String,
        /// The error that says so.
        error: Diagnostic,
    },
}

/// Runs it. `tool` is the tool of the diagnostic, `name` what people call the command.
///
/// # Errors
/// When it cannot be run.
pub(super) async fn run(child: Child<'_>, children: &Children, tool: &str, name: &str) -> Result<Ran, LanguageError> {
    match children.run(child, &mut |_| {}).await {
        Ok(finished) => Ok(Ran::Ended(finished)),
        Err(ProcessError::Deadline { after, stdout, stderr, .. }) => {
            let message = format!("{name} did not end within {} s", after.as_secs());
            let error = Diagnostic::without_place(tool, "deadline", message);
            Ok(Ran::Stopped { log: stdout.text + &stderr.text, error })
        }
        Err(error) => Err(error.into()),
    }
}
