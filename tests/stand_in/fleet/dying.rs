//! Whatever dies: as many verdicts as packages, and both repositories as before.

use super::{Fleet, kill, package, until, verdict, verdicts};
use serde_json::{Value, json};

#[test]
fn package_that_kills_every_worker_is_given_up_and_the_others_are_done() {
    let fleet = Fleet::of(3, |number| if number == 1 { json!({ "hangs": "generate" }) } else { Value::Null });
    let (path, manifest) = fleet.plan("generate", &[]);
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--workers", "1"]);
    for attempt in 1..=3 {
        let worker = until("the package is at work", || {
            let at_work = json!([[package(1), attempt]]);
            (fleet.at_work(&manifest) == at_work).then(|| fleet.workers()).filter(|workers| workers.len() == 1)
        });
        kill(worker[0]);
    }
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let found = verdicts(&fleet.report(&manifest));
    assert_eq!(verdict(&found, &package(1)), "killed-its-worker");
    assert_eq!((verdict(&found, &package(0)), verdict(&found, &package(2))), ("succeeded", "succeeded"));
    fleet.assert_untouched();
}

#[test]
fn killed_coordinator_takes_its_workers_along_and_the_fleet_goes_on_afterwards() {
    let fleet = Fleet::of(3, |number| if number == 0 { json!({ "hangs": "generate" }) } else { Value::Null });
    let (path, manifest) = fleet.plan("generate", &[]);
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--workers", "1"]);
    let _ = fleet.until_at_work(&manifest);
    kill(run.id());
    run.wait().unwrap();
    until("its workers have ended", || fleet.world.processes().is_empty().then_some(()));
    fleet.assert_untouched();
    let name = manifest["fleet"].as_str().unwrap();
    let report = fleet.world.bailiwick(&["--json", "fleet", "resume", name, "--deadline", "10"]).exits(1).json();
    let found = verdicts(&report);
    assert_eq!(verdict(&found, &package(0)), "timed-out", "{report:#}");
    // The worker was told to end, so nothing was counted against the package.
    assert_eq!(report["rows"][0]["attempt"], 1, "{report:#}");
    assert_eq!((verdict(&found, &package(1)), verdict(&found, &package(2))), ("succeeded", "succeeded"));
    fleet.assert_untouched();
}

#[test]
fn everything_killed_at_once_leaves_what_was_done_and_the_rest_to_do() {
    let fleet = Fleet::of(4, |number| if number == 2 { json!({ "hangs": "generate" }) } else { Value::Null });
    let (path, manifest) = fleet.plan("generate", &[]);
    let name = manifest["fleet"].as_str().unwrap();
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--workers", "2"]);
    until("a package is done and one hangs", || {
        let standing = fleet.world.bailiwick(&["--json", "fleet", "status", name]);
        let standing = (standing.code == 0).then(|| standing.json())?;
        (standing["verdicts"]["succeeded"].as_u64() >= Some(1)).then_some(())
    });
    kill(run.id());
    fleet.world.processes().into_iter().for_each(kill);
    run.wait().unwrap();
    until("all processes have ended", || {
        fleet.world.processes().into_iter().for_each(kill);
        fleet.world.processes().is_empty().then_some(())
    });
    let report = fleet.report(&manifest);
    let done = verdicts(&report).into_iter().filter(|(_, verdict)| verdict == "succeeded").collect::<Vec<_>>();
    assert!(!done.is_empty() && report["complete"] == false, "{report:#}");
    let report = fleet.world.bailiwick(&["--json", "fleet", "resume", name, "--deadline", "10"]).exits(1).json();
    let found = verdicts(&report);
    assert_eq!(found.iter().filter(|(_, verdict)| verdict == "succeeded").count(), 3, "{report:#}");
    assert_eq!(verdict(&found, &package(2)), "timed-out");
    assert!(done.iter().all(|one| found.contains(one)), "a verdict is never another one afterwards");
    fleet.assert_untouched();
}
