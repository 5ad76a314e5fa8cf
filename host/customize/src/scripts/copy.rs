//! A package laid out anew, with everything around it, so that a build may write beside what it reads and the package
//! stays as it is.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::error::ScriptError;
use crate::shown::is_left_out;

/// Directories that are not inputs of a build.
const LEFT_OUT: [&str; 3] = ["TempTypeSpecFiles", "__pycache__", "target"];
/// What is large and only read.
const LINKED: &str = "node_modules";

/// A copy of a package inside a tree of links that stands for its repository.
#[derive(Debug)]
pub(crate) struct Copy {
    /// The directory that stands for the repository.
    pub(crate) tree: PathBuf,
    /// The package inside it.
    pub(crate) package: PathBuf,
    repository: PathBuf,
    original: PathBuf,
}

impl Copy {
    /// Lays `package` out in `<root>/tree`, which is emptied first. `root` and both others are canonical.
    ///
    /// # Errors
    /// [`ScriptError::Io`].
    pub(crate) fn make(package: &Path, repository: &Path, root: &Path) -> Result<Self, ScriptError> {
        let tree = root.join("tree");
        match fs::remove_dir_all(&tree) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ScriptError::io(&tree, "removed")(error));
            }
            _ => {}
        }
        let relative = package.strip_prefix(repository).unwrap_or(Path::new(""));
        let (mut from, mut to) = (repository.to_owned(), tree.clone());
        for part in relative.components() {
            fs::create_dir_all(&to).map_err(ScriptError::io(&to, "created"))?;
            each(&from, |entry| {
                let name = entry.file_name();
                if name == part.as_os_str() || is_left_out(&name) {
                    return Ok(());
                }
                link(&entry.path(), &to.join(name))
            })?;
            from.push(part);
            to.push(part);
        }
        copy(package, &to)?;
        Ok(Self { tree, package: to, repository: repository.to_owned(), original: package.to_owned() })
    }

    /// Paths as people know them: `sdk/…` in the package, `repository/…` around it.
    pub(crate) fn readable(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (directory, name) in [
            (&self.package, "sdk"),
            (&self.original, "sdk"),
            (&self.tree, "repository"),
            (&self.repository, "repository"),
        ] {
            text = text.replace(&*directory.to_string_lossy(), name);
        }
        text
    }
}

fn each(directory: &Path, mut take: impl FnMut(fs::DirEntry) -> Result<(), ScriptError>) -> Result<(), ScriptError> {
    for entry in fs::read_dir(directory).map_err(ScriptError::io(directory, "read"))? {
        take(entry.map_err(ScriptError::io(directory, "read"))?)?;
    }
    Ok(())
}

fn link(target: &Path, at: &Path) -> Result<(), ScriptError> {
    symlink(target, at).map_err(ScriptError::io(at, "created"))
}

/// Files and links of `from`; anything that is neither is left out.
fn copy(from: &Path, to: &Path) -> Result<(), ScriptError> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    let top = from;
    while let Some((from, to)) = waiting.pop() {
        copy_one(&from, &to, from == top, &mut waiting)?;
    }
    Ok(())
}

/// The files and links of one directory; the directories in it go to those that wait.
fn copy_one(from: &Path, to: &Path, is_top: bool, waiting: &mut Vec<(PathBuf, PathBuf)>) -> Result<(), ScriptError> {
    fs::create_dir_all(to).map_err(ScriptError::io(to, "created"))?;
    each(from, |entry| {
        let (name, path) = (entry.file_name(), entry.path());
        let at = to.join(&name);
        let kind = entry.file_type().map_err(ScriptError::io(&path, "read"))?;
        let hidden = if is_top { is_left_out(&name) } else { name == ".git" };
        if hidden || LEFT_OUT.iter().any(|left_out| name == *left_out) && kind.is_dir() {
            Ok(())
        } else if name == LINKED {
            link(&path, &at)
        } else if kind.is_dir() {
            waiting.push((path, at));
            Ok(())
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(ScriptError::io(&path, "read"))?;
            link(&target, &at)
        } else if kind.is_file() {
            fs::copy(&path, &at).map(drop).map_err(ScriptError::io(&at, "written"))
        } else {
            Ok(())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_is_copied_and_what_is_around_it_is_linked() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let (repository, package) = (base.join("repo"), base.join("repo/sdk/w/azure-w"));
        for path in [".git", "eng", "sdk/other", "sdk/w/azure-w/src/target", "sdk/w/azure-w/node_modules/x"] {
            fs::create_dir_all(repository.join(path)).unwrap();
        }
        fs::write(repository.join("eng/versions"), "1").unwrap();
        fs::write(package.join("src/a"), "a").unwrap();
        symlink("src/a", package.join("link")).unwrap();
        // A second build begins with nothing of the first.
        for _ in 0..2 {
            let copy = Copy::make(&package, &repository, &base.join("work")).unwrap();
            assert_eq!(fs::read_to_string(copy.package.join("../../../eng/versions")).unwrap(), "1");
            assert!(!copy.tree.join(".git").exists() && !copy.package.join("src/target").exists());
            assert!(copy.package.join("node_modules").is_symlink());
            assert_eq!(fs::read_link(copy.package.join("link")).unwrap(), Path::new("src/a"));
            assert!(!copy.package.join("made").exists());
            fs::write(copy.package.join("made"), "").unwrap();
            fs::write(copy.package.join("src/a"), "changed").unwrap();
            let text = format!("{}/src/a in {}", copy.package.display(), repository.display());
            assert_eq!(copy.readable(&text), "sdk/src/a in repository");
        }
        assert_eq!(fs::read_to_string(package.join("src/a")).unwrap(), "a");
    }

    #[test]
    fn package_that_is_the_repository_is_copied_whole() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("repo/.git")).unwrap();
        fs::write(base.join("repo/a"), "a").unwrap();
        let copy = Copy::make(&base.join("repo"), &base.join("repo"), &base.join("work")).unwrap();
        assert_eq!(copy.package, copy.tree);
        assert!(copy.package.join("a").is_file() && !copy.package.join(".git").exists());
    }
}
