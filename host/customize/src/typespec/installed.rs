//! What a generation puts into a package and decides how the package is built or run: installed modules of JavaScript, a module of
//! Go's in the package's own, with which its directory is no part of the build any more, and compiled modules of Python, which
//! run in place of the source that was checked. A generation may make none.

use std::collections::BTreeSet;
use std::path::Path;

use bailiwick_base::files::{Tree, TreeError, Type};
use bailiwick_sdk::tasks::Diagnostic;

use super::regenerate::COPY;
use bailiwick_toolchains::{is_cached, is_compiled};

/// Whether the entry at `path`, relative to the package, is of this kind.
fn decides(path: &Path, kind: Type) -> bool {
    let nested = || path.components().count() > 1;
    match kind {
        Type::Directory => path.ends_with("node_modules"),
        Type::File => path.ends_with("vendor/modules.txt") || path.ends_with("go.mod") && nested() || is_compiled(path),
        _ => false,
    }
}

/// What decides so in a package, but for the copy that `tsp-client` makes.
pub(super) struct Installed(BTreeSet<String>);

impl Installed {
    /// Looks for them.
    ///
    /// # Errors
    /// When a directory cannot be read.
    pub(super) fn of(package: &Tree) -> Result<Self, TreeError> {
        let mut found = BTreeSet::new();
        package.entries(
            |path, _| !path.ends_with("node_modules") && !path.ends_with(".git") && path != Path::new(COPY),
            |path, kind, _| {
                if decides(path, kind)
                    && let Some(path) = path.to_str()
                {
                    found.insert(path.to_owned());
                }
                Ok(())
            },
        )?;
        Ok(Self(found))
    }

    /// Removes those that are there now and were not, and gives each as an error, but for what Python compiled for itself.
    ///
    /// # Errors
    /// When a directory cannot be read or removed.
    pub(super) fn remove_further(&self, package: &Tree) -> Result<Vec<Diagnostic>, TreeError> {
        let now = Self::of(package)?;
        let further: Vec<&String> = now.0.difference(&self.0).collect();
        for path in &further {
            package.remove(path)?;
            package.remove_empty_above(path);
        }
        Ok(further.into_iter().filter(|path| !is_cached(Path::new(path))).map(|path| left(path)).collect())
    }
}

fn left(path: &str) -> Diagnostic {
    let message =
        "the generation left this in the package, where it would decide how the package is built or run; it is removed";
    Diagnostic {
        file: Some(format!("sdk/{path}")),
        ..Diagnostic::without_place("generation", "left-installed", message.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_generation_makes_to_decide_is_removed_and_what_a_person_made_stays() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let write = |path: &str| crate::laid_out::write(&root, path, "");
        write("node_modules/typescript/bin/tsc");
        let package = Tree::open(&root).unwrap();
        let before = Installed::of(&package).unwrap();
        write("node_modules/more/index.js");
        write("TempTypeSpecFiles/node_modules/a/index.js");
        write("go.mod");
        assert_eq!(before.remove_further(&package).unwrap(), []);
        write("src/node_modules/@azure/core-client/index.d.ts");
        write("extras/go.mod");
        write("vendor/modules.txt");
        write("azure/w/__pycache__/_patch.cpython-312.pyc");
        write("azure/w/_patch.so");
        write("azure/w/_model.pyc");
        let found = before.remove_further(&package).unwrap();
        let places: Vec<String> = found.iter().map(Diagnostic::place).collect();
        // What Python compiles by itself goes without a word.
        assert!(!root.join("azure").exists());
        let compiled = ["sdk/azure/w/_model.pyc", "sdk/azure/w/_patch.so"];
        let others = ["sdk/extras/go.mod", "sdk/src/node_modules", "sdk/vendor/modules.txt"];
        assert_eq!(places, [&compiled[..], &others].concat());
        assert!(!root.join("src/node_modules").exists() && root.join("node_modules/typescript").exists());
    }
}
