//! Plans the edit of `client.tsp`: read it, write it with the decorators in it, hand in what changed.

use serde_json::json;

use super::check::check_all;
use super::client_file::{Conflict, Wanted, Written, edit, is_done, wanted};
use super::client_layout::{Block, block, options};
use super::decorate::options_of;
use super::guidance;
use super::intents::{Intent, Refusal};
use super::out_of_reach;
use super::request;
use super::turns::{FileRead, Turn, done, failure_text, file, read_call, refused_exit};
use bailiwick_agent::backend::BackendError;
use bailiwick_agent::message::Message;
use bailiwick_sdk::renames::{made_renames, rename_of, rename_of_hidden};
use bailiwick_sdk::tasks::{
    Decoration, Diagnostic, Directive, Entity, EntityKind, ItemVerdict, ManualGuidance, Rename, Route, Scope,
    TypeSpecChange, TypespecResult, TypespecTask,
};

/// The next turn.
pub(crate) fn plan(task: &TypespecTask, messages: &[Message]) -> Result<Turn, BackendError> {
    if let Some(reason) = refused_exit(messages) {
        // The same task yields the same edit: what was refused once would be refused again.
        return restore_or_fail(task, messages, &reason);
    }
    let intents = match intents(task) {
        Ok(intents) => intents,
        Err(guidance) => return fail(guidance),
    };
    if let Some(blamed) = blamed(task) {
        return fail(specification_error(task, blamed));
    }
    let open = || intents.iter().filter(|one| !is_done(&one.intent, one.scope.as_ref(), &task.index, task.language));
    let blocks: Vec<Block> = open()
        .filter_map(|one| match &one.intent {
            Intent::Regroup { plan } => Some(block(plan, task.language)),
            Intent::Decorate { target, decoration: Decoration::ClientInitialization(wanted), .. } => {
                let own = task.language.scope_token().to_owned();
                let scope = one.scope.as_ref().map_or(Some(own), Scope::argument);
                let made = options_of(target, wanted, &task.index).ok().flatten()?;
                Some(options(&made, scope.as_deref()))
            }
            _ => None,
        })
        .collect();
    let wanted: Vec<Wanted> = open().filter_map(|one| wanted(&one.intent, one.scope.as_ref(), task.language)).collect();
    if wanted.is_empty() && blocks.is_empty() {
        return finish(task, &intents, &[]);
    }
    let read = file(messages, &task.client_file);
    if let Some(call) = read_call(&task.client_file, &read) {
        return Ok(Turn::call(format!("reading `{}`", task.client_file), vec![call]));
    }
    let content = match read {
        FileRead::Whole(content) => Some(content),
        FileRead::Failed(why) => return fail(unreadable(task, &why)),
        _ => None,
    };
    let edited = match edit(content.as_deref(), &wanted, &blocks, &task.index, task.language, &task.main_file) {
        Ok(edited) => edited,
        Err(conflict) => return fail(conflicting(task, &conflict)),
    };
    if edited.written.is_empty() {
        return finish(task, &intents, &[]);
    }
    match done(messages).find(|(call, _)| call.name == "WriteFile") {
        None => {
            let write = json!({ "filePath": task.client_file, "content": edited.text });
            let what: Vec<String> = intents.iter().map(|one| one.intent.describe(task.language)).collect();
            Ok(Turn::call(what.join("; "), vec![("WriteFile", write)]))
        }
        Some((_, Some(result))) if !result.is_error => finish(task, &intents, &edited.written),
        Some((_, result)) => {
            let why = result.map_or_else(|| "no answer".into(), |result| failure_text(&result.content));
            fail(unreadable(task, &why))
        }
    }
}

/// What an item asks for, in the languages of a scope; `None` stands for the package's own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Scoped {
    intent: Intent,
    scope: Option<Scope>,
}

fn intents(task: &TypespecTask) -> Result<Vec<Scoped>, ManualGuidance> {
    let mut intents: Vec<Scoped> = Vec::new();
    let items = || task.items.iter().filter(|item| item.route == Route::PhaseA);
    let directives: Vec<&Directive> = items().flat_map(|item| &item.directives).collect();
    let mut checked = check_all(&directives, &task.index, task.language).into_iter();
    for item in items() {
        let found = if item.directives.is_empty() { read(task, item) } else { directed(task, item, &mut checked) };
        for (outcome, scope) in found {
            let one = Scoped { intent: outcome.map_err(|refusal| guidance::guidance(&refusal, task.language))?, scope };
            if !intents.contains(&one) {
                intents.push(one);
            }
        }
    }
    if intents.is_empty() {
        return Err(guidance::guidance(&Refusal::Empty, task.language));
    }
    Ok(intents)
}

type Outcome = (Result<Intent, Refusal>, Option<Scope>);

/// What an item's directives come to.
fn directed(
    task: &TypespecTask,
    item: &ItemVerdict,
    checked: &mut impl Iterator<Item = Result<Intent, Refusal>>,
) -> Vec<Outcome> {
    item.directives
        .iter()
        .zip(checked)
        .map(|(directive, outcome)| {
            let outcome = match outcome {
                // Which names changed stands in the log that the item quotes, if it does.
                Ok(Intent::Refresh { .. }) => Ok(refresh(task, item)),
                outcome => outcome,
            };
            (outcome, directive.scope.clone())
        })
        .collect()
}

fn refresh(task: &TypespecTask, item: &ItemVerdict) -> Intent {
    let _ = item;
    let diagnostics: Vec<Diagnostic> =
        bailiwick_sdk::diagnostics::pasted::entries(&task.request).into_iter().map(|entry| entry.diagnostic).collect();
    let renames = super::drift::renames_behind(&diagnostics, task.language, &task.index);
    Intent::Refresh { renames: renames.unwrap_or_else(|| made_renames(task.language, &task.index)) }
}

/// What an item's text asks for.
fn read(task: &TypespecTask, item: &ItemVerdict) -> Vec<Outcome> {
    let items = request::read(&item.text, task.language, &task.index).items;
    let each = |read: request::Item| match read.outcome {
        Err(refusal) => vec![(Err(refusal), None)],
        Ok(intents) => intents
            .into_iter()
            .zip(read.directives)
            .map(|(intent, directive)| match intent {
                Intent::Refresh { .. } => (Ok(refresh(task, item)), directive.scope),
                intent => (Ok(intent), directive.scope),
            })
            .collect(),
    };
    items.into_iter().flat_map(each).collect()
}

/// Tools whose errors are about hand-written code.
const HAND_WRITTEN: [&str; 11] =
    ["mypy", "import", "pylint", "confinement", "drift", "javac", "maven", "customization", "dotnet", "tsc", "go"];

/// The first error of an earlier attempt that the specification, its emitter or the gate reported.
fn blamed(task: &TypespecTask) -> Option<&Diagnostic> {
    task.feedback.iter().find(|one| one.is_error() && !HAND_WRITTEN.contains(&one.tool.as_str()))
}

fn finish(task: &TypespecTask, intents: &[Scoped], written: &[Written]) -> Result<Turn, BackendError> {
    let result = TypespecResult {
        changes: written
            .iter()
            .map(|one| TypeSpecChange {
                decorator_name: one.name.clone(),
                target: one.target.clone(),
                scope: one.scope.clone(),
                file_path: task.client_file.clone(),
            })
            .collect(),
        no_edit_needed: written.is_empty(),
        failure: None,
        renames: intents
            .iter()
            .filter(|one| reaches_package(one, task))
            .flat_map(|one| renames(task, &one.intent))
            .collect(),
    };
    let text = if written.is_empty() { "the specification already says so" } else { "the decorators are written" };
    Turn::exit(text, &result)
}

/// Whether the package's own client changes.
fn reaches_package(one: &Scoped, task: &TypespecTask) -> bool {
    one.scope.as_ref().is_none_or(|scope| scope.covers(task.language))
}

/// How names change in the client because of an intent, compared with what hand-written code can still hold.
fn renames(task: &TypespecTask, intent: &Intent) -> Vec<Rename> {
    match intent {
        // The class of a client is not a type of the service.
        Intent::Rename { target, .. } if target.kind == EntityKind::Namespace => Vec::new(),
        Intent::Rename { target, new, .. } => {
            let today = target.client.as_ref().map_or(&target.name, |client| &client.name);
            let old = if today == new { &target.name } else { today };
            let each = |one: &Entity| rename_of(one, old, new, task.language, &task.index);
            let all = out_of_reach::along(target, &task.index).into_iter().map(each);
            all.filter(|rename| rename.old != rename.new).collect()
        }
        Intent::Show { target } => {
            let hidden = rename_of_hidden(target, task.language, &task.index);
            hidden
                .map(|Rename { kind, container, old, new }| Rename { kind, container, old: new, new: old })
                .into_iter()
                .collect()
        }
        Intent::Hide { target } => rename_of_hidden(target, task.language, &task.index).into_iter().collect(),
        Intent::Refresh { renames } => renames.clone(),
        // A move of an operation to another class is not a rename: hand-written code that it breaks is for a person.
        Intent::Move { .. }
        | Intent::Regroup { .. }
        | Intent::Decorate { .. }
        | Intent::Undecorate { .. }
        | Intent::Nothing => Vec::new(),
    }
}

fn fail(guidance: ManualGuidance) -> Result<Turn, BackendError> {
    let text = guidance.issue.clone();
    Turn::exit(text, &TypespecResult { failure: Some(guidance), ..TypespecResult::default() })
}

/// Puts back what was read before the result is handed in as a failure.
fn restore_or_fail(task: &TypespecTask, messages: &[Message], reason: &str) -> Result<Turn, BackendError> {
    let writes = done(messages).filter(|(call, _)| call.name == "WriteFile").count();
    if writes == 1
        && let FileRead::Whole(before) = file(messages, &task.client_file)
    {
        let write = json!({ "filePath": task.client_file, "content": before });
        return Ok(Turn::call("the edit was refused; putting the file back", vec![("WriteFile", write)]));
    }
    fail(ManualGuidance {
        issue: format!("the edit of `{}` was refused: {reason}", task.client_file),
        files: vec![task.client_file.clone()],
        approach: "add the decorator by hand, then compile the specification and regenerate".into(),
        reason: "the same edit would be refused again".into(),
    })
}

fn unreadable(task: &TypespecTask, why: &str) -> ManualGuidance {
    ManualGuidance {
        issue: format!("`{}` cannot be edited: {why}", task.client_file),
        files: vec![task.client_file.clone()],
        approach: "make the file a readable, writable UTF-8 text file and try again".into(),
        reason: "a file that cannot be read whole is not edited".into(),
    }
}

fn conflicting(task: &TypespecTask, conflict: &Conflict) -> ManualGuidance {
    ManualGuidance {
        issue: conflict.issue.clone(),
        files: vec![format!("{}:{}", task.client_file, conflict.line)],
        approach: format!(
            "take `{}` out of the scope of that decorator, then add one for `{}` alone",
            task.language.scope_token(),
            task.language.scope_token()
        ),
        reason: "changing it would change the clients of other languages, and a second decorator beside it would contradict it".into(),
    }
}

fn specification_error(task: &TypespecTask, first: &Diagnostic) -> ManualGuidance {
    ManualGuidance {
        issue: format!("the earlier attempt failed: {}", first.message),
        files: if first.file.is_some() { vec![first.place()] } else { vec![task.client_file.clone()] },
        approach: "correct the specification by hand so that it compiles and generates, then ask again".into(),
        reason: "the same edit would fail in the same way".into(),
    }
}
