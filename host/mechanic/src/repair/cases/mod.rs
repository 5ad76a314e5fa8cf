//! Repairs of small hand-written files as data: what is repaired and what is left, for each language and each kind of break.
//!
//! The tests check every one, and the coverage table of `docs/reference/mechanic.md` is made from them.

mod csharp;
mod go;
mod java;
mod python;
mod typescript;

use super::reader::{Case, Text, of};
use super::{Hunk, Limits};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Language, Rename, Severity};

/// What broke the hand-written code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    Duplicate,
    Reference,
    Import,
    Reserved,
}

impl Break {
    pub(crate) const ALL: [Self; 4] = [Self::Duplicate, Self::Reference, Self::Import, Self::Reserved];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate member",
            Self::Reference => "undefined reference after a rename",
            Self::Import => "missing import",
            Self::Reserved => "reserved word",
        }
    }
}

/// How a case ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outcome {
    /// The first file afterwards.
    Becomes(&'static str),
    /// A part of the reason why nothing is changed.
    Left(&'static str),
}

/// A rename: what it is about, its class (or nothing), the old and the new name.
pub(crate) type Renamed = (EntityKind, &'static str, &'static str, &'static str);

/// An error: the file, line, column (0 for none), code, message and symbol (or nothing).
pub(crate) type Told = (&'static str, u32, u32, &'static str, &'static str, &'static str);

/// A repair, or a reason for none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    pub(crate) of: Break,
    /// What is repaired or left, as a clause.
    pub(crate) what: &'static str,
    pub(crate) renames: &'static [Renamed],
    pub(crate) errors: &'static [Told],
    /// Hand-written files, the one that is looked at first.
    pub(crate) files: &'static [(&'static str, &'static str)],
    pub(crate) generated: &'static [(&'static str, &'static str)],
    pub(crate) outcome: Outcome,
}

/// The examples of a language.
pub(crate) fn examples(language: Language) -> &'static [Example] {
    match language {
        Language::Python => python::EXAMPLES,
        Language::Java => java::EXAMPLES,
        Language::Dotnet => csharp::EXAMPLES,
        Language::Javascript => typescript::EXAMPLES,
        Language::Go => go::EXAMPLES,
    }
}

fn tool(language: Language, code: &str) -> &'static str {
    match (language, code) {
        (_, "drift" | "missing-member") => "drift",
        (Language::Python, "ModuleNotFoundError") => "import",
        (Language::Python, _) => "mypy",
        (Language::Java, _) => "javac",
        (Language::Dotnet, _) => "dotnet",
        (Language::Javascript, _) => "tsc",
        (Language::Go, _) => "go",
    }
}

pub(crate) fn diagnostics(language: Language, errors: &[Told]) -> Vec<Diagnostic> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    errors
        .iter()
        .map(|(file, line, column, code, message, symbol)| Diagnostic {
            severity: Severity::Error,
            file: some(file),
            line: Some(*line),
            column: (*column > 0).then_some(*column),
            code: some(code),
            message: (*message).to_owned(),
            symbol: some(symbol),
            tool: tool(language, code).to_owned(),
        })
        .collect()
}

pub(crate) fn renames(renames: &[Renamed]) -> Vec<Rename> {
    let rename = |(kind, container, old, new): &Renamed| Rename {
        kind: *kind,
        container: (!container.is_empty()).then(|| (*container).to_owned()),
        old: (*old).to_owned(),
        new: (*new).to_owned(),
    };
    renames.iter().map(rename).collect()
}

fn texts(files: &[(&str, &str)]) -> Vec<Text> {
    files.iter().map(|(path, text)| Text { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
}

/// A text with patches applied as the tool applies them: each at its lines, one after the other.
pub(crate) fn patched(path: &str, text: &str, hunks: &[Hunk]) -> String {
    let mut text = text.to_owned();
    for hunk in hunks.iter().filter(|hunk| hunk.path == path) {
        let before: usize = text.split_inclusive('\n').take(hunk.first as usize - 1).map(str::len).sum();
        assert!(text[before..].starts_with(&hunk.old), "{hunk:?} in {text}");
        text.replace_range(before..before + hunk.old.len(), &hunk.new);
    }
    text
}

/// The files after the repair, or why there is none.
fn outcome(language: Language, example: &Example, limits: Limits) -> Result<Vec<String>, String> {
    let (files, generated) = (texts(example.files), texts(example.generated));
    let case = Case {
        files: &files,
        generated: &generated,
        package: "azure-widget",
        renames: &renames(example.renames),
        diagnostics: &diagnostics(language, example.errors),
        limits,
    };
    match of(language).repair(&case) {
        Ok(hunks) => Ok(files.iter().map(|file| patched(&file.path, &file.text, &hunks)).collect()),
        Err(doubts) => Err(doubts.into_iter().map(|doubt| doubt.issue).collect::<Vec<_>>().join("; ")),
    }
}

const LIMITS: Limits = Limits { lines: 19, files: 4 };

#[track_caller]
fn check(language: Language) {
    let mut wrong = Vec::new();
    for example in examples(language) {
        let what = format!("{}: {}", example.of.title(), example.what);
        match (outcome(language, example, LIMITS), example.outcome) {
            (Ok(files), Outcome::Becomes(wanted)) if files[0] == wanted => {}
            (Err(doubts), Outcome::Left(about)) if doubts.contains(about) => {}
            (Ok(files), _) => wrong.push(format!("{what}\n{}", files.join("\n---\n"))),
            (Err(doubts), _) => wrong.push(format!("{what}\n{doubts}")),
        }
    }
    assert!(wrong.is_empty(), "{language}:\n{}", wrong.join("\n\n"));
}

#[test]
fn every_example_in_python_ends_as_documented() {
    check(Language::Python);
}

#[test]
fn every_example_in_java_ends_as_documented() {
    check(Language::Java);
}

#[test]
fn every_example_in_csharp_ends_as_documented() {
    check(Language::Dotnet);
}

#[test]
fn every_example_in_typescript_ends_as_documented() {
    check(Language::Javascript);
}

#[test]
fn every_example_in_go_ends_as_documented() {
    check(Language::Go);
}

#[test]
fn repairs_of_no_lines_or_no_files_are_too_large_in_every_language() {
    for language in Language::ALL {
        for example in examples(language).iter().filter(|one| matches!(one.outcome, Outcome::Becomes(_))) {
            for limits in [Limits { lines: 0, files: 4 }, Limits { lines: 19, files: 0 }] {
                let doubts = outcome(language, example, limits).unwrap_err();
                assert!(doubts.contains("is the limit"), "{language}, {}: {doubts}", example.what);
            }
        }
    }
}

#[test]
fn error_that_nothing_explains_stops_every_repair() {
    for language in Language::ALL {
        for example in examples(language).iter().filter(|one| matches!(one.outcome, Outcome::Becomes(_))) {
            let (files, generated) = (texts(example.files), texts(example.generated));
            let mut told = diagnostics(language, example.errors);
            let mut other = told[0].clone();
            (other.line, other.column) = (Some(1), Some(1));
            other.message = "a conversion of '1' to 'string' is not possible".to_owned();
            (other.code, other.symbol) = (Some("X1".to_owned()), None);
            told.push(other);
            let case = Case {
                files: &files,
                generated: &generated,
                package: "azure-widget",
                renames: &renames(example.renames),
                diagnostics: &told,
                limits: LIMITS,
            };
            assert!(of(language).repair(&case).is_err(), "{language}: {}", example.what);
        }
    }
}
