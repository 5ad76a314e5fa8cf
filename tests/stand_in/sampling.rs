//! The client's own model classifies and edits (`mcp --model client`). The model is a stand-in: it answers with what the
//! mechanic said to the same request.

use bailiwick_tests::{Mcp, World, answers_of_a_client_model, text};
use serde_json::{Value, json};
use std::sync::LazyLock;

const HIDE: &str = "hide operation deleteWidget from the Python SDK";

static SAID: LazyLock<Vec<String>> = LazyLock::new(|| answers_of_a_client_model(HIDE));

fn with_a_model() -> Value {
    json!({ "sampling": {} })
}

fn customize(world: &World) -> Value {
    let arguments = json!({ "packagePath": world.package(), "customizationRequest": HIDE });
    json!({ "name": "azsdk_package_customize_code", "arguments": arguments })
}

fn serving(world: &World, answer_within: &'static str) -> Vec<&'static str> {
    world.serving(&["--model", "client", "--answer-within", answer_within])
}

fn completion(text: &str) -> Value {
    json!({ "role": "assistant", "model": "stand-in", "content": { "type": "text", "text": text } })
}

/// What the client's model is asked is all that a model of a provider is asked.
#[track_caller]
fn assert_prompt(params: &Value, first: bool) {
    let system = params["systemPrompt"].as_str().unwrap();
    assert!(system.contains("\"name\":\"Exit\"") && system.contains("\"calls\""), "{params:#}");
    let messages = params["messages"].as_array().unwrap();
    assert!(messages[0]["content"]["text"].as_str().unwrap().contains("[data task "), "{params:#}");
    assert!(!first || (messages.len() == 1 && params.to_string().contains(HIDE)), "{params:#}");
}

/// Waits for the answer of a call, with an answer of the model for each prompt on the way. Returns how many there were.
fn answered(client: &mut Mcp, id: u64, answers: &[String]) -> (Value, usize) {
    let mut asked = 0;
    loop {
        let message = client.next_message();
        if message["method"] == "sampling/createMessage" {
            assert_prompt(&message["params"], asked == 0);
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": completion(&answers[asked]) });
            client.send_text(&answer.to_string());
            asked += 1;
        } else if message.get("method").is_none() && message["id"] == json!(id) {
            return (message["result"].clone(), asked);
        }
    }
}

#[track_caller]
fn assert_hidden(world: &World, result: &Value) {
    let answer = &result["structuredContent"];
    assert_eq!((&answer["status"], &answer["outcome"]), (&"finished".into(), &"success".into()), "{result:#}");
    assert!(world.client().contains("@@access(Widgets.deleteWidget, Access.internal, \"python\");"));
    let run = answer["runId"].as_str().unwrap();
    let shown = world.bailiwick(&["--json", "run", "show", run]).exits(0).json();
    assert_eq!(shown["details"]["model"], "client", "{shown:#}");
}

#[test]
fn request_is_carried_out_by_the_model_of_a_client_that_is_asked() {
    let world = World::standing_in();
    let mut client = Mcp::legacy(world.base(), &serving(&world, "600"), with_a_model());
    let id = client.begin("tools/call", customize(&world));
    let (result, asked) = answered(&mut client, id, &SAID);
    assert_eq!(asked, SAID.len(), "{result:#}");
    assert_hidden(&world, &result);
}

#[test]
fn prompt_waits_for_a_call_that_waits_for_the_run() {
    let world = World::standing_in();
    let mut client = Mcp::legacy(world.base(), &serving(&world, "0"), with_a_model());
    let running = client.request("tools/call", customize(&world))["result"].clone();
    let run = running["structuredContent"]["runId"].clone();
    assert_eq!(running["structuredContent"]["status"], "running", "{running:#}");
    let mut asked = 0;
    loop {
        let wait = json!({ "name": "azsdk_run_wait", "arguments": { "runId": run } });
        let id = client.begin("tools/call", wait);
        let (result, more) = answered(&mut client, id, &SAID[asked..]);
        asked += more;
        if result["structuredContent"]["status"] != "running" {
            return assert_hidden(&world, &result);
        }
    }
}

#[test]
fn call_is_answered_with_the_prompt_and_made_again_with_the_answer_once() {
    let world = World::standing_in();
    let mut client = Mcp::modern(world.base(), &serving(&world, "600"), with_a_model());
    let call = customize(&world);
    let mut result = client.request("tools/call", call.clone())["result"].clone();
    for (turn, said) in SAID.iter().enumerate() {
        assert_eq!(result["resultType"], "input_required", "{result:#}");
        let prompt = &result["inputRequests"]["model"];
        assert_eq!(prompt["method"], "sampling/createMessage", "{result:#}");
        assert_prompt(&prompt["params"], turn == 0);
        let mut again = call.clone();
        again["requestState"] = result["requestState"].clone();
        again["inputResponses"] = json!({ "model": completion(said) });
        result = client.request("tools/call", again.clone())["result"].clone();
        // The same answer is not taken twice, and does not begin another run.
        let twice = client.request("tools/call", again)["result"].clone();
        assert!(twice["isError"] == true && text(&twice).contains("answered before"), "{twice:#}");
    }
    assert_hidden(&world, &result);
    let runs = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs:#}");
}

#[test]
fn client_whose_model_says_no_or_nonsense_changes_nothing() {
    let nonsense =
        "{\"calls\": [{\"name\": \"Exit\", \"arguments\": {\"result\": {\"outcome\": \"success\"}}}]}".to_owned();
    for answer in [json!({ "error": { "code": -1, "message": "the person said no" } }), completion(&nonsense), json!(7)]
    {
        let world = World::standing_in();
        let before = world.snapshot();
        let mut client = Mcp::legacy(world.base(), &serving(&world, "600"), with_a_model());
        let id = client.begin("tools/call", customize(&world));
        let result = loop {
            let message = client.next_message();
            if message["method"] == "sampling/createMessage" {
                let mut reply = json!({ "jsonrpc": "2.0", "id": message["id"] });
                match answer.get("error") {
                    Some(error) => reply["error"] = error.clone(),
                    None => reply["result"] = answer.clone(),
                }
                client.send_text(&reply.to_string());
            } else if message.get("method").is_none() && message["id"] == json!(id) {
                break message["result"].clone();
            }
        };
        assert_ne!(result["structuredContent"]["outcome"], "success", "{answer}: {result:#}");
        assert!(client.close().success());
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn client_without_a_model_is_told_and_nothing_begins() {
    let world = World::standing_in();
    let mut client = Mcp::legacy(world.base(), &serving(&world, "600"), json!({}));
    let refused = client.request("tools/call", customize(&world))["result"].clone();
    assert!(refused["isError"] == true && text(&refused).contains("--model client"), "{refused:#}");
    let runs = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(runs, json!([]));
    let costly = world.bailiwick(&["mcp", "--model", "client", "--max-cost", "1"]).exits(2);
    assert!(costly.stderr.contains("--max-cost"), "{}", costly.stderr);
}
