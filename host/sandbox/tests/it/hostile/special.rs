//! Group 6 of the escape matrix, what cannot be removed, and great depth.

use super::world::World;
use bailiwick_sandbox::{Access, DenialReason};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Says why something could not be tried. Where everything must be tried, that is a failure.
#[expect(clippy::print_stdout, reason = "a test says what it could not try")]
pub(crate) fn cannot(what: &str, why: impl std::fmt::Display) {
    assert!(std::env::var_os("CI").is_none(), "{what} could not be tried: {why}");
    println!("{what} could not be tried: {why}");
}

fn make(path: &Path, kind: FileType, device: u64) {
    if let Err(error) = rustix::fs::mknodat(CWD, path, kind, Mode::from_raw_mode(0o666), device) {
        cannot(&format!("{kind:?}"), format!("mknod: {error} (devices need root)"));
    }
}

#[test]
pub(crate) fn special_files_are_never_opened() {
    let world = World::usual();
    let mut sockets = Vec::new();
    for tree in ["granted", "frozen"] {
        let at = |name: &str| world.at(tree).join(name);
        make(&at("fifo"), FileType::Fifo, 0);
        make(&at("zero"), FileType::CharacterDevice, rustix::fs::makedev(1, 5));
        make(&at("null"), FileType::CharacterDevice, rustix::fs::makedev(1, 3));
        make(&at("tty"), FileType::CharacterDevice, rustix::fs::makedev(5, 0));
        // A RAM disk that hardly any machine has: nothing is lost should it be opened after all.
        make(&at("block"), FileType::BlockDevice, rustix::fs::makedev(1, 255));
        sockets.push(std::os::unix::net::UnixListener::bind(at("socket")).unwrap());
        world.link(&format!("{tree}/to-fifo"), "fifo");
        world.link(&format!("{tree}/to-zero"), "zero");
    }
    let started = Instant::now();
    let ran = world.run_in_vain("special_files_are_never_opened");
    // A FIFO without a writer would block until the deadline, which is twice as long.
    assert!(started.elapsed() < Duration::from_secs(60));
    ran.assert_only(|answer| {
        matches!(answer.call.as_str(), "stat-at" | "stat-at follow" | "metadata-hash-at" | "metadata-hash-at follow")
            || answer.call == "readdir"
            || (answer.call == "readlink-at" && answer.path.starts_with("to-"))
    });
    ran.assert_denied_for(DenialReason::Special);
    assert_eq!(ran.result("stat-at", "fifo"), "ok: fifo");
    assert_eq!(ran.result("stat-at", "socket"), "ok: socket");
    assert_eq!(ran.result("open-at", "fifo"), "no-device");
    assert_eq!(ran.result("open-at follow", "to-fifo"), "no-device");
}

#[test]
pub(crate) fn a_running_program_is_not_written() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    std::fs::copy("/bin/sleep", world.at("granted/running")).unwrap();
    let mut running = Command::new(world.at("granted/running")).arg("60").spawn().unwrap();
    // The kernel knows it as running once the image is loaded.
    let link = format!("/proc/{}/exe", running.id());
    while std::fs::read_link(&link).is_ok_and(|exe| !exe.ends_with("running")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let before = std::fs::read(world.at("granted/running")).unwrap();
    let ran = world.run("a_running_program_is_not_written");
    let after = std::fs::read(world.at("granted/running")).unwrap();
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(before == after, "a running program was overwritten");
    assert_eq!(ran.result("create", "running"), "text-file-busy");
    ran.assert_only(|answer| !answer.call.ends_with("write") && !answer.call.ends_with("set-size"));
}

#[test]
pub(crate) fn directories_are_not_files() {
    let ran = World::usual().run_in_vain("directories_are_not_files");
    ran.assert_only(|answer| answer.call.starts_with("open-at") && !answer.call.contains("write"));
    ran.assert_results(&[
        ("create", "sub", "is-directory"),
        ("read", ".", "bad-descriptor"),
        ("write", ".", "bad-descriptor"),
        ("rename-at", "sub -> sub/deeper/sub", "invalid"),
        ("rename-at", "sub -> inside.txt", "exist"),
        ("remove-directory-at", "sub (not empty)", "not-empty"),
        ("remove-directory-at", "inside.txt", "not-directory"),
    ]);
    let as_file = ran.answers.iter().find(|answer| answer.result.starts_with("ok: regular-file"));
    assert!(as_file.is_none(), "a directory was opened as a file: {as_file:?}");
}

#[test]
pub(crate) fn the_root_of_a_grant_cannot_be_removed() {
    let world = World::usual();
    // Empty, so that nothing but a refusal keeps it.
    let empty = world.at("granted");
    std::fs::remove_dir_all(empty.join("sub")).unwrap();
    std::fs::remove_file(empty.join("inside.txt")).unwrap();
    world.run_in_vain("the_root_of_a_grant_cannot_be_removed").assert_nothing_succeeded();
    assert!(empty.is_dir());
}

const LEVELS: u64 = 10_000;

#[test]
pub(crate) fn a_tree_of_ten_thousand_levels_is_walked() {
    let world = World::new().grant("box", "granted", Access::ReadWrite);
    let open = |at: &rustix::fd::OwnedFd| {
        rustix::fs::openat(at, "d", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap()
    };
    let mut here = rustix::fs::openat(CWD, world.at("granted"), OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
    for _ in 0..LEVELS {
        rustix::fs::mkdirat(&here, "d", Mode::from_raw_mode(0o755)).unwrap();
        here = open(&here);
    }
    let bottom = rustix::fs::openat(&here, "bottom.txt", OFlags::CREATE | OFlags::WRONLY, Mode::from_raw_mode(0o644));
    rustix::io::write(bottom.unwrap(), b"bottom").unwrap();

    let ran = world.run("a_tree_of_ten_thousand_levels_is_walked");

    // Removed from the bottom up: by its path it is too long, and by recursion too deep.
    rustix::fs::unlinkat(&here, "bottom.txt", AtFlags::empty()).unwrap();
    for _ in 0..LEVELS {
        here = rustix::fs::openat(&here, "..", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        rustix::fs::unlinkat(&here, "d", AtFlags::REMOVEDIR).unwrap();
    }
    assert_eq!(ran.result("depth", "d"), format!("ok: {LEVELS}"));
    assert_eq!(ran.result("read", "at the bottom"), "ok: bottom");
    ran.assert_only(|answer| answer.call == "depth" || answer.path == "at the bottom");
}
