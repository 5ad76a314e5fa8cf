//! Modules that a generation installs into a package. They decide how the package is built, so a generation may install none.

use std::collections::BTreeSet;
use std::path::Path;

use bailiwick_base::files::{Tree, TreeError, Type};
use bailiwick_sdk::tasks::Diagnostic;

use super::regenerate::COPY;

const MODULES: &str = "node_modules";

/// The directories of installed modules in a package, but for those of the copy that `tsp-client` makes.
pub(super) struct Installed(BTreeSet<String>);

impl Installed {
    /// Looks for them.
    ///
    /// # Errors
    /// When a directory cannot be read.
    pub(super) fn of(package: &Tree) -> Result<Self, TreeError> {
        let mut found = BTreeSet::new();
        package.entries(
            |path, _| !path.ends_with(MODULES) && !path.ends_with(".git") && path != Path::new(COPY),
            |path, kind, _| {
                if kind == Type::Directory
                    && path.ends_with(MODULES)
                    && let Some(path) = path.to_str()
                {
                    found.insert(path.to_owned());
                }
                Ok(())
            },
        )?;
        Ok(Self(found))
    }

    /// Removes those that are there now and were not, and gives each as an error.
    ///
    /// # Errors
    /// When a directory cannot be read or removed.
    pub(super) fn remove_further(&self, package: &Tree) -> Result<Vec<Diagnostic>, TreeError> {
        let now = Self::of(package)?;
        let further: Vec<&String> = now.0.difference(&self.0).collect();
        for directory in &further {
            package.remove(directory)?;
        }
        Ok(further.into_iter().map(|directory| left(directory)).collect())
    }
}

fn left(directory: &str) -> Diagnostic {
    let message =
        "the generation left installed modules in the package, which would decide how it is built; they are removed";
    Diagnostic {
        file: Some(format!("sdk/{directory}")),
        ..Diagnostic::without_place("generation", "left-installed", message.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_a_generation_installs_are_removed_and_those_of_a_person_stay() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let write = |path: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        };
        write("node_modules/typescript/bin/tsc");
        let package = Tree::open(&root).unwrap();
        let before = Installed::of(&package).unwrap();
        write("node_modules/more/index.js");
        write("TempTypeSpecFiles/node_modules/a/index.js");
        assert_eq!(before.remove_further(&package).unwrap(), []);
        write("src/node_modules/@azure/core-client/index.d.ts");
        let found = before.remove_further(&package).unwrap();
        assert_eq!(found.iter().map(Diagnostic::place).collect::<Vec<_>>(), ["sdk/src/node_modules"]);
        assert!(!root.join("src/node_modules").exists() && root.join("node_modules/typescript").exists());
    }
}
