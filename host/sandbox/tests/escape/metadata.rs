//! Modes and times of what a tool makes and replaces.

use crate::common::World;
use crate::{cannot_run, list, patch, read, write};
use bailiwick_sandbox::Access;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn replaced_file_keeps_its_permissions_and_loses_what_it_could_run_as() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    for (before, after) in [
        (0o600, 0o600),
        (0o644, 0o644),
        (0o755, 0o755),
        (0o440, 0o440),
        (0o666, 0o666),
        (0o777, 0o777),
        (0o4755, 0o755),
        (0o2755, 0o755),
        (0o6711, 0o711),
        (0o1644, 0o644),
    ] {
        for tool in ["WriteFile", "CodePatch"] {
            std::fs::write(&path, "old\n").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(before)).unwrap();
            let done = match tool {
                "WriteFile" => write(&world, "box/inside.txt", "new\n"),
                _ => patch(&world, "box/inside.txt", "old", "new"),
            };
            assert_eq!(done, Ok(()), "{tool} {before:o}");
            assert_eq!(mode(&path), after, "{tool} {before:o}");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
    }
}

#[test]
fn refused_write_changes_no_mode() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4755)).unwrap();
    assert!(patch(&world, "box/inside.txt", "nowhere in it", "x").is_err());
    assert_eq!(mode(&path), 0o4755);
}

#[test]
fn new_file_and_directory_have_what_the_umask_leaves() {
    let Some(umask) = umask() else { return cannot_run("`/proc/self/status` does not tell the umask") };
    let world = World::new(Access::ReadWrite);
    assert_eq!(write(&world, "box/made/new.txt", "x"), Ok(()));
    assert_eq!(mode(&world.granted().join("made/new.txt")), 0o666 & !umask);
    assert_eq!(mode(&world.granted().join("made")), 0o777 & !umask);
}

/// This process's. Asking the kernel by the call would change it for every other test.
fn umask() -> Option<u32> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(line.trim(), 8).ok()
}

#[test]
fn file_of_before_1970_or_far_ahead_is_used_like_any_other() {
    let world = World::new(Access::ReadWrite);
    for seconds in [-1, -2_000_000_000, 0, 4_000_000_000, 15_000_000_000] {
        for path in ["inside.txt", "sub"] {
            let time = Timespec { tv_sec: seconds, tv_nsec: 999_999_999 };
            let times = Timestamps { last_access: time, last_modification: time };
            utimensat(CWD, world.granted().join(path), &times, AtFlags::empty()).unwrap();
        }
        assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n", "{seconds}");
        assert_eq!(list(&world, "box").unwrap().len(), 2, "{seconds}");
        assert_eq!(patch(&world, "box/inside.txt", "inside", "patched"), Ok(()), "{seconds}");
        assert_eq!(write(&world, "box/inside.txt", "inside\n"), Ok(()), "{seconds}");
    }
}
