//! Both ways of resolving a path, the kernel's and the walk, agree on every case and never leave the directory.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use bailiwick_sandbox::fs::resolve::{LastLink, Resolution, available, beneath_with};
use proptest::prelude::*;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use std::os::unix::fs::symlink;
use std::path::Path;

fn tree() -> (tempfile::TempDir, OwnedFd) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().join("root");
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    std::fs::write(base.path().join("secret"), "").unwrap();
    std::fs::write(root.join("file"), "").unwrap();
    std::fs::write(root.join("a/file"), "").unwrap();
    for (target, link) in [
        ("../secret", "out"),
        ("/etc", "absolute"),
        ("a/b", "inner"),
        ("..", "a/up"),
        ("../../..", "a/b/far"),
        ("loop", "loop"),
        ("missing", "dangling"),
        ("file", "slashless"),
        ("file/", "slashed"),
        ("/proc/self/root", "magic"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let handle = openat(CWD, &root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
    (base, handle)
}

fn inode(found: Result<OwnedFd, Errno>) -> Result<(u64, u64), Errno> {
    let stat = fstat(found?).unwrap();
    Ok((stat.st_dev, stat.st_ino))
}

#[test]
fn this_kernel_has_openat2() {
    assert_eq!(available(), Resolution::Openat2, "without it this file compares the walk with itself");
}

#[test]
fn every_way_out_is_refused_by_both() {
    let (_base, root) = tree();
    for path in [
        "..",
        "../secret",
        "a/../../secret",
        "out",
        "absolute",
        "absolute/passwd",
        "/etc",
        "/",
        "a/b/far",
        "a/up/../secret",
        "magic",
    ] {
        for resolution in [Resolution::Openat2, Resolution::Walk] {
            let found = inode(beneath_with(resolution, &root, Path::new(path), LastLink::Follow));
            assert_eq!(found, Err(Errno::XDEV), "{resolution:?} {path}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn kernel_and_walk_agree(
        tokens in prop::collection::vec(
            prop::sample::select(vec![".", "..", "a", "b", "file", "out", "absolute", "inner", "up", "far", "loop", "dangling", "slashless", "slashed", "missing", ""]),
            0..7,
        ),
        keep in any::<bool>(),
    ) {
        let (_base, root) = tree();
        let path = tokens.join("/");
        let last = if keep { LastLink::Keep } else { LastLink::Follow };
        let kernel = inode(beneath_with(Resolution::Openat2, &root, Path::new(&path), last));
        let walk = inode(beneath_with(Resolution::Walk, &root, Path::new(&path), last));
        match (kernel, walk) {
            // Which of several errors of one path is met first may differ; that there is one may not.
            (Err(_), Err(_)) => {}
            (kernel, walk) => prop_assert_eq!(kernel, walk, "{}", path),
        }
    }
}
