//! The commands that are killed, and what has to be found afterwards.

use bailiwick_tests::{Snapshot, World};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

use crate::{Attempt, kill_everywhere, page, traced};

const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
const EDIT: &str = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";

/// A tool that asks for a directory, so that a person has to approve it.
const MANIFEST: &str = "schema = 1\nname = \"hostile\"\nversion = \"0.1.0\"\ndescription = \"Tries things.\"\n\
                        component = \"tool.wasm\"\n[[directories]]\nname = \"repo\"\naccess = \"read\"\n\
                        reason = \"looks at the notes\"\n";

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|&argument| argument.to_owned()).collect()
}

/// The next command: it puts right what the kill left. Returns the runs, the latest first.
fn next(world: &World) -> Vec<Value> {
    let listed = world.bailiwick(&["run", "list", "--json"]).exits(0);
    let now = world.snapshot();
    let again = world.bailiwick(&["run", "list", "--json"]).exits(0);
    assert_eq!(listed.json(), again.json(), "the second start found something to do");
    now.assert_same(&world.snapshot());
    tidy(world.base());
    listed.json().as_array().unwrap().clone()
}

/// No temporary file of a run is left in the repositories.
fn tidy(base: &Path) {
    for entry in fs::read_dir(base).unwrap() {
        let entry = entry.unwrap();
        assert!(!entry.file_name().to_string_lossy().starts_with(".bailiwick-"), "{}", entry.path().display());
        let ours = ["state", "stand-in-cache", ".git"].iter().any(|name| entry.file_name() == *name);
        if !ours && entry.file_type().unwrap().is_dir() {
            tidy(&entry.path());
        }
    }
}

fn is(one: &Snapshot, other: &Snapshot) -> bool {
    one.difference(other).0.is_empty()
}

/// Takes the state directory away, so that the next command begins with nothing.
fn forget(world: &World) {
    let _ = fs::remove_dir_all(world.state());
}

/// A run of `package customize` that waits to be decided about.
fn pending(world: &World) -> String {
    world.customize(REQUEST).exits(0).json()["runId"].as_str().unwrap().to_owned()
}

fn status(run: &Value) -> &str {
    run["status"].as_str().unwrap()
}

#[test]
fn customization_that_is_killed_leaves_both_repositories_as_before_or_as_after() {
    let world = World::standing_in();
    let before = world.snapshot();
    let id = pending(&world);
    let after = world.snapshot();
    let _ = world.bailiwick(&["run", "revert", &id]).exits(0);
    before.assert_same(&world.snapshot());
    let package = world.package();
    let arguments = [
        "--json",
        "package",
        "customize",
        "--package-path",
        package.to_str().unwrap(),
        "--customization-request",
        REQUEST,
    ];
    let mut customize = Attempt {
        command: "package customize",
        prepare: Box::new(|| {
            forget(&world);
            words(&arguments)
        }),
        judge: Box::new(|| {
            let runs = next(&world);
            let now = world.snapshot();
            match runs.first() {
                Some(run) if status(run) == "pending" => {
                    assert!(is(&now, &after), "{:?}", after.difference(&now));
                    let _ = world.bailiwick(&["run", "revert", run["id"].as_str().unwrap()]).exits(0);
                    before.assert_same(&world.snapshot());
                    "as after it; the run waits for a decision"
                }
                Some(run) => {
                    assert_eq!(status(run), "reverted");
                    before.assert_same(&now);
                    "as before; the run is reverted"
                }
                None => {
                    before.assert_same(&now);
                    "as before; no run had begun"
                }
            }
        }),
    };
    let seen = kill_everywhere(&world, &mut customize);
    drop(customize);
    // The next run succeeds.
    let _ = pending(&world);
    assert!(is(&world.snapshot(), &after));
    page::told(&seen);
}

#[test]
fn decision_that_is_killed_is_made_or_not_made() {
    let world = World::standing_in();
    let before = world.snapshot();
    let id = RefCell::new(String::new());
    let after = RefCell::new(before.clone());
    let ready = || {
        // The run of the last attempt still waits where the kill came early.
        let waits = !id.borrow().is_empty() && next(&world).first().is_some_and(|run| status(run) == "pending");
        if !waits {
            forget(&world);
            let _ = world.git("azure-sdk-for-python", &["checkout", "--quiet", "."]);
            let _ = world.git("azure-sdk-for-python", &["clean", "-fdxq"]);
            let _ = world.git("azure-rest-api-specs", &["checkout", "--quiet", "."]);
            let _ = world.git("azure-rest-api-specs", &["clean", "-fdxq"]);
            before.assert_same(&world.snapshot());
            *id.borrow_mut() = pending(&world);
            *after.borrow_mut() = world.snapshot();
        }
    };
    for (command, verb, ended) in [("run revert", "revert", "reverted"), ("run approve", "approve", "approved")] {
        let mut attempt = Attempt {
            command,
            prepare: Box::new(|| {
                ready();
                words(&["run", verb, &id.borrow()])
            }),
            judge: Box::new(|| {
                let runs = next(&world);
                let now = world.snapshot();
                let run = runs.iter().find(|run| run["id"] == id.borrow().as_str()).unwrap();
                if status(run) == "pending" {
                    after.borrow().assert_same(&now);
                    return "not decided; the run still waits, as after it";
                }
                assert_eq!(status(run), ended);
                if verb == "revert" {
                    before.assert_same(&now);
                    "decided; as before the run"
                } else {
                    after.borrow().assert_same(&now);
                    "decided; as after the run"
                }
            }),
        };
        let seen = kill_everywhere(&world, &mut attempt);
        page::told(&seen);
    }
}

#[test]
fn worker_of_a_fleet_that_is_killed_leaves_a_verdict_or_its_package_to_the_next_one() {
    let world = World::standing_in();
    let commit = world.git("azure-rest-api-specs", &["rev-parse", "HEAD"]);
    let location = world.package().join("tsp-location.yaml");
    let text = fs::read_to_string(&location).unwrap();
    let line = text.lines().find(|line| line.starts_with("commit:")).unwrap();
    fs::write(&location, text.replace(line, &format!("commit: {}", commit.trim()))).unwrap();
    world.commit();
    let before = world.snapshot();
    let (manifest, results) = (world.base().join("fleet.json"), world.base().join("results"));
    let (manifest, left) = (manifest.to_str().unwrap(), results.to_str().unwrap());
    let plan = ["fleet", "plan", "--sdk", "azure-sdk-for-python", "--do", "generate", "--output", manifest];
    let _ = world.bailiwick(&plan).exits(0);
    let work = ["worker", manifest, "--results", left];
    let mut worker = Attempt {
        command: "worker",
        prepare: Box::new(|| {
            forget(&world);
            let _ = fs::remove_dir_all(&results);
            words(&work)
        }),
        judge: Box::new(|| {
            let _ = next(&world);
            before.assert_same(&world.snapshot());
            let checkouts = fs::read_dir(world.base().join("state-checkouts")).into_iter().flatten().flatten();
            assert_eq!(checkouts.map(|entry| entry.path()).collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new());
            let names = fs::read_dir(results.join("results")).into_iter().flatten().flatten();
            let verdicts = names.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).count();
            let _ = world.bailiwick(&work).exits(0);
            let report = ["--json", "fleet", "report", manifest, "--shards", left];
            let report = world.bailiwick(&report).exits(0).json();
            assert_eq!(report["counts"], json!({ "succeeded": 1 }), "{report:#}");
            before.assert_same(&world.snapshot());
            match verdicts {
                0 => "as before; the next worker does the package",
                1 => "as before; the package has its verdict, and the next worker has nothing to do",
                more => panic!("{more} verdicts of one package"),
            }
        }),
    };
    let seen = kill_everywhere(&world, &mut worker);
    page::told(&seen);
}

#[test]
fn workflow_step_that_is_killed_is_taken_or_not_taken() {
    let world = World::standing_in();
    let before = world.snapshot();
    let package = world.package();
    let begin = words(&[
        "package",
        "workflow",
        "--request",
        "AnalyzeResult is to be called WidgetAnalysis in Python",
        "--request-type",
        "user_request",
        "--package-path",
        package.to_str().unwrap(),
        "--json",
    ]);
    let start = || {
        forget(&world);
        let client = world.project().join("client.tsp");
        let text = fs::read_to_string(&client).unwrap();
        if let Some(text) = text.strip_suffix(EDIT) {
            fs::write(client, text).unwrap();
        }
        begin.clone()
    };
    let mut first = Attempt {
        command: "package workflow (first step)",
        prepare: Box::new(start),
        judge: Box::new(|| {
            let runs = next(&world);
            before.assert_same(&world.snapshot());
            match runs.first().map(status) {
                None => "as before; no workflow had begun",
                Some("reverted") => "as before; the run is reverted",
                Some(found) => {
                    assert_eq!(found, "suspended");
                    "as before; the workflow waits for its next step"
                }
            }
        }),
    };
    page::told(&kill_everywhere(&world, &mut first));
    drop(first);

    let (id, edited) = (RefCell::new(String::new()), RefCell::new(before.clone()));
    let whole: RefCell<Option<Snapshot>> = RefCell::new(None);
    let mut check = Attempt {
        command: "package workflow (a report is checked)",
        prepare: Box::new(|| {
            // What the last step left is taken back with its run.
            if let Some(run) = next(&world).first()
                && ["pending", "suspended", "failed"].iter().any(|waits| status(run).starts_with(waits))
            {
                let _ = world.bailiwick(&["run", "revert", run["id"].as_str().unwrap()]);
            }
            let begin = start();
            before.assert_same(&world.snapshot());
            let answer = world.bailiwick(&begin.iter().map(String::as_str).collect::<Vec<_>>()).exits(0).json();
            let workflow = answer["workflow_id"].as_str().unwrap().to_owned();
            let classified = json!({ "type": "classification", "tspApplicable": true }).to_string();
            let _ =
                world.bailiwick(&["package", "workflow", "--workflow-id", &workflow, "--result", &classified]).exits(0);
            let client = world.project().join("client.tsp");
            fs::write(&client, world.client() + EDIT).unwrap();
            *edited.borrow_mut() = world.snapshot();
            id.borrow_mut().clone_from(&workflow);
            let applied = json!({ "type": "tsp_fix_applied", "description": "renamed it" }).to_string();
            words(&["package", "workflow", "--workflow-id", &workflow, "--result", &applied, "--json"])
        }),
        judge: Box::new(|| {
            let runs = next(&world);
            let now = world.snapshot();
            let mut whole = whole.borrow_mut();
            let whole = whole.get_or_insert_with(|| now.clone());
            let shown = world.bailiwick(&["package", "workflow", "--workflow-id", &id.borrow(), "--json"]);
            if is(&now, whole) {
                assert!(["pending", "suspended"].contains(&status(&runs[0])), "{}", runs[0]);
                return "as after the step; the workflow waits for the next";
            }
            edited.borrow().assert_same(&now);
            assert_eq!(status(&runs[0]), "suspended");
            assert_eq!(shown.json()["phase"], "AttemptTspFix", "{}", shown.stdout);
            "as the caller left it; the report may be handed in again"
        }),
    };
    let seen = kill_everywhere(&world, &mut check);
    page::told(&seen);
}

#[test]
fn workflow_that_edits_from_directives_and_is_killed_is_as_before_or_as_after() {
    let world = World::standing_in();
    let before = world.snapshot();
    let package = world.package();
    let arguments = ["package", "workflow", "--rename", "AnalyzeResult=WidgetAnalysis", "--package-path"];
    let arguments = words(&[&arguments[..], &[package.to_str().unwrap(), "--json"]].concat());
    let run = |arguments: &[String]| world.bailiwick(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let _ = run(&arguments).exits(0);
    let after = world.snapshot();
    assert!(!is(&before, &after), "the workflow edits and regenerates in one call");
    let undo = |runs: &[Value]| {
        let Some(latest) = runs.first() else { return };
        if ["pending", "suspended"].contains(&status(latest)) {
            let _ = world.bailiwick(&["run", "revert", latest["id"].as_str().unwrap()]).exits(0);
        }
        before.assert_same(&world.snapshot());
    };
    undo(&next(&world));
    let mut attempt = Attempt {
        command: "package workflow (directives)",
        prepare: Box::new(|| {
            forget(&world);
            before.assert_same(&world.snapshot());
            arguments.clone()
        }),
        judge: Box::new(|| {
            let runs = next(&world);
            let now = world.snapshot();
            let found = match runs.first().map(status) {
                Some("pending" | "suspended") if is(&now, &after) => "as after it; the run waits for a decision",
                Some("suspended") => {
                    before.assert_same(&now);
                    "as before; the workflow waits for its next step"
                }
                Some("reverted") => {
                    before.assert_same(&now);
                    "as before; the run is reverted"
                }
                other => {
                    assert_eq!(other, None);
                    before.assert_same(&now);
                    "as before; no workflow had begun"
                }
            };
            undo(&runs);
            found
        }),
    };
    page::told(&kill_everywhere(&world, &mut attempt));
}

#[test]
fn tool_whose_installation_is_killed_is_there_as_a_whole_or_not_at_all() {
    let world = World::standing_in();
    let place = world.base().join("tool");
    fs::create_dir(&place).unwrap();
    let guest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../components/dist/hostile-guest.wasm");
    fs::copy(guest, place.join("tool.wasm")).unwrap();
    fs::write(place.join("tool.toml"), MANIFEST).unwrap();
    let add = words(&["tool", "add", place.to_str().unwrap()]);
    let run = |arguments: &[String]| world.bailiwick(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    // What is known of the tool: nothing, or all of it.
    let known = || {
        let listed = world.bailiwick(&["--json", "tool", "list"]).exits(0);
        let known = listed.stdout.contains("\"hostile\"");
        let inspected = world.bailiwick(&["--json", "tool", "inspect", "hostile"]);
        assert_eq!(inspected.code == 0, known, "{}{}", inspected.stdout, inspected.stderr);
        known.then(|| inspected.json())
    };
    let usable = || {
        let input = json!({ "operations": [["readdir", 0]] }).to_string();
        let grant = format!("repo={}", place.display());
        world.bailiwick(&["tool", "call", "Hostile", "--input", &input, "--grant", &grant]).code == 0
    };
    let review = || known().unwrap()["review"].as_str().unwrap().to_owned();
    let approve = || words(&["tool", "approve", "hostile", "--reviewed", &review()]);
    // What a command told is on the disk when it ends, and all that the index names before the index is.
    forget(&world);
    let tools = world.state().join("tools");
    for step in [0, 1, 2] {
        let arguments = match step {
            0 => add.clone(),
            1 => approve(),
            _ => words(&["tool", "remove", "hostile"]),
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ended = traced::run(world.command(&arguments), None);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(ended.unsynced.in_or_above(&tools), Vec::<&Path>::new(), "after {arguments:?}");
        let (_, before) = ended.unsynced.at_rename.iter().find(|(path, _)| path.ends_with("added.json")).unwrap();
        // The directory of the index has its temporary name until then.
        let early: Vec<_> = before.iter().filter(|path| path.starts_with(&tools) && **path != tools).collect();
        assert!(early.is_empty(), "{arguments:?}: {early:?} were not on the disk before the index");
    }
    let mut adding = Attempt {
        command: "tool add",
        prepare: Box::new(|| {
            forget(&world);
            add.clone()
        }),
        judge: Box::new(|| {
            if known().is_none() {
                let _ = run(&add).exits(0);
                assert!(known().is_some());
                return "not added; adding it again works";
            }
            assert!(!usable(), "it is not approved");
            let _ = run(&approve()).exits(0);
            assert!(usable());
            "added as a whole"
        }),
    };
    page::told(&kill_everywhere(&world, &mut adding));
    drop(adding);
    let mut approving = Attempt {
        command: "tool approve",
        prepare: Box::new(|| {
            forget(&world);
            let _ = run(&add).exits(0);
            approve()
        }),
        judge: Box::new(|| {
            if usable() {
                return "approved";
            }
            let _ = run(&approve()).exits(0);
            assert!(usable());
            "not approved; approving it again works"
        }),
    };
    page::told(&kill_everywhere(&world, &mut approving));
    drop(approving);
    let mut removing = Attempt {
        command: "tool remove",
        prepare: Box::new(|| {
            forget(&world);
            let _ = run(&add).exits(0);
            let _ = run(&approve()).exits(0);
            words(&["tool", "remove", "hostile"])
        }),
        judge: Box::new(|| {
            if known().is_some() {
                assert!(usable());
                return "still there as a whole";
            }
            let _ = run(&add).exits(0);
            assert!(known().is_some());
            "removed"
        }),
    };
    page::told(&kill_everywhere(&world, &mut removing));
}
