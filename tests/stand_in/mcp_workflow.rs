//! The coordinator through the MCP server by hand: the client edits, the server checks, and the state outlives both.

use bailiwick_tests::{Mcp, World, text};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestRunner};
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

/// Names that are nearly this workflow's.
fn near_misses(id: &str, run: &str) -> Vec<String> {
    let digits = id.trim_start_matches("workflow-");
    let mut other = id.to_owned();
    other.replace_range(id.len() - 1.., if id.ends_with('0') { "1" } else { "0" });
    vec![
        String::new(),
        digits.to_owned(),
        run.to_owned(),
        other,
        id.to_uppercase(),
        format!(" {id}"),
        format!("{id} "),
        format!("{id}\0"),
        format!("../{id}"),
        id[..id.len() - 1].to_owned(),
        id.repeat(1_000),
    ]
}

fn refused(answer: &Value, about: &str) {
    assert_eq!(answer["isError"], json!(true), "{answer:#}");
    assert!(text(answer).contains(about), "{answer:#}");
}

#[test]
fn whole_workflow_outlives_servers_and_cancellations_and_ends_as_a_run_for_a_person() {
    let world = World::standing_in();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "0"]), json!({}));

    // What cannot be used starts nothing.
    refused(&client.call(TOOL, json!({ "request": "x" })), "`packagePath` is missing");
    refused(&client.call(TOOL, json!({ "request": "x", "packagePath": "sdk/widget" })), "is not an absolute path");
    refused(&client.call(TOOL, json!({ "workflowId": "workflow-none", "result": {} })), "there is no workflow");
    for iterations in [json!(0), json!(11), json!("three")] {
        let start = json!({ "request": "x", "packagePath": world.package(), "maxIterations": iterations });
        refused(&client.call(TOOL, start), "maxIterations");
    }
    let start = json!({ "request": " ", "packagePath": world.package() });
    refused(&client.call(TOOL, start), "`request` is empty");
    let start = json!({ "request": "x", "requestType": "wish", "packagePath": world.package() });
    refused(&client.call(TOOL, start), "requestType");
    assert_eq!(client.call("azsdk_run_list", json!({}))["structuredContent"]["total"], 0, "nothing was begun");
    refused(&client.call(TOOL, json!({ "result": { "type": "classification" } })), "`workflowId` is missing");

    let begun = begin(&mut client, &world);
    let id = begun["structuredContent"]["workflow_id"].as_str().unwrap().to_owned();
    assert!(waits(&begun), "the specification takes a while to be read: {begun:#}");
    assert!(text(&begun).contains(&id), "{begun:#}");
    let answer = settled(&mut client, &id, begun);
    assert_eq!(phase(&answer), "Classify", "{answer:#}");
    assert_eq!(answer["structuredContent"]["continuation_required"], true);
    refused(&report(&mut client, &id, &json!({ "type": "sdk_fix_applied", "description": "d" })), "classification");
    // A workflow is not continued under a similar name.
    let run = answer["structuredContent"]["run_id"].as_str().unwrap().to_owned();
    for near in near_misses(&id, &run) {
        let classification = json!({ "type": "classification", "tspApplicable": true });
        let told = client.call(TOOL, json!({ "workflowId": near, "result": classification }));
        refused(&told, "there is no workflow");
        refused(&client.call(TOOL, json!({ "workflowId": near })), "there is no workflow");
        let fix = json!({ "packagePath": world.package(), "workflowId": near });
        refused(&client.call("azsdk_sdk_fix", fix), "there is no workflow");
    }
    for malformed in [
        json!("{"),
        json!("[]"),
        json!({}),
        json!({ "type": "classification" }),
        json!({ "type": "generate_complete" }),
    ] {
        refused(&report(&mut client, &id, &malformed), "`result`");
    }
    assert_eq!(client.call(TOOL, json!({ "workflowId": id })), answer, "nothing of that changed it");
    // As an object and as text, as clients send it.
    let yes = json!(json!({ "type": "classification", "tspApplicable": true }).to_string());
    let answer = report(&mut client, &id, &yes);
    assert_eq!(phase(&answer), "AttemptTspFix", "{answer:#}");

    // The next server knows it, and a check that the client takes back leaves what it edited.
    assert!(client.close().success());
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    append(&world, RENAME);
    let edited = world.snapshot();
    let applied = json!({ "type": "tsp_fix_applied", "description": "renamed it" });
    let call = json!({
        "name": TOOL,
        "arguments": { "workflowId": id, "result": applied },
        "_meta": { "progressToken": "p" },
    });
    let builds = |message: &Value| message["params"]["message"].as_str().is_some_and(|said| said.contains("building"));
    let open = client.begin("tools/call", call.clone());
    client.wait_for(builds);
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

    // So does the end of the step by the name of its run.
    client.begin("tools/call", call);
    client.wait_for(builds);
    let cancelled = client.call("azsdk_run_cancel", json!({ "runId": run }));
    assert_eq!(cancelled["structuredContent"]["status"], "cancelled", "{cancelled:#}");
    assert!(text(&cancelled).contains(&id), "{cancelled:#}");
    edited.assert_same(&world.snapshot());
    assert_eq!(client.call(TOOL, json!({ "workflowId": id })), answer);
    refused(&client.call("azsdk_run_cancel", json!({ "runId": run })), "is not at work in this server");

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

#[test]
fn workflow_ends_where_its_iterations_end_or_where_the_regeneration_fails() {
    let world = World::standing_in();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    for (regenerates, message) in [(true, "The build still fails after 1 iterations."), (false, "Regeneration failed.")]
    {
        if !regenerates {
            world.stand_in_fails(
                &json!({ "generate": [["src/main.tsp:1:1 - error invalid-ref: it does not compile"]] }),
            );
        }
        let before = world.snapshot();
        let start = json!({
            "request": "AnalyzeResult is to be called WidgetAnalysis in Python",
            "packagePath": world.package(),
            "typeSpecPath": world.project(),
            "maxIterations": if regenerates { 1 } else { 3 },
        });
        let begun = client.call(TOOL, start);
        let id = begun["structuredContent"]["workflow_id"].as_str().unwrap().to_owned();
        report(&mut client, &id, &json!({ "type": "classification", "tspApplicable": true }));
        append(&world, RENAME);
        let end = report(&mut client, &id, &json!({ "type": "tsp_fix_applied", "description": "renamed it" }));
        let answer = &end["structuredContent"];
        assert_eq!(
            (phase(&end), &answer["status"], &answer["message"]),
            ("Failure", &json!("failure"), &json!(message))
        );
        assert!(answer["summary"].as_str().unwrap().contains("What is left:"), "{end:#}");
        let over = client
            .call(TOOL, json!({ "workflowId": id, "result": { "type": "classification", "tspApplicable": true } }));
        refused(&over, "is over (Failure)");
        // What the agent edited is a person's to decide about.
        let reverted = client.call("azsdk_run_revert", json!({ "runId": answer["run_id"] }));
        assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn text_that_is_nested_without_end_is_refused_and_the_server_answers_the_next_request() {
    let world = World::standing_in();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let begun = begin(&mut client, &world);
    let id = begun["structuredContent"]["workflow_id"].as_str().unwrap().to_owned();
    settled(&mut client, &id, begun);
    report(&mut client, &id, &json!({ "type": "classification", "tspApplicable": true }));
    let client_file = world.client();
    // 60 KB each: interpolations in the lexer, blocks in the parser, directives in directives.
    for (open, rule) in [
        ("\"${", "nested-too-deeply"),
        ("namespace a{", "nested-too-deeply"),
        ("@@a(b<c[", "nested-too-deeply"),
        ("# ", "unreadable-typespec"),
    ] {
        std::fs::write(
            world.project().join("client.tsp"),
            format!("{client_file}{}", open.repeat(60_000 / open.len())),
        )
        .unwrap();
        let answer = report(&mut client, &id, &json!({ "type": "tsp_fix_applied", "description": "nested it" }));
        assert!(answer.to_string().contains(rule), "{open}: {answer:#}");
        assert_eq!(client.request("ping", json!({}))["result"], json!({}), "the server is alive");
    }
    std::fs::write(world.project().join("client.tsp"), client_file).unwrap();
    assert!(client.close().success());
}

/// What a random agent does.
#[derive(Debug, Clone)]
enum Act {
    /// Reports this.
    Report(Value),
    /// Reports what it reported last once more.
    Repeat,
    /// Asks again.
    Ask,
    /// Speaks of a workflow that is not there.
    Elsewhere,
    /// Has the customization code repaired.
    Fix,
    /// Edits what it may.
    Edit,
    /// Edits what it may not.
    Meddle,
    /// Takes all its edits back.
    Undo,
    /// Finds the server started anew.
    Restart,
}

fn act() -> impl Strategy<Value = Act> {
    let report = |result: Value| Just(Act::Report(result));
    prop_oneof![
        3 => any::<bool>().prop_map(|can| Act::Report(json!({ "type": "classification", "tspApplicable": can }))),
        3 => report(json!({ "type": "tsp_fix_applied", "description": "renamed it" })),
        1 => report(json!({ "type": "tsp_fix_not_applicable", "reason": "it is logic" })),
        2 => report(json!({ "type": "sdk_fix_applied", "description": "followed it" })),
        1 => report(json!({ "type": "sdk_fix_failed", "reason": "too large" })),
        1 => report(json!("{\"type\": \"classification\"")),
        1 => report(json!({ "type": "classification", "tspApplicable": "yes" })),
        1 => report(json!({ "type": "build_complete", "success": true })),
        2 => Just(Act::Repeat),
        1 => Just(Act::Ask),
        1 => Just(Act::Elsewhere),
        2 => Just(Act::Fix),
        2 => Just(Act::Edit),
        1 => Just(Act::Meddle),
        1 => Just(Act::Undo),
        1 => Just(Act::Restart),
    ]
}

/// Whether an answer of the coordinator is whole: it ends, or says in every field what is next.
fn says_what_is_next(answer: &Value) {
    let has = |name: &str| answer.get(name).is_some_and(|value| !value.is_null());
    let complete = answer["is_complete"] == json!(true);
    assert_eq!(answer["continuation_required"], json!(!complete), "{answer:#}");
    assert_eq!(complete, has("status") && has("summary"), "{answer:#}");
    assert_eq!(complete, !has("continuation_instruction") && !has("expected_result"), "{answer:#}");
    let asked = has("instruction") || has("use_subagent") || has("run_tool");
    assert!(complete || asked, "{answer:#}");
}

#[test]
fn whatever_an_agent_reports_every_answer_says_what_is_next_and_the_state_stays_whole() {
    const ACTS: usize = 40;
    let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(6), ..Config::default() });
    let acts = prop::collection::vec(act(), ACTS).new_tree(&mut runner).unwrap().current();
    let world = World::standing_in();
    let before = world.snapshot();
    let main = world.project().join("main.tsp");
    let (original, client_file) = (std::fs::read(&main).unwrap(), world.client());
    let arguments = ["--answer-within", "600"];
    let mut client = Mcp::legacy(world.base(), &world.serving(&arguments), json!({}));
    let mut standing = begin(&mut client, &world);
    let mut last = json!({ "type": "classification", "tspApplicable": true });
    let (mut ended, mut refusals) = (0, 0);
    for act in acts {
        let id = standing["structuredContent"]["workflow_id"].as_str().unwrap().to_owned();
        let told = match act {
            Act::Report(result) => {
                last = result.clone();
                client.call(TOOL, json!({ "workflowId": id, "result": result }))
            }
            Act::Repeat => client.call(TOOL, json!({ "workflowId": id, "result": last })),
            Act::Ask => client.call(TOOL, json!({ "workflowId": id })),
            Act::Elsewhere => client.call(TOOL, json!({ "workflowId": format!("{id}0"), "result": last })),
            Act::Fix => client.call("azsdk_sdk_fix", json!({ "packagePath": world.package(), "workflowId": id })),
            Act::Edit if !world.client().contains("WidgetAnalysis") => {
                append(&world, RENAME);
                continue;
            }
            Act::Meddle => {
                std::fs::write(&main, [original.as_slice(), b"// mine\n"].concat()).unwrap();
                continue;
            }
            Act::Undo => {
                std::fs::write(&main, &original).unwrap();
                std::fs::write(world.project().join("client.tsp"), &client_file).unwrap();
                continue;
            }
            Act::Edit => continue,
            Act::Restart => {
                assert!(client.close().success());
                client = Mcp::legacy(world.base(), &world.serving(&arguments), json!({}));
                client.call(TOOL, json!({ "workflowId": id }))
            }
        };
        if told["isError"] == json!(true) {
            refusals += 1;
            assert!(text(&told).contains("hint: ") || text(&told).contains("the arguments do not fit"), "{told:#}");
            let again = client.call(TOOL, json!({ "workflowId": id }));
            assert_eq!(again, standing, "what is refused changes nothing: {told:#}");
        } else if told["structuredContent"].get("patches").is_none() {
            says_what_is_next(&told["structuredContent"]);
            standing = told;
        }
        let run = world.state().join("runs").join(standing["structuredContent"]["run_id"].as_str().unwrap());
        let kept: Value = serde_json::from_slice(&std::fs::read(run.join("workflow.json")).unwrap()).unwrap();
        assert_eq!(kept["workflow"]["id"], json!(id), "{kept:#}");
        if standing["structuredContent"]["is_complete"] == json!(true) {
            ended += 1;
            refused(&client.call(TOOL, json!({ "workflowId": id, "result": last })), "hint: ");
            // The next begins from a clean slate, whatever this one left.
            let listed = client.call("azsdk_run_list", json!({}));
            let run = &listed["structuredContent"]["runs"][0];
            if run["status"] != "unchanged" {
                let reverted = client.call("azsdk_run_revert", json!({ "runId": run["runId"] }));
                assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
            }
            before.assert_same(&world.snapshot());
            standing = begin(&mut client, &world);
        }
    }
    assert!(ended > 0 && refusals > 0, "the sequence came to {ended} ends and {refusals} refusals");
    let listed = client.call("azsdk_run_list", json!({}));
    let run = json!({ "runId": listed["structuredContent"]["runs"][0]["runId"] });
    let reverted = client.call("azsdk_run_revert", run);
    assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
    before.assert_same(&world.snapshot());
}
