//! What is asked behind a change in its own sentence, or of what was changed, and a new name does not do.

use super::*;

fn read(request: &str) -> (usize, usize) {
    let read = understand(request, Language::Python, &sample::index());
    (read.actions.len(), read.guidance.len())
}

#[test]
fn second_order_behind_a_rename_is_guidance() {
    for behind in [
        " and make it iterable",
        " and keep AnalyzeResult importable",
        ", leaving an alias behind",
        " (plus a deprecation warning)",
        " in a backwards compatible way",
        " without breaking anybody",
        " and also fix the README",
        " (README, samples and tests included)",
        ", also the docs",
        ", then publish",
        "; document it",
        " and export it at the top level",
        " and speed it up",
        ". It must not be None.",
        ". It should be read-only, too.",
        ". The old name has to keep working for one release.",
        ". And everywhere else it occurs.",
    ] {
        let request = format!("Rename AnalyzeResult to WidgetAnalysis{behind}");
        let (_, guidance) = read(&request);
        assert!(guidance > 0, "{request}");
    }
}

#[test]
fn change_for_a_part_of_the_library_alone_is_not_made_for_everybody() {
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis for async only",
        "Rename AnalyzeResult to WidgetAnalysis for the preview package only",
        "Rename AnalyzeResult to WidgetAnalysis, but only in the sync client",
        "Rename AnalyzeResult to WidgetAnalysis in requests, not in responses",
        "Hide deleteWidget in the async client only",
        "Hide deleteWidget for external users only",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions == 0 && guidance > 0, "{request}");
    }
}

#[test]
fn remark_reason_and_courtesy_behind_a_rename_are_no_second_order() {
    for behind in [
        " and that is all",
        " so it matches Java and .NET",
        " for clarity and consistency",
        " and close this thread",
        " and leave the rest alone",
        ", no alias please.",
        ". That breaks backwards compatibility, which is fine.",
        ". See the guidelines for details.",
        ". It should be the same in all languages.",
        ", for readability only",
        ", which the .NET team likes",
    ] {
        let request = format!("Rename AnalyzeResult to WidgetAnalysis{behind}");
        assert_eq!(read(&request), (1, 0), "{request}");
    }
}

#[test]
fn plain_words_are_names_in_pairs_and_a_verb_between_them_gives_no_name() {
    for name in ["score", "cause", "note", "match"] {
        let request = format!("rename AnalyzeResult.healthScore to {name} and Widget.displayName to title");
        assert_eq!(read(&request), (2, 0), "{request}");
    }
    let (actions, guidance) = read("Rename AnalyzeResult to WidgetAnalysis and default Widget.displayName to zero");
    assert!(actions == 1 && guidance > 0, "{actions} {guidance}");
}

#[test]
fn wish_to_follow_another_language_is_not_nothing_to_do() {
    for request in [
        "AnalyzeResult was renamed to WidgetAnalysis in .NET; follow suit",
        "AnalyzeResult was renamed to WidgetAnalysis in .NET; do the same here",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions + guidance > 0, "{request}");
    }
}

#[test]
fn what_stands_beside_a_thing_or_is_left_out_is_not_the_thing() {
    for request in [
        "A subclass extending AnalyzeResult should be called WidgetAnalysis",
        "The wrapper around AnalyzeResult should be called WidgetAnalysis",
        "An alias to AnalyzeResult should be called WidgetAnalysis",
        "The class behind AnalyzeResult should be named WidgetAnalysis",
        "What AnalyzeResult contains should be called WidgetAnalysis",
        "Rename anything but AnalyzeResult to WidgetAnalysis.",
        "Rename neither AnalyzeResult nor Manufacturer to Producer.",
        "Hide everything but deleteWidget.",
        "Hide all but deleteWidget",
    ] {
        let (actions, guidance) = read(request);
        assert!(actions == 0 && guidance > 0, "{request}: {actions} {guidance}");
    }
}
