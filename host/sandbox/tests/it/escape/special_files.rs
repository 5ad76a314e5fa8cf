//! Special files: never opened, never waited for, never replaced.

use super::{all_attempts, attempts, cannot_run, list, read, refused, write};
use crate::common::World;
use bailiwick_sandbox::{Access, ErrorKind};
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use rustix::io::Errno;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::time::Duration;

fn make(world: &World, name: &str, kind: FileType, device: u64) -> Result<(), Errno> {
    mknodat(CWD, world.granted().join(name), kind, Mode::from_raw_mode(0o666), device)
}

/// Every tool refuses `path` without waiting, and it is listed as `other`.
fn assert_left_alone(world: &World, name: &str) {
    let path = format!("box/{name}");
    let kind = std::fs::symlink_metadata(world.granted().join(name)).unwrap().file_type();
    for (tool, input) in all_attempts(&path) {
        let report = world.call(tool, &input);
        assert_eq!(refused(&report), ErrorKind::WrongKind, "{tool} {name}: {:?}", report.outcome);
        assert!(report.cost.wall < Duration::from_secs(5), "{tool} waited for {name}");
        assert!(tool == "ListFiles" || report.cost.denied > 0, "{tool} {name} is not counted");
    }
    assert_eq!(world.sandbox.stuck(), 0, "{name}");
    let listed = list(world, "box").unwrap();
    assert!(listed.contains(&(name.to_owned(), "other".to_owned())), "{listed:?}");
    assert_eq!(std::fs::symlink_metadata(world.granted().join(name)).unwrap().file_type(), kind, "{name} was replaced");
}

#[test]
fn fifo_is_refused_without_blocking() {
    let world = World::new(Access::ReadWrite);
    make(&world, "pipe", FileType::Fifo, 0).unwrap();
    assert_left_alone(&world, "pipe");
}

#[test]
fn fifo_with_a_peer_is_neither_read_nor_written() {
    let world = World::new(Access::ReadWrite);
    make(&world, "pipe", FileType::Fifo, 0).unwrap();
    let mut both = std::fs::File::options().read(true).write(true).open(world.granted().join("pipe")).unwrap();
    std::io::Write::write_all(&mut both, b"waiting\n").unwrap();
    assert_left_alone(&world, "pipe");
    let mut found = [0; 64];
    let count = std::io::Read::read(&mut both, &mut found).unwrap();
    assert_eq!(&found[..count], b"waiting\n");
}

#[test]
fn fifo_behind_a_link_is_refused_like_itself() {
    let world = World::new(Access::ReadWrite);
    make(&world, "pipe", FileType::Fifo, 0).unwrap();
    std::os::unix::fs::symlink("pipe", world.granted().join("link")).unwrap();
    for (tool, input) in attempts("box/link") {
        assert_eq!(refused(&world.call(tool, &input)), ErrorKind::WrongKind, "{tool}");
    }
    assert!(std::fs::symlink_metadata(world.granted().join("link")).unwrap().is_symlink());
}

#[test]
fn socket_is_refused_and_not_connected_to() {
    let world = World::new(Access::ReadWrite);
    let listener = UnixListener::bind(world.granted().join("socket")).unwrap();
    listener.set_nonblocking(true).unwrap();
    assert_left_alone(&world, "socket");
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

// Major and minor numbers as in the kernel's `devices.txt`.
#[test]
fn device_node_is_refused() {
    let world = World::new(Access::ReadWrite);
    for (name, kind, major, minor) in [
        ("null", FileType::CharacterDevice, 1, 3),
        ("zero", FileType::CharacterDevice, 1, 5),
        ("full", FileType::CharacterDevice, 1, 7),
        ("mem", FileType::CharacterDevice, 1, 1),
        ("kmsg", FileType::CharacterDevice, 1, 11),
        ("tty", FileType::CharacterDevice, 5, 0),
        ("loop", FileType::BlockDevice, 7, 0),
        ("disk", FileType::BlockDevice, 8, 0),
    ] {
        match make(&world, name, kind, makedev(major, minor)) {
            Ok(()) => assert_left_alone(&world, name),
            Err(errno @ (Errno::PERM | Errno::ACCESS)) => {
                return cannot_run(&format!("device nodes are made by root alone: {errno}"));
            }
            Err(errno) => panic!("{name}: {errno}"),
        }
    }
}

#[test]
fn link_to_a_device_of_the_host_is_refused() {
    let world = World::new(Access::ReadWrite);
    for target in ["/dev/null", "/dev/zero", "/dev/tty", "/dev/random", "/dev/shm"] {
        std::os::unix::fs::symlink(target, world.granted().join("device")).unwrap();
        for (tool, input) in all_attempts("box/device") {
            assert_eq!(refused(&world.call(tool, &input)), ErrorKind::NotPermitted, "{tool} {target}");
        }
        std::fs::remove_file(world.granted().join("device")).unwrap();
    }
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn directory_is_not_a_file_and_file_is_not_a_directory() {
    let world = World::new(Access::ReadWrite);
    for (tool, input) in attempts("box/sub") {
        assert_eq!(refused(&world.call(tool, &input)), ErrorKind::WrongKind, "{tool}");
    }
    for (tool, input) in all_attempts("box/inside.txt/x") {
        assert_eq!(refused(&world.call(tool, &input)), ErrorKind::WrongKind, "{tool}");
    }
    assert_eq!(list(&world, "box/inside.txt"), Err(ErrorKind::WrongKind));
    assert!(world.granted().join("sub").is_dir());
}

// The kernel lets no process write into a running program (`ETXTBSY`). A new file in its place is harmless.
#[test]
fn running_program_is_replaced_and_runs_on() {
    let world = World::new(Access::ReadWrite);
    let program = world.granted().join("program");
    let Some(sleep) = ["/bin/sleep", "/usr/bin/sleep"].into_iter().find(|path| std::path::Path::new(path).exists())
    else {
        return cannot_run("there is no `sleep` to run");
    };
    std::fs::copy(sleep, &program).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    // A copy some other thread was forking over is busy for a moment.
    let mut running = loop {
        match std::process::Command::new(&program).arg("60").spawn() {
            Err(error) if error.raw_os_error() == Some(Errno::TXTBSY.raw_os_error()) => std::thread::yield_now(),
            started => break started.unwrap(),
        }
    };
    assert_eq!(read(&world, "box/program"), Err(ErrorKind::NotText));
    assert_eq!(write(&world, "box/program", "#!/bin/sh\n"), Ok(()));
    assert_eq!(std::fs::read_to_string(&program).unwrap(), "#!/bin/sh\n");
    assert_eq!(std::fs::metadata(&program).unwrap().permissions().mode() & 0o777, 0o755);
    assert!(running.try_wait().unwrap().is_none(), "it was stopped");
    running.kill().unwrap();
    running.wait().unwrap();
}
