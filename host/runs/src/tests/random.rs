//! Any tree, any changes: undone, the tree is what it was.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{age, assert_same, mode, null, picture, request, tree};
use crate::{Status, Store};

/// One step of building or changing a tree. Paths are of few names, so that steps meet.
#[derive(Debug, Clone)]
enum Step {
    Write(PathBuf, Vec<u8>),
    Directory(PathBuf),
    Link(PathBuf, String),
    Mode(PathBuf, u32),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf),
    HardLink(PathBuf, PathBuf),
    Touch(PathBuf),
}

fn path() -> impl Strategy<Value = PathBuf> {
    let name = prop::sample::select(vec!["a", "b", "c", "d.py", ".hidden", "ü", "skip"]);
    prop::collection::vec(name, 1..4).prop_map(|names| names.iter().collect())
}

fn step() -> impl Strategy<Value = Step> {
    let content = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        (0_u8..4).prop_map(|byte| vec![byte; 3]),
        Just(vec![7; 200_000]),
    ];
    let file_mode = prop::sample::select(vec![0o644, 0o755, 0o600, 0o444, 0o4755]);
    let target = prop::sample::select(vec!["a", "../b", "/etc", "nowhere", "."]);
    prop_oneof![
        4 => (path(), content).prop_map(|(path, content)| Step::Write(path, content)),
        2 => path().prop_map(Step::Directory),
        2 => (path(), target).prop_map(|(path, target)| Step::Link(path, target.to_owned())),
        2 => (path(), file_mode).prop_map(|(path, mode)| Step::Mode(path, mode)),
        2 => path().prop_map(Step::Remove),
        2 => (path(), path()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (path(), path()).prop_map(|(from, to)| Step::HardLink(from, to)),
        1 => path().prop_map(Step::Touch),
    ]
}

/// Whether a step goes where it says: not through one of the tree's own links, not into `skip`.
fn stays(root: &Path, path: &Path) -> bool {
    let through_link = path.ancestors().skip(1).any(|parent| {
        !parent.as_os_str().is_empty() && root.join(parent).symlink_metadata().is_ok_and(|found| found.is_symlink())
    });
    !through_link && !path.components().any(|name| name.as_os_str() == "skip")
}

/// Does the step where it is possible.
fn take(root: &Path, step: &Step) {
    let parents = |path: &Path| path.parent().map(|parent| fs::create_dir_all(root.join(parent)));
    let paths: Vec<&PathBuf> = match step {
        Step::Rename(from, to) | Step::HardLink(from, to) => vec![from, to],
        Step::Write(path, _)
        | Step::Directory(path)
        | Step::Link(path, _)
        | Step::Mode(path, _)
        | Step::Remove(path)
        | Step::Touch(path) => vec![path],
    };
    if !paths.iter().all(|path| stays(root, path)) {
        return;
    }
    let at = |path: &Path| root.join(path);
    let plain = |path: &Path| at(path).symlink_metadata().is_ok_and(|found| !found.is_symlink());
    let _ = match step {
        Step::Write(path, content) => {
            parents(path);
            if at(path).is_symlink() { Ok(()) } else { fs::write(at(path), content) }
        }
        Step::Directory(path) => fs::create_dir_all(at(path)),
        Step::Link(path, target) => {
            parents(path);
            symlink(target, at(path))
        }
        Step::Mode(path, bits) => {
            if plain(path) {
                let bits = if at(path).is_dir() { bits | 0o700 } else { *bits };
                mode(&at(path), bits);
            }
            Ok(())
        }
        Step::Remove(path) => {
            if at(path).is_dir() && plain(path) {
                fs::remove_dir_all(at(path))
            } else {
                fs::remove_file(at(path))
            }
        }
        Step::Rename(from, to) => {
            parents(to);
            fs::rename(at(from), at(to))
        }
        Step::HardLink(from, to) => {
            parents(to);
            if at(from).is_symlink() { Ok(()) } else { fs::hard_link(at(from), at(to)) }
        }
        Step::Touch(path) => match fs::read(at(path)) {
            Ok(content) if plain(path) => fs::write(at(path), content),
            _ => Ok(()),
        },
    };
}

/// How a run comes to an end.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Restored,
    Reverted,
    Dead,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: bailiwick_fuzz::cases(96), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tree_is_whole_after_random_changes(
        laid_out in prop::collection::vec(step(), 0..30),
        changes in prop::collection::vec(step(), 0..30),
        ending in prop::sample::select(vec![Ending::Restored, Ending::Reverted, Ending::Dead]),
        aged in any::<bool>(),
    ) {
        let scratch = super::quick_directory();
        let root = scratch.path().join("root");
        fs::create_dir(&root).unwrap();
        for step in &laid_out {
            take(&root, step);
        }
        if aged {
            age(&root);
        }
        let before = picture(&root);
        let state = scratch.path().join("state");
        let store = Store::open(&state).unwrap();
        let mut run = store.begin(request(vec![tree("sdk", &root)])).unwrap();
        for step in &changes {
            take(&root, step);
        }
        // Contents and kinds that differ are named, and nothing else.
        let differs = super::timeless(picture(&root)).iter().any(|(path, seen)| {
            before.get(path).is_none_or(|old| (old.kind, old.mode, &old.content) != (seen.kind, seen.mode, &seen.content))
        }) || before.keys().any(|path| !picture(&root).contains_key(path));
        prop_assert_eq!(!run.changed().unwrap().is_empty(), differs);
        match ending {
            Ending::Restored => {
                run.restore().unwrap();
                run.finish(Status::Unchanged, &null()).unwrap();
            }
            Ending::Reverted => {
                let id = super::finish(run);
                store.revert(&id).unwrap();
            }
            Ending::Dead => {
                drop(run);
                Store::open(&state).unwrap();
            }
        }
        assert_same(&picture(&root), &before);
    }
}
