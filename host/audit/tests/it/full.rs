//! On a disk that is full nothing begins that could not be put on record.
//!
//! The test runs once more in a mount namespace of its own, on a small filesystem in memory.

use crate::common::{append, try_append_path};
use bailiwick_audit::{AuditError, Log, verify};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

/// The directory to use, set in the process that may mount.
const OWN_NAMESPACE: &str = "BAILIWICK_AUDIT_TEST_FULL";
/// What that process prints when it is through: a filter that matched no test would pass as well.
const THROUGH: &str = "every full disk was met";

#[test]
fn full_disk_is_met_before_a_call_and_never_after_it() {
    if let Some(base) = std::env::var_os(OWN_NAMESPACE) {
        return on_a_small_disk(Path::new(&base));
    }
    let own = ["--mount", "--propagation", "private"];
    let user = ["--user", "--map-root-user", "--mount", "--propagation", "private"];
    let base = tempfile::tempdir().unwrap();
    let mounts = |unshare: &[&str]| {
        let tried =
            Command::new("unshare").args(unshare).args(["mount", "-t", "tmpfs", "tmpfs"]).arg(base.path()).output();
        tried.is_ok_and(|output| output.status.success())
    };
    let Some(unshare) = [&own[..], &user[..]].into_iter().find(|unshare| mounts(unshare)) else {
        let reason = "a mount namespace of its own needs `unshare`, and root or user namespaces";
        assert!(std::env::var_os("CI").is_none(), "{reason}");
        return eprintln!("cannot run: {reason}");
    };
    let output = Command::new("unshare")
        .args(unshare)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "full::full_disk_is_met_before_a_call_and_never_after_it", "--nocapture"])
        .env(OWN_NAMESPACE, base.path())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success() && text.contains(THROUGH), "{text}");
}

/// Writes until nothing more fits.
fn fill(path: &Path) {
    let mut file = File::options().create(true).append(true).open(path).unwrap();
    for size in [64 << 10, 512] {
        let error = std::iter::repeat_with(|| file.write_all(&vec![1; size])).find_map(Result::err).unwrap();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
    }
}

fn no_space<T>(result: Result<T, AuditError>) {
    assert!(matches!(result, Err(AuditError::NoSpace { .. })), "{:?}", result.err());
}

#[expect(clippy::print_stdout, reason = "the process that started this one reads it")]
fn on_a_small_disk(base: &Path) {
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"]).arg(base).status().unwrap();
    assert!(mounted.success());
    let (directory, filling) = (base.join("audit"), base.join("filling"));
    let file = |number: u32| directory.join(format!("audit-{number:06}.jsonl"));
    let lines = || verify(&directory, None).unwrap().lines;

    // Full before the call: refused, and nothing but that.
    let log = Log::open(&directory, 1 << 20).unwrap();
    append(&log, 0);
    drop(log);
    File::options().write(true).open(file(1)).unwrap().set_len(fs::metadata(file(1)).unwrap().len()).unwrap();
    fill(&filling);
    no_space(Log::open(&directory, 1 << 20));
    // A log that is already open, whose preallocated space another process freed.
    fs::remove_file(&filling).unwrap();
    let log = Log::open(&directory, 1 << 20).unwrap();
    File::options().write(true).open(file(1)).unwrap().set_len(fs::metadata(file(1)).unwrap().len()).unwrap();
    fill(&filling);
    no_space(log.check());
    assert_eq!(lines(), 1);

    // With a little room again it goes on.
    let length = fs::metadata(&filling).unwrap().len();
    File::options().write(true).open(&filling).unwrap().set_len(length - (2 << 20)).unwrap();
    log.check().unwrap();
    append(&log, 1);

    // Another process fills the disk during the calls: the longest lines of eight calls fit all the same.
    log.check().unwrap();
    fill(&filling);
    let path = "\u{9b}".repeat(128);
    for call in 0..400 {
        try_append_path(&log, call, &path).unwrap();
    }
    assert_eq!((lines(), verify(&directory, None).unwrap().warned), (402, 0));

    // The next file is begun before a call; where it cannot be, the line of a call that was made stays in this one.
    fs::remove_file(&filling).unwrap();
    let small = Log::open(&directory, 1 << 30).unwrap();
    small.check().unwrap();
    drop(small);
    let length = fs::metadata(file(1)).unwrap().len();
    let log = Log::open(&directory, length + 1).unwrap();
    append(&log, 0);
    fill(&filling);
    append(&log, 1);
    assert!(fs::metadata(file(1)).unwrap().len() > length + 1 && lines() == 404);
    no_space(log.check());
    fs::remove_file(&filling).unwrap();
    log.check().unwrap();
    assert!(file(2).exists(), "begun when it was asked");
    fill(&filling);
    append(&log, 2);
    assert!(fs::metadata(file(2)).unwrap().len() > 0 && lines() == 405);
    println!("{THROUGH}");
}
