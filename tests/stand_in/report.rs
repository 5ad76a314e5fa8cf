//! `run report` writes whole files or none.

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
