//! Which lines are meant, and finding them in a file that is seen chunk by chunk.

use bailiwick_tool_sdk::{ToolError, text};
use std::fmt::Write;
use std::num::NonZeroU32;

/// Lines counted from 1, both ends included.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    start: Option<u32>,
    end: Option<u32>,
}

impl Range {
    /// # Errors
    /// Invalid input when the range ends before it starts.
    pub fn new(start: Option<NonZeroU32>, end: Option<NonZeroU32>) -> Result<Self, ToolError> {
        let (start, end) = (start.map(NonZeroU32::get), end.map(NonZeroU32::get));
        if let (Some(start), Some(end)) = (start, end)
            && end < start
        {
            return Err(ToolError::invalid_input(format!("`endLine` {end} comes before `startLine` {start}")));
        }
        Ok(Self { start, end })
    }

    /// Whether neither end was given.
    pub fn is_whole(&self) -> bool {
        self.start.is_none() && self.end.is_none()
    }

    /// A search for these lines that keeps at most `limit` bytes of them.
    pub fn search(&self, limit: u64) -> Search {
        Search {
            start: self.start.unwrap_or(1),
            end: self.end.unwrap_or(u32::MAX),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            kept: Vec::new(),
            complete: 0,
            line: 1,
            open: false,
            full: false,
        }
    }
}

/// The state of a search after the chunks seen so far.
pub struct Search {
    start: u32,
    end: u32,
    limit: usize,
    kept: Vec<u8>,
    /// How much of `kept` is whole lines.
    complete: usize,
    /// The line the next byte belongs to.
    line: u32,
    /// Whether that line has bytes already.
    open: bool,
    /// Whether a line was left out because the answer is full.
    full: bool,
}

impl Search {
    /// Takes the next bytes of the file.
    pub fn feed(&mut self, chunk: &[u8]) {
        for piece in chunk.split_inclusive(|byte| *byte == b'\n') {
            let ended = piece.ends_with(b"\n");
            if (self.start..=self.end).contains(&self.line) && !self.full {
                if self.kept.len() + piece.len() > self.limit {
                    self.full = true;
                    self.kept.truncate(self.complete);
                    self.end = self.line - 1;
                } else {
                    self.kept.extend_from_slice(piece);
                    if ended {
                        self.complete = self.kept.len();
                    }
                }
            }
            self.open = !ended;
            if ended {
                self.line = self.line.saturating_add(1);
            }
        }
    }

    /// Whether no further line is wanted.
    pub fn is_past(&self) -> bool {
        self.line > self.end
    }

    /// What was found once the whole file was seen.
    pub fn finish(self) -> Selection {
        let total = if self.open { self.line } else { self.line - 1 };
        Selection { kept: self.kept, start: self.start, end: self.end.min(total), total, full: self.full }
    }
}

/// The lines of a file that an answer has.
pub struct Lines {
    /// The lines with their endings.
    pub text: String,
    /// How many the file has.
    pub total: u32,
    /// The first of them, counted from 1.
    pub start: u32,
    /// The last of them; one less than `start` when there is none.
    pub end: u32,
    /// Whether the answer was full before the range ended.
    pub truncated: bool,
}

/// Every line of the file shown as `shown`.
///
/// # Errors
/// Not text.
pub fn whole(content: Vec<u8>, shown: &str) -> Result<Lines, ToolError> {
    let (text, total) = text::decode(content, shown, 1)?;
    Ok(Lines { text, total, start: 1, end: total, truncated: false })
}

/// The bytes of the lines that were asked for.
pub struct Selection {
    kept: Vec<u8>,
    start: u32,
    end: u32,
    total: u32,
    full: bool,
}

impl Selection {
    /// The lines of the file shown as `shown`.
    ///
    /// # Errors
    /// Not text; invalid input when the range starts past the end; too large when its first line alone is.
    pub fn into_lines(self, shown: &str) -> Result<Lines, ToolError> {
        let Self { kept, start, end, total, full } = self;
        if start > total.max(1) {
            return Err(ToolError::invalid_input(format!(
                "`{shown}` has {total} lines, so line {start} is past its end"
            )));
        }
        if full && kept.is_empty() {
            return Err(ToolError::too_large(format!("line {start} of `{shown}` alone is too long for one answer")));
        }
        let (text, _) = text::decode(kept, shown, start)?;
        Ok(Lines { text, total, start, end, truncated: full })
    }
}

/// `content` with `N: ` before every line, from `first` on.
pub fn numbered(content: &str, first: u32) -> String {
    let mut numbered = String::with_capacity(content.len() + content.len() / 4 + 16);
    for (line, number) in content.split_inclusive('\n').zip(first..) {
        // Writing to a string cannot fail.
        let _ = write!(numbered, "{number}: {line}");
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_tool_sdk::ErrorKind;
    use proptest::prelude::*;

    fn range(start: u32, end: Option<u32>) -> Range {
        Range::new(NonZeroU32::new(start), end.and_then(NonZeroU32::new)).unwrap()
    }

    fn read(content: &[u8], range: Range, limit: u64, chunk: usize) -> Result<Lines, ToolError> {
        let mut search = range.search(limit);
        content.chunks(chunk).for_each(|chunk| search.feed(chunk));
        search.finish().into_lines("a.txt")
    }

    #[test]
    fn an_end_past_the_file_means_its_last_line() {
        let lines = read(b"one\r\ntwo\r\nthree", range(2, Some(99)), 100, 4).unwrap();
        assert_eq!(lines.text, "two\r\nthree");
        assert_eq!((lines.start, lines.end, lines.total, lines.truncated), (2, 3, 3, false));
    }

    #[test]
    fn a_start_past_the_file_is_said() {
        let error = read(b"one\ntwo\n", range(3, None), 100, 4).err().unwrap();
        assert_eq!(error.kind, ErrorKind::InvalidInput);
        assert!(error.message.contains("2 lines"), "{}", error.message);
    }

    #[test]
    fn an_end_before_the_start_is_refused() {
        let error = Range::new(NonZeroU32::new(3), NonZeroU32::new(2)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidInput);
    }

    #[test]
    fn an_answer_that_is_full_ends_after_a_whole_line() {
        let lines = read(b"aaa\nbbb\nccc\nddd\n", range(2, None), 9, 3).unwrap();
        assert_eq!(lines.text, "bbb\nccc\n");
        assert_eq!((lines.start, lines.end, lines.total, lines.truncated), (2, 3, 4, true));
    }

    #[test]
    fn a_line_too_long_for_any_answer_is_said() {
        let error = read(b"aaaaaaaaaa\nb\n", range(1, Some(1)), 5, 3).err().unwrap();
        assert_eq!(error.kind, ErrorKind::TooLarge);
    }

    #[test]
    fn an_empty_file_is_read_as_no_lines() {
        let lines = whole(Vec::new(), "a.txt").unwrap();
        assert_eq!((lines.text.as_str(), lines.total, lines.start, lines.end), ("", 0, 1, 0));
        assert_eq!(read(b"", range(1, Some(5)), 100, 4).unwrap().end, 0);
    }

    #[test]
    fn a_binary_range_is_refused_with_its_line() {
        let error = read(b"one\ntwo\n\xff\n", range(2, None), 100, 4).err().unwrap();
        assert_eq!(error.kind, ErrorKind::NotText);
        assert!(error.message.contains("line 3"), "{}", error.message);
    }

    #[test]
    fn numbers_are_put_before_each_line_and_endings_stay() {
        assert_eq!(numbered("a\r\n\nb", 9), "9: a\r\n10: \n11: b");
    }

    proptest! {
        #[test]
        fn ranges_put_together_are_the_file(lines in prop::collection::vec("[a-zé]{0,5}(\r)?", 1..20),
                                            last in "[a-z]{0,3}", at in 1u32..25, chunk in 1usize..8) {
            let content = lines.join("\n") + "\n" + &last;
            let total = text::count_lines(content.as_bytes());
            let at = at.min(total);
            let mut joined = read(content.as_bytes(), range(1, Some(at)), 1 << 20, chunk).unwrap().text;
            if at < total {
                joined += &read(content.as_bytes(), range(at + 1, None), 1 << 20, chunk).unwrap().text;
            }
            prop_assert_eq!(joined, content);
        }
    }
}
