//! Copies of TypeSpec projects.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_base::text::hex;
use sha2::{Digest as _, Sha256};

use super::error::TypespecError;
use crate::shown::is_kept_back;

/// Directories that are not part of a project's source. `tsp-client` leaves out the first two as well.
const SKIPPED: &[&str] = &["node_modules", "tsp-output", ".git"];

/// Copies regular files from `from` to `to`, which may exist. A link is followed if it stays below `root` and leads to nothing
/// that is kept back; what leads elsewhere, and what is no file, is left out.
pub(super) fn copy_tree(from: &Path, to: &Path, root: &Path) -> Result<(), TypespecError> {
    walk(from, root, &mut |found| match found {
        Found::Directory { relative } => {
            let target = to.join(relative);
            fs::create_dir_all(&target).map_err(TypespecError::io(&target, "created"))
        }
        Found::File { relative, source } => {
            fs::copy(&source, to.join(relative)).map_err(TypespecError::io(&source, "copied")).map(drop)
        }
    })
}

/// What a compiler finds in some directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contents {
    /// Of all names and contents.
    pub(super) digest: String,
    /// Whether a compiler may run some of it.
    pub(super) code: Code,
}

/// Whether a project brings code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// Only the libraries' code runs.
    None,
    /// There are scripts or packages that a specification can import.
    Brought,
}

impl Contents {
    /// What [`copy_tree`] would copy of these directories, but for the file `except` directly in the first of them.
    pub(super) fn of(directories: &[&Path], root: &Path, except: &str) -> Result<Self, TypespecError> {
        let (mut digest, mut code) = (Sha256::new(), Code::None);
        for (number, directory) in directories.iter().enumerate() {
            let mut names = Vec::new();
            walk(directory, root, &mut |found| {
                if let Found::File { relative, source } = found
                    && !(number == 0 && relative == Path::new(except))
                {
                    names.push((relative, source));
                }
                Ok(())
            })?;
            names.sort();
            digest.update((names.len() as u64).to_le_bytes());
            for (relative, source) in names {
                if is_code(&relative) {
                    code = Code::Brought;
                }
                let name = relative.as_os_str().as_encoded_bytes();
                let content = fs::read(&source).map_err(TypespecError::io(&source, "read"))?;
                for part in [name, &content] {
                    digest.update((part.len() as u64).to_le_bytes());
                    digest.update(part);
                }
            }
        }
        Ok(Self { digest: hex(&digest.finalize()), code })
    }
}

/// Whether an import can have this file run: a script, or the description of a package that names one.
fn is_code(file: &Path) -> bool {
    let script = |ending: &std::ffi::OsStr| {
        ["js", "mjs", "cjs", "ts", "mts", "cts", "node", "wasm"].iter().any(|one| ending.eq_ignore_ascii_case(one))
    };
    file.extension().is_some_and(script)
        || file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("package.json"))
}

/// What is found beneath a directory.
enum Found {
    /// A directory, before what is in it.
    Directory {
        /// From where the walk began; empty for that itself.
        relative: PathBuf,
    },
    /// A regular file, or a link to one.
    File {
        /// From where the walk began.
        relative: PathBuf,
        /// The file itself.
        source: PathBuf,
    },
}

/// Visits what belongs to a project.
fn walk(
    from: &Path,
    root: &Path,
    visit: &mut dyn FnMut(Found) -> Result<(), TypespecError>,
) -> Result<(), TypespecError> {
    let mut waiting = vec![PathBuf::new()];
    while let Some(relative) = waiting.pop() {
        visit(Found::Directory { relative: relative.clone() })?;
        let directory = from.join(&relative);
        for entry in fs::read_dir(&directory).map_err(TypespecError::io(&directory, "read"))? {
            let entry = entry.map_err(TypespecError::io(&directory, "read"))?;
            let name = entry.file_name();
            if SKIPPED.iter().any(|skipped| name == *skipped) {
                continue;
            }
            let (source, relative) = (entry.path(), relative.join(&name));
            let kind = entry.file_type().map_err(TypespecError::io(&source, "read"))?;
            if kind.is_dir() {
                waiting.push(relative);
            } else if let Some(source) = regular(source, root) {
                visit(Found::File { relative, source })?;
            }
        }
    }
    Ok(())
}

/// A regular file, or the one that a link below `root` leads to, unless it leads to what is kept back from every child: its
/// content would be copied to where the child may read it. A directory behind a link could hold the link itself.
pub(super) fn regular(source: PathBuf, root: &Path) -> Option<PathBuf> {
    let source = if source.is_symlink() {
        let target = source.canonicalize().ok()?;
        let shown = target.strip_prefix(root).is_ok_and(|relative| !is_kept_back(relative));
        shown.then_some(target)?
    } else {
        source
    };
    source.is_file().then_some(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn project_of_many_directories_inside_one_another_is_copied_on_a_small_stack() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        let deep = vec!["d"; 1_900].join("/");
        fs::create_dir_all(from.join(&deep)).unwrap();
        fs::write(from.join(&deep).join("a.tsp"), "").unwrap();
        let (source, target) = (from.clone(), to.clone());
        bailiwick_fuzz::on_small_stack(move || copy_tree(&source, &target, &source).unwrap());
        assert!(to.join(&deep).join("a.tsp").is_file());
    }

    #[test]
    fn links_out_of_the_repository_and_build_output_are_left_out() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        let root = tempfile::tempdir().unwrap();
        let root_path = root.path().canonicalize().unwrap();
        let project = root_path.join("project");
        for directory in ["node_modules", "tsp-output", "examples"] {
            fs::create_dir_all(project.join(directory)).unwrap();
            fs::write(project.join(directory).join("a"), "a").unwrap();
        }
        fs::write(root_path.join("shared.tsp"), "s").unwrap();
        symlink(root_path.join("shared.tsp"), project.join("inside.tsp")).unwrap();
        symlink(outside.path().join("secret"), project.join("outside.tsp")).unwrap();
        symlink(outside.path(), project.join("outside")).unwrap();
        for hidden in [".git/config", ".env", "keys/id_rsa"] {
            let path = root_path.join(hidden);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "hunter2").unwrap();
            symlink(&path, project.join(path.file_name().unwrap().to_str().unwrap().replace('.', "hidden-"))).unwrap();
        }
        symlink(&project, project.join("loop")).unwrap();

        let to = root_path.join("copy");
        copy_tree(&project, &to, &root_path).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["examples", "inside.tsp"]);
        assert_eq!(fs::read(to.join("inside.tsp")).unwrap(), b"s");
    }

    #[test]
    fn contents_change_with_names_and_texts_but_not_with_the_client_file() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let (project, shared) = (root.join("project"), root.join("shared"));
        for path in [&project, &shared] {
            fs::create_dir(path).unwrap();
        }
        fs::create_dir(project.join("inner")).unwrap();
        fs::write(project.join("main.tsp"), "a").unwrap();
        fs::write(project.join("client.tsp"), "b").unwrap();
        let of = || Contents::of(&[&project, &shared], &root, "client.tsp").unwrap();
        let first = of();
        fs::write(project.join("client.tsp"), "c").unwrap();
        assert_eq!(of(), first);
        let mut seen = vec![first];
        let steps: [(&Path, &str, &str); 6] = [
            (&project, "main.tsp", "aa"),
            (&project, "inner/client.tsp", ""),
            (&shared, "client.tsp", ""),
            (&shared, "client.ts", ""),
            (&project, "PACKAGE.json", "{}"),
            (&project, "inner/x.MJS", ""),
        ];
        for (directory, name, text) in steps {
            fs::write(directory.join(name), text).unwrap();
            let now = of();
            assert!(seen.iter().all(|one| one.digest != now.digest), "{name}");
            seen.push(now);
        }
        let codes: Vec<_> = seen.iter().map(|one| one.code == Code::Brought).collect();
        assert_eq!(codes, [false, false, false, false, true, true, true]);
        let copy = root.join("copy");
        copy_tree(&project, &copy, &root).unwrap();
        assert_eq!(Contents::of(&[&copy, &shared], &root, "client.tsp").unwrap(), seen[6]);
    }
}
