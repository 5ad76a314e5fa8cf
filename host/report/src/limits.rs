//! How large a report becomes. It is written with the first limits; where that is too large, with the next.

/// The largest page, in bytes: opened on a phone without trouble.
pub const HTML_BYTES: usize = 2 << 20;

/// The most that Markdown takes, in bytes. GitHub takes 65,536 characters for a description or a comment.
pub const MARKDOWN_BYTES: usize = 60_000;

/// The most of each kind of thing that is shown. What is left out is counted in its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Characters of a text of several lines, such as the request.
    pub(crate) text: usize,
    /// Characters of a line.
    pub(crate) line: usize,
    /// Entries of a list.
    pub(crate) list: usize,
    /// Entries of a list within an entry of a list.
    pub(crate) inner: usize,
    /// Rows of all differences together.
    pub(crate) rows: usize,
}

/// From the most that a person reads down to what fits in any case.
pub(crate) const HTML: [Limits; 3] = [
    Limits { text: 40_000, line: 1_000, list: 1_000, inner: 100, rows: 4_000 },
    Limits { text: 10_000, line: 400, list: 200, inner: 20, rows: 800 },
    Limits { text: 1_500, line: 120, list: 30, inner: 4, rows: 60 },
];

/// The same for Markdown, which is read beside other things.
pub(crate) const MARKDOWN: [Limits; 4] = [
    Limits { text: 6_000, line: 400, list: 60, inner: 20, rows: 500 },
    Limits { text: 3_000, line: 240, list: 25, inner: 8, rows: 200 },
    Limits { text: 1_000, line: 120, list: 10, inner: 3, rows: 60 },
    Limits { text: 200, line: 60, list: 4, inner: 1, rows: 10 },
];

/// Writes with one set of limits after the other until the result fits.
pub(crate) fn fitting(ladder: &[Limits], most: usize, write: impl Fn(&Limits) -> String) -> String {
    let mut text = String::new();
    for limits in ladder {
        text = write(limits);
        if text.len() <= most {
            break;
        }
    }
    text
}
