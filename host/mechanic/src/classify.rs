//! Plans the classifier's one turn: where each item of a request goes.

use super::check::check_all;
use super::client_file::{self, stands_already};
use super::entities::Lookup;
use super::guidance;
use super::intents::{Intent, Refusal};
use super::nameless;
use super::reader::{Around, Own, another_place};
use super::request;
use super::turns::Turn;
use bailiwick_agent::backend::BackendError;
use bailiwick_sdk::tasks::{
    Classification, ClassifyTask, Diagnostic, Directive, ItemVerdict, ManualGuidance, Route, ValidationReport,
};

/// The turn: always the verdicts, never a tool call.
pub(crate) fn plan(task: &ClassifyTask) -> Result<Turn, BackendError> {
    let classification = classify(task);
    let routes: Vec<String> = classification.items.iter().map(|item| item.reason.clone()).collect();
    Turn::exit(routes.join("; "), &classification)
}

/// The verdicts for a task.
pub(crate) fn classify(task: &ClassifyTask) -> Classification {
    if let Some(first) = &task.first {
        return again(task, first);
    }
    let mut read = request::read(&task.request, task.language, &task.index);
    leave_to_others(&mut read, task);
    let request::Read { items, candidates, background } = read;
    let verdicts = items.into_iter().zip(1..).map(|(item, number): (request::Item, u32)| {
        let (route, reason, guidance) = match &item.outcome {
            Ok(intents) => verdict(task, intents, &item.directives),
            Err(refusal) => refused(task, refusal, &item.text),
        };
        ItemVerdict { id: number.to_string(), text: item.text, route, reason, directives: item.directives, guidance }
    });
    Classification { items: verdicts.collect(), background, candidates }
}

/// Wishes for another package or a tool become guidance, and stay candidates.
fn leave_to_others(read: &mut request::Read, task: &ClassifyTask) {
    let index = &task.index;
    let named = index.namespaces.iter().chain(index.clients.iter().map(|client| &client.name));
    let own = Own::new(task.package.as_deref(), named.map(String::as_str));
    let lookup = Lookup::new(index);
    let mut around = Around::of(&task.request, &own);
    for item in &mut read.items {
        let told = around.place(&item.text, &own);
        if item.outcome.is_err() {
            continue;
        }
        let place = item.directives.iter().find_map(|one| another_place(&item.text, &one.change, &own, &lookup));
        if let Some(place) = place.or(told) {
            item.outcome = Err(Refusal::Elsewhere { place, sentence: item.text.clone() });
            read.candidates.append(&mut item.directives);
        }
    }
}

/// What was understood at first stays what is asked: it is held against what there is now.
fn again(task: &ClassifyTask, first: &Classification) -> Classification {
    let directives: Vec<&Directive> = first.items.iter().flat_map(|item| &item.directives).collect();
    let mut checked = check_all(&directives, &task.index, task.language).into_iter();
    let items = first.items.iter().map(|item| {
        if item.directives.is_empty() {
            return item.clone();
        }
        let outcome: Result<Vec<Intent>, Refusal> = checked.by_ref().take(item.directives.len()).collect();
        let (route, reason, guidance) = match &outcome {
            Ok(intents) => verdict(task, intents, &item.directives),
            Err(refusal) => refused(task, refusal, &item.text),
        };
        ItemVerdict { route, reason, guidance, ..item.clone() }
    });
    Classification { items: items.collect(), ..first.clone() }
}

type Verdict = (Route, String, Option<ManualGuidance>);

fn refused(task: &ClassifyTask, refusal: &Refusal, words: &str) -> Verdict {
    let reason = guidance::verdict_reason(refusal, task.language);
    let guidance = nameless::explain(guidance::guidance(refusal, task.language), words, &task.index);
    (Route::Failure, reason, Some(guidance))
}

/// The verdict for everything that an item asks for: the least far of its directives.
fn verdict(task: &ClassifyTask, intents: &[Intent], directives: &[Directive]) -> Verdict {
    let verdicts: Vec<Verdict> = intents
        .iter()
        .zip(directives)
        .map(|(intent, directive)| {
            let everywhere = client_file::is_done(intent, directive.scope.as_ref(), &task.index, task.language);
            let succeeded = task.validation.as_ref().is_none_or(|report| report.succeeded);
            if succeeded && everywhere && directive.scope.as_ref().is_some_and(|scope| !scope.covers(task.language)) {
                // The client of this package has no part in it.
                return (Route::Success, format!("done for other languages: {}", intent.describe(task.language)), None);
            }
            // Done here, and not yet for the other languages of its scope: the edit is tried again.
            if intent.is_done() && !everywhere {
                (Route::PhaseA, intent.describe(task.language), None)
            } else {
                one(task, intent)
            }
        })
        .collect();
    let routed = |route: Route| verdicts.iter().find(|(one, ..)| *one == route).cloned();
    routed(Route::Failure)
        .or_else(|| routed(Route::PhaseA))
        .or_else(|| routed(Route::Success))
        .unwrap_or_else(|| (Route::Success, NOTHING_ASKED.into(), None))
}

/// That nothing is asked may rest on a learned judgement, so the answer says what to do where it is wrong.
const NOTHING_ASKED: &str = "nothing is asked here, as far as can be told; where something is, give it as `--rename TARGET=NAME`, `--hide TARGET`, `--show TARGET` or `--move TARGET=CLIENT`";

fn one(task: &ClassifyTask, intent: &Intent) -> Verdict {
    let what = intent.describe(task.language);
    let done = intent.is_done();
    match &task.validation {
        None => match broken_specification(task, &what) {
            Some(guidance) => (Route::Failure, "the specification does not compile".into(), Some(guidance)),
            None if done => (Route::Success, format!("it is so already: {what}"), None),
            None => (Route::PhaseA, what, None),
        },
        Some(report) if report.succeeded => after_success(task, intent, what),
        Some(report) => after_failure(task, intent, what, report),
    }
}

fn after_success(task: &ClassifyTask, intent: &Intent, what: String) -> Verdict {
    if intent.is_done() || matches!(intent, Intent::Refresh { .. }) {
        return (Route::Success, format!("done: {what}"), None);
    }
    if stands_already(intent, &task.index, task.language) {
        let guidance = ManualGuidance {
            issue: format!("the decorator to {what} stands in `spec/client.tsp` and has no effect"),
            files: vec!["spec/client.tsp".into()],
            approach:
                "look for another decorator on the same target, there or beside its declaration, that wins over it"
                    .into(),
            reason: "adding the same decorator again would change nothing".into(),
        };
        return (Route::Failure, guidance.issue.clone(), Some(guidance));
    }
    (Route::PhaseA, what, None)
}

fn after_failure(task: &ClassifyTask, intent: &Intent, what: String, report: &ValidationReport) -> Verdict {
    let attempted = task.history.to_lowercase().contains("phase a");
    let specification = broken_specification(task, &what);
    // What was only verified has had no attempt yet, and only an attempt of Phase A can lead to a repair. Edits that were
    // undone, without an error of the specification, may be tried again as often as the workflow allows.
    let untried = !attempted && *intent != Intent::Nothing;
    let undone =
        !intent.is_done() && !stands_already(intent, &task.index, task.language) && !blames_specification(report);
    if specification.is_none() && (untried || (undone && attempted)) {
        return (Route::PhaseA, what, None);
    }
    let guidance = specification.unwrap_or_else(|| failed_validation(&what, report));
    (Route::Failure, format!("the validation failed: {}", guidance.issue), Some(guidance))
}

fn blames_specification(report: &ValidationReport) -> bool {
    report.diagnostics.iter().any(|one| one.is_error() && matches!(one.tool.as_str(), "tsp" | "emitter" | "gate"))
}

fn places<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for place in diagnostics.filter(|one| one.file.is_some()).map(Diagnostic::place) {
        if files.len() < 10 && !files.contains(&place) {
            files.push(place);
        }
    }
    if files.is_empty() { vec!["spec/client.tsp".into()] } else { files }
}

fn broken_specification(task: &ClassifyTask, what: &str) -> Option<ManualGuidance> {
    let errors: Vec<&Diagnostic> = task.index.diagnostics.iter().filter(|one| one.is_error()).collect();
    let first = errors.first()?;
    Some(ManualGuidance {
        issue: format!("the specification does not compile: {}", first.message),
        files: places(errors.iter().copied()),
        approach: match errors.len() {
            1 => format!("correct the error of the specification, then ask again to {what}"),
            many => format!("correct the {many} errors of the specification, then ask again to {what}"),
        },
        reason: "a customization of a specification that does not compile cannot be validated".into(),
    })
}

fn failed_validation(what: &str, report: &ValidationReport) -> ManualGuidance {
    let errors: Vec<&Diagnostic> = report.diagnostics.iter().filter(|one| one.is_error()).collect();
    let issue = match errors.first() {
        Some(first) => format!("after the attempt to {what}: {} ({})", first.message, first.place()),
        None => format!("after the attempt to {what} the validation failed without an error in a known form"),
    };
    ManualGuidance {
        issue,
        files: places(errors.into_iter()),
        approach: "correct the places named by hand so that the package builds, or ask for a customization that does not break them".into(),
        reason: "no mechanical change is known that puts these errors right".into(),
    }
}
