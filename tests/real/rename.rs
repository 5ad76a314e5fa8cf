//! Scenario 3's shape in Python: a rename in TypeSpec breaks hand-written code, which is repaired.

use bailiwick_tests::{ClientModels, World, assert_success};

#[test]
fn renamed_model_breaks_hand_written_code_and_every_reference_is_repaired() {
    let world = World::new();
    let (before, models) = (world.snapshot(), ClientModels::of(&world));
    let response =
        world.customize("rename the model AnalyzeResult to WidgetAnalysis in the Python SDK").exits(0).json();
    assert_success(&response, (1, 1));
    assert_eq!(response["typeSpecChanges"][0]["decoratorName"], "clientName");
    assert!(!response["codePatches"].as_array().unwrap().is_empty());
    let later = ClientModels::of(&world);
    ClientModels::assert_only_changed(&models, &later, "python");
    let name = "/models/Contoso.WidgetManager.AnalyzeResult/name";
    assert_eq!(later.language("python").pointer(name), Some(&"WidgetAnalysis".into()));

    assert!(world.client().contains("\"WidgetAnalysis\", \"python\""));
    assert!(world.read("azure/widget/models/_models.py").contains("class WidgetAnalysis("));
    for file in
        ["azure/widget/models/_patch.py", "azure/widget/operations/_patch.py", "azure/widget/aio/operations/_patch.py"]
    {
        let text = world.read(file);
        assert!(text.contains("WidgetAnalysis") && !text.contains("import AnalyzeResult"), "{file}:\n{text}");
    }
    let changed = before.difference(&world.snapshot());
    let hand_written: Vec<_> =
        changed.beneath("azure-sdk-for-python").into_iter().filter(|path| path.ends_with("_patch.py")).collect();
    assert_eq!(hand_written.len(), 3, "only the three that name the model: {hand_written:?}");
    for file in hand_written {
        let diff = world.git("azure-sdk-for-python", &["diff", "--unified=0", "--", &file]);
        for line in diff.lines().filter(|line| line.starts_with('-') && !line.starts_with("---")) {
            assert!(line.contains("AnalyzeResult"), "a line that does not name the model was changed: {line}");
        }
    }
}

#[test]
fn renamed_property_is_repaired_in_the_right_class_alone() {
    let world = World::new();
    let response = world.customize("rename property displayName of Widget to title for python").exits(0).json();
    assert_success(&response, (1, 1));
    let models = world.read("azure/widget/models/_patch.py");
    assert!(models.contains("self._widget.title") && !models.contains("_widget.display_name"), "{models}");
    let operations = world.read("azure/widget/operations/_patch.py");
    assert!(operations.contains("widget.title.casefold() == display_name.casefold()"), "{operations}");
    assert!(
        operations.contains("part.display_name") && operations.contains("manufacturer.display_name"),
        "{operations}"
    );
}

/// Sync and async operations that hand-written code overrides with the parameters of the generated ones: one calls what it
/// overrides, which the build misses, and one does not, which only the drift check finds.
#[test]
fn override_of_a_renamed_operation_follows_it_sync_and_async() {
    let world = World::new();
    let own = |head: &str, body: &str| {
        let takes = "self, widget_name: str, operation_id: str, **kwargs: Any";
        format!("    {head} get_analysis_status({takes}) -> Any:\n        {body}\n\n    {head} find_by_display_name")
    };
    let calls = "return super().get_analysis_status(widget_name.strip(), operation_id, **kwargs)";
    for (file, head, body) in [
        ("azure/widget/operations/_patch.py", "def", calls),
        ("azure/widget/aio/operations/_patch.py", "async def", "raise NotImplementedError(widget_name)"),
    ] {
        let path = world.package().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let found = format!("    {head} find_by_display_name");
        assert!(text.contains(&found), "{text}");
        std::fs::write(&path, text.replacen(&found, &own(head, body), 1)).unwrap();
    }
    world.commit();
    let before = world.snapshot();
    let response =
        world.customize("rename the operation getAnalysisStatus to fetchAnalysisStatus for python").exits(0).json();
    assert_success(&response, (1, 1));
    for file in ["azure/widget/operations/_patch.py", "azure/widget/aio/operations/_patch.py"] {
        let text = world.read(file);
        let follows = text.contains("def fetch_analysis_status(self, widget_name");
        assert!(follows && !text.contains("get_analysis_status"), "{file}:\n{text}");
    }
    world.assert_reverts(&response, &before);
}

/// A service team gives another client name to a model that had one already: the specification's own name never stood in
/// the generated code, so only that code tells what became of what.
#[test]
fn client_name_that_replaces_another_is_followed_by_what_generated_code_shows() {
    let world = World::new();
    let _ = world.customize("rename the model AnalyzeResult to WidgetAnalysis in the Python SDK").exits(0);
    let client = world.project().join("client.tsp");
    let text = std::fs::read_to_string(&client).unwrap();
    std::fs::write(&client, text.replace("WidgetAnalysis", "AnalysisReport")).unwrap();
    world.commit();
    let response = world.package_command("fix", &[]).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let models = world.read("azure/widget/models/_patch.py");
    assert!(models.contains("AnalysisReport") && !models.contains("import WidgetAnalysis"), "{models}");
}

/// An operation that the specification renamed some time ago, in generated code too: nothing is to be repaired, and users see
/// the override of before beside it.
#[test]
fn repair_says_that_an_override_still_has_the_former_name_of_an_operation() {
    let world = World::new();
    let client = world.project().join("client.tsp");
    let renamed = "@@clientName(Widgets.getAnalysisStatus, \"fetchAnalysisStatus\", \"python\");\n";
    std::fs::write(&client, world.client() + renamed).unwrap();
    let file = "azure/widget/operations/_patch.py";
    let own = "    def get_analysis_status(self, widget_name: str, operation_id: str, **kwargs: Any) -> Any:\n        \
               return self.fetch_analysis_status(widget_name.strip(), operation_id, **kwargs)\n\n";
    let (text, found) = (world.read(file), "    def find_by_display_name");
    assert!(text.contains(found), "{text}");
    std::fs::write(world.package().join(file), text.replacen(found, &format!("{own}{found}"), 1)).unwrap();
    let _ = world.package_command("generate", &[]).exits(0);
    world.commit();
    let before = world.snapshot();
    let response = world.package_command("fix", &[]).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let line = 1 + world.read(file).lines().position(|line| line.contains("def get_analysis_status")).unwrap();
    let steps = response["nextSteps"].to_string();
    assert!(steps.contains(&format!("`WidgetsOperations.get_analysis_status` (`sdk/{file}:{line}`)")), "{response:#}");
    assert!(steps.contains("`fetch_analysis_status`"), "{response:#}");
    before.assert_same(&world.snapshot());
}

/// The name that was asked about is gone after the edit: that it is not found any more is no failure.
#[test]
fn renamed_client_is_a_success_and_hand_written_code_follows() {
    let world = World::new();
    let before = world.snapshot();
    let response = world.customize("Rename WidgetManagerClient to WidgetClient").exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert!(world.client().contains("\"WidgetClient\", \"python\")"), "{}", world.client());
    assert!(world.read("azure/widget/_client.py").contains("class WidgetClient"));
    world.assert_reverts(&response, &before);
}

/// Services share models in a directory beside their projects: `additionalDirectories` in `tsp-location.yaml`.
#[test]
fn model_that_a_directory_beside_the_project_declares_is_known_by_its_name() {
    let world = World::new();
    let models = std::fs::read_to_string(world.project().join("models.tsp")).unwrap();
    let shared = world.project().with_file_name("Shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::rename(world.project().join("models.tsp"), shared.join("models.tsp")).unwrap();
    for file in ["main.tsp", "routes.tsp"] {
        let path = world.project().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"./models.tsp\""));
        std::fs::write(&path, text.replace("\"./models.tsp\"", "\"../Shared/models.tsp\"")).unwrap();
    }
    assert!(models.contains("model Manufacturer"));
    let location = world.package().join("tsp-location.yaml");
    let text = std::fs::read_to_string(&location).unwrap();
    let named = "additionalDirectories:\n- specification/widget/Shared/";
    std::fs::write(&location, text.replace("additionalDirectories:", named)).unwrap();
    world.commit();
    let plan = world.customize_with("Rename the model Manufacturer to Producer", &["--dry-run"]).exits(0).json();
    assert_eq!(plan["actions"][0]["target"], "Contoso.WidgetManager.Manufacturer", "{plan:#}");
}
