use super::*;

/// Cargo gives its tests variables of their own, which stand for whatever else is in an environment.
#[test]
fn git_is_given_what_it_needs_and_nothing_else_of_the_environment() {
    let directory = tempfile::tempdir().unwrap();
    for git in [Git::at(directory.path()), Git::in_clone(directory.path())] {
        let text = git.text(&["-c", "alias.told=!env", "told"]).unwrap();
        assert!(text.contains("PATH="), "{text}");
        assert!(!text.contains("CARGO"), "{text}");
    }
}

/// A repository whose configuration names a program for whatever git could start, and where that leaves its mark.
fn hostile() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let witness = directory.path().join("witness");
    let program = directory.path().join("program");
    std::fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> {}\nexit 1\n", witness.display())).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = program.display();
    Git::at(directory.path()).run(&["init", "--quiet", "--template="]).unwrap();
    let empty = directory.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    Git::at(&empty).run(&["init", "--quiet", "--bare", "--template="]).unwrap();
    let empty = empty.display();
    let configuration = format!(
        "[core]\nrepositoryformatversion = 1\nfsmonitor = {program}\nsshCommand = {program}\ngitProxy = {program}\n\
         alternateRefsCommand = {program}\naskPass = {program}\nhooksPath = {empty}/hooks\n\
         [extensions]\npartialClone = origin\n[protocol]\nallow = always\n[protocol \"ext\"]\nallow = always\n\
         [remote \"origin\"]\nurl = {empty}\npromisor = true\nuploadpack = {program}\n\
         [remote \"ext\"]\nurl = ext::{program}\npromisor = true\n\
         [remote \"ssh\"]\nurl = ssh://127.0.0.1/x\npromisor = true\n\
         [remote \"git\"]\nurl = git://127.0.0.1/x\npromisor = true\n\
         [url \"ext::{program} \"]\ninsteadOf = https://\n[remote \"instead\"]\nurl = https://x\npromisor = true\n"
    );
    std::fs::write(directory.path().join(".git/config"), configuration).unwrap();
    (directory, witness)
}

#[test]
fn configuration_of_a_clone_starts_nothing_where_something_is_missing() {
    let (directory, witness) = hostile();
    let none = "0123456789012345678901234567890123456789";
    let ask = |git: &Git| {
        let _ = git.run(&["rev-parse", "--verify", "--quiet", &format!("{none}^{{commit}}")]);
        let _ = git.fed(&["cat-file", "--batch"], format!("{none}:file\n").as_bytes());
        let _ = git.run(&["merge-base", none, none]);
        let _ = git.fed(&["update-ref", "--stdin"], format!("create refs/heads/x {none}\n").as_bytes());
        let _ = git.run(&["fetch", "--quiet", "origin"]);
    };
    ask(&Git::in_clone(directory.path()).without_hooks().unwrap());
    assert!(!witness.exists(), "{}", std::fs::read_to_string(&witness).unwrap());
    // The programs are ones that git starts there.
    ask(&Git::at(directory.path()));
    assert!(witness.exists());
}

#[test]
fn hooks_that_a_clone_configures_are_switched_off_whatever_they_are_called() {
    let (directory, _) = hostile();
    let git = Git::in_clone(directory.path());
    for name in ["plain", "with.dot", "with=sign", "with space"] {
        git.run(&["config", &format!("hook.{name}.event"), "reference-transaction"]).unwrap();
        git.run(&["config", &format!("hook.{name}.command"), "false"]).unwrap();
    }
    let git = git.without_hooks().unwrap();
    for name in ["plain", "with.dot", "with=sign", "with space"] {
        assert_eq!(git.text(&["config", "--get", &format!("hook.{name}.enabled")]).unwrap(), "false", "{name}");
    }
}

#[test]
fn pipe_in_the_place_of_what_git_reads_keeps_it_no_longer_than_it_may_take() {
    let directory = tempfile::tempdir().unwrap();
    Git::at(directory.path()).run(&["init", "--quiet", "--template="]).unwrap();
    let head = directory.path().join(".git/HEAD");
    std::fs::remove_file(&head).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &head, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let git = Git { longest: Duration::from_secs(1), ..Git::in_clone(directory.path()) };
    let error = git.run(&["rev-parse", "HEAD"]).unwrap_err().to_string();
    assert!(error.contains("did not end within 1 s"), "{error}");
}

/// What git starts holds its pipes, and what git locks is the person's.
#[test]
fn git_that_is_late_leaves_no_lock_and_ends_with_what_it_started() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    let git = Git { longest: Duration::from_secs(5), ..Git::in_clone(place) };
    git.run(&["init", "--quiet", "--template="]).unwrap();
    let number = place.join("number");
    git.run(&["config", "filter.slow.clean", &format!("echo $$ > '{}'; exec sleep 600", number.display())]).unwrap();
    std::fs::write(place.join(".gitattributes"), "slow filter=slow\n").unwrap();
    std::fs::write(place.join("slow"), "text").unwrap();
    let error = git.run(&["update-index", "--add", "slow"]).unwrap_err().to_string();
    assert!(error.contains("did not end within 5 s"), "{error}");
    let started = std::fs::read_to_string(&number).unwrap();
    assert!(!place.join(".git/index.lock").exists());
    // One that has ended stays in the list until its parent has looked at it.
    let lives = || {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", started.trim())).unwrap_or_default();
        state.split(") ").nth(1).is_some_and(|state| !state.starts_with('Z'))
    };
    assert!((0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(if lives() { 100 } else { 0 }));
        !lives()
    }));
}

#[test]
fn what_git_leaves_behind_with_its_pipes_keeps_no_one_and_what_git_said_is_whole() {
    let directory = tempfile::tempdir().unwrap();
    let git = Git::in_clone(directory.path());
    let number = directory.path().join("number");
    // More than a pipe holds, and an input that is not read.
    let alias = format!("alias.told=!sleep 600 & echo $! > '{}'; seq 100000", number.display());
    let said = String::from_utf8(git.fed(&["-c", &alias, "told"], &[b'x'; 1 << 20]).unwrap()).unwrap();
    assert_eq!(said.lines().count(), 100_000);
    let started = std::fs::read_to_string(&number).unwrap();
    let lives = Path::new("/proc").join(started.trim()).exists();
    assert!(Command::new("kill").arg(started.trim()).status().unwrap().success());
    assert!(lives, "what ends in time takes nothing with it");
    // All of an input is read, and said again.
    let text = vec![b'x'; 1 << 20];
    assert_eq!(git.fed(&["-c", "alias.again=!cat", "again"], &text).unwrap(), text);
}
