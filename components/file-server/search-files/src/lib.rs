//! `search_files`: paths that fit a pattern.

mod search;

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};
use file_kit::path_glob::PathGlob;
use search::Search;

input! {
    /// What `search_files` is given.
    pub struct Input {
        /// The directory to search.
        pub path: String,
        /// What paths beneath it have to look like: `*.py` in the directory itself, `**/*.py` at any depth.
        pub pattern: String,
        /// Patterns for paths that are left out, with all that is in them.
        pub exclude_patterns: Option<Vec<String>>,
    }
}

output! {
    /// What `search_files` answers.
    pub struct Output {
        /// A path on each line.
        pub content: String,
        /// What was left out.
        pub note: Option<String>,
    }
}

/// Searches a tree.
pub struct SearchFiles;

impl Tool for SearchFiles {
    const NAME: &'static str = "search_files";
    const DESCRIPTION: &'static str = "Searches a directory and everything beneath it for files and directories whose path, \
        relative to that directory, fits a pattern: '*.ext' for the directory itself, '**/*.ext' for any depth. Returns \
        paths that other tools take. Directories that hold built or fetched files (.git, node_modules, bin, obj, dist, \
        target, __pycache__ and the like) are not looked into, and the answer says which.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let exclude = input.exclude_patterns.unwrap_or_default();
        let exclude = exclude.iter().map(|pattern| PathGlob::new(pattern)).collect::<Result<Vec<_>, _>>()?;
        let mut search = Search::new(&input.path, PathGlob::new(&input.pattern)?, exclude);
        let directory = grants.resolve(&input.path)?.open_directory()?;
        search.directory(&directory, "", file_kit::tree::DEPTH_LIMIT)?;
        let (found, left_out) = search.finish();
        let content = if found.is_empty() { "No matches found".to_owned() } else { found.join("\n") };
        Ok(Output { content, note: left_out.note() })
    }
}

export_tool!(SearchFiles);
