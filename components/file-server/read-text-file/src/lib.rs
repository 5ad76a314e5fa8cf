//! `read_text_file`: a text file, whole, its beginning, its end, or a range of its lines.

mod tail;

use bailiwick_tool_sdk::{
    Effects, ErrorKind, File, Grants, JsonText, Place, Tool, ToolError, export_tool, input, output,
};
use file_kit::range::Range;
use std::num::NonZeroU32;

/// The most bytes of a file that one answer holds.
const ANSWER_LIMIT: u64 = 1 << 20;
/// The largest file that is searched for a range of lines.
const FILE_LIMIT: u64 = 256 << 20;
/// How much of a file is looked at together in that search.
const PIECE: u64 = 256 << 10;

input! {
    /// What `read_text_file` is given.
    pub struct Input {
        /// The file.
        pub path: String,
        /// How many lines from its start to read.
        pub head: Option<NonZeroU32>,
        /// How many lines at its end to read.
        pub tail: Option<NonZeroU32>,
        /// The first line to read, counted from 1. Not together with head or tail.
        pub start_line: Option<NonZeroU32>,
        /// The last line to read, itself included.
        pub end_line: Option<NonZeroU32>,
    }
}

output! {
    /// What `read_text_file` answers.
    pub struct Output {
        /// The text as it is in the file: line endings and a byte order mark stay.
        pub content: JsonText,
        /// What was left out.
        pub note: Option<String>,
    }
}

/// Reads a text file.
pub struct ReadTextFile;

impl Tool for ReadTextFile {
    const NAME: &'static str = "read_text_file";
    const DESCRIPTION: &'static str = "Reads a UTF-8 text file and returns it unchanged: whole, its first lines with \
        'head', its last lines with 'tail', or the lines from 'startLine' to 'endLine' (counted from 1, both included). \
        Files that are no text are refused; read_media_file reads those. A file too large for one answer has to be read \
        in parts.";
    const EFFECTS: Effects = Effects::READS.union(Effects::IDEMPOTENT);
    type Input = Input;
    type Output = Output;

    fn call(grants: &Grants, input: Input) -> Result<Output, ToolError> {
        let part = Part::asked(&input)?;
        let place = grants.resolve(&input.path)?;
        let file = place.open_file()?;
        let mut content = JsonText::first_of_answer("content");
        let mut note = None;
        match part {
            Part::Whole => {
                let (content, _) = file.read_into(content, ANSWER_LIMIT).map_err(in_parts).map_err(hinted)?;
                return Ok(Output { content, note });
            }
            Part::Tail(lines) => content.push_str(&tail(&place, &file, lines).map_err(hinted)?),
            Part::Head(lines) => {
                let range = Range::new(None, Some(lines))?;
                let (text, more) = lines_of(&file, &range, &input.path).map_err(hinted)?;
                // A line feed that only parts the last line from the next is not of the beginning.
                content.push_str(text.strip_suffix('\n').unwrap_or(&text));
                note = more;
            }
            Part::Lines(range) => {
                let (text, more) = lines_of(&file, &range, &input.path).map_err(hinted)?;
                content.push_str(&text);
                note = more;
            }
        }
        Ok(Output { content, note })
    }
}

/// Which part of a file is meant.
enum Part {
    Whole,
    Head(NonZeroU32),
    Tail(NonZeroU32),
    Lines(Range),
}

impl Part {
    fn asked(input: &Input) -> Result<Self, ToolError> {
        let range = Range::new(input.start_line, input.end_line)?;
        match (input.head, input.tail, range.is_whole()) {
            (Some(_), Some(_), _) => {
                Err(ToolError::invalid_input("Cannot specify both head and tail parameters simultaneously"))
            }
            (Some(_), _, false) | (_, Some(_), false) => {
                Err(ToolError::invalid_input("`head` and `tail` cannot go with `startLine` and `endLine`"))
            }
            (Some(lines), None, true) => Ok(Self::Head(lines)),
            (None, Some(lines), true) => Ok(Self::Tail(lines)),
            (None, None, true) => Ok(Self::Whole),
            (None, None, false) => Ok(Self::Lines(range)),
        }
    }
}

/// The lines of `range`, and what to say if they are not all.
fn lines_of(file: &File<'_>, range: &Range, shown: &str) -> Result<(String, Option<String>), ToolError> {
    let mut search = range.search(ANSWER_LIMIT);
    let mut offset = 0;
    loop {
        let piece = file.read_at(offset, PIECE)?;
        search.feed(&piece.bytes);
        offset += piece.bytes.len() as u64;
        if piece.last || search.is_past() {
            break;
        }
        if offset > FILE_LIMIT {
            return Err(ToolError::too_large(format!(
                "those lines of `{shown}` end beyond its first {FILE_LIMIT} bytes, as far as lines are counted; `tail` \
                 reads its last ones"
            )));
        }
    }
    let lines = search.finish().into_lines(shown)?;
    let more = || format!("the answer is full after line {}; read on with `startLine` {}", lines.end, lines.end + 1);
    let note = lines.truncated.then(more);
    Ok((lines.text, note))
}

fn tail(place: &Place<'_>, file: &File<'_>, lines: NonZeroU32) -> Result<String, ToolError> {
    let size = place.info()?.size;
    tail::read(size, lines.get(), ANSWER_LIMIT, place.shown(), |offset, most| Ok(file.read_at(offset, most)?.bytes))
}

/// Says what to do instead of reading the whole.
fn in_parts(mut error: ToolError) -> ToolError {
    if error.kind == ErrorKind::TooLarge {
        error.message.push_str("; read it in parts with `head`, `tail`, or `startLine` and `endLine`");
    }
    error
}

/// Says what reads what is no text.
fn hinted(mut error: ToolError) -> ToolError {
    if error.kind == ErrorKind::NotText {
        error.message.push_str("; `read_media_file` reads files that are no text");
    }
    error
}

export_tool!(ReadTextFile);
