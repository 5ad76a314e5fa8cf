//! Code that declares what is spoken of.

use super::*;

fn reads(request: &str, language: Language, of: &str, to: &str) -> bool {
    let found: Vec<Change> =
        understand(request, language, &sample::index()).actions.into_iter().map(|one| one.change).collect();
    matches!(found.as_slice(), [one] if renames(one, of, to))
}

#[test]
fn declaration_stands_for_what_it_declares() {
    for (request, language, of, to) in [
        ("`public class AnalyzeResult` -> `WidgetAnalysis`", Language::Dotnet, ".AnalyzeResult", "WidgetAnalysis"),
        (
            "`type AnalyzeResult struct` → `type WidgetAnalysis struct`",
            Language::Go,
            ".AnalyzeResult",
            "WidgetAnalysis",
        ),
        ("type AnalyzeResult struct => WidgetAnalysis", Language::Go, ".AnalyzeResult", "WidgetAnalysis"),
        (
            "`class AnalyzeResult(Model)` should be `class WidgetAnalysis(Model)`",
            Language::Python,
            ".AnalyzeResult",
            "WidgetAnalysis",
        ),
        (
            "`public class AnalyzeResult` - we never begin a type with a verb => WidgetAnalysis",
            Language::Dotnet,
            ".AnalyzeResult",
            "WidgetAnalysis",
        ),
        (
            "`public string DisplayName { get; }` in Widget: please call it `Title`.",
            Language::Dotnet,
            ".Widget.displayName",
            "title",
        ),
        (
            "`def analyze_widget(self, ...)` should be called `inspect_widget`.",
            Language::Python,
            ".analyzeWidget",
            "inspectWidget",
        ),
    ] {
        let read = understand(request, language, &sample::index());
        assert!(reads(request, language, of, to), "{request}: {read:#?}");
    }
    for request in [
        "`public class AnalyzeResult` is fine.",
        "`type AnalyzeResult struct` ok",
        "`public class NoSuchThing` -> `WidgetAnalysis`",
        "`public class AnalyzeResult` -> `internal class WidgetAnalysis`",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn new_name_behind_the_holder_of_the_thing_is_the_name_alone() {
    for request in [
        "Widget.displayName must be Widget.title.",
        "Widget.displayName -> Widget.title",
        "Please rename Widget.displayName to Widget.title.",
    ] {
        assert!(reads(request, Language::Python, ".Widget.displayName", "title"), "{request}: {:#?}", actions(request));
    }
    let another = "Widget.displayName must be Part.title.";
    assert!(actions(another).is_empty(), "{another}: {:#?}", actions(another));
}

#[test]
fn parameter_is_called_by_one_name_instead_of_another() {
    for request in [
        "In get_widget(..., widget_name: str) the parameter should be called key instead of widget_name",
        "widgets.get_widget(widget_name=...): the parameter should be called `key` instead of `widget_name`.",
        "Look at `widgets.get_widget(..., widget_name=...)`. The argument widget_name of this method should be `key`.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        let fits = |one: &Change| matches!(one, Change::Rename { target, name, .. } if target.contains("getWidget") && name == "key");
        assert!(read.actions.len() == 1 && fits(&read.actions[0].change), "{request}: {read:#?}");
    }
}

#[test]
fn arrow_behind_a_reason_gives_the_name() {
    for request in [
        "`AnalyzeResult` - a verb in a type name => `WidgetAnalysis`",
        "AnalyzeResult - types are nouns with us -> WidgetAnalysis",
        "`AnalyzeResult` – we do not use verbs in types → `WidgetAnalysis`",
    ] {
        assert!(
            reads(request, Language::Python, ".AnalyzeResult", "WidgetAnalysis"),
            "{request}: {:#?}",
            actions(request)
        );
    }
    for request in [
        "`AnalyzeResult` - if we call the service from Manufacturer => `WidgetAnalysis`",
        "`AnalyzeResult` - we don't rename it => `WidgetAnalysis`",
        "`AnalyzeResult` - the board never signs => `WidgetAnalysis`",
        "`AnalyzeResult` - not our decision => `WidgetAnalysis`",
        "AnalyzeResult: not yet -> WidgetAnalysis",
        "`AnalyzeResult` - we never agree on names => `WidgetAnalysis`",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn thing_that_would_be_clearer_by_a_name_gets_it() {
    for request in [
        "AnalyzeResult would be clearer as `WidgetAnalysis`.",
        "AnalyzeResult would be more readable as WidgetAnalysis, please change it.",
        "AnalyzeResult is an object like others, so it needs to be called WidgetAnalysis.",
    ] {
        assert!(
            reads(request, Language::Python, ".AnalyzeResult", "WidgetAnalysis"),
            "{request}: {:#?}",
            actions(request)
        );
    }
    for request in [
        "Would AnalyzeResult be clearer as `WidgetAnalysis`?",
        "AnalyzeResult would be clearer as `WidgetAnalysis`, but we keep it.",
        "AnalyzeResult would not be clearer as `WidgetAnalysis`.",
        "We object, AnalyzeResult should not be WidgetAnalysis.",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn parameter_may_have_the_name_of_a_type_and_a_type_that_is_kept_stays() {
    let request =
        "In get_widget(..., widget_name: str) the parameter should be called analyze_result instead of widget_name";
    let read = understand(request, Language::Python, &sample::index());
    let fits = |one: &Directive| matches!(&one.change, Change::Rename { target, .. } if target.ends_with("getWidget::parameters.widgetName"));
    assert!(read.actions.iter().all(fits) && read.actions.len() == 1, "{read:#?}");
    let both = "The model must be called WidgetAnalysis, not AnalyzeResult. But keep `AnalyzeResult`, and no other name, in the public API.";
    assert!(actions(both).is_empty(), "{both}: {:#?}", actions(both));
}

#[test]
fn code_that_differs_in_more_than_its_name_is_guidance() {
    for request in [
        "`public Widget GetWidget(string id)` -> `public Widget GetWidget(string widgetName)`",
        "`public Widget GetWidget(string id)` -> `public Part FetchPart(string id)`",
        "`internal class AnalyzeResult` -> `public class AnalyzeResult`",
        "`class Widget` -> `struct Widget`",
    ] {
        let read = understand(request, Language::Dotnet, &sample::index());
        assert!(read.actions.is_empty() && !read.guidance.is_empty(), "{request}: {read:#?}");
    }
}
