//! Requests of more than a sentence with one wish: lists, tables, several wishes, what points back, signatures, labels and
//! questions. Each form is written for the names of every language; a share is read, and none is misread.

mod anaphora;
mod fragments;
mod labels;
mod lists;
mod several;
mod signatures;
mod tables;

use super::*;
use bailiwick_sdk::tasks::Access;

/// Texts in which `{T}` is a model, `{U}` another one, `{P}` a property of `{T}`, `{O}`, `{D}`, `{G}` and `{L}` are operations,
/// `{K}` one that is internal, and `{T2}`, `{U2}`, `{P2}`, `{O2}` new names; and what they ask for: `T` is a rename of `{T}`,
/// `-D` hides, `+K` shows, `>L` moves to a new group `Catalog`.
type Forms = &'static [(&'static str, &'static [&'static str])];

/// How a name is written.
type Style = fn(&str) -> String;

/// How a language writes its operations and properties.
const STYLES: &[(Language, Style)] = &[
    (Language::Python, snake),
    (Language::Java, str::to_owned),
    (Language::Dotnet, pascal),
    (Language::Go, pascal),
    (Language::Javascript, str::to_owned),
];

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

const TYPES: &[(&str, &str)] =
    &[("{T}", "AnalyzeResult"), ("{T2}", "WidgetAnalysis"), ("{U}", "Manufacturer"), ("{U2}", "WidgetMaker")];

const MEMBERS: &[(&str, &str)] = &[
    ("{P}", "healthScore"),
    ("{P2}", "conditionGrade"),
    ("{O}", "analyzeWidget"),
    ("{O2}", "inspectWidget"),
    ("{D}", "deleteWidget"),
    ("{G}", "getPart"),
    ("{L}", "listWidgets"),
    ("{K}", "deletePart"),
];

fn written(form: &str, style: Style) -> String {
    let types = TYPES.iter().fold(form.to_owned(), |text, (mark, name)| text.replace(mark, name));
    MEMBERS.iter().fold(types, |text, (mark, name)| text.replace(mark, &style(name)))
}

/// A change in the terms of [`Forms`], or what else it is.
fn told(change: &Change) -> String {
    let is_of = |target: &str, mark: &str| {
        let known = TYPES.iter().chain(MEMBERS).find(|(known, _)| *known == mark);
        known.is_some_and(|(_, name)| target.ends_with(&format!(".{name}")))
    };
    let mark = |target: &str| {
        ["T", "U", "P", "O", "D", "G", "L", "K"].into_iter().find(|mark| is_of(target, &format!("{{{mark}}}")))
    };
    let found = match change {
        Change::Rename { target, name, .. } => mark(target).filter(|mark| is_named(mark, name)).map(str::to_owned),
        Change::Hide { target, .. } => mark(target).map(|mark| format!("-{mark}")),
        Change::Show { target, .. } => mark(target).map(|mark| format!("+{mark}")),
        Change::Move { target, to, .. } if to == "Catalog" => mark(target).map(|mark| format!(">{mark}")),
        _ => None,
    };
    found.unwrap_or_else(|| format!("{change:?}"))
}

fn is_named(mark: &str, name: &str) -> bool {
    let new = format!("{{{mark}2}}");
    let wanted = TYPES.iter().chain(MEMBERS).find(|(known, _)| *known == new);
    wanted.is_some_and(|(_, wanted)| crate::names::key(wanted) == crate::names::key(name))
}

/// What stands around a request and changes nothing.
const AROUND: &[(&str, &str)] =
    &[("", ""), ("Hi team,\n\nthanks for the new package, it looks good.\n\n", "\n\nThanks a lot,\nAna")];

/// How many of the texts come to all that is asked; none may come to something else.
struct Measured {
    right: usize,
    all: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

fn measured(forms: Forms) -> Measured {
    let index = sample::index_with(&[("Parts.deletePart", None, Access::Internal)]);
    let mut found = Measured { right: 0, all: 0, missed: Vec::new(), wrong: Vec::new() };
    for (wanted, texts) in forms {
        let mut wanted: Vec<&str> = wanted.split_whitespace().collect();
        wanted.sort_unstable();
        for (at, text) in texts.iter().enumerate() {
            for (number, (language, style)) in STYLES.iter().enumerate() {
                let (before, behind) = AROUND[(at + number) % AROUND.len()];
                let request = format!("{before}{}{behind}", written(text, *style));
                let read = understand(&request, *language, &index);
                let mut changes: Vec<String> = read.actions.iter().map(|one| told(&one.change)).collect();
                changes.sort_unstable();
                found.all += 1;
                if changes.iter().any(|one| !wanted.contains(&one.as_str())) {
                    found.wrong.push(format!("{request}\n=> {changes:?}"));
                } else if changes == wanted {
                    found.right += 1;
                } else {
                    found.missed.push(format!("{request}\n=> {changes:?}"));
                }
            }
        }
    }
    found
}

/// At least so many of a hundred texts are read, and none is misread.
fn assert_read(forms: Forms, percent: usize) {
    let found = measured(forms);
    assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n\n"));
    assert!(
        found.right * 100 >= found.all * percent,
        "{} of {}, not read:\n\n{}",
        found.right,
        found.all,
        found.missed.join("\n\n")
    );
}
