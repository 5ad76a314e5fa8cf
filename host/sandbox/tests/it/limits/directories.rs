//! A directory of a million entries, on a filesystem in memory.

use super::alone::{alone, peak, peak_from_here};
use super::{SLACK, assert_unharmed, granted};
use crate::common::{limits, sandbox, shared};
use bailiwick_sandbox::{CallError, ErrorKind, HostFailure, Limits, Tool};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

const MILLION: usize = 1_000_000;

/// Hard links to one file are the cheapest entries there are.
fn million(directory: &Path) -> tempfile::TempDir {
    let made = tempfile::Builder::new().prefix("bailiwick-million-").tempdir_in(directory).unwrap();
    let handle = std::fs::File::open(made.path()).unwrap();
    std::fs::write(made.path().join("first"), "").unwrap();
    std::thread::scope(|scope| {
        for part in 0..2 {
            let handle = &handle;
            scope.spawn(move || {
                for number in (part..MILLION).step_by(2) {
                    let name = format!("one-of-a-million-{number:07}");
                    rustix::fs::linkat(handle, "first", handle, name, rustix::fs::AtFlags::empty()).unwrap();
                }
            });
        }
    });
    made
}

fn in_memory() -> Option<&'static Path> {
    let place = Path::new("/dev/shm");
    let kind = rustix::fs::statfs(place).ok()?;
    // TMPFS_MAGIC.
    if kind.f_type != 0x0102_1994 || tempfile::tempdir_in(place).is_err() {
        return None;
    }
    Some(place)
}

#[test]
fn million_entries_end_in_time_and_in_bounded_memory() {
    alone("limits::directories::million_entries_end_in_time_and_in_bounded_memory", || {
        let Some(place) = in_memory() else {
            assert!(std::env::var_os("CI").is_none(), "no tmpfs at /dev/shm for a million entries");
            eprintln!("not run: no tmpfs at /dev/shm for a million entries");
            return;
        };
        let directory = million(place);
        let grants = granted(directory.path());
        let (sandbox, tools) = shared();
        let tool: &Tool = tools.iter().find(|tool| tool.descriptor().name == "ListFiles").unwrap();
        let call = |limits: &Limits| {
            let started = Instant::now();
            let report = super::block_on(sandbox.call(tool, &grants, &json!({"path": ""}).to_string(), limits));
            (report.outcome, started.elapsed())
        };
        let before = peak_from_here();

        // Too many entries.
        let (outcome, took) = call(&Limits { memory_bytes: 1 << 30, ..limits() });
        assert!(matches!(&outcome, Err(CallError::Tool(error)) if error.kind == ErrorKind::TooLarge), "{outcome:?}");
        assert!(took < SLACK, "{took:?}");
        // As many as there are, but not the memory for them.
        let many = Limits { directory_entries: 10 * MILLION, memory_bytes: 32 << 20, ..limits() };
        let (outcome, took) = call(&many);
        assert!(matches!(&outcome, Err(CallError::Tool(error)) if error.kind == ErrorKind::TooLarge), "{outcome:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
        let grown = peak() - before;
        assert!(grown < 64 << 20, "{} MiB more", grown >> 20);

        // Memory without end, but no time.
        let brief = Limits {
            directory_entries: 10 * MILLION,
            memory_bytes: 1 << 40,
            deadline: Duration::from_millis(100),
            ..limits()
        };
        let (outcome, took) = call(&brief);
        assert_eq!(outcome, Err(CallError::Host(HostFailure::Deadline(brief.deadline))));
        assert!(took < brief.deadline + SLACK, "{took:?}");
        assert_unharmed(sandbox);
    });
}

/// Streams that are kept open hold what was read. Together they are bounded, too.
#[test]
fn many_open_listings_share_one_bound() {
    alone("limits::directories::many_open_listings_share_one_bound", || {
        let directory = tempfile::tempdir().unwrap();
        for number in 0..2000 {
            std::fs::write(directory.path().join(format!("{number:0>200}")), "").unwrap();
        }
        let sandbox = sandbox();
        let body = "(local.set $a (call $root))
            (loop
                (call $list (local.get $a) (i32.const 1040))
                (local.set $b (i32.add (local.get $b) (i32.const 1)))
                (br_if 0 (i32.eqz (i32.load8_u (i32.const 1040)))))
            (if (i32.ne (i32.load8_u (i32.const 1044)) (i32.const 8)) (then unreachable))
            (call $say (local.get $b))";
        let bounded = Limits { memory_bytes: 8 << 20, handles: 100_000, ..limits() };
        let before = peak_from_here();
        let listings = super::said(super::once(&sandbox, body, Some(directory.path()), &bounded));
        assert!((4..20).contains(&listings), "{listings}");
        let grown = peak() - before;
        assert!(grown < 64 << 20, "{} MiB more", grown >> 20);
    });
}
