//! Names and depths that no text and no path of the kernel has.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use bailiwick_base::files::{create, make_directory, open_directory, open_root};

use super::{Scene, assert_same};

fn name(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

/// The contents of every file in a directory, sorted.
fn contents(directory: &Path) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
    found.sort();
    found
}

/// A file beneath so many directories that its path is longer than the kernel takes.
fn nest(top: &Path) {
    let (mut directory, _) = open_root(top).unwrap();
    let long = OsString::from("d".repeat(200));
    for _ in 0..30 {
        make_directory(&directory, &long, 0o755).unwrap();
        directory = open_directory(&directory, &long).unwrap();
    }
    create(&directory, OsStr::new("deep"), 0o600).unwrap().write_all(b"deep").unwrap();
}

#[test]
fn names_and_depths_that_no_path_has_keep_no_restore_back() {
    type Make = fn(&Path);
    let makes: [(&str, Make); 4] = [
        ("bytes", |sdk| fs::write(sdk.join(name(&[0xff; 200])), "kept").unwrap()),
        ("link", |sdk| symlink("kept", sdk.join("l".repeat(255))).unwrap()),
        ("depth", nest),
        ("directory", |sdk| {
            fs::create_dir_all(sdk.join(name(&[0xff; 255])).join(".git")).unwrap();
            fs::write(sdk.join(name(&[0xff; 255])).join(".git/config"), "[core]").unwrap();
        }),
    ];
    for (what, make) in makes {
        let scene = Scene::new();
        let before = scene.picture();
        let mut run = scene.begin();
        make(&scene.sdk());
        run.restore().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_same(&scene.picture(), &before);
        // The same for one whose process died.
        make(&scene.sdk());
        drop(run);
        let store = scene.store();
        assert!(
            matches!(store.recovered()[0].outcome, crate::Recovery::Reverted(_)),
            "{what}: {:?}",
            store.recovered()
        );
        assert_same(&scene.picture(), &before);
    }
}

#[test]
fn copies_of_several_files_are_several_though_their_names_come_to_one() {
    let scene = Scene::new();
    let mut run = scene.begin();
    symlink("of the link", scene.sdk().join("x")).unwrap();
    fs::write(scene.sdk().join("x.link"), "of the file").unwrap();
    for byte in [0xfd, 0xfe, 0xff] {
        fs::write(scene.sdk().join(name(&[b'a', byte])), format!("{byte}")).unwrap();
    }
    symlink("of a long link", scene.sdk().join("l".repeat(253))).unwrap();
    let aside: PathBuf = run.restore().unwrap().unwrap();
    let expected = ["253", "254", "255", "of a long link", "of the file", "of the link"];
    assert_eq!(contents(&aside.join("sdk")), expected);
}

/// A person who looks at the copies may have a prompt that asks git where they are.
#[test]
fn repository_that_was_planted_is_none_among_the_copies() {
    let scene = Scene::new();
    let mut run = scene.begin();
    for place in ["azure/.git", "bare"] {
        for (file, text) in
            [("HEAD", "ref: refs/heads/main\n"), ("objects/x", "x"), ("refs/x", "x"), ("config", "[core]\n")]
        {
            let path = scene.sdk().join(place).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    fs::write(scene.sdk().join("bare/.GIT"), "gitdir: /elsewhere\n").unwrap();
    let aside = run.restore().unwrap().unwrap().join("sdk");
    for kept in
        ["azure/.git.kept/HEAD.kept", "azure/.git.kept/config", "bare/HEAD.kept", "bare/refs/x", "bare/.GIT.kept"]
    {
        assert!(aside.join(kept).is_file(), "{kept}");
    }
    for planted in ["azure/.git", "bare/HEAD", "bare/.GIT"] {
        assert!(!aside.join(planted).exists(), "{planted}");
    }
}

#[test]
fn copy_of_a_file_of_holes_takes_no_more_of_the_disk_than_the_file() {
    let scene = Scene::new();
    let mut run = scene.begin();
    let made = fs::File::create(scene.sdk().join("holes")).unwrap();
    made.set_len(64 << 20).unwrap();
    let aside = run.restore().unwrap().unwrap();
    let copy = fs::metadata(aside.join("sdk/holes")).unwrap();
    assert_eq!(copy.len(), 64 << 20);
    assert!(copy.blocks() <= made.metadata().unwrap().blocks(), "{} blocks", copy.blocks());
}
