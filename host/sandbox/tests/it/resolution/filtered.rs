//! Whole calls of tools where a seccomp filter refuses `openat2`, as container runtimes of before 2021 do: what answers
//! then is the walk, and it confines the same.

use crate::common::World;
use bailiwick_sandbox::fs::resolve::{Resolution, available};
use bailiwick_sandbox::{Access, CallError, ErrorKind};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

/// Set in the process whose kernel seems to lack `openat2`, to the number of the error it gives instead.
const FILTERED: &str = "BAILIWICK_TEST_OPENAT2";
/// What that process prints when it is through: a filter that matched no test would pass as well.
const THROUGH: &str = "every tool call was confined by the walk";

/// Runs the named test of this file once more, in a process where `openat2` fails with `errno`.
fn assert_passes_without_openat2(test: &str, errno: Errno) {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(FILTERED, errno.raw_os_error().to_string())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success() && text.contains(THROUGH), "{errno}: {text}");
}

/// The number that every architecture has given to `openat2`.
const OPENAT2: i64 = 437;

/// From here on `openat2` fails with `errno` in this thread and those it starts.
fn filter_openat2(errno: u32) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let rules = BTreeMap::from([(OPENAT2, Vec::new())]);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno), architecture).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    seccompiler::apply_filter(&program).unwrap();
}

#[test]
fn tool_calls_are_confined_where_a_filter_refuses_openat2() {
    let Ok(errno) = std::env::var(FILTERED) else {
        for errno in [Errno::PERM, Errno::NOSYS, Errno::ACCESS] {
            assert_passes_without_openat2(
                "resolution::filtered::tool_calls_are_confined_where_a_filter_refuses_openat2",
                errno,
            );
        }
        return;
    };
    let errno: u32 = errno.parse().unwrap();
    filter_openat2(errno);
    let probe = rustix::fs::openat2(CWD, ".", OFlags::PATH, Mode::empty(), ResolveFlags::BENEATH);
    assert_eq!(u32::try_from(probe.unwrap_err().raw_os_error()), Ok(errno), "the filter does not hold");
    assert_eq!(available(), Resolution::Walk);

    let world = World::new(Access::ReadWrite);
    let granted = world.granted();
    symlink("../secret.txt", granted.join("out")).unwrap();
    symlink("..", granted.join("up")).unwrap();
    symlink(world.base.path(), granted.join("absolute")).unwrap();
    symlink("../made-outside.txt", granted.join("dangling")).unwrap();
    symlink("../inside.txt", granted.join("sub/in")).unwrap();
    let refused = Err(ErrorKind::NotPermitted);
    for (tool, input, expected) in [
        ("ReadFile", json!({"filePath": "box/inside.txt"}), Ok(())),
        ("ReadFile", json!({"filePath": "box/sub/in"}), Ok(())),
        ("ReadFile", json!({"filePath": "box/sub/../inside.txt"}), Ok(())),
        ("ListFiles", json!({"path": "box", "recursive": true}), Ok(())),
        ("WriteFile", json!({"filePath": "box/deep/er/new.txt", "content": "new\n"}), Ok(())),
        ("WriteFile", json!({"filePath": "box/inside.txt", "content": "written\n"}), Ok(())),
        ("CodePatch", json!({"filePath": "box/sub/in", "oldContent": "written", "newContent": "patched"}), Ok(())),
        ("ReadFile", json!({"filePath": "box/out"}), refused),
        ("ReadFile", json!({"filePath": "box/../secret.txt"}), refused),
        ("ReadFile", json!({"filePath": "box/up/secret.txt"}), refused),
        ("ReadFile", json!({"filePath": "box/absolute/secret.txt"}), refused),
        ("ListFiles", json!({"path": "box/up"}), refused),
        ("WriteFile", json!({"filePath": "box/out", "content": "x"}), refused),
        ("WriteFile", json!({"filePath": "box/up/made-outside.txt", "content": "x"}), refused),
        ("WriteFile", json!({"filePath": "box/../made-outside.txt", "content": "x"}), refused),
        ("WriteFile", json!({"filePath": "box/dangling", "content": "x"}), refused),
        ("WriteFile", json!({"filePath": "box/.git/config", "content": "x"}), refused),
        ("CodePatch", json!({"filePath": "box/out", "oldContent": "canary", "newContent": "x"}), refused),
    ] {
        let input: Value = input;
        let outcome = world.call(tool, &input).outcome;
        assert!(!format!("{outcome:?}").contains("canary\\n"), "{tool} {input}: {outcome:?}");
        let kind = outcome.map(drop).map_err(|error| match error {
            CallError::Tool(error) => error.kind,
            CallError::Host(failure) => panic!("{tool} {input}: {failure}"),
        });
        assert_eq!(kind, expected, "{tool} {input}");
    }
    world.assert_outside_untouched();
    assert_eq!(std::fs::read_to_string(granted.join("inside.txt")).unwrap(), "patched\n");
    assert_eq!(std::fs::read_to_string(granted.join("deep/er/new.txt")).unwrap(), "new\n");
    println!("{THROUGH}");
}
