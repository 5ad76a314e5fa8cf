//! The tables of `docs/reference/mechanic.md`, made from what the tests check.
//!
//! `BAILIWICK_REWRITE_SNAPSHOTS=1 cargo test --lib -- document_tests` rewrites them; read the difference before it is kept.

use std::fmt::Write;
use std::path::PathBuf;

use similar::TextDiff;

use super::analyzer::tests::RENAMED;
use super::python::tests::repairs::{Behind, LEFT, REPAIRED};
use super::repair::cases::{Break, Example, Outcome, examples};
use super::sample;
use bailiwick_sdk::tasks::Language;

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "⏎")
}

/// Requests over the sample service, with what is read of them.
const EXAMPLES: &[&str] = &[
    "Widgets.deleteWidget must not be part of the public API.",
    "`AnalyzeResult` -> `WidgetAnalysis`",
    "Hi all, the model AnalyzeResult says little to our customers. We would call it WidgetAnalysis in Python, as the portal does. Thanks, Kim",
    "| element | now | should be |\n|---|---|---|\n| Widget | display_name | title |",
    "ElementId: azure.widget.models.Widget.display_name\nComment: `title` please",
    "> Please rename Widget to Gadget.\n\nWe keep Widget. Hide deleteWidget instead.",
    "rename Widget.displayName to title, Java only",
    "For Python and Java: Widget.displayName should be called title.",
    "Should we rename Widget to Gadget?",
    "If the board agrees, rename Widget to Gadget.",
    "displayName should be title",
    "Rename Widget.displayName to title. Also, add a method that waits until the widget is ready.",
    "LGTM",
];

fn read() -> String {
    let mut text = String::new();
    for request in EXAMPLES {
        writeln!(text, "```text\n{request}\n```\n").unwrap();
        let found = crate::read::understand(request, Language::Python, &sample::index());
        for one in &found.actions {
            let mut change = serde_json::to_value(&one.change).unwrap();
            if let Some(scope) = one.scope.as_ref().map(|scope| scope.argument().unwrap_or_else(|| "all".into())) {
                change["scope"] = scope.into();
            }
            writeln!(text, "- action: `{change}`").unwrap();
        }
        for one in &found.guidance {
            writeln!(text, "- guidance: {}", one.issue.replace('\n', " ")).unwrap();
        }
        if found.actions.is_empty() && found.guidance.is_empty() {
            writeln!(text, "- nothing is to be done").unwrap();
        }
        writeln!(text).unwrap();
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
fn document_shows_what_the_tests_check() {
    let rewrite = std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some();
    assert!(!(rewrite && std::env::var_os("CI").is_some()), "documents are not rewritten in CI");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/mechanic.md");
    let kept = std::fs::read_to_string(&path).unwrap();
    let sections = [
        ("read", read()),
        ("analyzed", analyzed()),
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
