//! Processes that die, compete or run out of space leave a log that holds, and says what happened to it.

use crate::common::{Scratch, append, append_short, lines, try_append};
use bailiwick_audit::{AuditError, Fault, Log, Verified, Warning, verify};
use proptest::prelude::*;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn intact(scratch: &Scratch) -> Verified {
    verify(&scratch.log(), None).unwrap()
}

fn head(scratch: &Scratch) -> PathBuf {
    scratch.log().join("head")
}

/// The file with `count` lines that `head` knows, and what one more append made of it.
fn before_and_after(scratch: &Scratch, count: usize) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let log = scratch.open(1 << 20);
    for _ in 0..count {
        append_short(&log);
    }
    let known = fs::read(head(scratch)).unwrap();
    let before = fs::read(scratch.file(1)).unwrap_or_default();
    append_short(&log);
    (known, before, fs::read(scratch.file(1)).unwrap())
}

#[test]
fn process_that_dies_at_any_byte_of_a_line_leaves_a_log_that_goes_on() {
    for count in [0, 2] {
        let scratch = Scratch::new();
        let (known, before, after) = before_and_after(&scratch, count);
        for length in before.len()..=after.len() {
            fs::write(head(&scratch), &known).unwrap();
            fs::write(scratch.file(1), &after[..length]).unwrap();
            let torn = length - before.len();
            let at_rest = intact(&scratch);
            let whole = length == after.len();
            let warning = match torn {
                0 => vec![],
                _ if whole => {
                    vec![Warning::HeadBehind { file: "audit-000001.jsonl".into(), line: count as u64 + 1 }]
                }
                _ => vec![Warning::Torn {
                    file: "audit-000001.jsonl".into(),
                    line: count as u64 + 1,
                    bytes: torn as u64,
                }],
            };
            assert_eq!(at_rest.warnings, warning, "{length}");
            assert_eq!(at_rest.lines, (count + usize::from(whole)) as u64);

            append_short(&scratch.open(1 << 20));
            let later = intact(&scratch);
            // Where only the line break was missing the line is a whole one.
            let survives = torn + 1 >= after.len() - before.len();
            let closed = torn > 0 && !survives;
            assert_eq!(later.lines, (count + 1 + usize::from(survives || closed)) as u64, "{length}");
            assert_eq!(later.warnings, if closed { warning } else { vec![] }, "{length}");
            assert!(fs::read(scratch.file(1)).unwrap().starts_with(&after[..length]), "nothing was hidden");
        }
    }
}

#[test]
fn process_that_dies_while_it_closes_off_a_torn_line_leaves_a_log_that_goes_on() {
    let scratch = Scratch::new();
    let (known, before, after) = before_and_after(&scratch, 2);
    let torn = &after[..before.len() + 40];
    fs::write(head(&scratch), &known).unwrap();
    fs::write(scratch.file(1), torn).unwrap();
    append_short(&scratch.open(1 << 20));
    let closed = fs::read(scratch.file(1)).unwrap();
    for length in torn.len()..closed.len() {
        fs::write(head(&scratch), &known).unwrap();
        fs::write(scratch.file(1), &closed[..length]).unwrap();
        // A death after the first of the two lines has a head that knows it; this is that death with a lost head.
        if closed[..length].iter().skip(torn.len() + 1).any(|byte| *byte == b'\n') && closed[length - 1] != b'\n' {
            continue;
        }
        append_short(&scratch.open(1 << 20));
        let later = intact(&scratch);
        assert_eq!((later.lines, later.warned), (4, 1), "{length}: {later:?}");
    }
}

#[test]
fn altered_last_line_is_not_taken_for_a_torn_one() {
    let scratch = Scratch::new();
    let (_, before, after) = before_and_after(&scratch, 2);
    let known = fs::read(head(&scratch)).unwrap();
    for at in [before.len(), before.len() + 60, after.len() - 2, after.len() - 1] {
        let mut altered = after.clone();
        altered[at] ^= 1;
        fs::write(scratch.file(1), &altered).unwrap();
        fs::write(head(&scratch), &known).unwrap();
        // The last line is looked at before another one follows it.
        let appended = Log::open(&scratch.log(), 1 << 20);
        assert!(matches!(appended, Err(AuditError::Broken(found)) if found.fault == Fault::Altered), "{at}");
        let Err(AuditError::Broken(found)) = verify(&scratch.log(), None) else { panic!("{at}") };
        assert_eq!((found.line, found.fault), (3, Fault::Altered), "{at}");
    }
}

#[test]
fn head_that_knows_more_than_the_file_holds_stops_the_log() {
    let scratch = Scratch::new();
    let (_, before, after) = before_and_after(&scratch, 2);
    for length in [0, 10, before.len(), after.len() - 1] {
        fs::write(scratch.file(1), &after[..length]).unwrap();
        for error in [Log::open(&scratch.log(), 1 << 20).err(), verify(&scratch.log(), None).err()] {
            let Some(AuditError::Broken(found)) = error else { panic!("{length}: {error:?}") };
            assert_eq!(found.fault, Fault::Truncated { expected: 3 }, "{length}");
        }
        assert_eq!(fs::read(scratch.file(1)).unwrap(), &after[..length]);
    }
    fs::remove_file(head(&scratch)).unwrap();
    let Err(AuditError::Broken(found)) = Log::open(&scratch.log(), 1 << 20) else { panic!() };
    assert_eq!(found.fault, Fault::HeadRemoved);
}

#[test]
fn two_lines_that_head_does_not_know_are_more_than_a_crash_leaves() {
    let scratch = Scratch::new();
    let (known, _, _) = before_and_after(&scratch, 2);
    append_short(&scratch.open(1 << 20));
    fs::write(head(&scratch), known).unwrap();
    for error in [Log::open(&scratch.log(), 1 << 20).err(), verify(&scratch.log(), None).err()] {
        assert!(matches!(error, Some(AuditError::Broken(found)) if found.fault == Fault::Added));
    }
}

#[test]
fn process_that_dies_while_it_begins_a_file_leaves_a_log_that_goes_on() {
    let scratch = Scratch::new();
    append(&scratch.open(10), 0);
    fs::write(scratch.file(2), "").unwrap();
    assert_eq!(intact(&scratch).lines, 1);
    append(&scratch.open(1 << 20), 1);
    assert_eq!(lines(&scratch.file(1)).len(), 2, "the smaller files were another process's wish");
    append(&scratch.open(10), 2);
    assert_eq!((intact(&scratch).lines, intact(&scratch).files, intact(&scratch).warned), (3, 2, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: bailiwick_fuzz::cases(200), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_behind_the_end_are_closed_off_and_named(garbage in prop::collection::vec(
        prop_oneof![Just(b'\n'), Just(b'"'), Just(b'}'), any::<u8>()], 1..200)) {
        let scratch = Scratch::new();
        append(&scratch.open(1 << 20), 0);
        let mut bytes = fs::read(scratch.file(1)).unwrap();
        let known = bytes.len();
        bytes.extend(&garbage);
        fs::write(scratch.file(1), &bytes).unwrap();
        append(&scratch.open(1 << 20), 1);
        let later = intact(&scratch);
        prop_assert_eq!((later.lines, later.warned), (3, 1));
        let now = fs::read(scratch.file(1)).unwrap();
        prop_assert!(now.starts_with(&bytes));
        // And what was closed off cannot be changed any more.
        for at in [known, known + garbage.len() - 1, known + garbage.len()] {
            let mut altered = now.clone();
            altered[at] ^= 2;
            fs::write(scratch.file(1), &altered).unwrap();
            prop_assert!(verify(&scratch.log(), None).is_err(), "byte {}", at - known);
        }
    }
}

const CHILD: &str = "BAILIWICK_AUDIT_TEST_CHILD";

/// Appends in a process of its own: `directory`, how many (0: without end), and in files of how many bytes.
fn child(shell: &str, scratch: &Scratch, count: usize, file_bytes: u64) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{shell} exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child_process", "--nocapture"])
        .env(CHILD, format!("{count} {file_bytes} {}", scratch.log().display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// The body of the child processes; on its own it has nothing to do.
#[test]
fn child_process() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let mut words = task.splitn(3, ' ');
    let count: usize = words.next().unwrap().parse().unwrap();
    let file_bytes = words.next().unwrap().parse().unwrap();
    let log = Log::open(Path::new(words.next().unwrap()), file_bytes).unwrap();
    for call in 0.. {
        if count != 0 && call == count {
            break;
        }
        if let Err(error) = try_append(&log, call) {
            println!("\nappended {call}: {error}");
            assert!(matches!(error, AuditError::Io { .. }), "{error}");
            break;
        }
    }
}

#[test]
fn threads_and_processes_that_append_at_once_leave_one_chain_with_every_line() {
    let scratch = Scratch::new();
    let children: Vec<_> = (0..2).map(|_| child("", &scratch, 400, 20_000).spawn().unwrap()).collect();
    let (shared, own) = (scratch.open(30_000), scratch.open(10_000));
    std::thread::scope(|scope| {
        for log in [&shared, &shared, &own] {
            scope.spawn(move || (0..400).for_each(|call| append(log, call)));
        }
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let verified = intact(&scratch);
    assert_eq!((verified.lines, verified.warned), (2000, 0));
    assert!(verified.files > 10);
}

#[test]
fn killed_processes_leave_a_log_that_holds_and_goes_on() {
    let scratch = Scratch::new();
    let mut lines = 0;
    for round in 0..15 {
        let mut processes: Vec<_> = (0..2).map(|_| child("", &scratch, 0, 50_000).spawn().unwrap()).collect();
        let started = Instant::now();
        while intact(&scratch).lines <= lines && started.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_micros(700 * round));
        for process in &mut processes {
            process.kill().unwrap();
            process.wait().unwrap();
        }
        let verified = intact(&scratch);
        assert!(verified.lines > lines, "round {round} wrote nothing");
        lines = verified.lines;
    }
    append(&scratch.open(50_000), 0);
    assert!(intact(&scratch).lines > lines);
}

#[test]
fn line_for_which_there_is_no_room_is_an_error_and_not_on_record() {
    let scratch = Scratch::new();
    let output = child("trap '' XFSZ; ulimit -f 8;", &scratch, 0, 1 << 20).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let said = text.lines().find_map(|line| line.strip_prefix("appended ")).unwrap();
    let appended: u64 = said.split_once(':').unwrap().0.parse().unwrap();
    let verified = intact(&scratch);
    assert!(appended > 2);
    assert_eq!((verified.lines, verified.warned), (appended, 0));
    append(&scratch.open(1 << 20), 0);
    assert_eq!(intact(&scratch).lines, appended + 1);
}

#[test]
fn process_that_is_killed_in_the_middle_of_a_line_leaves_it_torn() {
    let scratch = Scratch::new();
    let output = child("ulimit -f 8; ulimit -c 0;", &scratch, 0, 1 << 20).output().unwrap();
    assert!(output.status.signal().is_some(), "{output:?}");
    let at_rest = intact(&scratch);
    assert!(matches!(at_rest.warnings[..], [Warning::Torn { .. }]), "{at_rest:?}");
    append(&scratch.open(1 << 20), 0);
    let later = intact(&scratch);
    assert_eq!((later.lines, &later.warnings), (at_rest.lines + 2, &at_rest.warnings));
}

#[test]
fn process_that_was_stopped_with_the_lock_makes_others_fail_and_not_hang() {
    let scratch = Scratch::new();
    let log = scratch.open(1 << 20);
    append(&log, 0);
    let holder = fs::File::open(head(&scratch)).unwrap();
    rustix::fs::flock(&holder, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(matches!(try_append(&log, 1), Err(AuditError::Busy { .. }))));
        }
        scope.spawn(|| assert!(matches!(verify(&scratch.log(), None), Err(AuditError::Busy { .. }))));
    });
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    drop(holder);
    append(&log, 1);
    assert_eq!(intact(&scratch).lines, 2);
}
