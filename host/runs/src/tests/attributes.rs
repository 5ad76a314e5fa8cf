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
