//! Whose runs a store shows, and where it lets them begin.

use std::os::unix::fs::symlink;

use bailiwick_base::files::open_root;

use super::{Scene, request, tree, work};
use crate::{Authority, Identity, Owner, Sees, Status, Store, StoreError, Within};

fn subject(name: &str) -> Owner {
    Owner::Subject { issuer: "https://issuer.example".into(), subject: name.into() }
}

fn behalf(scene: &Scene, owner: Owner, sees: Sees) -> Store {
    scene.store().on_behalf_of(Authority { owner, sees, within: Within::Anywhere })
}

fn identity(path: &std::path::Path) -> Identity {
    open_root(&path.canonicalize().unwrap()).unwrap().1[0]
}

#[test]
fn run_of_one_owner_is_unknown_to_every_other_and_never_named_to_them() {
    let scene = Scene::new();
    let alice = behalf(&scene, subject("alice"), Sees::Own);
    let run = alice.begin(scene.request()).unwrap();
    let id = run.id().clone();
    let elsewhere = Owner::Subject { issuer: "https://other.example".into(), subject: "alice".into() };
    for other in [subject("bob"), elsewhere, Owner::Local] {
        let other = behalf(&scene, other, Sees::Own);
        assert!(matches!(other.begin(scene.request()), Err(StoreError::Busy { run: None, .. })));
        let unknown = [
            other.show(&id).map(drop),
            other.record(&id).map(drop),
            other.run_directory(&id).map(drop),
            other.events(&id).map(drop),
            other.approve(&id).map(drop),
            other.revert(&id).map(drop),
            other.resume(&id).map(drop),
        ];
        assert!(unknown.iter().all(|one| matches!(one, Err(StoreError::UnknownRun(_)))), "{unknown:?}");
        assert!(other.list_all().unwrap().runs.is_empty() && other.suspended().unwrap().is_empty());
    }
    // Suspended, it keeps others away as before, and is named to its owner.
    work(&scene);
    run.suspend().unwrap();
    let bob = behalf(&scene, subject("bob"), Sees::Own);
    assert!(matches!(bob.begin(scene.request()), Err(StoreError::Busy { run: None, .. })));
    assert!(bob.suspended().unwrap().is_empty());
    assert!(matches!(alice.begin(scene.request()), Err(StoreError::Suspended { id: named }) if named == id));
    // The machine's own person and operators see it, and it stays hers.
    for sees in [scene.store(), behalf(&scene, subject("carol"), Sees::All)] {
        assert_eq!(sees.list().unwrap()[0].owner, subject("alice"));
    }
    assert_eq!(alice.revert(&id).map(drop).map_err(|error| error.to_string()), Ok(()));
    assert_eq!(scene.store().record(&id).unwrap().owner, subject("alice"));
}

#[test]
fn later_run_of_another_caller_keeps_a_run_from_being_reverted_and_is_not_named() {
    let scene = Scene::new();
    let [alice, bob] = ["alice", "bob"].map(|name| behalf(&scene, subject(name), Sees::Own));
    let pending = |store: &Store, name: &str| {
        let run = store.begin(request(vec![tree("sdk", &scene.sdk())])).unwrap();
        std::fs::write(scene.sdk().join(name), "new").unwrap();
        let id = run.id().clone();
        run.finish(Status::Pending, &serde_json::json!({})).unwrap();
        id
    };
    let (first, later) = (pending(&alice, "a.txt"), pending(&bob, "b.txt"));
    assert!(matches!(alice.revert(&first), Err(StoreError::Busy { run: None, .. })));
    assert!(matches!(scene.store().revert(&first), Err(StoreError::LaterRun { later: named, .. }) if named == later));
    bob.revert(&later).unwrap();
    alice.revert(&first).unwrap();
}

#[test]
fn run_begins_and_is_reverted_only_beneath_the_directories_that_were_named() {
    let scene = Scene::new();
    let within = |directories: &[&str]| {
        let beneath = directories.iter().map(|name| identity(&scene.path(name))).collect();
        scene.store().on_behalf_of(Authority { within: Within::Beneath(beneath), ..Authority::local() })
    };
    let refused = |result: Result<(), StoreError>| {
        assert!(matches!(result, Err(StoreError::NotNamed { .. })), "{result:?}");
    };
    refused(within(&[]).begin(scene.request()).map(drop));
    refused(within(&["sdk"]).begin(scene.request()).map(drop));
    // A path beneath a named directory that leads out of it, and one that leads in from elsewhere.
    symlink(scene.spec(), scene.sdk().join("out")).unwrap();
    refused(within(&["sdk"]).begin(request(vec![tree("sdk", &scene.sdk().join("out"))])).map(drop));
    std::fs::remove_file(scene.sdk().join("out")).unwrap();
    let before = scene.picture();
    let named = within(&["sdk", "spec"]);
    let run = named.begin(scene.request()).unwrap();
    let id = run.id().clone();
    std::fs::write(scene.sdk().join("a.txt"), "new").unwrap();
    run.finish(Status::Pending, &serde_json::json!({})).unwrap();
    refused(within(&["spec"]).revert(&id).map(drop));
    assert!(scene.sdk().join("a.txt").exists());
    // Beneath a directory that was named further up.
    let above = scene.sdk().parent().unwrap().to_owned();
    let above = Authority { within: Within::Beneath(vec![identity(&above)]), ..Authority::local() };
    scene.store().on_behalf_of(above).revert(&id).unwrap();
    assert_eq!(scene.picture(), before);
}
