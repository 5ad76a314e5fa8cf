//! Whether nothing is asked, where no sentence says so for certain.

use super::*;

fn outcome(request: &str) -> (usize, usize) {
    let read = understand(request, Language::Python, &sample::index());
    (read.actions.len(), read.guidance.len())
}

#[test]
fn praise_and_status_ask_for_nothing() {
    for request in [
        "Really happy with how `getWidget` turned out. Great job, everybody!",
        "Status of the widget package: it went out on Monday and all live tests pass. Nobody has reported a problem with `AnalyzeResult` since.",
    ] {
        assert_eq!(outcome(request), (0, 0), "{request}");
    }
}

#[test]
fn fault_and_missing_sample_are_for_a_person() {
    for request in [
        "`getWidget` throws a NullReferenceException when the service answers with 404.",
        "There is no sample that shows how to page through `listWidgets`.",
        "The retry of `deleteWidget` waits five minutes although the header says five seconds.",
        "The docstring of `AnalyzeResult` is empty.",
    ] {
        let (actions, guidance) = outcome(request);
        assert!(actions == 0 && guidance > 0, "{request}: {actions} actions");
    }
}

#[test]
fn text_that_leaves_things_as_they_are_asks_for_nothing_however_short() {
    for request in [
        "do not hide deleteWidget",
        "please don't hide operation deleteWidget from the Python SDK",
        "never rename AnalyzeResult to WidgetAnalysis",
        "~~hide deleteWidget~~",
        "LGTM",
    ] {
        let read = understand(request, Language::Python, &sample::index());
        assert!(read.actions.is_empty() && read.guidance.is_empty(), "{request}: {:#?}", read.guidance);
    }
}
