//! Suspended runs whose roots are edited meanwhile.

use std::fs;

use super::{Scene, assert_same, null, request, status, tree};
use crate::{ChangeKind, Recovery, RunId, Status, StoreError};

fn suspended(scene: &Scene) -> RunId {
    scene.begin().suspend().unwrap()
}

fn edit(scene: &Scene) {
    fs::write(scene.spec().join("client.tsp"), "// the caller's edit\n").unwrap();
    fs::write(scene.sdk().join("azure/widget/_patch.py"), "# the caller's repair\n").unwrap();
}

#[test]
fn suspended_run_is_left_alone_by_every_start() {
    let scene = Scene::new();
    let id = suspended(&scene);
    edit(&scene);
    let edited = scene.picture();
    let store = scene.store();
    assert_eq!(store.recovered(), []);
    assert_eq!(status(&store, &id), Status::Suspended);
    assert_same(&scene.picture(), &edited);
}

#[test]
fn run_that_goes_on_knows_what_was_done_meanwhile_and_what_was_there_before() {
    let scene = Scene::new();
    let id = suspended(&scene);
    edit(&scene);
    let run = scene.store().resume(&id).unwrap();
    let names: Vec<_> =
        run.meanwhile().iter().map(|file| (format!("{}/{}", file.root, file.path), file.change)).collect();
    assert!(names.contains(&("spec/client.tsp".into(), ChangeKind::Modified)), "{names:?}");
    assert!(names.contains(&("sdk/azure/widget/_patch.py".into(), ChangeKind::Modified)), "{names:?}");
    assert_eq!(run.before("spec", "client.tsp").unwrap().unwrap(), b"import \"./main.tsp\";\n");
    let id = run.suspend().unwrap();
    let run = scene.store().resume(&id).unwrap();
    assert_eq!(run.meanwhile(), [], "nothing was done since it was suspended the second time");
    assert_eq!(run.changed().unwrap().iter().filter(|file| file.root == "spec").count(), 1, "against the beginning");
    run.finish(Status::Pending, &null()).unwrap();
}

#[test]
fn no_other_run_begins_where_a_run_is_suspended() {
    let scene = Scene::new();
    let id = suspended(&scene);
    let store = scene.store();
    let error = store.begin(request(vec![tree("inner", &scene.sdk().join("azure"))])).unwrap_err();
    assert!(matches!(&error, StoreError::Suspended { id: waits } if *waits == id), "{error}");
    let run = store.resume(&id).unwrap();
    assert!(matches!(scene.store().resume(&id).unwrap_err(), StoreError::Busy { .. }));
    run.finish(Status::Unchanged, &null()).unwrap();
    store.begin(scene.request()).unwrap().finish(Status::Unchanged, &null()).unwrap();
}

#[test]
fn death_after_going_on_leaves_what_the_caller_edited_and_takes_back_what_the_run_did() {
    let scene = Scene::new();
    let id = suspended(&scene);
    edit(&scene);
    let edited = scene.picture();
    let run = scene.store().resume(&id).unwrap();
    fs::write(scene.sdk().join("azure/widget/_client.py"), "half generated").unwrap();
    fs::remove_file(scene.sdk().join("setup.py")).unwrap();
    drop(run);
    let store = scene.store();
    assert!(
        matches!(store.recovered(), [one] if matches!(one.outcome, Recovery::Suspended(_))),
        "{:?}",
        store.recovered()
    );
    assert_eq!(status(&store, &id), Status::Suspended);
    assert_same(&scene.picture(), &edited);
    let run = store.resume(&id).unwrap();
    assert_eq!(run.meanwhile(), []);
    run.finish(Status::Pending, &null()).unwrap();
    store.revert(&id).unwrap();
    assert_eq!(fs::read(scene.spec().join("client.tsp")).unwrap(), b"import \"./main.tsp\";\n");
}

#[test]
fn reverting_a_suspended_run_brings_the_beginning_back_and_saves_what_was_edited() {
    let scene = Scene::new();
    let before = scene.picture();
    let id = suspended(&scene);
    edit(&scene);
    let store = scene.store();
    let reverted = store.revert(&id).unwrap();
    let aside = reverted.set_aside.unwrap();
    assert_eq!(fs::read(aside.join("spec/client.tsp")).unwrap(), b"// the caller's edit\n");
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, &before);
    assert_eq!(status(&store, &id), Status::Reverted);
    assert!(matches!(store.resume(&id).unwrap_err(), StoreError::WrongStatus { .. }));
}

#[test]
fn suspended_run_cannot_be_approved() {
    let scene = Scene::new();
    let id = suspended(&scene);
    assert!(matches!(scene.store().approve(&id).unwrap_err(), StoreError::WrongStatus { .. }));
}

#[test]
fn packs_of_a_run_that_went_on_go_when_it_is_closed() {
    let scene = Scene::new();
    let id = suspended(&scene);
    edit(&scene);
    let store = scene.store();
    store.resume(&id).unwrap().suspend().unwrap();
    assert!(fs::read_dir(scene.path("state/objects")).unwrap().count() >= 2);
    store.revert(&id).unwrap();
    assert_eq!(fs::read_dir(scene.path("state/objects")).unwrap().count(), 0);
}

#[test]
fn directory_that_was_replaced_meanwhile_is_not_gone_on_with() {
    let scene = Scene::new();
    let id = suspended(&scene);
    fs::rename(scene.spec(), scene.path("elsewhere")).unwrap();
    fs::create_dir(scene.spec()).unwrap();
    let error = scene.store().resume(&id).unwrap_err();
    assert!(matches!(error, StoreError::RootReplaced { .. }), "{error}");
    assert_eq!(status(&scene.store(), &id), Status::Suspended);
}
