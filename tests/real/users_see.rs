//! What users see is hand-written, and a decorator changes generated code alone: a rename or a hiding that users do not see is
//! no success.

use bailiwick_tests::World;

const OPERATIONS: &str = "azure/widget/operations/_patch.py";
const MODELS: &str = "azure/widget/models/_patch.py";

/// A package whose operation `deleteWidget` is internal, with a public method around it, as real clients have them.
fn with_a_method_around_an_internal_operation() -> World {
    let world = World::new();
    let client = world.project().join("client.tsp");
    let text = std::fs::read_to_string(&client).unwrap();
    std::fs::write(&client, text + "@@access(Widgets.deleteWidget, Access.internal, \"python\");\n").unwrap();
    let path = world.package().join(OPERATIONS);
    let text = std::fs::read_to_string(&path).unwrap();
    let found = "    def find_by_display_name";
    let own = "    def delete_widget(self, widget_name: str, **kwargs: Any) -> None:\n        \
               \"\"\"Delete a widget whose name people may have written with blanks.\"\"\"\n        \
               print(f\"deleting with {self._delete_widget.__name__}\")\n        \
               self._delete_widget(widget_name.strip(), **kwargs)\n\n";
    assert!(text.contains(found));
    std::fs::write(&path, text.replacen(found, &format!("{own}{found}"), 1)).unwrap();
    let _ = world.package_command("generate", &[]).exits(0);
    world.commit();
    world
}

#[test]
fn public_method_that_people_wrote_around_an_internal_operation_keeps_its_name_and_the_answer_says_so() {
    let world = with_a_method_around_an_internal_operation();
    let before = world.snapshot();
    let line = 1 + world.read(OPERATIONS).lines().position(|line| line.contains("def delete_widget")).unwrap();
    let place = format!("sdk/{OPERATIONS}:{line}");

    // Generated code hides it already, and users do not notice.
    let response = world.customize("hide operation deleteWidget from the Python SDK").exits(1).json();
    assert_eq!(response["outcome"], "failure", "{response:#}");
    let guidance = &response["manualGuidance"][0];
    assert!(guidance["issue"].to_string().contains("`WidgetsOperations.delete_widget`"), "{response:#}");
    assert_eq!(guidance["files"], serde_json::json!([place]), "{response:#}");
    before.assert_same(&world.snapshot());

    let request = "rename the operation deleteWidget to removeWidget in Python";
    let plan = world.customize_with(request, &["--dry-run"]).exits(0).json();
    assert_eq!((&plan["outcome"], plan["actions"].as_array().map(Vec::len)), (&"planned".into(), Some(1)), "{plan:#}");
    assert_eq!(plan["guidance"][0]["files"], serde_json::json!([place]), "{plan:#}");

    let response = world.customize(request).exits(1).json();
    assert_eq!((&response["outcome"], &response["success"]), (&"partial".into(), &false.into()), "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    assert!(response["manualGuidance"].to_string().contains("`remove_widget`"), "{response:#}");
    assert!(world.client().contains("\"removeWidget\", \"python\""), "{}", world.client());
    let text = world.read(OPERATIONS);
    // The calls follow, also inside of an f-string, and the name that users know stays.
    assert!(text.contains("self._remove_widget(widget_name") && !text.contains("_delete_widget"), "{text}");
    assert!(text.contains("{self._remove_widget.__name__}") && text.contains("def delete_widget(self"), "{text}");
    world.assert_reverts(&response, &before);
}

/// A class in place of the model `Part`, as `azure-eventgrid` has them: overloads name the keywords that it hands on.
const PART: &str = "

class Part(InternalPart):
    \"\"\"A part of a workshop.

    :ivar stock_count: How many there are.
    :vartype stock_count: int
    \"\"\"

    @overload
    def __init__(
        self,
        *,
        stock_count: int,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any]) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


Manufacturer = _models.Manufacturer
";

/// A package whose users see a generated operation, a model and a keyword through more than a method.
fn with_names_beside_methods() -> World {
    let world = World::new();
    let change = |file: &str, changes: &[(&str, &str)], end: &str| {
        let path = world.package().join(file);
        let mut text = std::fs::read_to_string(&path).unwrap();
        for (old, new) in changes {
            assert!(text.contains(old), "{old}");
            text = text.replacen(old, new, 1);
        }
        std::fs::write(path, text + end).unwrap();
    };
    let imports =
        "from . import _models\nfrom ._models import Part as InternalPart\nfrom ._models import AnalysisFinding";
    let typing = "from typing import Any, List, Mapping, Optional, overload";
    let changes = [
        ("from typing import List, Optional", typing),
        ("from ._models import AnalysisFinding", imports),
        ("[\"WidgetSummary\",", "[\"Manufacturer\", \"Part\", \"WidgetSummary\","),
    ];
    change(MODELS, &changes, PART);
    let own = "    delete_widget = WidgetsOperationsGenerated.delete_widget\n\n    def find_by_display_name";
    let made = "    def spare(self) -> Part:\n        return Part(stock_count=1)\n\n    def stock_list";
    change(OPERATIONS, &[("    def find_by_display_name", own), ("    def stock_list", made)], "");
    world.commit();
    world
}

#[test]
fn attribute_alias_and_constructor_through_which_users_see_an_old_name_are_told_or_follow() {
    let world = with_names_beside_methods();
    let before = world.snapshot();
    let place = |file: &str, start: &str| {
        let text = world.read(file);
        format!("sdk/{file}:{}", 1 + text.lines().position(|line| line.trim_start().starts_with(start)).unwrap())
    };
    let told = |request: &str, place: String, name: &str| {
        let plan = world.customize_with(request, &["--dry-run"]).exits(0).json();
        assert_eq!(plan["guidance"][0]["files"], serde_json::json!([place]), "{plan:#}");
        let response = world.customize(request).exits(1).json();
        assert_eq!(response["outcome"], "partial", "{response:#}");
        let guidance = &response["manualGuidance"][0];
        assert!(guidance["issue"].to_string().contains(name), "{response:#}");
        assert_eq!(guidance["files"], serde_json::json!([place]), "{response:#}");
        world.assert_reverts(&response, &before);
    };
    let hide = "hide operation deleteWidget from the Python SDK";
    told(hide, place(OPERATIONS, "delete_widget ="), "`WidgetsOperations.delete_widget`");
    let rename = "rename the model Manufacturer to Maker in the Python SDK";
    told(rename, place(MODELS, "Manufacturer ="), "`Manufacturer`; only generated code says `Maker`");

    // What the constructor hands on follows, where no type checker misses it.
    let response = world.customize("rename the property Part.stockCount to quantity in Python").exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let (models, operations) = (world.read(MODELS), world.read(OPERATIONS));
    let part = models.split("class Part(").nth(1).unwrap();
    assert!(!part.contains("stock_count") && part.contains("        quantity: int,\n"), "{part}");
    assert!(part.contains(":ivar quantity:") && part.contains(":vartype quantity:"), "{part}");
    assert!(operations.contains("Part(quantity=1)") && operations.contains("{part.quantity}\""), "{operations}");
}

#[test]
fn use_of_a_renamed_model_that_a_comment_hides_from_the_type_checker_is_repaired() {
    let world = World::new();
    let path = world.package().join(OPERATIONS);
    let text = std::fs::read_to_string(&path).unwrap();
    let typing = "from typing import Any, List, Optional";
    let made =
        "    def maker(self):\n        return _models.Manufacturer()  # type: ignore\n\n    def find_by_display_name";
    assert!(text.contains(typing) && text.contains("    def find_by_display_name"));
    let text = text.replace(typing, &format!("{typing}\n\nfrom .. import models as _models"));
    std::fs::write(&path, text.replacen("    def find_by_display_name", made, 1)).unwrap();
    world.commit();
    let before = world.snapshot();
    let response = world.customize("rename the model Manufacturer to Maker in the Python SDK").exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("return _models.Maker()  # type: ignore"), "{text}");
    world.assert_reverts(&response, &before);
}
