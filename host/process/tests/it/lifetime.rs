//! Nothing outlives its run: not by leaving the session, not by forking twice, not by forking fast.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_process::{Command, Confinement, Exit, Limits, ProcessError};

use crate::{command, helper, place, probe_command, rules, run, supervisor, systems, text};

/// How long a process may take to be gone after what should have ended it.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program that leaves a daemon behind, which writes its id to `file`, and then stays itself.
fn daemonising(file: &Path, confinement: Confinement) -> Command {
    let script = "\"$0\" probe linger \"$1\" && exec sleep 100";
    command("sh", &["-c", script, text(&helper()), text(file)], confinement)
}

fn pid_in(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}

/// Whether the daemon that says so in `file` runs.
fn lingers(file: &Path) -> bool {
    lingering(file).is_some()
}

/// The number of that daemon. Inside it has another one, so it is looked for by its arguments.
fn lingering(file: &Path) -> Option<String> {
    let wanted = ["probe", "lingering", text(file)].join("\0");
    let is_it = |entry: &fs::DirEntry| {
        fs::read(entry.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&wanted))
    };
    let found = fs::read_dir("/proc").unwrap().flatten().find(is_it);
    found.map(|entry| entry.file_name().into_string().unwrap())
}

fn parent(pid: &str) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let parent = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1);
    parent.unwrap().to_owned()
}

fn is_alive(pid: &str) -> bool {
    // An unreaped zombie counts as dead.
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < until, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn both(inside: &Path) -> [Confinement; 2] {
    [Confinement::Unconfined, Confinement::Confined(rules(inside))]
}

#[tokio::test]
async fn deadline_kills_a_daemon_and_keeps_the_output() {
    let place = place();
    for (number, confinement) in both(&place.inside).into_iter().enumerate() {
        let file = place.inside.join(number.to_string());
        let mut command = daemonising(&file, confinement);
        command.limits.deadline = Duration::from_millis(1500);
        let error = run(&command).await.unwrap_err();
        let ProcessError::Deadline { stdout, after, .. } = error else {
            panic!("{error:?}");
        };
        assert_eq!(stdout.text, "done\n");
        assert_eq!(after, command.limits.deadline);
        assert!(file.exists() && !lingers(&file));
    }
}

#[tokio::test]
async fn daemon_ends_with_the_program_that_left_it() {
    let place = place();
    let confined = || Confinement::Confined(rules(&place.inside));
    let ways = systems().map(|(_, supervisor)| (supervisor, confined()));
    let unconfined = (supervisor(), Confinement::Unconfined);
    for (number, (supervisor, confinement)) in ways.into_iter().chain([unconfined]).enumerate() {
        let file = place.inside.join(number.to_string());
        let command = probe_command(&["linger", text(&file)], confinement);
        let finished = supervisor.run(&command, &mut |_, _| ()).await.unwrap();
        assert_eq!(finished.exit, Exit::Code(0));
        assert!(file.exists() && !lingers(&file));
    }
}

/// Confined, a program cannot do that to the keeper. The keeper goes on killing all the same.
#[tokio::test]
async fn keeper_that_may_open_no_file_any_more_leaves_no_daemon() {
    let place = place();
    let file = place.inside.join("daemon");
    // The limit of open files, to nothing.
    let script = "\"$0\" probe call $2 $PPID 7 buffer 0 && \"$0\" probe linger \"$1\"; sleep 0.3";
    let number = libc::SYS_prlimit64.to_string();
    let robbing = command("sh", &["-c", script, text(&helper()), text(&file), &number], Confinement::Unconfined);
    // It may say that it could measure nothing, or how the program ended.
    let outcome = run(&robbing).await;
    assert!(file.exists() && !lingers(&file), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_the_future_kills_everything() {
    let place = place();
    for (number, confinement) in both(&place.inside).into_iter().enumerate() {
        let file = place.inside.join(number.to_string());
        let command = daemonising(&file, confinement);
        let running = tokio::spawn(async move { run(&command).await });
        wait_until("the daemon has started", || file.exists());
        assert!(lingers(&file));
        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());
        wait_until("the daemon is dead", || !lingers(&file));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_started_by_a_dropped_future_is_dead_once_its_supervisor_has_settled() {
    let place = place();
    for (number, confinement) in both(&place.inside).into_iter().enumerate() {
        let file = place.inside.join(number.to_string());
        let command = daemonising(&file, confinement);
        let supervisor = supervisor();
        let running = tokio::spawn({
            let supervisor = supervisor.clone();
            async move { supervisor.run(&command, &mut |_, _| ()).await }
        });
        wait_until("the daemon has started", || file.exists());
        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());
        supervisor.settled().await;
        assert!(!lingers(&file));
    }
}

#[test]
fn callers_sudden_death_kills_everything() {
    let place = place();
    for mode in ["unconfined", "confined"] {
        let file = place.inside.join(mode);
        let mut caller = std::process::Command::new(helper())
            .args(["supervise", mode, text(&place.inside), "/bin/sh", "-c"])
            .arg("\"$0\" probe linger \"$1\" && exec sleep 100")
            .arg(helper())
            .arg(&file)
            .spawn()
            .unwrap();
        wait_until("the daemon has started", || file.exists());
        // SIGKILL: the caller can do nothing any more.
        caller.kill().unwrap();
        caller.wait().unwrap();
        wait_until("the daemon is dead", || !lingers(&file));
    }
}

#[tokio::test]
async fn keepers_sudden_death_ends_the_program_and_is_an_error() {
    let script = "echo $$ >\"$0\"; exec sleep 100";
    let place = place();
    let file = place.inside.join("pid");
    let command = command("sh", &["-c", script, text(&file)], Confinement::Unconfined);
    let kill = tokio::task::spawn_blocking({
        let file = file.clone();
        move || {
            wait_until("the program has started", || pid_in(&file).is_some_and(|pid| pid.ends_with('\n')));
            let pid = pid_in(&file).unwrap().trim().to_owned();
            kill(&parent(&pid));
            pid
        }
    });
    let error = run(&command).await.unwrap_err();
    assert!(matches!(error, ProcessError::Helper { .. }), "{error:?}");
    let pid = kill.await.unwrap();
    wait_until("the program is dead", || !is_alive(&pid));
}

fn kill(pid: &str) {
    let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// From outside, by the system or by a person: nothing inside has a number for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keepers_sudden_death_ends_a_confined_program_and_its_daemons() {
    let place = place();
    if !crate::enforces("process namespace") {
        crate::skip("without a process namespace a daemon outlives a keeper that is killed from outside");
        return;
    }
    let file = place.inside.join("daemon");
    let command = daemonising(&file, Confinement::Confined(rules(&place.inside)));
    let running = tokio::spawn(async move { run(&command).await });
    wait_until("the daemon has started", || file.exists() && lingers(&file));
    let own = std::process::id().to_string();
    let mut keeper = lingering(&file).unwrap();
    while parent(&keeper) != own {
        keeper = parent(&keeper);
    }
    kill(&keeper);
    assert!(matches!(running.await.unwrap(), Err(ProcessError::Helper { .. })));
    wait_until("the daemon is dead", || !lingers(&file));
}

/// A process that is never the same twice: each instance starts the next and ends.
#[tokio::test]
async fn process_that_hops_away_is_caught() {
    let place = place();
    let file = place.inside.join("hops");
    let script = "for i in 1 2 3; do \"$0\" probe multiply \"$1\" >/dev/null; done; sleep 0.2";
    let finished =
        run(&command("sh", &["-c", script, text(&helper()), text(&file)], Confinement::Confined(rules(&place.inside))))
            .await
            .unwrap();
    assert_eq!(finished.exit, Exit::Code(0));
    let hops = || fs::metadata(&file).unwrap().len();
    let at_the_end = hops();
    assert!(at_the_end > 10, "it did hop: {at_the_end}");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(hops(), at_the_end);
}

#[tokio::test]
async fn helper_that_does_not_listen_ends_at_the_deadline() {
    let place = place();
    let deaf = place.inside.join("deaf");
    fs::write(&deaf, "#!/bin/sh\nexec sleep 2\n").unwrap();
    fs::set_permissions(&deaf, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = command("true", &[], Confinement::Unconfined);
    command.limits = Limits { deadline: Duration::from_millis(300), output_bytes: 0, ..command.limits };
    let error = bailiwick_process::Supervisor::new(deaf).run(&command, &mut |_, _| ()).await.unwrap_err();
    assert!(matches!(error, ProcessError::Deadline { .. }), "{error:?}");
}

#[tokio::test]
async fn runs_beside_each_other_do_not_end_each_other() {
    let (supervisor, quick) = (supervisor(), command("true", &[], Confinement::Unconfined));
    let slow = command("sh", &["-c", "sleep 0.5; echo whole"], Confinement::Unconfined);
    let mut ignore = |_: bailiwick_process::Stream, _: &str| ();
    let slow = supervisor.run(&slow, &mut ignore);
    let quick = async {
        for _ in 0..5 {
            run(&quick).await.unwrap();
        }
    };
    let (slow, ()) = tokio::join!(slow, quick);
    assert_eq!(slow.unwrap().stdout.text, "whole\n");
}
