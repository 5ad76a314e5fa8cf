//! Each limit ends a child with its own error, and nothing of it is left.

use std::fs;
use std::path::Path;

use bailiwick_process::{Command, Confinement, Exit, Limits, Measured, ProcessError, Supervisor};

use crate::{Place, command, helper, place, probe_command, rules, run, supervisor, systems, text};

/// Both ways to start a child, and those that a system may lack something for.
fn ways(place: &Place) -> Vec<(&'static str, Supervisor, Confinement)> {
    let confined = systems().map(|(name, supervisor)| (name, supervisor, Confinement::Confined(rules(&place.inside))));
    std::iter::once(("unconfined", supervisor(), Confinement::Unconfined)).chain(confined).collect()
}

fn script(text: &str, confinement: Confinement, directory: &Path) -> Command {
    Command { directory: directory.to_owned(), ..command("sh", &["-c", text], confinement) }
}

/// The processes that have this word among their arguments.
fn with_argument(word: &str) -> usize {
    let has = |entry: &fs::DirEntry| {
        fs::read(entry.path().join("cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes()))
    };
    fs::read_dir("/proc").unwrap().flatten().filter(has).count()
}

#[tokio::test]
async fn program_that_multiplies_is_stopped_and_all_of_it_is_gone() {
    let place = place();
    for (number, (way, supervisor, confinement)) in ways(&place).into_iter().enumerate() {
        // Bounded, should the limit not hold.
        let sleep = format!("30.{number}{}", std::process::id());
        let bomb = format!("i=0; while [ $i -lt 300 ]; do sleep {sleep} & i=$((i+1)); done; wait");
        let mut command = script(&bomb, confinement, &place.inside);
        command.limits.processes = 64;
        let error = supervisor.run(&command, &mut |_, _| ()).await.unwrap_err();
        assert!(matches!(&error, ProcessError::Processes { limit: 64, .. }), "{way}: {error:?}");
        assert!(error.to_string().contains("64 processes") && error.hint().is_some());
        assert_eq!(with_argument(&sleep), 0, "{way}");
    }
}

#[tokio::test]
async fn program_that_takes_memory_without_end_is_stopped() {
    let place = place();
    for (way, supervisor, confinement) in ways(&place) {
        let mut command = probe_command(&["take", "300"], confinement);
        command.limits.memory_bytes = 100 << 20;
        let error = supervisor.run(&command, &mut |_, _| ()).await.unwrap_err();
        assert!(matches!(&error, ProcessError::Memory { .. }), "{way}: {error:?}");
        assert!(error.to_string().contains("100 MiB"), "{error}");
    }
}

#[tokio::test]
async fn program_that_is_measured_seldom_is_stopped_as_well() {
    let place = place();
    let mut command = probe_command(&["take", "300"], Confinement::Confined(rules(&place.inside)));
    command.limits = Limits { measured: Measured::Seldom, memory_bytes: 100 << 20, ..command.limits };
    let outcome = run(&command).await;
    assert!(matches!(&outcome, Err(ProcessError::Memory { .. })), "{outcome:?}");
}

/// Two ways to hide from a reader of `/proc`: a name that is not text, and a first thread that ended.
#[tokio::test]
async fn program_that_hides_its_memory_is_stopped_as_well() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = place();
    let odd = place.inside.join(std::ffi::OsStr::from_bytes(b"\xff) R 1"));
    fs::copy(helper(), &odd).unwrap();
    for (program, operation) in [(odd, "take"), (helper(), "take-behind")] {
        let mut command = probe_command(&[operation, "300"], Confinement::Confined(rules(&place.inside)));
        command.program = program;
        command.limits.memory_bytes = 100 << 20;
        let outcome = run(&command).await;
        assert!(matches!(&outcome, Err(ProcessError::Memory { .. })), "{operation}: {outcome:?}");
    }
}

/// Eight copies of a process of 20 MiB and more share nearly all of it.
#[tokio::test]
async fn memory_that_processes_share_counts_once() {
    let place = place();
    let copies = "x=$(head -c 20000000 /dev/zero | tr '\\0' x); for i in 1 2 3 4 5 6 7 8; do (sleep 1; :) & done; wait";
    let mut command = script(copies, Confinement::Confined(rules(&place.inside)), &place.inside);
    command.limits.memory_bytes = 120 << 20;
    assert_eq!(run(&command).await.unwrap().exit, Exit::Code(0));
}

#[tokio::test]
async fn file_does_not_grow_beyond_its_limit() {
    let place = place();
    for (way, supervisor, confinement) in ways(&place) {
        let mut command = script("exec head -c 3000000 /dev/zero >file", confinement, &place.inside);
        command.limits.file_bytes = 1 << 20;
        let error = supervisor.run(&command, &mut |_, _| ()).await.unwrap_err();
        assert!(matches!(&error, ProcessError::FileSize { .. }), "{way}: {error:?}");
        assert_eq!(fs::metadata(place.inside.join("file")).unwrap().len(), 1 << 20, "{way}");
    }
}

#[tokio::test]
async fn program_that_fills_the_disk_is_stopped_also_when_it_hides_the_file() {
    // In memory, where few others write while this runs.
    let Ok(parent) = tempfile::tempdir_in("/dev/shm") else {
        crate::skip("there is no file system at /dev/shm");
        return;
    };
    let directory = parent.path().canonicalize().unwrap();
    let confined = || Confinement::Confined(rules(&directory));
    let hidden =
        "exec 3>f; rm f; i=0; while [ $i -lt 64 ]; do head -c 1048576 /dev/zero >&3; i=$((i+1)); done; sleep 5";
    for (fill, confinement) in [
        (hidden, confined()),
        (hidden, Confinement::Unconfined),
        ("for i in 1 2 3 4 5 6 7 8; do head -c 8000000 /dev/zero >f$i; done", confined()),
    ] {
        let mut command = script(fill, confinement, &directory);
        command.limits.disk_bytes = 32 << 20;
        let error = run(&command).await.unwrap_err();
        assert!(matches!(&error, ProcessError::Disk { path, .. } if **path == *directory), "{error:?}");
        for file in fs::read_dir(&directory).unwrap().flatten() {
            fs::remove_file(file.path()).unwrap();
        }
    }
}

#[tokio::test]
async fn limits_cannot_be_raised_again() {
    let place = place();
    let mut command =
        script("ulimit -f unlimited && echo raised; true", Confinement::Confined(rules(&place.inside)), &place.inside);
    command.limits.file_bytes = 1 << 20;
    assert_eq!(run(&command).await.unwrap().stdout.text, "");
    assert_eq!(text(&place.inside), command.directory.to_str().unwrap());
}
