//! A unified diff of edits whose places are known.

use crate::lines::{Lines, ending};
use std::fmt::Write;
use std::ops::Range;

/// Unchanged lines shown around a change, unless asked for otherwise.
const CONTEXT: usize = 3;
/// The most bytes of a diff; the rest is summed up in its last line.
const LIMIT: usize = 64 << 10;
/// The largest table for finding the lines two blocks share; larger blocks are shown as replaced whole.
const TABLE: usize = 1 << 18;

/// A replacement of the bytes of `span`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Range<usize>,
    /// By what.
    pub with: String,
}

/// What `edits`, sorted and apart, make of `text`.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut new = String::with_capacity(text.len() + 256);
    let mut at = 0;
    for edit in edits {
        new.push_str(&text[at..edit.span.start]);
        new.push_str(&edit.with);
        at = edit.span.end;
    }
    new.push_str(&text[at..]);
    new
}

/// Lines that differ, and what stands in their place.
struct Change<'a> {
    old: Range<usize>,
    new: Vec<&'a str>,
}

/// The diff of `text` and what `edits`, sorted and apart, make of it.
pub fn unified(path: &str, text: &str, edits: &[Edit]) -> String {
    format!("--- a/{path}\n+++ b/{path}\n{}", hunks(text, edits, CONTEXT))
}

/// The hunks of that diff alone, with `context` unchanged lines around each change.
pub fn hunks(text: &str, edits: &[Edit], context: usize) -> String {
    let lines = Lines::new(text);
    let blocks = blocks(text, &lines, edits);
    let changes: Vec<Change<'_>> = blocks
        .iter()
        .flat_map(|(old, new)| compare(&lines, old.clone(), new.split_inclusive('\n').collect()))
        .collect();
    let mut diff = String::new();
    let mut shift: isize = 0;
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        let together =
            1 + rest.windows(2).take_while(|pair| pair[1].old.start - pair[0].old.end <= 2 * context).count();
        let (hunk, after) = rest.split_at(together);
        if diff.len() > LIMIT {
            let _ = writeln!(diff, "… and {} more changes", rest.len());
            break;
        }
        write_hunk(&mut diff, &lines, (first.old.start, context), hunk, &mut shift);
        rest = after;
    }
    diff
}

/// Whole lines that edits touch, and what they become. Edits of one line come together.
fn blocks(text: &str, lines: &Lines<'_>, edits: &[Edit]) -> Vec<(Range<usize>, String)> {
    let mut blocks: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = 0;
    for (index, edit) in edits.iter().enumerate() {
        let first = lines.at(edit.span.start);
        let last = lines.at(edit.span.end);
        match blocks.last_mut() {
            Some((range, _)) if range.end > first => range.end = last + 1,
            _ => {
                at = lines.span(first).start;
                blocks.push((first..last + 1, String::new()));
            }
        }
        let Some((range, new)) = blocks.last_mut() else { continue };
        new.push_str(&text[at..edit.span.start]);
        new.push_str(&edit.with);
        at = edit.span.end;
        let joined = edits.get(index + 1).is_some_and(|next| lines.at(next.span.start) < range.end);
        if !joined {
            new.push_str(&text[at..lines.span(range.end - 1).end]);
        }
    }
    blocks
}

/// The changes within one block: without the lines both sides start and end with, and split at lines they share.
fn compare<'a>(lines: &Lines<'_>, old: Range<usize>, new: Vec<&'a str>) -> Vec<Change<'a>> {
    let old_lines: Vec<&str> = old.clone().map(|line| lines.full(line)).collect();
    let width = new.len() + 1;
    if (old_lines.len() + 1) * width > TABLE {
        return vec![Change { old, new }];
    }
    // How many lines the rests from each pair of positions share at most.
    let mut shared = vec![0_u32; (old_lines.len() + 1) * width];
    for left in (0..old_lines.len()).rev() {
        for right in (0..new.len()).rev() {
            shared[left * width + right] = if old_lines[left] == new[right] {
                shared[(left + 1) * width + right + 1] + 1
            } else {
                shared[(left + 1) * width + right].max(shared[left * width + right + 1])
            };
        }
    }
    let mut changes: Vec<Change<'a>> = Vec::new();
    let mut open = false;
    let (mut left, mut right) = (0, 0);
    while left < old_lines.len() || right < new.len() {
        if left < old_lines.len() && right < new.len() && old_lines[left] == new[right] {
            (left, right, open) = (left + 1, right + 1, false);
            continue;
        }
        if !open {
            changes.push(Change { old: old.start + left..old.start + left, new: Vec::new() });
            open = true;
        }
        let Some(change) = changes.last_mut() else { continue };
        let without_old = shared.get((left + 1) * width + right).filter(|_| left < old_lines.len());
        let without_new = shared.get(left * width + right + 1).filter(|_| right < new.len());
        if without_old >= without_new {
            left += 1;
            change.old.end += 1;
        } else {
            change.new.push(new[right]);
            right += 1;
        }
    }
    changes
}

fn write_hunk(
    diff: &mut String,
    lines: &Lines<'_>,
    (first, context): (usize, usize),
    hunk: &[Change<'_>],
    shift: &mut isize,
) {
    let total = if lines.full(0).is_empty() { 0 } else { lines.count() };
    let end = hunk.last().map_or(first, |change| change.old.end);
    let (from, to) = (first.saturating_sub(context), (end + context).min(total));
    let removed: usize = hunk.iter().map(|change| change.old.len().min(total)).sum();
    let added: usize = hunk.iter().map(|change| change.new.len()).sum();
    let old_count = to - from;
    let new_count = old_count + added - removed;
    let start = |count: usize, shift: isize| if count == 0 { from } else { (from + 1).saturating_add_signed(shift) };
    let (old_start, new_start) = (start(old_count, 0), start(new_count, *shift));
    *shift += isize::try_from(added).unwrap_or(0) - isize::try_from(removed).unwrap_or(0);
    // Writing to a string cannot fail.
    let _ = writeln!(diff, "@@ -{old_start},{old_count} +{new_start},{new_count} @@");
    let mut at = from;
    for change in hunk {
        (at..change.old.start).for_each(|line| write_line(diff, ' ', lines.full(line)));
        change.old.clone().filter(|line| *line < total).for_each(|line| write_line(diff, '-', lines.full(line)));
        change.new.iter().for_each(|line| write_line(diff, '+', line));
        at = change.old.end;
    }
    (at..to).for_each(|line| write_line(diff, ' ', lines.full(line)));
}

fn write_line(diff: &mut String, sign: char, line: &str) {
    diff.push(sign);
    diff.push_str(line);
    if ending(line).is_empty() {
        diff.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, old: &str, with: &str) -> Edit {
        let start = text.find(old).unwrap();
        Edit { span: start..start + old.len(), with: with.to_owned() }
    }

    #[test]
    fn edits_are_applied_in_their_places() {
        let edits = [edit("a b c d", "b", "x"), edit("a b c d", " d", ""), Edit { span: 7..7, with: "!".to_owned() }];
        assert_eq!(apply("a b c d", &edits), "a x c!");
    }

    #[test]
    fn a_change_is_shown_with_three_lines_around_it() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let diff = unified("a.txt", text, &[edit(text, "5", "five")]);
        assert_eq!(diff, "--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    }

    #[test]
    fn lines_shared_by_both_sides_are_not_marked() {
        let text = "a\nb\nc\n";
        let diff = unified("a", text, &[edit(text, "a\nb\nc\n", "a\nx\nb\nc\n")]);
        assert_eq!(diff, "--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n a\n+x\n b\n c\n");
    }

    #[test]
    fn a_missing_final_line_feed_is_shown() {
        let diff = unified("a", "a\nb", &[edit("a\nb", "b", "c")]);
        assert_eq!(
            diff,
            "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn two_edits_of_one_line_are_one_change() {
        let text = "f(a, a)\n";
        let edits = [Edit { span: 2..3, with: "b".to_owned() }, Edit { span: 5..6, with: "b".to_owned() }];
        assert_eq!(unified("a", text, &edits), "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-f(a, a)\n+f(b, b)\n");
    }

    #[test]
    fn changes_far_apart_are_hunks_of_their_own() {
        let text: String = (1..=30).map(|line| format!("{line}.\n")).collect();
        let edits = [edit(&text, "3.\n", "three\nmore\n"), edit(&text, "25.", "twenty-five")];
        let diff = unified("a", &text, &edits);
        assert!(diff.contains("@@ -1,6 +1,7 @@") && diff.contains("@@ -22,7 +23,7 @@"), "{diff}");
    }
}
