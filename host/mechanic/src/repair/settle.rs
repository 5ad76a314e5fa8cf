//! Decides whether a repair is certain and small enough.

use super::change::{Change, Doubt, Hunk, Limits};
use super::hunks::{changed_lines, hunks};
use super::reader::Text;

/// The patches for all changes together, or every reason why there are none.
pub(crate) fn settle(
    files: &[Text],
    mut changes: Vec<Change>,
    mut doubts: Vec<Doubt>,
    limits: Limits,
) -> Result<Vec<Hunk>, Vec<Doubt>> {
    changes.sort();
    changes.dedup();
    if changes.is_empty() && doubts.is_empty() {
        doubts.push(Doubt::new("nothing in the hand-written code refers to an old name", Vec::new()));
    }
    if overlap(&changes) {
        doubts.push(Doubt::new("two repairs want to change the same place", Vec::new()));
    }
    if !doubts.is_empty() {
        return Err(doubts);
    }
    let lines = changed_lines(files, &changes);
    let hunks = hunks(files, &changes);
    let mut touched: Vec<&str> = hunks.iter().map(|hunk| hunk.path.as_str()).collect();
    touched.dedup();
    if lines > limits.lines || touched.len() > limits.files {
        let issue = format!(
            "the repair would change {lines} lines in {} files, and {} lines in {} files is the limit",
            touched.len(),
            limits.lines,
            limits.files
        );
        return Err(vec![Doubt::new(
            issue,
            hunks.iter().map(|hunk| format!("{}:{}", hunk.path, hunk.first)).collect(),
        )]);
    }
    Ok(hunks)
}

fn overlap(changes: &[Change]) -> bool {
    changes.windows(2).any(|pair| pair[0].file == pair[1].file && pair[1].start < pair[0].end)
}
