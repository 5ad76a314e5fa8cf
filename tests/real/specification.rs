//! A specification without a package, over the real compiler and client generator core: what is written, for whom, and
//! that the answer cannot be taken for a package that was built.

use bailiwick_tests::{Answer, ClientModels, Mcp, PROJECT, World, text};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

fn customize(world: &World, further: &[&str]) -> Answer {
    let project = world.project();
    let own = ["--json", "package", "customize", "--edit-scope", "SpecInputs", "--typespec-project-path"];
    world.bailiwick(&[&own[..], &[project.to_str().unwrap()], further].concat())
}

/// The surface of one language's client in an answer.
fn surface<'a>(answer: &'a Value, language: &str) -> &'a Value {
    let effects = answer["effects"].as_array().unwrap();
    &effects.iter().find(|effect| effect["language"] == language).unwrap()["publicSurface"]
}

#[track_caller]
fn assert_reads_as_no_build(answer: &Value) {
    assert_eq!(answer["built"], false, "{answer:#}");
    for field in ["success", "buildResult", "succeeded", "errorCode"] {
        assert!(answer.get(field).is_none(), "{field}: {answer:#}");
    }
    assert!(!["success", "partial", "failure"].contains(&answer["outcome"].as_str().unwrap()), "{answer:#}");
}

#[test]
fn directives_are_written_for_each_language_shown_reverted_and_never_called_built() {
    let world = World::new();
    let (before, models) = (world.snapshot(), ClientModels::of(&world));
    let directives = ["--rename", "Part=WidgetPart", "--hide", "deleteWidget", "--scope", "python,csharp"];
    let plan = customize(&world, &[&directives[..], &["--dry-run"]].concat()).exits(0).json();
    assert_eq!((&plan["outcome"], plan["actions"].as_array().unwrap().len()), (&json!("planned"), 2), "{plan:#}");
    assert_eq!(surface(&plan, "csharp")["seenIn"], "actions", "{plan:#}");
    before.assert_same(&world.snapshot());

    let answer = customize(&world, &directives).exits(0).json();
    assert_reads_as_no_build(&answer);
    assert_eq!(answer["outcome"], "editedNotBuilt", "{answer:#}");
    assert_eq!(answer["modifiedFiles"], json!(["spec/client.tsp"]), "{answer:#}");
    for language in ["python", "csharp"] {
        let surface = surface(&answer, language);
        assert_eq!(surface["seenIn"], "clientModel", "{answer:#}");
        let changes = surface["changes"].as_array().unwrap();
        let found = |change: &str| changes.iter().any(|one| one["change"] == change);
        assert!(found("removed") && found("renamed"), "{language}: {answer:#}");
    }
    assert_eq!(models.changed(&ClientModels::of(&world)), ["csharp", "python"]);

    // A run as any other: shown, reported, reverted.
    let run = answer["runId"].as_str().unwrap();
    let shown = world.bailiwick(&["run", "show", run]).exits(0).stdout;
    assert!(shown.contains("edited, not built: ") && shown.contains("build: none"), "{shown}");
    let report = world.bailiwick(&["run", "report", run, "--format", "markdown"]).exits(0).stdout;
    assert!(report.contains("Edited, not built") && !report.contains("Success"), "{report}");
    let _ = world.bailiwick(&["run", "revert", run]).exits(0);
    before.assert_same(&world.snapshot());
}

#[test]
fn request_in_words_is_for_every_named_language_or_for_the_one_that_it_names() {
    let world = World::new();
    let written = |request: &str, scope: &str| {
        let answer = customize(&world, &["--customization-request", request, "--scope", scope]).exits(0).json();
        assert_eq!(answer["outcome"], "editedNotBuilt", "{answer:#}");
        let scopes = answer["typeSpecChanges"].as_array().unwrap().iter().map(|one| one["scope"].clone());
        let scopes: Vec<Value> = scopes.collect();
        let _ = world.bailiwick(&["run", "revert", answer["runId"].as_str().unwrap()]).exits(0);
        scopes
    };
    assert_eq!(written("Please hide the operation deleteWidget.", "python,csharp"), ["python, csharp"]);
    assert_eq!(written("Please hide the operation deleteWidget from the Python SDK.", "python,csharp"), ["python"]);
    let answer = customize(&world, &["--customization-request", "hide deleteWidget for Java", "--scope", "python"]);
    let answer = answer.exits(1).json();
    assert_eq!(answer["outcome"], "notEdited", "{answer:#}");
    assert!(answer["manualGuidance"][0]["approach"].as_str().unwrap().contains("--scope python,java"), "{answer:#}");
    let answer = customize(&world, &["--customization-request", "LGTM", "--scope", "python"]).exits(0).json();
    assert_eq!(answer["outcome"], "nothingToEdit", "{answer:#}");
    assert_reads_as_no_build(&answer);
}

#[test]
fn project_without_a_client_file_gets_one_and_a_revert_takes_it_away() {
    let world = World::new();
    fs::remove_file(world.project().join("client.tsp")).unwrap();
    world.commit();
    let before = world.snapshot();
    let answer = customize(&world, &["--hide", "Widgets.deleteWidget", "--scope", "all"]).exits(0).json();
    assert_eq!(answer["outcome"], "editedNotBuilt", "{answer:#}");
    assert!(world.client().contains("@@access("), "{}", world.client());
    assert_eq!(answer["effects"].as_array().unwrap().len(), 5, "{answer:#}");
    world.assert_reverts(&answer, &before);
}

#[test]
fn specification_that_does_not_compile_is_left_as_it_is() {
    let world = World::new();
    let path = world.project().join("models.tsp");
    let models = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{models}\nmodel Broken {{ part: NoSuchModel; }}\n")).unwrap();
    let before = world.snapshot();
    let request = ["--customization-request", "hide deleteWidget", "--scope", "python"];
    let answer = customize(&world, &request).exits(1).json();
    assert_eq!(answer["outcome"], "notEdited", "{answer:#}");
    assert!(answer["manualGuidance"].to_string().contains("NoSuchModel"), "{answer:#}");
    assert_reads_as_no_build(&answer);
    before.assert_same(&world.snapshot());
}

#[test]
fn links_lead_no_edit_out_of_the_project() {
    let world = World::new();
    // The client file is a link to a file of the person.
    let (client, secret) = (world.project().join("client.tsp"), world.base().join("secret.tsp"));
    fs::rename(&client, &secret).unwrap();
    symlink(&secret, &client).unwrap();
    let content = fs::read(&secret).unwrap();
    let answer = customize(&world, &["--hide", "deleteWidget", "--scope", "python"]);
    assert_ne!(answer.code, 0, "{}\n{}", answer.stdout, answer.stderr);
    assert_eq!(fs::read(&secret).unwrap(), content);
    assert!(client.is_symlink());
    fs::remove_file(&client).unwrap();
    fs::rename(&secret, &client).unwrap();
    // A path that is a link to the project is the project, and what stands beside the link is not looked at.
    let link = world.base().join("elsewhere");
    symlink(world.project(), &link).unwrap();
    let own = ["--json", "package", "customize", "--edit-scope", "SpecInputs", "--typespec-project-path"];
    let further = ["--hide", "deleteWidget", "--scope", "python"];
    let answer = world.bailiwick(&[&own[..], &[link.to_str().unwrap()], &further].concat()).exits(0).json();
    assert_eq!(answer["directories"]["spec"], world.project().canonicalize().unwrap().to_str().unwrap());
    assert!(world.client().contains("deleteWidget, Access.internal"), "{}", world.client());
    // Imports that leave the repository.
    let configuration = world.project().join("tspconfig.yaml");
    let text = fs::read_to_string(&configuration).unwrap();
    let outside =
        text.replace("parameters:\n", "parameters:\n  dependencies:\n    additionalDirectories: [\"../..\"]\n");
    fs::write(&configuration, outside).unwrap();
    let answer = customize(&world, &further).exits(2);
    assert!(answer.stderr.contains("`../..` in `tspconfig.yaml`"), "{}", answer.stderr);
}

#[test]
fn what_cannot_be_used_begins_nothing() {
    let world = World::new();
    let before = world.snapshot();
    let project = world.project();
    let project = project.to_str().unwrap();
    let elsewhere = world.base().join("nowhere");
    for (arguments, said) in [
        (
            &["--typespec-project-path", project, "--scope", "python", "--hide", "deleteWidget"][..],
            "`All` needs a package",
        ),
        (
            &["--typespec-project-path", project, "--edit-scope", "CustomCode", "--scope", "python", "--hide", "x"],
            "`CustomCode` needs a package",
        ),
        (
            &["--typespec-project-path", project, "--edit-scope", "SpecInputs", "--hide", "deleteWidget"],
            "`--scope` names none",
        ),
        (&["--edit-scope", "SpecInputs", "--scope", "python", "--hide", "deleteWidget"], "--package-path"),
        (
            &[
                "--typespec-project-path",
                elsewhere.to_str().unwrap(),
                "--edit-scope",
                "SpecInputs",
                "--scope",
                "go",
                "--hide",
                "x",
            ],
            "does not exist",
        ),
        (
            &[
                "--typespec-project-path",
                world.base().to_str().unwrap(),
                "--edit-scope",
                "SpecInputs",
                "--scope",
                "go",
                "--hide",
                "x",
            ],
            "there is no `tspconfig.yaml`",
        ),
        (
            &[
                "--typespec-project-path",
                project,
                "--edit-scope",
                "SpecInputs",
                "--scope",
                "go",
                "--keep-partial",
                "--hide",
                "x",
            ],
            "`--keep-partial` keeps what a package",
        ),
        (
            &[
                "--typespec-project-path",
                project,
                "--edit-scope",
                "SpecInputs",
                "--scope",
                "go",
                "--spec-commit",
                "head",
                "--hide",
                "x",
            ],
            "`--spec-commit` is about",
        ),
        (
            &[
                "--typespec-project-path",
                project,
                "--edit-scope",
                "SpecInputs",
                "--scope",
                "python",
                "--hide",
                "deleteWidgit",
            ],
            "nothing called `deleteWidgit`",
        ),
    ] {
        let answer = world.bailiwick(&[&["package", "customize"], arguments].concat()).exits(2);
        assert!(answer.stderr.contains(said), "{arguments:?}: {}", answer.stderr);
    }
    before.assert_same(&world.snapshot());
    let runs = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(runs, json!([]));
}

#[test]
fn clients_of_the_server_customize_a_specification_that_was_named_and_no_other() {
    let world = World::new();
    let outside = World::without_generated_code();
    let before = outside.snapshot();
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), json!({}));
    let project = world.base().join(PROJECT);
    let arguments = |project: &std::path::Path, scope: &str| {
        let directives = json!([{ "action": "hide", "target": "deleteWidget" }]);
        json!({ "typespecProjectPath": project, "editScope": scope, "scope": "python", "directives": directives })
    };
    let answer = client.call("azsdk_package_customize_code", arguments(&project, "SpecInputs"));
    let structured = &answer["structuredContent"];
    assert_eq!(structured["status"], "finished", "{answer:#}");
    assert_eq!(structured["outcome"], "editedNotBuilt", "{answer:#}");
    assert_reads_as_no_build(structured);
    assert!(text(&answer).starts_with("edited, not built: "), "{answer:#}");

    let link = world.base().join("azure-rest-api-specs/link");
    symlink(outside.project(), &link).unwrap();
    for (project, scope, said) in [
        (outside.project(), "SpecInputs", "in no directory that was named"),
        (link, "SpecInputs", "is not a directory with a `tspconfig.yaml`"),
        (project, "All", "the edit scope `All` needs a package"),
    ] {
        let answer = client.call("azsdk_package_customize_code", arguments(&project, scope));
        assert_eq!(answer["isError"], true, "{answer:#}");
        assert!(text(&answer).contains(said), "{said}: {answer:#}");
    }
    before.assert_same(&outside.snapshot());
}
