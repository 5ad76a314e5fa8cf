//! What a run did, for people: one self-contained HTML page, or Markdown for a pull request.
//!
//! ```text
//! fleet     what a fleet came to, in the same two forms
//! gather    what the store has of a run -> Report (plain data)
//! html      Report -> a page without scripts and without anything from outside
//! review    the same pages as `bailiwick review` serves them, with links and forms
//! markdown  Report -> text that a pull request's description or comment holds
//! ```
//!
//! Requests, specifications, builds and models say whatever they like, and a report is opened in a browser and pasted into
//! other people's pages. So nothing of theirs is ever markup: HTML escapes all of it, Markdown has it in code spans and
//! fences alone, characters that are not seen are written out in both, and both have a largest size.

mod clip;
mod diff;
mod fleet;
#[cfg(test)]
mod fuzzing;
mod gather;
mod html;
mod limits;
mod markdown;
mod model;
mod review;
mod say;
mod time;

pub use fleet::{fleet_comment, fleet_html, fleet_markdown};
pub use gather::gather;
pub use html::html;
pub use limits::{HTML_BYTES, MARKDOWN_BYTES};
pub use markdown::markdown;
pub use model::{
    Agent, Attempt, Decision, Decorator, DiagnosticLine, FileDiff, GeneratedFile, Guidance, Mark, Moment, Place,
    Report, Row, Step, Totals, Verdict,
};
pub use review::{Asked, FleetLine, decision_page, fleet_page, message_page, overview_page, run_page};
