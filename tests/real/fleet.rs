//! A fleet over the real compiler, emitter and type checker: one package that is as it was, and one that is repaired.

use bailiwick_tests::World;
use serde_json::Value;

const SDK: &str = "azure-sdk-for-python";
const SPECS: &str = "azure-rest-api-specs";

#[test]
fn pinned_packages_are_regenerated_repaired_and_collected_and_the_repositories_are_not_touched() {
    let world = World::new();
    let first = world.git(SPECS, &["rev-parse", "HEAD"]).trim().to_owned();
    let client = world.project().join("client.tsp");
    let rename = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    std::fs::write(&client, world.client() + rename).unwrap();
    world.commit();
    let second = world.git(SPECS, &["rev-parse", "HEAD"]).trim().to_owned();
    let location = world.read("tsp-location.yaml");
    let line = location.lines().find(|line| line.starts_with("commit:")).unwrap();
    for (name, commit) in [("one", &first), ("two", &second)] {
        let package = world.base().join(SDK).join("sdk").join(name).join("azure-widget");
        std::fs::create_dir_all(package.parent().unwrap()).unwrap();
        let copied = std::process::Command::new("cp").arg("-a").arg(world.package()).arg(&package).status();
        assert!(copied.unwrap().success());
        std::fs::write(package.join("tsp-location.yaml"), location.replace(line, &format!("commit: {commit}")))
            .unwrap();
    }
    std::fs::remove_dir_all(world.package()).unwrap();
    world.commit();
    let before = world.snapshot();

    let path = world.base().join("fleet.json");
    let plan = ["fleet", "plan", "--sdk", SDK, "--do", "fix", "--output", path.to_str().unwrap()];
    let _ = world.bailiwick(&plan).exits(0);
    let manifest: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let run = ["--json", "fleet", "run", path.to_str().unwrap(), "--workers", "1"];
    let report = world.bailiwick(&run).exits(0).json();
    let verdicts: Vec<_> = report["rows"].as_array().unwrap().iter().map(|row| row["verdict"].clone()).collect();
    assert_eq!(verdicts, ["succeeded", "repaired"], "{report:#}");
    let name = manifest["fleet"].as_str().unwrap();
    let _ = world.bailiwick(&["fleet", "collect", name, "--branch", "repaired", "--yes"]).exits(0);
    let patched = world.git(SDK, &["show", "repaired:sdk/two/azure-widget/azure/widget/models/_patch.py"]);
    assert!(patched.contains("WidgetAnalysis") && !patched.contains("import AnalyzeResult"), "{patched}");
    before.assert_same(&world.snapshot());
    for repository in [SDK, SPECS] {
        assert_eq!(world.git(repository, &["status", "--porcelain"]), "");
    }
}
