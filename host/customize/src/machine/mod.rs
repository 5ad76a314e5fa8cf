//! The two-phase customization workflow as a pure state machine: no files, no processes, no clock.
//!
//! [`State::begin`] gives the first [`Effect`]; the driver performs it and hands what came of it to [`step`], which
//! gives the next one, until the effect is [`Effect::Finish`]. A state serialises between any two steps, and
//! [`State::awaiting`] tells a resumed driver what to perform.
//!
//! ```text
//! Classify -> EditTypespec -> Regenerate -> Build -> CheckDrift -> Classify -> (CheckClaims) -> Finish
//!                                 ^  |         |          |
//!                                 |  +---------+----------+-- failed, customization files exist
//!                                 |                       v
//!                                 +------------------ PatchCode (Phase B, at most twice)
//! ```
//!
//! A repair ([`State::begin_repair`]) begins with the regeneration and asks no classifier.
//!
//! The classifier cannot reach Phase B: [`Route`](bailiwick_sdk::tasks::Route) has no such answer, and the only
//! reason to start a repair is the rule in `validate.rs`.

mod attempt;
mod checks;
mod code;
mod context;
mod decide;
mod effect;
mod event;
mod failure;
mod guidance;
mod normalise;
mod reduce;
mod scope;
mod state;
mod step;
mod validate;
mod verdicts;

#[cfg(test)]
mod tests;

pub use checks::{Check, Checks};
pub use code::{Ending, ErrorCode, Outcome};
pub(crate) use context::diagnostic_line;
pub use context::{CONTEXT_LIMIT, Context, Entry};
pub use effect::Effect;
pub use event::{
    Before, Checked, Claims, CodePatch, Customizations, Event, NotLanded, NotLandedCause, Place, Proof, Regeneration,
    TypespecEdit,
};
pub use failure::{Blocked, Failure, FailureKind, Phase};
pub use normalise::{error_key, normalise};
pub use reduce::reduce_request;
pub use scope::{EditScope, UnknownEditScope};
pub use state::{Aim, Attempts, Input, Keep, State};
pub use step::step;
pub(crate) use verdicts::{merge, unanswered};

/// Attempts that each phase may start. The two counters are independent, so a run has at most four.
pub const MAX_ATTEMPTS: u8 = 2;
