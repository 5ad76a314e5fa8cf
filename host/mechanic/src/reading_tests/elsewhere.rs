//! What other languages have to do with a change.

use super::*;

/// The service where .NET has another name for `AnalyzeResult`.
fn renamed_in_dotnet() -> SpecIndex {
    let mut index = sample::index();
    index.customizations.push(Customization {
        decorator: "clientName".into(),
        target: "Contoso.WidgetManager.AnalyzeResult".into(),
        arguments: vec!["\"WidgetAnalysis\"".into()],
        scope: Some("csharp".into()),
        line: 12,
        form: CustomizationForm::Augment,
    });
    index
}

#[test]
fn languages_that_are_a_reason_are_no_scope() {
    for wording in [
        "AnalyzeResult -> HealthReport, for consistency with Java and Go.",
        "Rename AnalyzeResult to HealthReport, so that it is HealthReport in all the SDKs.",
    ] {
        let read = understand(wording, Language::Python, &sample::index());
        assert!(read.actions.len() == 1 && read.actions[0].scope.is_none(), "{wording}: {read:#?}");
    }
}

#[test]
fn sentence_that_says_where_renames_apply_is_their_scope() {
    let wide = "* `AnalyzeResult` -> `HealthReport`\n\nThis rename applies to all languages.";
    let found = understand(wide, Language::Python, &sample::index());
    assert!(found.actions.len() == 1 && found.actions[0].scope == Some(Scope::All), "{found:#?}");
    let narrow = wide.replace("applies", "does not apply");
    let found = understand(&narrow, Language::Python, &sample::index());
    assert!(found.actions.iter().all(|one| one.scope.is_none()), "{found:#?}");
}

/// `Our `_patch.py` has to follow` speaks of code, and not of the name that another language has.
#[test]
fn code_that_has_to_follow_is_repaired_and_nothing_is_named_as_elsewhere() {
    let index = renamed_in_dotnet();
    let log = "```\nazure/widget/_patch.py:4: error: Module \"azure.widget.models\" has no attribute \"AnalysisReport\"; maybe \"AnalyzeResult\"?  [attr-defined]\nFound 1 error in 1 file (checked 31 source files)\n```";
    for prose in [
        "The generated name is right. Our `_patch.py` has to follow.",
        "The customization code should follow, please.",
        "Our helpers have to follow.",
    ] {
        let found = understand(&format!("mypy is red:\n\n{log}\n\n{prose}"), Language::Python, &index);
        let repairs = found.actions.iter().all(|one| matches!(one.change, Change::Repair { .. }));
        assert!(found.actions.len() == 1 && repairs, "{prose}: {found:#?}");
    }
}

#[test]
fn name_that_another_language_has_is_given_where_it_is_asked_for() {
    let index = renamed_in_dotnet();
    for wording in [
        "AnalyzeResult: use the same name as .NET does (WidgetAnalysis)",
        "Please take over the .NET name for AnalyzeResult.",
        "align with .NET, where AnalyzeResult is WidgetAnalysis",
        "The model `AnalyzeResult` is `WidgetAnalysis` in .NET. Let's use that name in Python.",
        "we want `WidgetAnalysis`, not `AnalyzeResult`",
    ] {
        let found = understand(wording, Language::Python, &index).actions;
        let renamed = found.iter().all(|one| renames(&one.change, ".AnalyzeResult", "WidgetAnalysis"));
        assert!(found.len() == 1 && renamed, "{wording}: {found:#?}");
    }
    for wording in [
        "Please do not use the .NET name for AnalyzeResult.",
        "Should AnalyzeResult have the same name as in .NET?",
        "AnalyzeResult has the same name in Go and JavaScript.",
        "AnalyzeResult: .NET should too.",
        "Could we have used the same name as .NET for AnalyzeResult?",
        "AnalyzeResult should support paging too, like .NET.",
        "align the docs of AnalyzeResult with .NET",
        "follow up on AnalyzeResult with the .NET team please",
        "Same field in .NET for AnalyzeResult: please add it.",
        ".NET calls AnalyzeResult WidgetAnalysis. They should go back to the same name as ours.",
    ] {
        let found = understand(wording, Language::Python, &index).actions;
        assert!(found.is_empty(), "{wording}: {found:#?}");
    }
}

#[test]
fn same_as_elsewhere_is_hidden_only_where_a_clause_asks_for_it() {
    let found = actions("delete_widget is internal for .NET and Go already, do the same for Python please");
    assert!(found.len() == 1 && hides(&found[0]), "{found:#?}");
    for wording in [
        "delete_widget is internal for .NET and Go already, Python has the same.",
        "delete_widget is internal for .NET already. The same test fails in Python.",
        "delete_widget is internal in Go, the docs say the same.",
        "delete_widget is internal in .NET; they should do that for Python as well.",
        "Is delete_widget internal in .NET already? Same question for Python.",
    ] {
        assert!(actions(wording).is_empty(), "{wording}: {:#?}", actions(wording));
    }
}
