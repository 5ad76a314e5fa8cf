//! Fleets over the real compiler, the real emitter of Python and the real type checker: two workers at once, every package
//! one verdict, the repositories as they were, and a branch that builds.

use bailiwick_tests::{Answer, Sdk, Snapshot, World};
use serde_json::Value;
use std::path::{Path, PathBuf};

const RENAME: &str = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
const HAND_WRITTEN: [&str; 3] =
    ["azure/widget/models/_patch.py", "azure/widget/operations/_patch.py", "azure/widget/aio/operations/_patch.py"];

/// The fixture with its package and its TypeSpec project three times, as a repository has a project for each package.
struct Fleet {
    world: World,
}

fn package(number: usize) -> String {
    format!("{}/sdk/w{number}/azure-widget", Sdk::Python.repository())
}

fn project(number: usize) -> String {
    format!("azure-rest-api-specs/specification/w{number}/WidgetManager")
}

fn edit(path: &Path, change: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "{}", path.display());
    std::fs::write(path, changed).unwrap();
}

impl Fleet {
    fn of_three() -> Self {
        let world = World::new();
        let copy = |from: PathBuf, to: PathBuf| {
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            assert!(std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
        };
        for number in 0..3 {
            let project = world.base().join(project(number));
            copy(world.project(), project.clone());
            edit(&project.join("tspconfig.yaml"), |text| text.replace("sdk/widget", &format!("sdk/w{number}")));
        }
        world.commit();
        let pinned = world.git("azure-rest-api-specs", &["rev-parse", "HEAD"]);
        for number in 0..3 {
            let package = world.base().join(package(number));
            copy(world.package(), package.clone());
            edit(&package.join("tsp-location.yaml"), |text| {
                let line = text.lines().find(|line| line.starts_with("commit:")).unwrap();
                let text = text.replace(line, &format!("commit: {}", pinned.trim()));
                text.replace("specification/widget", &format!("specification/w{number}"))
            });
        }
        std::fs::remove_dir_all(world.package()).unwrap();
        world.commit();
        Self { world }
    }

    fn path(&self, number: usize, file: &str) -> PathBuf {
        self.world.base().join(package(number)).join(file)
    }

    /// Adds a line to a file of a package.
    fn append(&self, number: usize, file: &str, line: &str) {
        edit(&self.path(number, file), |text| format!("{text}{line}\n"));
    }

    /// Plans the action for all three and does it with two workers. Gives the name of the fleet and its report.
    fn run(&self, action: &str, further: &[&str], code: i32) -> (String, Value) {
        let path = self.world.base().join("fleet.json");
        let plan = ["fleet", "plan", "--sdk", Sdk::Python.repository(), "--do", action, "--output", text(&path)];
        let _ = self.world.bailiwick(&[&plan, further].concat()).exits(0);
        let manifest: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let run = self.world.bailiwick(&["--json", "fleet", "run", text(&path), "--workers", "2"]);
        (manifest["fleet"].as_str().unwrap().to_owned(), run.exits(code).json())
    }

    fn assert_untouched(&self, before: &Snapshot) {
        before.assert_same(&self.world.snapshot());
        for repository in self.world.repositories() {
            assert_eq!(self.world.git(repository, &["status", "--porcelain"]), "");
            assert_eq!(self.world.git(repository, &["worktree", "list"]).lines().count(), 1);
        }
        assert_eq!(self.world.processes(), Vec::<u32>::new());
    }

    fn build(&self, package: &Path) -> Answer {
        self.world.bailiwick(&["--json", "package", "build", "--package-path", text(package)])
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The verdicts of the three packages, each of which is in the report once.
fn verdicts(report: &Value) -> [&str; 3] {
    let rows = report["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &report["packages"], &report["complete"]), (3, &3.into(), &true.into()), "{report:#}");
    [0, 1, 2].map(|number| {
        let of: Vec<_> = rows.iter().filter(|row| row["package"] == package(number).as_str()).collect();
        assert_eq!(of.len(), 1, "{report:#}");
        of[0]["verdict"].as_str().unwrap()
    })
}

#[test]
fn packages_are_built_and_generated_and_one_that_does_not_build_fails_alone() {
    let fleet = Fleet::of_three();
    fleet.append(1, "azure/widget/models/_models.py", "# of an older emitter");
    fleet.append(2, "azure/widget/models/_patch.py", "\n\ndef _count() -> int:\n    return \"many\"");
    fleet.world.commit();
    let before = fleet.world.snapshot();

    let (_, report) = fleet.run("build", &[], 1);
    assert_eq!(verdicts(&report), ["succeeded", "succeeded", "failed"], "{report:#}");
    let groups = report["groups"].to_string();
    assert!(groups.contains("mypy") && groups.contains("return-value"), "{groups}");
    fleet.assert_untouched(&before);

    let (name, report) = fleet.run("generate", &[], 0);
    assert_eq!(verdicts(&report), ["succeeded"; 3], "{report:#}");
    let collect = ["fleet", "collect", &name, "--branch", "generated", "--yes"];
    let _ = fleet.world.bailiwick(&collect).exits(0);
    // Only what the older emitter wrote is written anew.
    let changed = fleet.world.git(Sdk::Python.repository(), &["diff", "--name-only", "main", "generated"]);
    assert_eq!(changed.trim(), "sdk/w1/azure-widget/azure/widget/models/_models.py");
    fleet.assert_untouched(&before);
}

#[test]
fn packages_are_customized_then_repaired_after_a_break_and_the_branch_builds() {
    let fleet = Fleet::of_three();
    // This one has no hand-written code that the rename could break.
    for file in HAND_WRITTEN {
        std::fs::write(fleet.path(2, file), "__all__: list[str] = []\n\n\ndef patch_sdk() -> None:\n    pass\n")
            .unwrap();
    }
    fleet.world.commit();
    let before = fleet.world.snapshot();
    let request = "customize=rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let (_, report) = fleet.run(request, &[], 0);
    assert_eq!(verdicts(&report), ["repaired", "repaired", "succeeded"], "{report:#}");
    fleet.assert_untouched(&before);

    // The same rename comes with the specification.
    for number in 0..3 {
        let client = fleet.world.base().join(project(number)).join("client.tsp");
        edit(&client, |text| format!("{text}{RENAME}"));
    }
    fleet.world.commit();
    let before = fleet.world.snapshot();
    let (name, report) = fleet.run("fix", &["--spec-commit", "head"], 0);
    assert_eq!(verdicts(&report), ["repaired", "repaired", "succeeded"], "{report:#}");
    fleet.assert_untouched(&before);

    let _ = fleet.world.bailiwick(&["fleet", "collect", &name, "--branch", "all", "--yes"]).exits(0);
    fleet.assert_untouched(&before);
    let clone = fleet.world.base().join("collected");
    let _ = fleet.world.git(Sdk::Python.repository(), &["clone", "-q", "--branch", "all", ".", text(&clone)]);
    for number in 0..3 {
        let built = clone.join("sdk").join(format!("w{number}/azure-widget"));
        let models = std::fs::read_to_string(built.join("azure/widget/models/_models.py")).unwrap();
        assert!(models.contains("class WidgetAnalysis("), "{number}");
        assert_eq!(fleet.build(&built).exits(0).json()["succeeded"], true);
    }
    // Without the repair it would not build.
    let built = clone.join("sdk/w0/azure-widget");
    for file in HAND_WRITTEN {
        std::fs::copy(fleet.path(0, file), built.join(file)).unwrap();
    }
    assert_eq!(fleet.build(&built).exits(1).json()["succeeded"], false);
}
