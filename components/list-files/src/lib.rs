//! `ListFiles`: what a directory holds, page by page.

mod cursor;
mod page;
mod walk;

use bailiwick_tool_sdk::{Effects, Grants, Root, Tool, ToolError, export_tool, input, output};
use cursor::Listing;
use file_kit::glob::Glob;
use page::Page;
use std::num::NonZeroU32;

/// How many names an answer has when no limit is given.
const DEFAULT_LIMIT: usize = 1_000;
/// The most an answer can have.
const LARGEST_LIMIT: usize = 10_000;

input! {
    /// What `ListFiles` is given.
    pub struct Input {
        /// The directory, starting with the name of a granted one, such as `sdk/src`. `.` lists what was granted.
        pub path: String,
        /// Whether to list what the directories in it hold, too.
        pub recursive: Option<bool>,
        /// A pattern for names, such as `*.py`: `*`, `?`, `[a-z]`. It holds for the last part of a path and has no separators.
        pub filter: Option<String>,
        /// The most names to answer, at most 10000; 1000 without it.
        pub limit: Option<NonZeroU32>,
        /// The `nextCursor` of the answer to continue, with the same path, recursive and filter.
        pub cursor: Option<String>,
    }
}

output! {
    /// One name.
    pub struct Entry {
        /// The path beneath the granted directory.
        pub name: String,
        /// `file`, `directory`, `link` or `other`.
        pub kind: String,
    }
}

output! {
    /// What `ListFiles` answers.
    pub struct Output {
        /// The granted directory that names are relative to. Without it each name is a granted directory.
        pub grant: Option<String>,
        /// The names, sorted.
        pub entries: Vec<Entry>,
        /// Given when there are more names; pass it as `cursor`.
        pub next_cursor: Option<String>,
        /// Directories that were not looked into, since they hold what tools make or fetch. List them by their own path.
        pub skipped: Vec<String>,
        /// Directories that could not be looked into.
        pub unreadable: Vec<String>,
        /// How many names were left out because they are not text.
        pub undecodable: u32,
        /// How many names were left out because the grant hides them.
        pub hidden: u32,
    }
}

/// Lists a directory.
pub struct ListFiles;

impl Tool for ListFiles {
    const NAME: &'static str = "ListFiles";
    const DESCRIPTION: &'static str = "Lists the files and directories in a directory, sorted, with paths relative to \
        the granted directory. With `recursive` it lists everything beneath, but does not look into directories that \
        hold built or fetched files (.git, node_modules, bin, obj, dist, target, __pycache__ and the like) and says \
        which it skipped. `filter` is a pattern for names such as `*.py`. Long lists come in pages.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let glob = input.filter.as_deref().filter(|filter| !filter.is_empty()).map(Glob::new).transpose()?;
        let limit = input.limit.map_or(DEFAULT_LIMIT, |limit| limit.get() as usize).min(LARGEST_LIMIT);
        let path = if input.path.is_empty() { "." } else { &input.path };
        let root = grants.resolve_or_all(path)?;
        let recursive = input.recursive == Some(true);
        let listing = Listing::of(&root, recursive, input.filter.as_deref());
        let after =
            input.cursor.filter(|cursor| !cursor.is_empty()).map(|cursor| listing.after(&cursor)).transpose()?;
        let mut page = Page::new(limit, after, glob);
        let grant = match root {
            Root::All(mut names) => {
                names.sort_unstable();
                for name in names {
                    page.offer(name, name, bailiwick_tool_sdk::EntryKind::Directory);
                }
                None
            }
            Root::Within(place) => {
                walk::walk(&place, recursive, &mut page)?;
                Some(place.grant().to_owned())
            }
        };
        let mut output = page.into_output(grant);
        output.next_cursor = output.next_cursor.map(|last| listing.cursor(&last));
        Ok(output)
    }
}

export_tool!(ListFiles);
