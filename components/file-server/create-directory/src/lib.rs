//! `create_directory`: a directory and those above it.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};

input! {
    /// What `create_directory` is given.
    pub struct Input {
        /// The directory.
        pub path: String,
    }
}

output! {
    /// What `create_directory` answers.
    pub struct Output {
        /// That it is there.
        pub content: String,
    }
}

/// Makes a directory.
pub struct CreateDirectory;

impl Tool for CreateDirectory {
    const NAME: &'static str = "create_directory";
    const DESCRIPTION: &'static str = "Makes a directory, and those that are missing above it. When it is there already \
        nothing happens, and that is no failure.";
    const EFFECTS: Effects = Effects::WRITES.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        grants.resolve(&input.path)?.make_directory()?;
        Ok(Output { content: format!("Successfully created directory {}", input.path) })
    }
}

export_tool!(CreateDirectory);
