//! Shards on machines of their own, and the report of what they left.

use super::{Fleet, package, verdict, verdicts};
use serde_json::{Value, json};

#[test]
fn report_merges_shards_and_gives_a_verdict_to_what_a_lost_shard_had() {
    let fleet =
        Fleet::of(5, |number| if number == 0 { json!({ "generate": [["error: gives up"]] }) } else { Value::Null });
    let plan = fleet.world.base().join("plan");
    let arguments = ["fleet", "plan", "--sdk", "azure-sdk-for-python", "--do", "generate", "--matrix", "github"];
    let further = ["--jobs", "3", "--output", plan.to_str().unwrap()];
    let _ = fleet.world.bailiwick(&[&arguments[..], &further[..]].concat()).exits(0);
    let matrix: Value = serde_json::from_str(&std::fs::read_to_string(plan.join("matrix.json")).unwrap()).unwrap();
    let shards: Vec<&str> =
        matrix["include"].as_array().unwrap().iter().map(|one| one["shard"].as_str().unwrap()).collect();
    assert_eq!(shards, ["1/3", "2/3", "3/3"]);
    assert!(plan.join("pipeline.yml").is_file());
    let (manifest, left) = (plan.join("fleet.json"), fleet.world.base().join("left"));
    let report = |code| {
        let arguments = ["--json", "fleet", "report", manifest.to_str().unwrap(), "--shards", left.to_str().unwrap()];
        fleet.world.bailiwick(&arguments).exits(code).json()
    };
    // The third machine dies before it leaves anything.
    for (number, shard) in shards[..2].iter().enumerate() {
        let results = left.join(format!("shard_{}", number + 1));
        let arguments =
            ["worker", "--shard", shard, manifest.to_str().unwrap(), "--results", results.to_str().unwrap()];
        let _ = fleet.world.bailiwick(&arguments).exits(0);
    }
    let merged = report(1);
    let found = verdicts(&merged);
    let lost = found.iter().filter(|(_, verdict)| verdict == "killed-its-worker").count();
    assert_eq!(lost, 1, "{merged:#}");
    assert_eq!(merged["complete"], true);
    // It is done later.
    let results = left.join("shard_3");
    let arguments = ["worker", "--shard", "3/3", manifest.to_str().unwrap(), "--results", results.to_str().unwrap()];
    let _ = fleet.world.bailiwick(&arguments).exits(0);
    let found = verdicts(&report(1));
    assert_eq!(verdict(&found, &package(0)), "failed");
    assert_eq!(found.iter().filter(|(_, verdict)| verdict == "succeeded").count(), 4);
    fleet.assert_untouched();
}

#[test]
fn verdict_of_a_shard_on_the_package_of_another_one_is_refused() {
    let fleet = Fleet::of(2, |_| json!({ "generate": [["error: gives up"]] }));
    let (manifest, _) = fleet.plan("generate", &[]);
    let left = fleet.world.base().join("left");
    for shard in ["1", "2"] {
        let (part, results) = (format!("{shard}/2"), left.join(shard));
        let arguments = ["worker", "--shard", &part, manifest.to_str().unwrap(), "--results"];
        let _ = fleet.world.bailiwick(&[&arguments[..], &[results.to_str().unwrap()]].concat()).exits(0);
    }
    let report = || {
        let arguments = ["--json", "fleet", "report", manifest.to_str().unwrap(), "--shards", left.to_str().unwrap()];
        fleet.world.bailiwick(&arguments)
    };
    assert_eq!(report().exits(1).json()["counts"]["failed"], json!(2));
    // The first shard has a result of the second one's package, too: the same changes nothing, another one is refused.
    let of_second = std::fs::read_dir(left.join("2/results")).unwrap().next().unwrap().unwrap().path();
    let forged = left.join("1/results").join(of_second.file_name().unwrap());
    let mut result: Value = serde_json::from_str(&std::fs::read_to_string(&of_second).unwrap()).unwrap();
    result["finished"] = json!("9999-12-31T00:00:00.000Z");
    std::fs::write(&forged, result.to_string()).unwrap();
    assert_eq!(report().exits(1).json()["counts"]["failed"], json!(2));
    for finished in ["9999-12-31T00:00:00.000Z", "2000-01-01T00:00:00.000Z"] {
        result["finished"] = json!(finished);
        result["verdict"] = json!("succeeded");
        result["causes"] = json!([]);
        std::fs::write(&forged, result.to_string()).unwrap();
        let refused = report().exits(2);
        assert!(refused.stderr.contains("is failed in") || refused.stderr.contains("is succeeded in"), "{refused:?}");
    }
}
