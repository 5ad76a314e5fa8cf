//! Decides whether a repair is certain and small enough, and cuts it into patches.

use std::collections::BTreeMap;

use super::evidence::Evidence;
use super::package::Package;
pub(crate) use super::sites::Doubt;
use super::sites::{Edit, Findings};
use super::source::Source;
use super::{rename_member, rename_type};
use crate::tasks::{Diagnostic, EntityKind, Rename};

/// How large a repair may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) lines: usize,
    pub(crate) files: usize,
}

/// Lines of one file that are replaced together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) path: String,
    /// The lines, from 1, both included.
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// The lines as they are and as they shall be, without the end of the last.
    pub(crate) old: String,
    pub(crate) new: String,
    /// How many names change in them.
    pub(crate) count: u32,
}

/// The patches for all renames together, or every reason why there are none.
pub(crate) fn repair(
    files: &[(String, String)],
    package: &str,
    renames: &[Rename],
    diagnostics: &[Diagnostic],
    limits: Limits,
) -> Result<Vec<Hunk>, Vec<Doubt>> {
    let mut sources = Vec::new();
    for (path, text) in files {
        match Source::parse(path, text) {
            Some(source) => sources.push(source),
            None => return Err(vec![doubt("the file cannot be parsed", vec![path.clone()])]),
        }
    }
    let package = Package::new(sources, package);
    let evidence = Evidence::new(diagnostics);
    let mut findings = Findings::default();
    for rename in renames {
        collect(&package, rename, renames, &evidence, &mut findings);
    }
    let edits: Vec<&Edit> = findings.edits.iter().collect();
    let mut doubts = std::mem::take(&mut findings.doubts);
    let unexplained = evidence.unexplained(&package, &edits, renames);
    if !unexplained.is_empty() {
        let first = &unexplained[0].message;
        let places = unexplained.iter().map(|one| one.place()).collect();
        doubts.push(doubt(
            &format!("{} errors do not come from a rename, the first: {first}", unexplained.len()),
            places,
        ));
    }
    if edits.is_empty() && doubts.is_empty() {
        doubts.push(doubt("nothing in the hand-written code refers to an old name", Vec::new()));
    }
    if overlapping(&edits) {
        doubts.push(doubt("two renames want to change the same place", Vec::new()));
    }
    if !doubts.is_empty() {
        return Err(doubts);
    }
    let hunks = hunks(&package, &edits);
    let lines: usize = hunks.iter().map(|hunk| (hunk.last - hunk.first + 1) as usize).sum();
    let mut touched: Vec<&str> = hunks.iter().map(|hunk| hunk.path.as_str()).collect();
    touched.dedup();
    if lines > limits.lines || touched.len() > limits.files {
        let issue = format!(
            "the repair would change {lines} lines in {} files, and {} lines in {} files is the limit",
            touched.len(),
            limits.lines,
            limits.files
        );
        return Err(vec![doubt(&issue, hunks.iter().map(|hunk| format!("{}:{}", hunk.path, hunk.first)).collect())]);
    }
    Ok(hunks)
}

fn doubt(issue: &str, places: Vec<String>) -> Doubt {
    Doubt { issue: issue.to_owned(), places }
}

fn collect(package: &Package, rename: &Rename, all: &[Rename], evidence: &Evidence<'_>, findings: &mut Findings) {
    match rename.kind {
        EntityKind::Parameter | EntityKind::Namespace => {
            findings
                .doubts
                .push(doubt(&format!("a renamed {} is not repaired mechanically", rename.kind.noun()), Vec::new()));
        }
        kind if kind.is_type() => rename_type::collect(package, rename, findings),
        _ => {
            // While its class is renamed as well, the class goes by either name.
            let class = rename.container.iter().flat_map(|class| {
                let other = all.iter().filter(|one| one.kind.is_type()).find_map(|one| {
                    (one.old == *class).then_some(&one.new).or_else(|| (one.new == *class).then_some(&one.old))
                });
                [Some(class.clone()), other.cloned()].into_iter().flatten()
            });
            rename_member::collect(package, rename, class.collect(), evidence, findings);
        }
    }
}

fn overlapping(edits: &[&Edit]) -> bool {
    edits.windows(2).any(|pair| pair[0].file == pair[1].file && pair[1].span.start < pair[0].span.end)
}

/// Edits cut into runs of neighbouring lines. Names change and line breaks do not, so that line numbers stay as they are.
fn hunks(package: &Package, edits: &[&Edit]) -> Vec<Hunk> {
    let mut by_file: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(edit.file).or_default().push(edit);
    }
    let mut hunks = Vec::new();
    for (file, edits) in by_file {
        let Some(source) = package.sources.get(file) else { continue };
        let starts: Vec<usize> =
            std::iter::once(0).chain(source.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let row = |at: usize| starts.partition_point(|start| *start <= at) - 1;
        let mut runs: Vec<(usize, usize, Vec<&Edit>)> = Vec::new();
        for edit in edits {
            let (first, last) = (row(edit.span.start), row(edit.span.end));
            match runs.last_mut() {
                Some((_, end, run)) if first <= *end + 1 => {
                    *end = last.max(*end);
                    run.push(edit);
                }
                _ => runs.push((first, last, vec![edit])),
            }
        }
        for (first, last, run) in runs {
            hunks.push(hunk(source, &starts, first, last, &run));
        }
    }
    hunks
}

fn hunk(source: &Source, starts: &[usize], first: usize, last: usize, edits: &[&Edit]) -> Hunk {
    let start = starts[first];
    let end = starts.get(last + 1).map_or(source.text.len(), |next| next - 1);
    let old = source.text[start..end].trim_end_matches('\r').to_owned();
    let mut new = old.clone();
    for edit in edits.iter().rev() {
        new.replace_range(edit.span.start - start..edit.span.end - start, &edit.new);
    }
    let number = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    Hunk {
        path: source.path.clone(),
        first: number(first),
        last: number(last),
        old,
        new,
        count: u32::try_from(edits.len()).unwrap_or(u32::MAX),
    }
}
