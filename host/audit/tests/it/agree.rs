//! Verification and appending judge alike: a log that one refuses, the other does not call intact.

use crate::common::{Scratch, append, lines, try_append};
use bailiwick_audit::{AuditError, Fault, Log, plain_json, verify};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// What both have to say.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Intact,
    Unsafe,
    Broken(Fault),
    Other(String),
}

fn said<T>(result: Result<T, AuditError>) -> Said {
    match result {
        Ok(_) => Said::Intact,
        Err(AuditError::Unsafe { .. }) => Said::Unsafe,
        Err(AuditError::Broken(found)) => Said::Broken(found.fault),
        Err(error) => Said::Other(error.to_string()),
    }
}

fn add(path: &Path, bytes: &[u8]) {
    let mut all = fs::read(path).unwrap();
    all.extend(bytes);
    fs::write(path, all).unwrap();
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn change(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn verification_and_appending_agree_about_every_tampering() {
    type Tamper = fn(&Scratch);
    let table: &[(&str, Tamper, Said)] = &[
        ("nothing", |_| {}, Said::Intact),
        ("a torn line", |scratch| add(&scratch.file(1), b"{\"seq\":4"), Said::Intact),
        ("four mebibytes of junk", |scratch| add(&scratch.file(1), &b"junk\n".repeat((4 << 20) / 5)), Said::Intact),
        (
            "five megabytes of junk",
            |scratch| add(&scratch.file(1), &b"junk\n".repeat(1_000_000)),
            Said::Broken(Fault::Added),
        ),
        ("two megabytes in one line", |scratch| add(&scratch.file(1), &[b'x'; 2_000_000]), Said::Broken(Fault::Added)),
        (
            "a gibibyte of nothing",
            |scratch| File::options().write(true).open(scratch.file(1)).unwrap().set_len(1 << 30).unwrap(),
            Said::Broken(Fault::Added),
        ),
        (
            "the first line once more",
            |scratch| add(&scratch.file(1), format!("{}\n", lines(&scratch.file(1))[0]).as_bytes()),
            Said::Broken(Fault::Added),
        ),
        (
            "a file with two names",
            |scratch| fs::hard_link(scratch.file(1), scratch.log().join("2")).unwrap(),
            Said::Unsafe,
        ),
        (
            "a head with two names",
            |scratch| fs::hard_link(scratch.log().join("head"), scratch.log().join("2")).unwrap(),
            Said::Unsafe,
        ),
        ("a file for everybody", |scratch| chmod(&scratch.file(1), 0o666), Said::Unsafe),
        ("a head for everybody", |scratch| chmod(&scratch.log().join("head"), 0o666), Said::Unsafe),
        ("a directory for everybody", |scratch| chmod(&scratch.log(), 0o777), Said::Unsafe),
        ("a file to read only", |scratch| chmod(&scratch.file(1), 0o400), Said::Unsafe),
        ("a directory to read only", |scratch| chmod(&scratch.log(), 0o500), Said::Unsafe),
        ("a cut last line", |scratch| cut(&scratch.file(1), 5), Said::Broken(Fault::Truncated { expected: 3 })),
        (
            "no file",
            |scratch| fs::remove_file(scratch.file(1)).unwrap(),
            Said::Broken(Fault::Truncated { expected: 3 }),
        ),
        ("no head", |scratch| fs::remove_file(scratch.log().join("head")).unwrap(), Said::Broken(Fault::HeadRemoved)),
        ("junk in head", |scratch| add(&scratch.log().join("head"), b"x"), Said::Broken(Fault::Head)),
        (
            "another number in head",
            |scratch| change(&scratch.log().join("head"), "\"seq\":3", "\"seq\":7"),
            Said::Broken(Fault::Head),
        ),
        (
            "an altered last line",
            |scratch| {
                let last = lines(&scratch.file(1)).pop().unwrap();
                change(&scratch.file(1), &last, &last.replace("ReadFile", "ListFile"));
            },
            Said::Broken(Fault::Altered),
        ),
    ];
    for (name, tamper, expected) in table {
        let scratch = Scratch::new();
        let log = scratch.open(1 << 30);
        (0..3).for_each(|call| append(&log, call));
        drop(log);
        tamper(&scratch);
        assert_eq!(&said(verify(&scratch.log(), None)), expected, "verify: {name}");
        let appended =
            Log::open(&scratch.log(), 1 << 30).and_then(|log| log.check().and_then(|()| try_append(&log, 3)));
        assert_eq!(&said(appended), expected, "append: {name}");
        if *expected == Said::Intact {
            assert_eq!(said(verify(&scratch.log(), None)), Said::Intact, "verify after the append: {name}");
        }
    }
}

fn cut(path: &Path, count: u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - count).unwrap();
}

#[test]
fn log_of_another_user_is_unsafe_for_both() {
    for name in ["", "head", "audit-000001.jsonl"] {
        let scratch = Scratch::new();
        append(&scratch.open(1 << 20), 0);
        if let Err(error) = std::os::unix::fs::chown(scratch.log().join(name), Some(65_534), None) {
            assert!(std::env::var_os("CI").is_none(), "only root can give a file to another user: {error}");
            eprintln!("skipped: only root can give a file to another user: {error}");
            return;
        }
        assert_eq!(said(verify(&scratch.log(), None)), Said::Unsafe, "verify {name}");
        assert_eq!(said(Log::open(&scratch.log(), 1 << 20)), Said::Unsafe, "open {name}");
    }
}

#[test]
fn empty_log_that_lacks_the_hash_asked_for_is_named_by_its_file() {
    let scratch = Scratch::new();
    let _log = scratch.open(1 << 20);
    let error = verify(&scratch.log(), Some(&"a".repeat(64))).unwrap_err().to_string();
    assert!(error.contains("`audit-000001.jsonl`: up to here") && !error.contains("line 0"), "{error}");
}

#[test]
fn forged_json_is_shown_without_characters_that_steer() {
    let value = serde_json::json!({ "path": "a\u{9b}2J\u{202e}b\u{7f}\u{e0041}é\"\\u202e" });
    for forged in [value.to_string(), format!(" \t{}\r ", value)] {
        let plain = plain_json(&forged);
        assert!(plain.chars().all(|character| character == 'é' || (' '..='~').contains(&character)), "{plain}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&plain).unwrap(), value);
    }
}
