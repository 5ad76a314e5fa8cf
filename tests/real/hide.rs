//! Scenario 4 of the specification: an operation disappears from the public surface of the Python library.

use bailiwick_tests::{ClientModels, PROJECT, World, python_user};

/// Talks to a service of its own: a public operation answers, the hidden one is there for hand-written code alone.
const USER: &str = r#"
import json, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from azure.core.credentials import AzureKeyCredential
from azure.widget import WidgetManagerClient

class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"name": "w1", "displayName": "Cog", "status": "active", "lastModifiedAt": "2025-09-01T00:00:00Z", "etag": "1"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_DELETE(self):
        self.send_response(204)
        self.end_headers()
    def log_message(self, *arguments):
        pass

server = HTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = WidgetManagerClient(f"http://127.0.0.1:{server.server_port}", AzureKeyCredential("key"))
assert client.widgets.get_widget("w1").display_name == "Cog"
assert not hasattr(client.widgets, "delete_widget")
assert callable(client.widgets._delete_widget)
assert callable(client.parts.delete_part)
assert callable(client.widgets.find_by_display_name)
print("hidden, and the rest as before")
"#;

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
    assert_eq!(python_user(&world, USER), "hidden, and the rest as before\n");
    let run = response["runId"].as_str().unwrap();
    let next = response["nextSteps"].to_string();
    assert!(next.contains("Review changes and commit if approved") && next.contains(run), "{next}");
}
