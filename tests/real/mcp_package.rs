//! The steps of a customization on their own, through the MCP server by hand: regeneration, build, tests, repair.

use bailiwick_tests::{Mcp, World, text};
use serde_json::{Value, json};

const GENERATE: &str = "azsdk_package_generate_code";
const BUILD: &str = "azsdk_package_build_code";
const TEST: &str = "azsdk_package_run_tests";
const FIX: &str = "azsdk_sdk_fix";

fn package(world: &World) -> Value {
    json!({ "packagePath": world.package() })
}

fn rename(world: &World) {
    let path = world.project().join("client.tsp");
    let client = world.client() + "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    std::fs::write(path, client).expect("the client file can be written");
}

/// The fields of an answer that has them all, which is not an error even where the step failed.
fn finished(result: &Value) -> &Value {
    assert_ne!(result["isError"], json!(true), "{result:#}");
    assert_eq!(result["structuredContent"]["status"], "finished", "{result:#}");
    &result["structuredContent"]
}

fn refused(result: &Value, about: &str) {
    assert_eq!(result["isError"], json!(true), "{result:#}");
    assert!(text(result).contains(about), "{result:#}");
}

#[test]
fn package_is_regenerated_built_and_repaired_step_by_step_and_everything_can_be_undone() {
    let world = World::standing_in();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));

    // The names of the reference server are taken and not listed.
    let names = client.tools();
    for name in [GENERATE, BUILD, TEST, FIX] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
    assert!(!names.iter().any(|name| name == "azsdk_package_generate" || name == "azsdk_package_build"), "{names:?}");

    // What cannot be used starts nothing.
    refused(&client.call(BUILD, json!({ "packagePath": "sdk/widget" })), "is not an absolute path");
    let repository = world.base().join("azure-sdk-for-python");
    refused(&client.call(GENERATE, json!({ "packagePath": repository })), "tsp-location.yaml");
    // What is there and what is not are told alike, by every tool that takes a path.
    let (there, missing) = (world.base().join("there"), world.base().join("none"));
    std::fs::create_dir(&there).unwrap();
    for tool in [GENERATE, BUILD, TEST, FIX, "azsdk_package_customize_code"] {
        let mut said = |package: &std::path::Path, project: Option<&std::path::Path>| {
            let mut arguments = json!({ "packagePath": package });
            if let Some(project) = project {
                arguments["typespecProjectPath"] = json!(project);
            }
            if tool == "azsdk_package_customize_code" {
                arguments["customizationRequest"] = json!("rename it");
            }
            let answer = client.call(tool, arguments);
            assert_eq!(answer["isError"], json!(true), "{answer:#}");
            text(&answer).replace(there.to_str().unwrap(), "PATH").replace(missing.to_str().unwrap(), "PATH")
        };
        assert_eq!(said(&there, None), said(&missing, None), "{tool}");
        if tool != FIX {
            assert_eq!(said(&world.package(), Some(&there)), said(&world.package(), Some(&missing)), "{tool}");
        }
    }
    std::fs::remove_dir(&there).unwrap();
    refused(&client.call(TEST, json!({})), "packagePath");
    refused(&client.call(FIX, json!({ "packagePath": world.package(), "workflow": "w" })), "workflow");
    assert_eq!(client.call("azsdk_run_list", json!({}))["structuredContent"]["total"], 0);

    // The package is as its specification says: nothing differs, and it builds.
    let built = client.call("azsdk_package_build", package(&world));
    assert_eq!(
        (&finished(&built)["step"], &finished(&built)["succeeded"]),
        (&json!("build"), &json!(true)),
        "{built:#}"
    );
    let repaired = client.call(FIX, package(&world));
    assert_eq!(finished(&repaired)["outcome"], "success", "{repaired:#}");
    assert_eq!(finished(&repaired)["codePatches"], json!([]), "{repaired:#}");
    before.assert_same(&world.snapshot());

    // A rename in the specification: regeneration passes, the build says what hand-written code lost.
    rename(&world);
    let generated = client.call("azsdk_package_generate", package(&world));
    assert_eq!(finished(&generated)["succeeded"], true, "{generated:#}");
    let modified = finished(&generated)["modifiedFiles"].to_string();
    assert!(modified.contains("sdk/azure/widget/models/_models.py"), "{modified}");
    assert!(text(&generated).contains("azsdk_run_revert"), "{generated:#}");
    let standing = world.snapshot();
    let built = client.call(BUILD, package(&world));
    assert_eq!(finished(&built)["succeeded"], false, "{built:#}");
    assert!(finished(&built)["diagnostics"].to_string().contains("AnalyzeResult"), "{built:#}");
    assert!(text(&built).starts_with("build: failed"), "{built:#}");
    standing.assert_same(&world.snapshot());
    assert!(!built.to_string().contains(world.state().to_str().expect("a plain path")), "{built:#}");

    // Phase B alone mends that, and asks for nothing else.
    let repaired = client.call(FIX, json!({ "packagePath": world.package(), "errors": "AnalyzeResult is gone" }));
    assert_eq!(finished(&repaired)["outcome"], "success", "{repaired:#}");
    assert!(finished(&repaired)["codePatches"].to_string().contains("_patch.py"), "{repaired:#}");
    assert!(world.read("azure/widget/models/_patch.py").contains("WidgetAnalysis"));

    // A later server still knows what each came to, and undoes them last first.
    let run = |result: &Value| json!({ "runId": finished(result)["runId"] });
    assert!(client.close().success());
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), json!({}));
    for result in [&generated, &built, &repaired] {
        let waited = client.call("azsdk_run_wait", run(result));
        // A server names a directory whole only to a client that named it.
        let said = |answer: &Value| {
            let mut content = answer["structuredContent"].clone();
            content.as_object_mut().unwrap().remove("directories");
            content
        };
        assert_eq!(said(&waited), said(result));
    }
    refused(&client.call("azsdk_run_revert", run(&generated)), "later");
    for result in [&repaired, &generated] {
        let reverted = client.call("azsdk_run_revert", run(result));
        assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
    }
    let client_file = world.project().join("client.tsp");
    world.git("azure-rest-api-specs", &["checkout", "-q", "--", "."]);
    assert!(client_file.is_file());
    before.assert_same(&world.snapshot());
}

#[test]
fn step_that_goes_on_is_waited_for_and_one_that_is_taken_back_leaves_nothing_behind() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "generate" }));
    rename(&world);
    let before = world.snapshot();
    let generated = world.package().join("azure/widget/models/_models.py");
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "0"]), json!({}));
    let said =
        |message: &Value, what: &str| message["params"]["message"].as_str().is_some_and(|said| said.contains(what));

    // By a call that only waits nothing is taken back; by the one that cancels it is.
    let running = client.call(GENERATE, package(&world));
    assert_eq!(running["structuredContent"]["status"], "running", "{running:#}");
    let run = json!({ "runId": running["structuredContent"]["runId"] });
    let wait = json!({ "name": "azsdk_run_wait", "arguments": run, "_meta": { "progressToken": "w" } });
    loop {
        let waiting = client.begin("tools/call", wait.clone());
        let waited = client.answer(waiting)["result"].clone();
        assert_eq!(waited["structuredContent"]["status"], "running", "{waited:#}");
        // Until it is in the middle of it: the generated code is gone and not yet written anew.
        if client.aside.iter().any(|message| said(message, "regenerating azure-widget (tsp-client"))
            && !generated.exists()
        {
            break;
        }
    }
    assert_ne!(world.snapshot(), before, "it has begun");
    assert_eq!(client.call("azsdk_run_cancel", run.clone())["structuredContent"]["status"], "cancelled");
    before.assert_same(&world.snapshot());
    refused(&client.call("azsdk_run_wait", run), "was cancelled");
    assert_eq!(world.processes(), client.processes(), "nothing of it is alive");

    // What is told over several calls never goes backwards, and is told once.
    let steps: Vec<_> = client.aside.iter().filter_map(|message| message["params"]["progress"].as_f64()).collect();
    assert!(!steps.is_empty() && steps.windows(2).all(|pair| pair[0] <= pair[1]), "{:#?}", client.aside);

    // The call that began it, taken back.
    assert!(client.close().success());
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let call = json!({ "name": GENERATE, "arguments": package(&world), "_meta": { "progressToken": "p" } });
    let open = client.begin("tools/call", call);
    client.wait_for(|message| said(message, "regenerating"));
    client.notify("notifications/cancelled", json!({ "requestId": open }));
    loop {
        let listed = client.call("azsdk_run_list", json!({}));
        let run = &listed["structuredContent"]["runs"][0];
        if run["status"] != "running" {
            assert_eq!((&run["status"], &run["kind"]), (&json!("reverted"), &json!("generate")), "{run:#}");
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    before.assert_same(&world.snapshot());
    assert_eq!(world.processes(), client.processes(), "nothing of it is alive");

    // A server that is killed in the middle of it: the next one puts the package back and says what became of the run.
    assert!(client.close().success());
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "0"]), json!({}));
    let running = client.call(GENERATE, package(&world));
    let begun = std::time::Instant::now();
    while generated.exists() {
        assert!(begun.elapsed().as_secs() < 120, "nothing was regenerated");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // The name that `running` gave out is understood as long as this server knows it.
    let shown = client.call("azsdk_run_show", json!({ "runId": running["structuredContent"]["runId"] }));
    assert_eq!(shown["structuredContent"]["status"], "running", "{shown:#}");
    assert!(!client.signal(rustix::process::Signal::KILL).success());
    // What the dead process had started dies with it.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), json!({}));
    // What `running` named it may be a name that only the dead server knew. The new one puts it back while it serves.
    let listed = loop {
        let listed = client.call("azsdk_run_list", json!({}));
        if listed["structuredContent"]["runs"][0]["status"] != "running" {
            break listed;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let run = json!({ "runId": listed["structuredContent"]["runs"][0]["runId"] });
    let shown = client.call("azsdk_run_show", run.clone());
    let (status, kind) = (&shown["structuredContent"]["status"], &shown["structuredContent"]["kind"]);
    assert_eq!((status, kind), (&json!("reverted"), &json!("generate")), "{shown:#} {listed:#}");
    before.assert_same(&world.snapshot());
    assert_eq!(world.processes(), client.processes(), "nothing of it is alive");
    // The answer never asks to approve what is impossible or missing.
    refused(&client.call("azsdk_run_approve", run), "reverted");
    refused(&client.call("azsdk_run_approve", json!({ "runId": "20200101-000000-000-abcdefgh" })), "there is no run");
}

#[test]
fn tests_of_a_package_are_run_and_counted() {
    let world = World::new();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let tested = client.call(TEST, package(&world));
    assert_eq!(
        (&finished(&tested)["step"], &finished(&tested)["succeeded"]),
        (&json!("test"), &json!(true)),
        "{tested:#}"
    );
    assert!(finished(&tested)["tests"]["passed"].as_u64().is_some_and(|passed| passed > 0), "{tested:#}");
    std::fs::write(world.package().join("tests/test_wrong.py"), "def test_wrong():\n    assert 1 == 2\n")
        .expect("a test can be written");
    let tested = client.call(TEST, package(&world));
    assert_eq!((&finished(&tested)["succeeded"], &finished(&tested)["tests"]["failed"]), (&json!(false), &json!(1)));
    std::fs::remove_dir_all(world.package().join("tests")).expect("tests can be removed");
    refused(&client.call(TEST, package(&world)), "test");
    world.git("azure-sdk-for-python", &["checkout", "-q", "--", "."]);
    before.assert_same(&world.snapshot());
}
