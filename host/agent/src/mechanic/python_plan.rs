//! Plans the repair of hand-written Python code after a rename: read, decide, patch, hand in.

use serde_json::{Value, json};

use super::python::{Doubt, Hunk, Limits, repair};
use super::turns::{FileRead, Turn, done, failure_text, file, read_call, refused_exit};
use crate::backend::BackendError;
use crate::message::Message;
use crate::tasks::{CodePatchDetail, Diagnostic, Language, ManualGuidance, PatchResult, PatchTask};

/// More files than this are not read: the repair may change a handful.
pub(super) const MOST_FILES: usize = 60;

/// The next turn.
pub(crate) fn plan(task: &PatchTask, messages: &[Message]) -> Result<Turn, BackendError> {
    if task.language == Language::Java {
        return super::java_plan::plan(task, messages);
    }
    if task.language != Language::Python {
        let issue = format!("hand-written {} code does not fit the regenerated client", task.language);
        return guidance(task, &issue, Vec::new(), "only Python and Java code is repaired without a model");
    }
    if task.renames.is_empty() || task.customization_files.is_empty() || task.customization_files.len() > MOST_FILES {
        let issue = first_error(task);
        return guidance(
            task,
            &issue,
            Vec::new(),
            "no rename is known that would explain the errors, and nothing else is mechanical",
        );
    }
    let mut reads = Vec::new();
    let mut files = Vec::new();
    for path in &task.customization_files {
        let read = file(messages, path);
        reads.extend(read_call(path, &read));
        match read {
            FileRead::Whole(text) => files.push((path.clone(), text)),
            FileRead::Failed(why) => {
                return guidance(
                    task,
                    &format!("`{path}` cannot be read: {why}"),
                    vec![path.clone()],
                    "what cannot be read is not edited",
                );
            }
            // A file that is gone holds no reference.
            FileRead::Missing | FileRead::Unread | FileRead::Partly { .. } => {}
        }
    }
    if !reads.is_empty() {
        return Ok(Turn::call("reading the hand-written code", reads));
    }
    let limits = Limits { lines: task.line_limit as usize, files: task.file_limit as usize };
    match repair(&files, &task.package, &task.renames, &task.diagnostics, limits) {
        Ok(hunks) => patch(task, &hunks, messages),
        Err(doubts) => doubtful(task, &doubts),
    }
}

/// Sends the patches, and once they are in, hands them in. If one was refused, those that went through are taken back.
pub(super) fn patch(task: &PatchTask, hunks: &[Hunk], messages: &[Message]) -> Result<Turn, BackendError> {
    let sent: Vec<_> = done(messages).filter(|(call, _)| call.name == "CodePatch").collect();
    if sent.is_empty() {
        let calls = hunks.iter().map(|hunk| call(hunk, &hunk.old, &hunk.new)).collect();
        return Ok(Turn::call(describe(task), calls));
    }
    let mut failure = refused_exit(messages);
    let mut applied: Vec<&Hunk> = Vec::new();
    for (hunk, (_, result)) in hunks.iter().zip(&sent) {
        match result {
            Some(result) if !result.is_error => applied.push(hunk),
            Some(result) => failure = failure.or_else(|| Some(failure_text(&result.content))),
            None => failure = failure.or_else(|| Some("no answer".into())),
        }
    }
    let Some(failure) = failure else {
        let patches = hunks.iter().map(detail).collect();
        return Turn::exit(describe(task), &PatchResult::Patched { patches });
    };
    if sent.len() == hunks.len() && !applied.is_empty() {
        let calls = applied.into_iter().map(|hunk| call(hunk, &hunk.new, &hunk.old)).collect();
        return Ok(Turn::call("a patch was refused; taking the others back", calls));
    }
    let places = hunks.iter().map(|hunk| format!("{}:{}", hunk.path, hunk.first)).collect();
    guidance(task, &format!("the repair was refused: {failure}"), places, "the same patches would be refused again")
}

fn call(hunk: &Hunk, old: &str, new: &str) -> (&'static str, Value) {
    (
        "CodePatch",
        json!({
            "filePath": hunk.path,
            "oldContent": old,
            "newContent": new,
            "startLine": hunk.first,
            "endLine": hunk.last,
        }),
    )
}

fn detail(hunk: &Hunk) -> CodePatchDetail {
    let preview = |text: &str| text.chars().take(100).collect();
    CodePatchDetail {
        file_path: hunk.path.clone(),
        old_content_preview: preview(&hunk.old),
        new_content_preview: preview(&hunk.new),
        replacement_count: hunk.count,
    }
}

fn describe(task: &PatchTask) -> String {
    let renames: Vec<String> = task
        .renames
        .iter()
        .map(|rename| match &rename.container {
            Some(class) => format!("`{class}.{}` is now `{}`", rename.old, rename.new),
            None => format!("`{}` is now `{}`", rename.old, rename.new),
        })
        .collect();
    renames.join(", ")
}

pub(super) fn first_error(task: &PatchTask) -> String {
    match task.diagnostics.iter().find(|one| one.is_error()) {
        Some(first) => format!("hand-written code does not fit the regenerated client: {}", first.message),
        None => "hand-written code does not fit the regenerated client".into(),
    }
}

pub(super) fn doubtful(task: &PatchTask, doubts: &[Doubt]) -> Result<Turn, BackendError> {
    let mut places: Vec<String> = Vec::new();
    for place in doubts.iter().flat_map(|doubt| &doubt.places) {
        if places.len() < 20 && !places.contains(place) {
            places.push(place.clone());
        }
    }
    let mut reasons: Vec<&str> = Vec::new();
    for doubt in doubts {
        if reasons.len() < 5 && !reasons.contains(&doubt.issue.as_str()) {
            reasons.push(&doubt.issue);
        }
    }
    guidance(task, &first_error(task), places, &reasons.join("; "))
}

pub(super) fn guidance(
    task: &PatchTask,
    issue: &str,
    mut files: Vec<String>,
    reason: &str,
) -> Result<Turn, BackendError> {
    for place in task.diagnostics.iter().filter(|one| one.is_error() && one.file.is_some()).map(Diagnostic::place) {
        if files.len() < 20 && !files.contains(&place) {
            files.push(place);
        }
    }
    if files.is_empty() {
        files.extend(task.customization_files.iter().take(20).cloned());
    }
    let approach = if task.renames.is_empty() {
        "correct the places named by hand so that the package imports and type-checks, then build again".into()
    } else {
        format!("follow the rename by hand at the places named ({}), then build again", describe(task))
    };
    let result =
        PatchResult::Guidance(ManualGuidance { issue: issue.to_owned(), files, approach, reason: reason.to_owned() });
    Turn::exit("left to a person", &result)
}
