//! What a request asks beside what is read is never passed over, and what asks for nothing is.

use super::*;

fn read(request: &str) -> (usize, usize) {
    let read = understand(request, Language::Python, &sample::index());
    (read.actions.len(), read.guidance.len())
}

#[test]
fn order_without_a_reading_is_guidance_and_never_nothing_to_do() {
    for request in [
        "Hide everything that has to do with parts",
        "Hide all enums",
        "Revert all the Python renames in client.tsp",
        "Set the api version to 2024-08-01-preview",
        "Rename all models ending in Result",
        "Make all operations public",
        "Update the changelog",
        "Take the Java names for everything in Python.",
        "Give all the models the prefix Wm.",
        "Undo the renames.",
        "Group the part operations together.",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions == 0 && guidance > 0, "{request}");
    }
}

#[test]
fn second_thing_of_a_request_is_done_or_guidance() {
    for request in [
        "Rename Widget.displayName to title and Part.displayName too.",
        "Rename AnalyzeResult to WidgetAnalysis, the same goes for Manufacturer.",
        "Python: rename AnalyzeResult to WidgetAnalysis, Part stays as it is, and Manufacturer becomes producer.",
        "Rename AnalyzeResult to WidgetAnalysis. LengthUnit has to go. Thanks!",
        "Hide deleteWidget. Customers must not get at deletePart either.",
        "Hide deleteWidget and let deletePart follow suit",
        "Hide deleteWidget; also deletePart is not for customers.",
        "Rename AnalyzeResult to WidgetAnalysis, plus Producer for Manufacturer",
        "Rename AnalyzeResult to WidgetAnalysis, its members accordingly",
        "Rename AnalyzeResult to WidgetAnalysis; Manufacturer.displayName: name",
        "Hide deleteWidget, and get rid of deletePart.",
        "Hide deleteWidget. Don't forget deletePart.",
    ] {
        let (actions, guidance) = read(request);
        assert!(guidance > 0 || actions > 1, "{request}: {actions} actions");
    }
}

#[test]
fn thing_that_something_unknown_is_asked_of_is_guidance_beside_an_action() {
    for request in [
        "Hide deleteWidget. listWidgets must be shorter.",
        "Hide deleteWidget. We don't need listWidgets in the SDK.",
        "Hide deleteWidget. listWidgets ought to be long running.",
        "Hide deleteWidget. listWidgets was never meant to be public.",
        "Hide deleteWidget. listWidgets was made public by accident, please correct.",
        "Hide deleteWidget. The board asked to hide listWidgets too.",
        "Hide deleteWidget (and listWidgets).",
        "Hide deleteWidget. getWidget is fine, listWidgets is not.",
        "Hide deleteWidget. LengthUnit is good but should be spelled out.",
        "Rename AnalyzeResult to WidgetAnalysis. LengthUnit hasn't been renamed yet.",
        "Hide deleteWidget. Make LengthUnit a type alias, keep Manufacturer.",
    ] {
        let (actions, guidance) = read(request);
        assert!(guidance > 0 || actions > 1, "{request}: {actions} actions");
    }
}

#[test]
fn plain_word_that_is_given_a_name_is_guidance_beside_an_action() {
    for request in [
        "Hide deleteWidget. inch should be inches.",
        "Hide deleteWidget. inch becomes inches.",
        "Hide deleteWidget. I'd call inch inches.",
        "Hide deleteWidget. I suggest inches for inch.",
        "Hide deleteWidget. inch = inches",
        "Hide deleteWidget. And inch to inches.",
        "Hide deleteWidget. Likewise inch.",
        "Hide deleteWidget. inch is a bad name.",
        "Hide deleteWidget, and inch too.",
    ] {
        let (actions, guidance) = read(request);
        assert!(guidance > 0 || actions > 1, "{request}: {actions} actions");
    }
    for request in
        ["Hide deleteWidget. Not an inch of it is used.", "Hide deleteWidget. Thanks for the inch you gave us."]
    {
        assert_eq!(read(request), (1, 0), "{request}");
    }
}

#[test]
fn set_of_things_beside_an_action_is_guidance() {
    for request in [
        "Hide deleteWidget. The other operations too.",
        "Hide deleteWidget and everything that deals with parts.",
        "Hide deleteWidget and its response model.",
        "Hide deleteWidget (and similar).",
        "Hide deleteWidget. All enums should be prefixed with Wm.",
        "Hide deleteWidget. Also no Info suffix please.",
        "Hide deleteWidget. Models ending with Info lose the ending.",
        "Hide deleteWidget. Admin-only operations stay out of the SDK.",
        "Hide deleteWidget. A method that lists parts is missing.",
        "Hide deleteWidget.\n\nAnd a line of the changelog is missing.",
        "Hide deleteWidget. By the way, the tests are missing.",
        "Hide deleteWidget. I also want a method that lists parts.",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions == 1 && guidance > 0, "{request}: {actions} actions");
    }
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis. No abbreviations in Python.",
        "Every other package ends on Client. Hide deleteWidget.",
        "Hide deleteWidget. Nothing else in the models has to change.",
        "Hide deleteWidget. No other methods go with it.",
        "Hide deleteWidget. All tests are green.",
    ] {
        assert_eq!(read(request), (1, 0), "{request}");
    }
}

#[test]
fn reason_comparison_praise_and_tale_beside_an_order_are_no_wish() {
    for request in [
        "Hide deleteWidget. Everything else looks good, thanks!",
        "Hide deleteWidget. The REST docs stay as they are.",
        "Rename AnalyzeResult to WidgetAnalysis because Manufacturer has a long name, too.",
        "Hide deleteWidget, as in Java.",
        "Hi all,\n\nplease hide deleteWidget in Python. Customers were confused by it last year, when deletePart was added.\n\nThanks\nJo",
        "We had three tickets about AnalyzeResult. Please rename it to WidgetAnalysis.",
        "Rename AnalyzeResult to WidgetAnalysis. I will update the samples myself.",
        "Hide deleteWidget (the .NET people did it, too).",
        "Rename AnalyzeResult to WidgetAnalysis. Manufacturer is another thing and keeps its name.",
    ] {
        assert_eq!(read(request), (1, 0), "{request}");
    }
    for request in ["LGTM", "Looks good to me, thanks!", "No changes needed.", "AnalyzeResult is fine as it is."] {
        assert_eq!(read(request), (0, 0), "{request}");
    }
}

#[test]
fn language_that_is_only_talked_of_moves_no_change_to_it() {
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis, it came up in the Java review.",
        "Rename AnalyzeResult to WidgetAnalysis, the name it has in Java.",
        "Rename AnalyzeResult to WidgetAnalysis because it is called that in Java.",
        "Rename AnalyzeResult to WidgetAnalysis (approved for Java).",
        "Hide deleteWidget (it's visible in Java).",
        "Hide deleteWidget, it was a request from the Java team.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        let here = |one: &Directive| one.scope.as_ref().is_none_or(|scope| scope.covers(Language::Python));
        assert!(read.actions.iter().all(here), "{request}: {:?}", read.actions);
        assert!(!read.actions.is_empty() || !read.guidance.is_empty(), "{request}");
    }
    for request in ["Hide deleteWidget in Java.", "In Java, hide deleteWidget.", "Java: hide deleteWidget."] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(read.actions.iter().all(|one| one.scope == Some(Scope::Only(vec![Language::Java]))), "{request}");
    }
}

#[test]
fn name_that_another_language_gets_is_not_written_for_it() {
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis in Python and to WidgetReport in Java.",
        "AnalyzeResult → WidgetAnalysis [Python], WidgetReport [Java]",
        "Rename AnalyzeResult to WidgetAnalysis for Python, for Java WidgetReport.",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(read.actions.iter().all(|one| one.scope.is_none()), "{request}: {:?}", read.actions);
        assert!(!read.guidance.is_empty(), "{request}");
    }
    let told = "Rename AnalyzeResult to WidgetAnalysis. The same was done for Java.";
    let read = understand(told, Language::Python, &sample::index());
    assert!(read.actions.iter().all(|one| one.scope.is_none()), "{:?}", read.actions);
}

#[test]
fn objection_that_is_overcome_does_not_hold_a_wish_and_one_that_stands_does() {
    assert_eq!(read("Hide deleteWidget. All objections were withdrawn."), (1, 0));
    for request in [
        "Hide deleteWidget. There are still objections.",
        "Hide deleteWidget. My concerns were not addressed.",
        "Hide deleteWidget. Scratch the other points.",
        "Hide deleteWidget. I was against it but I changed my mind.",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions == 0 && guidance > 0, "{request}");
    }
}

#[test]
fn new_thing_of_a_sentence_gets_the_name_and_not_what_was_spoken_of_before() {
    let read = understand(
        "Hide deleteWidget. It is replaced by a custom method, it should be called removeWidget.",
        Language::Python,
        &sample::index(),
    );
    assert_eq!(read.actions.len(), 1, "{:?}", read.actions);
    assert!(!read.guidance.is_empty());
}

#[test]
fn word_of_retraction_about_something_else_ends_in_guidance() {
    for request in [
        "Hide deleteWidget. An earlier proposal to rename it was rejected.",
        "Hide deleteWidget. It was superseded by deletePart.",
        "Hide deleteWidget. I changed my mind about keeping it.",
        "Hide deleteWidget. Never mind deletePart.",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions + guidance > 0, "{request}");
    }
    assert_eq!(read("Hide deleteWidget. Please disregard that."), (0, 0));
}

#[test]
fn thing_that_does_the_same_is_not_changed_along() {
    for request in
        ["Hide deleteWidget. deletePart does the same thing.", "Hide deleteWidget. deletePart has the same signature."]
    {
        let (actions, guidance) = read(request);
        assert_eq!((actions, guidance > 0), (1, true), "{request}");
    }
    for request in ["Hide deleteWidget. Same for deletePart.", "Hide deleteWidget. deletePart has the same problem."] {
        assert_eq!(read(request).0, 2, "{request}");
    }
}
