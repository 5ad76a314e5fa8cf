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
    let aside = std::fs::read_dir(run.join("aside")).unwrap().next().unwrap().unwrap().path();
    let aside = std::fs::read_to_string(aside.join("spec/client.tsp")).unwrap();
    assert!(aside.contains("deleteWidget"), "{aside}");
}

/// Options of the Python emitter in `tspconfig.yaml`, changed by `edit`.
fn configure(world: &World, edit: impl FnOnce(&str) -> String) {
    let path = world.project().join("tspconfig.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) =
        (text.find("  \"@typespec/http-client-python").unwrap(), text.find("  \"@azure-tools/typespec-java").unwrap());
    let options = edit(&text[begin..end]);
    assert_ne!(options, text[begin..end]);
    std::fs::write(&path, format!("{}{options}{}", &text[..begin], &text[end..])).unwrap();
    world.commit();
}

#[test]
fn generation_that_writes_beside_the_code_of_the_package_is_never_success() {
    let world = World::new();
    configure(&world, |options| options.replace("    namespace: \"azure.widget\"\n", ""));
    let before = world.snapshot();
    let answer = world.package_command("generate", &[]).exits(1).json();
    let error = &answer["diagnostics"][0];
    assert_eq!(error["code"], "code-written-elsewhere", "{answer:#}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("`sdk/contoso/widgetmanager`, and `sdk/azure/widget` holds none any more"), "{message}");
    before.assert_same(&world.snapshot());

    let response = assert_failed_and_untouched(&world, "hide operation deleteWidget from the Python SDK");
    assert!(response.to_string().contains("check `namespace` in its options"), "{response:#}");
}

#[test]
fn configuration_without_options_for_the_emitter_is_named_as_the_cause() {
    for (edit, says) in [
        ((|_| String::new()) as fn(&str) -> String, "there are no options for `@typespec/http-client-python`"),
        (
            |options| options.replace("    emitter-output-dir: \"{output-dir}/{service-dir}/azure-widget\"\n", ""),
            "lack `emitter-output-dir`",
        ),
    ] {
        let world = World::new();
        configure(&world, edit);
        let before = world.snapshot();
        let answer = world.package_command("generate", &[]).exits(1).json();
        let error = &answer["diagnostics"][0];
        assert_eq!(error["file"], "spec/tspconfig.yaml", "{answer:#}");
        assert!(error["message"].as_str().unwrap().contains(says), "{answer:#}");
        before.assert_same(&world.snapshot());
    }
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
