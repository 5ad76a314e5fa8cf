//! What is at work in a grant is unknown to a client whose roots close that grant, as what ended there is.

use super::grants::asks_for_everything;
use bailiwick_tests::{Mcp, World};
use serde_json::{Value, json};
use std::path::Path;

const UNKNOWN_RUN: &str = "20200101-000000-000-aaaaaaaa";
const UNKNOWN_WORKFLOW: &str = "workflow-00000000000000000000000000000000";

/// The client works in this directory from now on.
fn work_in(client: &mut Mcp, root: &Path) {
    client.notify("notifications/roots/list_changed", json!({}));
    let listed = client.begin("tools/call", json!({ "name": "list_allowed_directories", "arguments": {} }));
    let asked = client.wait_for(|message| message["method"] == "roots/list");
    let answer = json!({ "roots": [{ "uri": format!("file://{}", root.display()) }] });
    client.send_text(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }).to_string());
    client.answer(listed);
}

/// What is said about this run and this workflow is said about any that never were.
#[track_caller]
fn are_unknown(client: &mut Mcp, package: &Path, run: &str, workflow: &str) {
    let told = asks_for_everything(client, package, run, workflow);
    let unknown = asks_for_everything(client, package, UNKNOWN_RUN, UNKNOWN_WORKFLOW);
    for ((asked, told), (_, unknown)) in told.iter().zip(&unknown) {
        let as_unknown = told.to_string().replace(run, UNKNOWN_RUN).replace(workflow, UNKNOWN_WORKFLOW);
        assert_eq!(as_unknown, unknown.to_string(), "{asked}");
    }
}

/// The run that an answer or the list names first.
fn run_id(of: &Value) -> Option<String> {
    of["runId"].as_str().map(str::to_owned)
}

#[test]
fn run_and_step_at_work_where_the_roots_of_a_client_are_not_are_unknown_to_it() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    let (package, mine) = (world.package(), world.base().join("mine"));
    std::fs::create_dir(&mine).unwrap();
    let grants = ["azure-sdk-for-python", "azure-rest-api-specs", "mine"]
        .map(|name| format!("{name}={}:rw", world.base().join(name).display()));
    let options = ["--grant", &grants[0], "--grant", &grants[1], "--grant", &grants[2], "--answer-within", "0"];
    let mut client = Mcp::legacy(world.base(), &options, json!({ "roots": {}, "elicitation": {} }));

    work_in(&mut client, world.base());
    let begun = client.call("azsdk_package_build_code", json!({ "packagePath": package }));
    assert_eq!(begun["structuredContent"]["status"], "running", "{begun:#}");
    let provisional = run_id(&begun["structuredContent"]).unwrap();
    let run = loop {
        let listed = client.call("azsdk_run_list", json!({}));
        if let Some(run) = run_id(&listed["structuredContent"]["runs"][0]) {
            break run;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    work_in(&mut client, &mine);
    for run in [&provisional, &run] {
        are_unknown(&mut client, &package, run, UNKNOWN_WORKFLOW);
    }
    work_in(&mut client, world.base());
    let waited = client.call("azsdk_run_wait", json!({ "runId": provisional, "seconds": 0 }));
    assert_eq!(waited["structuredContent"]["status"], "running", "it was ended from elsewhere: {waited:#}");
    let cancelled = client.call("azsdk_run_cancel", json!({ "runId": run }));
    assert_eq!(cancelled["structuredContent"]["status"], "cancelled", "{cancelled:#}");

    let plan = json!({ "packagePath": package, "customizationRequest": "rename AnalyzeResult to X", "dryRun": true });
    let planned = client.call("azsdk_package_customize_code", plan);
    let planned = run_id(&planned["structuredContent"]).unwrap_or_else(|| panic!("{planned:#}"));
    let begun = client.call(
        "azsdk_sdk_customization_workflow",
        json!({ "request": "secret plans", "requestType": "user_request", "packagePath": package }),
    );
    let workflow = begun["structuredContent"]["workflow_id"].as_str().unwrap_or_else(|| panic!("{begun:#}")).to_owned();
    work_in(&mut client, &mine);
    are_unknown(&mut client, &package, &planned, &workflow);
    work_in(&mut client, world.base());
    let goes_on = client.call("azsdk_sdk_customization_workflow", json!({ "workflowId": workflow }));
    assert_ne!(goes_on["isError"], json!(true), "{goes_on:#}");
    assert!(client.close().success());
    before.assert_same(&world.snapshot());
}
