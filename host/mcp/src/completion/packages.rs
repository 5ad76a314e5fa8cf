//! Directories of packages beneath what a person granted or named: those of known runs, their neighbours, and all that a
//! search finds. Nothing outside is suggested or looked at.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What makes a directory a package.
const MARK: &str = "tsp-location.yaml";
/// So deep beneath a grant is looked: `sdk/<service>/<package>` of a repository, and one more.
const DEPTH: usize = 4;
/// So many directories are looked into for one answer.
const LOOKED_INTO: usize = 4_000;
/// Directories in which no package is.
const PASSED_OVER: [&str; 8] = [".git", "node_modules", "target", "dist", "bin", "obj", "__pycache__", ".venv"];

/// Package directories whose path begins with `value`, sorted.
pub(super) fn suggest(known: impl Iterator<Item = PathBuf>, granted: Vec<PathBuf>, value: &str) -> Vec<String> {
    let within: Vec<PathBuf> = granted.iter().filter_map(|directory| directory.canonicalize().ok()).collect();
    // Directories of runs have no links in them.
    let named = |path: &Path| within.iter().any(|directory| path.starts_with(directory));
    let known: BTreeSet<PathBuf> = known.filter(|package| package.parent().is_some_and(named)).collect();
    let beside = known.iter().filter_map(|package| package.parent()).map(|parent| (parent.to_owned(), 1));
    // A grant is looked through from its top, whatever lies beneath it was found by a run already or not.
    let places: BTreeSet<(PathBuf, usize)> =
        beside.chain(granted.into_iter().map(|directory| (directory, DEPTH))).collect();
    let mut search = Search { value, found: BTreeSet::new(), left: LOOKED_INTO };
    for (place, depth) in places {
        // The search below stays beneath what is opened here, whatever is renamed meanwhile.
        if let (true, Ok(directory)) = (search.leads_to(&place), Dir::open_ambient_dir(&place, ambient_authority())) {
            search.look(&directory, &place, depth);
        }
    }
    search.found.into_iter().collect()
}

struct Search<'a> {
    value: &'a str,
    found: BTreeSet<String>,
    left: usize,
}

impl Search<'_> {
    /// Whether something beneath this directory can begin with what was typed.
    fn leads_to(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|path| path.starts_with(self.value) || self.value.starts_with(path))
    }

    fn look(&mut self, directory: &Dir, path: &Path, depth: usize) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        if directory.symlink_metadata(MARK).is_ok_and(|found| found.is_file()) {
            // A package holds no other.
            self.found.extend(path.to_str().filter(|path| path.starts_with(self.value)).map(str::to_owned));
            return;
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        let Ok(entries) = directory.entries() else { return };
        let mut names: Vec<_> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| entry.file_name())
            .filter(|name| !PASSED_OVER.iter().any(|passed| name == passed))
            .collect();
        // Where the search is cut off does not depend on the order of the disk.
        names.sort();
        for name in names {
            let inner = path.join(&name);
            if let (true, Ok(opened)) = (self.leads_to(&inner), directory.open_dir(&name)) {
                self.look(&opened, &inner, depth);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree() -> tempfile::TempDir {
        let base = tempfile::tempdir().unwrap();
        for package in
            ["repo/sdk/one/azure-one", "repo/sdk/one/azure-two", "repo/sdk/x/node_modules/azure-no", "far/a/b/c/d/e"]
        {
            fs::create_dir_all(base.path().join(package)).unwrap();
            fs::write(base.path().join(package).join(MARK), "").unwrap();
        }
        fs::create_dir_all(base.path().join("repo/sdk/one/no-package")).unwrap();
        fs::create_dir_all(base.path().join("outside/azure-secret")).unwrap();
        fs::write(base.path().join("outside/azure-secret").join(MARK), "").unwrap();
        std::os::unix::fs::symlink(base.path().join("outside"), base.path().join("repo/sdk/link")).unwrap();
        base
    }

    fn names(base: &Path, found: Vec<String>) -> Vec<String> {
        let shorten = |path: String| path.strip_prefix(&format!("{}/", base.display())).unwrap().to_owned();
        found.into_iter().map(shorten).collect()
    }

    #[test]
    fn packages_of_grants_are_found_and_links_lead_nowhere() {
        let base = tree();
        let found = suggest(std::iter::empty(), vec![base.path().join("repo")], "");
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-one", "repo/sdk/one/azure-two"]);
        let found = suggest(std::iter::empty(), vec![base.path().join("far")], "");
        assert!(found.is_empty(), "too deep: {found:?}");
    }

    #[test]
    fn what_was_typed_narrows_the_search() {
        let base = tree();
        let typed = format!("{}/repo/sdk/one/azure-t", base.path().display());
        let found = suggest(std::iter::empty(), vec![base.path().to_owned()], &typed);
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-two"]);
        assert!(suggest(std::iter::empty(), vec![base.path().to_owned()], "/elsewhere").is_empty());
    }

    #[test]
    fn neighbours_of_known_packages_are_found_and_a_package_that_is_gone_is_not() {
        let base = tree();
        let known = [base.path().join("repo/sdk/one/azure-gone"), base.path().join("gone/azure")];
        assert!(suggest(known.clone().into_iter(), Vec::new(), "").is_empty(), "nothing was named");
        assert!(suggest(known.clone().into_iter(), vec![base.path().join("outside/azure-secret")], "/w").is_empty());
        let deep = base.path().join("far/a/b/c/d/e");
        let found = suggest([deep].into_iter(), vec![base.path().join("far")], "");
        assert_eq!(names(base.path(), found), ["far/a/b/c/d/e"], "deeper than a search looks");
        let found = suggest(known.into_iter(), vec![base.path().join("repo")], "");
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-one", "repo/sdk/one/azure-two"]);
    }
}
