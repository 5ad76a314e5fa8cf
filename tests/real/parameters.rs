//! Parameters that a template puts into an operation, renamed by what declares them.

use bailiwick_tests::{ClientModels, World, assert_success};
use serde_json::Value;

const SHELVES: &str = r#"import "./models.tsp";
import "@azure-tools/typespec-azure-core";
using TypeSpec.Http;
using TypeSpec.Rest;
using Azure.Core;
using Azure.Core.Traits;
namespace Contoso.WidgetManager;

alias Sifting = {
  @doc("How many at most.")
  @query("max-count") maxCnt?: int32;
};

@doc("A shelf.")
@resource("shelves")
model Shelf {
  @doc("The name of the shelf.")
  @key
  @visibility(Lifecycle.Read)
  shelfNm: string;
}

@doc("A crate on a shelf.")
@resource("crates")
@parentResource(Shelf)
model Crate {
  @doc("The name of the crate.")
  @key
  @visibility(Lifecycle.Read)
  crateName: string;
}

interface Crates {
  @doc("Lists the crates of a shelf.")
  listCrates is StandardResourceOperations.ResourceList<Crate, ListQueryParametersTrait<Sifting>>;
}
"#;

/// What differs between two values, as pointers.
fn differences(before: &Value, after: &Value, at: &str, found: &mut Vec<String>) {
    let each = |value: &Value| match value {
        Value::Object(all) => Some(all.iter().map(|(key, one)| (key.clone(), one.clone())).collect::<Vec<_>>()),
        Value::Array(all) => Some(all.iter().enumerate().map(|(key, one)| (key.to_string(), one.clone())).collect()),
        _ => None,
    };
    match (each(before), each(after)) {
        (Some(one), Some(other)) if one.iter().map(|(key, _)| key).eq(other.iter().map(|(key, _)| key)) => {
            for ((key, one), (_, other)) in one.iter().zip(&other) {
                differences(one, other, &format!("{at}/{key}"), found);
            }
        }
        _ if before != after => found.push(at.to_owned()),
        _ => {}
    }
}

#[test]
fn parameter_of_an_alias_and_key_of_a_resource_are_renamed_in_the_signature_and_nothing_else_changes() {
    let world = World::new();
    std::fs::write(world.project().join("shelves.tsp"), SHELVES).unwrap();
    let main = world.project().join("main.tsp");
    let text = std::fs::read_to_string(&main).unwrap();
    std::fs::write(&main, format!("import \"./shelves.tsp\";\n{text}")).unwrap();
    world.commit();
    let (client, before) = (world.client(), ClientModels::of(&world));
    let asked = ["--rename", "listCrates.maxCnt=maxCount", "--rename", "listCrates.shelfNm=shelfName"];
    let response = world.package_command("customize", &asked).exits(0).json();
    assert_success(&response, (1, 0));
    for written in ["Sifting.maxCnt, \"maxCount\", \"python\"", "Shelf.shelfNm, \"shelfName\", \"python\""] {
        assert!(world.client().contains(written), "{}", world.client());
    }
    let after = ClientModels::of(&world);
    ClientModels::assert_only_changed(&before, &after, "python");
    let mut changed = Vec::new();
    differences(before.language("python"), after.language("python"), "", &mut changed);
    assert!(changed.iter().all(|one| one.contains("listCrates/parameters/") && one.ends_with("/name")), "{changed:?}");
    assert_eq!(changed.len(), 2, "{changed:?}");

    let operations = world.read("azure/widget/operations/_operations.py");
    let list = operations.split("def list_crates(").nth(1).unwrap().split("\n    @").next().unwrap();
    for expected in
        ["shelf_name: str", "max_count: Optional[int] = None", ":keyword max_count: How many at most.", "ItemPaged["]
    {
        assert!(list.contains(expected), "{expected}\n{list}");
    }
    for expected in ["_params[\"max-count\"]", "\"shelfNm\": _SERIALIZER.url(\"shelf_name\""] {
        assert!(operations.contains(expected), "{expected}");
    }
    assert!(!operations.contains("max_cnt") && !operations.contains("shelf_nm"));

    let back = ["--rename", "listCrates.maxCnt=maxCnt", "--rename", "listCrates.shelfNm=shelfNm"];
    let response = world.package_command("customize", &back).exits(0).json();
    assert_success(&response, (1, 0));
    assert_eq!(world.client().trim_end(), client.trim_end());
    assert!(world.read("azure/widget/operations/_operations.py").contains("max_cnt: Optional[int] = None"));
}
