//! Modes and times of what a tool makes and replaces.

use super::{cannot_run, patch, read, write};
use crate::common::World;
use bailiwick_sandbox::Access;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, XattrFlags, getxattr, setxattr, utimensat};
use rustix::io::Errno;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
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
        assert_eq!(super::list(&world, "box").unwrap().len(), 2, "{seconds}");
        assert_eq!(patch(&world, "box/inside.txt", "inside", "patched"), Ok(()), "{seconds}");
        assert_eq!(write(&world, "box/inside.txt", "inside\n"), Ok(()), "{seconds}");
    }
}

/// Both tools that replace a file, done to `path`.
fn replace_both_ways(world: &World, path: &str) {
    std::fs::write(world.granted().join(path.strip_prefix("box/").unwrap()), "old\n").unwrap();
    assert_eq!(patch(world, path, "old", "new"), Ok(()));
    assert_eq!(write(world, path, "old\n"), Ok(()));
}

#[test]
fn replaced_file_stays_its_owners() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    for (owner, group) in [(12_345, 54_321), (0, 54_321), (12_345, 0)] {
        if let Err(error) = std::os::unix::fs::chown(&path, Some(owner), Some(group)) {
            return cannot_run(&format!("files are given away by root alone: {error}"));
        }
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4640)).unwrap();
        replace_both_ways(&world, "box/inside.txt");
        let found = std::fs::metadata(&path).unwrap();
        assert_eq!((found.uid(), found.gid(), mode(&path)), (owner, group, 0o640));
    }
}

/// An access control list as the kernel takes it: the version, then tag, permission and whose of each entry.
fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permission, whose) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(permission.to_le_bytes());
        list.extend(whose.to_le_bytes());
    }
    list
}

const OWNER: u16 = 0x01;
const USER: u16 = 0x02;
const GROUP: u16 = 0x04;
const MASK: u16 = 0x10;
const OTHERS: u16 = 0x20;
const NOBODY: u32 = u32::MAX;

fn access_list(path: &Path) -> Result<Vec<u8>, Errno> {
    let mut found = Vec::with_capacity(1024);
    getxattr(path, "system.posix_acl_access", rustix::buffer::spare_capacity(&mut found))?;
    Ok(found)
}

// With such a list the group bits of the mode are its mask. Kept alone they gave the group what was one user's.
#[test]
fn replaced_file_keeps_the_list_of_who_may_use_it() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("inside.txt");
    let one_user =
        list(&[(OWNER, 6, NOBODY), (USER, 6, 12_345), (GROUP, 0, NOBODY), (MASK, 6, NOBODY), (OTHERS, 0, NOBODY)]);
    if let Err(errno) = setxattr(&path, "system.posix_acl_access", &one_user, XattrFlags::empty()) {
        return cannot_run(&format!("this filesystem has no access control lists: {errno}"));
    }
    assert_eq!(mode(&path), 0o660);
    replace_both_ways(&world, "box/inside.txt");
    assert_eq!(access_list(&path), Ok(one_user));
    assert_eq!(mode(&path), 0o660);
}

#[test]
fn replaced_file_gets_no_list_from_its_directory() {
    let world = World::new(Access::ReadWrite);
    let (directory, path) = (world.granted().join("sub"), world.granted().join("sub/file.txt"));
    std::fs::write(&path, "old\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o660)).unwrap();
    let for_new_files =
        list(&[(OWNER, 7, NOBODY), (USER, 7, 12_345), (GROUP, 0, NOBODY), (MASK, 7, NOBODY), (OTHERS, 0, NOBODY)]);
    if let Err(errno) = setxattr(&directory, "system.posix_acl_default", &for_new_files, XattrFlags::empty()) {
        return cannot_run(&format!("this filesystem has no access control lists: {errno}"));
    }
    replace_both_ways(&world, "box/sub/file.txt");
    assert_eq!(access_list(&path), Err(Errno::NODATA));
    assert_eq!(mode(&path), 0o660);
    // A file that is new takes it, as any program's would.
    assert_eq!(write(&world, "box/sub/new.txt", "x"), Ok(()));
    assert!(access_list(&world.granted().join("sub/new.txt")).is_ok());
}
