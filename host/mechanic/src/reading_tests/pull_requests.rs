//! Forms in which pull requests, reviews and their bots write wishes.

use super::{actions, hides, renames, sample};
use crate::read::understand;
use bailiwick_sdk::tasks::{Change, Customization, CustomizationForm, Directive, Language, SpecIndex};

fn is_renamed(request: &str) {
    let read = actions(request);
    assert!(
        matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "WidgetAnalysis")),
        "{request}: {read:#?}"
    );
}

#[test]
fn decorator_that_is_written_out_is_asked_for() {
    const DECORATOR: &str = "@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")";
    for request in [
        format!("`{DECORATOR}`"),
        format!("Please add `{DECORATOR}` to `client.tsp`."),
        format!("| Break | Mitigation |\n|---|---|\n| model renamed | **MITIGATED** - `{DECORATOR}` |"),
        format!("- MITIGATE: `{DECORATOR};`"),
        format!(
            "`@@clientName(AnalyzeResult, \"Other\", \"python\")` becomes `{DECORATOR}`, the name that people import today."
        ),
        "```tsp\n@@clientName(\n  AnalyzeResult,\n  \"WidgetAnalysis\",\n  \"python\"\n);\n```".to_owned(),
    ] {
        is_renamed(&request);
    }
    let read = actions("`@@access(Widgets.deleteWidget, Access.internal, \"python\")` in `client.tsp`, please.");
    assert!(matches!(read.as_slice(), [one] if hides(one)), "{read:#?}");
}

#[test]
fn decorator_that_is_told_of_is_left_to_a_person() {
    for request in [
        "With `@@access(Widgets.deleteWidget, Access.internal, \"python\")` the models it uses are still exported.",
        "I tried `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")` and it is ignored.",
        "The converter's `@@clientName(AnalyzeResult, \"WidgetAnalysis\")` no longer applies to Python.",
        "Why is there `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`?",
        "Remove `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`.",
        "Something like `@@clientName(AnalyzeResult, \"WidgetAnalysis\", ...)`.",
        "`@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`, but it has no effect.",
        "Please add `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`, but only once the board agrees.",
        "`@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")` - please don't, it breaks users.",
        "We have `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`, right?",
        "Avoid `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`",
        "Added `@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`.",
        "`@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")` needs approval first",
        "The old name is still generated.\n\n`@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\")`\n\nWhat did I miss?",
    ] {
        assert_eq!(actions(request), [] as [Change; 0], "{request}");
    }
}

#[test]
fn table_whose_heads_name_the_specification_and_the_language_renames() {
    for heads in ["In TypeSpec | In Python", "Wire/REST name | Name in Python", "spec name | Python name"] {
        is_renamed(&format!("| {heads} |\n|---|---|\n| `AnalyzeResult` | `WidgetAnalysis` |"));
    }
    for heads in [
        "In TypeSpec | In Java",
        "Wire name | Python 1.0.0",
        "Java | Python",
        "JSON | Python type",
        "REST API | Python support",
    ] {
        let request = format!("| {heads} |\n|---|---|\n| `AnalyzeResult` | `WidgetAnalysis` |");
        assert_eq!(actions(&request), [] as [Change; 0], "{request}");
    }
}

#[test]
fn pair_of_names_is_read_with_what_lists_put_around_it() {
    for request in [
        "[Widget] AnalyzeResult -> WidgetAnalysis",
        "- [ ] Ln64 Rename `AnalyzeResult` to `WidgetAnalysis`",
        "- clientName for AnalyzeResult to WidgetAnalysis",
        "- `AnalyzeResult` goes back to `WidgetAnalysis`",
        "`AnalyzeResult` → `WidgetAnalysis` (otherwise Python has two classes of one name)",
        "`AnalyzeResult` → `WidgetAnalysis` (scope Python, no other)",
        "`AnalyzeResult` → `WidgetAnalysis` (.NET has `WidgetOutcome`, leave that)",
        "`AnalyzeResult` to `WidgetAnalysis` accordingly",
        "Landed on `WidgetAnalysis` for `AnalyzeResult`.",
        "Rename \\AnalyzeResult\\ -> \\WidgetAnalysis\\ for Python",
        "Adds Python-scope @@clientName to preserve the released names:\n- AnalyzeResult -> WidgetAnalysis",
        "Fix the names after the TypeSpec migration:\n\n- AnalyzeResult -> WidgetAnalysis",
    ] {
        is_renamed(request);
    }
    for request in [
        "[on hold] AnalyzeResult -> WidgetAnalysis",
        "[Rejected] AnalyzeResult -> WidgetAnalysis",
        "`AnalyzeResult` → `WidgetAnalysis` (if the board agrees)",
        "`AnalyzeResult` → `WidgetAnalysis` (pending)",
        "`AnalyzeResult` → `WidgetAnalysis` (to be confirmed)",
        "`AnalyzeResult` → `WidgetAnalysis` (.NET team should sign off first)",
        "Rename AnalyzeResult to WidgetAnalysis after we switch to the new emitter.",
        "Rename AnalyzeResult to WidgetAnalysis after the migration is approved.",
        "Rename AnalyzeResult to WidgetAnalysis, but only after the migration.",
        "[Docs] AnalyzeResult -> WidgetAnalysis",
        "`AnalyzeResult` is back to `WidgetAnalysis` after the migration",
    ] {
        assert_eq!(actions(request), [] as [Change; 0], "{request}");
    }
}

#[test]
fn bracket_that_names_other_languages_is_where_the_pair_is_for() {
    let index = sample::index();
    for request in
        ["`AnalyzeResult` → `WidgetAnalysis` (Java and .NET)", "`AnalyzeResult` → `WidgetAnalysis` (Java, Go)"]
    {
        let found = understand(request, Language::Python, &index).actions;
        let here = |one: &Directive| one.scope.as_ref().is_none_or(|scope| scope.covers(Language::Python));
        assert!(!found.iter().any(here), "{request}: {found:#?}");
    }
}

#[test]
fn complaint_about_a_part_of_a_name_is_no_wish() {
    for request in [
        "AnalyzeResult gets the suffix Model in the generated code.",
        "Prefix of AnalyzeResult is inconsistent with Go.",
        "PR 123 adds python to the scope of the clientName of AnalyzeResult and that is a regression.",
    ] {
        assert_eq!(actions(request), [] as [Change; 0], "{request}");
    }
}

#[test]
fn word_for_what_is_public_is_no_name_between_quotes() {
    for request in ["Set `Widgets.deleteWidget` as `internal`", "Mark `deleteWidget` as `private`"] {
        let read = actions(request);
        assert!(read.iter().all(hides), "{request}: {read:#?}");
    }
}

#[test]
fn prefix_is_put_in_front_and_a_needless_part_dropped() {
    for request in [
        "Give AnalyzeResult the prefix Widget",
        "Prefix AnalyzeResult with Widget",
        "AnalyzeResult should get the prefix Widget",
    ] {
        let read = actions(request);
        let right = matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "WidgetAnalyzeResult"));
        assert!(right, "{request}: {read:#?}");
    }
    for request in [
        "Please remove \"Result\" from AnalyzeResult",
        "The \"Result\" suffix of AnalyzeResult is redundant, please drop it",
        "The \"Result\" at the end of AnalyzeResult is redundant, drop it.",
    ] {
        let read = actions(request);
        assert!(matches!(read.as_slice(), [one] if renames(one, ".AnalyzeResult", "Analyze")), "{request}: {read:#?}");
    }
}

#[test]
fn comments_of_a_review_in_a_table_are_read_for_the_element_of_their_row() {
    let request = "# Current Task\n\nApply client customizations to address the feedback.\n\n### Comments (2 unresolved)\n\n\
        | LineNo | Element | LineText | CommentText |\n|---|---|---|---|\n\
        | 9 | azure.widget.models.AnalyzeResult | class AnalyzeResult( | Too vague. Let's rename this class \"WidgetAnalysis\". |\n\
        | 97 | azure.widget.WidgetsOperations.delete_widget | def delete_widget( | Let's make this private. |\n\n\
        ## Constraints\n\n- Do NOT change anything that other languages see\n";
    let read = actions(request);
    let right =
        matches!(read.as_slice(), [one, other] if renames(one, ".AnalyzeResult", "WidgetAnalysis") && hides(other));
    assert!(right, "{read:#?}");
}

#[test]
fn thread_under_names_in_bold_print_is_a_conversation() {
    for answer in ["**Petra** (author):\nYes, agreed.", "**petra-m**: Yes, we will update it."] {
        is_renamed(&format!("**wenyu**:\nShould AnalyzeResult be called WidgetAnalysis?\n\n{answer}"));
    }
    for answer in ["**Petra** (author):\nI doubt that we should do this.", "**petra-m**: No, we keep it."] {
        let request = format!("**wenyu**:\nShould AnalyzeResult be called WidgetAnalysis?\n\n{answer}");
        assert_eq!(actions(&request), [] as [Change; 0], "{request}");
    }
    let request = "Rename AnalyzeResult to WidgetAnalysis\n\n> Wait with this - perhaps we drop it.\n\nok";
    assert_eq!(actions(request), [] as [Change; 0], "{request}");
}

#[test]
fn language_that_joins_the_scope_of_a_decorator_gets_its_name() {
    let other = Customization {
        decorator: "clientName".to_owned(),
        target: "Contoso.WidgetManager.AnalyzeResult".to_owned(),
        arguments: vec!["\"WidgetAnalysis\"".to_owned()],
        scope: Some("csharp".to_owned()),
        form: CustomizationForm::Augment,
        line: 7,
    };
    let index = SpecIndex { customizations: vec![other], ..sample::index() };
    let read = |request: &str| -> Vec<Change> {
        understand(request, Language::Python, &index).actions.into_iter().map(|one| one.change).collect()
    };
    let asked = read("Add `python` to the `@@clientName` scope of `AnalyzeResult`.");
    assert!(matches!(asked.as_slice(), [one] if renames(one, ".AnalyzeResult", "WidgetAnalysis")), "{asked:#?}");
    for request in
        ["Add java to the scope of `AnalyzeResult`.", "Should we add python to the scope of `AnalyzeResult`?"]
    {
        assert_eq!(read(request), [] as [Change; 0], "{request}");
    }
}
