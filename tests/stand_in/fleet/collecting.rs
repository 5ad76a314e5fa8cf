//! Patches in branches, after a person's word, and what conflicts made again.

use super::{Fleet, RENAME, SDK, commit, package, verdict, verdicts};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

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
fn collecting_that_was_ended_between_two_branches_goes_on_and_leaves_other_branches() {
    let (fleet, manifest) = renamed(2);
    let collect = ["fleet", "collect", manifest["fleet"].as_str().unwrap(), "--branch", "made/", "--yes"];
    let [first, second] = [0, 1].map(|number| format!("made/{}", package(number).split_once("/sdk/").unwrap().1));
    let branches = || fleet.world.git(SDK, &["branch", "--list", "--format=%(refname:short) %(objectname)", "made/*"]);
    let _ = fleet.world.bailiwick(&collect).exits(0);
    let whole = branches();
    assert_eq!(whole.lines().count(), 2, "{whole}");
    // As a kill between the two leaves it.
    let _ = fleet.world.git(SDK, &["branch", "-q", "-D", &second]);
    let answer = fleet.world.bailiwick(&collect).exits(0);
    assert!(answer.stderr.contains(&format!("`{first}` is there already")), "{}", answer.stderr);
    let again = branches();
    assert_eq!((again.lines().count(), again.lines().next()), (2, whole.lines().next()), "{again}");
    // A branch that holds something else, more or less is a person's.
    let base = commit(&fleet.world, SDK);
    for other in [&format!("{second}^{{commit}}"), &base] {
        let _ = fleet.world.git(SDK, &["branch", "-q", "-f", &first, other]);
        let _ = fleet.world.git(SDK, &["branch", "-q", "-f", "kept", &second]);
        let _ = fleet.world.git(SDK, &["branch", "-q", "-D", &second]);
        let before = branches();
        let answer = fleet.world.bailiwick(&collect).exits(2);
        assert!(answer.stderr.contains(&format!("has a branch `{first}`")), "{}", answer.stderr);
        assert_eq!(branches(), before);
        let _ = fleet.world.git(SDK, &["branch", "-q", &second, "kept"]);
    }
}

#[test]
fn branch_that_a_person_makes_while_the_question_is_open_stays_where_it_is() {
    let (fleet, manifest) = renamed(1);
    let collect = ["fleet", "collect", manifest["fleet"].as_str().unwrap(), "--branch", "mine"];
    let base = commit(&fleet.world, SDK);
    let make = || drop(fleet.world.git(SDK, &["branch", "mine"]));
    let (said, succeeded) = fleet.world.asked_at_terminal(&collect, "type `y`", make, "y\n");
    assert!(!succeeded && said.contains("has a branch `mine`"), "{said}");
    assert_eq!(fleet.world.git(SDK, &["rev-parse", "mine"]).trim(), base);
}

/// The verdict is about the whole patch.
#[test]
fn part_of_a_patch_is_not_called_what_the_whole_is() {
    let (fleet, manifest) = renamed(1);
    let name = manifest["fleet"].as_str().unwrap();
    let arguments = ["fleet", "collect", name, "--branch", "part", "--include", "*_patch.py", "--yes"];
    let answer = fleet.world.bailiwick(&arguments).exits(0);
    assert!(answer.stderr.contains("nothing shows that they build"), "{}", answer.stderr);
    let message = fleet.world.git(SDK, &["log", "-1", "--format=%B", "part"]);
    assert!(message.contains("(applied in part, not built)") && message.contains("It was repaired on"), "{message}");
}

#[test]
fn patch_on_another_base_is_called_applied_and_not_built() {
    let (fleet, manifest) = renamed(1);
    let name = manifest["fleet"].as_str().unwrap();
    let worked_on = commit(&fleet.world, SDK);
    std::fs::write(fleet.world.base().join(SDK).join("later.txt"), "main goes on\n").unwrap();
    fleet.world.commit();
    let collect = |branch: &str, onto: &str| {
        let arguments = ["fleet", "collect", name, "--branch", branch, "--onto", onto, "--yes"];
        let answer = fleet.world.bailiwick(&arguments).exits(0);
        (answer.stderr, fleet.world.git(SDK, &["log", "-1", "--format=%B", branch]))
    };
    let (said, message) = collect("moved", "main");
    assert!(message.contains("(applied, not built on this base)"), "{message}");
    assert!(message.contains(&format!("It was repaired on {worked_on}.")), "{message}");
    assert!(
        said.contains("applied, not built on this base") && said.contains("nothing shows that they build"),
        "{said}"
    );
    let (said, message) = collect("stayed", &worked_on);
    assert!(message.contains("(repaired)") && !message.contains("not built"), "{message}");
    assert!(!said.contains("not built") && !said.contains("nothing shows"), "{said}");
}

#[test]
fn patch_that_reaches_outside_its_package_is_refused() {
    let (fleet, manifest) = renamed(1);
    let (name, key) = (manifest["fleet"].as_str().unwrap(), manifest["jobs"][0]["key"].as_str().unwrap());
    let directory = fleet.world.state().join("fleets").join(name);
    let patch = directory.join("artifacts").join(format!("{key}.package.patch"));
    let made = std::fs::read_to_string(&patch).unwrap();
    let inside = package(0).strip_prefix(&format!("{SDK}/")).unwrap().to_owned();
    std::fs::write(fleet.world.base().join(SDK).join("build.props"), "one\n").unwrap();
    fleet.world.commit();
    for (number, further) in [
        "diff --git a/build.props b/build.props\n--- a/build.props\n+++ b/build.props\n@@ -1 +1 @@\n-one\n+two\n".to_owned(),
        "diff --git a/new.props b/new.props\nnew file mode 100644\n--- /dev/null\n+++ b/new.props\n@@ -0,0 +1 @@\n+new\n".to_owned(),
        format!("diff --git a/build.props b/{inside}/x\nsimilarity index 100%\nrename from build.props\nrename to {inside}/x\n"),
        format!("diff --git a/{inside}-2/x b/{inside}-2/x\nnew file mode 100644\n--- /dev/null\n+++ b/{inside}-2/x\n@@ -0,0 +1 @@\n+new\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let result = directory.join("results").join(format!("{key}.json"));
        let text = std::fs::read_to_string(&result).unwrap();
        let was = sha256(&std::fs::read(&patch).unwrap());
        let forged = format!("{made}{further}");
        std::fs::write(&patch, &forged).unwrap();
        std::fs::write(&result, text.replace(&was, &sha256(forged.as_bytes()))).unwrap();
        let branch = format!("outside-{number}");
        let arguments = ["fleet", "collect", name, "--branch", &branch, "--onto", "main", "--yes"];
        let answer = fleet.world.bailiwick(&arguments).exits(3);
        assert!(answer.stderr.contains("which lies outside the package"), "{further}: {}", answer.stderr);
        assert_eq!(fleet.world.git(SDK, &["branch", "--list", &branch]), "");
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
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

#[test]
fn generated_file_that_git_ignores_is_a_part_of_the_patch_and_no_other_is() {
    let fleet = Fleet::of(1, |_| Value::Null);
    std::fs::write(fleet.world.project().join("client.tsp"), fleet.world.client() + RENAME).unwrap();
    let ignored = "_models.py\n*.log\n";
    std::fs::write(fleet.world.base().join(SDK).join(".gitignore"), ignored).unwrap();
    let models = "sdk/w00/azure-widget/azure/widget/models/_models.py";
    let _ = fleet.world.git(SDK, &["rm", "-q", "--cached", models]);
    fleet.world.commit();
    let (path, manifest) = fleet.plan("generate", &["--spec-commit", "head"]);
    let report = fleet.run(&path, &[]).exits(0).json();
    assert_eq!(report["counts"]["succeeded"], json!(1), "{report:#}");
    let name = manifest["fleet"].as_str().unwrap();
    let _ = fleet.world.bailiwick(&["fleet", "collect", name, "--branch", "out", "--yes"]).exits(0);
    let names = fleet.world.git(SDK, &["ls-tree", "-r", "--name-only", "out"]);
    assert!(names.lines().any(|name| name == models), "{names}");
    assert!(!names.contains(".log"), "{names}");
}
