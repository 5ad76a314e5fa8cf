//! The tables of `docs/reference/mechanic.md`, made from what the tests check.
//!
//! `BAILIWICK_REWRITE_SNAPSHOTS=1 cargo test --lib -- document_tests` rewrites them; read the difference before it is kept.

use std::fmt::Write;
use std::path::PathBuf;

use similar::TextDiff;

use super::analyzer::tests::RENAMED;
use super::client_file::decoration;
use super::client_layout::block;
use super::guidance::guidance;
use super::intents::{Intent, Verb};
use super::patterns::{forms, patterns};
use super::python::tests::repairs::{Behind, LEFT, REPAIRED};
use super::repair::cases::{Break, Example, Outcome, examples};
use super::request::read;
use super::sample;
use super::wordings::*;
use bailiwick_sdk::tasks::Language;

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "⏎")
}

fn code(text: &str) -> String {
    match text {
        "" => "*(nothing)*".to_owned(),
        _ if text.contains('`') => format!("`` {} ``", cell(text)),
        _ => format!("`{}`", cell(text)),
    }
}

fn understood() -> String {
    let mut table = "| request | intent | line in `client.tsp` |\n|---|---|---|\n".to_owned();
    let all =
        [HIDE, HIDDEN_ALREADY, HIDE_MISSPELT, RENAME_MODEL, RENAMED_ALREADY, RENAME_MODEL_MISSPELT, RENAME_PROPERTY];
    for wording in all.concat() {
        let item = read(wording, Language::Python, &sample::index()).remove(0);
        let intent = item.outcome.unwrap();
        let written = decoration(&intent).unwrap();
        let line = format!("@@{}({}, {}, \"python\");", written.name, written.target, written.value);
        let intent = intent.describe(Language::Python).replace("Contoso.WidgetManager.", "");
        writeln!(
            table,
            "| {} | {} | {} |",
            code(wording),
            cell(&intent),
            code(&line.replace("Contoso.WidgetManager.", "…"))
        )
        .unwrap();
    }
    table
}

fn moved() -> String {
    let mut table = "| request | line in `client.tsp` |\n|---|---|\n".to_owned();
    for (wording, _) in MOVED {
        let item = read(wording, Language::Python, &sample::index()).remove(0);
        let written = decoration(&item.outcome.unwrap()).unwrap();
        let line = format!("@@{}({}, {}, \"python\");", written.name, written.target, written.value);
        writeln!(table, "| {} | {} |", code(wording), code(&line.replace("Contoso.WidgetManager", "…"))).unwrap();
    }
    table
}

fn regrouped() -> String {
    let mut text = String::new();
    for wording in REGROUPED {
        writeln!(text, "- {}", code(wording)).unwrap();
    }
    let item = read(REGROUPED[0], Language::Python, &sample::index()).remove(0);
    let Ok(Intent::Regroup { plan }) = item.outcome else { panic!("no plan") };
    writeln!(text, "\n```tsp\n{}\n```\n", block(&plan, Language::Python).lines.join("\n")).unwrap();
    text += "| request | what the guidance says |\n|---|---|\n";
    for (wording, _) in REGROUPINGS_REFUSED {
        let item = read(wording, Language::Python, &sample::index()).remove(0);
        let guidance = guidance(&item.outcome.unwrap_err(), Language::Python);
        let issue = guidance.issue.replace("Contoso.WidgetManager.", "…");
        writeln!(text, "| {} | {} |", code(wording), cell(&issue)).unwrap();
    }
    text
}

fn analyzed() -> String {
    let mut table = "| rule | message | name |\n|---|---|---|\n".to_owned();
    for (rule, message, model, new) in RENAMED {
        writeln!(table, "| {rule} | {} | `{model}` becomes `{new}` |", cell(message)).unwrap();
    }
    table
}

fn refused() -> String {
    let mut table = "| request | why not | what the guidance says |\n|---|---|---|\n".to_owned();
    for (wording, why) in REFUSED {
        let item = read(wording, Language::Python, &sample::index()).remove(0);
        let guidance = guidance(&item.outcome.unwrap_err(), Language::Python);
        let issue = guidance.issue.replace("Contoso.WidgetManager.", "…");
        writeln!(table, "| {} | {} | {} |", code(wording), cell(why), cell(&issue)).unwrap();
    }
    table
}

fn grammar() -> String {
    assert_eq!(forms().map(|(_, forms)| forms.len()).iter().sum::<usize>(), patterns().len());
    let mut text = String::new();
    for (verb, forms) in forms() {
        let verb = match verb {
            Verb::Hide => "To hide something",
            Verb::Rename => "To rename something",
            Verb::Move => "To move an operation",
            Verb::Fix => "To fix what a log reports",
            Verb::Nothing => "To ask for nothing",
        };
        writeln!(text, "{verb}:\n\n```text\n{}\n```\n", forms.join("\n")).unwrap();
    }
    text
}

/// Code inside an item of a list. Lines without text have no spaces either.
fn indented(code: &str) -> String {
    let lines: Vec<String> = code.lines().map(|line| format!("  {line}").trim_end().to_owned()).collect();
    lines.join("\n")
}

fn repaired() -> String {
    let mut text = String::new();
    for behind in Behind::ALL {
        let described = behind.describe();
        let cases: Vec<_> = REPAIRED.iter().filter(|case| case.1.describe() == described).collect();
        writeln!(text, "When {described}:\n").unwrap();
        for (what, _, _, before, after) in cases {
            let diff = TextDiff::from_lines(*before, *after).unified_diff().context_radius(1).to_string();
            let lines: Vec<&str> = diff.lines().filter(|line| !line.starts_with("@@")).collect();
            writeln!(text, "- {what}\n\n  ```diff\n{}\n  ```\n", indented(&lines.join("\n"))).unwrap();
        }
    }
    text
}

fn left() -> String {
    let mut text = String::new();
    for (what, behind, _, _, file) in LEFT {
        let file = indented(file.trim_end());
        writeln!(text, "- {what} ({})\n\n  ```python\n{file}\n  ```\n", behind.describe()).unwrap();
    }
    text
}

/// What a row says in one word, told from how its examples end.
fn extent(examples: &[&Example]) -> &'static str {
    let repaired = examples.iter().any(|one| matches!(one.outcome, Outcome::Becomes(_)));
    if repaired { "repaired" } else { "guidance" }
}

fn coverage() -> String {
    let mut text = "| |".to_owned();
    for of in Break::ALL {
        write!(text, " {} |", of.title()).unwrap();
    }
    writeln!(text, "\n|---|{}", "---|".repeat(Break::ALL.len())).unwrap();
    let of_cell = |language: Language, of: Break| -> Vec<&Example> {
        let found: Vec<&Example> = examples(language).iter().filter(|one| one.of == of).collect();
        assert!(!found.is_empty(), "{language} has no example of a {}", of.title());
        found
    };
    for language in Language::ALL {
        write!(text, "| {language} |").unwrap();
        for of in Break::ALL {
            write!(text, " {} |", extent(&of_cell(language, of))).unwrap();
        }
        writeln!(text).unwrap();
    }
    for language in Language::ALL {
        writeln!(text, "\n{language}:\n").unwrap();
        for of in Break::ALL {
            for example in of_cell(language, of) {
                let end = if matches!(example.outcome, Outcome::Becomes(_)) { "repaired" } else { "left to a person" };
                writeln!(text, "- {}, {end}: {}", of.title(), example.what).unwrap();
            }
        }
    }
    text
}

/// The document with what stands between the marks of a section replaced.
fn replaced(document: &str, section: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- begin {section} -->\n"), format!("<!-- end {section} -->\n"));
    let (before, rest) = document.split_once(&begin).unwrap_or_else(|| panic!("no mark {begin:?}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no mark {end:?}"));
    format!("{before}{begin}\n{}\n\n{end}{after}", text.trim_end())
}

#[test]
fn the_document_shows_what_the_tests_check() {
    let rewrite = std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some();
    assert!(!(rewrite && std::env::var_os("CI").is_some()), "documents are not rewritten where nobody reads them");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/mechanic.md");
    let kept = std::fs::read_to_string(&path).unwrap();
    let sections = [
        ("understood", understood()),
        ("moved", moved()),
        ("regrouped", regrouped()),
        ("analyzed", analyzed()),
        ("refused", refused()),
        ("grammar", grammar()),
        ("repaired", repaired()),
        ("left", left()),
        ("coverage", coverage()),
    ];
    let text = sections.iter().fold(kept.clone(), |text, (section, table)| replaced(&text, section, table));
    if rewrite {
        std::fs::write(&path, &text).unwrap();
    } else if kept != text {
        let diff = TextDiff::from_lines(&kept, &text);
        let diff = diff
            .unified_diff()
            .header("docs/reference/mechanic.md (kept)", "docs/reference/mechanic.md (made)")
            .to_string();
        panic!("set BAILIWICK_REWRITE_SNAPSHOTS=1 to keep these:\n{diff}");
    }
}
