//! Conversations kept in a file, and run again from it without a model.
//!
//! [`Recorder`] wraps any backend and writes down every turn: the whole request as it was sent and the whole answer, or
//! why there was none. [`Replay`] is a backend that answers from such a file. It fails at the first difference in what
//! it is sent, names the turn and the place ([`ReplayError`]), and answers nothing after that. A caller asks
//! [`Replay::finish`] when the work is over: a conversation that ended before its file did is a difference too.
//!
//! # What is compared
//! Instructions, task, messages and tools, as JSON values: everything a [`crate::TurnRequest`] holds. The order of an
//! object's fields does not count as a difference; every character of a text does.
//!
//! # What is put in other words
//! What differs from machine to machine and from run to run would make every recording useless elsewhere:
//! - paths that the caller names ([`Placeholders`]) stand as `${bailiwick:NAME}`; in an answer they become the present paths;
//! - the id of a run, wherever its form is found, stands as `${bailiwick:run}`.
//!
//! Times are not replaced, because the customization sends none.
//!
//! # What is redacted
//! Whatever the [`Scrub`] takes out that the caller hands in, in every text that was sent or answered and in names of
//! fields; with [`crate::KnownSecrets`] these are secrets whose values are known. A secret that was not known stays,
//! so a recording deserves a look before it is published. A replay scrubs what it is sent in the same way.
//!
//! # The file
//! JSON Lines. The first line is a [`Header`]; each other line is a turn: `turn` (from 1), `request`, and `response` or
//! `failure`. A request leaves out `instructions`, `task` and `tools` where they are those of the turn before, and says
//! with `messagesKept` how many of its messages come first. A turn that a person wrote may have no request; such a file
//! is first run with [`Replay::filling_in`] under a recorder.

mod difference;
mod error;
mod file;
mod keep;
mod placeholders;
mod player;
mod recorder;

pub use error::{FileError, ReplayError};
pub use file::{FORMAT, Header, Origin, VERSION};
pub use keep::ConversationFile;
pub use placeholders::Placeholders;
pub use player::Replay;
pub use recorder::Recorder;

use serde_json::Value;

use crate::backend::TurnRequest;
use crate::transcript::{self, Scrub};

/// A request as it stands in a file: scrubbed, then with placeholders.
fn as_written(request: &TurnRequest, places: &Placeholders, scrub: &dyn Scrub) -> serde_json::Result<Value> {
    Ok(places.hide(transcript::scrubbed(serde_json::to_value(request)?, scrub)))
}
