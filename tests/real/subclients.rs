//! Scenario 6 of the specification: clients of one's own for the Python library, one of them for a single widget; and
//! many comments of a review in one request.

use bailiwick_tests::{ClientModels, PROJECT, World, assert_success, python_user};
use serde_json::Value;
use std::path::Path;

const REQUEST: &str = "Split the Python client into three clients: \
    WidgetManagerClient with listWidgets and Widgets.getStatistics, PartsClient with the operations of Parts, \
    and WidgetItemClient with the other operations, initialized with widgetName as widgetId.";

/// Uses the clients as a program does: a service of its own sees which widget each call is about.
const USER: &str = r#"
import inspect, json, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from azure.core.credentials import AzureKeyCredential
import azure.widget
from azure.widget import PartsClient, WidgetItemClient, WidgetManagerClient

class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.split("?")[0].rsplit("/", 1)[1]
        body = json.dumps({"name": name, "displayName": "Cog", "status": "active", "lastModifiedAt": "2025-09-01T00:00:00Z", "etag": "1"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *arguments):
        pass

server = HTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
endpoint, key = f"http://127.0.0.1:{server.server_port}", AzureKeyCredential("key")
item = WidgetItemClient(endpoint, key, "w7")
assert item.get_widget().name == "w7"
assert "widget_name" not in inspect.signature(item.get_widget).parameters
assert callable(item.delete_widget) and callable(item.begin_analyze_widget)
manager, parts = WidgetManagerClient(endpoint, key), PartsClient(endpoint, key)
assert callable(manager.list_widgets) and callable(parts.get_part) and callable(parts.restock_part)
assert not hasattr(manager, "get_widget") and not hasattr(item, "list_widgets")
print("three clients")
"#;

/// The fixture without what people added to the operation groups, which clients of one's own do away with.
fn world() -> World {
    let world = World::new();
    for file in ["azure/widget/operations/_patch.py", "azure/widget/aio/operations/_patch.py"] {
        std::fs::remove_file(world.package().join(file)).unwrap();
    }
    for directory in ["tests", "samples"] {
        std::fs::remove_dir_all(world.package().join(directory)).unwrap();
    }
    world.commit();
    world
}

fn assert_split(world: &World, response: &Value, before: &ClientModels, client_before: &str) {
    assert_success(response, (1, 0));
    let changes = response["typeSpecChanges"].as_array().unwrap();
    let names: Vec<&str> = changes.iter().map(|change| change["decoratorName"].as_str().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| **name == "client").count(), 3, "{response:#}");
    assert!(names.contains(&"clientInitialization") && names.contains(&"paramAlias"), "{response:#}");
    assert!(changes.iter().all(|change| change["scope"] == "python"), "{response:#}");

    let client = world.client();
    assert!(client.starts_with(client_before.trim_end()), "what was there stays in place:\n{client}");
    assert!(client.contains("initializedBy: InitializedBy.individually"), "{client}");
    assert!(client.contains("@paramAlias(\"widgetName\", \"python\")\n    widgetId: string;"), "{client}");

    let after = ClientModels::of(world);
    ClientModels::assert_only_changed(before, &after, "python");
    let generated = world.read("azure/widget/_client.py");
    for class in ["class WidgetManagerClient", "class PartsClient", "class WidgetItemClient"] {
        assert!(generated.contains(class), "{class}:\n{generated}");
    }
    assert!(generated.contains("widget_id: str"), "{generated}");
    assert_eq!(python_user(world, USER).trim(), "three clients");
}

#[test]
fn clients_of_ones_own_are_made_and_the_same_request_again_changes_nothing() {
    let world = world();
    let (snapshot, client, models) = (world.snapshot(), world.client(), ClientModels::of(&world));
    let response = world.customize(REQUEST).exits(0).json();
    assert_split(&world, &response, &models, &client);
    let changed = snapshot.difference(&world.snapshot());
    let file = format!("{}/client.tsp", PROJECT.strip_prefix("azure-rest-api-specs/").unwrap());
    assert_eq!(changed.beneath("azure-rest-api-specs"), [file]);

    let split = world.snapshot();
    let again = world.customize(REQUEST).exits(0).json();
    assert_eq!((&again["outcome"], &again["phaseAAttempts"]), (&"success".into(), &0.into()), "{again:#}");
    split.assert_same(&world.snapshot());
}

#[test]
fn clients_of_ones_own_are_made_by_a_replayed_model() {
    let world = world();
    let (client, models) = (world.client(), ClientModels::of(&world));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conversations/subclients.jsonl");
    let whole = world.base().join("whole.jsonl");
    let arguments = ["--replay", file.to_str().unwrap(), "--record", whole.to_str().unwrap()];
    let response = world.customize_with(REQUEST, &arguments).exits(0).json();
    assert_split(&world, &response, &models, &client);
}

#[test]
fn five_review_comments_are_done_found_done_or_left_to_a_person_each_by_itself() {
    let world = World::new();
    let _ = world.customize("hide operation deletePart from the Python SDK").exits(0);
    world.commit();
    let request = "API review feedback for Python:\n\n\
        Line 81: def delete_widget(\nElementId: azure.widget.operations.WidgetsOperations.delete_widget\nComment: this should not be public\n\n\
        Line 90: def delete_part(\nElementId: azure.widget.operations.PartsOperations.delete_part\nComment: hide\n\n\
        Line 95: def restock_part(\nElementId: azure.widget.operations.PartsOperations.restock_part\nComment: could we have retries on this?\n\n\
        Line 12: description: str\nElementId: azure.widget.models.Widget.description\nComment: rename to purpose\n\n\
        Line 40: class WidgetDimensions\nElementId: azure.widget.models.WidgetDimensions\nComment: Please rename this to WidgetSize.\n";
    // Part of it is for a person, so the command does not end as done.
    let response = world.customize(request).exits(1).json();
    assert_eq!(response["outcome"], "partial", "{response:#}");
    let client = world.client();
    for line in [
        "@@access(Widgets.deleteWidget, Access.internal, \"python\");",
        "Widget.description, \"purpose\", \"python\");",
        "WidgetDimensions, \"WidgetSize\", \"python\");",
    ] {
        assert!(client.contains(line), "{line}:\n{client}");
    }
    assert_eq!(client.matches("deletePart").count(), 1, "{client}");
    assert_eq!(response["typeSpecChanges"].as_array().unwrap().len(), 3, "{response:#}");
    let guidance = response["manualGuidance"].as_array().unwrap();
    assert_eq!(guidance.len(), 1, "{response:#}");
    assert!(guidance[0].to_string().contains("retries"), "{response:#}");
    assert!(world.read("azure/widget/models/_models.py").contains("class WidgetSize("));
}
