//! Runs whose process died.

use std::fs;
use std::os::unix::fs::symlink;

use super::{Scene, assert_same, finish, request, status, tree, work};
use crate::{Recovery, Status, StoreError};

#[test]
fn dropped_run_is_undone_when_the_store_is_opened() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    let id = run.id().clone();
    work(&scene);
    drop(run);
    let store = scene.store();
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, &before);
    assert!(matches!(store.recovered(), [one] if one.id == id && matches!(one.outcome, Recovery::Reverted(_))));
    assert_eq!(status(&store, &id), Status::Reverted);
    assert_eq!(scene.store().recovered(), []);
}

#[test]
fn dropped_run_is_undone_when_the_next_one_begins() {
    let scene = Scene::new();
    let before = scene.picture();
    let store = scene.store();
    let run = store.begin(request(vec![tree("sdk", &scene.sdk())])).unwrap();
    let id = run.id().clone();
    fs::write(scene.sdk().join("setup.py"), "x").unwrap();
    drop(run);
    // A root inside the dead run's counts too.
    let run = store.begin(request(vec![tree("inner", &scene.sdk().join("azure"))])).unwrap();
    assert_same(&scene.picture(), &before);
    assert_eq!(status(&store, &id), Status::Reverted);
    drop(run);
}

#[test]
fn all_that_is_overwritten_or_removed_is_kept() {
    let scene = Scene::new();
    let mut run = scene.begin();
    fs::write(scene.sdk().join("azure/widget/py.typed"), "by the run").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(30));
    run.event("last sign of life", &super::null()).unwrap();
    drop(run);
    std::thread::sleep(std::time::Duration::from_millis(30));
    fs::write(scene.sdk().join("setup.py"), "a person's work").unwrap();
    fs::create_dir(scene.sdk().join("mine")).unwrap();
    fs::write(scene.sdk().join("mine/new.py"), "more of it").unwrap();
    // What is moved in is as old as it was.
    fs::create_dir(scene.path("old")).unwrap();
    fs::write(scene.path("old/thesis.txt"), "years of work").unwrap();
    super::age(&scene.path("old"));
    fs::rename(scene.path("old"), scene.sdk().join("old")).unwrap();
    symlink("/somewhere", scene.sdk().join("by-hand")).unwrap();
    let store = scene.store();
    let [recovered] = store.recovered() else { panic!() };
    let Recovery::Reverted(reverted) = &recovered.outcome else { panic!("{recovered:?}") };
    let aside = reverted.set_aside.as_ref().unwrap();
    assert_eq!(fs::read(aside.join("sdk/setup.py")).unwrap(), b"a person's work");
    assert_eq!(fs::read(aside.join("sdk/mine/new.py")).unwrap(), b"more of it");
    assert_eq!(fs::read(aside.join("sdk/old/thesis.txt")).unwrap(), b"years of work");
    // A real link would lead what is kept behind it out of the store.
    assert_eq!(fs::read(aside.join("sdk/by-hand.link")).unwrap(), b"/somewhere");
    assert!(!aside.join("sdk/by-hand").exists());
    assert_eq!(fs::read(aside.join("sdk/azure/widget/py.typed")).unwrap(), b"by the run", "nothing tells whose it is");
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"setup()\n");
}

#[test]
fn another_directory_in_the_roots_place_is_left_to_a_person() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    let id = run.id().clone();
    work(&scene);
    drop(run);
    fs::rename(scene.sdk(), scene.path("moved")).unwrap();
    fs::create_dir(scene.sdk()).unwrap();
    fs::write(scene.sdk().join("thesis.txt"), "years of work").unwrap();
    let store = scene.store();
    assert!(matches!(&store.recovered()[0].outcome, Recovery::LeftAsIs { .. }), "{:?}", store.recovered());
    assert_eq!(status(&store, &id), Status::Failed { kept: true });
    assert_eq!(fs::read(scene.sdk().join("thesis.txt")).unwrap(), b"years of work");
    // An explicit revert restores the path, and even then nothing is lost.
    let reverted = store.revert(&id).unwrap();
    assert_eq!(fs::read(reverted.set_aside.unwrap().join("sdk/thesis.txt")).unwrap(), b"years of work");
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    let without_git = |picture: &super::Picture| -> super::Picture {
        picture
            .iter()
            .filter(|(path, _)| !path.starts_with("/.git/") && *path != "/.git")
            .map(|(path, seen)| (path.clone(), seen.clone()))
            .collect()
    };
    assert_same(&without_git(&now), &without_git(&before));
}

#[test]
fn root_that_cannot_be_reached_is_tried_again_at_the_next_start() {
    let scene = Scene::new();
    fs::create_dir(scene.path("disk")).unwrap();
    fs::rename(scene.sdk(), scene.path("disk/sdk")).unwrap();
    let before = super::picture(&scene.path("disk"));
    let run = scene.store().begin(request(vec![tree("sdk", &scene.path("disk/sdk"))])).unwrap();
    let id = run.id().clone();
    fs::write(scene.path("disk/sdk/setup.py"), "x").unwrap();
    drop(run);
    fs::rename(scene.path("disk"), scene.path("unplugged")).unwrap();
    let store = scene.store();
    assert!(matches!(&store.recovered()[0].outcome, Recovery::Blocked { .. }), "{:?}", store.recovered());
    assert!(matches!(store.revert(&id), Err(StoreError::NotRecovered { .. })));
    fs::rename(scene.path("unplugged"), scene.path("disk")).unwrap();
    let store = scene.store();
    assert!(matches!(&store.recovered()[0].outcome, Recovery::Reverted(_)));
    assert_same(&super::picture(&scene.path("disk")), &before);
}

#[test]
fn lost_before_images_are_an_error_and_nothing_is_half_restored() {
    let scene = Scene::new();
    let run = scene.begin();
    fs::write(scene.sdk().join("setup.py"), "x").unwrap();
    let id = finish(run);
    let pack = scene.path("state/objects").join(format!("{id}.pack"));
    let mut bytes = fs::read(&pack).unwrap();
    let at = bytes.windows(8).position(|window| window == b"setup()\n").unwrap();
    bytes[at] = b'S';
    fs::write(&pack, bytes).unwrap();
    let error = scene.store().revert(&id).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"x", "damaged content never lands");
    super::assert_tidy(&scene.picture());
}

#[test]
fn damaged_record_is_named_and_hides_no_other_run_and_nothing_begins_beside_it() {
    let scene = Scene::new();
    let before = scene.picture();
    let damaged = scene.begin().id().clone();
    // The first is dropped and undone when the second begins.
    let run = scene.begin();
    let id = run.id().clone();
    work(&scene);
    drop(run);
    let record = scene.path("state").join("runs").join(damaged.as_str()).join("run.json");
    fs::write(&record, "{ \"schema\":").unwrap();
    fs::write(scene.path("state").join("open").join(damaged.as_str()), "").unwrap();
    let store = scene.store();
    let outcomes: Vec<_> = store.recovered().iter().map(|one| (one.id.clone(), &one.outcome)).collect();
    assert!(outcomes.iter().any(|(one, outcome)| *one == damaged && matches!(outcome, Recovery::Blocked { .. })));
    assert!(outcomes.iter().any(|(one, outcome)| *one == id && matches!(outcome, Recovery::Reverted(_))));
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, &before);
    let listed = store.list_all().unwrap();
    assert_eq!(listed.runs.iter().map(|run| &run.id).collect::<Vec<_>>(), [&id]);
    assert!(matches!(listed.damaged.as_slice(), [(one, StoreError::Damaged { .. })] if *one == damaged));
    // Its content is unknown, so no other run begins before a person has looked.
    let refused = store.begin(request(vec![tree("sdk", &scene.sdk())])).err().unwrap();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
}

#[test]
fn times_vouch_for_no_content_once_the_machine_was_started_again() {
    // A disk may have the times and the length of a file and not its content.
    for (start, found) in [(None, "SETUP()\n"), (Some("another"), "setup()\n")] {
        let scene = Scene::new();
        let run = scene.begin();
        let manifest = run.directory().join("before/manifest.json");
        drop(run);
        let file = scene.sdk().join("setup.py");
        fs::write(&file, "SETUP()\n").unwrap();
        let facts = bailiwick_base::files::facts_of(fs::File::open(&file).unwrap()).unwrap();
        let mut kept: serde_json::Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
        kept["taken"] = serde_json::json!([i32::MAX, 0]);
        for entry in kept["roots"][0]["entries"].as_array_mut().unwrap() {
            if entry["path"] == "setup.py" {
                entry["facts"] = serde_json::to_value(facts).unwrap();
            }
        }
        fs::write(&manifest, serde_json::to_vec(&kept).unwrap()).unwrap();
        crate::boot::pretend(start);
        let store = scene.store();
        crate::boot::pretend(None);
        assert!(matches!(store.recovered(), [one] if matches!(one.outcome, Recovery::Reverted(_))));
        assert_eq!(fs::read_to_string(&file).unwrap(), found, "{start:?}");
    }
}

#[test]
fn dead_run_that_only_looked_leaves_everything_as_it_is() {
    let scene = Scene::new();
    let mut run = scene.begin();
    run.only_looks().unwrap();
    let id = run.id().clone();
    fs::write(scene.sdk().join("setup.py"), "a person's work").unwrap();
    fs::write(scene.sdk().join("new.py"), "more of it").unwrap();
    let edited = scene.picture();
    drop(run);
    let store = scene.store();
    assert_eq!(store.recovered(), []);
    assert_eq!(status(&store, &id), Status::Unchanged);
    assert_same(&scene.picture(), &edited);
}
