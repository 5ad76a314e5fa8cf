//! What a child learns of the caller and of other processes, and what it may do to them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bailiwick_process::{Confinement, Rules};

use crate::{assert_done, assert_refused, enforces, place, probe, probe_command, rules, run, unconfined};

fn with_proc(mut rules: Rules) -> Rules {
    rules.read.push(PathBuf::from("/proc"));
    rules
}

#[tokio::test]
async fn environment_and_memory_of_the_processes_above_are_unreadable() {
    let place = place();
    let rules = with_proc(rules(&place.inside));
    let caller = std::process::id().to_string();
    for (situation, supervisor) in crate::systems() {
        let said = crate::probe_by(&supervisor, &["above"], &rules).await;
        assert!(said.starts_with("done tried "), "{situation}: {said}");
        if situation == "no process namespace" {
            // The keeper at least is between the probe and this test.
            let tried: Vec<_> = said.split(' ').collect();
            assert!(tried[2..].iter().position(|pid| *pid == caller).unwrap() > 0, "{said}");
        }
        assert!(!said.contains("readable"), "{situation}: {said}");
    }
    assert!(unconfined(&["above"]).await.contains("readable"));
    assert_done(&probe(&["read", "/proc/self/environ"], &rules).await);
    for operation in
        [&["read", &format!("/proc/{caller}/environ")][..], &["read", "/proc/1/environ"], &["memory", &caller]]
    {
        assert_refused(&probe(operation, &rules).await);
    }
    // Without confinement the caller's own environment is there for the taking.
    assert_done(&unconfined(&["read", &format!("/proc/{caller}/environ")]).await);
}

/// What a .NET build may read.
#[tokio::test]
async fn of_processes_outside_not_even_names_are_in_proc() {
    if !enforces("process files") {
        crate::skip("this system mounts no `/proc` for a process namespace");
        return;
    }
    let place = place();
    let rules = with_proc(rules(&place.inside));
    let line = format!("/proc/{}/cmdline", std::process::id());
    assert_refused(&probe(&["read", &line], &rules).await);
    assert_done(&unconfined(&["read", &line]).await);
    // Its own number is its own there.
    let script = "read -r own rest </proc/$$/stat && [ \"$own\" = $$ ] && echo mine";
    let own = crate::command("sh", &["-c", script], Confinement::Confined(rules));
    assert_eq!(run(&own).await.unwrap().stdout.text, "mine\n");
}

#[tokio::test]
async fn processes_outside_get_no_signal() {
    let place = place();
    let caller = std::process::id().to_string();
    if !enforces("process scope") {
        return;
    }
    assert_refused(&probe(&["signal", &caller], &rules(&place.inside)).await);
    assert_done(&unconfined(&["signal", &caller]).await);
    // The keeper, whose death would leave daemons behind.
    let mut command = probe_command(&[], Confinement::Confined(rules(&place.inside)));
    command.program = "sh".into();
    command.arguments = ["-c", "kill -9 $PPID || echo refused"].iter().map(Into::into).collect();
    assert_eq!(run(&command).await.unwrap().stdout.text, "refused\n");
}

#[tokio::test]
async fn environment_is_exactly_what_was_given() {
    let place = place();
    for confinement in [Confinement::Unconfined, Confinement::Confined(rules(&place.inside))] {
        let mut command = probe_command(&["environment"], confinement);
        command.environment = BTreeMap::from([("ONE".into(), "1".into())]);
        let said = run(&command).await.unwrap().stdout.text;
        assert_eq!(said, "done [(\"ONE\", \"1\")]\n");
    }
}

#[tokio::test]
async fn arguments_and_variables_that_are_not_utf8_arrive_unchanged() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let mut command = crate::command("sh", &[], Confinement::Unconfined);
    let raw = OsString::from_vec(vec![b'a', 0xff, b'\n', b'"']);
    command.environment.insert("RAW".into(), raw.clone());
    command.arguments = vec!["-c".into(), "[ \"$RAW\" = \"$0\" ] && printf %s \"$0\" | od -An -tx1".into(), raw];
    assert_eq!(run(&command).await.unwrap().stdout.text.trim(), "61 ff 0a 22");
}

#[tokio::test]
async fn no_descriptor_but_the_three_reaches_the_child() {
    use std::os::fd::AsFd;
    let file = tempfile::tempfile().unwrap();
    let leaked = rustix::io::dup(file.as_fd()).unwrap();
    rustix::io::fcntl_setfd(&leaked, rustix::io::FdFlags::empty()).unwrap();
    let place = place();
    assert_eq!(unconfined(&["descriptors"]).await, "done 0 1 2");
    let said = probe(&["descriptors"], &rules(&place.inside)).await;
    assert_eq!(said, "done 0 1 2");
}

#[tokio::test]
async fn standard_input_is_empty() {
    let place = place();
    assert_eq!(unconfined(&["stdin"]).await, "done 0 bytes");
    assert_eq!(probe(&["stdin"], &rules(&place.inside)).await, "done 0 bytes");
}

#[tokio::test]
async fn privileges_are_gone_and_no_core_is_dumped() {
    /// `CAP_DAC_OVERRIDE` and `CAP_FOWNER`.
    const KEPT: u64 = 1 << 1 | 1 << 3;
    let place = place();
    let status = probe(&["status"], &rules(&place.inside)).await;
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    };
    assert_eq!(field("NoNewPrivs:"), "1");
    assert_eq!(field("Seccomp:"), "2");
    for set in ["CapPrm:", "CapEff:", "CapInh:", "CapAmb:"] {
        let held = u64::from_str_radix(&field(set), 16).unwrap();
        assert_eq!(held & !KEPT, 0, "{set} {held:x}");
    }
    let said = probe(&["core-limit"], &rules(&place.inside)).await;
    assert_eq!(said, "done Some(0)");
}
