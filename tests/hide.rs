//! Scenario 4 of the specification: an operation disappears from the public surface of the Python library.

use bailiwick_tests::{ClientModels, PROJECT, World};

#[test]
fn operation_is_hidden_by_one_scoped_decorator_and_nothing_else_of_the_spec_changes() {
    let world = World::new();
    let (before, client) = (world.snapshot(), world.client());
    let models = ClientModels::of(&world);
    let operations = "azure/widget/operations/_operations.py";
    assert!(world.read(operations).contains("def delete_widget("));

    let response = world.customize("hide operation deleteWidget from the Python SDK").exits(0).json();

    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["success"], true);
    assert_eq!(response["phaseAAttempts"], 1);
    assert_eq!(response["phaseBAttempts"], 0, "Phase B was never entered");
    assert_eq!(response["buildResult"]["success"], true);
    let changes = response["typeSpecChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{response:#}");
    assert_eq!(changes[0]["decoratorName"], "access");
    assert_eq!(changes[0]["scope"], "python");

    let after = world.client();
    let added: Vec<_> =
        after.lines().filter(|line| !line.is_empty() && !client.lines().any(|old| old == *line)).collect();
    assert_eq!(added.len(), 1, "{added:?}");
    assert!(added[0].starts_with("@@access(") && added[0].ends_with(", Access.internal, \"python\");"), "{added:?}");
    assert!(added[0].contains("deleteWidget"));
    assert!(after.starts_with(client.trim_end()), "what was there stays in place");

    let changed = before.difference(&world.snapshot());
    assert_eq!(
        changed.beneath("azure-rest-api-specs"),
        [format!("{}/client.tsp", PROJECT.strip_prefix("azure-rest-api-specs/").unwrap())]
    );
    let generated = world.read(operations);
    assert!(generated.contains("def _delete_widget(") && !generated.contains("def delete_widget("));
    assert!(world.read("azure/widget/aio/operations/_operations.py").contains("def _delete_widget("));
    for path in changed.beneath("azure-sdk-for-python") {
        assert!(!path.ends_with("_patch.py"), "{path} is hand-written");
        assert!(path.starts_with("sdk/widget/azure-widget/"), "{path} is outside the package");
    }
    let later = ClientModels::of(&world);
    ClientModels::assert_only_changed(&models, &later, "python");
    let method = "/clients/WidgetManagerClient.Widgets/methods/Contoso.WidgetManager.Widgets.deleteWidget/access";
    assert_eq!(later.language("python").pointer(method), Some(&"internal".into()));
    let run = response["runId"].as_str().unwrap();
    let next = response["nextSteps"].to_string();
    assert!(next.contains("Review changes and commit if approved") && next.contains(run), "{next}");
}
