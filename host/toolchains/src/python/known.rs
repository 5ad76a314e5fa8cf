//! Interpreters that were asked before: asking one takes a process, and it answers the same until it is replaced.
//!
//! Answers are kept in the cache directory, which no child may write. What is asked is a file that the kernel itself
//! executes: a script that stands for an interpreter (pyenv's, for one) chooses anew each time. Only an interpreter that
//! will do is remembered, so what was missing is looked for again.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Replace, read_bounded};

use super::{BasePython, QUERY};
use crate::cache::{Cache, Key};

/// The directory of the answers, in the cache directory.
const DIRECTORY: &str = "pythons";
const BYTES: u64 = 64 * 1024;

/// The answer of `program`, if it was asked since it was put there and everything that the answer names still exists.
pub(super) fn recall(cache: &Cache, program: &Path) -> Option<BasePython> {
    let file = std::fs::File::open(place(cache, program)?).ok()?;
    let base: BasePython = serde_json::from_slice(&read_bounded(file, BYTES).ok()?).ok()?;
    (base.executable.is_file() && base.prefix.is_dir()).then_some(base)
}

/// Keeps the answer of `program`. One that cannot be kept is asked for again.
pub(super) fn remember(cache: &Cache, program: &Path, base: &BasePython) {
    let (Some(place), Ok(text)) = (place(cache, program), serde_json::to_vec(base)) else { return };
    if std::fs::create_dir_all(cache.directory().join(DIRECTORY)).is_ok() {
        let _ = Replace { mode: 0o600, durable: false }.write(&place, &text);
    }
}

/// Where the answer of this very file is kept; `None` for what is not asked twice the same way.
fn place(cache: &Cache, program: &Path) -> Option<PathBuf> {
    let canonical = program.canonicalize().ok()?;
    let mut file = std::fs::File::open(&canonical).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    if start != *b"\x7fELF" {
        return None;
    }
    let found = file.metadata().ok()?;
    let identity = [
        found.dev().to_string(),
        found.ino().to_string(),
        found.size().to_string(),
        format!("{}.{}", found.mtime(), found.mtime_nsec()),
        format!("{}.{}", found.ctime(), found.ctime_nsec()),
    ];
    // By this file an interpreter knows the environment that it belongs to.
    let environment: Vec<Vec<u8>> = program
        .ancestors()
        .skip(1)
        .take(2)
        .map(|directory| std::fs::read(directory.join("pyvenv.cfg")).unwrap_or_default())
        .collect();
    let mut parts: Vec<&[u8]> =
        vec![QUERY.as_bytes(), program.as_os_str().as_encoded_bytes(), canonical.as_os_str().as_encoded_bytes()];
    parts.extend(identity.iter().map(String::as_bytes));
    parts.extend(environment.iter().map(Vec::as_slice));
    let key = Key::new("python-known", "", &parts);
    Some(cache.directory().join(DIRECTORY).join(format!("{}.json", key.digest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn answer_holds_until_the_program_is_replaced_and_a_script_has_none() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(&directory.path().join("cache")).unwrap();
        let program = directory.path().join("python3");
        let base =
            BasePython { executable: program.clone(), prefix: directory.path().to_owned(), version: "3.13.1".into() };

        fs::write(&program, "\x7fELF one").unwrap();
        assert_eq!(recall(&cache, &program), None);
        remember(&cache, &program, &base);
        assert_eq!(recall(&cache, &program), Some(base.clone()));

        fs::write(directory.path().join("pyvenv.cfg"), "home = /usr/bin\n").unwrap();
        assert_eq!(recall(&cache, &program), None);
        fs::remove_file(directory.path().join("pyvenv.cfg")).unwrap();
        assert_eq!(recall(&cache, &program), Some(base.clone()));

        fs::write(directory.path().join("new"), "\x7fELF two").unwrap();
        fs::rename(directory.path().join("new"), &program).unwrap();
        assert_eq!(recall(&cache, &program), None);

        fs::write(&program, "#!/bin/sh\n").unwrap();
        remember(&cache, &program, &base);
        assert_eq!(recall(&cache, &program), None);
    }
}
