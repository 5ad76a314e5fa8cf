//! `edit_file`: several replacements in a text file, made one after the other and all or none.

use bailiwick_tool_sdk::diff::{self, Edit};
use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, export_tool, input, output};
use file_kit::composed;
use file_kit::patch::{self, Asked, Places, Request, Words};

/// The largest file that is edited.
const FILE_LIMIT: u64 = 8 << 20;
/// Unchanged lines that the diff shows around a change.
const CONTEXT: usize = 4;

const WORDS: Words = Words {
    old: "oldText",
    new: "newText",
    several: "give more of what is around the place, so that it is the only one",
};

input! {
    /// One replacement.
    pub struct Replacement {
        /// The text to replace, as it is in the file and with enough around it to be the only such place.
        pub old_text: String,
        /// The text to put there; empty to delete.
        pub new_text: String,
    }
}

input! {
    /// What `edit_file` is given.
    pub struct Input {
        /// The file.
        pub path: String,
        /// The replacements, each in the text that those before it made.
        pub edits: Vec<Replacement>,
        /// Whether only to show what would change.
        pub dry_run: Option<bool>,
    }
}

output! {
    /// What `edit_file` answers.
    pub struct Output {
        /// What changed, or would, as a fenced unified diff.
        pub content: String,
    }
}

/// Edits a text file.
pub struct EditFile;

impl Tool for EditFile {
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str = "Makes one or more replacements in a text file and returns a unified diff. Each \
        'oldText' must be there exactly once; differences in whitespace are overlooked when it is not there exactly, and \
        the file's own indentation is kept. Line endings and everything else in the file stay. If any replacement fails \
        nothing is written. With 'dryRun' nothing is written in any case.";
    const EFFECTS: Effects = Effects::READS.union(Effects::WRITES).union(Effects::DESTRUCTIVE);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        if input.edits.is_empty() {
            return Err(ToolError::invalid_input("`edits` is empty, so there is nothing to change"));
        }
        let place = grants.resolve(&input.path)?;
        let original = place.read_text(FILE_LIMIT)?;
        let (mut text, mut edits) = (original.clone(), Vec::new());
        for (index, replacement) in input.edits.iter().enumerate() {
            let numbered = |error| numbered(error, index, input.edits.len());
            let patched = replace(&text, replacement, &input.path).map_err(numbered)?;
            edits = patched.edits.into_iter().rev().fold(edits, composed::then);
            text = patched.text;
        }
        if input.dry_run != Some(true) {
            place.write(text.as_bytes())?;
        }
        Ok(Output { content: fenced(&input.path, &original, &edits) })
    }
}

fn replace(text: &str, replacement: &Replacement, path: &str) -> Result<patch::Patched, ToolError> {
    let request = Request::new(&Asked {
        old: &replacement.old_text,
        new: &replacement.new_text,
        start: None,
        end: None,
        places: Places::One,
        words: &WORDS,
    })?;
    patch::patch(text, &request).map_err(|refusal| refusal.for_file(path, &WORDS))
}

fn numbered(mut error: ToolError, index: usize, count: usize) -> ToolError {
    if count > 1 {
        error.message = format!("edit {} of {count}: {}", index + 1, error.message);
    }
    error
}

/// The diff in a fence longer than any in it.
fn fenced(path: &str, text: &str, edits: &[Edit]) -> String {
    let bar = "=".repeat(67);
    let hunks = diff::hunks(text, edits, CONTEXT);
    let diff = format!("Index: {path}\n{bar}\n--- {path}\toriginal\n+++ {path}\tmodified\n{hunks}");
    let mut fence = "```".to_owned();
    while diff.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}diff\n{diff}{fence}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_with_fences_in_it_gets_a_longer_one() {
        let edits = [Edit { span: 0..1, with: "b".to_owned() }];
        let shown = fenced("x.md", "a\n````\n", &edits);
        assert!(shown.starts_with("`````diff\nIndex: x.md\n=====") && shown.ends_with("`````\n\n"), "{shown}");
        assert!(shown.contains("@@ -1,2 +1,2 @@\n-a\n+b\n ````\n"), "{shown}");
    }
}

export_tool!(EditFile);
