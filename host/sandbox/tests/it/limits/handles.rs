//! Handles that are never dropped, and a host that has no descriptors left.

use super::alone::alone;
use super::{SLACK, assert_unharmed, host_failure, once, said};
use crate::common::{World, limits, sandbox};
use bailiwick_sandbox::{Access, CallError, HostFailure, Limits};
use serde_json::json;
use std::time::{Duration, Instant};

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Sets how many descriptors this process may have.
fn limit_descriptors(soft: u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: plain calls with a structure of our own.
    #[expect(unsafe_code, reason = "the limit of the process has no safe interface here")]
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit), 0);
        limit.rlim_cur = soft;
        assert_eq!(libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit), 0);
    }
}

#[test]
fn handles_that_are_never_dropped_are_bounded_of_every_kind() {
    alone("limits::handles::handles_that_are_never_dropped_are_bounded_of_every_kind", || {
        let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
        std::fs::write(directory.path().join("file.txt"), "text").unwrap();
        let few = Limits { handles: 50, ..limits() };
        let kinds = [
            ("files", "(local.set $a (call $root)) (loop (drop (call $file (local.get $a))) (br 0)) (unreachable)"),
            (
                "directory streams",
                "(local.set $a (call $root)) (loop (call $list (local.get $a) (i32.const 1040))
                (br_if 0 (i32.eqz (i32.load8_u (i32.const 1040))))) (unreachable)",
            ),
            ("grants", "(loop (drop (call $root)) (br 0)) (unreachable)"),
            // Resources that the component itself defines are in no table of the host's (GHSA-q554-3cjc-rx7p).
            (
                "its own resources",
                "(loop (drop (call $thing (i32.const 1)))
                (br_if 0 (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 1))) (i32.const 200))))
                (call $say (i32.const 42))",
            ),
            (
                "a few more files than allowed",
                "(local.set $a (call $root)) (loop (drop (call $file (local.get $a)))
                (br_if 0 (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 1))) (i32.const 50))))
                (call $say (i32.const 42))",
            ),
        ];
        // The first file operation opens what all later ones share.
        let one = "(call $drop (call $file (call $root))) (call $say (i32.const 1))";
        assert_eq!(said(once(&sandbox, one, Some(directory.path()), &few)), 1);
        let before = descriptors();
        for (kind, body) in kinds {
            let failure = host_failure(once(&sandbox, body, Some(directory.path()), &few));
            assert_eq!(failure, HostFailure::Handles { limit: 50 }, "{kind}");
            assert_unharmed(&sandbox);
        }
        // Whatever the guest held is closed with its store.
        let started = Instant::now();
        while descriptors() > before && started.elapsed() < SLACK {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(descriptors() <= before, "{} and {before} before", descriptors());
    });
}

#[test]
fn handles_that_are_dropped_again_cost_nothing() {
    let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
    std::fs::write(directory.path().join("file.txt"), "text").unwrap();
    let few = Limits { handles: 4, ..limits() };
    let body = "(local.set $a (call $root))
        (loop
            (call $drop (call $file (local.get $a)))
            (call $list (local.get $a) (i32.const 1040))
            (if (i32.load8_u (i32.const 1040)) (then unreachable))
            (call $drop_stream (i32.load (i32.const 1044)))
            (local.set $b (i32.add (local.get $b) (i32.const 1)))
            (br_if 0 (i32.lt_u (local.get $b) (i32.const 2000))))
        (call $say (i32.const 42))";
    assert_eq!(said(once(&sandbox, body, Some(directory.path()), &few)), 42);
}

#[test]
fn host_without_descriptors_fails_the_call_and_not_the_process() {
    alone("limits::handles::host_without_descriptors_fails_the_call_and_not_the_process", || {
        let world = World::new(Access::ReadWrite);
        let inputs = [
            ("ReadFile", json!({"filePath": "inside.txt"})),
            ("ListFiles", json!({"path": "", "recursive": true})),
            ("WriteFile", json!({"filePath": "sub/new.txt", "content": "new\n"})),
        ];
        let open = descriptors() as u64;
        let mut refused = 0;
        // From none left to a few: the descriptors run out at another place each time. Whatever is open keeps its
        // number below this, so that only new ones are refused.
        for left in 0..8 {
            // The runtime of the call itself needs descriptors, which is not what this is about.
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let reports: Vec<_> = {
                limit_descriptors(open + left);
                inputs
                    .iter()
                    .map(|(tool, input)| {
                        let (input, limits) = (input.to_string(), limits());
                        let call = world.sandbox.call(world.tool(tool), &world.grants, &input, &limits);
                        (tool, runtime.block_on(call))
                    })
                    .collect()
            };
            limit_descriptors(1024);
            for (tool, report) in reports {
                match report.outcome {
                    Ok(_) => {}
                    Err(CallError::Tool(_)) => refused += 1,
                    Err(CallError::Host(failure)) => panic!("{tool} with {left} left: {failure}"),
                }
            }
        }
        assert!(refused >= 3, "descriptors never ran out");
        for (tool, input) in inputs {
            world.call(tool, &input).outcome.unwrap();
        }
    });
}

/// Makes so many files whose names count up behind the prefix, closing each, and says 42, or the first error.
fn making(prefix: &str, count: u32) -> String {
    let length = prefix.len() + 4;
    let digit = |place: usize| {
        format!(
            "(i32.store8 (i32.const {}) (i32.add (i32.const 97) (i32.and (i32.shr_u (local.get $b) (i32.const {})) (i32.const 15))))",
            2000 + prefix.len() + place,
            4 * place
        )
    };
    let digits: String = (0..4).map(digit).collect();
    let bytes: String = format!("{prefix}0000")
        .bytes()
        .enumerate()
        .map(|(at, byte)| format!("(i32.store8 (i32.const {}) (i32.const {byte}))", 2000 + at))
        .collect();
    format!(
        "(local.set $a (call $root)) {bytes}
        (loop
            {digits}
            (call $open (local.get $a) (i32.const 0) (i32.const 2000) (i32.const {length}) (i32.const 1) (i32.const 2)
                (i32.const 1032))
            (if (i32.load8_u (i32.const 1032)) (then (return (call $say (i32.load8_u (i32.const 1036))))))
            (call $drop (i32.load (i32.const 1036)))
            (local.set $b (i32.add (local.get $b) (i32.const 1)))
            (br_if 0 (i32.lt_u (local.get $b) (i32.const {count}))))
        (call $say (i32.const 42))"
    )
}

/// What the host remembers of the files a call made must not use up the descriptors of all.
#[test]
fn files_that_a_guest_makes_hold_no_descriptor_and_are_bounded() {
    alone("limits::handles::files_that_a_guest_makes_hold_no_descriptor_and_are_bounded", || {
        let (sandbox, directory) = (sandbox(), tempfile::tempdir().unwrap());
        let place = Some(directory.path());
        let few = Limits { handles: 20, written_bytes: 1000 * 512, ..limits() };
        limit_descriptors(150);
        assert_eq!(said(once(&sandbox, &making("file-", 500), place, &few)), 42);
        // Empty files are a block each: the quota ends it.
        assert_eq!(said(once(&sandbox, &making("more-", 5000), place, &few)), 6);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1500);
        limit_descriptors(1024);
        // Files in progress hold their directory, so there are no more than handles, and none is left.
        let failure = host_failure(once(&sandbox, &making(".bailiwick-tmp-", 500), place, &few));
        assert_eq!(failure, HostFailure::Handles { limit: 20 });
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1500);
        assert_unharmed(&sandbox);
    });
}
