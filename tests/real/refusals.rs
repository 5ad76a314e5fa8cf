//! No false success: when regeneration or the compiler fails, both repositories are what they were.

use bailiwick_tests::World;

#[track_caller]
fn assert_failed_and_untouched(world: &World, request: &str) -> serde_json::Value {
    let before = world.snapshot();
    let response = world.customize(request).exits(1).json();
    assert_eq!(response["success"], false, "{response:#}");
    assert_eq!(response["outcome"], "failure", "{response:#}");
    before.assert_same(&world.snapshot());
    response
}

#[test]
fn emitter_that_fails_is_never_success() {
    let world = World::new();
    // The emitter is told to write beside the package; its confinement stops it there.
    let path = world.project().join("tspconfig.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let python = text.find("@typespec/http-client-python").unwrap();
    let broken = text[python..].replacen("{output-dir}/{service-dir}/azure-widget", "{output-dir}/elsewhere", 1);
    assert_ne!(text[python..], broken);
    std::fs::write(&path, format!("{}{broken}", &text[..python])).unwrap();
    let response = assert_failed_and_untouched(&world, "hide operation deleteWidget from the Python SDK");
    assert!((1..=2).contains(&response["phaseAAttempts"].as_u64().unwrap()), "{response:#}");
    assert_eq!(response["phaseBAttempts"], 0, "{response:#}");
    assert!(!world.base().join("azure-sdk-for-python/elsewhere").exists());
    // What stood in the repositories when they were put back is kept: a person may have edited beside the run.
    let run = world.state().join("runs").join(response["runId"].as_str().unwrap());
    let aside = std::fs::read_to_string(run.join("aside/spec/client.tsp")).unwrap();
    assert!(aside.contains("deleteWidget"), "{aside}");
}

#[test]
fn spec_that_does_not_compile_is_never_success() {
    let world = World::new();
    let path = world.project().join("models.tsp");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}\nmodel Broken {{ part: NoSuchModel; }}\n")).unwrap();
    let response = assert_failed_and_untouched(&world, "hide operation deleteWidget from the Python SDK");
    assert!(response.to_string().contains("NoSuchModel"), "{response:#}");
}

#[test]
fn new_name_that_is_taken_or_reserved_is_refused() {
    let world = World::new();
    for request in [
        "rename AnalyzeResult to Widget",
        "rename AnalyzeResult to class",
        "rename AnalyzeResult to 9lives",
        "rename Part to WidgetSummary",
    ] {
        let _ = assert_failed_and_untouched(&world, request);
    }
}

#[test]
fn edit_scope_keeps_its_side_untouched() {
    let world = World::new();
    let before = world.snapshot();
    let answer = world.customize_with("hide operation deleteWidget", &["--edit-scope", "CustomCode"]).exits(1).json();
    assert_eq!(answer["errorCode"], "SpecChangeRequired", "{answer:#}");
    assert!(!answer["specChangeRequired"].as_array().unwrap().is_empty());
    before.assert_same(&world.snapshot());
}
