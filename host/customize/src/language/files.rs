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
    "target",
    "venv",
];

/// What MSBuild writes beside a project file.
const BESIDE_PROJECTS: [&str; 2] = ["bin", "obj"];

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
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        entries.push((entry, name));
    }
    let has_project = entries.iter().any(|(_, name)| name.ends_with(".csproj"));
    for (entry, name) in entries {
        let kind = entry.file_type()?;
        // Below the sources these are names of the package's own, as in `src/main/java/com/azure/build`.
        let skipped = SKIPPED.contains(&name.as_str()) && !prefix.starts_with("src/")
            || has_project && BESIDE_PROJECTS.contains(&name.as_str());
        if kind.is_dir() && !skipped {
            collect(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else if kind.is_file() {
            files.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_made_is_left_out_and_sources_of_the_same_name_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let sources = ["bin/run.py", "src/W.csproj", "src/main/java/com/azure/build/target/A.java"];
        for file in ["target/classes/A.java", "build/x.py", "src/obj/A.cs", "src/bin/B.cs"].iter().chain(&sources) {
            let path = directory.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        assert_eq!(package_files(directory.path()).unwrap(), sources);
    }
}
