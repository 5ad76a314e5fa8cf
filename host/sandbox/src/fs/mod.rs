//! The host side of `wasi:filesystem`: small, in one place, over handles it was given.
//!
//! A guest's path is resolved by the kernel beneath an open handle ([`resolve`]); it is never compared as a
//! string. The type of what was found is checked on an `O_PATH` handle before anything is really opened ([`open`]),
//! so a FIFO cannot block and a device is never touched. Guests can make neither symbolic nor hard links.

mod change;
mod errno;
mod host;
mod leftover;
mod list;
mod metadata;
pub mod open;
mod preserve_metadata;
mod read_set;
pub mod resolve;
mod resolved;
mod table;
mod whole;

pub(crate) use errno::code as file_errno;
pub(crate) use resolved::{directory_beneath, path_of, place_of, unhidden_place};
pub(crate) use table::{Files, Moved, Stop};
pub(crate) use whole::link as link_directories;
