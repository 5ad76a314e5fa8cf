//! What the real Python emitter makes of decorators: one regeneration with all of them, each looked for in the code. The
//! rows that `docs/reference/directives.md` calls `tried` are these.

use bailiwick_tests::Sdk;
use bailiwick_tests::World;
use serde_json::json;

const DIRECTIVES: &[&str] = &[
    "--usage",
    "AnalyzeResult=input|json",
    "--type",
    "Widget.lastModifiedAt=string",
    "--decorate",
    "clientDoc:Contoso.WidgetManager.Warranty=Told by hand.",
    "--exclude",
    "Parts.deletePart",
    "--decorate",
    "override:Widgets.listWidgets=remove(top)",
    "--decorate",
    "flattenProperty:Widget.dimensions",
    "--move",
    "Parts.restockPart=Widgets",
    "--namespace",
    "Manufacturer=Contoso.Makers",
];

#[test]
fn real_python_emitter_follows_each_decorator_and_the_surface_says_what_changed() {
    let world = World::of(Sdk::Python);
    // Whether it builds is not asked: the emitter forgets an import where a model has a namespace of its own.
    let response = world.package_command("customize", &[&["--keep-on-failure"], DIRECTIVES].concat()).json();
    assert_eq!(response["typeSpecChanges"].as_array().unwrap().len(), 8, "{response:#}");
    let models = world.read("azure/widget/models/_models.py");
    let class =
        |name: &str| models.split(&format!("\nclass {name}(")).nth(1).unwrap().split("\nclass ").next().unwrap();
    assert!(class("Widget").contains("last_modified_at: str = "), "alternateType\n{}", class("Widget"));
    assert!(class("Widget").contains("__flattened_items = [\"width\""), "flattenProperty\n{}", class("Widget"));
    assert!(class("Warranty").contains("\"\"\"Told by hand."), "clientDoc\n{}", class("Warranty"));
    assert!(class("AnalyzeResult").contains("analysis_id: str,"), "usage: it can be made\n{}", class("AnalyzeResult"));
    assert!(!models.contains("\nclass Manufacturer("), "clientNamespace");
    assert!(world.read("azure/widget/makers/models/_models.py").contains("\nclass Manufacturer("));
    let operations = world.read("azure/widget/operations/_operations.py");
    let group = |name: &str| {
        let rest = operations.split(&format!("\nclass {name}:")).nth(1).unwrap();
        rest.split("\nclass ").next().unwrap()
    };
    assert!(!group("PartsOperations").contains("delete_part"), "scope");
    assert!(group("WidgetsOperations").contains("def restock_part("), "clientLocation");
    let list = group("WidgetsOperations").split("def list_widgets(").nth(1).unwrap().split("->").next().unwrap();
    assert!(!list.contains("top"), "override: {list}");

    let surface = response["publicSurface"]["changes"].as_array().unwrap();
    let change =
        |kind: &str, name: &str| surface.iter().find(|one| one["change"] == kind && one["name"] == name).cloned();
    let changed = change("changed", "WidgetsOperations.list_widgets").unwrap_or_else(|| panic!("{response:#}"));
    assert_eq!(changed["details"], json!(["`top` is gone"]), "{changed:#}");
    assert_eq!(changed["cause"], "decorator", "{changed:#}");
    assert!(change("removed", "PartsOperations.delete_part").is_some(), "{response:#}");
    assert!(change("renamed", "PartsOperations.restock_part").is_some(), "{response:#}");
}
