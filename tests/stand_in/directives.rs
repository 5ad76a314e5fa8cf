//! Changes without words in between: from an option to a run that is done.

use bailiwick_tests::{Mcp, World};
use serde_json::{Value, json};

fn directed(world: &World, further: &[&str]) -> bailiwick_tests::Answer {
    world.package_command("customize", further)
}

#[test]
fn directive_is_carried_out_and_is_done_the_second_time() {
    let world = World::standing_in();
    let options = ["--hide", "delete_widget", "--rename", "AnalyzeResult=WidgetAnalysis"];
    let response = directed(&world, &options).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert!(world.read("azure/widget/operations/_operations.py").contains("def _delete_widget("));
    for line in ["Access.internal, \"python\"", "\"WidgetAnalysis\", \"python\""] {
        assert!(world.client().contains(line), "{}", world.client());
    }
    let before = world.snapshot();
    let response = directed(&world, &options).exits(0).json();
    assert_eq!((&response["outcome"], &response["phaseAAttempts"]), (&json!("success"), &json!(0)), "{response:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn directive_that_is_not_certain_begins_nothing() {
    let world = World::standing_in();
    let before = world.snapshot();
    for (options, said) in [
        (&["--hide", "deleteWidgit"][..], "nothing called `deleteWidgit`; close to it: "),
        (&["--rename", "displayName=title"], "`displayName` can be "),
        (&["--rename", "Widget.displayName"], "expected `TARGET=NAME`"),
        (&["--hide", "Widget.displayName"], "cannot be done: "),
        (&["--hide", "deleteWidget", "--scope", "cobol"], "`cobol` names no languages"),
        (&["--directives", "[]"], "the list of directives is empty"),
        (&["--directives", "{}"], "no list of `actions`"),
        (&[], "nothing is asked for"),
        (&["--hide", "deleteWidget", "--customization-request", "hide it"], "--customization-request"),
        (
            &["--directives", "[{\"action\":\"hide\",\"target\":\"deleteWidget\",\"scope\":\"python, java\"}]"],
            "changes Java, which was not allowed",
        ),
    ] {
        let answer = directed(&world, options).exits(2);
        assert!(answer.stderr.contains(said), "{options:?}: {}", answer.stderr);
    }
    before.assert_same(&world.snapshot());
    let runs = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(runs.as_array().map(Vec::len), Some(0), "{runs:#}");
}

#[test]
fn plan_that_was_looked_at_is_carried_out_as_it_is() {
    let world = World::standing_in();
    let plan = directed(&world, &["--hide", "deleteWidget", "--dry-run"]).exits(0).json();
    let action = &plan["actions"][0];
    assert_eq!(action["action"], "hide", "{plan:#}");
    assert_eq!(action["kind"], "operation", "{plan:#}");
    assert!(action["target"].as_str().unwrap().ends_with(".Widgets.deleteWidget"), "{plan:#}");
    let file = world.base().join("plan.json");
    std::fs::write(&file, plan.to_string()).unwrap();
    let response = directed(&world, &["--directives", &format!("@{}", file.display())]).exits(0).json();
    for line in plan["diff"].as_str().unwrap().lines().filter(|line| line.starts_with("+@@")) {
        assert!(response["diff"].as_str().unwrap().contains(line), "{line}\n{response:#}");
    }
}

#[test]
fn clients_of_the_server_give_directives_too() {
    let world = World::standing_in();
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), json!({}));
    let mut plan = |directives: Value, request: Option<&str>| {
        let mut arguments = json!({ "packagePath": world.package(), "directives": directives, "dryRun": true });
        if let Some(request) = request {
            arguments["customizationRequest"] = request.into();
        }
        client.call("azsdk_package_customize_code", arguments)
    };
    let hide = json!([{ "action": "hide", "target": "deleteWidget" }]);
    let answer = plan(hide.clone(), None);
    assert_eq!(answer["structuredContent"]["actions"][0]["action"], "hide", "{answer:#}");
    for (directives, request, said) in [
        (hide, Some("hide it"), "beside a request in words"),
        (json!([]), None, "nothing is asked for"),
        (json!([{ "action": "hide", "target": "deleteWidgit" }]), None, "nothing called `deleteWidgit`"),
    ] {
        let answer = plan(directives, request);
        assert_eq!(answer["isError"], true, "{answer:#}");
        assert!(bailiwick_tests::text(&answer).contains(said), "{answer:#}");
    }
}

#[test]
fn decorator_is_written_taken_back_and_what_is_done_is_done() {
    let world = World::standing_in();
    let before = world.client();
    let options = ["--usage", "AnalyzeResult=input|json", "--type", "Widget.lastModifiedAt=string"];
    let response = directed(&world, &options).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    for line in ["Usage.input | Usage.json, \"python\"", "Widget.lastModifiedAt, string, \"python\""] {
        assert!(world.client().contains(line), "{}", world.client());
    }
    let response = directed(&world, &options).exits(0).json();
    assert_eq!((&response["outcome"], &response["phaseAAttempts"]), (&json!("success"), &json!(0)), "{response:#}");
    let back = ["--undecorate", "usage:AnalyzeResult", "--undecorate", "alternateType:Widget.lastModifiedAt"];
    let response = directed(&world, &back).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(world.client().trim_end(), before.trim_end());
}

#[test]
fn decorator_that_does_not_fit_begins_nothing() {
    let world = World::standing_in();
    let before = world.snapshot();
    for (options, said) in [
        (&["--usage", "Widget.displayName=input"][..], "`@usage` cannot be written so: it is on a property"),
        (&["--usage", "Widget=inputs"], "`inputs` is not known: `input`, `output`, `json`, `xml`"),
        (&["--convenient", "Parts.getPart=off"], "changes nothing in the Python library"),
        (&["--type", "Widget.displayName=Widgt"], "there is no type `Widgt`"),
        (&["--decorate", "override:Widgets.getWidget=remove(top)"], "has no parameter `top`"),
        (&["--decorate", "route:Widget=/x"], "`route` is not a decorator that customizes a client"),
        (&["--namespace", "Manufacturer=a-b"], "`a-b` is not a namespace"),
        (&["--usage", "Widget=input", "--undecorate", "usage:Widget"], "contradict each other"),
    ] {
        let answer = directed(&world, options).exits(2);
        assert!(answer.stderr.contains(said), "{options:?}: {}", answer.stderr);
    }
    before.assert_same(&world.snapshot());
}

fn workflow(world: &World, further: &[&str]) -> bailiwick_tests::Answer {
    world.bailiwick(&[&["--json", "package", "workflow"], further].concat())
}

#[test]
fn workflow_takes_directives_at_its_start_and_where_it_waits_for_an_edit() {
    let world = World::standing_in();
    let (before, package) = (world.snapshot(), world.package());
    let package = package.to_str().unwrap();
    // At the start: the host edits, regenerates and builds, and a person decides about the run.
    let answer = workflow(&world, &["--package-path", package, "--hide", "deleteWidget"]).exits(0).json();
    assert_eq!((&answer["phase"], &answer["is_complete"]), (&json!("Success"), &json!(true)), "{answer:#}");
    assert!(world.client().contains("deleteWidget, Access.internal, \"python\""), "{}", world.client());
    assert!(answer["summary"].as_str().unwrap().contains("--hide deleteWidget"), "{answer:#}");
    let _ = world.bailiwick(&["run", "revert", answer["run_id"].as_str().unwrap()]).exits(0);
    before.assert_same(&world.snapshot());
    // In place of the classification that it waits for, and of the edit behind it.
    let started = workflow(&world, &["--package-path", package, "--request", "hide it"]).exits(0).json();
    let id = started["workflow_id"].as_str().unwrap();
    let refused = workflow(&world, &["--workflow-id", id, "--hide", "deleteWidgit"]).exits(2);
    assert!(refused.stderr.contains("nothing called `deleteWidgit`"), "{}", refused.stderr);
    let legacy = ["--workflow-id", id, "--decorate", "flattenProperty:Part.manufacturer"];
    let refused = workflow(&world, &legacy).exits(2);
    assert!(refused.stderr.contains("cannot be done"), "{}", refused.stderr);
    before.assert_same(&world.snapshot());
    let waiting = workflow(&world, &["--workflow-id", id]).exits(0).json();
    assert_eq!(waiting["phase"], "Classify", "{waiting:#}");
    let answer = workflow(&world, &["--workflow-id", id, "--rename", "AnalyzeResult=WidgetAnalysis"]).exits(0).json();
    assert!(world.client().contains("\"WidgetAnalysis\", \"python\""), "{answer:#}\n{}", world.client());
    // Hand-written code does not build with it, which the workflow says as after an edit of the caller.
    assert_eq!((&answer["phase"], &answer["is_complete"]), (&json!("Classify"), &json!(false)), "{answer:#}");
    assert!(answer.to_string().contains("AnalyzeResult"), "{answer:#}");
    let answer = workflow(&world, &["--workflow-id", id, "--abandon"]).exits(1).json();
    let over = workflow(&world, &["--workflow-id", id, "--hide", "deleteWidget"]).exits(2);
    assert!(over.stderr.contains("is over"), "{answer:#}\n{}", over.stderr);
}

#[test]
fn workflow_begins_nothing_for_directives_that_do_not_fit() {
    let world = World::standing_in();
    let (before, package) = (world.snapshot(), world.package());
    let package = ["--package-path", package.to_str().unwrap()];
    for (options, said) in [
        (&["--hide", "deleteWidgit"][..], "nothing called `deleteWidgit`"),
        (&["--hide", "deleteWidget", "--request", "hide it"], "directives beside a request"),
        (&["--hide", "deleteWidget", "--scope", "java"], "package's language alone"),
        (&[], "nothing is asked for"),
    ] {
        let answer = workflow(&world, &[&package[..], options].concat()).exits(2);
        assert!(answer.stderr.contains(said), "{options:?}: {}", answer.stderr);
    }
    before.assert_same(&world.snapshot());
    let runs = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(runs, json!([]));
}

#[test]
fn clients_of_the_server_direct_a_workflow() {
    let world = World::standing_in();
    let tool = "azsdk_sdk_customization_workflow";
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), json!({}));
    let hide = json!([{ "action": "hide", "target": "deleteWidget" }]);
    for (arguments, said) in [
        (json!({ "packagePath": world.package(), "directives": hide, "request": "hide it" }), "beside a request"),
        (json!({ "packagePath": world.package() }), "`request` is missing"),
        (
            json!({ "packagePath": world.package(), "directives": [{ "action": "hide", "target": "x.y" }] }),
            "nothing called",
        ),
        (json!({ "workflowId": "workflow-1", "directives": hide }), "no workflow"),
    ] {
        let answer = client.call(tool, arguments);
        assert_eq!(answer["isError"], true, "{answer:#}");
        assert!(bailiwick_tests::text(&answer).contains(said), "{said}: {answer:#}");
    }
    let mut answer = client.call(tool, json!({ "packagePath": world.package(), "directives": hide }));
    while answer["structuredContent"]["is_complete"] == false {
        let id = answer["structuredContent"]["workflow_id"].clone();
        std::thread::sleep(std::time::Duration::from_millis(200));
        answer = client.call(tool, json!({ "workflowId": id }));
    }
    assert_eq!(answer["structuredContent"]["phase"], "Success", "{answer:#}");
    assert!(world.client().contains("deleteWidget, Access.internal"), "{}", world.client());
}

/// A world in which hand-written code overrides `get_analysis_status` with this second parameter, and the place of that.
fn overriding(parameter: &str) -> (World, String) {
    let world = World::standing_in();
    let path = world.package().join("azure/widget/operations/_patch.py");
    let text = std::fs::read_to_string(&path).unwrap();
    let own = format!(
        "    def get_analysis_status(self, {parameter}: str, operation_id: str, **kwargs: Any) -> Any:\n        return None\n\n"
    );
    let text = text.replacen("    def find_by_display_name", &format!("{own}    def find_by_display_name"), 1);
    std::fs::write(&path, &text).unwrap();
    world.commit();
    let line = text.lines().position(|line| line.contains("def get_analysis_status")).unwrap() + 1;
    (world, format!("sdk/azure/widget/operations/_patch.py:{line}"))
}

/// What hand-written code overrides in a way that no repair follows is told before anything is generated.
#[test]
fn rename_of_an_operation_that_is_overridden_with_other_parameters_is_refused_before_anything_is_generated() {
    let (world, place) = overriding("name");
    let before = world.snapshot();
    let plan = directed(&world, &["--rename", "getAnalysisStatus=fetchAnalysisStatus", "--dry-run"]).exits(1).json();
    assert_eq!(plan["guidance"][0]["files"], json!([place]), "{plan:#}");
    let answer = directed(&world, &["--rename", "getAnalysisStatus=fetchAnalysisStatus"]).exits(1);
    assert!(!answer.stderr.contains("regenerating"), "{}", answer.stderr);
    let response = answer.json();
    assert_eq!(response["manualGuidance"][0]["files"], json!([place]), "{response:#}");
    before.assert_same(&world.snapshot());
    // What it does not override is renamed as before, and hiding what is wrapped is what hiding is for.
    for options in [["--rename", "Widgets.deleteWidget=removeWidget"], ["--hide", "getAnalysisStatus"]] {
        let plan = directed(&world, &[&options[..], &["--dry-run"]].concat()).exits(0).json();
        assert_eq!(plan["outcome"], "planned", "{plan:#}");
    }
}

/// The stand-in generator renames no operation, so that the override cannot follow. The build reports nothing.
#[test]
fn override_that_stays_behind_its_operation_is_no_success() {
    let (world, place) = overriding("widget_name");
    let plan = directed(&world, &["--rename", "getAnalysisStatus=fetchAnalysisStatus", "--dry-run"]).exits(0).json();
    assert_eq!(plan["outcome"], "planned", "{plan:#}");
    let before = world.snapshot();
    let answer = directed(&world, &["--rename", "getAnalysisStatus=fetchAnalysisStatus"]).exits(1);
    assert!(answer.stderr.contains("regenerating"), "{}", answer.stderr);
    let response = answer.json();
    assert_ne!(response["outcome"], "success", "{response:#}");
    assert!(response.to_string().contains(&place), "{place}: {response:#}");
    before.assert_same(&world.snapshot());
}
