//! Operations on a tree whose directories are exchanged for links and pipes.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn tree() -> (tempfile::TempDir, Tree) {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("root");
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::create_dir(root.parent().unwrap().join("outside")).unwrap();
    let tree = Tree::open(&root).unwrap();
    (directory, tree)
}

#[test]
fn file_is_written_read_and_removed_with_its_directories() {
    let (_directory, tree) = tree();
    assert_eq!(tree.write("x/y/z.py", b"one").unwrap(), Written::Now);
    assert_eq!(tree.write("x/y/z.py", b"one").unwrap(), Written::Already);
    assert_eq!(tree.read("x/y/z.py", 3).unwrap().unwrap(), b"one");
    assert!(matches!(tree.read("x/y/z.py", 2), Err(TreeError::TooLarge { .. })));
    assert_eq!(tree.read("x/none", 9).unwrap(), None);
    assert_eq!(tree.read("none/none", 9).unwrap(), None);
    tree.remove("x/y/z.py").unwrap();
    tree.remove_empty_above("x/y/z.py");
    assert!(!tree.path().join("x").exists());
    assert_eq!(fs::read_dir(tree.path()).unwrap().count(), 1, "a temporary file is left");
}

#[test]
fn file_keeps_its_mode_when_its_content_changes() {
    let (_directory, tree) = tree();
    let path = tree.path().join("run.sh");
    fs::write(&path, "1").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    tree.write("run.sh", b"2").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn directory_that_became_a_link_is_refused_by_every_operation_and_nothing_outside_changes() {
    let (_directory, tree) = tree();
    let outside = tree.path().parent().unwrap().join("outside");
    fs::write(outside.join("kept"), "kept").unwrap();
    fs::remove_dir(tree.path().join("a/b")).unwrap();
    symlink(&outside, tree.path().join("a/b")).unwrap();
    assert!(matches!(tree.read("a/b/kept", 9), Err(TreeError::Link { .. })));
    assert!(matches!(tree.write("a/b/kept", b"x"), Err(TreeError::Link { .. })));
    assert!(matches!(tree.write("a/b/new/deep", b"x"), Err(TreeError::Link { .. })));
    assert!(matches!(tree.remove("a/b/kept"), Err(TreeError::Link { .. })));
    assert!(matches!(tree.link("a/b/link", Path::new("x")), Err(TreeError::Link { .. })));
    tree.remove_empty_above("a/b/kept");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read(outside.join("kept")).unwrap(), b"kept");
    let mut seen = Vec::new();
    tree.entries(
        |_, _| true,
        |path, kind, _| {
            seen.push((path.to_owned(), kind));
            Ok(())
        },
    )
    .unwrap();
    assert_eq!(seen, [("a".into(), Type::Directory), ("a/b".into(), Type::Symlink)]);
}

#[test]
fn link_or_pipe_in_the_place_of_a_file_is_not_read_and_is_replaced_when_written() {
    let (_directory, tree) = tree();
    let outside = tree.path().parent().unwrap().join("outside/kept");
    fs::write(&outside, "kept").unwrap();
    symlink(&outside, tree.path().join("link")).unwrap();
    let pipe = tree.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    assert!(matches!(tree.read("link", 9), Err(TreeError::Link { .. })));
    assert!(matches!(tree.read("pipe", 9), Err(TreeError::WrongKind { .. })));
    for name in ["link", "pipe"] {
        tree.write(name, b"new").unwrap();
        assert_eq!(tree.read(name, 9).unwrap().unwrap(), b"new");
    }
    assert_eq!(fs::read(&outside).unwrap(), b"kept");
}

#[test]
fn paths_that_are_not_plain_are_refused() {
    let (_directory, tree) = tree();
    for path in ["", "/etc/passwd", "..", "a/../../outside", "a//b", "./a", "a/"] {
        assert!(matches!(tree.read(path, 9), Err(TreeError::BadPath { .. })), "{path}");
        assert!(matches!(tree.write(path, b"x"), Err(TreeError::BadPath { .. })), "{path}");
    }
}

#[test]
fn nesting_beyond_the_bound_is_an_error() {
    let (_directory, tree) = tree();
    let mut handle = open_directory(tree.handle(), OsStr::new("a")).unwrap();
    for _ in 0..DEPTH {
        change::make_directory(&handle, OsStr::new("d"), 0o755).unwrap();
        handle = open_directory(&handle, OsStr::new("d")).unwrap();
    }
    assert!(matches!(tree.entries(|_, _| true, |_, _, _| Ok(())), Err(TreeError::TooDeep { .. })));
    assert!(matches!(tree.entries(|path, _| path != Path::new("a"), |_, _, _| Ok(())), Ok(())));
    // What lies beside it is visited all the same.
    fs::write(tree.path().join("z"), "").unwrap();
    let mut seen = Vec::new();
    let visited = tree.entries(
        |_, _| true,
        |path, _, _| {
            seen.push(path.to_owned());
            Ok(())
        },
    );
    assert!(
        matches!(visited, Err(TreeError::TooDeep { .. })) && seen.last().is_some_and(|path| path == Path::new("z"))
    );
    tree.remove("a").unwrap();
}
