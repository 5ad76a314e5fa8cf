//! Plans the repair of a Java customization class: read it, and the generated files that hold a member twice, decide,
//! patch, hand in.

use super::java::{generated_files, repair};
use super::python::Limits;
use super::python_plan::{MOST_FILES, doubtful, first_error, guidance, patch};
use super::turns::{FileRead, Turn, file, read_call};
use crate::backend::BackendError;
use crate::message::Message;
use crate::tasks::PatchTask;

/// The next turn.
pub(super) fn plan(task: &PatchTask, messages: &[Message]) -> Result<Turn, BackendError> {
    let generated = generated_files(task);
    let nothing_known = task.renames.is_empty() && generated.is_empty();
    if nothing_known || task.customization_files.is_empty() || task.customization_files.len() > MOST_FILES {
        let reason = "no rename is known that would explain the errors, no member is added twice, and nothing else is mechanical";
        return guidance(task, &first_error(task), Vec::new(), reason);
    }
    let mut reads = Vec::new();
    let (mut customizations, mut compared) = (Vec::new(), Vec::new());
    for (path, texts) in
        task.customization_files.iter().map(|path| (path, false)).chain(generated.iter().map(|path| (path, true)))
    {
        let read = file(messages, path);
        reads.extend(read_call(path, &read));
        match read {
            FileRead::Whole(text) if texts => compared.push((path.clone(), text)),
            FileRead::Whole(text) => customizations.push((path.clone(), text)),
            FileRead::Failed(why) => {
                let issue = format!("`{path}` cannot be read: {why}");
                return guidance(task, &issue, vec![path.clone()], "what cannot be read is not judged");
            }
            FileRead::Missing | FileRead::Unread | FileRead::Partly { .. } => {}
        }
    }
    if !reads.is_empty() {
        return Ok(Turn::call("reading the customization", reads));
    }
    let limits = Limits { lines: task.line_limit as usize, files: task.file_limit as usize };
    match repair(&customizations, &compared, &task.renames, &task.diagnostics, limits) {
        Ok(hunks) => patch(task, &hunks, messages),
        Err(doubts) => doubtful(task, &doubts),
    }
}
