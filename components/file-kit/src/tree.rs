//! Directories as a walk sees them, and those it does not look into. Links are never followed.

use crate::listing;
use bailiwick_tool_sdk::{Directory, Entries, EntryKind, ToolError};

/// The most names of one directory that are looked through.
pub const DIRECTORY_LIMIT: usize = 200_000;
/// The most names of one directory that an answer holds.
pub const LISTED_LIMIT: usize = 10_000;
/// The deepest directory that is looked into, counted from where the walk starts.
pub const DEPTH_LIMIT: usize = 64;

/// Directories that hold what tools make or fetch. The comparison does not heed case.
const SKIPPED: [&str; 20] = [
    ".git",
    ".hg",
    ".svn",
    ".idea",
    ".vs",
    ".tox",
    ".nox",
    ".venv",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    "node_modules",
    "__pycache__",
    "bin",
    "obj",
    "dist",
    "target",
    "testresults",
    ".bailiwick",
];

/// Whether a recursive answer leaves out what the directory `name` holds.
pub fn is_skipped(name: &str) -> bool {
    SKIPPED.iter().any(|skipped| name.eq_ignore_ascii_case(skipped))
}

/// What a walk needs of a directory; the tests have one of their own.
pub trait Tree: Sized {
    /// The names in it.
    ///
    /// # Errors
    /// When it cannot be read.
    fn names(&self, shown: &str) -> Result<Entries, ToolError>;
    /// A directory in it.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn inner(&self, name: &str, shown: &str) -> Result<Self, ToolError>;
}

impl Tree for Directory {
    fn names(&self, shown: &str) -> Result<Entries, ToolError> {
        listing::entries(self, DIRECTORY_LIMIT, shown)
    }

    fn inner(&self, name: &str, shown: &str) -> Result<Self, ToolError> {
        self.child(name, shown)
    }
}

/// How a listing marks a name. A link is not followed to find out.
pub fn marker(kind: EntryKind) -> &'static str {
    if kind == EntryKind::Directory { "[DIR]" } else { "[FILE]" }
}

/// What to say of names that are not text.
pub fn undecodable(count: u32) -> Option<String> {
    (count > 0).then(|| format!("{count} names are not text and were left out"))
}

/// What to say of names that the grant hides.
pub fn hidden(count: u32) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 name is hidden by the grant and was left out".to_owned()),
        count => Some(format!("{count} names are hidden by the grant and were left out")),
    }
}

/// Cuts `names` to what one answer holds, and says of how many these are the first, and how to come by the others.
pub fn cut(names: &mut Entries, shown: &str) -> Option<String> {
    let all = names.entries.len();
    if all <= LISTED_LIMIT {
        return None;
    }
    names.entries.truncate(LISTED_LIMIT);
    Some(format!(
        "`{shown}` has {all} names, and these are the first {LISTED_LIMIT} of them, sorted; `search_files` finds others by a \
         pattern such as `m*`"
    ))
}

/// Sentences, one a line; `None` where there are none.
pub fn together(sentences: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let sentences: Vec<String> = sentences.into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join("\n"))
}

/// What a walk left out, in sentences for the caller.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// Directories that hold what tools make or fetch.
    pub skipped: Vec<String>,
    /// Directories that could not be read.
    pub unreadable: Vec<String>,
    /// Names that are not text.
    pub undecodable: u32,
    /// Names that the grant hides.
    pub hidden: u32,
    /// Why the walk ended early.
    pub ended: Option<String>,
}

/// So many names of one sort are told.
const TOLD: usize = 20;

impl LeftOut {
    /// The sentences, one a line.
    pub fn note(self) -> Option<String> {
        let mut lines = Vec::from_iter(self.ended);
        if !self.skipped.is_empty() {
            lines.push(format!(
                "not looked into, as they hold what tools make or fetch (ask for one by its own path): {}",
                some(&self.skipped)
            ));
        }
        if !self.unreadable.is_empty() {
            lines.push(format!("could not be looked into: {}", some(&self.unreadable)));
        }
        lines.extend(undecodable(self.undecodable));
        lines.extend(hidden(self.hidden));
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

fn some(names: &[String]) -> String {
    let mut told = names.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > TOLD {
        told.push_str(&format!(" and {} more", names.len() - TOLD));
    }
    told
}
