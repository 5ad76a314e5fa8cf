//! Which line of a text was which one before, also where a repair put the new name of a rename for the old one.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bailiwick_sdk::tasks::{EntityKind, Rename};
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};

/// Time for the lines of one file. What is not compared by then counts as changed.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a line was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Was {
    /// Its number, from 1.
    pub(super) line: u32,
    /// Where the parts of the line begin that stand elsewhere in it now: the column before and now, from 1, and how long the
    /// part was. Empty for a line that is the same.
    moved: Vec<Moved>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Moved {
    before: usize,
    now: usize,
    length: usize,
}

impl Was {
    /// Where a column of the line before is now. A place inside of a name that changed is nowhere.
    pub(super) fn column(&self, before: Option<u32>) -> Option<Option<u32>> {
        let Some(column) = before.filter(|_| !self.moved.is_empty()) else { return Some(before) };
        let at = usize::try_from(column).ok()?;
        let part = self.moved.iter().rfind(|part| part.before <= at)?;
        let inside = at.checked_sub(part.before).filter(|inside| *inside < part.length)?;
        Some(Some(u32::try_from(part.now.checked_add(inside)?).ok()?))
    }
}

/// For every line of `now` that stood in `before`, from 1, which line it was. A line in which nothing but names changed, and
/// these as the renames say, is the same line.
pub(super) fn same_lines(before: &str, now: &str, renames: &[Rename]) -> BTreeMap<u32, Was> {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let deadline = Instant::now().checked_add(PATIENCE);
    // With the names of now in both, a line that a repair changed is next to those it was next to.
    let renamed_in = |lines: &[&str]| lines.iter().map(|line| with_new_names(line, renames)).collect::<Vec<String>>();
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &renamed_in(&before), &renamed_in(&now), deadline);
    let number = |at: usize| u32::try_from(at).ok().and_then(|at| at.checked_add(1));
    let equal = operations.iter().filter(|one| one.tag() == DiffTag::Equal);
    equal
        .flat_map(|one| one.new_range().zip(one.old_range()))
        .filter_map(|(is, was)| {
            let moved = renamed(before.get(was)?, now.get(is)?, renames)?;
            Some((number(is)?, Was { line: number(was)?, moved }))
        })
        .collect()
}

fn with_new_names(line: &str, renames: &[Rename]) -> String {
    let new = |part: &str| renames.iter().find_map(|rename| after(rename, part));
    parts(line).into_iter().map(|part| new(part).unwrap_or_else(|| part.to_owned())).collect()
}

/// The parts of a line that differs from another one in renamed names alone, none for the same line; `None` where it differs in
/// more.
fn renamed(before: &str, now: &str, renames: &[Rename]) -> Option<Vec<Moved>> {
    if before == now {
        return Some(Vec::new());
    }
    let (old, new) = (parts(before), parts(now));
    if old.len() != new.len() {
        return None;
    }
    let (mut at, mut moved) = ((1_usize, 1_usize), Vec::new());
    for (was, is) in old.into_iter().zip(new) {
        let length = match () {
            () if was == is => was.len(),
            // An error at a name stands where the name begins.
            () if renames.iter().any(|rename| became(rename, was, is)) => 1,
            () => return None,
        };
        moved.push(Moved { before: at.0, now: at.1, length });
        at = (at.0.checked_add(was.len())?, at.1.checked_add(is.len())?);
    }
    Some(moved)
}

/// Names, and every other sign on its own.
fn parts(line: &str) -> Vec<&str> {
    let of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut found = Vec::new();
    for piece in line.split_inclusive(|sign: char| !of_name(sign)) {
        let name = piece.trim_end_matches(|sign: char| !of_name(sign));
        let sign = piece.strip_prefix(name).unwrap_or_default();
        found.extend([name, sign].into_iter().filter(|part| !part.is_empty()));
    }
    found
}

/// Whether a name became another by a rename.
pub(super) fn became(rename: &Rename, was: &str, is: &str) -> bool {
    after(rename, was).as_deref() == Some(is)
}

/// What a name is after a rename, if the rename is about it. The methods of an operation have its name in them: `begin_renew`,
/// `_renew_initial`.
fn after(rename: &Rename, name: &str) -> Option<String> {
    if rename.old == name {
        return Some(rename.new.clone());
    }
    let (old, new) = (rename.old.trim_start_matches('_'), rename.new.trim_start_matches('_'));
    if rename.kind != EntityKind::Operation || old.is_empty() {
        return None;
    }
    let (before, behind) = name.split_once(old)?;
    let known = ["", "_", "begin_", "_begin_"].contains(&before) && ["", "_initial"].contains(&behind);
    known.then(|| format!("{before}{new}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rename(kind: EntityKind, old: &str, new: &str) -> Rename {
        Rename { kind, container: None, old: old.into(), new: new.into() }
    }

    #[test]
    fn line_in_which_a_repair_changed_names_alone_is_the_same_with_its_columns() {
        let renames = [rename(EntityKind::Operation, "_renew_locks", "_extend_locks_of")];
        let of = |before: &str, now: &str| same_lines(before, now, &renames).remove(&2);
        let was = of("a\nx = self._renew_locks(self._namespace)\n", "a\nx = self._extend_locks_of(self._namespace)\n");
        let was = was.unwrap();
        // `self`, the name itself, the second `self`, and a place inside of the name.
        let columns = [5, 10, 23, 12].map(|column| was.column(Some(column)));
        assert_eq!(columns, [Some(Some(5)), Some(Some(10)), Some(Some(27)), None]);
        assert_eq!((was.line, was.column(None)), (2, Some(None)));
        assert!(of("a\nbegin_renew_locks()\n", "a\nbegin_extend_locks_of()\n").is_some());
        for (before, now) in [
            ("x = self._renew_locks()", "x = self._other()"),
            ("x = self._renew_locks()", "y = self._extend_locks_of()"),
            ("x = self._renew_locks()", "x = self._extend_locks_of(1)"),
            ("x = self._renew_locks()", "x = self._extend_locks_of() "),
            ("x = self._extend_locks_of()", "x = self._renew_locks()"),
            ("x = 1", "x = 2"),
        ] {
            assert_eq!(of(&format!("a\n{before}\n"), &format!("a\n{now}\n")), None, "{now}");
        }
    }

    #[test]
    fn names_around_an_operation_are_those_of_its_methods_alone() {
        let operation = rename(EntityKind::Operation, "renew", "extend");
        assert!(became(&operation, "_renew_initial", "_extend_initial") && became(&operation, "renew", "extend"));
        for (was, is) in [("renew", "_extend"), ("renewal", "extendal"), ("x_renew", "x_extend"), ("renew", "renew")] {
            assert!(!became(&operation, was, is), "{was} {is}");
        }
        let property = rename(EntityKind::Property, "renew", "extend");
        assert!(became(&property, "renew", "extend") && !became(&property, "_renew", "_extend"));
    }
}
