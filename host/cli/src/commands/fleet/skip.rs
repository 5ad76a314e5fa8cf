//! Which directories are packages, and which of them are left out.

use std::collections::BTreeSet;

/// What makes a directory at the place of packages one.
const PROJECT_FILES: [&str; 5] = ["pyproject.toml", "setup.py", "pom.xml", "package.json", "go.mod"];
const LOCATION: &str = "tsp-location.yaml";

/// The packages among the files of a repository: directories with `tsp-location.yaml`, and directories `sdk/SERVICE/NAME`
/// with a project file, which cannot be generated and are left out with that reason and not silently.
pub(super) fn packages(files: &[String]) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut generated = BTreeSet::new();
    let mut others = BTreeSet::new();
    for path in files {
        let Some((directory, name)) = path.rsplit_once('/') else { continue };
        if name == LOCATION {
            generated.insert(directory.to_owned());
        } else if directory.starts_with("sdk/")
            && directory.split('/').count() == 3
            && (PROJECT_FILES.contains(&name) || name.ends_with(".csproj"))
        {
            others.insert(directory.to_owned());
        }
    }
    // A service's own directory may hold a project file and packages beneath it.
    others.retain(|one| !generated.contains(one) && !generated.iter().any(|two| two.starts_with(&format!("{one}/"))));
    (generated, others)
}

/// The directories, of those that packages of this field share, that a repository has, and those that a person names.
pub(super) fn beside(files: &[String], named: &[String]) -> Result<Vec<String>, String> {
    const SHARED: [&str; 5] = ["eng", "common", ".vscode", ".config", "sdk/parents"];
    let has = |directory: &str| {
        files.iter().any(|path| path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')))
    };
    let named = named.iter().map(|one| one.trim_matches('/').to_owned()).collect::<Vec<_>>();
    if let Some(missing) = named.iter().find(|one| !has(one)) {
        return Err(missing.clone());
    }
    let shared = SHARED.into_iter().filter(|one| has(one)).map(str::to_owned);
    Ok(shared.chain(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    #[test]
    fn package_without_a_location_is_told_and_not_dropped() {
        let files = listed(&[
            "tsp-location.yaml",
            "sdk/a/one/tsp-location.yaml",
            "sdk/a/one/setup.py",
            "sdk/a/two/setup.py",
            "sdk/resourcemanager/b/armb/tsp-location.yaml",
            "sdk/resourcemanager/b/go.mod",
            "eng/tools/setup.py",
        ]);
        let (generated, others) = packages(&files);
        assert_eq!(generated.into_iter().collect::<Vec<_>>(), ["sdk/a/one", "sdk/resourcemanager/b/armb"]);
        assert_eq!(others.into_iter().collect::<Vec<_>>(), ["sdk/a/two"]);
    }

    #[test]
    fn shared_directories_are_those_that_are_there_and_a_named_one_has_to_be() {
        let files = listed(&["eng/x", "sdk/core/y"]);
        assert_eq!(beside(&files, &listed(&["sdk/core/"])).unwrap(), ["eng", "sdk/core"]);
        assert_eq!(beside(&files, &listed(&["sdk/none"])).unwrap_err(), "sdk/none");
    }
}
