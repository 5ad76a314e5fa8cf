//! Modes that keep even the owner out. Meaningful only for a user whom modes bind, so the thread
//! gives up the superuser's rights first.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{Scene, assert_same, finish, mode, skip};
use crate::StoreError;

/// Runs `test` as a user whom modes bind.
fn as_somebody(scene: &Scene, test: impl FnOnce(&Scene) + Send) {
    if !rustix::process::geteuid().is_root() {
        return test(scene);
    }
    give(scene.directory.path());
    as_their_owner(scene, test);
}

/// Runs `test` as the user whose files the scene has. Only root can do that.
fn as_their_owner(scene: &Scene, test: impl FnOnce(&Scene) + Send) {
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let other = rustix::thread::Uid::from_raw(65_534);
            // For this thread alone.
            rustix::thread::set_thread_res_uid(other, other, other).unwrap();
            test(scene);
        });
        if let Err(panic) = worker.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

fn give(path: &Path) {
    std::os::unix::fs::lchown(path, Some(65_534), None).unwrap();
    if fs::symlink_metadata(path).unwrap().is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path());
        }
    }
}

/// What every entry is, without its owner and its times.
fn contents(scene: &Scene) -> BTreeMap<String, (&'static str, u32, Vec<u8>)> {
    scene.picture().into_iter().map(|(path, seen)| (path, (seen.kind, seen.mode, seen.content))).collect()
}

fn lock_up(scene: &Scene) {
    let sdk = scene.sdk();
    fs::write(sdk.join("setup.py"), "changed").unwrap();
    mode(&sdk.join("setup.py"), 0);
    mode(&sdk.join("azure/widget/_patch.py"), 0);
    fs::create_dir_all(sdk.join("azure/new/deep")).unwrap();
    fs::write(sdk.join("azure/new/deep/file"), "x").unwrap();
    mode(&sdk.join("azure/new/deep"), 0);
    mode(&sdk.join("azure/new"), 0);
    fs::remove_file(sdk.join("azure/widget/models/_models.py")).unwrap();
    mode(&sdk.join("azure/widget/models"), 0o555);
    mode(&sdk.join("azure"), 0);
    mode(&sdk.join("empty"), 0);
}

#[test]
fn what_a_build_locked_up_is_restored() {
    let scene = Scene::new();
    as_somebody(&scene, |scene| {
        let before = scene.picture();
        let mut run = scene.begin();
        lock_up(scene);
        run.restore().unwrap();
        assert_same(&scene.picture(), &before);
    });
}

#[test]
fn what_was_read_only_is_read_only_again() {
    let scene = Scene::new();
    as_somebody(&scene, |scene| {
        let sdk = scene.sdk();
        mode(&sdk.join("azure/widget/models/_models.py"), 0o444);
        mode(&sdk.join("azure/widget/models"), 0o555);
        mode(&sdk.join("azure/widget"), 0o555);
        let before = scene.picture();
        let run = scene.begin();
        mode(&sdk.join("azure/widget"), 0o755);
        mode(&sdk.join("azure/widget/models"), 0o755);
        fs::remove_file(sdk.join("azure/widget/models/_models.py")).unwrap();
        fs::write(sdk.join("azure/widget/models/_models.py"), "regenerated").unwrap();
        mode(&sdk.join("azure/widget/models"), 0o555);
        mode(&sdk.join("azure/widget"), 0o555);
        let id = finish(run);
        scene.store().revert(&id).unwrap();
        assert_same(&scene.picture(), &before);
        mode(&sdk.join("azure/widget"), 0o755);
        mode(&sdk.join("azure/widget/models"), 0o755);
    });
}

#[test]
fn file_that_cannot_be_read_is_refused_by_name() {
    let scene = Scene::new();
    as_somebody(&scene, |scene| {
        mode(&scene.sdk().join("azure/widget/_patch.py"), 0);
        match scene.store().begin(scene.request()) {
            Err(StoreError::Io { path, .. }) => assert_eq!(path, "sdk/azure/widget/_patch.py"),
            other => panic!("{other:?}"),
        }
    });
}

/// A checkout that several people share: one of them made these, and everybody may write.
const OF_ANOTHER: [&str; 4] = ["setup.py", "azure/widget/models/_models.py", "azure/widget/_patch.py", "azure/widget"];

#[test]
fn content_of_files_of_another_user_comes_back_and_what_this_user_may_not_set_is_named() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root can give files to another user");
    }
    let scene = Scene::new();
    give(scene.directory.path());
    for path in OF_ANOTHER {
        std::os::unix::fs::chown(scene.sdk().join(path), Some(0), Some(0)).unwrap();
    }
    mode(&scene.sdk().join("azure/widget"), 0o777);
    mode(&scene.sdk().join("azure/widget/_patch.py"), 0o666);
    as_their_owner(&scene, |scene| {
        let sdk = scene.sdk();
        let before = contents(scene);
        // Written anew by an emitter, in place by a build, and edited by the run itself.
        let change = |run: &mut crate::Run| {
            fs::remove_file(sdk.join("azure/widget/models/_models.py")).unwrap();
            fs::write(sdk.join("azure/widget/models/_models.py"), "regenerated").unwrap();
            fs::write(sdk.join("azure/widget/_patch.py"), "longer than before").unwrap();
            fs::write(sdk.join("azure/widget/_client.py"), "mine").unwrap();
            fs::write(sdk.join("azure/widget/added.py"), "new").unwrap();
            run.apply(&[super::change("sdk", "setup.py", Some("setup()\n"), Some("x"))]).unwrap();
        };
        let mut run = scene.begin();
        change(&mut run);
        assert_eq!(run.restore().map(drop).map_err(|error| error.to_string()), Ok(()));
        assert_eq!(contents(scene), before);
        change(&mut run);
        let id = finish(run);
        let reverted = scene.store().revert(&id).unwrap();
        assert_eq!(contents(scene), before);
        // Its time is not for this user to set; the files are this user's now.
        assert_eq!(reverted.unset, ["sdk/azure/widget"]);
    });
}

#[test]
fn edit_that_fails_among_files_of_another_user_is_taken_back() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root can give files to another user");
    }
    let scene = Scene::new();
    give(scene.directory.path());
    std::os::unix::fs::chown(scene.sdk().join("azure/widget"), Some(0), Some(0)).unwrap();
    mode(&scene.sdk().join("azure/widget"), 0o777);
    as_their_owner(&scene, |scene| {
        let before = contents(scene);
        let mut run = scene.begin();
        let good = super::change("sdk", "azure/widget/_patch.py", Some("# by hand\n"), Some("x"));
        let bad = super::change("sdk", "setup.py", Some("not what it is"), Some("x"));
        assert!(matches!(run.apply(&[good, bad]), Err(crate::ApplyError::Conflict { .. })));
        assert_eq!(contents(scene), before);
    });
}

#[test]
fn superuser_gives_files_back_to_their_owners() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root can give files to another user");
    }
    let scene = Scene::new();
    let sdk = scene.sdk();
    for path in ["setup.py", "azure/widget/_patch.py", "azure/widget/models", "azure/widget/models/_models.py"] {
        std::os::unix::fs::chown(sdk.join(path), Some(65_534), Some(65_533)).unwrap();
    }
    mode(&sdk.join("setup.py"), 0o6755);
    let before = scene.picture();
    let mut run = scene.begin();
    fs::remove_file(sdk.join("setup.py")).unwrap();
    std::os::unix::fs::chown(sdk.join("azure/widget/_patch.py"), Some(0), Some(0)).unwrap();
    fs::remove_dir_all(sdk.join("azure/widget/models")).unwrap();
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
    run.apply(&[super::change("sdk", "setup.py", Some("setup()\n"), Some("x"))]).unwrap();
    let now = scene.picture();
    assert_eq!((now["/setup.py"].owner, now["/setup.py"].mode & 0o7777), ((65_534, 65_533), 0o6755));
}
