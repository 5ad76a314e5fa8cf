//! Files as a commit of a repository has them. What stands in the work tree may be the work of an agent or a generator.

use std::path::{Path, PathBuf};

use crate::checkout::Git;
use crate::typespec::head_commit;

/// A package in a commit of its repository.
#[derive(Debug, Clone)]
pub struct Recorded {
    repository: PathBuf,
    commit: String,
    package: String,
}

impl Recorded {
    /// The package as the commit has it at which the repository stands; `None` where there is no such commit, or where the
    /// package's path cannot be asked for.
    pub(crate) fn at_head(repository: &Path, package: &Path) -> Option<Self> {
        Self::at(repository, package, head_commit(repository)?)
    }

    /// The same for a commit that was noted earlier.
    pub(crate) fn at(repository: &Path, package: &Path, commit: String) -> Option<Self> {
        let package = package.strip_prefix(repository).ok()?.to_str()?.to_owned();
        Some(Self { repository: repository.to_owned(), commit, package })
    }

    /// Where the package lies in the work tree.
    pub(crate) fn directory(&self) -> PathBuf {
        self.repository.join(&self.package)
    }

    /// The commit.
    pub(crate) fn commit(&self) -> &str {
        &self.commit
    }

    /// The path of a file of the package, from the root of the repository.
    pub(crate) fn of_package(&self, file: &str) -> String {
        if self.package.is_empty() { file.to_owned() } else { format!("{}/{file}", self.package) }
    }

    /// The texts of files, by their paths from the root of the repository. `None` for what the commit does not have as a
    /// text, and for everything where git is not there or does not answer. Nothing is fetched.
    pub(crate) fn texts<const N: usize>(&self, paths: [&str; N]) -> [Option<String>; N] {
        let none = || [const { None }; N];
        // git reads one name a line.
        if paths.iter().any(|path| path.contains('\n')) {
            return none();
        }
        let asked: String = paths.iter().map(|path| format!("{}:{path}\n", self.commit)).collect();
        let git = Git::in_clone(&self.repository);
        let Ok(said) = git.fed(&["cat-file", "--batch"], asked.as_bytes()) else { return none() };
        let mut rest = said.as_slice();
        paths.map(|_| {
            let (content, further) = next(rest)?;
            rest = further;
            content.and_then(|bytes| String::from_utf8(bytes.to_vec()).ok())
        })
    }
}

/// One answer of `git cat-file --batch` and what follows it: `<id> blob <size>`, the content and a line break, or one line
/// that ends in `missing` or its like.
fn next(said: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let end = said.iter().position(|byte| *byte == b'\n')?;
    let (head, rest) = (said.get(..end)?, said.get(end.checked_add(1)?..)?);
    let head = String::from_utf8_lossy(head);
    let mut words = head.rsplit(' ');
    let (Some(Ok(size)), Some(kind @ ("blob" | "tree" | "commit" | "tag"))) =
        (words.next().map(str::parse::<usize>), words.next())
    else {
        return Some((None, rest));
    };
    let (content, further) = (rest.get(..size)?, rest.get(size.checked_add(1)?..)?);
    Some(((kind == "blob").then_some(content), further))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(directory: &Path, arguments: &[&str]) {
        let identity = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.args(identity).args(arguments).current_dir(directory).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    }

    #[test]
    fn texts_are_those_of_the_commit_and_not_of_the_work_tree() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let package = root.join("sdk/w/azure-w");
        std::fs::create_dir_all(package.join("azure")).unwrap();
        std::fs::write(package.join("pyproject.toml"), "recorded\nblob 3\n").unwrap();
        std::fs::write(package.join("binary"), [0xff, 0xfe]).unwrap();
        std::fs::write(package.join("azure/a.py"), "").unwrap();
        assert!(Recorded::at_head(&root, &package).is_none(), "no repository yet");
        git(&root, &["init", "-q"]);
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-q", "-m", "state"]);
        std::fs::write(package.join("pyproject.toml"), "changed").unwrap();
        std::fs::write(package.join("new.toml"), "new").unwrap();

        let recorded = Recorded::at_head(&root, &package).unwrap();
        let [tree, project, new, binary, empty, broken] =
            ["azure", "pyproject.toml", "new.toml", "binary", "azure/a.py", "a\nHEAD:b"]
                .map(|file| recorded.of_package(file));
        let texts = recorded.texts([&tree, &project, &new, &binary, &empty]);
        let shown = [None, Some("recorded\nblob 3\n"), None, None, Some("")].map(|text| text.map(str::to_owned));
        assert_eq!(texts, shown);
        assert_eq!(recorded.texts([&project, &broken]), [None, None]);
        // A later commit changes nothing about one that was noted.
        git(&root, &["commit", "-q", "-a", "-m", "later"]);
        let noted = Recorded::at(&root, &package, recorded.commit().to_owned()).unwrap();
        assert_eq!(noted.texts([&project])[0].as_deref(), Some("recorded\nblob 3\n"));
        assert_eq!(Recorded::at_head(&root, &package).unwrap().texts([&project])[0].as_deref(), Some("changed"));
        assert!(Recorded::at_head(&root, Path::new("/elsewhere")).is_none());
    }

    #[test]
    fn answer_that_is_cut_off_has_no_text() {
        assert_eq!(next(b"id blob 3\nabc\nrest"), Some((Some(&b"abc"[..]), &b"rest"[..])));
        assert_eq!(next(b"HEAD:blob 3 missing\nrest"), Some((None, &b"rest"[..])));
        for said in ["", "id blob 3", "id blob 9\nabc\n", "id blob 18446744073709551615\nabc\n"] {
            assert_eq!(next(said.as_bytes()), None, "{said}");
        }
    }
}
