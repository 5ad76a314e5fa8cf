//! Package tools work on packages and specifications in directories that a person named, and on nothing else.

use bailiwick_tests::{Mcp, World, text};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::path::Path;

const SDK: &str = "azure-sdk-for-python";
const SPECIFICATIONS: &str = "azure-rest-api-specs";
const BUILD: &str = "azsdk_package_build_code";

/// Every tool that works on a package, called for this one.
fn calls(package: &Path, project: Option<&Path>) -> Vec<(&'static str, Value)> {
    let with = |tool, project_key: &str, mut arguments: Value| {
        arguments["packagePath"] = json!(package);
        if let Some(project) = project {
            arguments[project_key] = json!(project);
        }
        (tool, arguments)
    };
    let rename = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    vec![
        with("azsdk_package_generate_code", "typespecProjectPath", json!({})),
        with("azsdk_package_generate", "typespecProjectPath", json!({})),
        with(BUILD, "typespecProjectPath", json!({})),
        with("azsdk_package_run_tests", "typespecProjectPath", json!({})),
        with("azsdk_package_customize_code", "typespecProjectPath", json!({ "customizationRequest": rename })),
        with("azsdk_sdk_fix", "typespecProjectPath", json!({})),
        with(
            "azsdk_sdk_customization_workflow",
            "typeSpecPath",
            json!({ "request": rename, "requestType": "user_request" }),
        ),
    ]
}

/// The tools that work on a package alone, and never open its specification.
const ALONE: [&str; 2] = [BUILD, "azsdk_package_run_tests"];

/// What every tool says of this package, which is the same sentence; nothing is begun by it.
#[track_caller]
fn refused(client: &mut Mcp, package: &Path, project: Option<&Path>) -> String {
    refused_by(client, &calls(package, project))
}

#[track_caller]
fn refused_by(client: &mut Mcp, calls: &[(&'static str, Value)]) -> String {
    let mut said: Vec<String> = Vec::new();
    for (tool, arguments) in calls.iter().cloned() {
        let answer = client.call(tool, arguments);
        assert_eq!(answer["isError"], json!(true), "{tool}: {answer:#}");
        said.push(text(&answer).to_owned());
    }
    said.dedup();
    assert_eq!(said.len(), 1, "every tool says the same: {said:#?}");
    assert_eq!(client.call("azsdk_run_list", json!({}))["structuredContent"]["total"], 0, "nothing was begun");
    said.remove(0)
}

/// A sentence without the path that was asked for.
fn without(said: &str, path: &Path) -> String {
    said.replace(path.to_str().unwrap(), "PATH")
}

#[test]
fn package_that_was_not_named_is_refused_by_every_tool_and_stays_as_it_is() {
    let world = World::standing_in();
    // Something to regenerate: what the tools would do shows.
    let client_file = world.project().join("client.tsp");
    std::fs::write(&client_file, world.client() + "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n")
        .unwrap();
    let before = world.snapshot();
    let package = world.package();
    let missing = world.base().join("no/such/package");

    // Without any option, with a grant elsewhere, and with a grant that is for reading alone.
    std::fs::create_dir(world.base().join("elsewhere")).unwrap();
    for options in [&[][..], &["--grant", "notes=elsewhere:rw"], &["--packages", "elsewhere"]] {
        let mut client = Mcp::legacy(world.base(), options, json!({}));
        assert!(client.tools().iter().any(|tool| tool == BUILD), "it is listed all the same");
        let said = refused(&mut client, &package, None);
        assert!(said.contains("lies in no directory that was named for packages"), "{said}");
        assert!(said.contains("--packages"), "{said}");
        // What is there, what is not, and what may not be looked at are told alike.
        let there = without(&said, &package);
        for other in [missing.as_path(), Path::new("/root/.ssh"), Path::new("/etc/passwd"), Path::new("/proc/1/root")] {
            assert_eq!(without(&refused(&mut client, other, None), other), there, "{options:?}");
        }
        // Nor do suggestions name it.
        let hide = json!({ "type": "ref/prompt", "name": "hide_operation" });
        for typed in ["", package.parent().unwrap().to_str().unwrap()] {
            let params = json!({ "ref": hide, "argument": { "name": "packagePath", "value": typed } });
            let suggested = client.request("completion/complete", params);
            assert_eq!(suggested["result"]["completion"]["values"], json!([]), "{suggested:#}");
        }
    }
    let mut client = Mcp::legacy(world.base(), &["--grant", &format!("sdk={SDK}")], json!({}));
    let said = refused(&mut client, &package, None);
    assert!(said.contains("`sdk` is granted read-only"), "{said}");
    before.assert_same(&world.snapshot());

    // Named, it is worked on: by `--packages`, and by a writable grant.
    for options in [["--packages", SDK], ["--grant", "sdk=azure-sdk-for-python:rw"]] {
        let options = [&options[..], &["--packages", SPECIFICATIONS, "--answer-within", "600"]].concat();
        let mut client = Mcp::legacy(world.base(), &options, json!({}));
        let generated = client.call("azsdk_package_generate_code", json!({ "packagePath": package }));
        assert_eq!(generated["structuredContent"]["succeeded"], true, "{generated:#}");
        let run = &generated["structuredContent"]["runId"];
        let reverted = client.call("azsdk_run_revert", json!({ "runId": run }));
        assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn no_spelling_and_no_link_leads_out_of_a_named_directory() {
    let world = World::standing_in();
    // A second world beside the first, whose package was not named.
    let other = World::standing_in();
    let sdk = world.base().join(SDK);
    let outside = other.package();
    symlink(&outside, sdk.join("sdk/widget/linked")).unwrap();
    symlink(other.base(), sdk.join("up")).unwrap();
    symlink(world.package(), world.base().join("alias")).unwrap();
    symlink("azure-widget", sdk.join("sdk/widget/inside")).unwrap();
    let before = (world.snapshot(), other.snapshot());
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let there = without(&refused(&mut client, &outside, None), &outside);
    assert!(there.contains("lies in no directory that was named"), "{there}");
    let inner = other.base().file_name().unwrap().to_str().unwrap().to_owned();
    for path in [
        // By `..`, which only the kernel could follow.
        sdk.join("../../").join(&inner).join(SDK).join("sdk/widget/azure-widget"),
        sdk.join("sdk/../../").join(SDK).join("sdk/widget/azure-widget"),
        // A name that begins like one that was named.
        world.base().join(format!("{SDK}-2/sdk/widget/azure-widget")),
        // A link beside it that leads in was not named either.
        world.base().join("alias"),
    ] {
        assert_eq!(without(&refused(&mut client, &path, None), &path), there);
    }
    // A link within it that leads out is like nothing at all.
    let missing = sdk.join("sdk/widget/missing");
    let nothing = without(&refused(&mut client, &missing, None), &missing);
    for path in [sdk.join("sdk/widget/linked"), sdk.join("up").join(SDK).join("sdk/widget/azure-widget")] {
        assert_eq!(without(&refused(&mut client, &path, None), &path), nothing);
    }
    before.0.assert_same(&world.snapshot());
    before.1.assert_same(&other.snapshot());
    // A link that stays within it is another name of the package.
    let built = client.call(BUILD, json!({ "packagePath": sdk.join("sdk/widget/inside") }));
    assert_eq!(built["structuredContent"]["succeeded"], true, "{built:#}");
}

#[test]
fn specification_that_was_not_named_is_refused_whether_it_was_given_or_found() {
    let world = World::standing_in();
    let other = World::standing_in();
    let package = world.package();
    let before = (world.snapshot(), other.snapshot());
    let mut client = Mcp::legacy(world.base(), &["--packages", SDK], json!({}));
    // Found: the clone beside the SDK repository was not named. One that is not there is told alike.
    let mut calls = calls(&package, None);
    calls.retain(|(tool, _)| !ALONE.contains(tool));
    let found = refused_by(&mut client, &calls);
    assert!(found.contains("no directory that was named for packages is a clone of"), "{found}");
    assert!(found.contains(&format!("names the clone of `{SPECIFICATIONS}` as well")), "{found}");
    assert!(found.contains("--packages"), "{found}");
    std::fs::rename(world.base().join(SPECIFICATIONS), world.base().join("moved")).unwrap();
    assert_eq!(refused_by(&mut client, &calls), found);
    std::fs::rename(world.base().join("moved"), world.base().join(SPECIFICATIONS)).unwrap();
    // Given: an existing run, a missing one, and one of another client.
    let missing = world.base().join("no/project");
    let said = without(&refused(&mut client, &package, Some(&missing)), &missing);
    assert!(said.contains("lies in no directory that was named"), "{said}");
    for project in [world.project(), world.project().join("tspconfig.yaml"), other.project()] {
        assert_eq!(without(&refused(&mut client, &package, Some(&project)), &project), said);
    }
    // The same where another specification was named.
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let project = other.project();
    assert_eq!(without(&refused(&mut client, &package, Some(&project)), &project), said);
    before.0.assert_same(&world.snapshot());
    before.1.assert_same(&other.snapshot());
    let built = client.call(BUILD, json!({ "packagePath": package, "typespecProjectPath": world.project() }));
    assert_eq!(built["structuredContent"]["succeeded"], true, "{built:#}");
}

#[test]
fn package_that_was_named_is_built_although_its_specification_was_not() {
    let world = World::standing_in();
    let package = world.package();
    let before = world.snapshot();
    let mut client = Mcp::legacy(world.base(), &["--packages", SDK, "--answer-within", "600"], json!({}));
    let built = client.call(BUILD, json!({ "packagePath": package }));
    assert_eq!(built["structuredContent"]["succeeded"], true, "{built:#}");
    before.assert_same(&world.snapshot());
}

/// Everything that can be asked about a run and a workflow, with what comes of it.
pub(super) fn asks_for_everything(client: &mut Mcp, package: &Path, run: &str, workflow: &str) -> Vec<(String, Value)> {
    let result = json!({ "type": "classification", "tspApplicable": true });
    let mut told = Vec::new();
    for (tool, arguments) in [
        ("azsdk_run_show", json!({ "runId": run })),
        ("azsdk_run_wait", json!({ "runId": run, "seconds": 0 })),
        ("azsdk_run_cancel", json!({ "runId": run })),
        ("azsdk_run_revert", json!({ "runId": run })),
        ("azsdk_run_approve", json!({ "runId": run })),
        ("azsdk_sdk_customization_workflow", json!({ "workflowId": workflow })),
        ("azsdk_sdk_customization_workflow", json!({ "workflowId": workflow, "result": result })),
        ("azsdk_sdk_fix", json!({ "packagePath": package, "workflowId": workflow })),
    ] {
        let asked = format!("{tool} {arguments}");
        let answer = client.call(tool, arguments);
        assert_eq!(answer["isError"], json!(true), "{asked}: {answer:#}");
        told.push((asked, answer));
    }
    let reference = json!({ "type": "ref/prompt", "name": "explain_run" });
    let mut requests = vec![
        ("prompts/get", json!({ "name": "explain_run", "arguments": { "runId": run } })),
        ("completion/complete", json!({ "ref": reference, "argument": { "name": "runId", "value": run } })),
    ];
    for document in ["report", "diff"] {
        let uri = format!("bailiwick://runs/{run}/{document}");
        requests.push(("resources/read", json!({ "uri": uri })));
        requests.push(("resources/subscribe", json!({ "uri": uri })));
    }
    for (method, parameters) in requests {
        let mut answer = client.request(method, parameters.clone());
        answer["id"] = Value::Null;
        told.push((format!("{method} {parameters}"), answer));
    }
    told
}

#[test]
fn run_and_workflow_of_a_package_that_is_not_named_are_unknown_names_whatever_is_asked() {
    const UNKNOWN_RUN: &str = "20200101-000000-000-aaaaaaaa";
    const UNKNOWN_WORKFLOW: &str = "workflow-00000000000000000000000000000000";
    let world = World::standing_in();
    let package = world.package();
    let client_file = world.project().join("client.tsp");
    std::fs::write(&client_file, world.client() + "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n")
        .unwrap();
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    let generated = client.call("azsdk_package_generate_code", json!({ "packagePath": package }));
    let run = generated["structuredContent"]["runId"].as_str().unwrap_or_else(|| panic!("{generated:#}")).to_owned();
    let begun = client.call(
        "azsdk_sdk_customization_workflow",
        json!({ "request": "secret plans", "requestType": "user_request", "packagePath": package }),
    );
    let workflow = begun["structuredContent"]["workflow_id"].as_str().unwrap_or_else(|| panic!("{begun:#}")).to_owned();
    let workflows_run = begun["structuredContent"]["run_id"].as_str().unwrap_or_else(|| panic!("{begun:#}")).to_owned();
    let listed = client.call("azsdk_run_list", json!({}));
    assert_eq!(listed["structuredContent"]["total"], 2, "{listed:#}");
    assert!(client.close().success());
    let standing = world.snapshot();

    // Servers that are started for something else: for one of two directories, for a neighbour, for nothing.
    std::fs::create_dir(world.base().join("other")).unwrap();
    for named in [&["--packages", SPECIFICATIONS][..], &["--packages", "other"], &["--grant", "other=other"], &[]] {
        let arguments = [named, &["--answer-within", "600"]].concat();
        // The client can ask its person, who says yes to everything.
        let mut client = Mcp::legacy(world.base(), &arguments, json!({ "elicitation": {} }));
        for run in [&run, &workflows_run] {
            let told = asks_for_everything(&mut client, &package, run, &workflow);
            let unknown = asks_for_everything(&mut client, &package, UNKNOWN_RUN, UNKNOWN_WORKFLOW);
            for ((asked, told), (_, unknown)) in told.iter().zip(&unknown) {
                let as_unknown = told.to_string().replace(run, UNKNOWN_RUN).replace(&workflow, UNKNOWN_WORKFLOW);
                assert_eq!(as_unknown, unknown.to_string(), "{named:?}: {asked}");
            }
        }
        let listed = client.call("azsdk_run_list", json!({}));
        assert_eq!(listed["structuredContent"]["total"], 0, "{named:?}: {listed:#}");
        let resources = client.request("resources/list", json!({})).to_string();
        assert!(!resources.contains("bailiwick://runs/"), "{named:?}: {resources}");
        assert!(client.close().success());
    }
    standing.assert_same(&world.snapshot());
}

#[test]
fn roots_of_a_client_close_the_rest_of_a_grant_to_package_tools_and_not_what_was_named_for_packages() {
    let world = World::standing_in();
    let before = world.snapshot();
    let package = world.package();
    std::fs::create_dir(world.base().join("mine")).unwrap();
    let begin = |options: &[&str], root: &Path| {
        let mut client = Mcp::legacy(world.base(), options, json!({ "roots": {} }));
        let listed = client.begin("tools/call", json!({ "name": "list_allowed_directories", "arguments": {} }));
        let asked = client.wait_for(|message| message["method"] == "roots/list");
        let answer = json!({ "roots": [{ "uri": format!("file://{}", root.display()) }] });
        client.send_text(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }).to_string());
        client.answer(listed);
        let built = client.call(BUILD, json!({ "packagePath": package }));
        (client, built)
    };
    let sdk = world.base().join(SDK);
    let grants = [format!("sdk={}:rw", sdk.display()), format!("mine={}/mine:rw", world.base().display())];
    let options = ["--grant", &grants[0], "--grant", &grants[1], "--answer-within", "600"];
    let (mut client, built) = begin(&options, &world.base().join("mine"));
    assert!(text(&built).contains("lies in no directory that was named for packages"), "{built:#}");
    let said = refused(&mut client, &package, None);
    assert!(said.contains("lies in no directory that was named for packages"), "{said}");
    let hide = json!({ "type": "ref/prompt", "name": "hide_operation" });
    let params = json!({ "ref": hide, "argument": { "name": "packagePath", "value": "" } });
    let suggested = client.request("completion/complete", params.clone());
    assert_eq!(suggested["result"]["completion"]["values"], json!([]), "{suggested:#}");
    before.assert_same(&world.snapshot());
    // A root that the package lies in opens it.
    let (mut client, built) = begin(&options, &package);
    assert_eq!(built["structuredContent"]["succeeded"], true, "{built:#}");
    let suggested = client.request("completion/complete", params);
    assert_eq!(suggested["result"]["completion"]["values"], json!([package]), "{suggested:#}");
    // What was named for packages has nothing to do with roots.
    let options = ["--grant", &grants[1], "--packages", SDK, "--answer-within", "600"];
    let (_, built) = begin(&options, &world.base().join("mine"));
    assert_eq!(built["structuredContent"]["succeeded"], true, "{built:#}");
}

#[test]
fn suggestions_name_no_package_in_a_hidden_directory() {
    let world = World::standing_in();
    let sdk = world.base().join(SDK);
    for place in ["sdk/customer-acme/secret-product", ".ssh/x"] {
        std::fs::create_dir_all(sdk.join(place)).unwrap();
        std::fs::write(sdk.join(place).join("tsp-location.yaml"), "").unwrap();
    }
    let grant = format!("sdk={SDK}:rw");
    let mut client = Mcp::legacy(world.base(), &["--grant", &grant, "--hide", "customer-acme"], json!({}));
    let hide = json!({ "type": "ref/prompt", "name": "hide_operation" });
    for typed in ["".to_owned(), format!("{}/sdk/customer-acme/", sdk.display())] {
        let params = json!({ "ref": hide, "argument": { "name": "packagePath", "value": typed } });
        let suggested = client.request("completion/complete", params)["result"]["completion"]["values"].to_string();
        assert!(!suggested.contains("acme") && !suggested.contains(".ssh"), "{suggested}");
        assert_eq!(suggested.contains("azure-widget"), typed.is_empty(), "{suggested}");
    }
}
