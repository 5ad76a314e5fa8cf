//! Directories of packages beneath what a person granted or named: those of known runs, their neighbours, and all that a
//! search finds. Nothing outside is suggested or looked at.

use crate::packages::PackageDirectories;
use bailiwick_sandbox::Grant;
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

/// Package directories whose path begins with `value`, sorted. What a grant hides is neither looked at nor named.
pub(super) fn suggest(known: impl Iterator<Item = PathBuf>, named: &PackageDirectories, value: &str) -> Vec<String> {
    let mut search = Search { value, found: BTreeSet::new(), left: LOOKED_INTO };
    let parents: BTreeSet<PathBuf> = known.filter_map(|package| package.parent().map(Path::to_owned)).collect();
    for grant in named.iter() {
        // Directories of runs have no links in them.
        let place = grant.place();
        for parent in &parents {
            let below = place.as_deref().and_then(|place| parent.strip_prefix(place).ok()).and_then(Path::to_str);
            let parent_of_packages = below.and_then(|below| match below {
                "" => Some(grant.clone()),
                below => grant.narrowed(below).ok(),
            });
            if let Some(beside) = parent_of_packages {
                search.look(&beside, parent, 1);
            }
        }
        // A grant is looked through from its top, whatever lies beneath it was found by a run already or not.
        if let Some(called) = grant.names_of_callers().first() {
            search.look(grant, Path::new(called), DEPTH);
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

    /// Looks through a directory by its handle, whatever is renamed meanwhile. `path` is what it is called.
    fn look(&mut self, grant: &Grant, path: &Path, depth: usize) {
        if self.left == 0 || !self.leads_to(path) {
            return;
        }
        self.left -= 1;
        let Some(directory) = opened(grant) else { return };
        if directory.symlink_metadata(MARK).is_ok_and(|found| found.is_file()) {
            // A package holds no other.
            self.found.extend(path.to_str().filter(|path| path.starts_with(self.value)).map(str::to_owned));
            return;
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        let Ok(entries) = directory.entries() else { return };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !PASSED_OVER.contains(&name.as_str()))
            .collect();
        // Where the search is cut off does not depend on the order of the disk.
        names.sort();
        for name in names {
            let inner = path.join(&name);
            if let (true, Ok(opened)) = (self.leads_to(&inner), grant.narrowed(&name)) {
                self.look(&opened, &inner, depth);
            }
        }
    }
}

/// The directory of a grant, to be listed.
fn opened(grant: &Grant) -> Option<Dir> {
    Dir::from_std_file(grant.handle()?.into()).open_dir(".").ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_sandbox::{Access, Grants, Reserved};
    use std::fs;

    fn grant(directory: &Path) -> Grant {
        let grant = Grant::open("g", directory, Access::ReadWrite, &Reserved::none()).unwrap();
        grant.called(directory.to_str().unwrap())
    }

    /// Suggestions where these directories were named.
    fn suggest(known: impl Iterator<Item = PathBuf>, named: &[PathBuf], value: &str) -> Vec<String> {
        let named = named.iter().map(|directory| grant(directory)).collect();
        super::suggest(known, &PackageDirectories::new(Grants::none(), named), value)
    }

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
        let found = suggest(std::iter::empty(), &[base.path().join("repo")], "");
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-one", "repo/sdk/one/azure-two"]);
        let found = suggest(std::iter::empty(), &[base.path().join("far")], "");
        assert!(found.is_empty(), "too deep: {found:?}");
    }

    #[test]
    fn what_was_typed_narrows_the_search() {
        let base = tree();
        let typed = format!("{}/repo/sdk/one/azure-t", base.path().display());
        let found = suggest(std::iter::empty(), &[base.path().to_owned()], &typed);
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-two"]);
        assert!(suggest(std::iter::empty(), &[base.path().to_owned()], "/elsewhere").is_empty());
    }

    #[test]
    fn neighbours_of_known_packages_are_found_and_a_package_that_is_gone_is_not() {
        let base = tree();
        let known = [base.path().join("repo/sdk/one/azure-gone"), base.path().join("gone/azure")];
        assert!(suggest(known.clone().into_iter(), &[], "").is_empty(), "nothing was named");
        assert!(suggest(known.clone().into_iter(), &[base.path().join("outside/azure-secret")], "/w").is_empty());
        let deep = base.path().join("far/a/b/c/d/e");
        let found = suggest([deep].into_iter(), &[base.path().join("far")], "");
        assert_eq!(names(base.path(), found), ["far/a/b/c/d/e"], "deeper than a search looks");
        let found = suggest(known.into_iter(), &[base.path().join("repo")], "");
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-one", "repo/sdk/one/azure-two"]);
    }

    #[test]
    fn package_in_a_hidden_directory_is_neither_found_nor_beside_a_known_one() {
        let base = tree();
        for package in ["repo/.ssh/x", "repo/sdk/acme/azure-secret", "repo/sdk/acme/azure-known"] {
            fs::create_dir_all(base.path().join(package)).unwrap();
            fs::write(base.path().join(package).join(MARK), "").unwrap();
        }
        let hiding = grant(&base.path().join("repo")).hiding("acme").unwrap();
        let known = base.path().join("repo/sdk/acme/azure-known");
        let named = PackageDirectories::new(Grants::none(), vec![hiding]);
        let found = super::suggest([known].into_iter(), &named, "");
        assert_eq!(names(base.path(), found), ["repo/sdk/one/azure-one", "repo/sdk/one/azure-two"]);
    }
}
