//! A worker whose disk is full takes no package, and gives none a verdict.

use super::{Fleet, of_five, until, verdict, verdicts};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether this user can give a process a disk of its own; says so where not.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn can_mount() -> bool {
    let mounts = "mount -t tmpfs -o size=1m tmpfs /mnt";
    let mut tried = Command::new("unshare");
    tried.args(["--mount", "sh", "-c", mounts]).stdout(Stdio::null()).stderr(Stdio::null());
    let can = tried.status().is_ok_and(|status| status.success());
    if !can {
        assert!(std::env::var_os("CI").is_none(), "continuous integration has no right to mount a small disk");
        eprintln!("skipped: only root can give a worker a small disk of its own");
    }
    can
}

/// A worker of the fleet for which `place` is a disk of this size of its own; gives its exit code and what it said.
fn worker_on_a_small_disk(fleet: &Fleet, name: &str, size: &str, place: &Path) -> (Option<i32>, String) {
    std::fs::create_dir_all(place).unwrap();
    let command = fleet.world.command(&[]);
    let mut small = Command::new("unshare");
    let script = "mount -t tmpfs -o size=\"$1\",mode=700 tmpfs \"$2\" && shift 2 && exec \"$@\"";
    small.args(["--mount", "sh", "-c", script, "sh", size]).arg(place).arg(command.get_program());
    small.args(["worker", "--fleet", name]).current_dir(fleet.world.base());
    for (variable, value) in command.get_envs() {
        match value {
            Some(value) => small.env(variable, value),
            None => small.env_remove(variable),
        };
    }
    let output = small.stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn worker_on_a_full_disk_takes_nothing_and_the_others_do_everything() {
    if !can_mount() {
        return;
    }
    let fleet = Fleet::in_five_languages(5, |_| json!({ "takes": 1500 }));
    let (path, manifest) = fleet.plan_all("generate");
    let name = manifest["fleet"].as_str().unwrap();
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--workers", "1"]);
    let _ = fleet.until_at_work(&manifest);
    let checkouts = fleet.world.base().join("state-checkouts");
    let (code, said) = worker_on_a_small_disk(&fleet, name, "1m", &checkouts);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("MiB left") && !said.contains("begun:"), "{said}");
    assert_eq!(run.wait().unwrap().code(), Some(0));
    let found = verdicts(&fleet.report(&manifest));
    assert!((0..5).all(|number| verdict(&found, &of_five(number)) == "succeeded"), "{found:?}");
    fleet.assert_untouched();
}

#[test]
fn package_whose_worker_runs_out_of_disk_is_done_by_another_worker() {
    if !can_mount() {
        return;
    }
    let fleet = Fleet::of(2, |_| Value::Null);
    let large = fleet.world.base().join(super::package(0)).join("large.bin");
    // More than the small disk has, and nothing that compresses.
    std::fs::write(large, vec![7_u8; 100 << 20]).unwrap();
    fleet.world.commit();
    let fleet = Fleet { before: fleet.world.snapshot(), ..fleet };
    let (path, manifest) = fleet.plan("generate", &[]);
    let name = manifest["fleet"].as_str().unwrap();
    // The fleet is there and has no worker yet.
    let mut run = fleet.start(&["fleet", "run", path.to_str().unwrap(), "--workers", "1"]);
    let _ = fleet.until_at_work(&manifest);
    super::kill(run.id());
    run.wait().unwrap();
    until("its worker has ended", || fleet.workers().is_empty().then_some(()));
    let checkouts = fleet.world.base().join("state-checkouts");
    let (code, said) = worker_on_a_small_disk(&fleet, name, "80m", &checkouts);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the disk was full") && said.contains("azure-widget"), "{said}");
    assert_eq!(fleet.report(&manifest)["counts"], json!({}));
    let report = fleet.world.bailiwick(&["--json", "fleet", "resume", name]).exits(0).json();
    assert_eq!(report["counts"], json!({ "succeeded": 2 }), "{report:#}");
    assert_eq!(report["rows"][0]["attempt"], 2, "the attempt on the full disk counts: {report:#}");
    fleet.assert_untouched();
}
