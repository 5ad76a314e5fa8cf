//! Decides whether a repair is certain and small enough.

use super::super::python::{Doubt, Hunk, Limits};
use super::change::{Change, File, Findings};
use super::evidence::{explains, is_duplicate};
use super::hunks::{changed_lines, hunks};
use super::{duplicate, rename};
use crate::java::{GeneratedCode, Source};
use crate::tasks::{Diagnostic, PatchTask, Rename};

/// More generated files than this are not compared.
const MOST_GENERATED: usize = 10;

/// The generated files that hold a member twice: what both declarations are has to be seen there.
pub(crate) fn generated_files(task: &PatchTask) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let named = task.diagnostics.iter().filter(|one| one.is_error() && is_duplicate(one));
    for file in named.filter_map(|one| one.file.clone()) {
        if files.len() < MOST_GENERATED && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The patches for all errors together, or every reason why there are none.
pub(crate) fn repair(
    files: &[(String, String)],
    generated: &[(String, String)],
    renames: &[Rename],
    diagnostics: &[Diagnostic],
    limits: Limits,
) -> Result<Vec<Hunk>, Vec<Doubt>> {
    let mut parsed = Vec::new();
    for (path, text) in files {
        match File::parse(path, text) {
            Some(file) => parsed.push(file),
            None => return Err(vec![doubt("the file cannot be parsed", vec![path.clone()])]),
        }
    }
    let mut code = GeneratedCode::default();
    for (path, text) in generated {
        if let Some(source) = Source::parse(path, text) {
            code.add(&source);
        }
    }
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|one| one.is_error()).collect();
    let mut findings = Findings::default();
    for one in renames {
        rename::collect(&parsed, one, renames, &errors, &mut findings);
    }
    for error in errors.iter().filter(|error| is_duplicate(error)) {
        duplicate::collect(&parsed, error, &code, &mut findings);
    }
    let Findings { changes, mut doubts } = findings;
    let unexplained: Vec<&&Diagnostic> =
        errors.iter().filter(|error| !changes.iter().any(|change| explains(change, error, &parsed))).collect();
    if let Some(first) = unexplained.first() {
        let places = unexplained.iter().map(|one| one.place()).collect();
        let issue = format!(
            "{} errors come neither from a rename nor from a member that is added twice, the first: {}",
            unexplained.len(),
            first.message
        );
        doubts.push(doubt(&issue, places));
    }
    if changes.is_empty() && doubts.is_empty() {
        doubts.push(doubt("nothing in the customization refers to an old name", Vec::new()));
    }
    if overlap(&changes) {
        doubts.push(doubt("two repairs want to change the same place", Vec::new()));
    }
    if !doubts.is_empty() {
        return Err(doubts);
    }
    let lines = changed_lines(&parsed, &changes);
    let hunks = hunks(&parsed, &changes);
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

fn overlap(changes: &[Change]) -> bool {
    let mut sorted: Vec<&Change> = changes.iter().collect();
    sorted.sort_by_key(|change| (change.file, change.span.start));
    sorted.windows(2).any(|pair| pair[0].file == pair[1].file && pair[1].span.start < pair[0].span.end)
}
