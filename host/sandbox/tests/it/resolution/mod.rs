//! Both ways of resolving a path, the kernel's and the walk, agree on every case and never leave the directory. What
//! they may find is said by an oracle that trusts neither: the host's own view of where a path leads.

mod filtered;

use bailiwick_sandbox::fs::resolve::{LastLink, Resolution, available, beneath_with};
use proptest::prelude::*;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

const BOTH: [Resolution; 2] = [Resolution::Openat2, Resolution::Walk];

struct Tree {
    base: tempfile::TempDir,
    root: OwnedFd,
}

impl Tree {
    fn new() -> Self {
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
        let root = openat(CWD, &root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
        Self { base, root }
    }

    fn link(&self, target: &str, at: &str) {
        let at = self.base.path().join("root").join(at);
        let _ = std::fs::remove_file(&at);
        symlink(target, at).unwrap();
    }

    fn resolve(&self, resolution: Resolution, path: &str, last: LastLink) -> Result<(u64, u64), Errno> {
        inode(beneath_with(resolution, &self.root, Path::new(path), last))
    }

    /// Where the host says `path` leads, links followed: `None` where that is nowhere, or not beneath the root.
    fn oracle(&self, path: &str) -> Option<(u64, u64)> {
        let root = self.base.path().join("root").canonicalize().unwrap();
        let found = root.join(path).canonicalize().ok()?;
        let metadata = std::fs::metadata(&found).ok()?;
        // A slash after a file names nothing, which making the path canonical overlooks.
        std::fs::metadata(root.join(path)).ok()?;
        found.starts_with(&root).then(|| (metadata.dev(), metadata.ino()))
    }

    /// Panics unless both say the same, and neither finds what the oracle does not.
    fn assert_agreement(&self, path: &str, last: LastLink) -> Result<(u64, u64), Errno> {
        let [kernel, walk] = BOTH.map(|resolution| self.resolve(resolution, path, last));
        assert_eq!(kernel.ok(), walk.ok(), "{path} {last:?}: {kernel:?} by the kernel, {walk:?} by the walk");
        if last == LastLink::Follow && kernel.is_ok() {
            assert_eq!(kernel.ok(), self.oracle(path), "{path} leads elsewhere");
        }
        kernel
    }
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
    let tree = Tree::new();
    for path in [
        "..",
        "../",
        "../.",
        "./..",
        "../secret",
        "../root",
        "../root/file",
        "a/../../secret",
        "a/b/../../..",
        "out",
        "absolute",
        "absolute/passwd",
        "/etc",
        "/",
        "//",
        "/.",
        "a/b/far",
        "a/up/../secret",
        "a/up/out",
        "inner/../../../secret",
        "magic",
        "magic/etc",
    ] {
        for resolution in BOTH {
            let found = tree.resolve(resolution, path, LastLink::Follow);
            assert_eq!(found, Err(Errno::XDEV), "{resolution:?} {path}");
        }
    }
}

/// Ways of writing a path to a directory, all of which mean the same.
const ENDINGS: [&str; 4] = ["", "/", "/.", "/./"];

#[test]
fn step_up_at_the_end_of_a_link_is_the_directory_above_what_it_means() {
    let tree = Tree::new();
    for (stem, there) in [
        ("b/..", Some("a")),
        ("..", Some(".")),
        ("../a/b/..", Some("a")),
        ("../inner/..", Some("a")),
        ("../..", None),
        ("b/../../..", None),
    ] {
        for in_link in ENDINGS {
            tree.link(&format!("{stem}{in_link}"), "a/turn");
            for in_path in ENDINGS {
                let path = format!("a/turn{in_path}");
                let found = tree.assert_agreement(&path, LastLink::Follow);
                let expected = match there {
                    Some(there) => Ok(tree.oracle(there).unwrap()),
                    None => Err(Errno::XDEV),
                };
                assert_eq!(found, expected, "{path} -> {stem}{in_link}");
                let walked = tree.resolve(Resolution::Walk, &path, LastLink::Follow);
                assert_eq!(walked, expected, "{path} -> {stem}{in_link}");
            }
        }
    }
}

#[test]
fn step_up_after_a_link_is_taken_from_where_the_link_leads() {
    let tree = Tree::new();
    tree.link("inner", "twice");
    tree.link("../inner", "a/beside");
    for (path, there) in [
        ("inner/..", "a"),
        ("inner/../", "a"),
        ("inner/./..", "a"),
        ("inner//..//", "a"),
        ("inner/../file", "a/file"),
        ("inner/../b", "a/b"),
        ("inner/../..", "."),
        ("inner/../../file", "file"),
        ("twice/..", "a"),
        ("twice/../file", "a/file"),
        ("twice/../../inner/../file", "a/file"),
        ("a/beside/..", "a"),
        ("a/beside/../../file", "file"),
        ("a/up/file", "file"),
        ("a/up/a/up/a/file", "a/file"),
        ("a/up/inner/../../file", "file"),
    ] {
        let found = tree.assert_agreement(path, LastLink::Follow);
        assert_eq!(found.ok(), tree.oracle(there), "{path}");
        assert!(found.is_ok(), "{path}: {found:?}");
    }
}

#[test]
fn what_ends_in_a_slash_is_a_directory_or_nothing() {
    let tree = Tree::new();
    let endings = ["", "/", "//", "/.", "/./", "/./.", "/..", "/../", "/x"];
    let mut found = BTreeMap::new();
    for name in ["file", "a", "a/b", "inner", "slashless", "slashed", "dangling", "loop", "missing", "out", ".", ""] {
        for ending in endings {
            for last in [LastLink::Follow, LastLink::Keep] {
                let path = format!("{name}{ending}");
                found.insert((path.clone(), last == LastLink::Keep), tree.assert_agreement(&path, last));
            }
        }
    }
    for name in ["file", "slashless"] {
        for ending in &endings[1..] {
            assert_eq!(found[&(format!("{name}{ending}"), false)], Err(Errno::NOTDIR), "{name}{ending}");
        }
        assert_eq!(found[&(name.to_owned(), false)].ok(), tree.oracle("file"));
    }
    for ending in ["/", "//", "/.", "/./"] {
        // A link that is kept is the link, unless something follows it.
        assert_eq!(found[&(format!("inner{ending}"), true)].ok(), tree.oracle("a/b"), "inner{ending}");
    }
    assert_ne!(found[&("inner".to_owned(), true)], found[&("inner/".to_owned(), true)]);
}

#[test]
fn loop_made_by_a_rename_is_found_by_both() {
    let tree = Tree::new();
    let root = tree.base.path().join("root");
    tree.link("two", "one");
    std::fs::write(root.join("two"), "").unwrap();
    assert!(tree.assert_agreement("one", LastLink::Follow).is_ok());
    std::fs::rename(root.join("one"), root.join("two")).unwrap();
    tree.link("../turn", "a/b/turn");
    tree.link("b/turn", "a/turn");
    std::fs::rename(root.join("a/b"), root.join("a/c")).unwrap();
    symlink("c", root.join("a/b")).unwrap();
    for path in ["two", "two/", "two/..", "a/turn", "a/b/turn", "a/c/turn/x"] {
        for resolution in BOTH {
            let found = tree.resolve(resolution, path, LastLink::Follow);
            assert_eq!(found, Err(Errno::LOOP), "{resolution:?} {path}");
        }
    }
    assert!(tree.assert_agreement("two", LastLink::Keep).is_ok());
}

#[test]
fn forty_links_are_followed_and_one_more_is_not() {
    let tree = Tree::new();
    tree.link("file", "link-1");
    for number in 2..=41 {
        tree.link(&format!("link-{}", number - 1), &format!("link-{number}"));
    }
    assert_eq!(tree.assert_agreement("link-40", LastLink::Follow).ok(), tree.oracle("file"));
    assert!(tree.assert_agreement("link-41", LastLink::Keep).is_ok());
    for resolution in BOTH {
        assert_eq!(tree.resolve(resolution, "link-41", LastLink::Follow), Err(Errno::LOOP), "{resolution:?}");
        assert_eq!(tree.resolve(resolution, "link-41/x", LastLink::Follow), Err(Errno::LOOP), "{resolution:?}");
    }
}

// What the kernel makes of these links is not a name: a program that follows one is where it points, whatever lies between. The
// grant of such a directory is refused; this is the net below that.
#[test]
fn magic_link_is_followed_by_neither() {
    let open = std::fs::File::open("/").unwrap();
    let (_reader, pipe) = std::io::pipe().unwrap();
    let proc = openat(CWD, "/proc/self", OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
    let (fd, pipe) = (format!("fd/{}", open.as_raw_fd()), format!("fd/{}", pipe.as_raw_fd()));
    for path in [
        "root",
        "root/",
        "root/etc",
        "cwd",
        "cwd/..",
        "exe",
        "task/../root",
        "ns/mnt",
        &fd,
        &pipe,
        &format!("{fd}/etc"),
    ] {
        for resolution in BOTH {
            let found = inode(beneath_with(resolution, &proc, Path::new(path), LastLink::Follow));
            assert!(found.is_err(), "{resolution:?} followed {path}");
        }
    }
    for path in ["status", "task", "fd"] {
        let [kernel, walk] =
            BOTH.map(|resolution| inode(beneath_with(resolution, &proc, Path::new(path), LastLink::Follow)));
        assert!(kernel.is_ok() && kernel == walk, "{path}: {kernel:?} {walk:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(bailiwick_fuzz::cases(600)))]
    #[test]
    fn kernel_and_walk_agree(
        tokens in prop::collection::vec(
            prop::sample::select(vec![".", "..", "a", "b", "file", "out", "absolute", "inner", "up", "far", "loop", "dangling", "slashless", "slashed", "missing", ""]),
            0..7,
        ),
        keep in any::<bool>(),
    ) {
        // Which of several errors of one path is met first may differ; that there is one may not.
        let last = if keep { LastLink::Keep } else { LastLink::Follow };
        let _ = Tree::new().assert_agreement(&tokens.join("/"), last);
    }
}
