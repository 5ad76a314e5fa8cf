//! `write_file`: the whole content of a text file, in one step.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};

input! {
    /// What `write_file` is given.
    pub struct Input {
        /// The file.
        pub path: String,
        /// The whole content it shall have, written byte for byte.
        pub content: String,
    }
}

output! {
    /// What `write_file` answers.
    pub struct Output {
        /// That it was written.
        pub content: String,
    }
}

/// Writes a text file.
pub struct WriteFile;

impl Tool for WriteFile {
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Creates a file, or replaces the whole content of an existing one, with the given \
        text. Directories that are missing above it are made. The file changes in one step and keeps its permissions. To \
        change a part of a file use edit_file.";
    const EFFECTS: Effects = Effects::WRITES.union(Effects::DESTRUCTIVE).union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        grants.resolve(&input.path)?.write(input.content.as_bytes())?;
        Ok(Output { content: format!("Successfully wrote to {}", input.path) })
    }
}

export_tool!(WriteFile);
