//! The coordinator workflow as a pure state machine: no files, no processes, no clock.
//!
//! Here the *calling* agent classifies and edits, and the host keeps the state, checks the edits, regenerates and builds.
//! [`Workflow::begin`] gives the first state; [`Workflow::receive`] takes what the caller reports and either asks it for
//! the next thing or names a [`Check`] that the driver performs; [`Workflow::checked`] takes what came of that. Each
//! state has an [`Answer`], which says what to do next in every field that the protocol has for it.
//!
//! ```text
//! Classify --tspApplicable--> AttemptTspFix --applied--> [edits, regenerate, build] --> Success
//!    ^  \                          | not applicable            |            |
//!    |   \--not applicable--> AttemptSdkFix --applied--> [edits, build]     +-- regeneration failed --> Failure
//!    |                             | failed --> Failure        |
//!    +------- iteration + 1, build failed, iterations left ----+-- none left --> Failure
//! ```
//!
//! A report is taken exactly in the phase that expects it. Everything else is a [`Rejected`], and the state is as before.

mod answer;
mod check;
mod instruct;
mod phase;
mod progress;
mod report;
mod step;
mod summary;
mod workflow;

#[cfg(test)]
mod tests;

pub use answer::{Answer, RunTool, Subagent};
pub use check::{Check, Checked};
pub use phase::{EntryType, FixType, Phase, Status, UnknownEntryType};
pub use progress::Progress;
pub use report::{REPORT_BYTES, Report, ReportError};
pub use step::{Next, Rejected};
pub use workflow::{
    Begin, BeginError, HistoryEntry, HistoryResult, MAX_HISTORY, MAX_ITERATIONS, USUAL_ITERATIONS, Workflow,
};
