//! Directories that are never granted, and names that grants cannot have.

use crate::common::World;
use bailiwick_sandbox::{Access, Grant, GrantError, Grants, Reserved};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

fn refusal(path: &Path, reserved: &Reserved) -> GrantError {
    for access in [Access::ReadOnly, Access::ReadWrite] {
        if let Ok(granted) = Grant::open("box", path, access, reserved) {
            panic!("`{}` was granted: {granted:?}", path.display());
        }
    }
    Grant::open("box", path, Access::ReadOnly, reserved).unwrap_err()
}

#[test]
fn tree_of_the_kernel_is_never_granted_nor_what_contains_one() {
    let base = tempfile::tempdir().unwrap();
    for (number, tree) in [
        "/",
        "/proc",
        "/sys",
        "/dev",
        "/proc/self",
        "/proc/self/root",
        "/proc/self/fd",
        "/sys/kernel",
        "/..",
        "/proc/../",
    ]
    .into_iter()
    .enumerate()
    {
        let link = base.path().join(number.to_string());
        symlink(tree, &link).unwrap();
        for path in [PathBuf::from(tree), link.clone(), link.join("."), PathBuf::from(format!("{tree}//"))] {
            let refused = refusal(&path, &Reserved::none());
            assert!(matches!(refused, GrantError::Kernel(_)), "{}: {refused}", path.display());
        }
    }
}

// `/dev/shm` is memory that programs share, and no door into the kernel; the nodes in `/dev` itself are.
#[test]
fn directory_beneath_dev_is_judged_by_what_it_is() {
    if Path::new("/dev/pts").is_dir() {
        assert!(matches!(refusal(Path::new("/dev/pts"), &Reserved::none()), GrantError::Kernel(_)));
    }
}

#[test]
fn directory_of_the_hosts_own_is_never_granted() {
    let base = tempfile::tempdir().unwrap();
    let state = base.path().join("home/state");
    std::fs::create_dir_all(state.join("runs/7")).unwrap();
    std::fs::create_dir_all(base.path().join("home/state-of-others")).unwrap();
    std::fs::create_dir_all(base.path().join("work")).unwrap();
    symlink(&state, base.path().join("work/to-state")).unwrap();
    symlink(state.join("runs"), base.path().join("work/to-runs")).unwrap();
    symlink("../home", base.path().join("work/to-home")).unwrap();
    symlink(&state, base.path().join("state-by-link")).unwrap();
    for named in [state.clone(), base.path().join("state-by-link"), base.path().join("home/./state/../state/")] {
        let reserved = Reserved::new([named.clone()]);
        for path in [
            "home/state",
            "home/state/",
            "home/state/.",
            "home/state/runs",
            "home/state/runs/7",
            "home",
            "home/state/..",
            ".",
            "work/to-state",
            "work/to-runs",
            "work/to-runs/7",
            "work/to-home",
            "work/..",
        ] {
            let refused = refusal(&base.path().join(path), &reserved);
            assert!(matches!(refused, GrantError::Reserved(_)), "{path}, {}: {refused}", named.display());
        }
        // A link in a granted directory opens nothing, so a directory that only links there can be granted.
        for path in ["work", "home/state-of-others"] {
            Grant::open("box", &base.path().join(path), Access::ReadWrite, &reserved).unwrap();
        }
    }
}

#[test]
fn directory_of_the_hosts_own_that_is_not_there_yet_is_kept_free() {
    let base = tempfile::tempdir().unwrap();
    std::fs::create_dir(base.path().join("work")).unwrap();
    let reserved = Reserved::new([base.path().join("home/state")]);
    let refused = refusal(base.path(), &reserved);
    assert!(matches!(refused, GrantError::Reserved(_)), "{refused}");
    Grant::open("box", &base.path().join("work"), Access::ReadWrite, &reserved).unwrap();
}

#[test]
fn directory_with_a_link_on_the_way_to_the_hosts_own_is_never_granted() {
    let base = tempfile::tempdir().unwrap();
    let at = |path: &str| base.path().join(path);
    for directory in ["home/.cache", "disk/cache/bailiwick", "disk/links", "work"] {
        std::fs::create_dir_all(at(directory)).unwrap();
    }
    std::fs::remove_dir(at("home/.cache")).unwrap();
    // Through a link, through a link to a relative one, and to where nothing is yet.
    symlink(at("disk/links/cache"), at("home/.cache")).unwrap();
    symlink("../cache", at("disk/links/cache")).unwrap();
    for named in ["home/.cache/bailiwick", "home/.cache/new/bailiwick"] {
        let reserved = Reserved::new([at(named)]);
        for path in ["home", "disk/links", "disk/cache", "disk", "."] {
            let refused = refusal(&at(path), &reserved);
            assert!(matches!(refused, GrantError::Reserved(_)), "{path}, {named}: {refused}");
        }
        Grant::open("box", &at("work"), Access::ReadWrite, &reserved).unwrap();
    }
    // A way that cannot be walked to its end may lead into the grant.
    symlink("round", at("work/round")).unwrap();
    refusal(&at("home"), &Reserved::new([at("work/round/state")]));
}

#[test]
fn read_only_grant_within_a_writable_one_is_refused_by_any_way() {
    let base = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(base.path().join("outer/inner")).unwrap();
    std::fs::create_dir(base.path().join("beside")).unwrap();
    symlink("outer/inner", base.path().join("by-link")).unwrap();
    let open =
        |name, path: &str, access| Grant::open(name, &base.path().join(path), access, &Reserved::none()).unwrap();
    for inner in ["outer", "outer/inner", "by-link"] {
        let grants = vec![open("a", "outer", Access::ReadWrite), open("b", inner, Access::ReadOnly)];
        let refused = Grants::new(grants).and_then(Grants::apart).unwrap_err();
        assert!(matches!(refused, GrantError::Within { .. }), "{inner}: {refused}");
        Grants::new(vec![open("a", "outer", Access::ReadOnly), open("b", inner, Access::ReadOnly)])
            .and_then(Grants::apart)
            .unwrap();
        Grants::new(vec![open("a", "outer", Access::ReadWrite), open("b", inner, Access::ReadWrite)])
            .and_then(Grants::apart)
            .unwrap();
    }
    Grants::new(vec![open("a", "outer", Access::ReadWrite), open("b", "beside", Access::ReadOnly)])
        .and_then(Grants::apart)
        .unwrap();
}

#[test]
fn handle_and_stage_are_held_against_the_same_rules() {
    let base = tempfile::tempdir().unwrap();
    let open = |path: &Path| std::fs::File::open(path).unwrap().into();
    std::fs::create_dir(base.path().join("state")).unwrap();
    std::fs::create_dir(base.path().join("stage")).unwrap();
    let reserved = Reserved::new([base.path().join("state")]);
    for path in [base.path().join("state"), base.path().to_owned()] {
        let refused = Grant::from_handle("box", open(&path), Access::ReadOnly, &reserved).unwrap_err();
        assert!(matches!(refused, GrantError::Reserved(_)), "{refused}");
        let refused = Grant::staged("box", open(&path), open(&base.path().join("stage")), &reserved).unwrap_err();
        assert!(matches!(refused, GrantError::Reserved(_)), "{refused}");
    }
    for tree in ["/", "/proc", "/proc/self", "/sys", "/dev"] {
        let refused = Grant::from_handle("box", open(Path::new(tree)), Access::ReadOnly, &Reserved::none());
        assert!(matches!(refused, Err(GrantError::Kernel(_))), "{tree}: {refused:?}");
        let stage = open(&base.path().join("stage"));
        let refused = Grant::staged("box", open(Path::new(tree)), stage, &Reserved::none());
        assert!(matches!(refused, Err(GrantError::Kernel(_))), "{tree}: {refused:?}");
    }
}

#[test]
fn path_that_is_not_a_directory_cannot_be_granted() {
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("file"), "").unwrap();
    symlink("loop", base.path().join("loop")).unwrap();
    symlink("missing", base.path().join("dangling")).unwrap();
    for path in ["file", "file/", "missing", "loop", "dangling"] {
        let refused = refusal(&base.path().join(path), &Reserved::none());
        assert!(matches!(refused, GrantError::Open { .. }), "{path}: {refused}");
    }
    // As a handle, too.
    let file = std::fs::File::open(base.path().join("file")).unwrap().into();
    assert!(Grant::from_handle("box", file, Access::ReadWrite, &Reserved::none()).is_err());
}

#[test]
fn name_that_is_not_a_plain_component_is_refused() {
    let world = World::new(Access::ReadWrite);
    let long = "n".repeat(65);
    for name in
        ["", ".", "..", ".hidden", "a/b", "/", "a\\b", "a b", "a\0", "a\n", "a\u{1b}[2J", "\u{e9}", "a:b", &long]
    {
        let refused = Grant::open(name, &world.granted(), Access::ReadOnly, &Reserved::none()).unwrap_err();
        assert!(matches!(refused, GrantError::Name(_)), "{name:?}: {refused}");
        assert!(!refused.to_string().contains(['\0', '\n', '\u{1b}']), "{refused:?} is shown raw");
    }
    let twice = || Grant::open("box", &world.granted(), Access::ReadOnly, &Reserved::none()).unwrap();
    assert!(matches!(Grants::new(vec![twice(), twice()]), Err(GrantError::Duplicate(_))));
}
