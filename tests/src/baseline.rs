//! The generated code of the fixture: made by the real emitter, once for each state of what it is made from.

use crate::{Sdk, World, cache, command, stand_in};
use sha2::{Digest, Sha256};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

pub(crate) fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/widget")
}

/// The package with its generated code, in the cache directory. Tests of several processes wait for the first.
pub(crate) fn directory(sdk: Sdk) -> PathBuf {
    let mut hasher = Sha256::new();
    for repository in [crate::SPECIFICATION, sdk.repository()] {
        hasher.update(repository);
        digest(&fixture().join(repository), &mut hasher);
    }
    if stand_in::is_used(&fixture().join(sdk.repository())) {
        digest(&stand_in::modules(), &mut hasher);
    }
    let key: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let home = cache().join("fixture-baseline");
    std::fs::create_dir_all(&home).unwrap();
    let (done, lock) = (home.join(&key), home.join(format!("{key}.lock")));
    let lock = std::fs::File::create(lock).unwrap();
    lock.lock().unwrap();
    if !done.is_dir() {
        let world = World::hand_written(sdk);
        let package = world.package();
        let answer =
            command::run(&world, &["--json", "package", "generate", "--package-path", package.to_str().unwrap()], &[]);
        assert_eq!(answer.code, 0, "the baseline cannot be generated:\n{}\n{}", answer.stdout, answer.stderr);
        let partial = home.join(format!("{key}.partial"));
        let _ = std::fs::remove_dir_all(&partial);
        copy(&package, &partial);
        std::fs::rename(partial, &done).unwrap();
    }
    done
}

/// Names and contents of everything beneath a directory.
pub(crate) fn digest(directory: &Path, hasher: &mut Sha256) {
    let mut entries: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        hasher.update(entry.file_name().unwrap().as_encoded_bytes());
        if entry.is_dir() {
            digest(&entry, hasher);
        } else {
            hasher.update(std::fs::read(&entry).unwrap());
        }
    }
}

/// Copies a tree with its modes and links.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&entry.path(), &target);
        } else if kind.is_symlink() {
            symlink(std::fs::read_link(entry.path()).unwrap(), target).unwrap();
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
