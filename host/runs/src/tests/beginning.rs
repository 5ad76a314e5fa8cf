//! A run begins with everything kept, or not at all.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use super::{Scene, assert_same, request, tree};
use crate::{Coverage, RootSpec, StoreError};

fn fifo(path: &std::path::Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

#[test]
fn special_files_are_refused_by_name_before_anything_starts() {
    type Make = fn(&std::path::Path);
    let kinds: [(&str, Make); 2] = [("FIFO", fifo), ("socket", |path| drop(UnixListener::bind(path).unwrap()))];
    for (kind, make) in kinds {
        let scene = Scene::new();
        make(&scene.sdk().join("azure/odd"));
        let store = scene.store();
        let error = store.begin(scene.request()).unwrap_err();
        assert_eq!(error.to_string(), format!("`sdk/azure/odd` is a {kind}, which cannot be kept and restored"));
        assert_eq!(store.list().unwrap().len(), 0);
        for left in ["runs", "objects", "open"] {
            assert_eq!(fs::read_dir(scene.path("state").join(left)).unwrap().count(), 0, "{left}");
        }
        fs::remove_file(scene.sdk().join("azure/odd")).unwrap();
        store.begin(scene.request()).unwrap();
    }
}

#[test]
fn special_file_in_a_skipped_directory_is_ignored() {
    let scene = Scene::new();
    fifo(&scene.sdk().join(".git/fifo"));
    scene.begin();
}

#[test]
fn special_file_that_a_build_leaves_is_reported_and_removed() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut run = scene.begin();
    fs::remove_file(scene.sdk().join("setup.py")).unwrap();
    fifo(&scene.sdk().join("setup.py"));
    fifo(&scene.sdk().join("azure/fifo"));
    assert_eq!(run.changed().unwrap().len(), 2);
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn bad_roots_are_refused_in_one_sentence() {
    let scene = Scene::new();
    let store = scene.store();
    symlink("main.tsp", scene.spec().join("link.tsp")).unwrap();
    symlink("sub", scene.spec().join("linked")).unwrap();
    let files = |paths: &[&str]| RootSpec {
        name: "spec".into(),
        directory: scene.spec(),
        coverage: Coverage::Files(paths.iter().map(|path| (*path).to_owned()).collect()),
    };
    let cases: Vec<(&str, Vec<RootSpec>)> = vec![
        ("cannot be opened", vec![tree("sdk", &scene.path("nowhere"))]),
        ("cannot be opened", vec![tree("sdk", &scene.sdk().join("setup.py"))]),
        ("has a name of other than", vec![tree("../x", &scene.sdk())]),
        ("has the name of another root", vec![tree("sdk", &scene.sdk()), tree("sdk", &scene.spec())]),
        ("overlap", vec![tree("one", &scene.sdk()), tree("two", &scene.sdk().join("azure"))]),
        ("overlap", vec![tree("one", &scene.sdk().join("azure")), tree("two", &scene.sdk())]),
        ("overlap", vec![tree("one", &scene.sdk()), tree("two", &scene.path("sdk/../sdk"))]),
        ("lie inside one another", vec![tree("all", scene.directory.path())]),
        ("lie inside one another", vec![tree("own", &scene.path("state/objects"))]),
        ("has a `.` or `..` component", vec![files(&["../sdk/setup.py"])]),
        ("is absolute", vec![files(&["/etc/passwd"])]),
        ("is a directory of another covered file", vec![files(&["a", "a/b"])]),
        ("is a directory of another covered file", vec![files(&["a/b", "a"])]),
        ("is a directory, not a file", vec![files(&["sub"])]),
        ("is a symbolic link, not a directory", vec![files(&["linked/client.tsp"])]),
    ];
    for (expected, roots) in cases {
        let error = store.begin(request(roots)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} | {expected}");
        assert!(!error.contains('\n') && !error.ends_with('.'), "{error}");
    }
    assert_eq!(store.list().unwrap().len(), 0);
}

#[test]
fn files_outside_the_other_root_do_not_overlap_with_it() {
    let scene = Scene::new();
    fs::create_dir(scene.path("sdk/.vscode")).unwrap();
    let outer = RootSpec {
        name: "outer".into(),
        directory: scene.sdk(),
        coverage: Coverage::Files(vec![".vscode/cspell.json".into()]),
    };
    let store = scene.store();
    let inner = tree("inner", &scene.sdk().join("azure"));
    let mut run = store.begin(request(vec![outer.clone(), inner.clone()])).unwrap();
    fs::write(scene.sdk().join(".vscode/cspell.json"), "{}").unwrap();
    fs::write(scene.sdk().join("azure/x"), "x").unwrap();
    run.restore().unwrap();
    assert!(!scene.sdk().join(".vscode/cspell.json").exists() && !scene.sdk().join("azure/x").exists());
    drop(run);
    let clash = RootSpec { coverage: Coverage::Files(vec!["azure/x".into()]), ..outer };
    assert!(matches!(store.begin(request(vec![clash, inner])), Err(StoreError::Overlap { .. })));
}

#[test]
fn root_reached_through_a_link_is_the_directory_itself() {
    let scene = Scene::new();
    symlink(scene.sdk(), scene.path("alias")).unwrap();
    let store = scene.store();
    let run = store.begin(request(vec![tree("sdk", &scene.path("alias/"))])).unwrap();
    assert_eq!(run.roots()[0].directory, scene.sdk().canonicalize().unwrap());
}

#[test]
fn trees_too_deep_to_restore_are_refused() {
    let scene = Scene::new();
    let deep = (0..140).fold(scene.sdk(), |path, _| path.join("d"));
    fs::create_dir_all(deep).unwrap();
    assert!(matches!(scene.store().begin(scene.request()), Err(StoreError::TooDeep { .. })));
}
