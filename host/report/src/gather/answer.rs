//! The response that a run ended with. Each kind of run has its own.

use bailiwick_customize::coordinator::{Answer as WorkflowAnswer, Status as WorkflowStatus};
use bailiwick_customize::machine::Outcome;
use bailiwick_customize::response::{BuildResult, Response, SpecificationResponse};
use bailiwick_customize::surface::Surface;
use bailiwick_sdk::tasks::{Diagnostic, ManualGuidance, TypeSpecChange};
use serde::Deserialize;
use serde_json::Value;

use super::steps;
use crate::diff;
use crate::model::{Attempt, Decorator, DiagnosticLine, Guidance, Mark, Report, Step, Totals};

/// A response, as far as it is understood.
#[derive(Debug)]
pub(super) enum Answer {
    /// Of a customization.
    Customization(Box<Response>),
    /// Of a specification without a package.
    Specification(Box<SpecificationResponse>),
    /// Of a workflow that the caller carried out.
    Workflow(Box<WorkflowAnswer>),
    /// Of a single step such as a build.
    Single(Single),
    /// Something else.
    Unknown(Value),
    /// There is none.
    None,
}

/// What a single step came to.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Single {
    pub(super) step: String,
    pub(super) succeeded: bool,
    #[serde(default)]
    modified_files: Vec<String>,
    #[serde(default)]
    diagnostics: Vec<Diagnostic>,
    #[serde(default)]
    public_surface: Option<Surface>,
}

impl Answer {
    pub(super) fn read(value: Value) -> Self {
        if value.is_null() {
            return Self::None;
        }
        if let Ok(response) = Response::deserialize(&value) {
            return Self::Customization(Box::new(response));
        }
        if let Ok(response) = SpecificationResponse::deserialize(&value) {
            return Self::Specification(Box::new(response));
        }
        if let Ok(answer) = WorkflowAnswer::deserialize(&value) {
            return Self::Workflow(Box::new(answer));
        }
        Single::deserialize(&value).map_or(Self::Unknown(value), Self::Single)
    }

    /// Puts what it says into the report.
    pub(super) fn fill(&self, report: &mut Report) {
        match self {
            Self::Customization(response) => of_customization(response, report),
            Self::Specification(response) => of_specification(response, report),
            Self::Workflow(answer) => of_workflow(answer, report),
            Self::Single(single) => of_single(single, report),
            Self::Unknown(value) => report.changes.push(format!("the response is in a form not known here: {value}")),
            Self::None => {}
        }
    }

    /// The outcome and the sentence of a run that ended.
    pub(super) fn outcome(&self) -> Option<(Outcome, String)> {
        match self {
            Self::Customization(response) => Some((response.outcome, response.message.clone())),
            Self::Workflow(answer) => {
                let outcome = match answer.status? {
                    WorkflowStatus::Success => Outcome::Success,
                    WorkflowStatus::Failure => Outcome::Failure,
                };
                Some((outcome, answer.message.trim_end_matches('.').to_owned()))
            }
            Self::Single(Single { step, succeeded: true, .. }) => Some((Outcome::Success, format!("{step} passed"))),
            Self::Single(Single { step, .. }) => Some((Outcome::Failure, format!("{step} failed"))),
            // None of the outcomes of a package: nothing was generated or built.
            Self::Specification(_) | Self::Unknown(_) | Self::None => None,
        }
    }
}

fn of_customization(response: &Response, report: &mut Report) {
    report.error_code = response.error_code.map(|code| code.to_string());
    report.changes.clone_from(&response.changes_summary);
    report.surface = response.public_surface.as_ref().map(surface).unwrap_or_default();
    let needs = |what: &str, items: &[String]| -> Vec<String> {
        items.iter().map(|item| format!("needs a change of {what}, which the edit scope excludes: {item}")).collect()
    };
    report.changes.extend(needs("the specification", &response.spec_change_required));
    report.changes.extend(needs("customization files", &response.custom_code_change_required));
    report.guidance = guidance(&response.manual_guidance);
    report.decorators = decorators(&response.type_spec_changes);
    if let Some(build) = &response.build_result {
        of_build(build, report);
    }
    let parsed = diff::parse(&response.diff);
    (report.diff, report.generated, report.more_generated) = (parsed.files, parsed.generated, parsed.more_generated);
    let usage = &response.usage;
    if report.agents.is_empty() && usage.turns > 0 {
        report.totals = Some(Totals {
            turns: usage.turns,
            tool_calls: usage.tool_calls,
            input_tokens: usage.input_tokens,
            cached_input_tokens: usage.cached_input_tokens,
            output_tokens: usage.output_tokens,
            cost_millionths: usage.cost_millionths,
            model_ms: None,
        });
    }
}

fn of_specification(response: &SpecificationResponse, report: &mut Report) {
    report.changes.clone_from(&response.settled);
    report.surface = response
        .effects
        .iter()
        .flat_map(|effect| {
            let (title, lines) = effect.lines();
            std::iter::once(title).chain(lines)
        })
        .collect();
    report.guidance = guidance(&response.manual_guidance);
    report.decorators = decorators(&response.type_spec_changes);
    report.build = Some("none: no package was generated or built".to_owned());
    let parsed = diff::parse(&response.diff);
    (report.diff, report.generated, report.more_generated) = (parsed.files, parsed.generated, parsed.more_generated);
}

fn surface(surface: &Surface) -> Vec<String> {
    let (title, lines) = surface.lines();
    std::iter::once(title).chain(lines).collect()
}

fn guidance(all: &[ManualGuidance]) -> Vec<Guidance> {
    let guidance = all.iter().cloned();
    guidance
        .map(|part| Guidance { issue: part.issue, files: part.files, approach: part.approach, reason: part.reason })
        .collect()
}

fn decorators(all: &[TypeSpecChange]) -> Vec<Decorator> {
    let decorators = all.iter().cloned();
    decorators
        .map(|part| Decorator {
            name: part.decorator_name,
            target: part.target,
            scope: part.scope,
            file: part.file_path,
        })
        .collect()
}

fn of_build(build: &BuildResult, report: &mut Report) {
    let passed = match build.known_messages.len() {
        0 => "passed".to_owned(),
        known => format!("passed, no worse than before: {known} known errors, none new"),
    };
    report.build = Some(if build.success { passed } else { "failed".to_owned() });
    let lines = |word: &'static str, messages: &[String]| -> Vec<DiagnosticLine> {
        messages.iter().map(|message| diagnostic_of(message, word)).collect()
    };
    report.diagnostics = lines(": error", &build.error_messages);
    report.diagnostics.extend(lines(": warning", &build.warning_messages));
    let known = lines(": error", &build.known_messages).into_iter();
    // What was there before does not count, and is shown as what it comes to: a warning.
    report.diagnostics.extend(known.map(|line| DiagnosticLine { error: false, ..line }));
}

/// `path:line: error [code] message`, taken apart as far as it has that form.
fn diagnostic_of(line: &str, severity: &str) -> DiagnosticLine {
    let error = severity == ": error";
    let (place, rest) = line.split_once(severity).unwrap_or(("", line));
    let coded = rest.strip_prefix(" [").and_then(|rest| rest.split_once("] "));
    let (code, message) = coded.map_or((None, rest), |(code, message)| (Some(code.to_owned()), message));
    DiagnosticLine { error, place: place.to_owned(), code, message: message.trim_start().to_owned() }
}

fn of_workflow(answer: &WorkflowAnswer, report: &mut Report) {
    report.surface = answer.public_surface.as_ref().map(surface).unwrap_or_default();
    report.changes.extend(answer.refused_changes.iter().map(|refused| format!("refused: {refused}")));
}

fn of_single(single: &Single, report: &mut Report) {
    report.surface = single.public_surface.as_ref().map(surface).unwrap_or_default();
    report.build = Some(if single.succeeded { "passed" } else { "failed" }.to_owned());
    report.diagnostics = single.diagnostics.iter().map(steps::diagnostic).collect();
    report.changes = single.modified_files.iter().map(|path| format!("`{path}`")).collect();
    let (mark, result) = if single.succeeded { (Mark::Good, "passed") } else { (Mark::Bad, "failed") };
    let step = Step { name: single.step.clone(), mark, result: result.to_owned(), ..Step::default() };
    report.attempts.push(Attempt { title: "The step".to_owned(), mark, steps: vec![step] });
}
