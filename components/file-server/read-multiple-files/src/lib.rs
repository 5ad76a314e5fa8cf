//! `read_multiple_files`: several text files in one answer.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};

/// The most bytes of one file.
const FILE_LIMIT: u64 = 1 << 20;
/// The most bytes of all together.
const ANSWER_LIMIT: usize = 4 << 20;

input! {
    /// What `read_multiple_files` is given.
    pub struct Input {
        /// The files.
        pub paths: Vec<String>,
    }
}

output! {
    /// What `read_multiple_files` answers.
    pub struct Output {
        /// Each path with what the file holds, or with why it cannot be read.
        pub content: String,
    }
}

/// Reads several text files.
pub struct ReadMultipleFiles;

impl Tool for ReadMultipleFiles {
    const NAME: &'static str = "read_multiple_files";
    const DESCRIPTION: &'static str = "Reads several UTF-8 text files at once. The answer has each file's content under \
        its path, in the order asked for, parted by lines of '---'. A file that cannot be read is answered with the \
        reason in its place and keeps the others from nothing. All files together may have 4 MiB.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        if input.paths.is_empty() {
            return Err(ToolError::invalid_input("At least one file path must be provided"));
        }
        let mut content = String::new();
        for (index, path) in input.paths.iter().enumerate() {
            if index > 0 {
                content.push_str("\n---\n");
            }
            match one(grants, path, content.len()) {
                Ok(text) => content.extend([path, ":\n", &text, "\n"]),
                Err(error) => content.extend([path, ": Error - ", &error.message]),
            }
        }
        Ok(Output { content })
    }
}

fn one(grants: &Grants, path: &str, filled: usize) -> Result<String, ToolError> {
    let text = grants.resolve(path)?.read_text(FILE_LIMIT)?;
    if filled + text.len() > ANSWER_LIMIT {
        return Err(ToolError::too_large("the answer is full; read this file in another call"));
    }
    Ok(text)
}

export_tool!(ReadMultipleFiles);
