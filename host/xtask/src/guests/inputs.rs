//! A digest of everything a guest is made of, to tell whether it has to be built.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Directories of the guests' workspace that building fills.
const MADE: [&str; 2] = ["target", "dist"];

/// The digest of the sources in `components` and in `others`, and of the `flags` they are built with.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn digest(components: &Path, others: &[&Path], flags: &str) -> Result<String> {
    let mut files = Vec::new();
    for entry in sorted(components)? {
        if !MADE.iter().any(|made| entry.ends_with(made)) {
            collect(&entry, &mut files)?;
        }
    }
    for other in others {
        collect(other, &mut files)?;
    }
    let mut hasher = Sha256::new();
    hasher.update(flags.as_bytes());
    for file in files {
        let content = fs::read(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
        let name = file.strip_prefix(components).unwrap_or(&file);
        hasher.update(format!("\0{}\0{}\0", name.display(), content.len()));
        hasher.update(&content);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        for entry in sorted(path)? {
            collect(&entry, files)?;
        }
    } else {
        files.push(path.to_owned());
    }
    Ok(())
}

fn sorted(directory: &Path) -> Result<Vec<PathBuf>> {
    let reading = || format!("cannot read `{}`", directory.display());
    let entries = fs::read_dir(directory).with_context(reading)?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_source_changes_the_digest_and_a_built_file_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("tool/src")).unwrap();
        fs::create_dir_all(root.join("target")).unwrap();
        fs::write(root.join("tool/src/lib.rs"), "a").unwrap();
        let before = digest(root, &[], "flags").unwrap();
        fs::write(root.join("target/built"), "x").unwrap();
        assert_eq!(digest(root, &[], "flags").unwrap(), before);
        assert_ne!(digest(root, &[], "other flags").unwrap(), before);
        fs::write(root.join("tool/src/lib.rs"), "b").unwrap();
        assert_ne!(digest(root, &[], "flags").unwrap(), before);
    }
}
