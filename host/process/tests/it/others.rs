//! What a child may do to processes outside, and to the kernel on its own behalf: with every mechanism, and on systems that
//! lack some.

use std::process::{Child, Stdio};

use bailiwick_process::{Confinement, Missing, ProcessError};

use crate::{
    assert_done, assert_refused, place, probe, probe_by, probe_command, rules, supervisor, systems, text, unconfined,
};

/// A process of the user's that has nothing to do with the child. Ends with the test.
struct Bystander(Child);

impl Bystander {
    fn new() -> Self {
        let mut command = std::process::Command::new("sleep");
        Self(command.arg("100").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap())
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn call(number: libc::c_long, arguments: &[&str]) -> Vec<String> {
    [&["call", &number.to_string()], arguments].concat().iter().map(ToString::to_string).collect()
}

fn words(call: &[String]) -> Vec<&str> {
    call.iter().map(String::as_str).collect()
}

/// The calls that change a process, or look into it, by its number. Each is one that changes nothing when it is done.
fn calls_about(pid: &str) -> Vec<(&'static str, Vec<String>)> {
    const ADDRESS_SPACE: &str = "9";
    const SEIZE: &str = "16902";
    vec![
        // The new limit lies in the buffer of zeros; the second argument says which one.
        ("prlimit", call(libc::SYS_prlimit64, &[pid, ADDRESS_SPACE, "0", "buffer"])),
        ("affinity", call(libc::SYS_sched_setaffinity, &[pid, "8", "text=\u{3}"])),
        ("scheduler", call(libc::SYS_sched_setscheduler, &[pid, "0", "buffer"])),
        ("parameters", call(libc::SYS_sched_setparam, &[pid, "buffer"])),
        ("attributes", call(libc::SYS_sched_setattr, &[pid, "buffer", "0"])),
        ("priority", call(libc::SYS_setpriority, &["0", pid, "0"])),
        ("priority of disk access", call(libc::SYS_ioprio_set, &["1", pid, "0"])),
        ("memory", call(libc::SYS_process_vm_readv, &[pid, "buffer", "0", "buffer", "0", "0"])),
        ("memory to write", call(libc::SYS_process_vm_writev, &[pid, "buffer", "0", "buffer", "0", "0"])),
        ("comparison", call(libc::SYS_kcmp, &[pid, pid, "0", "0", "0"])),
        ("tracing", call(libc::SYS_ptrace, &[SEIZE, pid, "0", "0"])),
    ]
}

#[tokio::test]
async fn no_process_outside_can_be_changed_or_looked_into() {
    let place = place();
    let bystander = Bystander::new();
    for (what, call) in calls_about(&bystander.pid()) {
        for (situation, supervisor) in systems() {
            let said = probe_by(&supervisor, &words(&call), &rules(&place.inside)).await;
            assert!(said.starts_with("refused"), "{what}, {situation}: {said}");
        }
        let said = unconfined(&words(&call)).await;
        assert!(said.starts_with("done"), "{what}, unconfined: {said}");
    }
}

/// The attack that ended a process outside: the kernel kills one whose processor time has a limit of nothing.
#[tokio::test]
async fn limit_of_a_process_outside_stays_as_it_is() {
    let place = place();
    let bystander = Bystander::new();
    let lower = call(libc::SYS_prlimit64, &[&bystander.pid(), "7", "buffer", "0"]);
    let before = open_files_limit(&bystander);
    for (situation, supervisor) in systems() {
        assert_refused(&probe_by(&supervisor, &words(&lower), &rules(&place.inside)).await);
        assert_eq!(open_files_limit(&bystander), before, "{situation}");
    }
    assert_done(&unconfined(&words(&lower)).await);
    assert_ne!(open_files_limit(&bystander), before);
}

fn open_files_limit(bystander: &Bystander) -> String {
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", bystander.pid())).unwrap();
    limits.lines().find(|line| line.starts_with("Max open files")).unwrap().to_owned()
}

#[tokio::test]
async fn process_outside_gets_no_signal_on_any_system() {
    let place = place();
    let bystander = Bystander::new();
    for (situation, supervisor) in systems() {
        for signal in ["0", "9"] {
            let kill = call(libc::SYS_kill, &[&bystander.pid(), signal]);
            let said = probe_by(&supervisor, &words(&kill), &rules(&place.inside)).await;
            assert!(said.starts_with("refused"), "{situation}: {said}");
        }
    }
    assert_done(&unconfined(&["signal", &bystander.pid()]).await);
}

#[tokio::test]
async fn where_nothing_keeps_signals_away_nothing_is_started() {
    let place = place();
    let lacking = supervisor().as_if_without(&[Missing::ProcessNamespace, Missing::ProcessScope]);
    let command = probe_command(&["status"], Confinement::Confined(rules(&place.inside)));
    let refused = lacking.run(&command, &mut |_, _| ()).await;
    assert!(
        matches!(&refused, Err(ProcessError::CannotConfine { missing }) if missing.contains("signals")),
        "{refused:?}"
    );
    let missing = lacking.support().confines().unwrap_err();
    assert!(missing.contains("process namespace") && missing.contains("process scope"), "{missing}");
    supervisor().as_if_without(&[Missing::ProcessScope]).support().confines().unwrap();
    supervisor().as_if_without(&[Missing::ProcessNamespace]).support().confines().unwrap();
}

#[tokio::test]
async fn program_changes_its_own_limits_priority_and_scheduling() {
    let place = place();
    for (situation, supervisor) in systems() {
        for (what, call) in calls_about("0") {
            if ["prlimit", "affinity", "scheduler", "parameters", "priority", "priority of disk access"].contains(&what)
            {
                let said = probe_by(&supervisor, &words(&call), &rules(&place.inside)).await;
                assert!(said.starts_with("done"), "{what}, {situation}: {said}");
            }
        }
    }
}

#[tokio::test]
async fn descriptor_of_a_process_cannot_be_taken() {
    let place = place();
    let taken = call(libc::SYS_pidfd_getfd, &["0", "0", "0"]);
    assert!(probe(&words(&taken), &rules(&place.inside)).await.contains("PermissionDenied"));
    assert!(!unconfined(&words(&taken)).await.contains("PermissionDenied"));
}

#[tokio::test]
async fn namespaces_in_which_a_program_has_all_capabilities_cannot_be_made() {
    const CLONE_NEWUSER: libc::c_long = 0x1000_0000;
    let place = place();
    let rules = rules(&place.inside);
    let flags = (CLONE_NEWUSER | libc::c_long::from(libc::SIGCHLD)).to_string();
    let made = [
        call(libc::SYS_unshare, &[&CLONE_NEWUSER.to_string()]),
        call(libc::SYS_clone, &[&flags]),
        call(libc::SYS_clone3, &["buffer", "64"]),
    ];
    for (situation, supervisor) in systems() {
        for call in &made {
            let said = probe_by(&supervisor, &words(call), &rules).await;
            assert!(said.starts_with("refused"), "{situation}: {call:?}: {said}");
        }
    }
    // Its flags cannot be read by a filter, so it is as on a kernel that does not have it.
    assert!(probe(&words(&made[2]), &rules).await.contains("Unsupported"));
    if rustix::process::geteuid().is_root() {
        assert_done(&unconfined(&words(&made[0])).await);
        assert_done(&unconfined(&words(&made[1])).await);
    }
    // Threads are made the other way.
    assert_eq!(probe(&["thread"], &rules).await, "done ran");
}

/// The names of new files outside would be told.
#[tokio::test]
async fn directories_outside_cannot_be_watched() {
    let place = place();
    assert_refused(&probe(&["watch", text(&place.outside)], &rules(&place.inside)).await);
    assert_done(&unconfined(&["watch", text(&place.outside)]).await);
}

/// Landlock does not ask who sets a mode. With this bit a file of the user's gives the user's rights to whoever starts it.
#[tokio::test]
async fn file_outside_does_not_get_the_set_user_id_bit() {
    use std::os::unix::fs::PermissionsExt as _;
    const MODE: &str = "2541";
    const CURRENT: &str = "-100";
    let place = place();
    let outside = place.outside.join("program");
    std::fs::write(&outside, "").unwrap();
    let path = format!("text={}", outside.display());
    let calls = [
        call(libc::SYS_chmod, &[&path, MODE]),
        call(libc::SYS_fchmodat, &[CURRENT, &path, MODE]),
        call(452, &[CURRENT, &path, MODE, "0"]),
    ];
    for call in calls {
        for (situation, supervisor) in systems() {
            let said = probe_by(&supervisor, &words(&call), &rules(&place.inside)).await;
            assert!(said.starts_with("refused"), "{call:?}, {situation}: {said}");
            assert_eq!(outside.metadata().unwrap().permissions().mode() & 0o7000, 0, "{call:?}");
        }
        let said = unconfined(&words(&call)).await;
        assert!(said.starts_with("done"), "{call:?}: {said}");
        std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    // Any other mode is the child's to set.
    let said = probe(
        &words(&call(libc::SYS_fchmodat, &[CURRENT, &format!("text={}", place.inside.display()), "493"])),
        &rules(&place.inside),
    )
    .await;
    assert!(said.starts_with("done"), "{said}");
}
