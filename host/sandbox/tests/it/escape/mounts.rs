//! Filesystems mounted into a grant. Where they are when the grant is opened it is refused; where they come later,
//! nothing of the kernel's is read through them.
//!
//! The test runs once more in a mount namespace of its own, on a directory that its starter made. That process removes
//! nothing, since what it would remove is what is mounted; the starter does, which sees no mount.

use super::{cannot_run, grant, list, read, refused, write};
use crate::common::World;
use bailiwick_sandbox::{Access, ErrorKind, Grant, GrantError, Grants, Reserved};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// The directory to use, set in the process that may mount.
const OWN_NAMESPACE: &str = "BAILIWICK_TEST_MOUNTS";
/// What that process prints when it is through: a filter that matched no test would pass as well.
const THROUGH: &str = "every mount was met";

#[test]
fn what_is_mounted_in_a_grant_opens_no_tree_of_the_kernel() {
    if let Some(base) = std::env::var_os(OWN_NAMESPACE) {
        return in_own_namespace(Path::new(&base));
    }
    let unshare = ["--mount", "--propagation", "private"];
    match Command::new("unshare").args(unshare).arg("true").status() {
        Ok(status) if status.success() => {}
        other => return cannot_run(&format!("a mount namespace of its own needs `unshare` and root: {other:?}")),
    }
    let base = tempfile::tempdir().unwrap();
    let output = Command::new("unshare")
        .args(unshare)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "escape::mounts::what_is_mounted_in_a_grant_opens_no_tree_of_the_kernel", "--nocapture"])
        .env(OWN_NAMESPACE, base.path())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success() && text.contains(THROUGH), "{text}");
}

/// Mounts a filesystem that nothing can be removed from.
fn mount(arguments: &[&str], place: &Path) {
    std::fs::create_dir_all(place).unwrap();
    let done = Command::new("mount").args(arguments).arg(place).status().unwrap();
    assert!(done.success(), "mount {arguments:?}");
}

#[expect(clippy::print_stdout, reason = "the process that started this one reads it")]
fn in_own_namespace(base: &Path) {
    let base = tempfile::Builder::new().disable_cleanup(true).tempdir_in(base).unwrap();
    let (granted, state) = (base.path().join("granted"), base.path().join("state"));
    std::fs::create_dir_all(granted.join("sub")).unwrap();
    std::fs::create_dir(&state).unwrap();
    let grants = Grants::new(vec![grant("box", &granted, Access::ReadWrite)]).unwrap();
    let world = World::with(base, grants);
    mount(&["-t", "proc", "-o", "ro", "proc"], &granted.join("sub/proc"));
    mount(&["-t", "sysfs", "-o", "ro", "sysfs"], &granted.join("sub/sys"));
    mount(&["-t", "tmpfs", "tmpfs"], &granted.join("sub/memory"));
    mount(&["--bind", granted.join("sub/proc/1").to_str().unwrap()], &granted.join("sub/one"));
    for path in ["proc/self/environ", "proc/1/status", "proc/1/root/etc/hostname", "sys/kernel/notes", "one/status"] {
        assert_eq!(read(&world, &format!("box/sub/{path}")), Err(ErrorKind::NotPermitted), "{path}");
    }
    for path in ["proc", "proc/self", "proc/self/fd", "proc/1/root", "sys", "sys/kernel", "one"] {
        assert_eq!(list(&world, &format!("box/sub/{path}")), Err(ErrorKind::NotPermitted), "{path}");
    }
    // A knob that changes nothing when it is written with what it has.
    let knob = world.call("WriteFile", &json!({"filePath": "box/sub/proc/self/comm", "content": "tests\n"}));
    assert_eq!(refused(&knob), ErrorKind::NotPermitted);
    let all = list(&world, "box").unwrap();
    assert!(!all.iter().any(|(name, _)| name.contains("environ") || name.contains("kernel/")), "{all:?}");
    // A mounted tmpfs is a directory like any other.
    assert_eq!(write(&world, "box/sub/memory/new.txt", "new\n"), Ok(()));
    assert_eq!(read(&world, "box/sub/memory/new.txt").unwrap(), "new\n");

    // Opened now, the grant is refused, and so is everything from the mount to the root.
    for path in ["", "sub", "sub/proc", "sub/proc/self", "sub/sys", "sub/sys/kernel", "sub/one", ".."] {
        let refused = Grant::open("box", &granted.join(path), Access::ReadOnly, &Reserved::none()).unwrap_err();
        assert!(matches!(refused, GrantError::Kernel(_)), "{path}: {refused}");
    }

    // A directory of the host's own by a second way is the same directory.
    std::fs::create_dir_all(state.join("audit/deeper")).unwrap();
    for (part, name) in [("", "bound"), ("audit", "part of it"), ("audit/deeper", "part")] {
        let bound = granted.join("sub").join(name);
        mount(&["--bind", state.join(part).to_str().unwrap()], &bound);
        let refused = Grant::open("box", &bound, Access::ReadOnly, &Reserved::new([state.clone()])).unwrap_err();
        assert!(matches!(refused, GrantError::Reserved(_)), "{part}: {refused}");
    }
    // What is read-only by one way is not written by another.
    let (written, shown) = (granted.join("sub/written"), granted.join("sub/shown"));
    std::fs::create_dir_all(written.join("part")).unwrap();
    mount(&["--bind", written.join("part").to_str().unwrap()], &shown);
    let open = |name, path: &Path, access| Grant::open(name, path, access, &Reserved::none()).unwrap();
    let both = vec![open("a", &written, Access::ReadWrite), open("b", &shown, Access::ReadOnly)];
    let refused = Grants::new(both).and_then(Grants::apart).unwrap_err();
    assert!(matches!(refused, GrantError::Within { .. }), "{refused}");
    println!("{THROUGH}");
}
