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
