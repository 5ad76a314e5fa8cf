//! Changes cut into patches.

use super::change::{Change, Hunk};
use super::reader::Text;
use bailiwick_sdk::syntax::number;

/// One patch for each run of neighbouring lines, from the end of a file to its beginning: lines that come or go do not move
/// those that are patched after them. `changes` are in order and do not overlap.
pub(super) fn hunks(files: &[Text], changes: &[Change]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let of_file: Vec<&Change> = changes.iter().filter(|change| change.file == at).collect();
        hunks.extend(of_one(file, &of_file).into_iter().rev());
    }
    hunks
}

fn starts_of_lines(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

fn of_one(file: &Text, changes: &[&Change]) -> Vec<Hunk> {
    let starts = starts_of_lines(&file.text);
    let row = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    let mut runs: Vec<(usize, usize, Vec<&Change>)> = Vec::new();
    for change in changes {
        // Lines that go take their line break with them, so the line behind them holds the place.
        let (first, last) = (row(change.start), row(change.end));
        match runs.last_mut() {
            Some((_, end, run)) if first <= *end + 1 => {
                *end = last.max(*end);
                run.push(change);
            }
            _ => runs.push((first, last, vec![change])),
        }
    }
    runs.into_iter().map(|(first, last, run)| hunk(file, &starts, first, last, &run)).collect()
}

fn hunk(file: &Text, starts: &[usize], first: usize, last: usize, changes: &[&Change]) -> Hunk {
    let start = starts[first];
    let end = starts.get(last + 1).map_or(file.text.len(), |next| next - 1);
    let old = file.text[start..end].trim_end_matches('\r').to_owned();
    let mut new = old.clone();
    for change in changes.iter().rev() {
        new.replace_range(change.start - start..(change.end - start).min(new.len()), &change.new);
    }
    Hunk {
        path: file.path.clone(),
        first: number(first),
        last: number(last),
        old,
        new,
        count: u32::try_from(changes.len()).unwrap_or(u32::MAX),
    }
}

/// Lines that change, as the gate counts them: the line that holds the place of lines that come or go is not among them.
pub(super) fn changed_lines(files: &[Text], changes: &[Change]) -> usize {
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let mut added = 0;
    for change in changes {
        let Some(file) = files.get(change.file) else { continue };
        let row = |at: usize| file.text[..at].matches('\n').count();
        added += change.new.matches('\n').count();
        if change.start == change.end && change.new.ends_with('\n') {
            continue;
        }
        let whole_lines = file.text[change.start..change.end].ends_with('\n');
        let end = if whole_lines { change.end - 1 } else { change.end };
        rows.extend((row(change.start)..=row(end)).map(|row| (change.file, row)));
    }
    rows.sort_unstable();
    rows.dedup();
    rows.len() + added
}
