//! Cases of a tool, `tests/*.toml`: the same form whatever the tool is written in.
//!
//! ```toml
//! [[case]]
//! name = "headings are listed"                 # said when it fails
//! tool = "outline"                             # only where a component has several
//! input = { file = "notes/a.md" }
//! access = { notes = "read" }                  # less than the manifest asks for
//! before = { "notes/a.md" = "# A\n", "notes/b.bin" = { from = "fixtures/b.bin" } }
//! expect = { output = { headings = 1 } }       # or { error = "not-found", message = "a part of it" }
//! after = { "notes/out.md" = "- A\n", "notes/a.md" = false }
//! ```
//!
//! A file that `after` does not name has to be as `before` left it, and there must be no other.

mod judge;
mod read;
mod tree;

pub use judge::Answer;
pub use read::read;

use bailiwick_tools::manifest::Access;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One call, what is there before it, and what has to come of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The file it stands in.
    pub file: PathBuf,
    /// What it shows, for people.
    pub name: String,
    /// The tool, where it is named.
    pub tool: Option<String>,
    /// What the tool is given.
    pub input: Value,
    /// Directories whose access is less than the manifest asks for, by name.
    pub access: BTreeMap<String, Access>,
    before: BTreeMap<String, Vec<u8>>,
    expect: Expect,
    after: BTreeMap<String, Option<Vec<u8>>>,
}

/// What a call has to answer.
#[derive(Debug, Clone, PartialEq)]
enum Expect {
    /// This, as a whole.
    Output(Value),
    /// An error of this kind, with a message that has these words.
    Error { kind: String, message: Option<String> },
}
