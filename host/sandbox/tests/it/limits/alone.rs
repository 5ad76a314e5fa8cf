//! A test that measures or limits its whole process runs in a process of its own.

use std::process::Command;

const MARK: &str = "BAILIWICK_TEST_ALONE";

/// Runs `body` in a new process that runs the test `name` (`module::test`) and nothing else.
pub(crate) fn alone(name: &str, body: impl FnOnce()) {
    if std::env::var_os(MARK).is_some() {
        return body();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(MARK, "1")
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {text}", output.status);
    assert!(text.contains("1 passed"), "no test is named `{name}`: {text}");
}

/// The largest size this process has had in memory, in bytes.
pub(crate) fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

/// Forgets the peak so far and returns what is in memory now, so that what follows can be told from it.
pub(crate) fn peak_from_here() -> usize {
    // 5 resets the peak, see `proc_pid_clear_refs(5)`.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    peak()
}
