//! Attacks on the installation of emitters: an attacker who may write files of an SDK repository, or has its generator or a
//! workflow do it, tries to have a program run or to reach what is outside of an installation.
//!
//! Over the real binary and the real npm. What an attack would leave is a file outside both repositories.

mod registry;
mod script;

use bailiwick_tests::{Mcp, Sdk, World, cache, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// An emitter's package file with scripts of its own and a package beside it that has some, too.
fn plant(directory: &Path, emitter: &str, marker: &Path) {
    let touch = format!("echo reached >> {}", marker.display());
    let scripts: Value = ["preinstall", "install", "postinstall", "prepare", "preprepare", "dependencies"]
        .into_iter()
        .map(|name| (name.to_owned(), Value::String(touch.clone())))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let package = |name: &str| json!({ "name": name, "version": "1.0.0", "main": "index.js", "scripts": scripts });
    for (place, name) in [("own", emitter), ("compiler", "@typespec/compiler")] {
        fs::create_dir_all(directory.join(place)).unwrap();
        fs::write(directory.join(place).join("package.json"), package(name).to_string()).unwrap();
        fs::write(directory.join(place).join("index.js"), "").unwrap();
    }
    let file = json!({
        "scripts": scripts,
        "bin": { "node": "own/index.js" },
        "dependencies": { emitter: "file:own", "@typespec/compiler": "file:compiler" },
    });
    fs::write(directory.join("emitter-package.json"), file.to_string()).unwrap();
    let _ = fs::remove_file(directory.join("emitter-package-lock.json"));
}

/// What an attack would leave.
fn marker(world: &World) -> PathBuf {
    world.base().join("reached")
}

#[track_caller]
fn nothing_ran(world: &World) {
    assert!(!marker(world).exists(), "a script of the repository ran");
}

/// Names of what was installed into a cache directory.
fn sets(cache: &Path) -> Vec<String> {
    let entries = fs::read_dir(cache).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| ["emitter-", "node22-", "python-", ".partial"].iter().any(|start| name.starts_with(start)));
    names.sort();
    names
}

/// A cache directory with Node, `tsp-client` and Python, and with no emitter and no approval.
fn cache_without_emitters(base: &Path) -> PathBuf {
    let own = base.join("own-cache");
    fs::create_dir_all(&own).unwrap();
    for entry in fs::read_dir(cache()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if ["node22-", "tsp-client-", "python-"].iter().any(|start| name.starts_with(start)) {
            let copied = std::process::Command::new("cp").arg("-a").arg(&path).arg(&own).status().unwrap();
            assert!(copied.success());
        }
    }
    own
}

fn asked<'a>(package: &'a str, command: &'a str) -> [&'a str; 5] {
    ["--json", "package", command, "--package-path", package]
}

#[test]
fn emitter_that_was_planted_in_the_repository_is_refused_and_nothing_is_installed() {
    let world = World::without_generated_code();
    let eng = world.base().join("azure-sdk-for-python/eng");
    plant(&eng, "@typespec/http-client-python", &marker(&world));
    let cache = world.base().join("empty-cache");
    let package = world.package();
    let environment = [("BAILIWICK_CACHE_DIR", cache.to_str().unwrap())];
    for command in ["generate", "fix"] {
        let answer = world.bailiwick_with(&asked(package.to_str().unwrap(), command), &environment);
        let error = answer.exits(3).json()["error"].clone();
        assert!(error["message"].as_str().unwrap().contains("was never approved"), "{error:#}");
        let hint = format!("bailiwick setup --emitter-package {}", eng.join("emitter-package.json").display());
        assert!(error["hint"].as_str().unwrap().contains(&hint), "{error:#}");
        nothing_ran(&world);
        assert_eq!(sets(&cache), Vec::<String>::new(), "nothing is installed for what is refused");
    }
}

#[test]
fn client_of_the_server_gets_the_refusal_and_the_command_for_a_person() {
    let world = World::without_generated_code();
    let eng = world.base().join("azure-sdk-for-python/eng");
    let mut client = Mcp::legacy(world.base(), &world.serving(&["--answer-within", "600"]), json!({}));
    plant(&eng, "@typespec/http-client-python", &marker(&world));
    let answer = client.call("azsdk_package_generate_code", json!({ "packagePath": world.package() }));
    assert_eq!(answer["isError"], json!(true), "{answer:#}");
    for words in ["was never approved", "a person decides", "bailiwick setup --emitter-package"] {
        assert!(text(&answer).contains(words), "{words}: {answer:#}");
    }
    nothing_ran(&world);
}

#[test]
fn dry_run_reads_with_the_shipped_compiler_where_the_emitter_was_never_approved_and_the_run_is_refused() {
    let world = World::without_generated_code();
    plant(&world.base().join("azure-sdk-for-python/eng"), "@typespec/http-client-python", &marker(&world));
    let package = world.package();
    let request = ["--customization-request", "hide operation deleteWidget from the Python SDK"];
    let customize = [&asked(package.to_str().unwrap(), "customize")[..], &request].concat();
    let planned = world.bailiwick(&[&customize[..], &["--dry-run"]].concat()).exits(0);
    assert_eq!(planned.json()["actions"][0]["target"], "Contoso.WidgetManager.Widgets.deleteWidget");
    assert!(planned.stderr.contains("bailiwick's own TypeSpec compiler"), "{}", planned.stderr);
    nothing_ran(&world);
    let refused = world.bailiwick(&customize).exits(3);
    assert!(refused.stderr.contains("was never approved"), "{}", refused.stderr);
    nothing_ran(&world);
}

#[test]
fn approved_emitter_is_installed_without_any_script_and_used_without_another_question() {
    let world = World::hand_written(Sdk::Go);
    let cache = cache_without_emitters(world.base());
    let eng = world.base().join("azure-sdk-for-go/eng");
    plant(&eng, "@azure-tools/typespec-go", &marker(&world));
    let file = eng.join("emitter-package.json");
    let arguments = ["--json", "setup", "--emitter-package", file.to_str().unwrap()];
    let environment = [("BAILIWICK_CACHE_DIR", cache.to_str().unwrap())];
    let answer = world.bailiwick_with(&arguments, &environment).exits(0);
    nothing_ran(&world);
    assert!(answer.stderr.contains("npm, because there is no lock file"), "{}", answer.stderr);
    let set = cache.join(sets(&cache).into_iter().find(|name| name.starts_with("emitter-")).unwrap());
    assert!(set.join("node_modules/@azure-tools/typespec-go/index.js").exists());
    let written: Value = serde_json::from_slice(&fs::read(set.join("package.json")).unwrap()).unwrap();
    // npm may normalise the tables; whatever else the file has it does not get.
    assert!(written["scripts"].is_null() && written["bin"].is_null(), "{written:#}");

    // Scripts are not part of what was approved, because they are never run. Everything else is.
    let again = world.bailiwick_with(&arguments, &environment).exits(0);
    assert!(!again.stderr.contains("approving"), "{}", again.stderr);
    fs::write(eng.join("own/index.js"), "throw 1").unwrap();
    let package = world.package();
    let refused = world.bailiwick_with(&asked(package.to_str().unwrap(), "generate"), &environment).exits(3);
    assert!(refused.stderr.contains("was never approved"), "{}", refused.stderr);
    nothing_ran(&world);
}

#[test]
fn package_cannot_name_an_emitter_of_its_own() {
    // As a generator that a customization class runs in would leave them.
    let world = World::without_generated_code();
    let package = world.package();
    fs::create_dir_all(package.join("e")).unwrap();
    plant(&package.join("e"), "@typespec/http-client-python", &marker(&world));
    let location = package.join("tsp-location.yaml");
    let whole = fs::read_to_string(&location).unwrap();
    for (path, code, words) in [
        ("sdk/widget/azure-widget/e/emitter-package.json", 2, "does not lie beneath `eng/`"),
        ("eng/../sdk/widget/azure-widget/e/emitter-package.json", 2, "leads out of the repository"),
        ("eng/linked/emitter-package.json", 2, "a link"),
    ] {
        let link = world.base().join("azure-sdk-for-python/eng/linked");
        if !link.exists() {
            std::os::unix::fs::symlink("../sdk/widget/azure-widget/e", link).unwrap();
        }
        fs::write(&location, format!("{whole}\nemitterPackageJsonPath: {path}\n")).unwrap();
        let answer = world.bailiwick(&asked(package.to_str().unwrap(), "generate")).exits(code);
        assert!(answer.stderr.contains(words), "{path}: {}", answer.stderr);
        nothing_ran(&world);
    }
}

fn step(world: &World, id: &str, result: &Value) -> bailiwick_tests::Answer {
    world.bailiwick(&["package", "workflow", "--workflow-id", id, "--json", "--result", &result.to_string()])
}

fn started(world: &World) -> String {
    let package = world.package();
    let mut arguments = vec!["package", "workflow", "--request", "hide deleteWidget", "--request-type", "user_request"];
    arguments.extend(["--package-path", package.to_str().unwrap(), "--json"]);
    let id = world.bailiwick(&arguments).exits(0).json()["workflow_id"].as_str().unwrap().to_owned();
    let _ = step(world, &id, &json!({ "type": "classification", "tspApplicable": true })).exits(0);
    id
}

fn applied() -> Value {
    json!({ "type": "tsp_fix_applied", "description": "named an emitter" })
}

#[test]
fn workflow_judges_what_its_caller_wrote_before_it_prepares_anything_from_it() {
    let world = World::standing_in();
    let id = started(&world);
    let package = world.package();
    let location = fs::read_to_string(package.join("tsp-location.yaml")).unwrap();
    plant(&package.join("e"), "@typespec/http-client-python", &marker(&world));
    let own = format!("{location}\nemitterPackageJsonPath: sdk/widget/azure-widget/e/emitter-package.json\n");
    fs::write(package.join("tsp-location.yaml"), own).unwrap();
    let before = sets(&cache());
    let answer = step(&world, &id, &applied()).exits(0).json();
    nothing_ran(&world);
    assert!(answer.to_string().contains("sdk/tsp-location.yaml"), "{answer:#}");
    assert_eq!(answer["is_complete"], json!(false), "{answer:#}");
    assert_eq!(sets(&cache()), before);
}

#[test]
fn workflow_keeps_the_emitter_that_it_began_with_and_says_which_file_is_another() {
    let world = World::standing_in();
    let id = started(&world);
    let client = world.project().join("client.tsp");
    fs::write(&client, world.client() + "\n@@access(Widget, Access.internal, \"python\");\n").unwrap();
    let eng = world.base().join("azure-sdk-for-python/eng");
    let (file, lock) = (eng.join("emitter-package.json"), eng.join("emitter-package-lock.json"));
    let (file_before, lock_before) = (fs::read(&file).unwrap(), fs::read(&lock).unwrap());
    plant(&eng, "@typespec/http-client-python", &marker(&world));
    let refused = step(&world, &id, &applied()).exits(3);
    nothing_ran(&world);
    for words in ["not the one it began with", file.to_str().unwrap()] {
        assert!(refused.stderr.contains(words), "{words}: {}", refused.stderr);
    }
    // Put back, the same report is taken.
    fs::write(&file, file_before).unwrap();
    fs::write(&lock, lock_before).unwrap();
    let answer = step(&world, &id, &applied());
    assert!(!answer.stderr.contains("began with"), "{}{}", answer.stdout, answer.stderr);
    nothing_ran(&world);
    let _ = world.bailiwick(&["package", "workflow", "--workflow-id", &id, "--abandon", "--json"]);
}
