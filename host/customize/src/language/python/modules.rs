//! The modules of a package: those below its top-level packages. A top-level directory without `__init__.py` is a package, too
//! (a namespace), where the generator's code or a customization lies below it.

use std::collections::BTreeMap;
use std::path::Path;

use bailiwick_base::files::Tree;
use bailiwick_sdk::tasks::Diagnostic;

use super::super::{LanguageError, LanguageService, Origin, files_of, listed_content, open_package};
use super::is_patch;

/// Directories beside the package's own code.
const BESIDE: &[&str] =
    &["doc", "docs", "examples", "generated_samples", "generated_tests", "samples", "scripts", "tests"];

/// One module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Module {
    /// Its dotted name.
    pub(super) name: String,
    /// Its file, relative to the package.
    pub(super) file: String,
    /// Who wrote it.
    pub(super) author: Author,
}

/// Who wrote a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    /// A person, to customize generated code.
    Person,
    /// An emitter, or a person who copied its helpers: `_serialization.py` has no header that tells.
    Other,
}

/// What of a package is looked at.
#[derive(Debug)]
pub(super) struct Found {
    /// Every module below the top-level packages, sorted by name.
    pub(super) modules: Vec<Module>,
    /// Generated files and customizations that are in no module, so that neither the import nor mypy reads them.
    pub(super) left_out: Vec<String>,
    /// The files that the type checker is given, sorted.
    pub(super) checked: Vec<String>,
}

/// Finds the modules of `package`.
///
/// # Errors
/// [`LanguageError::NothingToBuild`] when there is none.
pub(super) fn find(package: &Path, language: &dyn LanguageService) -> Result<Found, LanguageError> {
    let open = open_package(package)?;
    let files = files_of(&open)?;
    let own = Own { package: &open, language };
    let (mut modules, mut left_out, mut checked) = (Vec::new(), Vec::new(), Vec::new());
    let mut tops: BTreeMap<&str, bool> = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with(".py")) {
        let Some((top, _)) = file.split_once('/').filter(|(top, _)| !BESIDE.contains(top)) else { continue };
        let is_package = match tops.get(top) {
            Some(known) => *known,
            None => {
                let known = files.binary_search(&format!("{top}/__init__.py")).is_ok() || own.is_below(&files, top)?;
                *tops.entry(top).or_insert(known)
            }
        };
        let Some(name) = module_name(file) else {
            if own.of(file)?.is_some() && !file.ends_with("/__main__.py") {
                left_out.push(file.clone());
            }
            continue;
        };
        if !is_package {
            continue;
        }
        let of = own.of(file)?;
        let stub = format!("{file}i");
        // Only a person may say with a stub what the code beside it is, and only of code that nothing generates or customizes.
        let has_stub = of.is_none() && files.binary_search(&stub).is_ok();
        checked.push(if has_stub { stub } else { file.clone() });
        modules.push(Module { name, file: file.clone(), author: of.unwrap_or(Author::Other) });
    }
    if modules.is_empty() {
        return Err(LanguageError::NothingToBuild { package: package.to_owned() });
    }
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Found { modules, left_out, checked })
}

/// Tells the generator's files and customizations from others.
struct Own<'a> {
    package: &'a Tree,
    language: &'a dyn LanguageService,
}

impl Own<'_> {
    /// Who wrote such a file; `None` for another one.
    fn of(&self, file: &str) -> Result<Option<Author>, LanguageError> {
        let content = listed_content(self.package, file)?;
        // Modules around generated code are held to the repository's own checks and to nothing more.
        Ok(if is_patch(file) && self.language.is_customization(file, &content) {
            Some(Author::Person)
        } else if self.language.origin(file, &content) == Origin::Generated {
            Some(Author::Other)
        } else {
            None
        })
    }

    /// Whether such a file lies in this directory.
    fn is_below(&self, files: &[String], top: &str) -> Result<bool, LanguageError> {
        for file in files.iter().filter(|file| file.ends_with(".py")) {
            let below = file.strip_prefix(top).is_some_and(|rest| rest.starts_with('/'));
            if below && self.of(file)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A file that nothing looks at, as an error of the build.
pub(super) fn not_compiled(file: &str) -> Diagnostic {
    let message =
        "this file is no module that Python can import by its name, so the build does not look at it".to_owned();
    Diagnostic { file: Some(format!("sdk/{file}")), ..Diagnostic::without_place("import", "not-compiled", message) }
}

/// The package that holds all of the code: `azure.widget`, of which `azure` is a namespace that others share.
pub(super) fn own_package(modules: &[Module]) -> Option<String> {
    let names: Vec<Vec<&str>> = modules.iter().map(|module| module.name.split('.').collect()).collect();
    let mut own: Vec<&str> = Vec::new();
    loop {
        let mut next: Vec<&str> = names.iter().filter_map(|name| name.get(own.len()).copied()).collect();
        next.sort_unstable();
        next.dedup();
        match next.as_slice() {
            [one] if names.iter().any(|name| name.len() > own.len().saturating_add(1)) => own.push(one),
            _ => break,
        }
    }
    (!own.is_empty()).then(|| own.join("."))
}

/// `azure/widget/__init__.py` is `azure.widget`; `setup.py` and files whose name is not an identifier are not modules.
fn module_name(file: &str) -> Option<String> {
    let stem = file.strip_suffix(".py")?;
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let is_identifier = |part: &str| {
        !part.starts_with(|one: char| one.is_ascii_digit())
            && part.chars().all(|one| one.is_alphanumeric() || one == '_')
    };
    let parts: Vec<_> = stem.split('/').collect();
    let nested = file.contains('/');
    let runnable = parts.last() == Some(&"__main__");
    (nested && !runnable && parts.iter().all(|part| !part.is_empty() && is_identifier(part))).then(|| parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Python;

    #[test]
    fn modules_of_the_code_are_found_and_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        for file in [
            "setup.py",
            "azure/__init__.py",
            "azure/w/__init__.py",
            "azure/w/models/_patch.py",
            "azure/w/not-a-module.py",
            "azure/w/__main__.py",
            "tests/__init__.py",
            "tests/test_w.py",
            "loose/file.py",
        ] {
            crate::laid_out::write(directory.path(), file, "");
        }
        let Found { modules, left_out, .. } = find(directory.path(), &Python).unwrap();
        let names: Vec<_> = modules.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["azure", "azure.w", "azure.w.models._patch"]);
        assert!(left_out.is_empty(), "{left_out:?}");
        assert_eq!(own_package(&modules).as_deref(), Some("azure.w.models"));
    }

    const GENERATED: &str = "# Code generated by Microsoft (R) Python Code Generator.\n";

    fn laid_out(files: &[(&str, &str)]) -> Found {
        find(crate::laid_out::directory(files).path(), &Python).unwrap()
    }

    #[test]
    fn namespace_without_an_init_file_is_looked_at_where_generated_code_or_a_customization_lies_below() {
        let names =
            |files: &[(&str, &str)]| laid_out(files).modules.into_iter().map(|module| module.name).collect::<Vec<_>>();
        let other = ("perf_tests/__init__.py", "");
        assert_eq!(
            names(&[other, ("azure/w/__init__.py", ""), ("azure/w/_client.py", GENERATED)]),
            ["azure.w", "azure.w._client", "perf_tests"]
        );
        assert_eq!(names(&[other, ("azure/w/_patch.py", "x = 1\n")]), ["azure.w._patch", "perf_tests"]);
        // Code of people that is no part of the library, as beside it.
        assert_eq!(names(&[other, ("stress/run.py", "x = 1\n"), ("samples/a/_patch.py", "x = 1\n")]), ["perf_tests"]);
    }

    #[test]
    fn sub_packages_that_are_called_as_what_tools_make_are_looked_at() {
        let found = laid_out(&[
            ("azure/__init__.py", ""),
            ("azure/w/build/_client.py", GENERATED),
            ("azure/w/dist/_patch.py", "x = 1\n"),
            ("azure/w/target/__init__.py", ""),
            ("build/lib/azure/w/_client.py", GENERATED),
        ]);
        let names: Vec<_> = found.modules.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["azure", "azure.w.build._client", "azure.w.dist._patch", "azure.w.target"]);
    }

    #[test]
    fn customization_and_generated_code_that_python_cannot_import_by_name_are_left_out() {
        let found = laid_out(&[
            ("azure/__init__.py", ""),
            ("azure/w-1/_patch.py", "x = 1\n"),
            ("azure/w-1/_client.py", GENERATED),
            ("azure/w-1/script.py", "x = 1\n"),
            ("setup.py", GENERATED),
        ]);
        assert_eq!(found.left_out, ["azure/w-1/_client.py", "azure/w-1/_patch.py"]);
    }

    /// What `azure-storage-blob` does: stubs of a person beside clients of a person.
    #[test]
    fn stub_stands_for_code_of_a_person_and_never_for_generated_code_or_a_customization() {
        let found = laid_out(&[
            ("azure/__init__.py", ""),
            ("azure/_blob.py", "x = 1\n"),
            ("azure/_blob.pyi", "x: int\n"),
            ("azure/_client.py", GENERATED),
            ("azure/_client.pyi", ""),
            ("azure/_patch.py", "x = 1\n"),
            ("azure/_patch.pyi", ""),
        ]);
        assert_eq!(found.checked, ["azure/__init__.py", "azure/_blob.pyi", "azure/_client.py", "azure/_patch.py"]);
    }

    #[test]
    fn package_without_code_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(find(directory.path(), &Python).unwrap_err(), LanguageError::NothingToBuild { .. }));
    }
}
