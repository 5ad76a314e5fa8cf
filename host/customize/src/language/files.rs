//! The files of a package, reached beneath its handle: a child may have exchanged any directory for a link.

use std::ffi::OsString;
use std::path::Path;

use bailiwick_base::files::{FileError, Tree, TreeError, Type};

/// No source of a library is larger.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Directories that hold no source of the package.
const SKIPPED: &[&str] =
    &[".git", ".mypy_cache", ".pytest_cache", ".tox", ".venv", "TempTypeSpecFiles", "__pycache__", "node_modules"];

/// What tools make at the top of a package and in its samples and tests. Elsewhere these are names of the package's own, as in
/// `src/main/java/com/azure/build`.
const MADE: [&str; 4] = ["build", "dist", "target", "venv"];

/// What MSBuild writes beside a project file.
const BESIDE_PROJECTS: [&str; 2] = ["bin", "obj"];

/// Regular files below `package`, relative to it with slashes, sorted. Links are left out, and so are directories
/// that hold what tools made. Names that are not UTF-8 are left out as well: no generator writes one.
///
/// # Errors
/// When a directory cannot be read.
pub fn package_files(package: &Path) -> Result<Vec<String>, TreeError> {
    files_of(&open_package(package)?)
}

/// Opens a package by its path, on which links may stand: no child can exchange what lies above its package.
///
/// # Errors
/// When it cannot be opened.
pub(crate) fn open_package(package: &Path) -> Result<Tree, TreeError> {
    Tree::open(&package.canonicalize().map_err(FileError::at(package, "opened"))?)
}

/// The same of a package that is open.
///
/// # Errors
/// When a directory cannot be read.
pub(crate) fn files_of(package: &Tree) -> Result<Vec<String>, TreeError> {
    let mut files = Vec::new();
    package.entries(enters, |path, kind, _| {
        if kind == Type::File
            && let Some(path) = path.to_str()
        {
            files.push(path.to_owned());
        }
        Ok(())
    })?;
    files.sort();
    Ok(files)
}

/// The content of a file of a package; `None` where there is nothing.
///
/// # Errors
/// When it cannot be read, is not a regular file, lies behind a link, or is larger than 64 MiB.
pub(crate) fn content_of(package: &Tree, file: &str) -> Result<Option<Vec<u8>>, TreeError> {
    package.read(file, LARGEST)
}

/// The content of a file that was listed.
///
/// # Errors
/// As [`content_of`], and when it is not there any more.
pub(crate) fn listed_content(package: &Tree, file: &str) -> Result<Vec<u8>, TreeError> {
    let gone = || FileError::at(&package.path().join(file), "read")(std::io::ErrorKind::NotFound.into()).into();
    content_of(package, file)?.ok_or_else(gone)
}

/// Whether a source file belongs to samples or tests and not to the library.
pub(crate) fn is_aside(path: &str) -> bool {
    const ASIDE: [&str; 6] = ["generated_samples", "generated_tests", "samples", "samples-dev", "test", "tests"];
    path.split('/').any(|part| ASIDE.contains(&part))
}

/// Whether sources may lie in the directory at `path`, relative to the package; `beside` are the names in its parent.
fn enters(path: &Path, beside: &[OsString]) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let has_project = || beside.iter().any(|name| Path::new(name).extension().is_some_and(|kind| kind == "csproj"));
    let is_of_sources = path.starts_with("src") && path != Path::new("src");
    let is_at_top = || path.components().count() == 1;
    let skipped = SKIPPED.contains(&name) && !is_of_sources
        || MADE.contains(&name) && !is_of_sources && (is_at_top() || path.to_str().is_some_and(is_aside))
        || BESIDE_PROJECTS.contains(&name) && has_project();
    !skipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_of_too_many_directories_inside_one_another_is_an_error_on_a_small_stack() {
        let directory = tempfile::tempdir().unwrap();
        // As deep as a path may be long.
        let deep = directory.path().join(vec!["d"; 1_900].join("/"));
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("a.py"), "").unwrap();
        let package = directory.path().to_owned();
        let read = bailiwick_fuzz::on_small_stack(move || package_files(&package));
        assert!(matches!(read, Err(TreeError::TooDeep { .. })), "{read:?}");
    }

    #[test]
    fn what_tools_made_is_left_out_and_sources_of_the_same_name_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let sources =
            ["azure/w/build/x.py", "bin/run.py", "src/W.csproj", "src/main/java/com/azure/build/target/A.java"];
        let made = ["target/classes/A.java", "build/x.py", "samples/v1/dist/a.ts", "src/obj/A.cs", "src/bin/B.cs"];
        for file in made.iter().chain(&sources) {
            crate::laid_out::write(directory.path(), file, "");
        }
        assert_eq!(package_files(directory.path()).unwrap(), sources);
    }
}
