//! `run report` writes whole files or none, and says where the time of a run went, as `run show --timings` does.

use bailiwick_tests::World;
use std::fs;

#[test]
fn report_that_cannot_be_written_says_so_and_leaves_everything() {
    let world = World::standing_in();
    let response = world.customize("hide operation deleteWidget").exits(0).json();
    let run = response["runId"].as_str().unwrap();
    for arguments in [
        &["run", "report", "nonsense"][..],
        &["run", "report", run, "--format", "pdf"],
        &["run", "report", run, "--output", "missing/report.html"],
        &["run", "report", run, "--output", "."],
        &["run", "report", run, "--output", "/dev/null"],
    ] {
        let answer = world.bailiwick(arguments).exits(2);
        assert!(answer.stdout.is_empty() && answer.stderr.starts_with("error: "), "{arguments:?}: {answer:?}");
    }
    let path = world.base().join("old.html");
    fs::write(&path, "mine").unwrap();
    std::os::unix::fs::symlink(&path, world.base().join("link.html")).unwrap();
    let written = world.bailiwick(&["--json", "run", "report", run, "--output", "link.html"]).exits(0).json();
    assert_eq!(written["output"], path.to_str().unwrap());
    assert!(fs::read_to_string(&path).unwrap().starts_with("<!doctype html>"));
    assert!(fs::symlink_metadata(world.base().join("link.html")).unwrap().is_symlink());
    let left: Vec<_> = fs::read_dir(world.base()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".bailiwick-report")), "{left:?}");
}

#[test]
fn time_of_a_run_is_shown_step_by_step_in_the_table_as_data_and_in_the_page() {
    let world = World::standing_in();
    let response = world.customize("hide operation deleteWidget").exits(0).json();
    let run = response["runId"].as_str().unwrap();
    let shown = world.bailiwick(&["--json", "run", "show", run, "--timings"]).exits(0).json();
    let timings = &shown["timings"];
    let number = |value: &serde_json::Value, name: &str| value[name].as_u64().unwrap();
    let (total, programs) = (number(timings, "totalMicros"), number(timings, "programsMicros"));
    assert!(programs > 0 && programs < total, "{timings:#}");
    assert!(number(timings, "diskWaits") > 0, "{timings:#}");
    let steps = timings["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| number(step, "startMicros") + number(step, "micros") <= total), "{timings:#}");
    let table = world.bailiwick(&["run", "show", run, "--timings"]).exits(0).stdout;
    let page = world.bailiwick(&["run", "report", run]).exits(0).stdout;
    for (name, program) in [
        ("toolchains", false),
        ("before-images", false),
        ("classification", false),
        ("edit of client.tsp", false),
        ("compiler", true),
        ("regeneration", false),
        ("tsp-client", true),
        ("build", false),
        ("mypy", true),
        ("drift check", false),
        ("end", false),
    ] {
        let step = steps.iter().find(|step| step["name"] == name).unwrap_or_else(|| panic!("{name}: {timings:#}"));
        assert_eq!(step["program"], program, "{name}");
        assert!(table.contains(name) && page.contains(name), "{name}: {table}");
    }
    assert!(page.contains("Where the time went"));

    // A run that is older than the file.
    fs::remove_file(world.state().join("runs").join(run).join("timings.json")).unwrap();
    let answer = world.bailiwick(&["run", "show", run, "--timings"]).exits(2);
    assert!(answer.stderr.contains("has no timings") && answer.stderr.contains("hint: "), "{answer:?}");
    let _ = world.bailiwick(&["run", "report", run]).exits(0);
}
