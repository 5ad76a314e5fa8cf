//! Verbs of what is public.

use super::*;

fn hidden(request: &str, language: Language) -> Vec<(String, Option<Scope>)> {
    let read = understand(request, language, &sample::index());
    let target = |one: Directive| match one.change {
        Change::Hide { target, .. } => (target.rsplit('.').next().unwrap_or_default().to_owned(), one.scope),
        other => (format!("{other:?}"), None),
    };
    read.actions.into_iter().map(target).collect()
}

#[test]
fn what_shall_not_be_public_is_hidden() {
    for request in [
        "Don't publish deletePart.",
        "For the Python GA don't publish Parts.deletePart in the SDK.",
        "Please do not publish deletePart in the SDK.",
        "Keep deletePart out of the public API.",
        "deletePart should not be part of the public surface.",
        "Take deletePart out of the public API.",
        "Only our own code runs deletePart. Take it out of the public API.",
        "Nobody calls deletePart. Keep it out of the public surface.",
        "`Parts.delete_part` shouldn't be exported from contoso-widgets.",
        "Until the service can undo it, I want deletePart off the public API.",
        "Until it is fixed, hide deletePart.",
    ] {
        assert_eq!(hidden(request, Language::Python), [("deletePart".to_owned(), None)], "{request}");
    }
    for request in [
        "Don't publish the package.",
        "Don't publish deletePart to npm.",
        "Until it is fixed, do not hide deletePart.",
        "We don't publish deletePart.",
        "They decided that we don't publish deletePart.",
        "Why don't we publish deletePart?",
        "If you don't publish deletePart, nobody can clean up.",
        "Don't publish anything about deletePart in the docs.",
        "Keep the word delete out of the public API.",
        "deletePart is fine, keep it out of the discussion about the public API.",
        "Hide deletePart but show deletePart in Java.",
        "Keep deletePart, take the docs out.",
        "Don't publish deletePart before the next release.",
    ] {
        assert!(hidden(request, Language::Python).is_empty(), "{request}: {:?}", hidden(request, Language::Python));
    }
}

#[test]
fn list_and_languages_in_front_hold_for_all_that_shall_not_be_public() {
    for request in [
        "For Python and Go: keep analyzeWidget, deletePart and deleteWidget out of the public API.",
        "Python and Go: don't publish analyzeWidget, deletePart and deleteWidget.",
        "For Python and Go: take analyzeWidget, deletePart and deleteWidget out of the public API.",
        "For Python and Go: keep analyzeWidget, deletePart and deleteWidget out of the public API. The Java people may show theirs.",
    ] {
        let found = hidden(request, Language::Python);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["analyzeWidget", "deletePart", "deleteWidget"], "{request}");
        let wide = |scope: &Option<Scope>| matches!(scope, Some(Scope::Only(all)) if all.len() == 2 && all.contains(&Language::Go) && all.contains(&Language::Python));
        assert!(found.iter().all(|(_, scope)| wide(scope)), "{request}: {found:?}");
    }
}

#[test]
fn hidden_thing_that_people_should_be_able_to_call_is_shown() {
    use bailiwick_sdk::tasks::Access;
    let hidden = sample::index_with(&[("Parts.deletePart", None, Access::Internal)]);
    for request in [
        "We hid deletePart two betas ago. That was a mistake, customers should be able to use deletePart again.",
        "People should be able to call deletePart.",
    ] {
        let read = understand(request, Language::Python, &hidden);
        let shows = |change: &Change| matches!(change, Change::Show { target, .. } if target.ends_with(".deletePart"));
        assert!(read.actions.len() == 1 && shows(&read.actions[0].change), "{request}: {read:#?}");
    }
    for request in [
        "People should not be able to call deletePart.",
        "People should be able to call deleteWidget.",
        "People were able to call deletePart.",
    ] {
        let read = understand(request, Language::Python, &hidden);
        let shows = read.actions.iter().any(|one| matches!(one.change, Change::Show { .. }));
        assert!(!shows, "{request}: {read:#?}");
    }
}

#[test]
fn package_by_its_name_in_a_registry_is_where_people_see_a_name() {
    let read = |package: &str, language: Language| {
        understand(&format!("Rename AnalyzeResult to WidgetAnalysis in {package}."), language, &sample::index()).actions
    };
    for (package, language) in [
        ("@azure/arm-widget", Language::Javascript),
        ("azure-mgmt-widget", Language::Python),
        ("azure-ai-widget", Language::Java),
    ] {
        let found = read(package, language);
        assert!(
            matches!(found.as_slice(), [one] if renames(&one.change, ".AnalyzeResult", "WidgetAnalysis")),
            "{package}"
        );
    }
    // Of another language, of another kind, or a place elsewhere.
    for (place, language) in [
        ("@azure/arm-widget", Language::Python),
        ("azure-mgmt-widget", Language::Go),
        ("left-pad", Language::Javascript),
        ("the docs of azure-mgmt-widget", Language::Python),
    ] {
        assert!(read(place, language).is_empty(), "{place}");
    }
}
