//! Makes and removes a checkout.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Tree, TreeError, Type};

use super::commit::is_commit;
use super::error::CheckoutError;
use super::git::Git;
use super::sweep::Held;
use crate::typespec::git_directories;

/// A file of the checkout's own `.git` that says that it is not edited and does not last: no run keeps
/// before-images of it.
pub(crate) const READ_ONLY: &str = "bailiwick-read-only";

/// What neither a commit nor a generator decides: which of the programs that a person configured for their own files
/// (`git lfs install`) read and write its files, and that a commit holds other bytes than what was built.
const ATTRIBUTES: &str = "* !filter !merge !ident !working-tree-encoding\n";

/// Whether a checkout is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edits {
    /// It is only read.
    Never,
    /// It is worked in.
    Allowed,
}

/// What to check out.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The root of a clone or of a linked work tree of one.
    pub clone: &'a Path,
    /// The commit, in hexadecimal digits.
    pub commit: &'a str,
    /// Directories from the root of the repository, with slashes. The files of the directories above them come with them.
    pub directories: &'a [String],
    /// Whether it is edited.
    pub edits: Edits,
}

/// A commit in a directory of its own, which is removed with this value.
#[derive(Debug)]
pub struct Checkout {
    root: PathBuf,
    commit: String,
    _held: Held,
}

impl Checkout {
    /// Checks a commit out beneath `place`, which is made where it is missing.
    ///
    /// # Errors
    /// See [`CheckoutError`]. Nothing is left then.
    pub fn make(place: &Path, wanted: Wanted<'_>) -> Result<Self, CheckoutError> {
        if !is_commit(wanted.commit) {
            return Err(no_commit(wanted));
        }
        let held = Held::make(place)?;
        // Tools name copies after their repository.
        let named = wanted.clone.file_name().map_or_else(|| "repository".into(), ToOwned::to_owned);
        let root = held.directory().join(named);
        fs::create_dir(&root).map_err(CheckoutError::io(&root, "created"))?;
        let root = root.canonicalize().map_err(CheckoutError::io(&root, "read"))?;
        let git = Git::at(&root);
        git.run(&["init", "--quiet", "--template="])?;
        let attributes = root.join(".git/info/attributes");
        fs::create_dir_all(root.join(".git/info"))
            .and_then(|()| fs::write(&attributes, ATTRIBUTES))
            .map_err(CheckoutError::io(&attributes, "written"))?;
        borrow_objects(&git, &root, wanted.clone)?;
        let asked = format!("{}^{{commit}}", wanted.commit);
        let found = git.text(&["rev-parse", "--verify", "--quiet", "--end-of-options", &asked]);
        let commit = found.map_err(|error| match error {
            CheckoutError::Git { .. } => no_commit(wanted),
            other => other,
        })?;
        let cone = wanted.directories.join("\n") + "\n";
        git.fed(&["sparse-checkout", "set", "--cone", "--stdin"], cone.as_bytes())?;
        git.run(&["checkout", "--quiet", "--detach", &commit])?;
        plain_directories(&root, &commit, wanted.directories)?;
        if wanted.edits == Edits::Never {
            let marker = root.join(".git").join(READ_ONLY);
            fs::write(&marker, "").map_err(CheckoutError::io(&marker, "written"))?;
        }
        Ok(Self { root, commit, _held: held })
    }

    /// Its root, canonical.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit, in full.
    #[must_use]
    pub fn commit(&self) -> &str {
        &self.commit
    }

    /// Ends as in a process that is killed.
    #[cfg(test)]
    fn abandon(self) {
        self._held.abandon();
    }
}

fn no_commit(wanted: Wanted<'_>) -> CheckoutError {
    CheckoutError::NoCommit { clone: wanted.clone.to_owned(), commit: wanted.commit.to_owned() }
}

/// Refuses a commit that leads out of its checkout: every directory is one itself, and so is every one above it.
fn plain_directories(root: &Path, commit: &str, directories: &[String]) -> Result<(), CheckoutError> {
    let tree = Tree::open(root)?;
    // The project of a specification may be the root of its repository.
    for directory in directories.iter().filter(|directory| !directory.is_empty()) {
        let (commit, directory) = (commit.to_owned(), directory.clone());
        match tree.kind(&directory) {
            Ok(Some(Type::Directory)) => {}
            Ok(None) => return Err(CheckoutError::NoDirectory { commit, directory }),
            Ok(Some(_)) | Err(TreeError::Link { .. } | TreeError::WrongKind { .. } | TreeError::BadPath { .. }) => {
                return Err(CheckoutError::NotPlain { commit, directory });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Has the repository at `root` read the objects of a clone, and complete them as a partial clone does.
fn borrow_objects(git: &Git, root: &Path, clone: &Path) -> Result<(), CheckoutError> {
    let common = git_directories(clone).map_or_else(|| clone.join(".git"), |(_, common)| common);
    let information = root.join(".git/objects/info");
    fs::create_dir_all(&information).map_err(CheckoutError::io(&information, "created"))?;
    let alternates = information.join("alternates");
    let mut line = common.join("objects").into_os_string().into_encoded_bytes();
    line.push(b'\n');
    fs::write(&alternates, line).map_err(CheckoutError::io(&alternates, "written"))?;
    let shallow = common.join("shallow");
    if shallow.is_file() {
        fs::copy(&shallow, root.join(".git/shallow")).map_err(CheckoutError::io(&shallow, "copied"))?;
    }
    let configuration = common.join("config");
    let configuration = configuration.to_string_lossy();
    let remotes = git.text(&["config", "--file", &configuration, "--get-regexp", r"^remote\..*\.promisor$"]);
    // Without such a remote git ends with 1: the clone is whole.
    let remotes = remotes.unwrap_or_default();
    let promisors = remotes.lines().filter_map(|line| line.strip_suffix(" true")?.strip_suffix(".promisor"));
    for (number, remote) in promisors.enumerate() {
        for key in ["url", "partialclonefilter"] {
            let name = format!("{remote}.{key}");
            let Ok(value) = git.text(&["config", "--file", &configuration, "--get", &name]) else { continue };
            let beside = clone.join(&value);
            let local = key == "url" && !value.contains(':') && beside.exists();
            let value = if local { beside.to_string_lossy().into_owned() } else { value };
            git.run(&["config", &name, &value])?;
        }
        git.run(&["config", &format!("{remote}.promisor"), "true"])?;
        if number == 0 {
            git.run(&["config", "core.repositoryformatversion", "1"])?;
            git.run(&["config", "extensions.partialClone", remote.trim_start_matches("remote.")])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
