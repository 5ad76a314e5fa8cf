//! `directory_tree`: everything in a directory, as JSON.

mod tree;

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};
use tree::{Exclude, Writer};

input! {
    /// What `directory_tree` is given.
    pub struct Input {
        /// The directory.
        pub path: String,
        /// Patterns for what is left out: a name without a `*` at any depth, otherwise a path beneath the directory.
        pub exclude_patterns: Option<Vec<String>>,
    }
}

output! {
    /// What `directory_tree` answers.
    pub struct Output {
        /// The tree, as JSON.
        pub content: String,
        /// What was left out.
        pub note: Option<String>,
    }
}

/// Shows a tree.
pub struct DirectoryTree;

impl Tool for DirectoryTree {
    const NAME: &'static str = "directory_tree";
    const DESCRIPTION: &'static str = "Shows everything in a directory and beneath it as JSON: each entry has a 'name' and a \
        'type' (file or directory), and a directory has 'children'. Directories that hold built or fetched files (.git, \
        node_modules, bin, obj, dist, target, __pycache__ and the like) have no children and are marked as 'skipped'.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let exclude = input.exclude_patterns.unwrap_or_default();
        let exclude = exclude.iter().map(|pattern| Exclude::new(pattern)).collect::<Result<Vec<_>, _>>()?;
        let mut writer = Writer::new(exclude);
        let directory = grants.resolve(&input.path)?.open_directory()?;
        writer.directory(&directory, "", file_kit::tree::DEPTH_LIMIT)?;
        let (content, left_out) = writer.finish();
        Ok(Output { content, note: left_out.note() })
    }
}

export_tool!(DirectoryTree);
