//! Interpreters that were asked before: asking one takes a process, and it answers the same until it is replaced.
//!
//! Answers are kept in the cache directory, which no child may write. What is asked is a file that the kernel itself
//! executes, or pyenv's script, whose choice follows from a few files: it is asked in the root directory and without
//! `PYENV_VERSION`. Any other script that stands for an interpreter chooses anew each time. Only an interpreter that will
//! do is remembered, so what was missing is looked for again.

use std::fs::Metadata;
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
    let mut identity = identity(&file.metadata().ok()?);
    if start != *b"\x7fELF" {
        identity.extend(chosen_by_pyenv(&canonical, Path::new("/"))?);
    }
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

/// Changes whenever a file is written or replaced.
fn identity(found: &Metadata) -> Vec<String> {
    vec![
        found.dev().to_string(),
        found.ino().to_string(),
        found.size().to_string(),
        format!("{}.{}", found.mtime(), found.mtime_nsec()),
        format!("{}.{}", found.ctime(), found.ctime_nsec()),
    ]
}

/// What pyenv's script chooses by when it is started in `directory`: the version that is set for all, and which versions
/// there are. `None` for another script, where a directory sets the version, and where the choice is left to `PATH`.
fn chosen_by_pyenv(script: &Path, directory: &Path) -> Option<Vec<String>> {
    let shims = script.parent().filter(|shims| shims.ends_with("shims"))?;
    let root = shims.parent()?;
    let text = String::from_utf8(read_bounded(std::fs::File::open(script).ok()?, BYTES).ok()?).ok()?;
    let pyenv = root.join("libexec/pyenv");
    if !text.contains(&format!("exec \"{}\" exec ", pyenv.display())) {
        return None;
    }
    let (version, local) = (root.join("version"), directory.join(".python-version"));
    let set = read_bounded(std::fs::File::open(&version).ok()?, BYTES).ok()?;
    if String::from_utf8_lossy(&set).split_whitespace().any(|one| one == "system") || local.symlink_metadata().is_ok() {
        return None;
    }
    let mut parts = Vec::new();
    for path in [version, root.join("versions"), root.join("pyenv.d"), pyenv] {
        // pyenv is a link to itself; a directory changes when a version comes or goes.
        parts.extend(path.metadata().map_or_else(|_| Vec::new(), |found| identity(&found)));
        parts.push(path.display().to_string());
    }
    Some(parts)
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

    #[test]
    fn script_of_pyenv_is_asked_again_when_the_version_or_the_versions_change() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for name in ["shims", "libexec", "versions/3.12.1", "elsewhere"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let script = root.join("shims/python3");
        let text = format!("#!/usr/bin/env bash\nexec \"{}/libexec/pyenv\" exec \"$program\" \"$@\"\n", root.display());
        fs::write(&script, &text).unwrap();
        fs::write(root.join("libexec/pyenv"), "").unwrap();
        let chosen = || chosen_by_pyenv(&script, &root.join("elsewhere"));
        assert_eq!(chosen(), None, "no version is set");
        fs::write(root.join("version"), "3.12.1\n").unwrap();
        let first = chosen().unwrap();
        assert_eq!(chosen().unwrap(), first);
        fs::write(root.join("new"), "3.12.1\n").unwrap();
        fs::rename(root.join("new"), root.join("version")).unwrap();
        let second = chosen().unwrap();
        assert_ne!(second, first);
        fs::create_dir(root.join("versions/3.13.0")).unwrap();
        assert_ne!(chosen().unwrap(), second);

        fs::write(root.join("elsewhere/.python-version"), "3.13.0\n").unwrap();
        assert_eq!(chosen(), None, "a directory sets the version");
        fs::remove_file(root.join("elsewhere/.python-version")).unwrap();
        fs::write(root.join("version"), "3.12.1\nsystem\n").unwrap();
        assert_eq!(chosen(), None, "the path decides");
        fs::write(root.join("version"), "3.12.1\n").unwrap();
        fs::write(&script, "#!/bin/sh\nexec python3.12 \"$@\"\n").unwrap();
        assert_eq!(chosen(), None, "another script");
        let other = root.join("elsewhere/python3");
        fs::write(&other, text).unwrap();
        assert_eq!(chosen_by_pyenv(&other, &root.join("elsewhere")), None);
    }
}
