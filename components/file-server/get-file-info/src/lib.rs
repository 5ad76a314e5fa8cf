//! `get_file_info`: kind, size and times.

mod time;

use bailiwick_tool_sdk::{Effects, EntryKind, Grants, Tool, ToolError, export_tool, input, output};

input! {
    /// What `get_file_info` is given.
    pub struct Input {
        /// The file or directory.
        pub path: String,
    }
}

output! {
    /// What `get_file_info` answers.
    pub struct Output {
        /// A line for each thing that is known.
        pub content: String,
    }
}

/// Tells of a file.
pub struct GetFileInfo;

impl Tool for GetFileInfo {
    const NAME: &'static str = "get_file_info";
    const DESCRIPTION: &'static str = "Tells the size of a file or directory in bytes, when it was last modified and \
        accessed (UTC), and whether it is a directory or a file, without reading it.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let info = grants.resolve(&input.path)?.info()?;
        let mut lines = vec![format!("size: {}", info.size)];
        for (name, time) in [("modified", info.modified), ("accessed", info.accessed)] {
            lines.extend(time.map(|(seconds, nanoseconds)| format!("{name}: {}", time::shown(seconds, nanoseconds))));
        }
        lines.push(format!("isDirectory: {}", info.kind == EntryKind::Directory));
        lines.push(format!("isFile: {}", info.kind == EntryKind::File));
        Ok(Output { content: lines.join("\n") })
    }
}

export_tool!(GetFileInfo);
