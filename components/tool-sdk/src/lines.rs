//! Lines of a text and how they end.

use std::ops::Range;

/// The byte order mark, which belongs to no line.
pub const BOM: &str = "\u{feff}";

/// Where each line of a text starts.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`. A byte order mark stands before the first.
    pub fn new(text: &'a str) -> Self {
        let first = if text.starts_with(BOM) { BOM.len() } else { 0 };
        let mut starts = vec![first];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.len() > 1 && starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, starts }
    }

    /// How many there are; an empty text has one, empty.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line that the byte at `offset` is in, counted from 0.
    pub fn at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of `line`, its ending included.
    pub fn span(&self, line: usize) -> Range<usize> {
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.starts[line]..end
    }

    /// `line` with its ending.
    pub fn full(&self, line: usize) -> &'a str {
        &self.text[self.span(line)]
    }

    /// `line` without its ending.
    pub fn content(&self, line: usize) -> &'a str {
        let line = self.full(line);
        &line[..line.len() - ending(line).len()]
    }
}

/// How `line` ends: `\r\n`, `\n` or not at all.
pub fn ending(line: &str) -> &str {
    match line.strip_suffix('\n') {
        Some(rest) if rest.ends_with('\r') => "\r\n",
        Some(_) => "\n",
        None => "",
    }
}

/// `\r\n` as `\n`.
pub fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// `new` with the line endings of the place it is put at: line by line those of what it replaces, and for lines that
/// are new the ending used last there, or in the line itself, or in the line before. In a file of a single line without
/// an ending there is nothing to follow, and `new` stays as it is.
pub fn with_endings_of(text: &str, span: &Range<usize>, new: &str) -> String {
    if !new.contains('\n') {
        return new.to_owned();
    }
    let replaced: Vec<&str> =
        text[span.clone()].split_inclusive('\n').map(ending).filter(|ending| !ending.is_empty()).collect();
    let after = text[span.end..].find('\n').map(|at| ending(&text[..=span.end + at]));
    let before = || text[..span.start].rfind('\n').map(|at| ending(&text[..=at]));
    let Some(fallback) = replaced.last().copied().or(after).or_else(before) else { return new.to_owned() };
    let new = with_line_feeds(new);
    let mut followed = String::with_capacity(new.len() + 16);
    for (index, line) in new.split_inclusive('\n').enumerate() {
        match line.strip_suffix('\n') {
            Some(content) => {
                followed.push_str(content);
                followed.push_str(replaced.get(index).copied().unwrap_or(fallback));
            }
            None => followed.push_str(line),
        }
    }
    followed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_offset_and_number() {
        let lines = Lines::new("\u{feff}one\r\ntwo\nthree");
        assert_eq!(lines.count(), 3);
        assert_eq!((lines.content(0), lines.content(1), lines.content(2)), ("one", "two", "three"));
        assert_eq!((lines.at(3), lines.at(7), lines.at(8), lines.at(99)), (0, 0, 1, 2));
        assert_eq!(Lines::new("a\n").count(), 1);
        assert_eq!(Lines::new("").count(), 1);
    }

    #[test]
    fn new_lines_follow_the_endings_around_them() {
        assert_eq!(with_endings_of("a\r\nb\r\n", &(3..4), "x\ny"), "x\r\ny");
        assert_eq!(with_endings_of("a\nb", &(2..3), "x\r\ny"), "x\ny");
        assert_eq!(with_endings_of("only", &(0..4), "x\r\ny"), "x\r\ny");
        assert_eq!(with_endings_of("a\r\nb\nc\n", &(0..5), "x\ny\nz\n"), "x\r\ny\nz\n");
    }
}
