//! What is done while the power is lost, and what has to be true afterwards.

use std::fs;
use std::os::unix::fs::symlink;

use super::super::{
    Picture, Scene, assert_same, assert_tidy, change, finish, mode, null, picture, quick_directory, skip, status,
};
use super::{Loss, Record, STATES, judge, not_needed, numbers_are_fresh, outside};
use crate::{Recovery, RunId, Status, Store};

const NOTHING: [&str; 0] = [];

/// A package and a spec project of a few files each.
fn scene() -> Option<Scene> {
    let directory = quick_directory();
    if !numbers_are_fresh(directory.path()) {
        // Without tmpfs the numbers of inodes do not tell files apart.
        skip("/dev/shm is needed here");
        return None;
    }
    let scene = Scene { directory };
    let sdk = scene.sdk();
    for directory in ["pkg", ".git", "empty"] {
        fs::create_dir_all(sdk.join(directory)).unwrap();
    }
    for (path, content) in
        [("a.py", "a = 1\n"), ("same.py", "same\n"), ("pkg/_patch.py", "# by hand\n"), (".git/HEAD", "ref: main\n")]
    {
        fs::write(sdk.join(path), content).unwrap();
    }
    symlink("a.py", sdk.join("link")).unwrap();
    fs::create_dir_all(scene.spec()).unwrap();
    fs::write(scene.spec().join("client.tsp"), "before\n").unwrap();
    super::super::age(scene.directory.path());
    Some(scene)
}

/// What a generator and a build do, none of it brought to the disk.
fn generate(scene: &Scene) {
    let sdk = scene.sdk();
    outside(|| fs::write(sdk.join("a.py"), "").unwrap());
    outside(|| fs::write(sdk.join("a.py"), "a = 2\nb = 3\n").unwrap());
    // Removed and written again as it was.
    outside(|| fs::remove_file(sdk.join("same.py")).unwrap());
    outside(|| fs::write(sdk.join("same.py"), "same\n").unwrap());
    outside(|| fs::create_dir(sdk.join("new")).unwrap());
    outside(|| fs::write(sdk.join("new/c.py"), "c\n").unwrap());
    outside(|| fs::remove_dir(sdk.join("empty")).unwrap());
    outside(|| mode(&sdk.join("pkg"), 0o700));
    outside(|| fs::remove_file(sdk.join("link")).unwrap());
    outside(|| symlink("pkg", sdk.join("link")).unwrap());
}

fn apply(run: &mut crate::Run) {
    run.apply(&[
        change("spec", "client.tsp", Some("before\n"), Some("after\n")),
        change("spec", "new/deep/extra.tsp", None, Some("added\n")),
        change("sdk", "pkg/_patch.py", Some("# by hand\n"), None),
    ])
    .unwrap();
}

/// What a run covers: modification times of the spec directory itself do not belong to it.
fn seen(scene: &Scene) -> Picture {
    let mut all = picture(&scene.sdk());
    let mut spec = picture(&scene.spec());
    spec.remove("");
    all.extend(spec.into_iter().map(|(path, seen)| (format!("spec/{path}"), seen)));
    all
}

/// Opens the store as the next start does, twice, and takes care that the second finds nothing to do.
fn start(scene: &Scene) -> Store {
    let store = scene.store();
    for one in store.recovered() {
        assert!(matches!(one.outcome, Recovery::Reverted(_) | Recovery::Suspended(_)), "{:?}", one.outcome);
    }
    let after = seen(scene);
    let again = scene.store();
    assert_eq!(again.recovered(), [], "the second start found something to do");
    assert_same(&seen(scene), &after);
    assert_tidy(&after);
    let damaged = again.list_all().unwrap().damaged;
    assert!(damaged.is_empty(), "a record is damaged: {damaged:?}");
    store
}

fn only(store: &Store) -> Option<(RunId, Status)> {
    store.list().unwrap().pop().map(|run| (run.id, run.status))
}

/// The store takes the next run, and keeps nothing of those that have ended.
fn next_run(scene: &Scene, before: &Picture) {
    let run = scene.store().begin(scene.request()).unwrap();
    fs::write(scene.sdk().join("a.py"), "next").unwrap();
    run.finish(Status::Failed { kept: false }, &null()).unwrap();
    assert_same(&seen(scene), before);
    assert_eq!(fs::read_dir(scene.path("state/objects")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(scene.path("state/open")).unwrap().count(), 0);
}

#[test]
fn run_that_ends_reverted() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let record = Record::of(scene.directory.path(), |record| {
        let mut run = scene.begin();
        record.promise("begun");
        apply(&mut run);
        generate(&scene);
        run.finish(Status::Reverted, &null()).unwrap();
        record.promise("reverted");
    });
    judge("a run that ends reverted", &scene, &record, STATES, |scene, loss| {
        let store = start(scene);
        let found = only(&store).map(|(_, status)| status);
        match loss.promise {
            "" => assert!(matches!(found, None | Some(Status::Reverted)), "{found:?}"),
            _ => assert_eq!(found, Some(Status::Reverted)),
        }
        assert_same(&seen(scene), &before);
        if loss.moment.is_multiple_of(7) {
            next_run(scene, &before);
        }
    });
}

#[test]
fn run_that_ends_pending() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let mut after = Picture::new();
    let record = Record::of(scene.directory.path(), |record| {
        let mut run = scene.begin();
        record.promise("begun");
        apply(&mut run);
        generate(&scene);
        finish(run);
        record.promise("pending");
        after = seen(&scene);
    });
    let check = |scene: &Scene, loss: &Loss| {
        let store = start(scene);
        match only(&store) {
            None => assert_eq!(loss.promise, ""),
            Some((id, Status::Pending)) => {
                assert_same(&seen(scene), &after);
                store.show(&id).unwrap();
                store.events(&id).unwrap();
                store.revert(&id).unwrap();
            }
            Some((_, status)) => {
                assert_ne!(loss.promise, "pending");
                assert_eq!(status, Status::Reverted);
            }
        }
        assert_same(&seen(scene), &before);
    };
    judge("a run that ends pending", &scene, &record, STATES, check);
    // The name of the new state directory is waited for twice, because the process may be killed before the first.
    assert_eq!(not_needed(&scene, &record, "", check), ["fsync of ", "fsync of "]);
}

#[test]
fn run_that_ends_unchanged_after_everything_was_written_again() {
    let Some(scene) = scene() else { return };
    let before = super::super::timeless(seen(&scene));
    let record = Record::of(scene.directory.path(), |record| {
        let run = scene.begin();
        for path in ["a.py", "same.py", "pkg/_patch.py"] {
            let path = scene.sdk().join(path);
            let content = fs::read(&path).unwrap();
            outside(|| fs::remove_file(&path).unwrap());
            outside(|| fs::write(&path, content).unwrap());
        }
        run.finish(Status::Unchanged, &null()).unwrap();
        record.promise("unchanged");
    });
    judge("a run that ends unchanged", &scene, &record, STATES, |scene, loss| {
        let store = start(scene);
        if loss.promise == "unchanged" {
            assert_eq!(only(&store).map(|(_, status)| status), Some(Status::Unchanged));
        }
        let contents = |picture: Picture| {
            picture.into_iter().map(|(path, seen)| (path, seen.kind, seen.mode, seen.content)).collect::<Vec<_>>()
        };
        assert_eq!(contents(seen(scene)), contents(before.clone()));
    });
}

/// A run that has ended with all kinds of changes, everything of it on the disk.
fn pending(scene: &Scene) -> RunId {
    let mut run = scene.begin();
    apply(&mut run);
    generate(scene);
    finish(run)
}

#[test]
fn pending_run_that_is_reverted() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let id = pending(&scene);
    let after = seen(&scene);
    let record = Record::of(scene.directory.path(), |record| {
        scene.store().revert(&id).unwrap();
        record.promise("reverted");
    });
    let check = |scene: &Scene, loss: &Loss| {
        let store = start(scene);
        match status(&store, &id) {
            Status::Pending => {
                assert_eq!(loss.promise, "");
                assert_same(&seen(scene), &after);
                store.revert(&id).unwrap();
            }
            found => assert_eq!(found, Status::Reverted),
        }
        assert_same(&seen(scene), &before);
        if loss.moment.is_multiple_of(7) {
            next_run(scene, &before);
        }
    };
    judge("a pending run that is reverted", &scene, &record, STATES, check);
    assert_eq!(not_needed(&scene, &record, "", check), NOTHING);
}

#[test]
fn pending_run_that_is_approved() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let id = pending(&scene);
    let after = seen(&scene);
    let record = Record::of(scene.directory.path(), |record| {
        scene.store().approve(&id).unwrap();
        record.promise("approved");
    });
    judge("a pending run that is approved", &scene, &record, STATES, |scene, loss| {
        let store = start(scene);
        assert_same(&seen(scene), &after);
        match status(&store, &id) {
            Status::Pending => {
                assert_eq!(loss.promise, "");
                store.revert(&id).unwrap();
                assert_same(&seen(scene), &before);
            }
            found => {
                assert_eq!(found, Status::Approved);
                next_run(scene, &after);
            }
        }
    });
}

#[test]
fn run_that_is_suspended_and_gone_on_with() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let (mut first, mut edited, mut second) = (Picture::new(), Picture::new(), Picture::new());
    let record = Record::of(scene.directory.path(), |record| {
        let run = scene.begin();
        outside(|| fs::write(scene.sdk().join("a.py"), "first\n").unwrap());
        outside(|| fs::write(scene.sdk().join("f.py"), "first\n").unwrap());
        let id = run.suspend().unwrap();
        first = seen(&scene);
        record.promise("suspended");
        let store = scene.store();
        record.promise("being edited");
        outside(|| fs::write(scene.sdk().join("pkg/_patch.py"), "# edited\n").unwrap());
        outside(|| fs::remove_file(scene.sdk().join("f.py")).unwrap());
        edited = seen(&scene);
        let mut run = store.resume(&id).unwrap();
        record.promise("gone on with");
        outside(|| fs::write(scene.sdk().join("pkg/_patch.py"), "# repaired\n").unwrap());
        run.apply(&[change("spec", "client.tsp", Some("before\n"), Some("after\n"))]).unwrap();
        run.suspend().unwrap();
        second = seen(&scene);
        record.promise("suspended again");
    });
    let check = |scene: &Scene, loss: &Loss| {
        let store = start(scene);
        let recovered = !store.recovered().is_empty();
        let Some((id, found)) = only(&store) else {
            assert_eq!(loss.promise, "");
            assert_same(&seen(scene), &before);
            return;
        };
        let now = seen(scene);
        match loss.promise {
            "" if found == Status::Reverted => return assert_same(&now, &before),
            "" | "suspended" => {
                assert_eq!(found, Status::Suspended);
                assert_same(&now, &first);
            }
            "being edited" => {
                // What the caller wrote was not brought to the disk: it is the run's once it went on.
                assert_eq!(found, Status::Suspended);
                if recovered {
                    assert_same(&now, &edited);
                }
            }
            "gone on with" => {
                assert_eq!(found, Status::Suspended);
                assert_same(&now, if recovered { &edited } else { &second });
            }
            _ => {
                assert_eq!(found, Status::Suspended);
                assert_same(&now, &second);
            }
        }
        let run = store.resume(&id).unwrap();
        run.suspend().unwrap();
        store.revert(&id).unwrap();
        assert_same(&seen(scene), &before);
    };
    judge("a run that is suspended and gone on with", &scene, &record, STATES, check);
    assert_eq!(not_needed(&scene, &record, "being edited", check), NOTHING);
}

#[test]
fn recovery_of_a_run_whose_process_died() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let record = Record::of(scene.directory.path(), |record| {
        let mut run = scene.begin();
        apply(&mut run);
        generate(&scene);
        drop(run);
        // A person goes on before the next start.
        outside(|| fs::write(scene.sdk().join("person.py"), "by a person\n").unwrap());
        record.promise("dead");
        scene.store();
        record.promise("recovered");
    });
    judge("the recovery of a run whose process died", &scene, &record, STATES, |scene, loss| {
        if !matches!(loss.promise, "dead" | "recovered") {
            return;
        }
        let store = start(scene);
        assert_same(&seen(scene), &before);
        let (id, status) = only(&store).unwrap();
        assert_eq!(status, Status::Reverted);
        if loss.promise == "recovered" {
            let aside = store.run_directory(&id).unwrap().join("aside");
            let kept = fs::read_dir(aside).unwrap().any(|one| {
                fs::read(one.unwrap().path().join("sdk/person.py")).is_ok_and(|content| content == b"by a person\n")
            });
            assert!(kept, "what a person wrote after the death of the process was saved");
        }
    });
}

#[test]
fn recovery_during_which_the_power_is_lost_again() {
    let Some(scene) = scene() else { return };
    let before = seen(&scene);
    let record = Record::of(scene.directory.path(), |_| {
        let mut run = scene.begin();
        apply(&mut run);
        generate(&scene);
        finish(run);
    });
    let (losses, ..) = super::losses(&record);
    let mut tried = 0;
    let every = losses.len() / 8;
    for (number, Loss { world, .. }) in losses.into_iter().enumerate().filter(|(number, _)| number % every == every / 2)
    {
        world.lay_out(scene.directory.path());
        crate::boot::pretend(Some("another"));
        let mut after = Picture::new();
        let record = Record::of(scene.directory.path(), |record| {
            scene.store();
            after = seen(&scene);
            record.promise("recovered");
        });
        tried += judge(&format!("the recovery from state {number}"), &scene, &record, 100, |scene, loss| {
            let store = start(scene);
            let found = only(&store).map(|(_, status)| status);
            assert!(matches!(found, None | Some(Status::Reverted | Status::Pending)), "{found:?}, {:?}", loss.promise);
            assert_same(&seen(scene), &after);
            if found != Some(Status::Pending) {
                assert_same(&seen(scene), &before);
            }
        });
    }
    assert!(tried > 100, "{tried}");
}
