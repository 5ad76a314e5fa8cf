//! The process dies at every single step that changes the disk.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bailiwick_base::files::failpoint::{Mode, arm, disarm};

use super::{Picture, Scene, assert_same, change, finish, work};
use crate::{RunId, Status};

/// Dies at the `step`th step of `work`; whether it got that far.
fn dies(step: u64, work: impl FnOnce()) -> bool {
    arm(step, Mode::Crash);
    let result = catch_unwind(AssertUnwindSafe(work));
    disarm();
    match result {
        Ok(()) => false,
        Err(payload) if payload.is::<&str>() && payload.downcast_ref::<&str>() == Some(&"crash at a failpoint") => true,
        Err(payload) => std::panic::resume_unwind(payload),
    }
}

/// Dies at every step of `scenario` in a new scene each time, and gives each to `check`. Panics are
/// silent meanwhile.
fn at_every_step(scenario: impl Fn(&Scene), check: impl Fn(&Scene, &Picture, u64)) -> u64 {
    let mut step = 0;
    loop {
        let scene = Scene::quick();
        let before = scene.picture();
        if !dies(step, || scenario(&scene)) {
            return step;
        }
        check(&scene, &before, step);
        step += 1;
    }
}

/// The spec directory itself is not covered, so its time is new.
fn assert_whole(scene: &Scene, before: &Picture) {
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, before);
}

#[test]
fn while_a_run_begins_applies_and_restores() {
    let steps = at_every_step(
        |scene| {
            let mut run = scene.begin();
            run.apply(&[
                change("sdk", "setup.py", Some("setup()\n"), Some("setup(2)\n")),
                change("spec", "client.tsp", Some("import \"./main.tsp\";\n"), Some("changed\n")),
                change("sdk", "azure/new/a.py", None, Some("new\n")),
                change("sdk", "azure/widget/_patch.py", Some("# by hand\n"), None),
            ])
            .unwrap();
            work(scene);
            run.restore().unwrap();
            run.finish(Status::Reverted, &super::null()).unwrap();
        },
        |scene, before, _| {
            scene.store();
            assert_whole(scene, before);
            // The store is whole too: the next run begins and the last image goes with it.
            let run = scene.begin();
            fs::write(scene.sdk().join("setup.py"), "next").unwrap();
            run.finish(Status::Failed { kept: false }, &super::null()).unwrap();
            assert_whole(scene, before);
            assert_eq!(fs::read_dir(scene.path("state/objects")).unwrap().count(), 0);
            assert_eq!(fs::read_dir(scene.path("state/open")).unwrap().count(), 0);
        },
    );
    assert!(steps > 100, "{steps}");
}

fn id(scene: &Scene) -> RunId {
    scene.store().list().unwrap().pop().unwrap().id
}

#[test]
fn while_a_run_finishes() {
    let after = {
        let scene = Scene::new();
        work(&scene);
        super::timeless(scene.picture()).into_keys().collect::<Vec<_>>()
    };
    let steps = at_every_step(
        |scene| {
            let run = scene.begin();
            work(scene);
            finish(run);
        },
        |scene, before, _| {
            let store = scene.store();
            // Either it ended, with its changes, or it never did, without.
            match store.list().unwrap().pop().map(|run| run.status) {
                Some(Status::Pending) => {
                    assert_eq!(scene.picture().into_keys().collect::<Vec<_>>(), after);
                    store.revert(&id(scene)).unwrap();
                }
                None => {
                    // Nothing had been done yet.
                    assert_eq!(store.recovered(), []);
                }
                Some(status) => assert_eq!(status, Status::Reverted),
            }
            assert_whole(scene, before);
        },
    );
    assert!(steps > 15, "{steps}");
}

#[test]
fn while_a_run_is_reverted() {
    let steps = at_every_step(
        |scene| {
            // Steps count from here; what comes before is undisturbed.
            disarmed(|| {
                let run = scene.begin();
                work(scene);
                finish(run);
            });
            scene.store().revert(&id(scene)).unwrap();
        },
        |scene, before, step| {
            let store = scene.store();
            let id = id(scene);
            if super::status(&store, &id) == Status::Pending {
                assert!(step < 5, "died before anything was touched: {step}");
                store.revert(&id).unwrap();
            }
            assert_whole(scene, before);
            assert_eq!(super::status(&store, &id), Status::Reverted);
        },
    );
    assert!(steps > 40, "{steps}");
}

#[test]
fn while_a_dead_run_is_recovered() {
    let steps = at_every_step(
        |scene| {
            disarmed(|| {
                let run = scene.begin();
                work(scene);
                drop(run);
            });
            scene.store();
        },
        |scene, before, _| {
            scene.store();
            assert_whole(scene, before);
            assert_eq!(super::status(&scene.store(), &id(scene)), Status::Reverted);
        },
    );
    assert!(steps > 40, "{steps}");
}

#[test]
fn while_a_suspended_run_is_gone_on_with() {
    // Times are those of another scene.
    let contents = |scene: &Scene| {
        let mut picture = super::timeless(scene.picture());
        picture.values_mut().for_each(|seen| seen.modified = (0, 0));
        picture
    };
    let edited = {
        let scene = Scene::new();
        fs::write(scene.sdk().join("setup.py"), "the caller's").unwrap();
        contents(&scene)
    };
    let steps = at_every_step(
        |scene| {
            disarmed(|| {
                scene.begin().suspend().unwrap();
                fs::write(scene.sdk().join("setup.py"), "the caller's").unwrap();
            });
            let run = scene.store().resume(&id(scene)).unwrap();
            work(scene);
            run.suspend().unwrap();
        },
        |scene, before, _| {
            let store = scene.store();
            let id = id(scene);
            assert_eq!(super::status(&store, &id), Status::Suspended);
            // Nothing that the caller did is lost, nor anything of a half-done stretch kept.
            if !store.recovered().is_empty() {
                assert_eq!(contents(scene), edited);
            }
            store.resume(&id).unwrap().suspend().unwrap();
            store.revert(&id).unwrap();
            assert_whole(scene, before);
            assert_eq!(fs::read_dir(scene.path("state/objects")).unwrap().count(), 0);
        },
    );
    assert!(steps > 10, "{steps}");
}

#[test]
fn while_a_run_is_approved() {
    let steps = at_every_step(
        |scene| {
            disarmed(|| {
                let run = scene.begin();
                fs::write(scene.sdk().join("setup.py"), "kept").unwrap();
                finish(run);
            });
            scene.store().approve(&id(scene)).unwrap();
        },
        |scene, _, _| {
            let store = scene.store();
            let id = id(scene);
            if super::status(&store, &id) == Status::Pending {
                store.approve(&id).unwrap();
            }
            assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"kept");
            store.begin(scene.request()).unwrap().finish(Status::Unchanged, &super::null()).unwrap();
            assert_eq!(fs::read_dir(scene.path("state/objects")).unwrap().count(), 0);
        },
    );
    assert!(steps >= 5, "{steps}");
}

/// Runs `work` outside the count of steps.
fn disarmed(work: impl FnOnce()) {
    let armed = bailiwick_base::files::failpoint::suspend();
    work();
    bailiwick_base::files::failpoint::resume(armed);
}
