//! How a run may end, and what is on record then.

use std::fs;

use serde_json::json;

use super::{Scene, assert_same, null, status, work};
use crate::{Status, StoreError};

#[test]
fn unchanged_is_refused_when_anything_differs() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    let id = run.id().clone();
    fs::write(scene.sdk().join("setup.py"), "x").unwrap();
    match run.finish(Status::Unchanged, &null()) {
        Err(StoreError::NotUnchanged { paths, .. }) => assert_eq!(paths, ["sdk/setup.py"]),
        other => panic!("{other:?}"),
    }
    // It was not ended, so it is undone like a run that died.
    assert_eq!(status(&scene.store(), &id), Status::Reverted);
    assert_same(&scene.picture(), &before);
}

#[test]
fn failure_is_undone_unless_it_is_to_be_kept() {
    for last in [Status::Failed { kept: false }, Status::Reverted] {
        let scene = Scene::new();
        let before = scene.picture();
        let run = scene.begin();
        let id = run.id().clone();
        work(&scene);
        run.finish(last, &json!({ "message": "no" })).unwrap();
        let mut now = scene.picture();
        now.insert("spec/".into(), before["spec/"].clone());
        assert_same(&now, &before);
        let record = scene.store().show(&id).unwrap();
        assert_eq!((record.status, record.response), (last, json!({ "message": "no" })));
        assert_eq!(fs::read_dir(scene.path("state/objects")).unwrap().count(), 0);
    }
}

#[test]
fn statuses_that_only_the_store_gives_are_refused() {
    for last in [Status::Running, Status::Reverting, Status::Approved] {
        let scene = Scene::new();
        assert!(matches!(scene.begin().finish(last, &null()), Err(StoreError::WrongStatus { .. })));
    }
}

#[test]
fn list_and_show_tell_what_was_asked_and_what_became_of_it() {
    let scene = Scene::new();
    let store = scene.store();
    let mut run = store.begin(scene.request()).unwrap();
    let first = run.id().clone();
    run.event("phase", &json!({ "name": "A" })).unwrap();
    fs::write(run.directory().join("build.log"), "log").unwrap();
    run.finish(Status::Unchanged, &json!({ "done": true })).unwrap();
    let run = store.begin(scene.request()).unwrap();
    fs::write(scene.sdk().join("setup.py"), "x").unwrap();
    let second = super::finish(run);
    let list = store.list().unwrap();
    assert_eq!(list.iter().map(|run| &run.id).collect::<Vec<_>>(), [&second, &first]);
    assert_eq!(list[0].changed, 1);
    assert_eq!((list[1].kind.as_str(), list[1].request.as_str()), ("test", "rename a to b"));
    let record = store.show(&first).unwrap();
    assert_eq!(record.details, json!({ "a": 1 }));
    let kinds: Vec<_> =
        store.events(&first).unwrap().iter().map(|event| event["kind"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["begun", "phase", "finished"]);
    assert!(store.run_directory(&first).unwrap().join("build.log").exists());
    let text = serde_json::to_value(store.show(&second).unwrap()).unwrap();
    assert_eq!(text["status"], "pending");
    assert_eq!(text["changed"][0]["path"], "setup.py");
}

#[test]
fn event_after_a_torn_one_stands_on_its_own_line() {
    let scene = Scene::new();
    let run = scene.begin();
    let id = run.id().clone();
    let path = run.directory().join("events.jsonl");
    drop(run);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"time\":\"20");
    fs::write(&path, bytes).unwrap();
    let events = scene.store().events(&id).unwrap();
    assert_eq!(events.last().unwrap()["kind"], "recovered");
}
