//! Files as a commit of a repository has them. What stands in the work tree may be the work of an agent or a generator.

use std::path::{Path, PathBuf};

use crate::checkout::Git;
use crate::typespec::head_commit;

/// What a commit has at a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum InCommit {
    /// This text.
    Known(String),
    /// No text.
    Absent,
    /// Not known: git is not there, refuses the repository, or lacks the object.
    #[default]
    Unknown,
}

impl InCommit {
    /// The text, where there is one for certain.
    pub(crate) fn known(self) -> Option<String> {
        match self {
            Self::Known(text) => Some(text),
            Self::Absent | Self::Unknown => None,
        }
    }
}

/// A package in a commit of its repository, as far as that can be asked for.
#[derive(Debug, Clone)]
pub struct Recorded {
    repository: PathBuf,
    /// `None` where no commit of the repository can be read.
    commit: Option<String>,
    /// From the root of the repository; `None` where git cannot be asked for it.
    package: Option<String>,
}

impl Recorded {
    /// The package as the commit has it at which the repository stands.
    pub(crate) fn at_head(repository: &Path, package: &Path) -> Self {
        // git keeps it in forms that are not read here, too.
        let asked = || Git::in_clone(repository).text(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).ok();
        Self::at(repository, package, head_commit(repository).or_else(asked))
    }

    /// The same for a commit that was noted earlier, or was not known then.
    pub(crate) fn at(repository: &Path, package: &Path, commit: Option<String>) -> Self {
        let package = package.strip_prefix(repository).ok().and_then(Path::to_str).map(str::to_owned);
        Self { repository: repository.to_owned(), commit, package }
    }

    /// Where the package lies in the work tree; `None` where git cannot be asked for it.
    pub(crate) fn directory(&self) -> Option<PathBuf> {
        self.package.as_ref().map(|package| self.repository.join(package))
    }

    /// The commit, where it is known.
    pub(crate) fn commit(&self) -> Option<&str> {
        self.commit.as_deref()
    }

    /// The texts of files of the package, by their paths in it, and of others, by their paths from the root of the repository.
    /// Nothing is fetched.
    pub(crate) fn texts<const N: usize>(&self, of_package: &str, others: [&str; N]) -> (InCommit, [InCommit; N]) {
        let own = self.package.as_deref().map_or(InCommit::Unknown, |package| {
            let path = if package.is_empty() { of_package.to_owned() } else { format!("{package}/{of_package}") };
            let [text] = self.of_repository([&path]);
            text
        });
        (own, self.of_repository(others))
    }

    /// The text of a file of the package.
    pub(crate) fn text(&self, of_package: &str) -> InCommit {
        self.texts(of_package, []).0
    }

    fn of_repository<const N: usize>(&self, paths: [&str; N]) -> [InCommit; N] {
        let unknown = || [const { InCommit::Unknown }; N];
        // git reads one name a line.
        let Some(commit) = self.commit.as_ref().filter(|_| N > 0 && !paths.iter().any(|path| path.contains('\n')))
        else {
            return unknown();
        };
        let asked: String = paths.iter().map(|path| format!("{commit}:{path}\n")).collect();
        let Ok(said) = Git::in_clone(&self.repository).fed(&["cat-file", "--batch"], asked.as_bytes()) else {
            return unknown();
        };
        let mut rest = said.as_slice();
        paths.map(|path| {
            let Some((content, further)) = next(rest) else { return InCommit::Unknown };
            rest = further;
            match content {
                Content::Blob(bytes) => String::from_utf8(bytes.to_vec()).map_or(InCommit::Absent, InCommit::Known),
                Content::Other => InCommit::Absent,
                // Also said of a file of which the commit tells the name alone, as in a partial clone.
                Content::Missing if self.is_absent(commit, path) => InCommit::Absent,
                Content::Missing => InCommit::Unknown,
            }
        })
    }

    fn is_absent(&self, commit: &str, path: &str) -> bool {
        let listed = Git::in_clone(&self.repository).run(&["ls-tree", "-z", "--full-tree", commit, "--", path]);
        listed.is_ok_and(|listed| listed.is_empty())
    }

    /// What is said where the commit does not tell what it has of the package: why, what follows, and a hint.
    pub(crate) fn unanswered(&self) -> String {
        let asked = self.commit.as_ref().map_or(Ok(Vec::new()), |commit| {
            Git::in_clone(&self.repository).run(&["cat-file", "-e", &format!("{commit}^{{tree}}")])
        });
        let (why, hint) = match asked {
            Err(error) => {
                let why = error.to_string();
                let hint = format!(
                    "; hint: `git config --global --add safe.directory {}` where you trust it",
                    self.repository.display()
                );
                let hint = if why.contains("dubious ownership") { hint } else { String::new() };
                (why, hint)
            }
            Ok(_) if self.commit.is_none() => ("the repository stands at no commit".to_owned(), String::new()),
            Ok(_) => ("git does not have the files of this commit, or not their names".to_owned(), String::new()),
        };
        format!(
            "what the commit says about the checks of the package is not known ({why}): each check counts, and no build \
             script of the package decides{hint}"
        )
    }
}

/// What git says of a path.
#[derive(Debug, PartialEq, Eq)]
enum Content<'a> {
    Blob(&'a [u8]),
    /// A directory or the like.
    Other,
    Missing,
}

/// One answer of `git cat-file --batch` and what follows it: `<id> blob <size>`, the content and a line break, or one line
/// that ends in `missing` or its like.
fn next(said: &[u8]) -> Option<(Content<'_>, &[u8])> {
    let end = said.iter().position(|byte| *byte == b'\n')?;
    let (head, rest) = (said.get(..end)?, said.get(end.checked_add(1)?..)?);
    let head = String::from_utf8_lossy(head);
    let mut words = head.rsplit(' ');
    let (Some(Ok(size)), Some(kind @ ("blob" | "tree" | "commit" | "tag"))) =
        (words.next().map(str::parse::<usize>), words.next())
    else {
        return Some((Content::Missing, rest));
    };
    let (content, further) = (rest.get(..size)?, rest.get(size.checked_add(1)?..)?);
    Some((if kind == "blob" { Content::Blob(content) } else { Content::Other }, further))
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

    fn known(text: &str) -> InCommit {
        InCommit::Known(text.to_owned())
    }

    struct Fixture {
        _directory: tempfile::TempDir,
        root: PathBuf,
        package: PathBuf,
    }

    fn fixture() -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let package = root.join("sdk/w/azure-w");
        std::fs::create_dir_all(package.join("azure")).unwrap();
        std::fs::write(package.join("pyproject.toml"), "recorded\nblob 3\n").unwrap();
        std::fs::write(package.join("binary"), [0xff, 0xfe]).unwrap();
        std::fs::write(package.join("azure/a.py"), "").unwrap();
        git(&root, &["init", "-q"]);
        Fixture { _directory: directory, root, package }
    }

    #[test]
    fn texts_are_those_of_the_commit_and_not_of_the_work_tree() {
        let Fixture { root, package, .. } = &fixture();
        let unborn = Recorded::at_head(root, package);
        assert_eq!((unborn.commit(), unborn.text("pyproject.toml")), (None, InCommit::Unknown), "no commit yet");
        git(root, &["add", "-A"]);
        git(root, &["commit", "-q", "-m", "state"]);
        std::fs::write(package.join("pyproject.toml"), "changed").unwrap();
        std::fs::write(package.join("new.toml"), "new").unwrap();

        let recorded = Recorded::at_head(root, package);
        let of_package =
            ["azure", "pyproject.toml", "new.toml", "binary", "azure/a.py"].map(|file| recorded.text(file));
        let absent = || InCommit::Absent;
        assert_eq!(of_package, [absent(), known("recorded\nblob 3\n"), absent(), absent(), known("")]);
        let others = recorded.texts("azure/a.py", ["sdk/w/azure-w/pyproject.toml", "no/such/file"]).1;
        assert_eq!(others, [known("recorded\nblob 3\n"), absent()]);
        assert_eq!(recorded.text("a\nHEAD:b"), InCommit::Unknown);
        // A later commit changes nothing about one that was noted.
        git(root, &["commit", "-q", "-a", "-m", "later"]);
        let noted = Recorded::at(root, package, recorded.commit().map(str::to_owned));
        assert_eq!(noted.text("pyproject.toml"), known("recorded\nblob 3\n"));
        assert_eq!(Recorded::at_head(root, package).text("pyproject.toml"), known("changed"));
        assert_eq!(Recorded::at_head(root, Path::new("/elsewhere")).text("pyproject.toml"), InCommit::Unknown);
    }

    #[test]
    fn file_of_which_git_does_not_tell_is_not_absent() {
        let Fixture { root, package, .. } = &fixture();
        git(root, &["add", "-A"]);
        git(root, &["commit", "-q", "-m", "state"]);
        // A clone that has the names of files and not their contents.
        let found =
            Command::new("git").args(["rev-parse", "HEAD:sdk/w/azure-w/pyproject.toml"]).current_dir(root).output();
        let id = String::from_utf8(found.unwrap().stdout).unwrap();
        let (directory, name) = id.trim().split_at(2);
        let object = root.join(".git/objects").join(directory).join(name);
        let kept = std::fs::read(&object).unwrap();
        std::fs::remove_file(&object).unwrap();
        let recorded = Recorded::at_head(root, package);
        assert_eq!(recorded.text("pyproject.toml"), InCommit::Unknown);
        assert_eq!((recorded.text("azure/a.py"), recorded.text("new.toml")), (known(""), InCommit::Absent));
        std::fs::write(&object, kept).unwrap();
        // A repository that git refuses.
        std::fs::write(root.join(".git/config"), "[core\n").unwrap();
        assert_eq!(recorded.text("pyproject.toml"), InCommit::Unknown);
        assert_eq!(recorded.text("new.toml"), InCommit::Unknown);
        assert!(recorded.unanswered().contains("each check counts"), "{}", recorded.unanswered());
    }

    #[test]
    fn answer_that_is_cut_off_has_no_text() {
        assert_eq!(next(b"id blob 3\nabc\nrest"), Some((Content::Blob(b"abc"), &b"rest"[..])));
        assert_eq!(next(b"id tree 3\nabc\nrest"), Some((Content::Other, &b"rest"[..])));
        assert_eq!(next(b"HEAD:blob 3 missing\nrest"), Some((Content::Missing, &b"rest"[..])));
        for said in ["", "id blob 3", "id blob 9\nabc\n", "id blob 18446744073709551615\nabc\n"] {
            assert_eq!(next(said.as_bytes()), None, "{said}");
        }
    }
}
