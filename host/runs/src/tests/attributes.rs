//! Access lists and extended attributes go back with a file where they can, and hold nothing up where they cannot.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use bailiwick_base::files::Attributes;
use serde_json::json;

use super::{Scene, assert_same, finish, tag};
use crate::id::RunId;
use crate::tree::{Content, Manifest, Node};

/// Says of files of the first root that they had these attributes before the run.
fn pretend(scene: &Scene, id: &RunId, paths: &[&str], attributes: Option<&Attributes>) -> Manifest {
    let state = scene.store().state;
    let mut before = state.manifest(id, "before").unwrap().unwrap();
    for path in paths {
        file(&mut before.roots[0].node, path).attributes = attributes.cloned();
    }
    state.save_manifest_soon(id, "before", &before).unwrap();
    before
}

fn file<'a>(root: &'a mut Node, path: &str) -> &'a mut Node {
    path.split('/').fold(root, |node, name| match &mut node.content {
        Content::Directory(children) => children.get_mut(std::ffi::OsStr::new(name)).unwrap(),
        other => panic!("{other:?}"),
    })
}

#[test]
fn attributes_that_no_file_can_have_hold_up_no_revert_and_open_no_file_to_the_group() {
    let scene = Scene::new();
    let [written, anew, touched] = ["setup.py", "azure/widget/_client.py", "azure/widget/_patch.py"];
    let sdk = scene.sdk();
    fs::set_permissions(sdk.join(written), fs::Permissions::from_mode(0o660)).unwrap();
    let before = scene.picture();
    let run = scene.begin();
    fs::write(sdk.join(written), "by the run").unwrap();
    fs::remove_file(sdk.join(anew)).unwrap();
    fs::write(sdk.join(touched), "# by hand\n").unwrap();
    fs::write(sdk.join(".gitignore"), "by the run").unwrap();
    let id = finish(run);
    let list: Attributes = serde_json::from_value(json!({ "system.posix_acl_access": [1, 2, 3] })).unwrap();
    pretend(&scene, &id, &[written, anew, touched], Some(&list));
    let reverted = scene.store().revert(&id).unwrap();
    assert_eq!(reverted.unset, [anew, touched, written].map(|path| format!("sdk/{path}")));
    let now = scene.picture();
    for path in [written, anew, touched, ".gitignore"].map(|path| format!("/{path}")) {
        assert_eq!(now[&path].content, before[&path].content, "{path}");
    }
    assert_eq!(fs::metadata(sdk.join(written)).unwrap().mode() & 0o777, 0o600);
    // It was restored once, and not in each pass anew.
    assert_eq!(reverted.restored, [".gitignore", anew, written].map(|path| format!("sdk/{path}")));
}

#[test]
fn attribute_that_a_run_put_on_a_file_without_any_is_taken_off() {
    let scene = Scene::new();
    let before = scene.picture();
    let run = scene.begin();
    for path in [".gitignore", "azure/widget/py.typed"] {
        tag(&scene.sdk().join(path));
    }
    let id = finish(run);
    scene.store().revert(&id).unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn file_with_more_attributes_than_are_kept_is_not_taken_for_one_without_any() {
    let scene = Scene::new();
    let run = scene.begin();
    let id = finish(run);
    let before = pretend(&scene, &id, &["setup.py"], None);
    assert_eq!(scene.store().state.manifest(&id, "before").unwrap().unwrap(), before);
    fs::write(scene.sdk().join("azure/added.py"), "later").unwrap();
    scene.store().revert(&id).unwrap();
}

/// The default list of a directory: the user with this number reads what is made in it.
fn default_list(user: u32) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (kind, rights, user) in
        [(1_u16, 7_u16, u32::MAX), (2, 5, user), (4, 5, u32::MAX), (16, 5, u32::MAX), (32, 0, u32::MAX)]
    {
        list.extend(kind.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(user.to_le_bytes());
    }
    list
}

const DEFAULT_LIST: &str = "system.posix_acl_default";

fn set(path: &std::path::Path, name: &str, value: &[u8]) {
    // A file system without attributes has none to keep.
    let _ = rustix::fs::setxattr(path, name, value, rustix::fs::XattrFlags::empty());
}

fn get(path: &std::path::Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 256];
    rustix::fs::getxattr(path, name, value.as_mut_slice()).ok().map(|length| value[..length].to_vec())
}

#[test]
fn default_lists_of_directories_go_back_with_them_and_what_somebody_sets_after_the_run_stays() {
    let scene = Scene::new();
    let sdk = scene.sdk();
    let [removed, planted, own] = ["azure/widget/models", "azure/widget", "azure"].map(|path| sdk.join(path));
    let seen = |paths: &[&std::path::PathBuf]| -> Vec<_> {
        paths.iter().map(|path| (get(path, DEFAULT_LIST), get(path, "user.tag"))).collect()
    };
    set(&removed, DEFAULT_LIST, &default_list(65_534));
    set(&removed, "user.tag", b"own");
    set(&sdk, DEFAULT_LIST, &default_list(65_533));
    let all = [&removed, &planted, &own, &sdk];
    let before = seen(&all);
    let run = |later: bool| {
        let run = scene.begin();
        fs::remove_dir_all(&removed).unwrap();
        fs::create_dir(&removed).unwrap();
        fs::write(removed.join("new.py"), "by the run").unwrap();
        set(&planted, DEFAULT_LIST, &default_list(4_711));
        fs::write(own.join("new.py"), "by the run").unwrap();
        let id = finish(run);
        if later {
            set(&own, "user.tag", b"a person");
        }
        scene.store().revert(&id).unwrap();
    };
    run(false);
    assert_eq!(seen(&all), before);
    run(true);
    assert_eq!(seen(&[&removed, &planted, &sdk]), [before[0].clone(), before[1].clone(), before[3].clone()]);
    if before[0].1.is_some() {
        assert_eq!(get(&own, "user.tag").as_deref(), Some(b"a person".as_slice()));
    }

    // The same where the run is put back because it did not end well.
    let run = scene.begin();
    fs::remove_dir_all(&removed).unwrap();
    set(&sdk, DEFAULT_LIST, &default_list(4_711));
    drop(run);
    scene.store();
    assert_eq!(seen(&[&removed, &planted, &sdk]), [before[0].clone(), before[1].clone(), before[3].clone()]);
}

#[test]
fn lists_that_a_run_plants_go_whatever_else_changes_there_after_it() {
    let scene = Scene::new();
    let sdk = scene.sdk();
    let [directory, file] = ["azure/widget", "azure/widget/_patch.py"].map(|path| sdk.join(path));
    let seen =
        || [&directory, &file].map(|path| (get(path, DEFAULT_LIST), get(path, "user.tag"), get(path, "user.own")));
    let before = seen();
    let run = scene.begin();
    set(&directory, DEFAULT_LIST, &default_list(4_711));
    for path in [&directory, &file] {
        set(path, "user.tag", b"by the run");
    }
    let id = finish(run);
    // What a build or a person does there later.
    fs::create_dir(directory.join("__pycache__")).unwrap();
    fs::set_permissions(&file, fs::metadata(&file).unwrap().permissions()).unwrap();
    fs::write(&file, fs::read(&file).unwrap()).unwrap();
    for path in [&directory, &file] {
        set(path, "user.own", b"a person");
    }
    let later = seen();
    scene.store().revert(&id).unwrap();
    let expected =
        [0, 1].map(|number: usize| (before[number].0.clone(), before[number].1.clone(), later[number].2.clone()));
    assert_eq!(seen(), expected);
    assert!(directory.join("__pycache__").is_dir());
}

#[test]
fn manifest_of_a_version_that_kept_none_of_directories_takes_none_from_them() {
    let scene = Scene::new();
    let run = scene.begin();
    fs::write(scene.sdk().join("azure/new.py"), "by the run").unwrap();
    let id = finish(run);
    let before = scene.store().state.manifest(&id, "before").unwrap().unwrap();
    let mut older = serde_json::to_value(&before).unwrap();
    assert_eq!(older.as_object_mut().unwrap().remove("directories"), Some(json!(true)));
    let older: Manifest = serde_json::from_value(older).unwrap();
    let of = |manifest: &Manifest, path: &[&str]| {
        let names: Vec<_> = path.iter().map(std::ffi::OsString::from).collect();
        manifest.roots[0].node.find(&names).unwrap().attributes.is_some()
    };
    assert!(of(&before, &["azure"]) && of(&before, &[]) && of(&before, &["setup.py"]));
    assert!(!of(&older, &["azure"]) && !of(&older, &[]) && of(&older, &["setup.py"]));
}
