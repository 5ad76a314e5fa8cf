//! The `package` commands that do one thing alone, and what an SDK repository configures for them. The scripts here are
//! stand-ins for those of real repositories: they print and write what a test needs.

use bailiwick_tests::{Answer, Sdk, World, assert_success};
use serde_json::json;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A world whose SDK repository configures these scripts, each a key and an entry.
fn configured(entries: &[(&str, serde_json::Value)]) -> World {
    let world = World::new();
    configure(&world, entries);
    world
}

fn configure(world: &World, entries: &[(&str, serde_json::Value)]) {
    let options: serde_json::Map<_, _> =
        entries.iter().map(|(key, entry)| ((*key).to_owned(), entry.clone())).collect();
    let text = json!({ "initOptions": {}, "packageOptions": options }).to_string();
    std::fs::write(eng(world).join("swagger_to_sdk_config.json"), text).unwrap();
}

fn eng(world: &World) -> std::path::PathBuf {
    world.base().join("azure-sdk-for-python/eng")
}

/// Writes a stand-in script into `eng/scripts` of the SDK repository.
fn script(world: &World, name: &str, content: &str) {
    let path = eng(world).join("scripts").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn package(world: &World, words: &[&str], further: &[&str]) -> Answer {
    package_with(world, words, further, &[])
}

fn package_with(world: &World, words: &[&str], further: &[&str], environment: &[(&str, &str)]) -> Answer {
    let path = world.package();
    let mut arguments = vec!["--json", "package"];
    arguments.extend(words);
    arguments.extend(["--package-path", path.to_str().unwrap()]);
    arguments.extend(further);
    world.bailiwick_with(&arguments, environment)
}

#[track_caller]
fn assert_unusable(answer: Answer, about: &str) {
    let answer = answer.exits(2);
    assert!(answer.stderr.contains(about), "`{about}` in: {}", answer.stderr);
    assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
}

/// The `PATH` of this process without PowerShell: a directory that holds it is replaced by links to all the rest of it.
fn path_without_powershell(world: &World) -> std::ffi::OsString {
    let mut entries = vec![world.base().join("programs")];
    std::fs::create_dir_all(&entries[0]).unwrap();
    for (count, entry) in std::env::split_paths(&std::env::var_os("PATH").unwrap()).enumerate() {
        if !entry.join("pwsh").exists() {
            entries.push(entry);
            continue;
        }
        let links = world.base().join(format!("programs-{count}"));
        std::fs::create_dir_all(&links).unwrap();
        for program in std::fs::read_dir(&entry).unwrap() {
            let program = program.unwrap();
            if program.file_name() != "pwsh" {
                symlink(program.path(), links.join(program.file_name())).unwrap();
            }
        }
        entries.push(links);
    }
    std::env::join_paths(entries).unwrap()
}

#[test]
fn configured_build_runs_on_a_copy_and_its_words_decide() {
    let world =
        configured(&[("buildScript", json!({ "command": "./eng/scripts/build.sh -f {PackagePath}/x \"a b\"" }))]);
    // A stand-in for a build script: it writes into the package it is given, tries to write around it, and reports.
    script(
        &world,
        "build.sh",
        "#!/bin/sh\n\
         package=${2%/x}\n\
         [ \"$1\" = -f ] && [ \"$3\" = 'a b' ] && [ $# = 3 ] || { echo \"wrong words: $*\"; exit 9; }\n\
         [ -f \"$package/azure/widget/models/_models.py\" ] || { echo 'no package'; exit 8; }\n\
         echo made > \"$package/made-by-the-build\" || exit 7\n\
         echo changed >> \"$package/README.md\"\n\
         echo x > \"$(dirname \"$0\")/escaped\" 2>/dev/null && { echo 'wrote into the repository'; exit 6; }\n\
         cat \"$(dirname \"$0\")/verdict\"\n\
         exit $(cat \"$(dirname \"$0\")/code\")\n",
    );
    let before = |verdict: &str, code: &str| {
        script(&world, "verdict", verdict);
        script(&world, "code", code);
        world.snapshot()
    };

    let snapshot = before("all is well\n", "0");
    let step = package(&world, &["build"], &[]).exits(0).json();
    assert_eq!((&step["step"], &step["succeeded"]), (&"build".into(), &true.into()), "{step:#}");
    snapshot.assert_same(&world.snapshot());

    // What the compiler says has its place in the package.
    let snapshot = before("azure/widget/models/_patch.py:3: error: stand-in says no  [attr-defined]\n", "1");
    let step = package(&world, &["build"], &[]).exits(1).json();
    assert_eq!(step["diagnostics"][0]["file"], "sdk/azure/widget/models/_patch.py", "{step:#}");
    assert_eq!(step["diagnostics"][0]["line"], 3);
    snapshot.assert_same(&world.snapshot());

    // A script that reports an error has not succeeded, whatever its exit code; one that only fails says its last words.
    let _ = before("azure/widget/models/_patch.py:3: error: stand-in says no\n", "0");
    let _ = package(&world, &["build"], &[]).exits(1);
    let snapshot = before("the disk of the stand-in is full\n", "4");
    let step = package(&world, &["build"], &[]).exits(1).json();
    let message = step["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("exit code 4") && message.contains("the disk of the stand-in is full"), "{message}");
    assert!(message.contains("-f sdk/x") && !message.contains(world.base().to_str().unwrap()), "{message}");
    snapshot.assert_same(&world.snapshot());
}

#[test]
fn what_a_person_writes_while_a_build_works_stays() {
    let world = configured(&[("buildScript", json!({ "command": "./eng/scripts/build.sh" }))]);
    // A stand-in for a build script: it waits until the person has written, and fails.
    let waits = "#!/bin/sh\nuntil [ -f \"$(dirname \"$0\")/written\" ]; do sleep 0.05; done\necho 'x.py:1: error: no'\nexit 1\n";
    script(&world, "build.sh", waits);
    let (patch, new) = (world.package().join("azure/widget/_patch.py"), world.package().join("by-hand.md"));
    let before = std::fs::read_to_string(&patch).unwrap();
    std::thread::scope(|scope| {
        let build = scope.spawn(|| package(&world, &["build"], &[]));
        // Once the script runs, the before-images are there.
        let runs = |process: &u32| {
            std::fs::read_to_string(format!("/proc/{process}/cmdline")).is_ok_and(|line| line.contains("build.sh"))
        };
        while !world.processes().iter().any(runs) {
            assert!(!build.is_finished(), "the script did not run");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::fs::write(&patch, format!("{before}# by hand\n")).unwrap();
        std::fs::write(&new, "new\n").unwrap();
        script(&world, "written", "");
        let answer = build.join().unwrap().exits(1);
        assert!(answer.stderr.contains("changed while this step worked"), "{}", answer.stderr);
    });
    assert_eq!(std::fs::read_to_string(&patch).unwrap(), format!("{before}# by hand\n"));
    assert_eq!(std::fs::read_to_string(&new).unwrap(), "new\n");
    let runs = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(runs[0]["status"], "unchanged", "{runs:#}");
}

#[test]
fn powershell_script_gets_the_package_and_a_missing_powershell_is_said() {
    let world = configured(&[("buildScript", json!({ "command": "", "path": "./eng/scripts/build.ps1" }))]);
    script(&world, "build.ps1", "# never read: `pwsh` is a stand-in here\n");
    let before = world.snapshot();
    let path = path_without_powershell(&world).into_string().unwrap();
    let answer = package_with(&world, &["build"], &[], &[("PATH", &path)]).exits(1);
    assert!(answer.stderr.contains("there is no `pwsh` on this machine"), "{}", answer.stderr);
    assert!(answer.stderr.contains("hint: install PowerShell 7"), "{}", answer.stderr);
    before.assert_same(&world.snapshot());

    // A stand-in for PowerShell, which shows what it was given.
    let pwsh = world.base().join("programs/pwsh");
    std::fs::write(&pwsh, "#!/bin/sh\necho \"stand-in: $*\"\nls \"$7/azure\" >/dev/null || exit 3\nexit 5\n").unwrap();
    std::fs::set_permissions(&pwsh, std::fs::Permissions::from_mode(0o755)).unwrap();
    let step = package_with(&world, &["build"], &[], &[("PATH", &path)]).exits(1).json();
    let message = step["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("exit code 5"), "{message}");
    assert!(message.contains("-NonInteractive -File repository/eng/scripts/build.ps1 -PackagePath sdk"), "{message}");
}

#[test]
fn configuration_that_cannot_be_used_is_said_before_anything_starts() {
    let world = World::without_generated_code();
    let file = eng(&world).join("swagger_to_sdk_config.json");
    for (content, about) in [
        ("{", "it is not JSON"),
        (r#"{"packageOptions": {"buildScript": {"command": "a && b"}}}"#, "`&&` needs a shell"),
        (r#"{"packageOptions": {"buildScript": {"path": "eng/none.ps1"}}}"#, "there is no `eng/none.ps1`"),
        (r#"{"packageOptions": {"buildScript": {"path": "../../x.ps1"}}}"#, "buildScript/path"),
    ] {
        std::fs::write(&file, content).unwrap();
        for words in [["build"], ["generate"], ["test"]] {
            assert_unusable(package(&world, &words, &[]), about);
        }
        assert_unusable(package(&world, &["customize"], &["--customization-request", "hide deleteWidget"]), about);
    }
    std::fs::write(&file, "{}").unwrap();
    assert_unusable(package(&world, &["update", "metadata"], &[]), "configures no `updateMetadataScript`");
    std::fs::remove_file(&file).unwrap();
    assert_unusable(package(&world, &["update", "changelog"], &[]), "configures no `updateChangelogContentScript`");
    for (option, value, about) in [
        ("--version", "1.2; rm", "is not a version"),
        ("--release-date", "tomorrow", "is not a date"),
        ("--release-type", "nightly", "invalid value"),
    ] {
        let answer = package(&world, &["update", "version"], &[option, value]).exits(2);
        assert!(answer.stderr.contains(about), "{}", answer.stderr);
    }
    let runs = world.state().join("runs");
    assert!(!runs.exists() || std::fs::read_dir(runs).unwrap().next().is_none(), "a run was begun");
}

#[test]
fn update_scripts_write_the_package_alone_and_a_failed_one_leaves_it_as_it_was() {
    let world = World::new();
    // A stand-in for the update scripts of a repository.
    script(
        &world,
        "update.py",
        "import sys, pathlib, os\n\
         package, what, version, where = sys.argv[1:5]\n\
         log = pathlib.Path(package, 'CHANGELOG.md')\n\
         log.write_text(log.read_text() + f'## {what} {version}\\n')\n\
         if where != 'here':\n    pathlib.Path(where).write_text('escaped')\n\
         if what == 'fail':\n    sys.exit('the stand-in has had enough')\n",
    );
    let command = |what: &str, place: &str| json!({ "command": format!("python3 {{packagePath}}/../../../eng/scripts/update.py {{packagePath}} {what} {{version}} {place}") });
    let outside = world.base().join("azure-sdk-for-python/outside");
    configure(
        &world,
        &[
            ("updateChangelogContentScript", command("fail", "here")),
            ("updateVersionScript", command("release", "here")),
            ("updateMetadataScript", command("escape", outside.to_str().unwrap())),
        ],
    );
    let before = world.snapshot();
    for words in [["update", "changelog"], ["update", "metadata"]] {
        let step = package(&world, &words, &[]).exits(1).json();
        assert_eq!(step["succeeded"], false, "{step:#}");
        assert_eq!(step["modifiedFiles"], json!([]), "{step:#}");
        before.assert_same(&world.snapshot());
    }
    assert!(!outside.exists(), "a script wrote outside the package");

    let step = package(&world, &["update", "version"], &["--version", "1.2.0", "--release-type", "stable"]).exits(0);
    let step = step.json();
    assert_eq!(step["modifiedFiles"], json!(["sdk/CHANGELOG.md"]), "{step:#}");
    assert!(world.read("CHANGELOG.md").ends_with("## release 1.2.0\n"), "{}", world.read("CHANGELOG.md"));
    world.assert_reverts(&step, &before);
}

/// A person who looks at the package with git afterwards must not run what a script put there.
#[test]
fn script_that_makes_a_git_repository_of_the_package_fails_and_leaves_none() {
    let world = World::new();
    script(&world, "plant.sh", "mkdir \"$1/.git\"\necho '[core]' > \"$1/.git/config\"\n");
    configure(
        &world,
        &[
            (
                "updateMetadataScript",
                json!({ "command": "sh {packagePath}/../../../eng/scripts/plant.sh {packagePath}" }),
            ),
            ("updateVersionScript", json!({ "command": "../outside.sh {packagePath}" })),
        ],
    );
    let outside = world.base().join("outside.sh");
    std::fs::write(&outside, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o755)).unwrap();
    let before = world.snapshot();
    let answer = package(&world, &["update", "metadata"], &[]).exits(1);
    assert!(answer.stdout.contains("from which version control runs programs"), "{answer:?}");
    assert!(!world.package().join(".git").exists());
    before.assert_same(&world.snapshot());
    // A program outside the repository is not the repository's to name.
    let answer = package(&world, &["update", "version"], &["--version", "1.2.0", "--release-type", "stable"]);
    assert_ne!(answer.code, 0, "{answer:?}");
    before.assert_same(&world.snapshot());
}

#[test]
fn configuration_that_is_a_device_or_a_pipe_is_refused_and_not_waited_for() {
    let world = World::without_generated_code();
    let location = world.package().join("tsp-location.yaml");
    let configuration = eng(&world).join("swagger_to_sdk_config.json");
    for path in [configuration, location] {
        let _ = std::fs::remove_file(&path);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let answer = package(&world, &["show"], &[]);
        assert_ne!(answer.code, 0, "{answer:?}");
        assert!(answer.stdout.contains("a plain file") || answer.stderr.contains("a plain file"), "{answer:?}");
        std::fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        assert_ne!(package(&world, &["show"], &[]).code, 0);
        std::fs::remove_file(&path).unwrap();
        if path.ends_with("swagger_to_sdk_config.json") {
            std::fs::write(&path, "{}").unwrap();
        }
    }
}

#[test]
fn tests_of_a_package_run_on_a_copy_without_a_network_and_are_counted() {
    let world = World::new();
    let before = world.snapshot();
    let step = package(&world, &["test"], &[]).exits(0).json();
    assert_eq!(step["tests"], json!({ "passed": 1, "failed": 0, "skipped": 0 }), "{step:#}");
    before.assert_same(&world.snapshot());

    let test = world.package().join("tests/test_more.py");
    std::fs::write(
        &test,
        "import pathlib, socket, pytest\n\
         def test_wrong():\n    assert 1 == 2\n\
         def test_writes():\n    pathlib.Path(__file__).with_name('written').write_text('x')\n\
         def test_network():\n    with pytest.raises(OSError):\n        socket.create_connection(('127.0.0.1', 9), 1)\n\
         @pytest.mark.skip\ndef test_skipped():\n    pass\n",
    )
    .unwrap();
    let before = world.snapshot();
    let step = package(&world, &["test"], &[]).exits(1).json();
    assert_eq!(step["tests"], json!({ "passed": 3, "failed": 1, "skipped": 1 }), "{step:#}");
    assert_eq!(step["diagnostics"][0]["file"], "sdk/tests/test_more.py", "{step:#}");
    assert_eq!(step["diagnostics"][0]["line"], 3, "{step:#}");
    before.assert_same(&world.snapshot());

    // Code that ends the process has not passed.
    std::fs::write(&test, "import os\nos._exit(0)\n").unwrap();
    let step = package(&world, &["test"], &[]).exits(1).json();
    assert!(step["diagnostics"][0]["message"].as_str().unwrap().contains("without its report"), "{step:#}");

    std::fs::remove_dir_all(world.package().join("tests")).unwrap();
    assert_unusable(package(&world, &["test"], &[]), "the package has no tests in");
}

#[test]
fn tests_of_go_run_with_the_modules_that_are_there_and_a_failed_one_has_its_place() {
    let world = World::of(Sdk::Go);
    let before = world.snapshot();
    let step = package(&world, &["test"], &[]).exits(0).json();
    assert_eq!((&step["step"], &step["succeeded"]), (&"test".into(), &true.into()), "{step:#}");
    before.assert_same(&world.snapshot());
    let test = world.package().join("summary_test.go");
    let text = std::fs::read_to_string(&test).unwrap().replace("a widget without a name", "a name without a widget");
    std::fs::write(&test, text).unwrap();
    let step = package(&world, &["test"], &[]).exits(1).json();
    assert_eq!(step["diagnostics"][0]["file"], "sdk/summary_test.go", "{step:#}");
    assert_eq!(step["diagnostics"][0]["line"], 7, "{step:#}");
}

#[test]
fn fix_repairs_what_a_changed_specification_broke_and_leaves_the_specification_alone() {
    let world = World::new();
    // A model was renamed in the specification; the hand-written code still has its old name.
    let client = world.client() + "@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    std::fs::write(world.project().join("client.tsp"), &client).unwrap();
    let before = world.snapshot();
    let response = package(&world, &["fix"], &["--errors", "it does not build any more"]).exits(0).json();
    assert_success(&response, (1, 1));
    assert_eq!(world.client(), client);
    assert!(world.read("azure/widget/models/_patch.py").contains("WidgetAnalysis"));
    world.assert_reverts(&response, &before);
}

#[test]
fn edit_scopes_keep_their_side_byte_for_byte_and_say_what_the_other_would_need() {
    let world = World::new();
    let before = world.snapshot();
    // The specification may be edited, the code that breaks may not.
    let request = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let answer = world.customize_with(request, &["--edit-scope", "SpecInputs"]).exits(1).json();
    assert_eq!(answer["phaseBAttempts"], 0, "{answer:#}");
    assert_eq!(answer["errorCode"], "CustomCodeChangeRequired", "{answer:#}");
    let required = answer["customCodeChangeRequired"].to_string();
    assert!(required.contains("AnalyzeResult") && required.contains("_patch.py"), "{required}");
    assert_eq!(answer["codePatches"], json!([]));
    let changed = before.difference(&world.snapshot());
    assert!(!changed.beneath("azure-sdk-for-python").iter().any(|path| path.ends_with("_patch.py")));
    if answer["outcome"] == "partial" {
        let _ = world.bailiwick(&["run", "revert", answer["runId"].as_str().unwrap()]).exits(0);
    }
    before.assert_same(&world.snapshot());
}

#[test]
fn description_is_converted_with_a_locked_converter_and_a_broken_one_leaves_nothing() {
    let world = World::without_generated_code();
    let description = world.base().join("azure-rest-api-specs/specification/gadget/data-plane");
    std::fs::create_dir_all(&description).unwrap();
    std::fs::write(
        description.join("readme.md"),
        "# Gadget\n> see https://aka.ms/autorest\n``` yaml\nopenapi-type: data-plane\ninput-file: gadget.json\n```\n",
    )
    .unwrap();
    let swagger = json!({
        "swagger": "2.0", "info": { "title": "Gadget", "version": "2024-01-01" }, "host": "example.com",
        "schemes": ["https"], "consumes": ["application/json"], "produces": ["application/json"],
        "paths": { "/gadgets/{id}": { "get": {
            "operationId": "Gadgets_Get", "description": "Gets one.",
            "parameters": [{ "name": "id", "in": "path", "required": true, "type": "string" }],
            "responses": { "200": { "description": "ok", "schema": { "$ref": "#/definitions/Gadget" } } },
        } } },
        "definitions": { "Gadget": { "type": "object", "properties": { "name": { "type": "string" } } } },
    });
    let output = world.base().join("azure-rest-api-specs/specification/gadget/Gadget");
    let convert = || {
        let readme = description.join("readme.md");
        let (readme, output) = (readme.to_str().unwrap(), output.to_str().unwrap());
        // AutoRest locks itself with a socket, which no confined child can make.
        let arguments = ["--json", "package", "convert", "--swagger-readme", readme, "--output-dir", output];
        world.bailiwick(&[&arguments[..], &["--unconfined-builds"]].concat())
    };
    std::fs::write(description.join("gadget.json"), "{ broken").unwrap();
    let before = world.snapshot();
    let step = convert().exits(1).json();
    assert!(step["diagnostics"][0]["message"].as_str().unwrap().starts_with("the conversion failed"), "{step:#}");
    before.assert_same(&world.snapshot());

    std::fs::write(description.join("gadget.json"), swagger.to_string()).unwrap();
    let step = convert().exits(0).json();
    assert!(step["modifiedFiles"].to_string().contains("spec/main.tsp"), "{step:#}");
    assert!(std::fs::read_to_string(output.join("models.tsp")).unwrap().contains("model Gadget"));
    assert_unusable(convert(), "there is a TypeSpec project in");
    let _ = world.bailiwick(&["run", "revert", step["runId"].as_str().unwrap()]).exits(0);
    assert!(std::fs::read_dir(&output).unwrap().next().is_none());
}

#[test]
fn show_says_what_a_package_is_and_starts_nothing() {
    let world = configured(&[("updateVersionScript", json!({ "path": "eng/none.ps1" }))]);
    world.git(
        "azure-sdk-for-python",
        &["remote", "add", "origin", "https://me:secret@github.com/Azure/azure-sdk-for-python.git"],
    );
    world.git("azure-rest-api-specs", &["remote", "add", "origin", "git@github.com:Azure/azure-rest-api-specs-pr.git"]);
    let location = world.read("tsp-location.yaml");
    let bad: String = location
        .lines()
        .map(
            |line| {
                if line.starts_with("repo:") { "repo: ../azure-rest-api-specs\n".into() } else { format!("{line}\n") }
            },
        )
        .collect();
    std::fs::write(world.package().join("tsp-location.yaml"), bad).unwrap();
    let overview = package(&world, &["show"], &[]).exits(0).json();
    assert_eq!((&overview["plane"], &overview["language"]), (&"data".into(), &"python".into()), "{overview:#}");
    assert_eq!(overview["sdkRepository"]["repository"], "Azure/azure-sdk-for-python");
    assert_eq!(overview["sdkRepository"]["publicity"], "public");
    assert_eq!(overview["specificationRepository"]["publicity"], "private");
    assert!(!overview.to_string().contains("secret"), "{overview:#}");
    let notes = overview["notes"].to_string();
    assert!(notes.contains("is no `owner/name`") && notes.contains("would publish it"), "{notes}");
    assert!(overview["scripts"][0]["runs"].as_str().unwrap().contains("there is no `eng/none.ps1`"), "{overview:#}");
    assert!(!world.state().join("runs").exists(), "a run was begun");
}

#[test]
fn new_package_is_made_where_the_specification_says_and_a_failed_one_leaves_nothing() {
    let world = World::without_generated_code();
    std::fs::remove_dir_all(world.base().join("azure-sdk-for-python/sdk")).unwrap();
    let (sdk, project) = (world.base().join("azure-sdk-for-python"), world.project());
    let init = |further: &[&str]| {
        let mut arguments = vec!["--json", "package", "init", "--sdk-repo-path", sdk.to_str().unwrap()];
        arguments.extend(["--typespec-project-path", project.to_str().unwrap()]);
        arguments.extend(further);
        world.bailiwick(&arguments)
    };
    let before = world.snapshot();
    assert_unusable(init(&[]), "the repository of the specification repository is not known");
    let client = world.client();
    std::fs::write(project.join("client.tsp"), format!("{client}\n@@clientName(NoSuchModel, \"X\");\n")).unwrap();
    let step = init(&["--repo", "Azure/azure-rest-api-specs"]).exits(1).json();
    assert!(step["diagnostics"].to_string().contains("NoSuchModel"), "{step:#}");
    std::fs::write(project.join("client.tsp"), client).unwrap();
    before.assert_same(&world.snapshot());

    let step = init(&["--repo", "Azure/azure-rest-api-specs"]).exits(0).json();
    let text = world.read("tsp-location.yaml");
    let head = world.git("azure-rest-api-specs", &["rev-parse", "HEAD"]);
    assert!(text.contains(head.trim()) && text.contains("directory: specification/widget/WidgetManager"), "{text}");
    assert!(world.read("azure/widget/models/_models.py").contains("class Widget("));
    assert_unusable(init(&["--repo", "Azure/azure-rest-api-specs"]), "there is a package in");
    let _ = world.bailiwick(&["run", "revert", step["runId"].as_str().unwrap()]).exits(0);
    assert!(std::fs::read_dir(world.package()).unwrap().next().is_none(), "only its empty directory is left");
}

#[test]
fn package_is_regenerated_from_a_sparse_clone_of_the_specifications() {
    let world = World::new();
    // What `git sparse-checkout` leaves: git ends where it may not read the second file.
    let _ = world.git("azure-rest-api-specs", &["sparse-checkout", "set", "--no-cone", "/*"]);
    assert!(world.base().join("azure-rest-api-specs/.git/config.worktree").is_file());
    let _ = world.package_command("generate", &[]).exits(0);
}
