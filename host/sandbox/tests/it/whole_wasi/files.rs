//! Files through streams: the same handles, checks and bounds as without.

use super::{came, grants, with};
use crate::common::limits;
use bailiwick_sandbox::{Access, CallError, CallReport, Capabilities, HostFailure, Limits};
use serde_json::json;
use std::path::Path;

fn attempt(directory: &Path, access: Access, attempt: &str, text: &str, number: u64, limits: &Limits) -> CallReport {
    with(&Capabilities::whole_wasi(), &grants(directory, access), attempt, text, number, limits)
}

fn all(directory: &Path, name: &str, text: &str, number: u64) -> serde_json::Value {
    came(&attempt(directory, Access::ReadWrite, name, text, number, &limits()))
}

#[test]
fn stream_reads_a_file_of_any_length_from_any_place() {
    let directory = tempfile::tempdir().unwrap();
    let content: Vec<u8> = (0..1_000_003_u32).map(|number| u8::try_from(number % 251).unwrap()).collect();
    std::fs::write(directory.path().join("long"), &content).unwrap();
    std::fs::write(directory.path().join("empty"), "").unwrap();
    for offset in [0, 1, 999_999, 1_000_003, 1 << 50] {
        let rest = content.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let sum = rest.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        let report = attempt(directory.path(), Access::ReadOnly, "file-read", "long", offset, &limits());
        assert_eq!(came(&report), json!([rest.len(), sum, !rest.is_empty()]), "from {offset}");
        assert_eq!(report.cost.read_bytes, rest.len() as u64, "from {offset}");
    }
    assert_eq!(all(directory.path(), "file-read", "empty", 0), json!([0, 0, false]));
    let beyond = all(directory.path(), "file-read", "long", u64::MAX);
    assert!(beyond["error"].as_str().is_some_and(|error| error.contains("invalid")), "{beyond}");
}

#[test]
fn stream_writes_at_its_place_and_at_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("f");
    std::fs::write(&file, "0123456789").unwrap();
    assert_eq!(all(directory.path(), "file-write", "f", 4), json!(true));
    assert_eq!(std::fs::read(&file).unwrap(), b"0123abc\0\x009");
    assert_eq!(all(directory.path(), "file-append", "f", 0), json!("appended"));
    assert_eq!(std::fs::read(&file).unwrap(), b"0123abc\0\x009123");
    assert_eq!(all(directory.path(), "file-splice", "f", 0), json!(13));
    assert_eq!(std::fs::read(directory.path().join("copy")).unwrap(), std::fs::read(&file).unwrap());
    assert_eq!(all(directory.path(), "file-outlives-descriptor", "f", 0), json!(5));
}

#[test]
fn stream_goes_the_way_its_descriptor_was_opened() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("f"), "x").unwrap();
    let refused = json!("bad-descriptor");
    assert_eq!(all(directory.path(), "file-wrong-way", "f", 0), json!([refused, refused, refused]));
    let report = attempt(directory.path(), Access::ReadOnly, "file-write", "f", 0, &limits());
    assert_eq!(came(&report), json!({ "error": "read-only" }));
    assert_eq!((report.cost.denied, std::fs::read(directory.path().join("f")).unwrap()), (1, b"x".to_vec()));
}

#[test]
fn bytes_and_gaps_that_streams_write_count() {
    let directory = tempfile::tempdir().unwrap();
    let few = Limits { written_bytes: 1 << 20, ..limits() };
    let report = attempt(directory.path(), Access::ReadWrite, "file-fill", "full", 0, &few);
    assert_eq!(came(&report), json!({ "error": "quota quota" }));
    assert_eq!(directory.path().join("full").metadata().unwrap().len(), 1 << 20);
    let report = attempt(directory.path(), Access::ReadWrite, "file-write", "far", 1 << 40, &few);
    assert_eq!(came(&report), json!({ "error": "quota quota" }));
    assert_eq!(directory.path().join("far").metadata().unwrap().len(), 0);
}

#[test]
fn write_of_more_than_a_stream_takes_ends_the_call() {
    let directory = tempfile::tempdir().unwrap();
    let report = attempt(directory.path(), Access::ReadWrite, "file-too-much", "f", 0, &limits());
    let Err(CallError::Host(HostFailure::Trap(reason))) = report.outcome else { panic!("{:?}", report.outcome) };
    assert!(reason.contains("check-write"), "{reason}");
}

#[test]
fn streams_on_one_file_are_handles_like_others() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("f"), "x").unwrap();
    let report = attempt(directory.path(), Access::ReadOnly, "file-streams", "f", 100_000, &limits());
    assert_eq!(report.outcome, Err(CallError::Host(HostFailure::Handles { limit: limits().handles })));
}

#[test]
fn files_outside_stay_outside_for_streams() {
    let base = tempfile::tempdir().unwrap();
    let inside = base.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(base.path().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../secret", inside.join("link")).unwrap();
    for path in ["../secret", "link", "/etc/passwd"] {
        for name in ["file-read", "file-write", "file-append"] {
            let report = attempt(&inside, Access::ReadWrite, name, path, 0, &limits());
            assert!(came(&report)["error"].is_string(), "{name} {path}");
            assert_eq!(report.cost.read_bytes + report.cost.written_bytes, 0, "{name} {path}");
        }
    }
    assert_eq!(std::fs::read_to_string(base.path().join("secret")).unwrap(), "secret");
}
