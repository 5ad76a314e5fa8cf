//! A run that ended is undone exactly, or refuses and changes nothing.

use std::fs;
use std::os::unix::fs::symlink;

use bailiwick_base::files::failpoint::{arm_calls, disarm};

use super::{Scene, assert_same, assert_tidy, finish, mode, request, status, tree, work};
use crate::{Status, StoreError};

fn edited(error: StoreError) -> Vec<String> {
    match error {
        StoreError::Edited { paths, .. } => paths,
        other => panic!("{other}"),
    }
}

#[test]
fn pending_run_is_undone_byte_for_byte() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    work(&scene);
    let id = finish(run);
    let store = scene.store();
    let reverted = store.revert(&id).unwrap();
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, &before);
    assert_eq!(status(&store, &id), Status::Reverted);
    assert!(reverted.restored.contains(&"sdk/setup.py".to_owned()), "{reverted:?}");
    assert!(reverted.removed.contains(&"sdk/added/one/two/three.py".to_owned()), "{reverted:?}");
    assert_eq!(reverted.left, [""; 0]);
    assert!(matches!(store.revert(&id), Err(StoreError::WrongStatus { status: Status::Reverted, .. })));
}

/// Between the look at what was edited and the restore lies the time that the look takes.
#[test]
fn what_a_person_saves_while_a_revert_is_at_work_is_kept() {
    for (name, words) in [("setup.py", "changed by the run"), ("azure/added.py", "added by the run")] {
        let scene = Scene::new();
        let run = scene.begin();
        fs::write(scene.sdk().join(name), words).unwrap();
        fs::write(scene.sdk().join("azure/other.py"), "by the run").unwrap();
        let id = finish(run);
        let path = scene.sdk().join(name);
        // The first step that changes something: the record says that the revert has begun.
        arm_calls(vec![(0, Box::new(move || fs::write(path, "a person's").unwrap()))]);
        let reverted = scene.store().revert(&id).unwrap();
        disarm();
        let aside = reverted.set_aside.expect("a copy is named");
        assert_eq!(fs::read(aside.join("sdk").join(name)).unwrap(), b"a person's");
        assert!(!aside.join("sdk/azure/other.py").exists(), "what the run left needs no copy");
    }
}

#[test]
fn paths_that_the_run_did_not_touch_keep_their_later_edits() {
    let scene = Scene::new();
    let run = scene.begin();
    fs::write(scene.sdk().join("setup.py"), "by the run").unwrap();
    fs::write(scene.sdk().join("azure/generated.py"), "by the run").unwrap();
    let id = finish(run);
    let sdk = scene.sdk();
    fs::write(sdk.join("azure/widget/_patch.py"), "edited since").unwrap();
    fs::write(sdk.join("azure/later.py"), "added since").unwrap();
    fs::remove_file(sdk.join("ignored/cache.bin")).unwrap();
    mode(&sdk.join("locked"), 0o750);
    let old = fs::metadata(sdk.join("empty")).unwrap().modified().unwrap();
    scene.store().revert(&id).unwrap();
    assert!(!sdk.join("azure/generated.py").exists());
    let modified = fs::metadata(sdk.join("azure")).unwrap().modified().unwrap();
    assert!(modified > old + std::time::Duration::from_secs(1_000_000), "a file was added by hand: the time stays");
    assert_eq!(fs::read(sdk.join("setup.py")).unwrap(), b"setup()\n");
    assert_eq!(fs::read(sdk.join("azure/widget/_patch.py")).unwrap(), b"edited since");
    assert_eq!(fs::read(sdk.join("azure/later.py")).unwrap(), b"added since");
    assert!(!sdk.join("ignored/cache.bin").exists());
    assert_eq!(super::picture(&sdk)["/locked"].mode & 0o777, 0o750);
}

type Edit = (&'static str, fn(&Scene), &'static [&'static str]);

/// After `work`, one edit by another person each, and the paths that the refusal has to name.
const EDITS: &[Edit] = &[
    ("content", |s| fs::write(s.sdk().join("setup.py"), "setup(2)\n").unwrap(), &["sdk/setup.py"]),
    ("content of a covered file", |s| fs::write(s.spec().join("client.tsp"), "x").unwrap(), &["spec/client.tsp"]),
    ("mode", |s| mode(&s.sdk().join("setup.py"), 0o755), &["sdk/setup.py"]),
    ("removal", |s| fs::remove_file(s.sdk().join("setup.py")).unwrap(), &["sdk/setup.py"]),
    (
        "a link in the place of a file",
        |s| {
            fs::remove_file(s.sdk().join("setup.py")).unwrap();
            symlink("/etc/passwd", s.sdk().join("setup.py")).unwrap();
        },
        &["sdk/setup.py"],
    ),
    (
        "a link in the place of a directory",
        |s| {
            fs::rename(s.sdk().join("azure/widget"), s.sdk().join("azure/moved")).unwrap();
            symlink("moved", s.sdk().join("azure/widget")).unwrap();
        },
        &["sdk/azure/widget"],
    ),
    (
        "a removed file made again",
        |s| fs::write(s.sdk().join("ignored/cache.bin"), "new").unwrap(),
        &["sdk/ignored/cache.bin"],
    ),
    ("a removed directory made again", |s| fs::create_dir(s.sdk().join("empty")).unwrap(), &["sdk/empty"]),
    (
        "a file in an added directory",
        |s| fs::write(s.sdk().join("added/one/mine.py"), "mine").unwrap(),
        &["sdk/added/one/mine.py"],
    ),
    (
        "link target",
        |s| {
            fs::remove_file(s.sdk().join("link")).unwrap();
            symlink("elsewhere", s.sdk().join("link")).unwrap();
        },
        &["sdk/link"],
    ),
    ("mode of a directory", |s| mode(&s.sdk().join("locked"), 0o711), &["sdk/locked"]),
    (
        "several",
        |s| {
            fs::write(s.sdk().join("setup.py"), "2").unwrap();
            fs::write(s.sdk().join("added/one/two/three.py"), "2").unwrap();
        },
        &["sdk/added/one/two/three.py", "sdk/setup.py"],
    ),
    ("the whole root", |s| fs::rename(s.sdk(), s.path("moved")).unwrap(), &["sdk"]),
];

#[test]
fn edit_since_is_named_and_nothing_is_changed() {
    for (name, edit, paths) in EDITS {
        let scene = Scene::new();
        let run = scene.begin();
        work(&scene);
        let id = finish(run);
        edit(&scene);
        let before = super::picture(scene.directory.path());
        let store = scene.store();
        assert_eq!(edited(store.revert(&id).unwrap_err()), *paths, "{name}");
        let strip = |picture: super::Picture| -> super::Picture {
            picture.into_iter().filter(|(path, _)| !path.starts_with("/state")).collect()
        };
        assert_same(&strip(super::picture(scene.directory.path())), &strip(before));
        assert_eq!(status(&store, &id), Status::Pending, "{name}");
    }
}

#[test]
fn what_is_skipped_stays_with_its_directory_and_is_reported() {
    let scene = Scene::new();
    let run = scene.begin();
    fs::create_dir(scene.sdk().join("added")).unwrap();
    fs::write(scene.sdk().join("added/a.py"), "a").unwrap();
    let id = finish(run);
    fs::create_dir(scene.sdk().join("added/kept-out")).unwrap();
    let reverted = scene.store().revert(&id).unwrap();
    assert_eq!(reverted.left, ["sdk/added"]);
    assert!(scene.sdk().join("added/kept-out").exists());
    assert!(!scene.sdk().join("added/a.py").exists());
}

#[test]
fn repository_planted_below_the_root_is_told_and_undone_and_that_of_the_root_is_left_alone() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    let planted = scene.sdk().join("azure/widget/.git");
    fs::create_dir_all(planted.join("hooks")).unwrap();
    fs::write(planted.join("config"), "[core]\n\tfsmonitor = x\n").unwrap();
    fs::write(scene.sdk().join(".git/index"), "git worked").unwrap();
    let changed: Vec<String> = run.changed().unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(changed, ["azure/widget/.git", "azure/widget/.git/config", "azure/widget/.git/hooks"]);
    let id = finish(run);
    scene.store().revert(&id).unwrap();
    assert!(!planted.exists());
    assert_eq!(fs::read(scene.sdk().join(".git/index")).unwrap(), b"git worked");
    let beside_git = |picture: super::Picture| -> super::Picture {
        picture.into_iter().filter(|(path, _)| !path.starts_with("/.git")).collect()
    };
    assert_same(&beside_git(scene.picture()), &beside_git(before));
}

/// The files of a killed child are not compared when the process is killed or the run is cancelled; only the run knows them.
#[test]
fn repository_that_was_not_at_the_root_when_the_run_began_is_undone() {
    let scene = Scene::new();
    fs::remove_dir_all(scene.sdk().join(".git")).unwrap();
    let before = scene.picture();
    let planted = scene.sdk().join(".git");
    for died in [true, false] {
        let run = scene.begin();
        fs::create_dir_all(planted.join("hooks")).unwrap();
        fs::write(planted.join("config"), "[core]\n\tfsmonitor = x\n").unwrap();
        if died {
            drop(run);
            assert_eq!(scene.store().recovered().len(), 1);
        } else {
            let id = finish(run);
            scene.store().revert(&id).unwrap();
        }
        assert!(!planted.exists(), "died: {died}");
        let of_sdk = |picture: super::Picture| -> super::Picture {
            picture.into_iter().filter(|(path, _)| !path.starts_with("spec/")).collect()
        };
        assert_same(&of_sdk(scene.picture()), &of_sdk(before.clone()));
    }
}

#[test]
fn record_of_an_earlier_version_skips_its_names_at_any_depth() {
    let text = r#"{"tree":{"skip":[".git"]}}"#;
    let read: crate::Coverage = serde_json::from_str(text).unwrap();
    assert_eq!(read, crate::Coverage::Tree { skip: vec![".git".into()], skip_at_root: Vec::new() });
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn runs_on_one_root_are_undone_last_first() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut ids = Vec::new();
    for number in 0..3 {
        let run = scene.begin();
        fs::write(scene.sdk().join("setup.py"), number.to_string()).unwrap();
        fs::write(scene.sdk().join(format!("file{number}")), "x").unwrap();
        ids.push(finish(run));
    }
    let store = scene.store();
    let all = scene.picture();
    for id in &ids[..2] {
        match store.revert(id) {
            Err(StoreError::LaterRun { later, .. }) => assert_eq!(later, ids[2]),
            other => panic!("{other:?}"),
        }
    }
    assert_same(&scene.picture(), &all);
    for id in ids.iter().rev() {
        store.revert(id).unwrap();
    }
    assert_same(&scene.picture(), &before);
}

#[test]
fn later_run_on_a_directory_inside_counts_and_one_elsewhere_does_not() {
    let scene = Scene::new();
    let store = scene.store();
    let run = store.begin(request(vec![tree("sdk", &scene.sdk())])).unwrap();
    fs::write(scene.sdk().join("setup.py"), "1").unwrap();
    let first = finish(run);
    let run = store.begin(request(vec![tree("spec", &scene.spec())])).unwrap();
    fs::write(scene.spec().join("main.tsp"), "1").unwrap();
    let elsewhere = finish(run);
    let run = store.begin(request(vec![tree("inner", &scene.sdk().join("azure"))])).unwrap();
    fs::write(scene.sdk().join("azure/x"), "1").unwrap();
    let inside = finish(run);
    assert!(matches!(store.revert(&first), Err(StoreError::LaterRun { later, .. }) if later == inside));
    store.approve(&inside).unwrap();
    store.revert(&first).unwrap();
    assert_eq!(status(&store, &elsewhere), Status::Pending);
}

#[test]
fn times_are_restored_unless_files_were_written_since() {
    let scene = Scene::new();
    let before = scene.picture();
    let patch = scene.sdk().join("azure/widget/_patch.py");
    let run = scene.begin();
    fs::write(&patch, "# by hand\n").unwrap();
    fs::write(scene.sdk().join("setup.py"), "setup()\n").unwrap();
    let id = finish(run);
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(scene.sdk().join("setup.py"), "setup()\n").unwrap();
    let written = scene.picture()["/setup.py"].clone();
    scene.store().revert(&id).unwrap();
    let now = scene.picture();
    assert_eq!(now["/azure/widget/_patch.py"], before["/azure/widget/_patch.py"]);
    assert_eq!(now["/setup.py"], written);
    assert_tidy(&now);
}

#[test]
fn failed_run_with_its_changes_kept_can_be_undone() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    let id = run.id().clone();
    fs::write(scene.sdk().join("setup.py"), "half done").unwrap();
    run.finish(Status::Failed { kept: true }, &super::null()).unwrap();
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"half done");
    scene.store().revert(&id).unwrap();
    assert_same(&scene.picture(), &before);
}
