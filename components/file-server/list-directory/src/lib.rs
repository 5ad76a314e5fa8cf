//! `list_directory`: the names in a directory.

use bailiwick_tool_sdk::{Effects, Entry, Grants, Tool, ToolError, export_tool, input, output};
use file_kit::listing;
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
        let mut names = listing::entries(&directory, DIRECTORY_LIMIT, &input.path)?;
        let rest = cut(&mut names, &input.path);
        Ok(Output {
            content: written(&names.entries),
            note: together([rest, undecodable(names.undecodable), hidden(names.hidden)]),
        })
    }
}

/// The lines, in one text.
fn written(entries: &[Entry]) -> String {
    let line = |entry: &Entry| marker(entry.kind).len() + " ".len() + entry.name.len() + "\n".len();
    let mut content = String::with_capacity(entries.iter().map(line).sum());
    for entry in entries {
        if !content.is_empty() {
            content.push('\n');
        }
        content.push_str(marker(entry.kind));
        content.push(' ');
        content.push_str(&entry.name);
    }
    content
}

export_tool!(ListDirectory);

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::EntryKind;

    #[test]
    fn each_name_has_a_line_and_the_last_one_no_end() {
        let entry = |name: &str, kind| Entry { name: name.to_owned(), kind };
        let entries = [entry("a", EntryKind::Directory), entry("b c", EntryKind::File), entry("d", EntryKind::Link)];
        assert_eq!(written(&entries), "[DIR] a\n[FILE] b c\n[FILE] d");
        assert_eq!(written(&[]), "");
    }
}
