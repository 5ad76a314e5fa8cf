//! Repairs of small hand-written files, each with the one thing that makes it hard.

use super::Python;
use crate::repair::{Case, Doubt, Hunk, Limits, Reader, Text};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename, Severity};

mod arguments;
mod constructors;
mod member;
mod real;
pub(crate) mod repairs;
mod types;

const FILE: &str = "sdk/azure/widget/models/_patch.py";
const LIMITS: Limits = Limits { lines: 19, files: 4 };

fn class() -> Rename {
    Rename { kind: EntityKind::Model, container: None, old: "AnalyzeResult".into(), new: "WidgetAnalysis".into() }
}

fn property() -> Rename {
    Rename {
        kind: EntityKind::Property,
        container: Some("Widget".into()),
        old: "display_name".into(),
        new: "title".into(),
    }
}

fn error(line: u32, column: Option<u32>, message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(FILE.into()),
        line: Some(line),
        column,
        code: Some("attr-defined".into()),
        message: message.into(),
        symbol: None,
        tool: "mypy".into(),
    }
}

fn missing_class(line: u32) -> Diagnostic {
    error(line, None, "Module \"azure.widget.models._models\" has no attribute \"AnalyzeResult\"")
}

fn missing_property(line: u32) -> Diagnostic {
    error(line, None, "\"Widget\" has no attribute \"display_name\"")
}

fn patched(text: &str, hunks: &[Hunk]) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for hunk in hunks {
        let (first, last) = (hunk.first as usize - 1, hunk.last as usize - 1);
        assert_eq!(lines[first..=last].join("\n").trim_end_matches('\r'), hunk.old);
        let end = if lines[last].ends_with('\r') { "\r" } else { "" };
        let new: Vec<String> = (hunk.new.clone() + end).split('\n').map(str::to_owned).collect();
        assert_eq!(new.len(), last - first + 1, "a repair keeps the number of lines");
        lines.splice(first..=last, new);
    }
    lines.join("\n")
}

fn repair(text: &str, renames: &[Rename], diagnostics: &[Diagnostic]) -> Result<Vec<Hunk>, Vec<Doubt>> {
    let files = [Text { path: FILE.to_owned(), text: text.to_owned() }];
    let case = Case { files: &files, generated: &[], package: "azure-widget", renames, diagnostics, limits: LIMITS };
    Python.repair(&case)
}

fn run(text: &str, renames: &[Rename], diagnostics: &[Diagnostic]) -> Result<String, Vec<Doubt>> {
    repair(text, renames, diagnostics).map(|hunks| patched(text, &hunks))
}

#[track_caller]
fn becomes(text: &str, renames: &[Rename], diagnostics: &[Diagnostic], expected: &str) {
    assert_eq!(run(text, renames, diagnostics).as_deref(), Ok(expected));
}

#[track_caller]
fn doubts(text: &str, renames: &[Rename], diagnostics: &[Diagnostic], about: &str) {
    let doubts = run(text, renames, diagnostics).expect_err("no edit");
    let all: Vec<&str> = doubts.iter().map(|doubt| doubt.issue.as_str()).collect();
    assert!(all.join("\n").contains(about), "{all:#?}");
}

#[test]
fn class_and_its_property_are_renamed_together() {
    let property = Rename {
        kind: EntityKind::Property,
        container: Some("AnalyzeResult".into()),
        old: "health_score".into(),
        new: "score".into(),
    };
    becomes(
        "from ._models import AnalyzeResult\n\n\ndef f(result: AnalyzeResult) -> int:\n    return result.health_score\n",
        &[class(), property],
        &[missing_class(1)],
        "from ._models import WidgetAnalysis\n\n\ndef f(result: WidgetAnalysis) -> int:\n    return result.score\n",
    );
}
