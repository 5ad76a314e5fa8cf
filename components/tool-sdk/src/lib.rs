//! What the author of a bailiwick tool depends on.
//!
//! A tool is a component that answers one kind of call, JSON in and JSON out, with the directories it was granted
//! and nothing else: no clock, no environment, no network, no console. `std::fs` compiles for this target and fails
//! when it runs, so files are reached through [`Grants`].
//!
//! ```
//! use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};
//!
//! input! {
//!     /// What `CountLines` is given.
//!     pub struct Input {
//!         /// The file to count, such as `sdk/README.md`.
//!         pub file_path: String,
//!     }
//! }
//!
//! output! {
//!     /// What `CountLines` answers.
//!     pub struct Output {
//!         /// How many lines the file has.
//!         pub lines: u32,
//!     }
//! }
//!
//! /// Counts the lines of a file.
//! pub struct CountLines;
//!
//! impl Tool for CountLines {
//!     const NAME: &'static str = "CountLines";
//!     const DESCRIPTION: &'static str = "Counts the lines of a text file.";
//!     const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
//!     type Input = Input;
//!     type Output = Output;
//!
//!     fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
//!         let text = grants.resolve(&input.file_path)?.read_text(1 << 20)?;
//!         Ok(Output { lines: u32::try_from(text.lines().count()).unwrap_or(u32::MAX) })
//!     }
//! }
//!
//! export_tool!(CountLines);
//! ```
//!
//! - [`Tool`], [`export_tool!`]: what a tool is and how a component exports it.
//! - [`rich`], [`export_rich_tools!`]: tools that answer in parts, or ask first.
//! - [`offers`], [`export_offers!`]: resources and prompts.
//! - [`input!`], [`output!`], [`choice!`], [`Schema`]: one declaration gives the Rust type, its JSON and its JSON Schema.
//! - [`Grants`], [`Place`]: paths such as `sdk/src/x.py` resolved to a granted directory and a path beneath it.
//! - [`File`], [`Piece`], [`Directory`], [`Info`]: reading, listing, replacing a file atomically, making and moving.
//! - [`JsonText`]: a long text that is written into the answer while it is read.
//! - [`text`], [`lines`], [`diff`]: bytes of a file as text, its lines and their endings, and a unified diff of edits.
//! - [`ToolError`], [`ErrorKind`]: what a caller can react to.

#[doc(hidden)]
pub mod bindings;
mod choice;
pub mod diff;
mod directory;
mod error;
mod escape;
mod file;
mod grants;
#[cfg(target_family = "wasm")]
#[expect(unsafe_code, reason = "an allocator hands out memory by address")]
mod heap;
mod info;
mod json;
mod json_text;
mod lanes;
pub mod lines;
mod make;
#[doc(hidden)]
pub mod offer_bindings;
pub mod offers;
mod relocate;
mod replace;
pub mod rich;
#[doc(hidden)]
pub mod rich_bindings;
mod schema;
pub mod text;
mod tool;

pub use bindings::exports::bailiwick::tool::tool::Effects;
pub use directory::{Directory, Entries, Entry, EntryKind};
pub use error::{ErrorKind, ToolError};
pub use file::{File, Piece};
pub use grants::{Granted, Grants, Place, Root};
pub use info::Info;
pub use json::Output;
pub use json_text::JsonText;
pub use make::Made;
pub use replace::Replaced;
pub use schema::Schema;
pub use tool::Tool;

/// Names the macros need; not for use by hand.
#[doc(hidden)]
pub mod private {
    pub use crate::choice::{word, words};
    pub use crate::json::{close, field, open};
    pub use crate::offers::get;
    pub use crate::rich::{describe as describe_rich, invoke as invoke_rich, no_such_tool};
    pub use crate::schema::{Property, object};
    pub use crate::tool::{describe, invoke};
    pub use {serde, serde_json};
}
