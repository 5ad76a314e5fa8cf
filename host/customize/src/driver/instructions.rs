//! From the task of an agent to its instructions.
//!
//! The instructions are for a model to read; the task value beside them says the same, and more, as data. What comes from
//! the request, the specification, the package or a tool is a value of the kind `data` and is fenced by the template.

use bailiwick_agent::templates::{RenderError, Rendered, Values};
use bailiwick_sdk::tasks::{ClassifyTask, Diagnostic, PatchTask, Rename, TypespecTask};

use crate::gate::allowed_decorators;
use crate::knowledge::Reference;
use crate::prompts::{PromptId, render};

pub(super) fn classification(task: &ClassifyTask, reference: &Reference) -> Result<Rendered, RenderError> {
    let validated = match &task.validation {
        None => "not-yet",
        Some(report) if report.succeeded => "succeeded",
        Some(_) => "failed",
    };
    let reported = task.validation.as_ref().map_or(&task.index.diagnostics, |report| &report.diagnostics);
    let values = Values::new()
        .text("language", task.language.display_name())
        .text("scope", task.language.scope_token())
        .text("request", &task.request)
        .text("history", &task.history)
        .text("validated", validated)
        .list("diagnostics", reported.iter().map(line))
        .text("reference", reference.words())
        .list("decorators", decorators());
    render(PromptId::Classification, &values)
}

pub(super) fn typespec_customization(task: &TypespecTask, reference: &Reference) -> Result<Rendered, RenderError> {
    let values = Values::new()
        .text("language", task.language.display_name())
        .text("scope", task.language.scope_token())
        .text("client-file", &task.client_file)
        .list("items", task.items.iter().map(|item| format!("{} ({})", item.text, item.reason)))
        .text("request", &task.request)
        .list("feedback", task.feedback.iter().map(line))
        .text("reference", reference.whole())
        .list("decorators", decorators());
    render(PromptId::TypespecCustomization, &values)
}

pub(super) fn code_patch(task: &PatchTask) -> Result<Rendered, RenderError> {
    let changes = task.typespec_changes.iter();
    let changes = changes.map(|change| {
        format!("@{} on {} for {} in {}", change.decorator_name, change.target, change.scope, change.file_path)
    });
    let values = Values::new()
        .text("language", task.language.scope_token())
        .text("package", &task.package)
        .list("files", &task.customization_files)
        .list("diagnostics", task.diagnostics.iter().map(line))
        .list("typespec-changes", changes)
        .list("renames", task.renames.iter().map(rename))
        .text("line-limit", task.line_limit.to_string())
        .text("file-limit", task.file_limit.to_string());
    render(PromptId::CodePatch, &values)
}

/// The gate's own list, so that what a model is told is what the gate takes.
fn decorators() -> impl Iterator<Item = String> {
    allowed_decorators().map(|one| format!("`@{}`", one.name()))
}

fn line(diagnostic: &Diagnostic) -> String {
    let severity = if diagnostic.is_error() { "error" } else { "warning" };
    let code = diagnostic.code.as_deref().map(|code| format!(" [{code}]")).unwrap_or_default();
    format!("{}: {severity}{code}: {} ({})", diagnostic.place(), diagnostic.message, diagnostic.tool)
}

fn rename(rename: &Rename) -> String {
    let noun = rename.kind.noun();
    match &rename.container {
        Some(class) => format!("{noun} {class}.{} is now {}", rename.old, rename.new),
        None => format!("{noun} {} is now {}", rename.old, rename.new),
    }
}

#[cfg(test)]
mod tests;
