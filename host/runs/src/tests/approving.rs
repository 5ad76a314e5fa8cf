//! Approval is final and drops what only an undo needs.

use std::fs;

use super::{Scene, finish, status, work};
use crate::{RunId, Shown, Since, Status, StoreError};

fn packs(scene: &Scene) -> usize {
    fs::read_dir(scene.path("state/objects")).unwrap().count()
}

fn pending(scene: &Scene, content: &str) -> RunId {
    let run = scene.begin();
    fs::write(scene.sdk().join("setup.py"), content).unwrap();
    finish(run)
}

#[test]
fn approved_run_keeps_its_record_and_loses_its_images() {
    let scene = Scene::new();
    let run = scene.begin();
    work(&scene);
    let id = finish(run);
    let after = scene.picture();
    let store = scene.store();
    assert_eq!(packs(&scene), 1);
    store.approve(&id).unwrap();
    assert_eq!(status(&store, &id), Status::Approved);
    assert_eq!(packs(&scene), 0);
    assert!(!store.run_directory(&id).unwrap().join("before").exists());
    super::assert_same(&scene.picture(), &after);
    let record = store.show(&id).unwrap();
    assert!(record.changed.len() > 10 && record.response["outcome"] == "success");
    assert!(matches!(store.revert(&id), Err(StoreError::WrongStatus { .. })));
    assert!(matches!(store.approve(&id), Err(StoreError::WrongStatus { .. })));
}

#[test]
fn contents_that_another_open_run_shares_stay() {
    let scene = Scene::new();
    let before = scene.picture();
    let first = pending(&scene, "one");
    let kept = scene.path("state/objects").join(format!("{first}.pack"));
    let second = pending(&scene, "two");
    let size = |id: &RunId| fs::metadata(scene.path("state/objects").join(format!("{id}.pack"))).unwrap().len();
    assert!(size(&second) < size(&first), "the second keeps only what the first has not");
    let store = scene.store();
    store.approve(&first).unwrap();
    assert!(kept.exists());
    store.revert(&second).unwrap();
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"one");
    let mut now = scene.picture();
    now.insert("/setup.py".into(), before["/setup.py"].clone());
    super::assert_same(&now, &before);
    assert_eq!(packs(&scene), 0);
}

#[test]
fn what_somebody_changed_after_a_run_is_named_before_and_after_an_approval() {
    let scene = Scene::new();
    let id = pending(&scene, "one");
    let store = scene.store();
    assert_eq!(store.since(&id).sentence(), None);
    fs::write(scene.sdk().join("setup.py"), "planted").unwrap();
    // What the run did not touch is not a part of its approval.
    fs::write(scene.sdk().join("of-a-person"), "new").unwrap();
    let changed = Since::Changed(vec!["sdk/setup.py".into()]);
    assert_eq!(store.since(&id), changed);
    assert_eq!(store.approve(&id).unwrap(), changed);
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"planted");
    let said = changed.sentence().unwrap();
    assert!(said.contains("`sdk/setup.py`"), "{said}");
    // Where it cannot be told that is said, and a person can decide all the same.
    let id = pending(&scene, "two");
    for image in ["before", "after"] {
        fs::remove_dir_all(store.run_directory(&id).unwrap().join(image)).unwrap();
    }
    assert_eq!(store.since(&id), Since::Unknown);
    assert_eq!(store.approve(&id).unwrap(), Since::Unknown);
    assert!(Since::Unknown.sentence().is_some());
}

#[test]
fn file_that_changes_after_it_was_shown_is_not_approved_however_often_it_changes() {
    let scene = Scene::new();
    let id = pending(&scene, "one");
    let store = scene.store();
    let approve = |shown: &Shown| store.approve_as_shown(&id, &shown.digest.to_string());
    let mut shown = store.question(&id).unwrap();
    for text in ["planted", "planted anew"] {
        fs::write(scene.sdk().join("setup.py"), text).unwrap();
        assert!(matches!(approve(&shown), Err(StoreError::ChangedWhileAsked(_))), "{text}");
        shown = store.question(&id).unwrap();
        assert_eq!(shown.since, Since::Changed(vec!["sdk/setup.py".into()]));
    }
    fs::remove_file(scene.sdk().join("setup.py")).unwrap();
    assert!(approve(&shown).is_err());
    shown = store.question(&id).unwrap();
    fs::create_dir(scene.sdk().join("setup.py")).unwrap();
    assert!(approve(&shown).is_err() && store.approve_as_shown(&id, "").is_err());
    shown = store.question(&id).unwrap();
    fs::write(scene.sdk().join("of-a-person"), "new").unwrap();
    assert_eq!(approve(&shown).unwrap(), shown.since);
    assert_eq!(status(&store, &id), Status::Approved);
}

#[test]
fn run_at_work_cannot_be_approved() {
    let scene = Scene::new();
    let run = scene.begin();
    let store = scene.store();
    assert!(matches!(store.approve(run.id()), Err(StoreError::WrongStatus { status: Status::Running, .. })));
}

#[test]
fn unknown_run_is_named() {
    let scene = Scene::new();
    let id: RunId = "20200101-000000-000-bbbbbbbb".parse().unwrap();
    let store = scene.store();
    for error in [
        store.approve(&id).unwrap_err(),
        store.revert(&id).unwrap_err(),
        store.show(&id).map(drop).unwrap_err(),
        store.events(&id).map(drop).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "there is no run `20200101-000000-000-bbbbbbbb`");
        assert!(error.hint().is_some());
    }
}

#[test]
fn what_a_run_left_that_died_while_it_began_is_collected() {
    let scene = Scene::new();
    let store = scene.store();
    let id = "20200101-000000-000-bbbbbbbb";
    fs::create_dir(scene.path("state/runs").join(id)).unwrap();
    fs::write(scene.path("state/open").join(id), "").unwrap();
    fs::write(scene.path("state/objects").join(format!("{id}.pack")), "cut off").unwrap();
    assert_eq!(store.list().unwrap().len(), 0);
    let run = pending(&scene, "one");
    store.approve(&run).unwrap();
    for (place, left) in [("runs", 1), ("open", 0), ("objects", 0)] {
        assert_eq!(fs::read_dir(scene.path("state").join(place)).unwrap().count(), left, "{place}");
    }
}

#[test]
fn second_change_of_a_file_whose_name_is_no_text_is_noticed() {
    use std::os::unix::ffi::OsStrExt as _;
    let scene = Scene::new();
    let path = scene.sdk().join(std::ffi::OsStr::from_bytes(b"a\xff"));
    let run = scene.begin();
    fs::write(&path, "by the run").unwrap();
    let id = finish(run);
    let store = scene.store();
    fs::write(&path, "by a person").unwrap();
    let shown = store.question(&id).unwrap();
    assert_eq!(shown.since, Since::Changed(vec!["sdk/a\u{fffd}".into()]));
    fs::write(&path, "by a person, later").unwrap();
    let approved = store.approve_as_shown(&id, &shown.digest.to_string());
    assert!(matches!(approved, Err(StoreError::ChangedWhileAsked(_))), "{approved:?}");
}
