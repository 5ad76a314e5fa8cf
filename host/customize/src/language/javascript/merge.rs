//! A three-way merge of lines.
//!
//! A stretch of the base that one side changed takes that side's lines. Where both sides changed the same lines, or lines
//! that touch, the intention is unclear: that is a conflict, unless both made the same of them.

// A generator and a repository write the texts.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::ops::Range;
use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// A stretch that both sides changed, each in its own way. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::language) struct Conflict {
    /// Where it begins in our text.
    pub(super) line: usize,
    /// Their lines in its place.
    pub(super) theirs: String,
}

/// What becomes of our lines where both sides changed the same: of the base's, ours and theirs.
pub(super) type Resolve<'a> = &'a dyn Fn(&str, &str, &str) -> Option<String>;

/// `ours` with what `theirs` changed in `base`. What both changed is a conflict that `resolve` may settle. Past the deadline less is told apart: what could be merged may be a conflict
/// then, and never the other way round.
///
/// # Errors
/// Every conflict. Then nothing is merged.
pub(super) fn merge(
    [base, ours, theirs]: [&str; 3],
    deadline: Option<Instant>,
    resolve: Resolve<'_>,
) -> Result<String, Vec<Conflict>> {
    let [base, ours, theirs] = [base, ours, theirs].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let (mine, other) = (changes(&base, &ours, deadline), changes(&base, &theirs, deadline));
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
            for (changes, next) in [(&mine, &mut i), (&other, &mut j)] {
                while let Some(one) = changes.get(*next).filter(|one| one.base.start <= end) {
                    end = end.max(one.base.end);
                    *next = next.saturating_add(1);
                }
            }
            if before == (i, j) {
                break;
            }
        }
        merged.push_str(&text(&base, at..start));
        let our_lines = side(&mine, first_mine..i, start..end);
        let their_lines = side(&other, first_other..j, start..end);
        let (our_text, their_text) = (text(&ours, our_lines.clone()), text(&theirs, their_lines));
        if first_other == j || our_text == their_text {
            merged.push_str(&our_text);
        } else if first_mine == i {
            merged.push_str(&their_text);
        } else if let Some(settled) = resolve(&text(&base, start..end), &our_text, &their_text) {
            merged.push_str(&settled);
        } else {
            conflicts.push(Conflict { line: our_lines.start.saturating_add(1), theirs: their_text });
        }
        at = end;
    }
    merged.push_str(&text(&base, at..base.len()));
    if conflicts.is_empty() { Ok(merged) } else { Err(conflicts) }
}

/// A stretch of the base and what stands in its place.
struct Change {
    base: Range<usize>,
    new: Range<usize>,
}

fn changes(base: &[&str], new: &[&str], deadline: Option<Instant>) -> Vec<Change> {
    capture_diff_slices_deadline(Algorithm::Myers, base, new, deadline)
        .into_iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
        .map(|operation| Change { base: operation.old_range(), new: operation.new_range() })
        .collect()
}

/// The text of these lines, as far as they are there.
fn text(lines: &[&str], range: Range<usize>) -> String {
    let range = range.start.min(lines.len())..range.end.min(lines.len());
    lines.get(range).unwrap_or_default().concat()
}

/// The lines of a side that stand for a stretch of the base, in which these of its changes lie.
fn side(changes: &[Change], inside: Range<usize>, stretch: Range<usize>) -> Range<usize> {
    stretch.start.saturating_add_signed(shift(changes, inside.start))
        ..stretch.end.saturating_add_signed(shift(changes, inside.end))
}

/// How many lines a side has more than the base behind so many of its changes.
fn shift(changes: &[Change], count: usize) -> isize {
    let last = count.checked_sub(1).and_then(|last| changes.get(last));
    last.map_or(0, |last| last.new.end.cast_signed().saturating_sub(last.base.end.cast_signed()))
}

#[cfg(test)]
mod fuzzing {
    use super::merge;
    use bailiwick_fuzz::Target;
    use std::time::{Duration, Instant};

    /// Between the base, our text and theirs.
    const NEXT: &str = "~~~\n";

    #[test]
    fn merges() {
        const WORDS: &[&str] = &[NEXT, "\n", "\r\n", "a\n", "b\n", "}\n", "\n\n", "export const a = 1;\n"];
        Target { name: "merges", words: WORDS }.run_text(|text| {
            let mut texts = text.split(NEXT);
            let [base, ours, theirs] = [(); 3].map(|()| texts.next().unwrap_or_default());
            // Ended early, it may refuse more and invents nothing.
            for deadline in [Instant::now().checked_add(Duration::from_secs(1)), Some(Instant::now())] {
                let merge = |base, ours, theirs| merge([base, ours, theirs], deadline, &|_, _, _| None);
                assert_eq!(merge(base, ours, base).as_deref(), Ok(ours));
                assert_eq!(merge(base, base, theirs).as_deref(), Ok(theirs));
                assert_eq!(merge(base, ours, ours).as_deref(), Ok(ours));
                match merge(base, ours, theirs) {
                    Ok(merged) => {
                        assert_eq!(merge(base, theirs, ours).as_ref(), Ok(&merged));
                        let known = |line| ours.lines().chain(theirs.lines()).any(|known| known == line);
                        assert!(merged.len() > 4_000 || merged.lines().all(known), "{merged:?}");
                    }
                    Err(conflicts) => {
                        let lines = ours.split_inclusive('\n').count();
                        assert!(conflicts.iter().all(|one| (1..=lines + 1).contains(&one.line)), "{conflicts:?}");
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::Conflict;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn merge(base: &str, ours: &str, theirs: &str) -> Result<String, Vec<Conflict>> {
        super::merge([base, ours, theirs], None, &|_, _, _| None)
    }

    #[test]
    fn texts_without_a_common_line_are_compared_no_longer_than_is_allowed() {
        // Each line of one with each of the other would take hours.
        let text = |side: &str| (0..200_000).map(|line| format!("{side}{line}\n")).collect::<String>();
        let (base, ours) = (text("a"), text("b"));
        let theirs = format!("{base}more\n");
        let started = Instant::now();
        let deadline = started.checked_add(Duration::from_millis(500));
        let merged = bailiwick_fuzz::on_small_stack(move || {
            super::merge([&base, &ours, &theirs], deadline, &|_, _, _| None).is_ok()
        });
        assert!(!merged, "both sides changed the same lines");
        assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    }

    #[test]
    fn comparison_that_was_ended_loses_no_line_of_a_side() {
        let (base, ours) = ("a\nb\nc\n".repeat(2_000), "c\na\nd\n".repeat(2_000));
        let over = Some(Instant::now());
        let merge = |base, ours, theirs| super::merge([base, ours, theirs], over, &|_, _, _| None);
        assert_eq!(merge(&base, &ours, &base), Ok(ours.clone()));
        assert_eq!(merge(&base, &base, &ours), Ok(ours.clone()));
        assert_eq!(merge(&base, &ours, &ours), Ok(ours.clone()));
    }

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
