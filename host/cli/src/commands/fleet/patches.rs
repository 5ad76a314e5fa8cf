//! What a job changed, as a patch that applies on the commit that it worked on.

use crate::commands::package::store_failure;
use crate::commands::spec_commit;
use crate::exit::{Error, Result};
use bailiwick_base::text;
use bailiwick_customize::checkout::Git;
use bailiwick_fleet::Patch;
use bailiwick_runs::{ChangeKind, ChangedFile, Store};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// Names in one call of git: the arguments of a program are bounded.
const AT_ONCE: usize = 200;

/// Takes what stands beneath `path` into the index, and gives the index as a tree. What git ignores is taken only where a run
/// wrote it (`written`, from the root of the repository): a client may be generated into a directory called `build`.
///
/// A repository inside the package is refused: git would ask it what has changed in it, and it can name programs to run then.
pub(super) fn stage(root: &Path, path: &str, written: &BTreeSet<String>) -> Result<String> {
    if let Some(inner) = inner_repository(&root.join(path)) {
        return Err(Error::failed(format!("a git repository lies in the package: `{inner}`")));
    }
    let git = Git::at(root);
    git.run(&["add", "--all", "--", path]).map_err(spec_commit::failure)?;
    let ignored = git.run(&["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", path]);
    let ignored = ignored.map_err(spec_commit::failure)?;
    let ignored = ignored.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let ignored: Vec<&str> = ignored.filter(|name| written.contains(*name)).collect();
    for some in ignored.chunks(AT_ONCE) {
        let arguments = [&["--literal-pathspecs", "add", "--force", "--"], some].concat();
        git.run(&arguments).map_err(spec_commit::failure)?;
    }
    let taken = git.run(&["ls-files", "-z", "--", path]).map_err(spec_commit::failure)?;
    let taken: BTreeSet<&[u8]> = taken.split(|byte| *byte == 0).collect();
    let stands = |name: &&String| root.join(name).symlink_metadata().is_ok_and(|found| !found.is_dir());
    // git takes nothing out of a directory that the commit has as a submodule, and says nothing of it.
    if let Some(missed) = written.iter().filter(stands).find(|name| !taken.contains(name.as_bytes())) {
        return Err(Error::failed(format!(
            "git takes `{missed}` into no commit, so a patch would not be what was built"
        )));
    }
    git.text(&["write-tree"]).map_err(spec_commit::failure)
}

/// What the runs of a state directory wrote, from the root of the repository in which the root `name` of a run is `directory`.
pub(super) fn written(state: &Path, name: &str, directory: &str) -> Result<BTreeSet<String>> {
    let store = Store::open(state).map_err(|error| store_failure(&error))?;
    let mut written = BTreeSet::new();
    for run in store.list().map_err(|error| store_failure(&error))? {
        let record = store.show(&run.id).map_err(|error| store_failure(&error))?;
        let stands = |file: &&ChangedFile| file.root == name && file.change != ChangeKind::Removed;
        written.extend(record.changed.iter().filter(stands).map(|file| format!("{directory}/{}", file.path)));
    }
    Ok(written)
}

/// The difference from one commit or tree to another, in `path` alone.
pub(super) fn difference(root: &Path, of: &str, (base, to): (&str, &str), path: &str) -> Result<(Patch, Vec<u8>)> {
    let git = Git::at(root);
    let plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all"];
    let run = |options: &[&str]| {
        let mut arguments = vec!["diff-tree", "-r"];
        arguments.extend(plain);
        arguments.extend(options);
        arguments.extend([base, to, "--", path]);
        git.run(&arguments).map_err(spec_commit::failure)
    };
    let content = run(&["-p", "--binary", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"])?;
    let counted = run(&["--numstat", "-z"])?;
    let (mut files, mut lines) = (0_usize, 0_usize);
    for entry in counted.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        files += 1;
        let entry = String::from_utf8_lossy(entry);
        lines += entry.split('\t').take(2).filter_map(|count| count.parse::<usize>().ok()).sum::<usize>();
    }
    let digest = text::hex(&Sha256::digest(&content));
    Ok((Patch { of: of.to_owned(), base: base.to_owned(), digest, files, lines }, content))
}

/// A `.git` somewhere beneath a directory.
fn inner_repository(directory: &Path) -> Option<String> {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            if entry.file_name().eq_ignore_ascii_case(".git") {
                return Some(entry.path().display().to_string());
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    None
}
