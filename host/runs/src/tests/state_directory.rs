//! The state directory is one that only its owner can have filled.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use super::{Scene, finish, mode, skip, work};
use crate::{Store, StoreError};

fn refusal(path: &Path) -> String {
    match Store::open(path) {
        Err(error @ StoreError::StateDirectory { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn link_is_refused_with_and_without_a_slash() {
    let scene = Scene::new();
    fs::create_dir(scene.path("elsewhere")).unwrap();
    symlink("elsewhere", scene.path("state")).unwrap();
    for text in ["state", "state/", "state//", "state/."] {
        assert!(refusal(&scene.path(text)).ends_with("is a symbolic link"), "{text}");
    }
    assert_eq!(fs::read_dir(scene.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn file_is_refused() {
    let scene = Scene::new();
    fs::write(scene.path("state"), "").unwrap();
    assert!(refusal(&scene.path("state")).ends_with("is not a directory"));
}

#[test]
fn directory_that_others_can_write_to_is_refused() {
    let scene = Scene::new();
    for bits in [0o770, 0o707, 0o1777] {
        let path = scene.path(&format!("state{bits:o}"));
        fs::create_dir(&path).unwrap();
        mode(&path, bits);
        assert!(refusal(&path).ends_with("can be written to by other users"));
    }
}

#[test]
fn directory_of_another_user_is_refused() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root can give a directory to another user");
    }
    let scene = Scene::new();
    fs::create_dir(scene.path("state")).unwrap();
    std::os::unix::fs::chown(scene.path("state"), Some(65_534), None).unwrap();
    assert!(refusal(&scene.path("state")).ends_with("belongs to another user"));
}

#[test]
fn everything_in_it_is_closed_to_others() {
    let scene = Scene::new();
    fs::create_dir(scene.path("state")).unwrap();
    mode(&scene.path("state"), 0o755);
    let mut run = scene.begin();
    run.event("step", &super::null()).unwrap();
    scene.store().keep_proof("key", &super::null()).unwrap();
    work(&scene);
    finish(run);
    let mut seen = 0;
    let mut waiting = vec![scene.path("state")];
    while let Some(path) = waiting.pop() {
        let found = fs::symlink_metadata(&path).unwrap();
        assert_eq!(found.mode() & 0o077, 0, "{}", path.display());
        seen += 1;
        if found.is_dir() {
            waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    assert!(seen > 15, "{seen}");
}
