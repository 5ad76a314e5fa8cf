//! .NET, over the stand-in emitter and a real C# compiler: comments of an API review (scenario 2), and renames that
//! hand-written halves of generated types have not followed.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use bailiwick_tests::{Sdk, Snapshot, World, compiler};
use serde_json::Value;

const MODELS: &str = "src/Generated/Models";

/// A world with a .NET package, where it can be built.
fn world() -> Option<World> {
    compiler().map(|_| World::of(Sdk::Dotnet))
}

fn attempts(response: &Value) -> (u64, u64) {
    (response["phaseAAttempts"].as_u64().unwrap(), response["phaseBAttempts"].as_u64().unwrap())
}

#[track_caller]
fn assert_success(response: &Value, wanted: (u64, u64)) {
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["buildResult"]["success"], true, "{response:#}");
    assert_eq!(attempts(response), wanted, "{response:#}");
}

#[track_caller]
fn assert_reverts(world: &World, response: &Value, before: &Snapshot) {
    let _ = world.bailiwick(&["run", "revert", response["runId"].as_str().unwrap()]).exits(0);
    before.assert_same(&world.snapshot());
}

/// What changed in the SDK repository outside generated code.
fn changed_by_hand(world: &World) -> Vec<String> {
    let status = world.git(Sdk::Dotnet.repository(), &["status", "--porcelain", "-z", "-uall"]);
    status
        .split('\0')
        .filter(|entry| entry.len() > 3 && !entry.contains("/Generated/"))
        .map(|entry| entry[3..].to_owned())
        .collect()
}

#[test]
fn review_comment_renames_a_model_for_dotnet_alone_and_needs_no_repair() {
    let Some(world) = world() else { return };
    let before = world.snapshot();
    let client = world.client();
    let request = "API review: please rename the model WidgetStatistics to WidgetCounts in the .NET SDK";
    let response = world.customize(request).exits(0).json();
    assert_success(&response, (1, 0));
    assert_eq!(response["codePatches"], serde_json::json!([]));
    let change = &response["typeSpecChanges"][0];
    assert_eq!((&change["decoratorName"], &change["scope"]), (&"clientName".into(), &"csharp".into()), "{response:#}");
    let added: Vec<String> = world.client().lines().filter(|line| !client.contains(*line)).map(str::to_owned).collect();
    assert_eq!(added.len(), 1, "{added:?}");
    assert!(added[0].ends_with("WidgetStatistics, \"WidgetCounts\", \"csharp\");"), "{added:?}");
    let counts = world.read(&format!("{MODELS}/WidgetCounts.cs"));
    assert!(counts.contains("public partial class WidgetCounts"), "{counts}");
    assert!(!world.package().join(MODELS).join("WidgetStatistics.cs").exists());
    assert!(world.read("src/Generated/Widgets.cs").contains("public virtual WidgetCounts GetStatistics("));
    assert_eq!(changed_by_hand(&world), [] as [&str; 0]);
    assert_reverts(&world, &response, &before);
}
