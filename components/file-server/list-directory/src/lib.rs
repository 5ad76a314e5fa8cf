//! `list_directory`: the names in a directory.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};
use file_kit::tree::{DIRECTORY_LIMIT, cut, hidden, marker, together, undecodable};

input! {
    /// What `list_directory` is given.
    pub struct Input {
        /// The directory.
        pub path: String,
    }
}

output! {
    /// What `list_directory` answers.
    pub struct Output {
        /// A line for each name, sorted.
        pub content: String,
        /// What was left out.
        pub note: Option<String>,
    }
}

/// Lists a directory.
pub struct ListDirectory;

impl Tool for ListDirectory {
    const NAME: &'static str = "list_directory";
    const DESCRIPTION: &'static str = "Lists the names in a directory, sorted, one a line: '[DIR]' before directories and \
        '[FILE]' before everything else. What directories in it hold is not listed.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let directory = grants.resolve(&input.path)?.open_directory()?;
        let mut names = directory.entries(DIRECTORY_LIMIT, &input.path)?;
        let rest = cut(&mut names, &input.path);
        let lines: Vec<String> =
            names.entries.iter().map(|entry| format!("{} {}", marker(entry.kind), entry.name)).collect();
        Ok(Output {
            content: lines.join("\n"),
            note: together([rest, undecodable(names.undecodable), hidden(names.hidden)]),
        })
    }
}

export_tool!(ListDirectory);
