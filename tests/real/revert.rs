//! `run revert` puts everything back, and refuses when files were edited since.

use bailiwick_tests::World;
use serde_json::json;
use std::os::unix::fs::{PermissionsExt, symlink};

const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";

fn peculiar(world: &World) {
    let package = world.package();
    symlink("README.md", package.join("link.md")).unwrap();
    symlink("nowhere", package.join("azure/widget/dangling")).unwrap();
    std::fs::create_dir_all(package.join("empty/inner")).unwrap();
    std::fs::write(package.join(".gitignore"), "ignored/\n").unwrap();
    std::fs::create_dir(package.join("ignored")).unwrap();
    std::fs::write(package.join("ignored/data.bin"), [0, 159, 146, 150]).unwrap();
    for (path, mode) in
        [("README.md", 0o600), ("azure/widget/models/_patch.py", 0o640), ("azure/widget/models/_models.py", 0o444)]
    {
        std::fs::set_permissions(package.join(path), std::fs::Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn revert_restores_contents_modes_links_ignored_files_and_empty_directories() {
    let world = World::new();
    peculiar(&world);
    let before = world.snapshot();
    let response = world.customize(REQUEST).exits(0).json();
    assert!(!before.difference(&world.snapshot()).0.is_empty());
    let run = response["runId"].as_str().unwrap();
    let shown = world.bailiwick(&["--json", "run", "show", run]).exits(0).json();
    assert!(shown.to_string().contains(run));
    let _ = world.bailiwick(&["run", "revert", run]).exits(0);
    before.assert_same(&world.snapshot());
    // A run is undone once.
    let _ = world.bailiwick(&["run", "revert", run]).exits(2);
}

#[test]
fn edit_since_the_run_makes_revert_refuse_and_change_nothing() {
    let world = World::standing_in();
    let response = world.customize(REQUEST).exits(0).json();
    let path = world.package().join("azure/widget/models/_patch.py");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("# mine\n");
    std::fs::write(&path, text).unwrap();
    let before = world.snapshot();
    let refused = world.bailiwick(&["run", "revert", response["runId"].as_str().unwrap()]).exits(3);
    assert!(refused.stderr.contains("_patch.py"), "{}", refused.stderr);
    before.assert_same(&world.snapshot());
}

#[test]
fn later_run_is_undone_first_and_an_approved_one_stays() {
    let world = World::standing_in();
    let before = world.snapshot();
    let first = world.customize("hide operation deleteWidget").exits(0).json();
    let first = first["runId"].as_str().unwrap();
    let second = world.customize(REQUEST).exits(0).json();
    let second = second["runId"].as_str().unwrap();
    let refused = world.bailiwick(&["run", "revert", first]).exits(3);
    assert!(refused.stderr.contains(second), "{}", refused.stderr);
    let _ = world.bailiwick(&["run", "revert", second]).exits(0);
    let _ = world.bailiwick(&["run", "revert", first]).exits(0);
    before.assert_same(&world.snapshot());

    let third = world.customize("hide operation deleteWidget").exits(0).json();
    let third = third["runId"].as_str().unwrap();
    let _ = world.bailiwick(&["run", "approve", third]).exits(0);
    let _ = world.bailiwick(&["run", "revert", third]).exits(2);
    let listed = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert!(listed.as_array().unwrap().len() >= 3, "{listed:#}");
}

#[test]
fn killed_customization_leaves_the_repositories_as_they_were_after_the_next_start() {
    let world = World::standing_in();
    // It dies while the package has no generated code.
    world.stand_in_fails(&json!({ "hangs": "generate" }));
    let before = world.snapshot();
    let package = world.package();
    let mut child = std::process::Command::new(bailiwick_tests::binary())
        .args(["package", "customize", "--package-path", package.to_str().unwrap(), "--customization-request", REQUEST])
        .env_remove("XDG_RUNTIME_DIR")
        .env("BAILIWICK_STATE_DIR", world.state())
        .env("BAILIWICK_CACHE_DIR", bailiwick_tests::cache_of(world.base()))
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let generated = world.package().join("azure/widget/models/_models.py");
    let started = std::time::Instant::now();
    while generated.exists() {
        assert!(started.elapsed().as_secs() < 120, "nothing was regenerated");
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What the dead process had started dies with it; the next start of the tool undoes the run.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let listed = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert!(listed.to_string().to_lowercase().contains("reverted"), "{listed:#}");
    before.assert_same(&world.snapshot());
}
