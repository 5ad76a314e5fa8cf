//! `CodePatch`: replaces a piece of a text file and leaves every other byte as it is.

use bailiwick_tool_sdk::{Effects, Grants, Tool, ToolError, diff, export_tool, input, output};
use file_kit::patch::{self, Asked, Matching, Places, Request, Words};
use std::num::NonZeroU32;

const WORDS: Words = Words {
    old: "oldContent",
    new: "newContent",
    several: "give more of what is around the place, a range of lines, or `replaceAll`",
};

/// The largest file that is patched.
const FILE_LIMIT: u64 = 8 << 20;

input! {
    /// What `CodePatch` is given.
    pub struct Input {
        /// The file, starting with the name of a granted directory, such as `sdk/src/_patch.py`.
        pub file_path: String,
        /// The text to replace, as it is in the file and with enough around it to be the only such place.
        pub old_content: String,
        /// The text to put there; empty to delete.
        pub new_content: String,
        /// The first line, counted from 1, in which the text may be.
        pub start_line: Option<NonZeroU32>,
        /// The last line, itself included, in which the text may be.
        pub end_line: Option<NonZeroU32>,
        /// Whether to replace every place that matches. Without it more than one is an error.
        pub replace_all: Option<bool>,
    }
}

output! {
    /// What `CodePatch` answers.
    pub struct Output {
        /// The file, as it was given.
        pub file_path: String,
        /// How many places were replaced.
        pub replacement_count: u32,
        /// How the text was found: `exact`, `lineEndings` (they differed), `whitespace` (it differed),
        /// or `lineNumbers` (they were pasted along and left out).
        pub matching: String,
        /// The line of the first place.
        pub line: u32,
        /// What changed, as a unified diff.
        pub diff: String,
    }
}

/// Patches a text file.
pub struct CodePatch;

impl Tool for CodePatch {
    const NAME: &'static str = "CodePatch";
    const DESCRIPTION: &'static str = "Replaces one piece of a text file: oldContent by newContent, or deletes it when \
        newContent is empty. The piece must be there exactly once, in the whole file or between startLine and endLine; \
        with replaceAll every place is replaced. When it is not there exactly, differences in whitespace are overlooked \
        and the file's own indentation is kept. Line endings and everything else in the file stay. When no place or \
        more than one matches, nothing is written and the error says where the nearest is.";
    const EFFECTS: Effects = Effects::READS.union(Effects::WRITES).union(Effects::DESTRUCTIVE);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let request = Request::new(&Asked {
            old: &input.old_content,
            new: &input.new_content,
            start: input.start_line,
            end: input.end_line,
            places: if input.replace_all == Some(true) { Places::All } else { Places::One },
            words: &WORDS,
        })?;
        let place = grants.resolve(&input.file_path)?;
        let text = place.read_text(FILE_LIMIT)?;
        let patched = patch::patch(&text, &request).map_err(|refusal| refusal.for_file(&input.file_path, &WORDS))?;
        place.write(patched.text.as_bytes())?;
        Ok(Output {
            replacement_count: u32::try_from(patched.edits.len()).unwrap_or(u32::MAX),
            matching: match patched.matching {
                Matching::Exact => "exact",
                Matching::LineEndings => "lineEndings",
                Matching::Whitespace => "whitespace",
                Matching::LineNumbers => "lineNumbers",
            }
            .to_owned(),
            line: patched.line,
            diff: diff::unified(&input.file_path, &text, &patched.edits),
            file_path: input.file_path,
        })
    }
}

export_tool!(CodePatch);
