//! The run in one line, and what a person can do about it.

use bailiwick_customize::machine::Outcome;
use bailiwick_customize::response::SpecificationOutcome;
use bailiwick_runs::{RunRecord, Status};

use super::answer::Answer;
use super::events::Event;
use crate::model::{Decision, Mark, Verdict};

/// What came of the run: its own words, then what became of the files.
pub(super) fn verdict(record: &RunRecord, answer: &Answer, events: &[Event]) -> Verdict {
    let files = match record.status {
        Status::Pending => "its changes wait for a decision",
        Status::Approved => "its changes were approved",
        Status::Reverted => "both repositories are as before",
        Status::Failed { kept: true } => "its changes were kept for a look",
        Status::Failed { kept: false } => "both repositories were put back",
        Status::Unchanged => "nothing was changed",
        Status::Running => "a process is at work on it, or has died",
        Status::Suspended => "no process is at work on it; its workflow waits for its next step",
        Status::Reverting => "it is being reverted, or the process that did so has died",
    };
    let of = |mark, label: &str, sentence: String| Verdict { mark, label: label.to_owned(), sentence };
    if let Answer::Specification(response) = answer {
        let mark = match response.outcome {
            SpecificationOutcome::EditedNotBuilt | SpecificationOutcome::NothingToEdit => Mark::Plain,
            SpecificationOutcome::PartlyEditedNotBuilt => Mark::Partly,
            SpecificationOutcome::NotEdited => Mark::Bad,
        };
        let label = match record.status {
            Status::Reverted => "Reverted".to_owned(),
            Status::Approved => format!("{}, approved", sentence(response.outcome.words())),
            _ => sentence(response.outcome.words()),
        };
        return of(mark, &label, format!("{}; {files}", response.message));
    }
    if let Some((outcome, message)) = answer.outcome() {
        let (mark, label) = match (outcome, record.status) {
            (_, Status::Reverted) => (Mark::Plain, "Reverted"),
            (Outcome::Success, Status::Approved) => (Mark::Good, "Success, approved"),
            (Outcome::Success, _) => (Mark::Good, "Success"),
            (Outcome::Partial, Status::Approved) => (Mark::Partly, "Partial, approved"),
            (Outcome::Partial, _) => (Mark::Partly, "Partial success"),
            (Outcome::Failure, _) => (Mark::Bad, "Failure"),
        };
        let was = match (outcome, record.status) {
            (Outcome::Success, Status::Reverted) => "it had succeeded: ",
            (Outcome::Partial, Status::Reverted) => "it had succeeded in part: ",
            (Outcome::Failure, Status::Reverted) => "it had failed: ",
            _ => "",
        };
        return of(mark, label, format!("{was}{message}; {files}"));
    }
    let happened = |kind: &str| events.iter().any(|event| event.kind == kind);
    match record.status {
        Status::Running => of(Mark::Plain, "Running", files.to_owned()),
        Status::Suspended => of(Mark::Plain, "Waiting", files.to_owned()),
        Status::Reverting => of(Mark::Plain, "Being reverted", files.to_owned()),
        Status::Reverted if happened("recovered") => of(Mark::Bad, "Interrupted", format!("its process died; {files}")),
        Status::Reverted if happened("reverted") => of(Mark::Plain, "Reverted", files.to_owned()),
        Status::Reverted => of(Mark::Plain, "Cancelled", format!("it was ended before it came to a result; {files}")),
        Status::Approved => of(Mark::Partly, "Approved", format!("{files}; its response is missing")),
        Status::Pending | Status::Unchanged | Status::Failed { .. } => {
            of(Mark::Partly, "Outcome unknown", format!("its response is missing or cannot be read; {files}"))
        }
    }
}

/// What a person can do now.
pub(super) fn decision(record: &RunRecord) -> Decision {
    let id = &record.id;
    let command = |verb: &str, what: &str| (format!("bailiwick run {verb} {id}"), what.to_owned());
    let keep = || command("approve", "keeps the changes and closes the run; nothing is committed for you");
    let back = || command("revert", "puts both repositories back as they were");
    let show = || command("show", "prints the details");
    let (stands, commands) = match record.status {
        Status::Pending => ("The changes are in both repositories and wait for a person.", vec![keep(), back()]),
        Status::Failed { kept: true } => {
            ("The run failed, and its changes were left in place for a look.", vec![back(), keep()])
        }
        Status::Suspended => ("Its workflow can be gone on with, or given up.", vec![back()]),
        Status::Running => {
            ("Wait for its end. If its process has died, the next command puts everything back.", vec![show()])
        }
        Status::Reverting => ("The next command completes what was begun.", vec![show()]),
        Status::Approved => {
            ("The changes were approved. They can be committed; only git can take them back now.", vec![])
        }
        Status::Reverted | Status::Failed { kept: false } => {
            ("Both repositories are as they were before the run. There is nothing to decide.", vec![])
        }
        Status::Unchanged => ("The run changed nothing. There is nothing to decide.", vec![]),
    };
    Decision { stands: stands.to_owned(), commands }
}

/// With a capital letter in front.
fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}
