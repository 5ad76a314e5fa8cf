//! `ReadFile`: a text file, whole or a range of its lines, exactly as it is on disk.

use bailiwick_tool_sdk::{Effects, ErrorKind, Grants, JsonText, Tool, ToolError, export_tool, input, output};
use file_kit::range::{self, Lines, Range};
use std::num::NonZeroU32;

/// The most bytes of a file that one answer holds.
const ANSWER_LIMIT: u64 = 1 << 20;
/// The largest file that is searched for a range of lines.
const FILE_LIMIT: u64 = 256 << 20;
/// How much of a file is looked at together in that search.
const PIECE: u64 = 256 << 10;

input! {
    /// What `ReadFile` is given.
    pub struct Input {
        /// The file, starting with the name of a granted directory, such as `sdk/src/client.py`.
        pub file_path: String,
        /// The first line to read, counted from 1. Without it the file is read from its start.
        pub start_line: Option<NonZeroU32>,
        /// The last line to read, itself included. Past the end of the file it means the last line.
        pub end_line: Option<NonZeroU32>,
        /// Whether to put `N: ` before every line. Only for orientation: the numbers are not part of the file.
        pub line_numbers: Option<bool>,
    }
}

output! {
    /// What `ReadFile` answers.
    pub struct Output {
        /// The text, byte for byte as in the file: line endings and a byte order mark stay.
        pub content: JsonText,
        /// How many lines the file has.
        pub total_lines: u32,
        /// The first line in `content`, counted from 1.
        pub start_line: u32,
        /// The last line in `content`; one less than `startLine` when there is none.
        pub end_line: u32,
        /// Whether the answer was full before the range ended. Read on from the line after `endLine`.
        pub truncated: bool,
    }
}

/// Reads a text file.
pub struct ReadFile;

impl Tool for ReadFile {
    const NAME: &'static str = "ReadFile";
    const DESCRIPTION: &'static str = "Reads a UTF-8 text file, whole or a range of its lines (startLine and endLine, \
        counted from 1, both included), and returns it unchanged together with its number of lines. Binary files are \
        refused; a file too large for one answer has to be read in ranges.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let range = Range::new(input.start_line, input.end_line)?;
        let shown = &input.file_path;
        let file = grants.resolve(shown)?.open_file()?;
        let mut content = JsonText::first_of_answer("content");
        let numbers = input.line_numbers == Some(true);
        if range.is_whole() && !numbers {
            let (content, lines) = file.read_into(content, ANSWER_LIMIT).map_err(offering_ranges)?;
            return Ok(Output { content, total_lines: lines, start_line: 1, end_line: lines, truncated: false });
        }
        let Lines { text, total, start, end, truncated } = if range.is_whole() {
            range::whole(file.read_all(ANSWER_LIMIT).map_err(offering_ranges)?, shown)?
        } else {
            let mut search = range.search(ANSWER_LIMIT);
            let mut offset = 0;
            loop {
                let piece = file.read_at(offset, PIECE)?;
                search.feed(&piece.bytes);
                offset += piece.bytes.len() as u64;
                if piece.last {
                    break;
                }
                if offset > FILE_LIMIT {
                    return Err(ToolError::too_large(format!(
                        "`{shown}` has more than {FILE_LIMIT} bytes, as far as lines are counted"
                    )));
                }
            }
            search.finish().into_lines(shown)?
        };
        content.push_str(&if numbers { range::numbered(&text, start) } else { text });
        Ok(Output { content, total_lines: total, start_line: start, end_line: end, truncated })
    }
}

fn offering_ranges(mut error: ToolError) -> ToolError {
    if error.kind == ErrorKind::TooLarge {
        error.message.push_str("; read it in ranges with `startLine` and `endLine`");
    }
    error
}

export_tool!(ReadFile);
