//! `eng/emitter-package.json` and its lock file as a repository may write them.

use bailiwick_fuzz::Target;
use serde_json::Value;

use super::lock_file::LockFile;
use super::{named_emitter, package_file};

#[test]
fn emitter_packages() {
    const WORDS: &[&str] = &[
        "\"dependencies\":{",
        "\"overrides\":{",
        "\"peerDependenciesMeta\":{",
        "\"packages\":{",
        "\"@azure-tools/typespec-python\":\"1\"",
        "\"node_modules/a\":{",
        "\"integrity\":\"sha512-x\"",
        "\"resolved\":\"https://r.example/a.tgz\"",
        "\"link\":true",
        "\"inBundle\":true",
        "\"scripts\":{\"preinstall\":\"x\"}",
        "../",
        "file:",
        "npm:",
        "[]",
        "null",
        "\\u0000",
    ];
    Target { name: "emitter_packages", words: WORDS }.run(|bytes| {
        if let Ok(tables) = package_file::tables(bytes) {
            let written: Value = serde_json::from_slice(&tables).unwrap();
            let known = ["ependencies", "overrides", "peerDependenciesMeta"];
            let names = written.as_object().unwrap().keys();
            names.for_each(|name| assert!(known.iter().any(|known| name.ends_with(known)), "{name}"));
            // What npm gets says the same when it is read again.
            assert_eq!(package_file::tables(&tables).unwrap(), tables);
            let _ = named_emitter(&tables);
        }
        if let Ok(lock) = LockFile::read(bytes, &[]) {
            let _ = (lock.count(), lock.version("a"), lock.is_itself("a"));
        }
    });
}
