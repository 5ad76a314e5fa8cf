//! What of a repository a child may read: everything but `.git`, and what is hidden on the way to the package.
//!
//! A rule of Landlock covers a directory with everything below it, and no second rule takes a part of that away. So a
//! directory in which something is hidden is granted entry by entry, and listed: a program finds every name, and reads
//! nothing of what is hidden. This looks at the directories from the root of the repository to the package, both included,
//! for what a grant hides by default; and one level beside them for `.git`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bailiwick_sandbox::is_hidden;

/// What a child may read and list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Files, and directories with everything below.
    pub(crate) read: Vec<PathBuf>,
    /// Directories of which `read` has single entries.
    pub(crate) list: Vec<PathBuf>,
}

/// What of `repository` is shown to a child that works for `package`, which may lie elsewhere. Both are canonical.
///
/// A link is not followed: what it leads to is shown or hidden where it lies.
pub(crate) fn shown(repository: &Path, package: &Path) -> Shown {
    let way = package.ancestors().take_while(|directory| directory.starts_with(repository));
    let way: Vec<&Path> = if package.starts_with(repository) { way.collect() } else { vec![repository] };
    // Of the directory before, where it is not shown as a whole.
    let mut inner: Option<(&Path, Shown)> = None;
    for directory in way {
        let mut parts = Shown { read: Vec::new(), list: vec![directory.to_owned()] };
        let mut whole = true;
        for path in entries(directory, &mut whole) {
            let name = path.file_name().unwrap_or_default();
            if is_git(name) || is_hidden(path.strip_prefix(repository).unwrap_or(&path)) {
                whole = false;
            } else if let Some((_, of_inner)) = inner.take_if(|(at, _)| *at == path) {
                whole = false;
                parts.read.extend(of_inner.read);
                parts.list.extend(of_inner.list);
            } else if path.join(".git").symlink_metadata().is_ok() {
                whole = false;
                let within = entries(&path, &mut whole).into_iter();
                parts.read.extend(within.filter(|entry| !is_git(entry.file_name().unwrap_or_default())));
                parts.list.push(path);
            } else {
                parts.read.push(path);
            }
        }
        if whole {
            inner = None;
        } else {
            inner = Some((directory, parts));
        }
    }
    inner.map_or_else(|| Shown { read: vec![repository.to_owned()], list: Vec::new() }, |(_, parts)| parts)
}

/// Whether a path, relative to its repository, is or lies in `.git` or in something that a grant hides by default. A child reads
/// nothing of that, under whatever name a package or a link gives it.
pub(crate) fn is_kept_back(relative: &Path) -> bool {
    let all: Vec<&Path> = relative.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
    all.into_iter().any(|path| path.file_name().is_some_and(is_git) || is_hidden(path))
}

/// Whether a copy of a package that is made for a build leaves an entry of its top directory out.
pub(crate) fn is_left_out(name: &OsStr) -> bool {
    is_git(name) || is_hidden(Path::new(name))
}

/// The files and directories in `directory`; where it cannot be read, nothing in it is shown.
fn entries(directory: &Path, whole: &mut bool) -> Vec<PathBuf> {
    let Ok(all) = std::fs::read_dir(directory) else {
        *whole = false;
        return Vec::new();
    };
    let is_shown = |kind: std::fs::FileType| kind.is_file() || kind.is_dir();
    // `.git` may be a link, which hides nothing of what it leads to but shows that a repository is here.
    let all = all.flatten().filter(|entry| is_git(&entry.file_name()) || entry.file_type().is_ok_and(is_shown));
    let mut all: Vec<PathBuf> = all.map(|entry| entry.path()).collect();
    all.sort();
    all
}

fn is_git(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(".git")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A repository with files at these paths, and its root.
    fn repository(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for file in files {
            crate::laid_out::write(&root, file, "");
        }
        (directory, root)
    }

    fn relative(root: &Path, paths: &[PathBuf]) -> Vec<String> {
        let one = |path: &PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        paths.iter().map(one).collect()
    }

    #[test]
    fn git_and_what_a_grant_hides_is_kept_back_wherever_it_lies() {
        for path in [".git", ".git/config", "specification/.GIT/x", ".env", "a/.env", "a/.ssh/known", "keys/id_rsa"] {
            assert!(is_kept_back(Path::new(path)), "{path}");
        }
        for path in ["", "specification/widget", "specification/.github/a", "a/git", "a/env.tsp"] {
            assert!(!is_kept_back(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn repository_is_shown_entry_by_entry_as_far_as_something_is_hidden() {
        let (_directory, root) =
            repository(&[".git/config", ".env", ".npmrc", "eng/a", "sdk/x/p/a.go", "sdk/x/q/a.go", "sdk/y/a.go", "z"]);
        symlink("eng", root.join("link")).unwrap();
        let Shown { read, list } = shown(&root, &root.join("sdk/x/p"));
        assert_eq!(relative(&root, &read), ["eng", "sdk", "z"]);
        assert_eq!(relative(&root, &list), [""]);

        fs::write(root.join("sdk/x/p/.env.local"), "").unwrap();
        let Shown { read, list } = shown(&root, &root.join("sdk/x/p"));
        assert_eq!(relative(&root, &read), ["eng", "sdk/x/p/a.go", "sdk/x/q", "sdk/y", "z"]);
        assert_eq!(relative(&root, &list), ["", "sdk", "sdk/x", "sdk/x/p"]);
    }

    #[test]
    fn repositories_beside_the_way_are_hidden_whatever_they_are() {
        let (_directory, root) = repository(&["sub/.git/config", "sub/a", "sdk/p/.git", "sdk/p/a.go", "sdk/q/a.go"]);
        fs::create_dir(root.join("sdk/linked")).unwrap();
        symlink("../../sub/.git", root.join("sdk/linked/.git")).unwrap();
        let Shown { read, list } = shown(&root, &root.join("sdk/p"));
        assert_eq!(relative(&root, &read), ["sdk/p/a.go", "sdk/q", "sub/a"]);
        assert_eq!(relative(&root, &list), ["", "sdk", "sdk/linked", "sdk/p", "sub"]);
    }

    #[test]
    fn package_elsewhere_and_a_repository_without_anything_hidden_are_shown_as_a_whole() {
        let (_directory, root) = repository(&["a/b"]);
        assert_eq!(shown(&root, Path::new("/elsewhere")), Shown { read: vec![root.clone()], list: Vec::new() });
        assert_eq!(shown(&root, &root.join("a")), Shown { read: vec![root.clone()], list: Vec::new() });
    }
}
