//! The files of a package.

use std::io;
use std::path::Path;

/// Directories that hold no source of the package.
const SKIPPED: &[&str] = &[
    ".git",
    ".mypy_cache",
    ".pytest_cache",
    ".tox",
    ".venv",
    "TempTypeSpecFiles",
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "venv",
];

/// Regular files below `package`, relative to it with slashes, sorted. Links are left out, and so are directories
/// that hold what tools made. Names that are not UTF-8 are left out as well: no generator writes one.
///
/// # Errors
/// When a directory cannot be read.
pub fn package_files(package: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    collect(package, "", &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(directory: &Path, prefix: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let kind = entry.file_type()?;
        if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
            collect(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else if kind.is_file() {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}
