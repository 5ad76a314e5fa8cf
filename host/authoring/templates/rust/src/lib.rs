//! `{{name}}`: the outline of a Markdown file.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};

/// How many bytes a file may have.
const LARGEST: u64 = 1 << 20;

input! {
    /// What the tool is given. The comments are what a model reads.
    pub struct Input {
        /// The Markdown file, such as `notes/guide.md`.
        pub file: String,
        /// Where the outline is written, such as `notes/outline.md`. Without it nothing is written.
        pub output: Option<String>,
    }
}

output! {
    /// A heading.
    pub struct Heading {
        /// 1 to 6.
        pub level: u32,
        /// What it says.
        pub text: String,
        /// Its line, counted from 1.
        pub line: u32,
    }
}

output! {
    /// What the tool answers.
    pub struct Output {
        /// The headings, in their order.
        pub headings: Vec<Heading>,
        /// The file that was written, if one was.
        pub written: Option<String>,
    }
}

/// Lists the headings of a file.
pub struct Outline;

impl Tool for Outline {
    const NAME: &'static str = "{{name}}";
    const DESCRIPTION: &'static str =
        "Lists the headings of a Markdown file with their lines. With `output` it writes them there as a list, too.";
    const EFFECTS: Effects =
        Effects::READS.union(Effects::WRITES).union(Effects::DESTRUCTIVE).union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let text = grants.resolve(&input.file)?.read_text(LARGEST)?;
        let headings = headings(&text);
        if headings.is_empty() {
            return Err(ToolError::no_match(format!("`{}` has no heading", input.file)));
        }
        if let Some(output) = &input.output {
            grants.resolve(output)?.write(outline(&headings).as_bytes())?;
        }
        Ok(Output { headings, written: input.output })
    }
}

export_tool!(Outline);

fn headings(text: &str) -> Vec<Heading> {
    let numbered = (1..).zip(text.lines());
    numbered
        .filter_map(|(line, content)| {
            let level = content.bytes().take_while(|byte| *byte == b'#').count();
            let text = content[level..].strip_prefix(' ').filter(|_| (1..=6).contains(&level))?;
            Some(Heading { level: u32::try_from(level).ok()?, text: text.trim().to_owned(), line })
        })
        .collect()
}

fn outline(headings: &[Heading]) -> String {
    let indent = |level: u32| "  ".repeat((level.saturating_sub(1)) as usize);
    headings.iter().map(|heading| format!("{}- {}\n", indent(heading.level), heading.text)).collect()
}

/// What needs no files is tested here, with `cargo test`; the whole tool in `tests/*.toml`, with `bailiwick tool test`.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_number_signs_are_no_heading() {
        assert!(headings("####### no\n#no\n").is_empty());
        assert_eq!(headings("###### yes").len(), 1);
    }
}
