//! A run at work brings everything back, whatever was done.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{Picture, Scene, age, assert_same, assert_tidy, mode, picture, work};
use crate::{ChangeKind, ChangedFile, EntryKind};

#[test]
fn every_kind_of_change_is_restored() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut run = scene.begin();
    work(&scene);
    assert_ne!(scene.picture(), before);
    run.restore().unwrap();
    let mut now = scene.picture();
    // The spec directory itself is not covered; only its covered files are.
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, &before);
    assert_eq!(run.changed().unwrap(), []);
}

#[test]
fn restoring_twice_changes_nothing_the_second_time() {
    let scene = Scene::new();
    let mut run = scene.begin();
    work(&scene);
    run.restore().unwrap();
    let once = scene.picture();
    run.restore().unwrap();
    assert_same(&scene.picture(), &once);
}

#[test]
fn modes_of_directories_and_the_root_itself_are_restored() {
    let scene = Scene::new();
    let sdk = scene.sdk();
    mode(&sdk, 0o751);
    mode(&sdk.join("azure/widget"), 0o555);
    age(&sdk);
    let before = scene.picture();
    let mut run = scene.begin();
    mode(&sdk, 0o700);
    mode(&sdk.join("azure/widget"), 0o777);
    mode(&sdk.join("setup.py"), 0o4755);
    fs::write(sdk.join("azure/widget/_patch.py"), "edited").unwrap();
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn names_that_are_not_text_are_restored() {
    let scene = Scene::new();
    let odd = scene.sdk().join(std::ffi::OsStr::from_bytes(b"odd-\xff\n\"name"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join(std::ffi::OsStr::from_bytes(b"\xfe")), "content").unwrap();
    symlink(std::ffi::OsStr::from_bytes(b"\xfd"), scene.sdk().join("odd-target")).unwrap();
    age(&scene.sdk());
    let before = scene.picture();
    let run = scene.begin();
    fs::remove_dir_all(&odd).unwrap();
    fs::remove_file(scene.sdk().join("odd-target")).unwrap();
    // Through the manifest on the disk, not the one in memory.
    drop(run);
    let store = scene.store();
    assert_eq!(store.recovered().len(), 1);
    assert_same(&scene.picture(), &before);
}

#[test]
fn removed_root_is_created_again() {
    let scene = Scene::new();
    fs::remove_dir_all(scene.sdk().join(".git")).unwrap();
    age(&scene.sdk());
    let before = scene.picture();
    let mut run = scene.begin();
    fs::remove_dir_all(scene.sdk()).unwrap();
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn skipped_directories_are_never_changed() {
    let scene = Scene::new();
    let mut run = scene.begin();
    fs::write(scene.sdk().join(".git/index"), "git worked").unwrap();
    fs::write(scene.sdk().join(".git/objects/pack"), "git packed").unwrap();
    run.restore().unwrap();
    assert_eq!(fs::read(scene.sdk().join(".git/index")).unwrap(), b"git worked");
    assert_eq!(fs::read(scene.sdk().join(".git/objects/pack")).unwrap(), b"git packed");
}

#[test]
fn files_beside_covered_files_are_never_changed() {
    let scene = Scene::new();
    let mut run = scene.begin();
    fs::write(scene.spec().join("main.tsp"), "edited by hand").unwrap();
    fs::write(scene.spec().join("other.tsp"), "added by hand").unwrap();
    run.restore().unwrap();
    assert_eq!(fs::read(scene.spec().join("main.tsp")).unwrap(), b"edited by hand");
    assert_eq!(fs::read(scene.spec().join("other.tsp")).unwrap(), b"added by hand");
}

#[test]
fn missing_way_that_others_use_too_stays() {
    let scene = Scene::new();
    let mut run = scene.begin();
    fs::create_dir_all(scene.spec().join("new/deep")).unwrap();
    fs::write(scene.spec().join("new/deep/extra.tsp"), "the run's").unwrap();
    fs::write(scene.spec().join("new/other.tsp"), "somebody's").unwrap();
    run.restore().unwrap();
    assert!(!scene.spec().join("new/deep").exists());
    assert!(scene.spec().join("new/other.tsp").exists());
}

#[test]
fn file_swapped_for_a_hard_link_of_another_leaves_the_other_alone() {
    let scene = Scene::new();
    let outside = scene.path("outside");
    fs::write(&outside, "setup()\n").unwrap();
    mode(&outside, 0o640);
    age(&outside);
    let before = (picture(&outside), scene.picture());
    let mut run = scene.begin();
    fs::remove_file(scene.sdk().join("setup.py")).unwrap();
    fs::hard_link(&outside, scene.sdk().join("setup.py")).unwrap();
    fs::remove_file(scene.sdk().join("azure/widget/_patch.py")).unwrap();
    fs::hard_link(&outside, scene.sdk().join("azure/widget/_patch.py")).unwrap();
    run.restore().unwrap();
    assert_same(&scene.picture(), &before.1);
    assert_eq!(picture(&outside)[""].mode, before.0[""].mode);
    assert_eq!(picture(&outside)[""].content, before.0[""].content);
}

#[test]
fn content_that_changed_without_its_size_and_time_is_noticed() {
    let scene = Scene::new();
    let path = scene.sdk().join("setup.py");
    let before = scene.picture();
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let mut run = scene.begin();
    fs::write(&path, "SETUP()\n").unwrap();
    fs::File::open(&path).unwrap().set_modified(modified).unwrap();
    assert_eq!(run.changed().unwrap().len(), 1);
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn changed_names_what_differs_and_before_has_what_it_was() {
    let scene = Scene::new();
    let run = scene.begin();
    let sdk = scene.sdk();
    fs::write(sdk.join("setup.py"), "x").unwrap();
    fs::write(sdk.join("azure/widget/_patch.py"), "# by hand\n").unwrap();
    fs::remove_dir_all(sdk.join("azure/widget/models")).unwrap();
    fs::create_dir(sdk.join("new-empty")).unwrap();
    mode(&sdk.join("locked/run.sh"), 0o700);
    fs::write(scene.spec().join("client.tsp"), "x").unwrap();
    fs::write(scene.spec().join("main.tsp"), "not covered").unwrap();
    let change =
        |root: &str, path: &str, change, kind| ChangedFile { root: root.into(), path: path.into(), change, kind };
    use ChangeKind::{Added, Modified, Removed};
    use EntryKind::{Directory, File};
    assert_eq!(
        run.changed().unwrap(),
        [
            change("sdk", "azure/widget/models", Removed, Directory),
            change("sdk", "azure/widget/models/_models.py", Removed, File),
            change("sdk", "locked/run.sh", Modified, File),
            change("sdk", "new-empty", Added, Directory),
            change("sdk", "setup.py", Modified, File),
            change("spec", "client.tsp", Modified, File),
        ]
    );
    assert_eq!(run.before("sdk", "setup.py").unwrap().unwrap(), b"setup()\n");
    assert_eq!(run.before("sdk", "azure/widget/py.typed").unwrap().unwrap(), b"");
    assert_eq!(run.before("sdk", "new-empty").unwrap(), None);
    assert_eq!(run.before("spec", "new/deep/extra.tsp").unwrap(), None);
    for (root, path) in
        [("spec", "main.tsp"), ("none", "a"), ("sdk", "../spec/main.tsp"), ("sdk", "link"), ("sdk", "azure")]
    {
        assert!(run.before(root, path).is_err(), "{root}/{path}");
    }
    assert_tidy(&scene.picture());
}

#[test]
fn large_and_equal_contents_are_kept_once_and_restored() {
    let scene = Scene::new();
    let large: Vec<u8> = (0..5_000_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for name in ["one.bin", "two.bin", "azure/three.bin"] {
        fs::write(scene.sdk().join(name), &large).unwrap();
    }
    age(&scene.sdk());
    let before = scene.picture();
    let mut run = scene.begin();
    let pack = fs::metadata(scene.path("state/objects").join(format!("{}.pack", run.id()))).unwrap();
    assert!(pack.len() < 6_000_000, "{}", pack.len());
    fs::write(scene.sdk().join("two.bin"), "x").unwrap();
    fs::remove_file(scene.sdk().join("azure/three.bin")).unwrap();
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn what_a_person_wrote_beside_the_run_is_kept_when_it_is_restored() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut run = scene.begin();
    work(&scene);
    fs::write(scene.sdk().join("by-hand.md"), "a person's work").unwrap();
    let aside = run.restore().unwrap().unwrap();
    assert_eq!(fs::read(aside.join("sdk/by-hand.md")).unwrap(), b"a person's work");
    assert_eq!(fs::read(aside.join("sdk/setup.py")).unwrap(), b"setup(1)\n");
    let mut now = scene.picture();
    now.insert("spec/".into(), before["spec/"].clone());
    assert_same(&now, &before);
    assert_eq!(run.restore().unwrap(), None, "there is nothing left to keep");
}

#[test]
fn run_that_only_looks_puts_nothing_back() {
    let scene = Scene::new();
    let mut run = scene.begin();
    run.only_looks().unwrap();
    fs::write(scene.sdk().join("setup.py"), "a person's work").unwrap();
    assert_eq!(run.restore().unwrap(), None);
    assert_eq!(run.changed().unwrap().len(), 1);
    run.finish(crate::Status::Unchanged, &super::null()).unwrap();
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"a person's work");
}

#[test]
fn one_file_that_cannot_be_brought_back_holds_up_no_other() {
    const LOST: &[u8] = b"class Client:\r\n    pass";
    let scene = Scene::new();
    let before = scene.picture();
    let mut run = scene.begin();
    work(&scene);
    fs::write(scene.spec().join("client.tsp"), "edited").unwrap();
    damage(&scene.path("state/objects"), LOST);
    let error = run.restore().unwrap_err().to_string();
    assert!(error.contains("sdk/azure/widget/_client.py"), "{error}");
    let now = scene.picture();
    let content = |of: &Picture, path: &str| of.get(path).map(|seen| seen.content.clone());
    let paths: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differing: Vec<_> = paths.into_iter().filter(|path| content(&now, path) != content(&before, path)).collect();
    assert_eq!(differing, ["/azure/widget/_client.py"]);
}

/// Makes one content in the packs another.
fn damage(objects: &Path, content: &[u8]) {
    let mut damaged = 0;
    for entry in fs::read_dir(objects).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.windows(content.len()).position(|window| window == content);
        if let Some(at) = at {
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            damaged += 1;
        }
    }
    assert_eq!(damaged, 1);
}
