//! Patches in branches, after a person's word, and what conflicts made again.

use super::{Fleet, RENAME, SDK, commit, package, verdict, verdicts};
use serde_json::{Value, json};

/// A fleet whose packages all change with the newest commit of the specification.
fn renamed(packages: usize) -> (Fleet, Value) {
    let fleet = Fleet::of(packages, |_| Value::Null);
    std::fs::write(fleet.world.project().join("client.tsp"), fleet.world.client() + RENAME).unwrap();
    fleet.world.commit();
    let (path, manifest) = fleet.plan("fix", &["--spec-commit", "head"]);
    let report = fleet.run(&path, &[]).exits(0).json();
    assert_eq!(report["counts"]["repaired"], json!(packages), "{report:#}");
    (fleet, manifest)
}

#[test]
fn branch_holds_the_patches_on_their_base_and_the_checkout_is_not_touched() {
    let (fleet, manifest) = renamed(2);
    let (name, base) = (manifest["fleet"].as_str().unwrap(), commit(&fleet.world, SDK));
    let before = fleet.world.snapshot();
    let refused = fleet.world.bailiwick(&["fleet", "collect", name, "--branch", "all"]).exits(3);
    assert!(refused.stderr.contains("a person has to say yes"), "{}", refused.stderr);
    assert_eq!(fleet.world.git(SDK, &["branch", "--list", "all"]), "");
    let _ = fleet.world.bailiwick(&["fleet", "collect", name, "--branch", "all", "--yes"]).exits(0);
    let subjects = fleet.world.git(SDK, &["log", "--format=%s", &format!("{base}..all")]);
    assert_eq!(subjects.lines().count(), 2, "{subjects}");
    let models = fleet.world.git(SDK, &["show", "all:sdk/w01/azure-widget/azure/widget/models/_patch.py"]);
    assert!(models.contains("WidgetAnalysis"), "{models}");
    before.assert_same(&fleet.world.snapshot());
    assert_eq!(commit(&fleet.world, SDK), base);
    assert_eq!(fleet.world.git(SDK, &["status", "--porcelain"]), "");
    // A branch that is there is never changed.
    let _ = fleet.world.bailiwick(&["fleet", "collect", name, "--branch", "all", "--yes"]).exits(2);
    // A patch that was exchanged is not applied.
    let key = manifest["jobs"][0]["key"].as_str().unwrap();
    let patch = fleet.world.state().join("fleets").join(name).join("artifacts").join(format!("{key}.package.patch"));
    let content = std::fs::read_to_string(&patch).unwrap();
    std::fs::write(&patch, content.replace("WidgetAnalysis", "Exchanged")).unwrap();
    let answer = fleet.world.bailiwick(&["fleet", "collect", name, "--branch", "other", "--yes"]).exits(1);
    assert!(answer.stderr.contains("is not the one that its result names"), "{}", answer.stderr);
    assert_eq!(fleet.world.git(SDK, &["branch", "--list", "other"]), "");
}

#[test]
fn conflict_is_a_verdict_and_the_package_is_made_again_on_the_new_base() {
    let (fleet, manifest) = renamed(2);
    let name = manifest["fleet"].as_str().unwrap();
    // Meanwhile a line that one of the patches changes is edited.
    let patched = fleet.world.base().join(package(0)).join("azure/widget/models/_patch.py");
    let text = std::fs::read_to_string(&patched).unwrap();
    let line = text.lines().find(|line| line.contains("AnalyzeResult")).unwrap();
    std::fs::write(&patched, text.replacen(line, &format!("{line}  # kept"), 1)).unwrap();
    fleet.world.commit();
    let before = fleet.world.snapshot();
    let collect = ["fleet", "collect", name, "--branch", "all", "--onto", "main", "--yes"];
    let answer = fleet.world.bailiwick(&collect).exits(1);
    assert!(answer.stderr.contains("conflict"), "{}", answer.stderr);
    let found = verdicts(&fleet.report(&manifest));
    assert_eq!((verdict(&found, &package(0)), verdict(&found, &package(1))), ("conflict", "repaired"));
    let report = fleet.world.bailiwick(&["--json", "fleet", "resume", name]).exits(0).json();
    let found = verdicts(&report);
    assert_eq!((verdict(&found, &package(0)), verdict(&found, &package(1))), ("repaired", "repaired"));
    let again = ["fleet", "collect", name, "--branch", "again", "--onto", "main", "--yes"];
    let _ = fleet.world.bailiwick(&again).exits(0);
    let models = fleet.world.git(SDK, &["show", "again:sdk/w00/azure-widget/azure/widget/models/_patch.py"]);
    assert!(models.contains("# kept") && models.contains("WidgetAnalysis"), "{models}");
    before.assert_same(&fleet.world.snapshot());
}
