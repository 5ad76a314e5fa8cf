//! What a commit of a repository holds, read without checking it out.

use crate::commands::spec_commit;
use crate::exit::{Error, Result};
use bailiwick_customize::checkout::Git;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Every file of the commit that is checked out, as paths with slashes.
pub(super) fn files(git: &Git) -> Result<Vec<String>> {
    let listed = git.run(&["ls-tree", "-r", "-z", "--name-only", "HEAD"]).map_err(spec_commit::failure)?;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    // A name that is not UTF-8 cannot be written into a manifest, and git is asked for contents in lines.
    let usable = |name: &String| !name.chars().any(char::is_control);
    Ok(names.filter_map(|name| String::from_utf8(name.to_vec()).ok()).filter(usable).collect())
}

/// The content of files of the commit that is checked out, by path.
pub(super) fn contents(git: &Git, paths: &[String]) -> Result<BTreeMap<String, Vec<u8>>> {
    if paths.is_empty() {
        return Ok(BTreeMap::new());
    }
    let asked: String = paths.iter().map(|path| format!("HEAD:{path}\n")).collect();
    let told = git.fed(&["cat-file", "--batch"], asked.as_bytes()).map_err(spec_commit::failure)?;
    let mut rest = &told[..];
    let mut found = BTreeMap::new();
    for path in paths {
        let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { break };
        let (head, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        let size = head.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        // `… missing`
        let Some(size) = size else { continue };
        found.insert(path.clone(), rest.get(..size).unwrap_or_default().to_vec());
        rest = rest.get(size.saturating_add(1)..).unwrap_or_default();
    }
    Ok(found)
}

/// Which of these objects are there: commits as `COMMIT^{commit}`, or directories as `COMMIT:PATH`, which a link is not.
pub(super) fn there(git: &Git, objects: &[String]) -> Result<Vec<bool>> {
    let asked: String = objects.iter().map(|object| format!("{object}\n")).collect();
    let told = git.fed(&["cat-file", "--batch-check"], asked.as_bytes()).map_err(spec_commit::failure)?;
    let told = String::from_utf8_lossy(&told);
    let is = |line: &str| {
        let mut words = line.rsplit(' ');
        words.next().is_some_and(|size| size.parse::<u64>().is_ok()) && matches!(words.next(), Some("commit" | "tree"))
    };
    Ok(told.lines().map(is).chain(std::iter::repeat(false)).take(objects.len()).collect())
}

/// The files that differ between a commit and the one where it and `since` parted. The clone says what `since` is, and `git`,
/// which reads its objects, does the rest: it fetches what is missing in a partial clone.
pub(super) fn changed(clone: &Path, git: &Git, since: &str, commit: &str) -> Result<BTreeSet<String>> {
    let wrong = |_| {
        Error::usage(format!("`--changed-since`: the clone does not have `{since}`, or nothing joins it to `{commit}`"))
            .hint("fetch it with its history")
    };
    let verified = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
    let named = Git::in_clone(clone).text(&[&verified[..], &[since]].concat()).map_err(wrong)?;
    let since = git.text(&[&verified[..], &[&format!("{named}^{{commit}}")]].concat()).map_err(wrong)?;
    let base = git.text(&["merge-base", &since, commit]).map_err(wrong)?;
    let options = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules"];
    let listed = git.run(&[&options[..], &[&*base, commit, "--"]].concat()).map_err(spec_commit::failure)?;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

/// Whether one of these files lies in the package.
pub(super) fn touches(files: &BTreeSet<String>, package: &str) -> bool {
    let directory = format!("{package}/");
    files.range(directory.clone()..).next().is_some_and(|file| file.starts_with(&directory))
}
