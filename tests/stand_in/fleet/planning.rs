//! A manifest names every package, those included that are left out.

use super::{Fleet, RENAME, SDK, SPECS, commit, package};
use serde_json::{Value, json};

#[test]
fn package_that_cannot_be_worked_on_stands_in_the_manifest_with_its_reason() {
    let fleet = Fleet::of(4, |_| Value::Null);
    let base = fleet.world.base();
    std::fs::remove_file(base.join(package(0)).join("tsp-location.yaml")).unwrap();
    std::fs::write(base.join(package(0)).join("setup.py"), "").unwrap();
    std::fs::write(base.join(package(1)).join("tsp-location.yaml"), "directory: [").unwrap();
    let location = base.join(package(2)).join("tsp-location.yaml");
    let text = std::fs::read_to_string(&location).unwrap();
    std::fs::write(&location, text.replace(&fleet.pinned, "0123456789012345678901234567890123456789")).unwrap();
    fleet.world.commit();
    let (_, manifest) = fleet.plan("generate", &[]);
    assert_eq!(manifest["jobs"].as_array().unwrap().len(), 1, "{manifest:#}");
    let mut reasons: Vec<_> = manifest["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["package"].as_str().unwrap(), one["reason"].as_str().unwrap()))
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons.len(), 3);
    for ((name, reason), (number, said)) in
        reasons.iter().zip([(0, "no `tsp-location.yaml`"), (1, "cannot be read"), (2, "does not have commit")])
    {
        assert_eq!(*name, package(number));
        assert!(reason.contains(said), "{reason}");
    }
}

#[test]
fn commits_are_resolved_when_the_fleet_is_planned_and_the_key_says_them() {
    let fleet = Fleet::of(2, |_| Value::Null);
    let (_, first) = fleet.plan("generate", &["--only", "sdk/w01/*"]);
    let client = fleet.world.project().join("client.tsp");
    std::fs::write(&client, fleet.world.client() + RENAME).unwrap();
    fleet.world.commit();
    let (_, same) = fleet.plan("generate", &["--only", "sdk/w01/*"]);
    let (_, head) = fleet.plan("generate", &["--only", "sdk/w01/*", "--spec-commit", "head"]);
    let job = |manifest: &Value| manifest["jobs"][0].clone();
    assert_eq!((first["jobs"].as_array().unwrap().len(), &job(&first)["package"]), (1, &json!("sdk/w01/azure-widget")));
    assert_eq!(job(&same)["specification"]["source"]["commit"], json!(fleet.pinned));
    assert_eq!(job(&head)["specification"]["source"]["commit"], json!(commit(&fleet.world, SPECS)));
    assert_ne!(job(&same)["key"], job(&head)["key"]);
    assert_eq!(job(&first)["language"], "python");
    assert_eq!(job(&first)["sdk"]["repository"], SDK);
}

#[test]
fn plan_that_means_nothing_is_one_sentence() {
    let fleet = Fleet::of(1, |_| Value::Null);
    for (arguments, said) in [
        (&["--do", "destroy"][..], "names no action"),
        (&["--do", "customize"], "names no action"),
        (&["--do", "fix", "--newer-spec", "head"], "--do generate"),
        (&["--do", "fix", "--only", "["], "is not a pattern"),
        (&["--do", "fix", "--only", "nothing/*"], "no package was found"),
        (&["--do", "fix", "--with", "sdk/none"], "no such directory"),
        (&["--do", "fix", "--matrix", "github"], "--output"),
    ] {
        let answer = fleet.world.bailiwick(&[&["fleet", "plan", "--sdk", SDK], arguments].concat()).exits(2);
        assert!(answer.stderr.contains(said), "{arguments:?}: {}", answer.stderr);
    }
    let edited = fleet.world.base().join("edited.json");
    let (_, mut manifest) = fleet.plan("fix", &[]);
    manifest["jobs"][0]["request"] = json!("do something else");
    std::fs::write(&edited, manifest.to_string()).unwrap();
    let answer = fleet.run(&edited, &[]).exits(2);
    assert!(answer.stderr.contains("key"), "{}", answer.stderr);
    fleet.assert_untouched();
}

/// The author of a manifest chooses where the requests of a model go, and the key of this machine would go with them.
#[test]
fn model_of_a_manifest_that_was_not_allowed_here_is_not_used() {
    let fleet = Fleet::of(1, |_| Value::Null);
    // Nothing listens there.
    let model = "openai:gpt-5@http://127.0.0.1:9/v1";
    let (path, _) = fleet.plan("fix", &["--model", model]);
    let manifest = path.to_str().unwrap();
    let results = fleet.world.base().join("results");
    let shard = ["worker", manifest, "--shard", "1/1", "--results", results.to_str().unwrap()];
    for answer in [fleet.run(&path, &[]), fleet.world.bailiwick(&shard)] {
        let said = answer.exits(3).stderr;
        assert!(said.contains("was not allowed here") && said.contains(&format!("--allow-model {model}")), "{said}");
    }
    assert!(!results.exists());
    // Allowed by name, the job begins, and nothing answers.
    let said = fleet.run(&path, &["--allow-model", model]).exits(1).stdout;
    assert!(!said.contains("allow-model"), "{said}");
    fleet.assert_untouched();
}

#[test]
fn name_that_holds_a_line_of_its_own_takes_no_package_for_another() {
    let fleet = Fleet::of(3, |_| Value::Null);
    let base = fleet.world.base();
    // Each package names a directory of its own, so that one with the location of another is seen.
    let expected: Vec<Value> = fleet.plan("generate", &[]).1["jobs"].as_array().unwrap().clone();
    let hostile = base.join(SDK).join("sdk/w00\nHEAD:sdk/w02/azure-widget");
    std::fs::create_dir_all(&hostile).unwrap();
    std::fs::write(hostile.join("tsp-location.yaml"), "directory: other\ncommit: 0\nrepo: x/y\n").unwrap();
    fleet.world.commit();
    let (_, manifest) = fleet.plan("generate", &[]);
    let told = |jobs: &[Value]| -> Vec<(Value, Value)> {
        jobs.iter().map(|job| (job["package"].clone(), job["specification"]["directories"].clone())).collect()
    };
    assert_eq!(told(manifest["jobs"].as_array().unwrap()), told(&expected), "{manifest:#}");
    assert_eq!(manifest["skipped"], json!([]), "{manifest:#}");
}
