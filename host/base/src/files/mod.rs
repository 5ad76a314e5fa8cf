//! File work through open directory handles: one component at a time, never through a link.
//!
//! A build may swap any directory for a symbolic link while the host works in the same tree. So
//! nothing here takes a path of more than one component, except `open_root`, which walks its path
//! the same way from `/`, and [`Tree`], which walks a relative path so beneath its handle.

mod access;
mod apart;
mod attributes;
mod change;
mod copy;
mod error;
mod facts;
pub mod failpoint;
mod list;
mod looks;
pub mod observer;
mod open;
pub mod plain;
mod read;
mod remove;
mod replace;
mod tree;
mod wait;

pub use access::{make_accessible, relax};
pub use attributes::Attributes;
pub use change::{
    create, exchange, link_target, make_directory, make_link, remove_directory, remove_file, rename, rename_new,
    set_link_times, set_mode, set_owner, set_times, sync, sync_everything, write,
};
pub use copy::copy_with_holes;
pub use error::FileError;
pub use facts::{Facts, Identity, Type};
pub use list::names;
pub use looks::Looks;
pub use open::{descend, facts_of, names_of, open_directory, open_file, open_root, present};
pub use read::read_bounded;
pub use remove::remove_any;
pub use replace::Replace;
pub use tree::{DEPTH, Tree, TreeError, Written};
pub use wait::{Waits, waits_of};
