//! Trees of files: what they are, what differs, and how to bring one back.

mod aside;
mod conflicts;
mod diff;
mod fingerprint;
mod manifest;
mod node;
mod restore;
mod restore_entry;
mod room;
mod skip;
mod walk;
mod want;

pub(crate) use aside::Aside;
pub(crate) use conflicts::{Edits, edits};
pub(crate) use diff::changes;
pub(crate) use fingerprint::fingerprint;
pub use fingerprint::tree_digest;
pub(crate) use manifest::{Manifest, RootTree};
pub(crate) use node::{Content, Node};
pub(crate) use restore::{Goal, Restorer, temporary};
pub(crate) use skip::Skip;
pub(crate) use walk::{Mode, Walker, check_files};
pub(crate) use want::{Want, back, undo};
