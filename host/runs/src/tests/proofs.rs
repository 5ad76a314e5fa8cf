//! Proofs and digests of trees.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::{Scene, age, mode};
use crate::tree_digest;

#[test]
fn proof_is_found_by_its_key_alone() {
    let scene = Scene::new();
    let store = scene.store();
    assert_eq!(store.proof("a"), None);
    store.keep_proof("a", &json!({ "hash": 1 })).unwrap();
    store.keep_proof("../../a", &json!(2)).unwrap();
    store.keep_proof("a", &json!({ "hash": 3 })).unwrap();
    let again = scene.store();
    assert_eq!(again.proof("a"), Some(json!({ "hash": 3 })));
    assert_eq!(again.proof("../../a"), Some(json!(2)));
    assert_eq!(again.proof("b"), None);
}

#[test]
fn damaged_proof_proves_nothing() {
    let scene = Scene::new();
    let store = scene.store();
    store.keep_proof("a", &json!(1)).unwrap();
    let path = fs::read_dir(scene.path("state/proofs")).unwrap().next().unwrap().unwrap().path();
    fs::write(path, "{\"key\":\"a\",").unwrap();
    assert_eq!(store.proof("a"), None);
}

type Edit = (&'static str, fn(&Scene));

#[test]
fn tree_digest_changes_with_everything_but_times_and_skipped_directories() {
    let skip = vec![".git".to_owned()];
    let same: &[Edit] = &[
        ("nothing", |_| {}),
        ("times", |s| fs::write(s.sdk().join("setup.py"), "setup()\n").unwrap()),
        ("skipped", |s| fs::write(s.sdk().join(".git/x"), "x").unwrap()),
    ];
    let differing: &[Edit] = &[
        ("content", |s| fs::write(s.sdk().join("setup.py"), "x").unwrap()),
        ("name", |s| fs::rename(s.sdk().join("setup.py"), s.sdk().join("setup2.py")).unwrap()),
        ("mode", |s| mode(&s.sdk().join("setup.py"), 0o755)),
        ("empty directory", |s| fs::create_dir(s.sdk().join("azure/e")).unwrap()),
        ("no empty directory", |s| fs::remove_dir(s.sdk().join("empty")).unwrap()),
        ("ignored file", |s| fs::write(s.sdk().join("ignored/x"), "").unwrap()),
        ("link target", |s| {
            fs::remove_file(s.sdk().join("dangling")).unwrap();
            symlink("/nowhere", s.sdk().join("dangling")).unwrap();
        }),
        ("a file instead of a link", |s| {
            fs::remove_file(s.sdk().join("dangling")).unwrap();
            fs::write(s.sdk().join("dangling"), "/nowhere/at/all").unwrap();
        }),
        ("moved into a directory", |s| {
            fs::rename(s.sdk().join("setup.py"), s.sdk().join("azure/setup.py")).unwrap();
        }),
    ];
    for (edits, equal) in [(same, true), (differing, false)] {
        for (name, edit) in edits {
            let scene = Scene::new();
            let before = tree_digest(&scene.sdk(), &skip).unwrap();
            edit(&scene);
            assert_eq!(tree_digest(&scene.sdk(), &skip).unwrap() == before, equal, "{name}");
        }
    }
    let (one, two) = (Scene::new(), Scene::new());
    age(&two.sdk());
    assert_eq!(tree_digest(&one.sdk(), &skip).unwrap(), tree_digest(&two.sdk(), &skip).unwrap());
    assert_ne!(tree_digest(&one.sdk(), &[]).unwrap(), tree_digest(&two.sdk(), &skip).unwrap());
    assert!(tree_digest(&one.path("nowhere"), &[]).is_err());
}
