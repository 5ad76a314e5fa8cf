//! One verdict each, whatever a package does.

use super::{Fleet, RENAME, SPECS, commit, package, verdict, verdicts};
use serde_json::{Value, json};

/// Takes memory until it is stopped.
pub(super) const EATS: &str = "const kept = []; while (true) kept.push(Buffer.alloc(16 << 20, 1));";

#[test]
fn done_repaired_failed_hanging_and_eating_packages_have_one_verdict_each() {
    let fleet = Fleet::of(5, |number| match number {
        1 => json!({ "generate": [["error: the emitter gives up"]] }),
        2 => json!({ "hangs": "generate" }),
        3 => json!({ "runs": "eats.js" }),
        _ => Value::Null,
    });
    std::fs::write(fleet.world.base().join(package(3)).join("eats.js"), EATS).unwrap();
    // What the newer commit renames is repaired in hand-written code.
    let client = fleet.world.project().join("client.tsp");
    std::fs::write(&client, fleet.world.client() + RENAME).unwrap();
    fleet.world.commit();
    let location = fleet.world.base().join(package(4)).join("tsp-location.yaml");
    let text = std::fs::read_to_string(&location).unwrap();
    let line = text.lines().find(|line| line.starts_with("commit:")).unwrap();
    std::fs::write(&location, text.replace(line, &format!("commit: {}", commit(&fleet.world, SPECS)))).unwrap();
    fleet.world.commit();
    let before = fleet.world.snapshot();

    let (path, manifest) = fleet.plan("fix", &[]);
    let answer = fleet.run(&path, &["--workers", "2", "--deadline", "45", "--memory", "700"]).exits(1);
    let report = answer.json();
    let found = verdicts(&report);
    for (number, expected) in [(0, "succeeded"), (1, "guidance"), (2, "timed-out"), (3, "failed"), (4, "repaired")] {
        assert_eq!(verdict(&found, &package(number)), expected, "{number}: {report:#}");
    }
    assert_eq!(report["complete"], true);
    let said = report["groups"].to_string();
    assert!(said.contains("memory"), "{said}");
    assert_eq!(report["metrics"]["repaired"], 1);
    before.assert_same(&fleet.world.snapshot());
    assert!(fleet.world.processes().is_empty(), "{:?}", fleet.world.processes());

    // The same from the files, as text, as a page and as Markdown.
    assert_eq!(fleet.report(&manifest), report);
    let name = manifest["fleet"].as_str().unwrap();
    for (format, said) in
        [("html", "<tr class=\"v-timed-out\">"), ("markdown", "| timed out | 1 |"), ("text", "1 repaired")]
    {
        let text = fleet.world.bailiwick(&["fleet", "report", name, "--format", format]).exits(1).stdout;
        assert!(text.contains(said), "{format}: {text}");
    }
}

#[test]
fn what_the_emitter_and_what_a_newer_specification_changes_are_told_apart() {
    let fleet = Fleet::of(1, |_| Value::Null);
    // As after a bump of the emitter: what is committed is not what it writes.
    let generated = fleet.world.base().join(package(0)).join("azure/widget/models/_models.py");
    let text = std::fs::read_to_string(&generated).unwrap();
    std::fs::write(&generated, format!("{text}\n# of an older emitter\n")).unwrap();
    let client = fleet.world.project().join("client.tsp");
    std::fs::write(&client, fleet.world.client() + RENAME).unwrap();
    fleet.world.commit();
    let (path, _) = fleet.plan("generate", &["--newer-spec", "head"]);
    let report = fleet.run(&path, &[]).exits(0).json();
    assert_eq!((&report["changed"]["files"], &report["changed"]["lines"]), (&json!(1), &json!(2)), "{report:#}");
    assert!(report["newerSpecification"]["files"].as_u64().unwrap() > 1, "{report:#}");
}

#[test]
fn cancelled_packages_have_that_verdict_and_can_be_made_again() {
    let fleet = Fleet::of(3, |number| if number == 0 { json!({ "hangs": "generate" }) } else { Value::Null });
    let (path, manifest) = fleet.plan("generate", &[]);
    let name = manifest["fleet"].as_str().unwrap();
    let run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--workers", "1"]);
    let _ = fleet.until_at_work(&manifest);
    let _ = fleet.world.bailiwick(&["fleet", "cancel", name]).exits(0);
    let ended = run.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let found = verdicts(&fleet.report(&manifest));
    assert_eq!(found.len(), 3);
    assert_eq!(verdict(&found, &package(0)), "cancelled");
    fleet.assert_untouched();
    let again = ["--json", "fleet", "resume", name, "--retry", "cancelled", "--deadline", "5"];
    let report = fleet.world.bailiwick(&again).exits(1).json();
    let found = verdicts(&report);
    assert_eq!(verdict(&found, &package(0)), "timed-out");
    assert_eq!((verdict(&found, &package(1)), verdict(&found, &package(2))), ("succeeded", "succeeded"));
}
