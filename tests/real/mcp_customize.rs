//! Customizations through the MCP server by hand: progress, cancellation, `running` and waiting, approval.

use bailiwick_tests::{Mcp, World, text};
use serde_json::{Value, json};

const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";

fn customize(world: &World, request: &str) -> Value {
    json!({
        "name": "azsdk_package_customize_code",
        "arguments": { "packagePath": world.package(), "customizationRequest": request },
        "_meta": { "progressToken": "p" },
    })
}

fn says(message: &Value, what: &str) -> bool {
    message["method"] == "notifications/progress"
        && message["params"]["message"].as_str().is_some_and(|said| said.contains(what))
}

fn finished(result: &Value) -> &Value {
    assert_eq!(result["structuredContent"]["status"], "finished", "{result:#}");
    &result["structuredContent"]
}

fn status(client: &mut Mcp, run: &str) -> String {
    let shown = client.call("azsdk_run_show", json!({ "runId": run }));
    shown["structuredContent"]["status"].as_str().unwrap_or_else(|| panic!("{shown:#}")).to_owned()
}

#[test]
fn customization_tells_its_progress_and_nothing_that_a_child_prints_reaches_stdout() {
    let world = World::new();
    let path = world.package().join("azure/widget/_patch.py");
    let noisy = std::fs::read_to_string(&path).unwrap()
        + "\nimport os, sys\nprint('{\"jsonrpc\":\"2.0\"} chatter')\nsys.stderr.write('chatter\\n')\nos.write(1, b'chatter\\n')\n";
    std::fs::write(&path, noisy).unwrap();
    world.commit();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let id = client.begin("tools/call", customize(&world, "hide operation deleteWidget from the Python SDK"));
    let result = client.answer(id)["result"].clone();
    let response = finished(&result);
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert!(text(&result).starts_with("success: "), "{result:#}");
    for step in ["classifying", "editing `client.tsp`", "regenerating", "building", "looking for customizations"] {
        assert!(client.aside.iter().any(|message| says(message, step)), "{step}: {:#?}", client.aside);
    }
    let steps: Vec<_> = client
        .aside
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| (message["params"]["progressToken"].clone(), message["params"]["progress"].as_f64().unwrap()))
        .collect();
    assert!(steps.iter().all(|(token, _)| token == "p"), "{steps:?}");
    assert!(steps.windows(2).all(|pair| pair[0].1 < pair[1].1), "{steps:?}");
    let everything = format!("{result}{:?}", client.aside);
    assert!(!everything.contains(world.state().to_str().unwrap()), "{everything}");

    let run = response["runId"].as_str().unwrap().to_owned();
    assert_eq!(status(&mut client, &run), "pending");
    let reverted = client.call("azsdk_run_revert", json!({ "runId": run }));
    assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn cancellation_in_the_middle_of_a_build_leaves_both_repositories_as_they_were() {
    for modern in [false, true] {
        let world = World::standing_in();
        world.stand_in_fails(&json!({ "hangs": "build" }));
        let before = world.snapshot();
        let arguments = ["--answer-within", "600"];
        let mut client = if modern {
            Mcp::modern(world.base(), &world.serving(&arguments), json!({}))
        } else {
            Mcp::legacy(world.base(), &world.serving(&arguments), json!({}))
        };
        let id = client.begin("tools/call", customize(&world, REQUEST));
        client.wait_for(|message| says(message, "building"));
        assert_ne!(world.snapshot(), before, "something had landed");
        client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "a person changed their mind" }));
        let run = loop {
            let listed = client.call("azsdk_run_list", json!({}));
            let run = &listed["structuredContent"]["runs"][0];
            if run["status"] != "running" {
                break run.clone();
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        };
        assert_eq!(run["status"], "reverted", "{run:#}");
        before.assert_same(&world.snapshot());
        assert!(client.close().success());
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn closed_connection_ends_what_is_at_work_and_puts_it_back() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    client.begin("tools/call", customize(&world, REQUEST));
    client.wait_for(|message| says(message, "building"));
    assert!(client.close().success());
    before.assert_same(&world.snapshot());
    let listed = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(listed[0]["status"], "reverted", "{listed:#}");
}

#[test]
fn long_work_answers_running_and_can_be_waited_for_and_cancelled() {
    let world = World::standing_in();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "0"]), json!({}));
    let id = client.begin("tools/call", customize(&world, REQUEST));
    let result = client.answer(id)["result"].clone();
    assert_eq!(result["structuredContent"]["status"], "running", "{result:#}");
    let run = result["structuredContent"]["runId"].as_str().unwrap().to_owned();
    assert!(text(&result).contains("azsdk_run_wait"), "{result:#}");
    let result = loop {
        let waited = client.call("azsdk_run_wait", json!({ "runId": run, "seconds": 1 }));
        if waited["structuredContent"]["status"] != "running" {
            break waited;
        }
    };
    assert_eq!(finished(&result)["outcome"], "success", "{result:#}");
    // The run's own name and the one it had before it began lead to the same answer, and so does the store.
    let named = result["structuredContent"]["runId"].as_str().unwrap().to_owned();
    assert_eq!(client.call("azsdk_run_wait", json!({ "runId": named })), result);
    assert!(client.close().success());
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "0"]), json!({}));
    assert_eq!(
        client.call("azsdk_run_wait", json!({ "runId": named }))["structuredContent"],
        result["structuredContent"]
    );
    client.call("azsdk_run_revert", json!({ "runId": named }));
    before.assert_same(&world.snapshot());

    let id = client.begin("tools/call", customize(&world, REQUEST));
    let run = client.answer(id)["result"]["structuredContent"]["runId"].as_str().unwrap().to_owned();
    let cancelled = client.call("azsdk_run_cancel", json!({ "runId": run }));
    assert_eq!(cancelled["structuredContent"]["status"], "cancelled", "{cancelled:#}");
    before.assert_same(&world.snapshot());
    let waited = client.call("azsdk_run_wait", json!({ "runId": run }));
    assert!(waited["isError"] == json!(true) && text(&waited).contains("cancelled"), "{waited:#}");
}

#[test]
fn approval_is_what_a_person_answers() {
    let world = World::standing_in();
    let can_ask = json!({ "elicitation": {} });
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), can_ask.clone());
    let id = client.begin("tools/call", customize(&world, REQUEST));
    let result = client.answer(id)["result"].clone();
    let run = finished(&result)["runId"].as_str().unwrap().to_owned();

    // 2025-11-25: the server asks while the call is open.
    let id = client.begin("tools/call", json!({ "name": "azsdk_run_approve", "arguments": { "runId": run } }));
    let asked = client.wait_for(|message| message["method"] == "elicitation/create");
    assert!(asked["params"]["message"].as_str().unwrap().contains(&run), "{asked:#}");
    client.send_text(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "action": "decline" } }).to_string());
    let declined = client.answer(id)["result"].clone();
    assert_eq!(declined["structuredContent"]["approved"], false, "{declined:#}");
    assert_eq!(status(&mut client, &run), "pending");
    assert!(client.close().success());

    // A client that cannot ask a person is told what to type.
    let mut client = Mcp::legacy(world.base(), &world.serving(&[]), json!({}));
    let refused = client.call("azsdk_run_approve", json!({ "runId": run }));
    assert!(refused["isError"] == true && text(&refused).contains(&format!("`bailiwick run approve {run}`")));
    assert_eq!(status(&mut client, &run), "pending");
    assert!(client.close().success());

    // 2026-07-28: the answer asks, and the call is made again. What a client makes up is no answer.
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), can_ask);
    let call = json!({ "name": "azsdk_run_approve", "arguments": { "runId": run } });
    let yes = json!({ "approve": { "action": "accept", "content": { "approve": true } } });
    let mut made_up = call.clone();
    made_up["inputResponses"] = yes.clone();
    made_up["requestState"] = json!("rs1.AAAA.AAAA");
    let refused = client.request("tools/call", made_up)["result"].clone();
    assert_eq!(refused["isError"], true, "{refused:#}");
    assert_eq!(status(&mut client, &run), "pending");
    let asked = client.request("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked:#}");
    let mut again = call.clone();
    again["inputResponses"] = yes;
    again["requestState"] = asked["requestState"].clone();
    let approved = client.request("tools/call", again.clone())["result"].clone();
    assert_eq!(approved["structuredContent"]["approved"], true, "{approved:#}");
    assert_eq!(status(&mut client, &run), "approved");
    let twice = client.request("tools/call", again)["result"].clone();
    assert_eq!(twice["isError"], true, "{twice:#}");
}
