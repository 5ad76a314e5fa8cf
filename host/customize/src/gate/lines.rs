//! How many lines a change takes.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// How long a comparison may look for the smallest difference. Past it the count is an upper bound, never too small.
const PATIENCE: Duration = Duration::from_secs(2);

/// One place where two texts differ, as line numbers from 0. Either range may be empty, not both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

impl Hunk {
    /// A replaced line counts once: the larger of the lines removed and the lines added.
    pub(super) fn changed_lines(&self) -> usize {
        self.before.len().max(self.after.len())
    }
}

/// Lines changed between two texts: for each place where they differ, the larger of the lines removed and the lines
/// added. So a replaced line counts once, an added or a removed line counts once, and a changed line ending counts too.
#[must_use]
pub fn changed_lines(before: &str, after: &str) -> usize {
    let (before, after) = (split(before), split(after));
    hunks(&before, &after).iter().map(Hunk::changed_lines).sum()
}

/// A number of changed lines that cannot be too large, without a comparison: lines that only one side has.
pub(super) fn at_least(before: &[&str], after: &[&str]) -> usize {
    let mut balance: HashMap<&str, i64> = HashMap::new();
    for line in before {
        *balance.entry(line).or_default() -= 1;
    }
    for line in after {
        *balance.entry(line).or_default() += 1;
    }
    let added: i64 = balance.values().filter(|count| **count > 0).sum();
    let removed: i64 = -balance.values().filter(|count| **count < 0).sum::<i64>();
    usize::try_from(added.max(removed)).unwrap_or(usize::MAX)
}

/// Where two texts differ.
pub(super) fn hunks(before: &[&str], after: &[&str]) -> Vec<Hunk> {
    let deadline = Instant::now().checked_add(PATIENCE);
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in capture_diff_slices_deadline(Algorithm::Myers, before, after, deadline) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let next = Hunk { before: op.old_range(), after: op.new_range() };
        // A removal and an addition in the same place are one replacement.
        match hunks.last_mut() {
            Some(last) if last.before.end == next.before.start && last.after.end == next.after.start => {
                last.before.end = next.before.end;
                last.after.end = next.after.end;
            }
            _ => hunks.push(next),
        }
    }
    hunks
}

/// The lines of a text with their endings. Everything that some language takes for a line break is one, so that
/// lines cannot be hidden from the count.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        let ends = match character {
            '\r' => !matches!(characters.peek(), Some((_, '\n'))),
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        };
        if ends {
            let end = index + character.len_utf8();
            lines.push(&text[start..end]);
            start = end;
        }
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{at_least, changed_lines, split};

    #[test]
    fn replaced_added_and_removed_lines_count_once_each() {
        for (before, after, count) in [
            ("a\nb\nc\n", "a\nB\nc\n", 1),
            ("a\nb\n", "a\nb\nc\n", 1),
            ("a\nb\nc\n", "a\nc\n", 1),
            ("a\nb\n", "x\ny\nz\n", 3),
            ("a\n", "a", 1),
            ("a\nb\n", "a\r\nb\r\n", 2),
            ("", "a\nb\n", 2),
            ("a\n", "a\n", 0),
        ] {
            assert_eq!(changed_lines(before, after), count, "{before:?} -> {after:?}");
        }
    }

    #[test]
    fn every_line_break_that_some_language_knows_is_counted() {
        for line_break in ["\r", "\n", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = format!("a{line_break}b{line_break}c");
            assert_eq!(split(&text).len(), 3, "{line_break:?}");
        }
    }

    proptest! {
        #[test]
        fn quick_bound_is_never_above_the_count(before in "[ab\n]{0,40}", after in "[ab\n]{0,40}") {
            let count = changed_lines(&before, &after);
            prop_assert!(at_least(&split(&before), &split(&after)) <= count);
            prop_assert_eq!(count == 0, before == after);
        }
    }
}
