//! Changes cut into patches.

use super::super::python::Hunk;
use super::change::{Change, File, Kind};

/// One patch for each run of neighbouring lines, from the end of a file to its beginning: lines that go do not move those
/// that are patched after them.
pub(super) fn hunks(files: &[File], changes: &[Change]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let mut of_file: Vec<&Change> = changes.iter().filter(|change| change.file == at).collect();
        of_file.sort_by_key(|change| change.span.start);
        hunks.extend(of_one(file, &of_file).into_iter().rev());
    }
    hunks
}

fn of_one(file: &File, changes: &[&Change]) -> Vec<Hunk> {
    let text = file.source.text.as_str();
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let row = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    let mut runs: Vec<(usize, usize, Vec<&Change>)> = Vec::new();
    for change in changes {
        let first = row(change.span.start);
        // A removal takes the line break with it, so the line behind it holds the place.
        let last = row(change.span.end.max(change.span.start));
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

fn hunk(file: &File, starts: &[usize], first: usize, last: usize, changes: &[&Change]) -> Hunk {
    let text = file.source.text.as_str();
    let start = starts[first];
    let end = starts.get(last + 1).map_or(text.len(), |next| next - 1);
    let old = text[start..end].trim_end_matches('\r').to_owned();
    let mut new = old.clone();
    for change in changes.iter().rev() {
        let span = change.span.start - start..(change.span.end - start).min(new.len());
        new.replace_range(span, &change.new);
    }
    let number = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    Hunk {
        path: file.source.path.clone(),
        first: number(first),
        last: number(last),
        old,
        new,
        count: u32::try_from(changes.len()).unwrap_or(u32::MAX),
    }
}

/// Lines that change, as the gate counts them: the line that holds the place of a removal is not among them.
pub(super) fn changed_lines(files: &[File], changes: &[Change]) -> usize {
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for change in changes {
        let Some(file) = files.get(change.file) else { continue };
        let row = |at: usize| file.source.text[..at].matches('\n').count();
        let end = if change.kind == Kind::Removed { change.span.end.saturating_sub(1) } else { change.span.end };
        rows.extend((row(change.span.start)..=row(end)).map(|row| (change.file, row)));
    }
    rows.sort_unstable();
    rows.dedup();
    rows.len()
}
