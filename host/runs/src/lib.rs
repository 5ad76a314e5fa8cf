//! Runs: snapshots, journal, locks, revert and approval of one customization.
//!
//! Promise: nothing is lost. A repository is whole before and after, whatever dies in between.
//!
//! A run is begun with the directories it works on. [`Store::begin`] locks them and keeps what they
//! hold; from then on anything may happen to them (a compiler writes, a build runs, an agent's edit
//! is applied) and [`Run::restore`] brings back contents, modes, links, empty directories and times.
//! [`Run::finish`] ends the run; one that is left pending waits for [`Store::approve`] or
//! [`Store::revert`]. A run whose process died is undone when the store is next opened, or when the
//! next run on the same directories begins.
//!
//! | situation | outcome |
//! |---|---|
//! | process killed while a run begins | nothing was changed; the next close removes what was kept |
//! | process killed while a run is at work | undone at the next start; a copy of all that this overwrites is kept in its `aside/` |
//! | process killed while a run is reverted | the revert is completed at the next start |
//! | process killed while it goes on with a suspended run | suspended again, as it was when the process went on |
//! | the machine loses its power | the same; a run that was said to have ended has ended, with all its files on the disk |
//! | [`Run::apply`] fails | every file of it is as before the call |
//! | a touched file was edited before a revert | the revert names it and changes nothing |
//! | a build swaps a directory for a link while it is restored | nothing outside the root is touched |
//!
//! Not kept: access times, attributes of the system (`security.…`), and which names of a file are hard links of one another.
//! Ownership is restored for the superuser only.
//!
//! The trap: dropping a [`Run`] without [`Run::finish`] leaves it as if its process had died.

mod apply;
mod apply_target;
mod attributes;
mod authority;
mod begin;
mod boot;
mod content;
mod digest;
mod error;
mod events;
#[cfg(test)]
mod fuzzing;
mod id;
mod ledger;
mod lock;
mod objects;
mod observe;
mod path;
mod proof;
mod record;
mod recover;
mod revert;
mod roots;
mod run;
mod since;
mod state;
mod store;
mod suspend;
mod tree;

#[cfg(test)]
mod tests;

pub use apply::Change;
pub use authority::{Authority, Owner, Sees, Within};
pub use bailiwick_base::files::Identity;
pub use digest::{BadDigest, Digest};
pub use error::{ApplyError, StoreError};
pub use id::{BadRunId, RunId};
pub use record::{
    BeginRun, ChangeKind, ChangedFile, Coverage, EntryKind, Recovered, Recovery, Reverted, RootRecord, RootSpec,
    RunRecord, RunSummary, Status,
};
pub use run::Run;
pub use since::{Shown, Since};
pub use store::{Listed, Store};
pub use tree::tree_digest;
