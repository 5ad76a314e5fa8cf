//! Plans a repair of hand-written code: read, decide, patch, hand in.

use serde_json::{Value, json};

use super::change::{Doubt, Hunk, Limits, has_word};
use super::reader::{Case, Text, Wanted, of};
use crate::turns::{FileRead, Turn, done, failure_text, file, list_call, listed, read_call, refused_exit};
use bailiwick_agent::backend::BackendError;
use bailiwick_agent::message::Message;
use bailiwick_sdk::java::member_names;
use bailiwick_sdk::tasks::{CodePatchDetail, Diagnostic, Language, ManualGuidance, PatchResult, PatchTask, Rename};

/// More hand-written files than this are not read: the repair may change a handful.
const MOST_FILES: usize = 60;
/// More files beside them are not compared.
const MOST_WANTED: usize = 24;

/// The next turn.
pub(crate) fn plan(task: &PatchTask, messages: &[Message]) -> Result<Turn, BackendError> {
    let reader = of(task.language);
    let own: Vec<String> = task.customization_files.iter().filter(|path| reader.reads(task, path)).cloned().collect();
    if own.is_empty() || own.len() > MOST_FILES || reader.is_hopeless(task) {
        let reason = "no rename is known that would explain the errors, and nothing else is mechanical";
        return guidance(task, &first_error(task), Vec::new(), reason, &[]);
    }
    let files = match texts(&own, messages) {
        Texts::Read(files) => files,
        Texts::Wait(calls) => return Ok(Turn::call("reading the hand-written code", calls)),
        Texts::Failed(path, why) => return unreadable(task, &path, &why),
    };
    let mut paths: Vec<String> = Vec::new();
    let mut lists = Vec::new();
    for wanted in reader.wanted(task, &files) {
        let found = match wanted {
            Wanted::File(path) => vec![path],
            Wanted::Named { directory, pattern } => match listed(messages, &directory, &pattern) {
                Some(found) => found,
                None => {
                    let call = list_call(&directory, &pattern);
                    if !lists.contains(&call) {
                        lists.push(call);
                    }
                    continue;
                }
            },
        };
        for path in found {
            if paths.len() < MOST_WANTED && !paths.contains(&path) && !task.customization_files.contains(&path) {
                paths.push(path);
            }
        }
    }
    if !lists.is_empty() {
        return Ok(Turn::call("looking for the generated code", lists));
    }
    let generated = match texts(&paths, messages) {
        Texts::Read(files) => files,
        Texts::Wait(calls) => return Ok(Turn::call("reading the generated code", calls)),
        Texts::Failed(path, why) => return unreadable(task, &path, &why),
    };
    let limits = Limits { lines: task.line_limit as usize, files: task.file_limit as usize };
    let case = Case {
        files: &files,
        generated: &generated,
        package: &task.package,
        renames: &task.renames,
        diagnostics: &task.diagnostics,
        limits,
    };
    match reader.repair(&case) {
        Ok(hunks) => patch(task, &hunks, &files, messages),
        Err(doubts) => doubtful(task, &doubts, &files),
    }
}

/// What is known of the texts of some files.
enum Texts {
    /// All that exist.
    Read(Vec<Text>),
    /// These calls are needed first.
    Wait(Vec<(&'static str, Value)>),
    /// This one cannot be read, and why.
    Failed(String, String),
}

fn texts(paths: &[String], messages: &[Message]) -> Texts {
    let (mut calls, mut texts) = (Vec::new(), Vec::new());
    for path in paths {
        let read = file(messages, path);
        calls.extend(read_call(path, &read));
        match read {
            FileRead::Whole(text) => texts.push(Text { path: path.clone(), text }),
            FileRead::Failed(why) => return Texts::Failed(path.clone(), why),
            // A file that is gone holds nothing.
            FileRead::Missing | FileRead::Unread | FileRead::Partly { .. } => {}
        }
    }
    if calls.is_empty() { Texts::Read(texts) } else { Texts::Wait(calls) }
}

fn unreadable(task: &PatchTask, path: &str, why: &str) -> Result<Turn, BackendError> {
    let issue = format!("`{path}` cannot be read: {why}");
    guidance(task, &issue, vec![path.to_owned()], "what cannot be read is not judged", &[])
}

/// Sends the patches, and once they are in, hands them in. If one was refused, those that went through are taken back.
fn patch(task: &PatchTask, hunks: &[Hunk], files: &[Text], messages: &[Message]) -> Result<Turn, BackendError> {
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
    let reason = "the same patches would be refused again";
    guidance(task, &format!("the repair was refused: {failure}"), places, reason, files)
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

/// Why the code is changed, for people.
fn describe(task: &PatchTask) -> String {
    if task.renames.is_empty() {
        return "what the build reports is put right in the hand-written code".to_owned();
    }
    named(task.renames.iter())
}

fn named<'r>(renames: impl Iterator<Item = &'r Rename>) -> String {
    let renames: Vec<String> = renames
        .map(|rename| match &rename.container {
            Some(class) => format!("`{class}.{}` is now `{}`", rename.old, rename.new),
            None => format!("`{}` is now `{}`", rename.old, rename.new),
        })
        .collect();
    renames.join(", ")
}

fn first_error(task: &PatchTask) -> String {
    let told = if lies_elsewhere(task) {
        "the regenerated package does not build, and no error lies in the hand-written code"
    } else {
        "hand-written code does not fit the regenerated client"
    };
    match task.diagnostics.iter().find(|one| one.is_error()) {
        Some(first) => format!("{told}: {}", first.message),
        None => told.into(),
    }
}

/// Whether there are errors, and each is in a file that is none of those which a repair may change.
fn lies_elsewhere(task: &PatchTask) -> bool {
    let mut errors = task.diagnostics.iter().filter(|one| one.is_error()).peekable();
    let elsewhere = |one: &Diagnostic| one.file.as_ref().is_some_and(|file| !task.customization_files.contains(file));
    errors.peek().is_some() && errors.all(elsewhere)
}

fn doubtful(task: &PatchTask, doubts: &[Doubt], read: &[Text]) -> Result<Turn, BackendError> {
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
    guidance(task, &first_error(task), places, &reasons.join("; "), read)
}

fn guidance(
    task: &PatchTask,
    issue: &str,
    mut files: Vec<String>,
    reason: &str,
    read: &[Text],
) -> Result<Turn, BackendError> {
    for place in task.diagnostics.iter().filter(|one| one.is_error() && one.file.is_some()).map(Diagnostic::place) {
        if files.len() < 20 && !files.contains(&place) {
            files.push(place);
        }
    }
    if files.is_empty() {
        files.extend(task.customization_files.iter().take(20).cloned());
    }
    let concerned: Vec<&Rename> = task.renames.iter().filter(|rename| concerns(task, rename, &files, read)).collect();
    let approach = if concerned.is_empty() && lies_elsewhere(task) {
        "mend this first if the package did not build before either; what is generated changes with the specification or a \
         customization"
            .into()
    } else if concerned.is_empty() {
        "correct the places named by hand, then build again".into()
    } else {
        let renames = named(concerned.into_iter());
        format!("follow the rename by hand at the places named ({renames}), then build again")
    };
    let result =
        PatchResult::Guidance(ManualGuidance { issue: issue.to_owned(), files, approach, reason: reason.to_owned() });
    Turn::exit("left to a person", &result)
}

/// Whether a rename has to do with what was reported: its old name stands in an error, or on a line that is named.
fn concerns(task: &PatchTask, rename: &Rename, places: &[String], read: &[Text]) -> bool {
    let mut forms = vec![rename.old.clone()];
    if task.language == Language::Java {
        forms.extend(member_names(rename.kind, &rename.old));
    }
    let says = |text: &str| forms.iter().any(|form| has_word(text, form));
    let line = |place: &String| {
        let (path, number) = place.rsplit_once(':')?;
        let file = read.iter().find(|file| file.path == path)?;
        file.text.lines().nth(number.parse::<usize>().ok()?.checked_sub(1)?)
    };
    task.diagnostics
        .iter()
        .filter(|one| one.is_error())
        .flat_map(|one| one.symbol.as_deref().into_iter().chain([one.message.as_str()]))
        .chain(places.iter().filter_map(line))
        .any(says)
}
