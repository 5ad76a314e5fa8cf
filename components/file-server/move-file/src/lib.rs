//! `move_file`: another name or another place for a file or a directory.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};

input! {
    /// What `move_file` is given.
    pub struct Input {
        /// The file or directory to move.
        pub source: String,
        /// Where to move it, its new name included. Nothing may be there.
        pub destination: String,
    }
}

output! {
    /// What `move_file` answers.
    pub struct Output {
        /// That it was moved.
        pub content: String,
    }
}

/// Moves a file or a directory.
pub struct MoveFile;

impl Tool for MoveFile {
    const NAME: &'static str = "move_file";
    const DESCRIPTION: &'static str = "Moves or renames a file or a directory. Whatever is at the destination already is \
        never replaced: the call fails then. The directory that it is moved to has to be there.";
    const EFFECTS: Effects = Effects::WRITES.union(Effects::DESTRUCTIVE);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        grants.resolve(&input.source)?.move_to(&grants.resolve(&input.destination)?)?;
        Ok(Output { content: format!("Successfully moved {} to {}", input.source, input.destination) })
    }
}

export_tool!(MoveFile);
