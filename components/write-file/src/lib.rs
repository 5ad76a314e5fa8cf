//! `WriteFile`: the whole content of a text file, in one step.

use bailiwick_tool_sdk::{Effects, Grants, Replaced, Tool, ToolError, export_tool, input, output};

input! {
    /// What `WriteFile` is given.
    pub struct Input {
        /// The file, starting with the name of a granted directory, such as `spec/client.tsp`.
        pub file_path: String,
        /// The whole content the file shall have, written byte for byte.
        pub content: String,
    }
}

output! {
    /// What `WriteFile` answers.
    pub struct Output {
        /// The file, as it was given.
        pub file_path: String,
        /// `created` or `replaced`.
        pub outcome: String,
        /// How many bytes the file has now.
        pub bytes: u64,
    }
}

/// Writes a text file.
pub struct WriteFile;

impl Tool for WriteFile {
    const NAME: &'static str = "WriteFile";
    const DESCRIPTION: &'static str = "Writes the whole content of a text file, creating it and the directories above \
        it where they are missing. The file changes in one step, and an existing one keeps its permissions. To change \
        a part of a file use CodePatch.";
    const EFFECTS: Effects = Effects::WRITES.union(Effects::DESTRUCTIVE).union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let outcome = match grants.resolve(&input.file_path)?.write(input.content.as_bytes())? {
            Replaced::Created => "created",
            Replaced::Replaced => "replaced",
        };
        let bytes = input.content.len() as u64;
        Ok(Output { outcome: outcome.to_owned(), bytes, file_path: input.file_path })
    }
}

export_tool!(WriteFile);
