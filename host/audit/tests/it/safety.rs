//! The log writes only to files that only its owner can write, and never blocks on a file that another process put there.

use crate::common::{Scratch, append, try_append};
use bailiwick_audit::{AuditError, Lines, Log, verify};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::thread;
use std::time::Duration;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn refused(scratch: &Scratch) {
    let error = Log::open(&scratch.log(), 1000).unwrap_err();
    assert!(matches!(error, AuditError::Unsafe { .. }), "{error}");
}

/// A log with a line in it.
fn log() -> Scratch {
    let scratch = Scratch::new();
    append(&scratch.open(1 << 20), 0);
    scratch
}

#[test]
fn directory_and_files_are_their_owners_alone() {
    let scratch = Scratch::new();
    append(&scratch.open(10), 0);
    append(&scratch.open(10), 1);
    assert_eq!(mode(scratch.log().parent().unwrap()), 0o700);
    assert_eq!(mode(&scratch.log()), 0o700);
    for path in [scratch.file(1), scratch.file(2), scratch.log().join("head")] {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn what_others_can_write_to_is_refused() {
    for bits in [0o020, 0o002] {
        for name in ["", "head", "audit-000001.jsonl"] {
            let scratch = log();
            let path = scratch.log().join(name);
            fs::set_permissions(&path, Permissions::from_mode(mode(&path) | bits)).unwrap();
            refused(&scratch);
        }
    }
}

#[test]
fn link_fifo_or_directory_in_place_of_a_file_is_refused_without_waiting() {
    for name in ["head", "audit-000001.jsonl"] {
        for kind in ["link", "dangling", "hard link", "fifo", "directory"] {
            let scratch = log();
            let path = scratch.log().join(name);
            let outside = scratch.log().parent().unwrap().join("outside");
            fs::rename(&path, &outside).unwrap();
            let before = fs::read(&outside).unwrap();
            match kind {
                "link" => symlink(&outside, &path).unwrap(),
                "dangling" => symlink(outside.with_extension("new"), &path).unwrap(),
                "hard link" => fs::hard_link(&outside, &path).unwrap(),
                "fifo" => mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap(),
                _ => fs::create_dir(&path).unwrap(),
            }
            refused(&scratch);
            assert_eq!(fs::read(&outside).unwrap(), before, "{name} {kind}");
            assert!(!outside.with_extension("new").exists());
            if kind != "hard link" {
                assert!(verify(&scratch.log(), None).is_err(), "{name} {kind}");
                assert!(Lines::open(&scratch.log()).and_then(|mut lines| lines.next_line().map(drop)).is_err());
            }
        }
    }
}

#[test]
fn link_fifo_or_file_in_place_of_the_directory_is_refused() {
    for kind in ["link", "fifo", "file"] {
        let (scratch, real) = (Scratch::new(), log());
        fs::create_dir_all(scratch.log().parent().unwrap()).unwrap();
        match kind {
            "link" => symlink(real.log(), scratch.log()).unwrap(),
            "fifo" => mknodat(CWD, scratch.log(), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap(),
            _ => fs::write(scratch.log(), "").unwrap(),
        }
        refused(&scratch);
        assert!(verify(&scratch.log(), None).is_err(), "{kind}");
    }
}

#[test]
fn log_that_is_replaced_while_it_is_in_use_takes_no_more_lines() {
    for name in ["", "head", "audit-000001.jsonl"] {
        for by in ["nothing", "copy", "fifo"] {
            let scratch = log();
            let log = scratch.open(1 << 20);
            let path = if name.is_empty() { scratch.log() } else { scratch.log().join(name) };
            let aside = scratch.log().parent().unwrap().join("aside");
            fs::rename(&path, &aside).unwrap();
            match by {
                "copy" if name.is_empty() => append(&scratch.open(1 << 20), 0),
                "copy" => drop(fs::copy(&aside, &path).unwrap()),
                "fifo" => mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap(),
                _ => {}
            }
            for error in [log.check().unwrap_err(), try_append(&log, 1).unwrap_err()] {
                assert!(matches!(error, AuditError::Replaced { .. }), "{name} {by}: {error}");
            }
        }
    }
}

#[test]
fn file_that_becomes_writable_for_others_or_gets_a_second_name_takes_no_more_lines() {
    let scratch = log();
    let log = scratch.open(1 << 20);
    fs::hard_link(scratch.file(1), scratch.log().parent().unwrap().join("granted")).unwrap();
    assert!(matches!(try_append(&log, 1), Err(AuditError::Unsafe { .. })));
    fs::remove_file(scratch.log().parent().unwrap().join("granted")).unwrap();
    append(&log, 1);
    fs::set_permissions(scratch.file(1), Permissions::from_mode(0o622)).unwrap();
    assert!(matches!(try_append(&log, 2), Err(AuditError::Unsafe { .. })));
}

#[test]
fn log_is_asked_again_when_nothing_was_put_on_record_for_a_moment() {
    let scratch = log();
    let log = scratch.open(1 << 20);
    fs::rename(scratch.log(), scratch.log().with_extension("aside")).unwrap();
    // The log is still empty.
    assert!(matches!(log.check_again(), Err(AuditError::Replaced { .. })));
    fs::rename(scratch.log().with_extension("aside"), scratch.log()).unwrap();
    // Right after a line it is not asked, however busy the machine is one time in a hundred.
    let unasked = (0..100).any(|call| {
        append(&log, call);
        fs::rename(scratch.log(), scratch.log().with_extension("aside")).unwrap();
        let said = log.check_again();
        fs::rename(scratch.log().with_extension("aside"), scratch.log()).unwrap();
        said.is_ok()
    });
    assert!(unasked);
    append(&log, 1);
    fs::rename(scratch.log(), scratch.log().with_extension("aside")).unwrap();
    thread::sleep(Duration::from_millis(3));
    assert!(matches!(log.check_again(), Err(AuditError::Replaced { .. })));
    // An append that failed does not show that the log can be appended to.
    fs::rename(scratch.log().with_extension("aside"), scratch.log()).unwrap();
    append(&log, 2);
    fs::rename(scratch.log(), scratch.log().with_extension("aside")).unwrap();
    assert!(try_append(&log, 3).is_err());
    assert!(matches!(log.check_again(), Err(AuditError::Replaced { .. })));
}

#[test]
fn file_that_just_became_full_is_followed_by_the_next_one_before_another_call() {
    let scratch = log();
    let log = scratch.open(fs::metadata(scratch.file(1)).unwrap().len() + 1);
    append(&log, 1);
    assert!(!scratch.file(2).exists());
    log.check_again().unwrap();
    assert!(scratch.file(2).exists());
}
