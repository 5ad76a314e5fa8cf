//! `list_allowed_directories`: what was granted.

use bailiwick_tool_sdk::{Effects, Granted, Grants, Tool, ToolError, export_tool, input, output};

input! {
    /// What `list_allowed_directories` is given: nothing.
    pub struct Input {}
}

output! {
    /// What `list_allowed_directories` answers.
    pub struct Output {
        /// A line for each directory.
        pub content: String,
        /// Which of them can only be read, and by which names they go.
        pub note: Option<String>,
    }
}

/// Lists what was granted.
pub struct ListAllowedDirectories;

impl Tool for ListAllowedDirectories {
    const NAME: &'static str = "list_allowed_directories";
    const DESCRIPTION: &'static str = "Lists the directories that can be used. What is in them can be used, too; nothing \
        else can.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, _: Input) -> Result<Output, ToolError> {
        let told = |granted: &Granted| granted.called().first().map_or(granted.name(), String::as_str).to_owned();
        let mut lines = vec!["Allowed directories:".to_owned()];
        lines.extend(grants.iter().map(told));
        let notes: Vec<String> = grants
            .iter()
            .map(|granted| {
                let access = if granted.is_writable() { "" } else { ", read-only" };
                format!("{}: also `{}`{access}", told(granted), granted.name())
            })
            .collect();
        Ok(Output { content: lines.join("\n"), note: (!notes.is_empty()).then(|| notes.join("\n")) })
    }
}

export_tool!(ListAllowedDirectories);
