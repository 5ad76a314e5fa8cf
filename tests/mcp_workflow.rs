//! The coordinator through the MCP server by hand: the client edits, the server checks, and the state outlives both.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use bailiwick_tests::{Mcp, World, text};
use serde_json::{Value, json};

const TOOL: &str = "azsdk_sdk_customization_workflow";
const RENAME: &str = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";

fn begin(client: &mut Mcp, world: &World) -> Value {
    let arguments = json!({
        "request": "AnalyzeResult is to be called WidgetAnalysis in Python",
        "requestType": "user_request",
        "packagePath": world.package(),
    });
    client.call(TOOL, arguments)
}

/// Asks until the answer is no longer that something is at work.
fn settled(client: &mut Mcp, id: &str, mut answer: Value) -> Value {
    while answer["isError"] != json!(true) && waits(&answer) {
        std::thread::sleep(std::time::Duration::from_millis(200));
        answer = client.call(TOOL, json!({ "workflowId": id }));
    }
    answer
}

fn waits(answer: &Value) -> bool {
    let answer = &answer["structuredContent"];
    answer["is_complete"] == json!(false) && answer.get("expected_result").is_none()
}

fn report(client: &mut Mcp, id: &str, result: &Value) -> Value {
    let answer = client.call(TOOL, json!({ "workflowId": id, "result": result }));
    settled(client, id, answer)
}

fn phase(answer: &Value) -> &str {
    answer["structuredContent"]["phase"].as_str().unwrap_or_else(|| panic!("{answer:#}"))
}

fn append(world: &World, text: &str) {
    let path = world.project().join("client.tsp");
    let client = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, client + text).unwrap();
}

fn refused(answer: &Value, about: &str) {
    assert_eq!(answer["isError"], json!(true), "{answer:#}");
    assert!(text(answer).contains(about), "{answer:#}");
}

#[test]
fn whole_workflow_outlives_servers_and_cancellations_and_ends_as_a_run_for_a_person() {
    let world = World::new();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &["--answer-within", "0"], json!({}));

    // What cannot be used starts nothing.
    refused(&client.call(TOOL, json!({ "request": "x" })), "`packagePath` is missing");
    refused(&client.call(TOOL, json!({ "request": "x", "packagePath": "sdk/widget" })), "is not an absolute path");
    refused(&client.call(TOOL, json!({ "workflowId": "workflow-none", "result": {} })), "there is no workflow");
    refused(&client.call(TOOL, json!({ "result": { "type": "classification" } })), "`workflowId` is missing");

    let begun = begin(&mut client, &world);
    let id = begun["structuredContent"]["workflow_id"].as_str().unwrap().to_owned();
    assert!(waits(&begun), "the specification takes a while to be read: {begun:#}");
    assert!(text(&begun).contains(&id), "{begun:#}");
    let answer = settled(&mut client, &id, begun);
    assert_eq!(phase(&answer), "Classify", "{answer:#}");
    assert_eq!(answer["structuredContent"]["continuation_required"], true);
    refused(&report(&mut client, &id, &json!({ "type": "sdk_fix_applied", "description": "d" })), "classification");
    // As an object and as text, as clients send it.
    let yes = json!(json!({ "type": "classification", "tspApplicable": true }).to_string());
    let answer = report(&mut client, &id, &yes);
    assert_eq!(phase(&answer), "AttemptTspFix", "{answer:#}");

    // The next server knows it, and a check that the client takes back leaves what it edited.
    assert!(client.close().success());
    let mut client = Mcp::legacy(world.base(), &["--answer-within", "600"], json!({}));
    append(&world, RENAME);
    let edited = world.snapshot();
    let applied = json!({ "type": "tsp_fix_applied", "description": "renamed it" });
    let call = json!({
        "name": TOOL,
        "arguments": { "workflowId": id, "result": applied },
        "_meta": { "progressToken": "p" },
    });
    let open = client.begin("tools/call", call);
    client.wait_for(|message| message["params"]["message"].as_str().is_some_and(|said| said.contains("building")));
    assert_ne!(world.snapshot(), edited, "it has regenerated");
    client.notify("notifications/cancelled", json!({ "requestId": open, "reason": "second thoughts" }));
    let answer = loop {
        let answer = client.call(TOOL, json!({ "workflowId": id }));
        if answer["isError"] != json!(true) {
            break answer;
        }
        assert!(text(&answer).contains("taken back"), "{answer:#}");
    };
    assert_eq!(phase(&answer), "AttemptTspFix", "{answer:#}");
    edited.assert_same(&world.snapshot());

    // The hand-written code does not know the new name.
    let answer = report(&mut client, &id, &applied);
    assert_eq!(phase(&answer), "Classify", "{answer:#}");
    let no = json!({ "type": "classification", "tspApplicable": false });
    let answer = report(&mut client, &id, &no);
    let tool = &answer["structuredContent"]["run_tool"];
    assert_eq!(tool["name"], "azsdk_sdk_fix", "{answer:#}");
    assert_eq!(tool["arguments"]["packagePath"], json!(world.package()), "the client's own paths stand");
    let mut elsewhere = tool["arguments"].clone();
    elsewhere["packagePath"] = json!(world.project());
    refused(&client.call("azsdk_sdk_fix", elsewhere), "is not the package");
    let fixed = client.call("azsdk_sdk_fix", tool["arguments"].clone());
    assert_eq!(fixed["structuredContent"]["result"], "applied", "{fixed:#}");
    let answer = report(&mut client, &id, &json!({ "type": "sdk_fix_applied", "description": "followed it" }));
    assert_eq!(answer["structuredContent"]["status"], "success", "{answer:#}");
    assert!(text(&answer).contains("followed it"), "the summary is in the text: {answer:#}");

    let runs = client.call("azsdk_run_list", json!({}));
    let run = runs["structuredContent"]["runs"][0].clone();
    assert_eq!(run["status"], "pending", "{run:#}");
    let _ = client.call("azsdk_run_revert", json!({ "runId": run["runId"] }));
    before.assert_same(&world.snapshot());
}
