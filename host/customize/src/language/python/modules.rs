//! The modules of a package.

use std::path::Path;

use super::super::{LanguageError, LanguageService, files_of, listed_content, open_package};

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

/// Every module below the top-level packages of `package`, sorted by name.
///
/// # Errors
/// [`LanguageError::NothingToBuild`] when there is none.
pub(super) fn find(package: &Path, language: &dyn LanguageService) -> Result<Vec<Module>, LanguageError> {
    let open = open_package(package)?;
    let files = files_of(&open)?;
    let mut modules = Vec::new();
    for file in &files {
        let Some(name) = module_name(file) else {
            continue;
        };
        let top = file.split('/').next().unwrap_or_default();
        let is_package = files.binary_search(&format!("{top}/__init__.py")).is_ok();
        if !is_package || BESIDE.contains(&top) {
            continue;
        }
        let by_a_person =
            language.may_customize(file) && language.is_customization(file, &listed_content(&open, file)?);
        let author = if by_a_person { Author::Person } else { Author::Other };
        modules.push(Module { name, file: file.clone(), author });
    }
    if modules.is_empty() {
        return Err(LanguageError::NothingToBuild { package: package.to_owned() });
    }
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(modules)
}

/// The top-level packages: what a type checker is asked to check.
pub(super) fn top_level(modules: &[Module]) -> Vec<&str> {
    let mut names: Vec<_> = modules.iter().filter_map(|module| module.name.split('.').next()).collect();
    names.sort_unstable();
    names.dedup();
    names
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
            let path = directory.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let modules = find(directory.path(), &Python).unwrap();
        let names: Vec<_> = modules.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["azure", "azure.w", "azure.w.models._patch"]);
        assert_eq!(top_level(&modules), ["azure"]);
        assert_eq!(own_package(&modules).as_deref(), Some("azure.w.models"));
    }

    #[test]
    fn package_without_code_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(find(directory.path(), &Python).unwrap_err(), LanguageError::NothingToBuild { .. }));
    }
}
