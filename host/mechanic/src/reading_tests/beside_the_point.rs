//! Words of doubt and of refusal about something else than the request, and languages that are left out.

use super::*;

fn scope_of(request: &str, language: Language) -> Vec<Option<Scope>> {
    understand(request, language, &sample::index()).actions.into_iter().map(|one| one.scope).collect()
}

#[test]
fn state_of_a_release_is_no_doubt_about_a_wish() {
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis. The package is not released yet.",
        "Rename AnalyzeResult to WidgetAnalysis. Nothing was shipped yet.",
        "- `AnalyzeResult` should be `WidgetAnalysis`\n\nThe SDK isn't GA yet.",
        "Hide deleteWidget. The service isn't live in Europe yet.",
        "Hide deleteWidget (the library has not been published yet).",
    ] {
        assert_eq!(actions(request).len(), 1, "{request}");
    }
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis. Not yet.",
        "Rename AnalyzeResult to WidgetAnalysis. It is not agreed yet.",
        "Hide deleteWidget. This isn't decided yet.",
        "Hide deleteWidget. The name is not final yet.",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn reason_in_brackets_behind_a_rename_is_no_doubt() {
    for request in [
        "Widget.displayName -> title (the type says so, no need to repeat it)",
        "AnalyzeResult -> WidgetAnalysis (there is no need to say result)",
    ] {
        assert_eq!(actions(request).len(), 1, "{request}");
    }
    for request in [
        "AnalyzeResult -> WidgetAnalysis (no need to do it)",
        "AnalyzeResult -> WidgetAnalysis (not needed any more)",
        "AnalyzeResult -> WidgetAnalysis (rejected)",
        "AnalyzeResult -> WidgetAnalysis (not worth it)",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn language_that_is_left_out_is_left_out() {
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis everywhere except in C#.",
        "AnalyzeResult should be WidgetAnalysis in all SDKs but .NET.",
        "Please rename AnalyzeResult to WidgetAnalysis for every language other than C#.",
        "AnalyzeResult needs to be WidgetAnalysis everywhere except in C#, where samples use it and it must not change.",
        "AnalyzeResult must become WidgetAnalysis in all languages but .NET, where the architects vetoed it.",
        "AnalyzeResult should become WidgetAnalysis in all SDKs but .NET - .NET has its own style and Ann vetoed it there.",
        "AnalyzeResult should become WidgetAnalysis in all SDKs but .NET — .NET is frozen and Ann rejected it there.",
    ] {
        assert_eq!(scope_of(request, Language::Python), [Some(Scope::Except(vec![Language::Dotnet]))], "{request}");
    }
    for request in [
        "AnalyzeResult should become WidgetAnalysis in all SDKs. Ann vetoed it.",
        "AnalyzeResult should become WidgetAnalysis in all SDKs but .NET, Ann vetoed it.",
        "AnalyzeResult should become WidgetAnalysis in Python — Ann vetoed it here.",
    ] {
        assert!(actions(request).is_empty(), "{request}: {:#?}", actions(request));
    }
}

#[test]
fn word_about_all_languages_widens_a_wish_and_a_tale_of_them_does_not() {
    let wish = "AnalyzeResult is odd. It should be WidgetAnalysis.";
    for words in [
        "The change applies to each of the five SDKs.",
        "In all languages please, we translate the page once and not four times.",
        "This applies to all our SDKs.",
    ] {
        let request = format!("{wish} {words}");
        assert_eq!(scope_of(&request, Language::Python), [Some(Scope::All)], "{request}");
    }
    for words in ["The auditors look at each of the five languages.", "Our tests run in all languages."] {
        let request = format!("{wish} {words}");
        assert_eq!(scope_of(&request, Language::Python), [None], "{request}");
    }
}

#[test]
fn command_with_a_named_thing_is_never_nothing() {
    for request in [
        "Members: AnalyzeResult ought to be `WidgetAnalysis`, Ann vetoed something there.",
        "Review, line 412 `class AnalyzeResult` - types are no verbs => WidgetAnalysis",
        "For the GA don't publish Parts.deletePart in a way that users see.",
        "The last value should be inches.",
        "| generated | approved |\n| - | - |\n| `DeletePartX` / `NoSuchThing` | `RemovePart` |",
        "`displayName` on Widget needs to be `title` except where the portal has its own text and must not change.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(!read.actions.is_empty() || !read.guidance.is_empty(), "{request}: {read:#?}");
    }
    for request in [
        "AnalyzeResult should stay as it is.",
        "LGTM, AnalyzeResult is a good name.",
        "In Java AnalyzeResult should be WidgetAnalysis, Python is fine.",
        "Do not rename AnalyzeResult.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(
            read.actions.iter().all(|one| one.scope == Some(Scope::Only(vec![Language::Java]))),
            "{request}: {read:#?}"
        );
    }
}
