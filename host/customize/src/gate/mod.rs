//! The gate between an agent's stage and a repository: pure decisions over contents, no files and no processes.
//!
//! The driver collects what an agent left in the stage ([`crate::stage`]), adds the run's before-images and the
//! repository's present contents, and asks [`judge_typespec`] (Phase A) or [`judge_patch`] (Phase B). The verdict is
//! all or nothing: a difference that breaks one rule lands in no part, and its violations go back to the agent.

mod claims;
mod hidden;
mod lines;
mod patch;
mod rule;
mod text;
mod typespec;

pub use claims::{missing_patches, missing_typespec_changes, patches, typespec_changes};
pub use lines::changed_lines;
pub use patch::{PatchDifference, PatchLimits, Touched, judge_patch};
pub use rule::{Candidate, Landing, Rule, Verdict, Violation};
pub use typespec::{Granted, SCOPE_TOKENS, TypespecDifference, allowed_decorators, judge_typespec};
