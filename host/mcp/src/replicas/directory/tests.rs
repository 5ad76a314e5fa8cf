//! A directory as the registry, and what others may have put into it.

use super::*;
use crate::replicas::suite;
use std::os::unix::fs::{PermissionsExt, symlink};

fn opened(base: &Path) -> Directory {
    Directory::open(&base.join("registry")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn directory_holds_the_suite() {
    let base = tempfile::tempdir().unwrap();
    suite::holds(Arc::new(opened(base.path()))).await;
    let left = |name: &str| {
        let files = std::fs::read_dir(base.path().join("registry").join(name)).unwrap();
        files.filter(|file| file.as_ref().unwrap().file_name() != LOCK).count()
    };
    assert_eq!((left("runs"), left("replicas")), (2, 0), "no file that was only being written is left");
}

#[tokio::test]
async fn entries_are_readable_for_their_owner_alone() {
    let base = tempfile::tempdir().unwrap();
    let entries = opened(base.path());
    entries.create(Shelf::Runs, "a", b"one").await.unwrap();
    entries.put(Shelf::Replicas, "b", b"two").await.unwrap();
    for (path, mode) in [("", 0o700), ("runs", 0o700), ("runs/a", 0o600), ("replicas/b", 0o600)] {
        let found = std::fs::metadata(base.path().join("registry").join(path)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{path}");
    }
}

#[tokio::test]
async fn what_others_can_change_counts_as_nothing() {
    let base = tempfile::tempdir().unwrap();
    let entries = opened(base.path());
    let path = |name: &str| base.path().join("registry/runs").join(name);
    std::fs::write(path("open"), "x").unwrap();
    std::fs::set_permissions(path("open"), std::fs::Permissions::from_mode(0o666)).unwrap();
    symlink("open", path("link")).unwrap();
    symlink("/dev/zero", path("device")).unwrap();
    std::fs::create_dir(path("directory")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    for name in ["open", "link", "device", "directory", "pipe"] {
        assert_eq!(entries.get(Shelf::Runs, name).await.unwrap(), None, "{name}");
    }
    std::fs::write(path("large"), vec![0; 17 * 1024]).unwrap();
    std::fs::set_permissions(path("large"), std::fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(entries.get(Shelf::Runs, "large").await.unwrap(), None);
}

#[test]
fn directory_that_others_can_read_or_change_is_refused() {
    let base = tempfile::tempdir().unwrap();
    drop(opened(base.path()));
    for (path, mode) in [("registry", 0o750), ("registry", 0o702), ("registry/runs", 0o770)] {
        let path = base.path().join(path);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let error = Directory::open(&base.path().join("registry")).err().expect("it is refused");
        assert!(error.to_string().contains("0700"), "{error}");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
    std::fs::write(base.path().join("file"), "").unwrap();
    assert!(Directory::open(&base.path().join("file")).is_err());
    assert!(Directory::open(&base.path().join("absent/registry")).is_err());
}
