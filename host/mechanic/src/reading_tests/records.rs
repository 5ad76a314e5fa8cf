//! Tables, forms, examples and release notes: what columns, fields and labels say of the names in them.

use super::*;

fn read(request: &str) -> Vec<(String, String, Option<Scope>)> {
    let found = understand(request, Language::Python, &sample::index());
    let one = |directive: Directive| match directive.change {
        Change::Rename { target, name, .. } => (last(&target), name, directive.scope),
        Change::Hide { target, .. } => (last(&target), "hidden".to_owned(), directive.scope),
        other => panic!("{request}: {other:?}"),
    };
    found.actions.into_iter().map(one).collect()
}

fn last(target: &str) -> String {
    target.trim_start_matches("Contoso.WidgetManager.").to_owned()
}

fn renamed(target: &str, name: &str, scope: Option<Scope>) -> (String, String, Option<Scope>) {
    (target.to_owned(), name.to_owned(), scope)
}

#[test]
fn rows_between_tabs_or_gaps_are_read_below_their_heads_for_the_languages_of_their_column() {
    let sheet = "Our sheet, to be done:\n\nmodel\tproperty\ttoday\tproposed name\tlanguages\n\
                 Widget\tdisplayName\tdisplay_name\ttitle\tPython, Java\nAnalyzeResult\thealthScore\thealth_score\tscore\tPython";
    let both = Some(Scope::Only(vec![Language::Python, Language::Java]));
    assert_eq!(
        read(sheet),
        [renamed("Widget.displayName", "title", both), renamed("AnalyzeResult.healthScore", "score", None)]
    );
    let aligned = "Type          Member today    Should be\nWidget        displayName     title";
    assert_eq!(read(aligned), [renamed("Widget.displayName", "title", None)]);
    for request in [
        "model\tcurrent\tproposed\tlanguages\nAnalyzeResult\tAnalyzeResult\tWidgetAnalysis\tsee the wiki",
        "Is this table right?\n\nmodel\tcurrent\tproposed\nAnalyzeResult\tAnalyzeResult\tWidgetAnalysis",
        "Rejected rows:\n\nmodel\tcurrent\tproposed\nAnalyzeResult\tAnalyzeResult\tWidgetAnalysis",
        "Name of the sheet\tOwner\nAnalyzeResult\tWidgetAnalysis team",
        "| Class | Value today | Value then |\n|---|---|---|\n| WidgetStatus | Active | Enabled |",
    ] {
        assert!(read(request).is_empty(), "{request}: {:#?}", read(request));
    }
}

#[test]
fn heads_are_told_apart_by_the_words_that_they_do_not_share() {
    let table = "| Type today | Type at GA |\n|---|---|\n| AnalyzeResult | WidgetAnalysis |\n| Widget | no change |";
    assert_eq!(read(table), [renamed("AnalyzeResult", "WidgetAnalysis", None)]);
    let contradicted = format!("{table}\n\nrename Widget to Gadget");
    assert_eq!(read(&contradicted), [renamed("AnalyzeResult", "WidgetAnalysis", None)]);
}

#[test]
fn fields_of_a_form_are_one_row() {
    let form = "### Current name\n\nWidget.displayName\n\n### Proposed name\n\ntitle\n\n### Why\n\nIt is what the portal says.";
    assert_eq!(read(form), [renamed("Widget.displayName", "title", None)]);
    let lines = "Symbol: azure.widget.models.AnalyzeResult\nNew name: WidgetAnalysis\nLanguages: Python, Java";
    let both = Some(Scope::Only(vec![Language::Python, Language::Java]));
    assert_eq!(read(lines), [renamed("AnalyzeResult", "WidgetAnalysis", both)]);
    for request in [
        "### Current name\n\nWidget.displayName\n\n### Proposed name\n\n_No response_",
        "### Current name\n\nWidget.displayName\n\n### Proposed name\n\ntitle\n\n### Status\n\nwithdrawn",
        "Symbol: azure.widget.models.AnalyzeResult\nNew name: to be discussed",
        "Symbol: azure.widget.models.AnalyzeResult\nNew name: WidgetAnalysis\nDecision: rejected",
    ] {
        assert!(read(request).is_empty(), "{request}: {:#?}", read(request));
    }
}

#[test]
fn statement_of_code_is_an_example_and_no_wish() {
    let moved = "now\n\n    client.widgets.lst_widgets();\n\nI like it.";
    assert!(read(moved).is_empty(), "{:#?}", read(moved));
    for request in [
        "before\n\n    client.list_widgets();\n\nnow\n\n    client.widgets.list_widgets();\n\nI like it.",
        "    client.list_widgets();",
    ] {
        let found = actions(request);
        assert!(found.is_empty(), "{request}: {found:#?}");
    }
}

#[test]
fn release_notes_are_carried_out_where_a_sentence_asks_for_it() {
    let notes = "## 1.0.0b3 (Unreleased)\n\n### Breaking Changes\n- `AnalyzeResult` has been renamed to `WidgetAnalysis`\n\
                 - `WidgetsOperations.delete_widget` is no longer public\n- Renamed `Widget.display_name` to `Widget.title`";
    let asked = [
        renamed("AnalyzeResult", "WidgetAnalysis", None),
        ("Widgets.deleteWidget".to_owned(), "hidden".to_owned(), None),
        renamed("Widget.displayName", "title", None),
    ];
    for request in [
        "Please make the package match this draft of the release notes:",
        "Please implement the following changes:",
        "Let's make the library follow the list below:",
    ] {
        let request = format!("{request}\n\n{notes}");
        assert_eq!(read(&request), asked, "{request}");
    }
    for request in [
        "Release notes:",
        "Please review this draft of the release notes:",
        "Please do not ship the changes of this draft of the release notes:",
        "Should the package match this draft of the release notes?",
        "Please make the docs follow this draft of the release notes:",
        "If the board agrees, please implement this draft of the release notes:",
        "Please implement this draft of the Java release notes:",
    ] {
        let request = format!("{request}\n\n{notes}");
        assert!(read(&request).is_empty(), "{request}: {:#?}", read(&request));
    }
}

#[test]
fn languages_that_are_counted_are_those_that_the_sentence_before_leaves() {
    let others = Some(Scope::Except(vec![Language::Dotnet]));
    let mut index = sample::index();
    index.customizations.push(Customization {
        decorator: "clientName".into(),
        target: "Contoso.WidgetManager.AnalyzeResult".into(),
        arguments: vec!["WidgetAnalysis".into()],
        scope: Some("csharp".into()),
        line: 5,
        form: CustomizationForm::Augment,
    });
    let read = |request: &str| {
        let found = understand(request, Language::Python, &index).actions;
        found.into_iter().map(|one| (one.change, one.scope)).collect::<Vec<_>>()
    };
    let told = "AnalyzeResult is WidgetAnalysis in .NET already.";
    let found = read(&format!("{told} Please use that name in the other four languages."));
    assert!(
        matches!(found.as_slice(), [(change, scope)] if renames(change, ".AnalyzeResult", "WidgetAnalysis") && *scope == others),
        "{found:#?}"
    );
    for request in [
        "Please use that name in the other three languages.",
        "Should it be the same in the other four languages?",
        "The other four languages keep their name.",
    ] {
        let found = read(&format!("{told} {request}"));
        assert!(found.is_empty(), "{request}: {found:#?}");
    }
    let both = Some(Scope::Only(vec![Language::Python, Language::Java]));
    let request =
        "- Python and Java: `AnalyzeResult` -> `WidgetAnalysis`\n- the same two: `Widget.displayName` -> `title`";
    let found = understand(request, Language::Python, &sample::index()).actions;
    assert!(found.len() == 2 && found.iter().all(|one| one.scope == both), "{found:#?}");
}

#[test]
fn names_that_a_checker_suggests_are_given_where_a_sentence_asks_for_them() {
    let log = "```\n> widgets@1.0.0 lint\n\n  12:3  warning  Unclear name \"AnalyzeResult\", consider \"WidgetAnalysis\"\n\
               \x20 14:3  warning  Unclear name \"healthScore\", consider \"score\"\n```\n";
    let (model, property) =
        (renamed("AnalyzeResult", "WidgetAnalysis", None), renamed("AnalyzeResult.healthScore", "score", None));
    assert_eq!(read(&format!("{log}Please apply the suggestions.")), [model.clone(), property]);
    assert_eq!(read(&format!("{log}Follow the checker for the first one.")), [model]);
    for words in [
        "",
        "Please ignore the linter.",
        "Should we follow the linter?",
        "Fix the linter config.",
        "The linter suggests too much.",
        "Please apply the suggestions in the docs.",
        "If Ben agrees, apply the suggestions.",
        "Follow the checker, but not for the first one.",
        "Please apply the suggestions for Java.",
        "Take the second suggestion of the linter.",
        "We will apply the suggestions of the linter next year.",
    ] {
        assert!(read(&format!("{log}{words}")).is_empty(), "{words}");
    }
}

#[test]
fn people_who_speak_in_turns_are_told_from_labels_and_what_they_decide_stands() {
    let decided = "Ana: AnalyzeResult, what is that?\nBen: the analysis of a widget\nAna: then WidgetAnalysis\n\
                   Ben: fine\n=> AnalyzeResult becomes WidgetAnalysis.\nAna: next one, Widget?\nBen: stays";
    assert_eq!(read(decided), [renamed("AnalyzeResult", "WidgetAnalysis", None)]);
    for request in [
        "Ana: please rename AnalyzeResult to WidgetAnalysis\nBen: not yet\nAna: ok",
        "Ana: rename AnalyzeResult to WidgetAnalysis\nBen: hmm\nAna: after GA",
        "Ana: AnalyzeResult, what is that?\nBen: WidgetAnalysis?\nAna: no\n=> AnalyzeResult stays.",
        "Kim: delete_widget is public.\nLee: By accident.\nKim: Hide it?\nLee: Let me check.\nDecision: postponed.",
    ] {
        assert!(read(request).is_empty(), "{request}: {:#?}", read(request));
    }
}

#[test]
fn section_about_alternatives_takes_nothing_back_that_stands_elsewhere() {
    let form = "### Proposed change\nRename AnalyzeResult to WidgetAnalysis.\n\n### Alternatives considered\n\
                A wrapper of our own. Rejected, it would have to be maintained twice.\n\n### Priority\nP2";
    assert_eq!(read(form), [renamed("AnalyzeResult", "WidgetAnalysis", None)]);
    for request in [
        "### Proposed change\nRename AnalyzeResult to WidgetAnalysis.\n\n### Decision\nRejected.",
        "### Alternatives considered\nRename AnalyzeResult to WidgetAnalysis.",
        "### Proposed change\nRename AnalyzeResult to WidgetAnalysis.\n\nEdit: never mind, I withdraw all of this.",
    ] {
        assert!(read(request).is_empty(), "{request}: {:#?}", read(request));
    }
}

#[test]
fn column_of_remarks_gives_no_names_where_another_column_does() {
    let sheet = "class\tattribute today\tattribute at GA\tremark\nWidget\tdisplay_name\ttitle\tas on the portal\n\
                 AnalyzeResult\thealth_score\tscore\tditto";
    assert_eq!(
        read(sheet),
        [renamed("Widget.displayName", "title", None), renamed("AnalyzeResult.healthScore", "score", None)]
    );
    let resolved =
        "Type\tMember\tComment\tResolution\nWidget\tdisplay_name\tas on the portal\ttitle\nWidget\tstatus\tfine\t-";
    assert_eq!(read(resolved), [renamed("Widget.displayName", "title", None)]);
    for request in [
        "Type\tMember\tComment\tResolution\nWidget\tdisplay_name\ttitle?\tdeferred\nWidget\tstatus\tstate\topen",
        "| class | attribute | remark |\n|---|---|---|\n| Widget | display_name | ditto |",
    ] {
        assert!(read(request).is_empty(), "{request}: {:#?}", read(request));
    }
}
