//! The stand-in toolchain: a cache directory in which `tests/stand-in-toolchain` answers for the real programs.

use crate::{Sdk, World, baseline, cache};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = include_str!("../stand-in-toolchain/stand-in.mjs");

/// Starts the real Node with the stand-in, whatever it was asked to start.
const WRAPPER: &str = "#!/bin/sh\nhere=${0%/*}\nexec \"$here/stand-in-node\" \"$here/stand-in.mjs\" \"$@\"\n";

/// What the real cache calls its sets, and what the description of one has to hold.
const SETS: [(&str, &str); 11] = [
    ("node22-", ""),
    ("tsp-client-", ""),
    ("python-", ""),
    ("emitter-", "@typespec/http-client-python"),
    ("emitter-", "@azure-tools/typespec-java"),
    ("emitter-", "@azure-typespec/http-client-csharp"),
    ("emitter-", "@azure-tools/typespec-ts"),
    ("emitter-", "@azure-tools/typespec-go"),
    // Of these nothing but their names: packages in other languages are not built.
    ("java-", ""),
    ("typescript-", ""),
    ("go-", ""),
];

/// Where a cache keeps which emitters a person approved.
const APPROVED: &str = "approved-emitters";

/// The cache directory with the stand-in, made once from the real one. Tests of several processes wait for the first.
pub(crate) fn directory() -> PathBuf {
    let generated = baseline::directory(Sdk::Python);
    let mut hasher = Sha256::new();
    for part in [PROGRAM, WRAPPER, include_str!("stand_in_toolchain.rs")] {
        hasher.update(part);
    }
    hasher.update(generated.as_os_str().as_encoded_bytes());
    for set in sets() {
        hasher.update(set.file_name().unwrap().as_encoded_bytes());
    }
    let key: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let home = cache().join("stand-in-toolchain");
    fs::create_dir_all(&home).unwrap();
    let (done, lock) = (home.join(&key), home.join(format!("{key}.lock")));
    let lock = fs::File::create(lock).unwrap();
    lock.lock().unwrap();
    if !done.is_dir() {
        let partial = home.join(format!("{key}.partial"));
        let _ = fs::remove_dir_all(&partial);
        fs::create_dir(&partial).unwrap();
        fs::set_permissions(&partial, fs::Permissions::from_mode(0o700)).unwrap();
        make(&partial, &generated);
        fs::rename(partial, &done).unwrap();
    }
    done
}

/// The sets of the real cache that packages of the fixture need, sorted.
fn sets() -> Vec<PathBuf> {
    let entries = fs::read_dir(cache()).unwrap().map(|entry| entry.unwrap().path());
    let needed = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        let described = fs::read_to_string(path.join("bailiwick-set.json")).unwrap_or_default();
        let fits = |(prefix, holds): &(&str, &str)| name.starts_with(prefix) && described.contains(holds);
        !described.is_empty() && SETS.iter().any(fits)
    };
    let mut sets: Vec<_> = entries.filter(needed).collect();
    sets.sort();
    sets
}

fn make(at: &Path, generated: &Path) {
    let (sets, index) = (sets(), real_index());
    // Compiled once is enough; the directory is its owner's alone.
    let components = at.join("components");
    fs::create_dir(&components).unwrap();
    copy_kept(&cache().join("components"), &components);
    fs::set_permissions(&components, fs::Permissions::from_mode(0o700)).unwrap();
    // A person approved the emitters of the real cache.
    let (approved, given) = (cache().join(APPROVED), at.join(APPROVED));
    if approved.is_dir() {
        fs::create_dir(&given).unwrap();
        copy_kept(&approved, &given);
        fs::set_permissions(&given, fs::Permissions::from_mode(0o700)).unwrap();
    }
    let node = sets.iter().find_map(|set| node_program(set)).expect("the cache has Node");
    let wrapper = at.join("wrapper");
    fs::write(&wrapper, WRAPPER).unwrap();
    for set in &sets {
        let name = set.file_name().unwrap();
        let place = at.join(name);
        fs::create_dir_all(place.join("node_modules")).unwrap();
        fs::copy(set.join("bailiwick-set.json"), place.join("bailiwick-set.json")).unwrap();
        let program = match node_program(set) {
            Some(program) => place.join(program.strip_prefix(set).unwrap()),
            None if name.to_string_lossy().starts_with("python-") => place.join("venv/bin/python"),
            None => continue,
        };
        let directory = program.parent().unwrap();
        fs::create_dir_all(directory).unwrap();
        install(&wrapper, &program);
        // A second name where that is possible: the program is large.
        if fs::hard_link(&node, directory.join("stand-in-node")).is_err() {
            install(&node, &directory.join("stand-in-node"));
        }
        fs::write(directory.join("stand-in.mjs"), PROGRAM).unwrap();
        let data = directory.join("stand-in-data");
        fs::create_dir(&data).unwrap();
        fs::write(data.join("index.json"), &index).unwrap();
        generated_code(generated, &data.join("package"));
    }
}

/// Puts a program somewhere, by a process of its own: if this one wrote it, children that other tests start meanwhile would
/// have it open for writing until they are programs themselves, and until then it cannot be started ("text file busy").
fn install(program: &Path, at: &Path) {
    let status = Command::new("install").args(["-m", "755"]).args([program, at]).status().unwrap();
    assert!(status.success(), "`{}` cannot be written", at.display());
}

/// Copies the files that a cache keeps. Another process may be writing one: it has a name of its own with a dot until it is
/// whole, and that name may be gone before it is copied.
fn copy_kept(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        if !name.as_encoded_bytes().starts_with(b".") {
            fs::copy(from.join(&name), to.join(&name)).unwrap();
        }
    }
}

/// Where a set of Node has its program.
fn node_program(set: &Path) -> Option<PathBuf> {
    let packages = fs::read_dir(set.join("node_modules")).ok()?;
    packages.filter_map(|entry| Some(entry.ok()?.path().join("bin/node"))).find(|program| program.is_file())
}

/// Empty lines that tell the index of this question from all others in the cache.
const EMPTY_LINES: usize = 4_711;

/// What the real compiler says of the fixture, out of the real cache, where a request for a person leaves it.
fn real_index() -> Vec<u8> {
    let world = World::new();
    let client = world.project().join("client.tsp");
    fs::write(&client, format!("{}{}", "\n".repeat(EMPTY_LINES), world.client())).unwrap();
    let answer = world.customize("add a retry policy of our own");
    assert_eq!(answer.json()["errorCode"], "ManualGuidance", "{}{}", answer.stdout, answer.stderr);
    // Another process may be writing one, under a name that it has for that time alone.
    // The first line says what the index is of.
    let kept = |path: PathBuf| {
        let text = fs::read(path).ok()?;
        let line = text.iter().position(|byte| *byte == b'\n')?;
        Some(text[line + 1..].to_vec())
    };
    let indexes = fs::read_dir(cache().join("indexes")).unwrap().filter_map(|entry| kept(entry.unwrap().path()));
    let ours = |index: &Vec<u8>| {
        let index: Value = serde_json::from_slice(index).unwrap_or_default();
        index["customizations"][0]["line"].as_u64().is_some_and(|line| line > EMPTY_LINES as u64)
    };
    indexes.into_iter().find(ours).expect("the index is kept")
}

/// Copies the files that the emitter wrote.
fn generated_code(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.strip_prefix(from).unwrap());
        if path.is_dir() {
            generated_code(&path, &target);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            let text = fs::read_to_string(&path).unwrap();
            if text.contains("Code generated by Microsoft (R) Python Code Generator") && !path.ends_with("_version.py")
            {
                fs::create_dir_all(to).unwrap();
                fs::write(target, text).unwrap();
            }
        }
    }
}
