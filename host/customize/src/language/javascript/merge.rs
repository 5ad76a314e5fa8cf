//! A three-way merge of lines.
//!
//! A stretch of the base that one side changed takes that side's lines. Where both sides changed the same lines, or lines
//! that touch, nobody can tell what is meant: that is a conflict, unless both made the same of them.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A stretch that both sides changed, each in its own way. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::language) struct Conflict {
    /// Where it begins in our text.
    pub(super) line: usize,
    /// Their lines in its place.
    pub(super) theirs: String,
}

/// `ours` with what `theirs` changed in `base`.
///
/// # Errors
/// Every conflict. Then nothing is merged.
pub(super) fn merge(base: &str, ours: &str, theirs: &str) -> Result<String, Vec<Conflict>> {
    let [base, ours, theirs] = [base, ours, theirs].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let (mine, other) = (changes(&base, &ours), changes(&base, &theirs));
    let mut merged = String::new();
    let mut conflicts = Vec::new();
    let (mut at, mut i, mut j) = (0, 0, 0);
    while i < mine.len() || j < other.len() {
        let next = [mine.get(i), other.get(j)].into_iter().flatten().map(|one| one.base.start).min();
        let start = next.unwrap_or(base.len());
        let mut end = start;
        let (first_mine, first_other) = (i, j);
        // All changes that overlap or touch, of both sides, are one stretch.
        loop {
            let before = (i, j);
            while mine.get(i).is_some_and(|one| one.base.start <= end) {
                end = end.max(mine[i].base.end);
                i += 1;
            }
            while other.get(j).is_some_and(|one| one.base.start <= end) {
                end = end.max(other[j].base.end);
                j += 1;
            }
            if before == (i, j) {
                break;
            }
        }
        merged.extend(base[at..start].iter().copied());
        let our_lines = side(&ours, &mine[first_mine..i], start..end, shift(&mine[..first_mine]));
        let their_lines = side(&theirs, &other[first_other..j], start..end, shift(&other[..first_other]));
        let (our_text, their_text) = (ours[our_lines.clone()].concat(), theirs[their_lines].concat());
        if first_other == j || our_text == their_text {
            merged.push_str(&our_text);
        } else if first_mine == i {
            merged.push_str(&their_text);
        } else {
            conflicts.push(Conflict { line: our_lines.start + 1, theirs: their_text });
        }
        at = end;
    }
    merged.extend(base[at..].iter().copied());
    if conflicts.is_empty() { Ok(merged) } else { Err(conflicts) }
}

/// A stretch of the base and what stands in its place.
struct Change {
    base: Range<usize>,
    new: Range<usize>,
}

fn changes(base: &[&str], new: &[&str]) -> Vec<Change> {
    capture_diff_slices(Algorithm::Myers, base, new)
        .into_iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
        .map(|operation| Change { base: operation.old_range(), new: operation.new_range() })
        .collect()
}

/// How many lines a side has more than the base after these changes.
fn shift(changes: &[Change]) -> isize {
    changes.last().map_or(0, |last| last.new.end.cast_signed() - last.base.end.cast_signed())
}

/// The lines of a side that stand for a stretch of the base; `before` is how far the side is ahead where it begins.
fn side(lines: &[&str], changes: &[Change], stretch: Range<usize>, before: isize) -> Range<usize> {
    let start = stretch.start.saturating_add_signed(before);
    let after = if changes.is_empty() { before } else { shift(changes) };
    let end = stretch.end.saturating_add_signed(after);
    start.min(lines.len())..end.min(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn changes_of_both_sides_are_taken_where_they_are_apart() {
        let base = "a\nb\nc\nd\ne\nf\n";
        assert_eq!(merge(base, "a\nB\nc\nd\ne\nf\nmine\n", "a\nb\nc\nD\ne\nf\n").unwrap(), "a\nB\nc\nD\ne\nf\nmine\n");
        assert_eq!(merge(base, "0\na\nb\nc\nd\ne\nf\n", "a\nb\nc\ne\nf\n").unwrap(), "0\na\nb\nc\ne\nf\n");
        assert_eq!(merge(base, base, "x\n").unwrap(), "x\n");
        assert_eq!(merge(base, "x\n", base).unwrap(), "x\n");
        assert_eq!(merge(base, "a\nX\nc\nd\ne\nf\n", "a\nX\nc\nd\ne\nf\n").unwrap(), "a\nX\nc\nd\ne\nf\n");
    }

    #[test]
    fn what_both_changed_differently_is_a_conflict_with_its_place() {
        let conflicts = merge("a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nX\nc\nd\n").unwrap_err();
        assert_eq!(conflicts, [Conflict { line: 2, theirs: "X\n".into() }]);
        // Lines that touch belong together.
        assert!(merge("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n").is_err());
        // One removes what the other changes.
        assert!(merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n").is_err());
    }

    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec(0_u8..5, 0..12)
            .prop_map(|lines| lines.into_iter().map(|line| format!("line {line}\n")).collect())
    }

    proptest! {
        #[test]
        fn one_sided_changes_always_merge_to_that_side(base in text(), changed in text()) {
            prop_assert_eq!(merge(&base, &changed, &base), Ok(changed.clone()));
            prop_assert_eq!(merge(&base, &base, &changed), Ok(changed.clone()));
            prop_assert_eq!(merge(&base, &changed, &changed), Ok(changed));
        }

        #[test]
        fn order_of_the_sides_does_not_matter_to_what_merges(base in text(), a in text(), b in text()) {
            if let (Ok(one), other) = (merge(&base, &a, &b), merge(&base, &b, &a)) {
                prop_assert_eq!(Ok(one), other);
            }
        }

        #[test]
        fn no_line_is_invented(base in text(), a in text(), b in text()) {
            if let Ok(merged) = merge(&base, &a, &b) {
                prop_assert!(merged.lines().all(|line| a.lines().chain(b.lines()).any(|known| known == line)));
            }
        }
    }
}
