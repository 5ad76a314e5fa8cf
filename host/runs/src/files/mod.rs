//! File work through open directory handles: one component at a time, never through a link.
//!
//! A build may swap any directory for a symbolic link while the store works in the same tree. So
//! nothing here takes a path of more than one component, except `open_root`, which walks its path
//! the same way from `/`.

mod access;
mod change;
mod content;
mod facts;
pub(crate) mod failpoint;
mod list;
mod open;
mod remove;

pub(crate) use access::{make_accessible, relax};
pub(crate) use change::{
    create, exchange, link_target, make_directory, make_link, remove_directory, remove_file, rename, rename_new,
    set_link_times, set_mode, set_owner, set_times, sync, sync_everything, write,
};
pub(crate) use content::{Streamed, stream};
pub(crate) use facts::{Facts, Identity, Type};
pub(crate) use list::names;
pub(crate) use open::{descend, facts_of, names_of, open_directory, open_file, open_root, present};
pub(crate) use remove::remove_any;
