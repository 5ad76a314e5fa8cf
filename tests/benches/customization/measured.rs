//! What one run or one process took.

use bailiwick_tests::{World, binary, cache_of};
use std::process::Command;
use std::time::{Duration, Instant};

/// The time of a run that no child process took.
pub(crate) fn own_time(world: &World, run: &str) -> Duration {
    let path = world.state().join("runs").join(run).join("events.jsonl");
    let events = std::fs::read_to_string(path).unwrap();
    let timing = events.lines().rev().find(|line| line.contains("ownMs")).unwrap();
    let timing: serde_json::Value = serde_json::from_str(timing).unwrap();
    Duration::from_millis(find(&timing, "ownMs").unwrap())
}

fn find(value: &serde_json::Value, key: &str) -> Option<u64> {
    let object = value.as_object()?;
    object.get(key).and_then(serde_json::Value::as_u64).or_else(|| object.values().find_map(|inner| find(inner, key)))
}

/// How long the binary took and how many MiB it had in memory at most; that of its children is not in it.
pub(crate) fn process(world: &World, arguments: &[&str]) -> (Duration, u64) {
    let started = Instant::now();
    let mut child = Command::new(binary())
        .args(arguments)
        .env_remove("XDG_RUNTIME_DIR")
        .env("BAILIWICK_STATE_DIR", world.state())
        .env("BAILIWICK_CACHE_DIR", cache_of(world.base()))
        .env("XDG_CONFIG_HOME", world.base().join("configuration"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let ended = loop {
        // The kernel keeps the largest so far, so the last look before the end is what counts.
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(most);
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(ended.success(), "{arguments:?}: {ended}");
    (started.elapsed(), most / 1024)
}
