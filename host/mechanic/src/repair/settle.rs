//! Decides whether a repair is certain and small enough.

use super::change::{Change, Doubt, Hunk, Limits};
use super::hunks::{changed_lines, hunks};
use super::reader::Text;
use bailiwick_sdk::syntax::number;

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
        doubts.extend(held_back(files, &changes));
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

/// What would be changed if nothing else were in doubt: a person who does it by hand has to know of it.
fn held_back(files: &[Text], changes: &[Change]) -> Option<Doubt> {
    let mut places: Vec<String> = Vec::new();
    for change in changes {
        let Some(file) = files.get(change.file) else { continue };
        let place = format!("{}:{}", file.path, number(file.text[..change.start].matches('\n').count()));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let issue = match places.len() {
        0 => return None,
        1 => "1 place follows from what is known, and is not changed alone".to_owned(),
        all => format!("{all} places follow from what is known, and are not changed alone"),
    };
    Some(Doubt::new(issue, places))
}

fn overlap(changes: &[Change]) -> bool {
    changes.windows(2).any(|pair| pair[0].file == pair[1].file && pair[1].start < pair[0].end)
}
