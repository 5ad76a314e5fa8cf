//! The files of a case in temporary directories.

use crate::error::AuthoringError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes files beneath `root`, each with the directories above it.
pub(super) fn lay_out(root: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), AuthoringError> {
    for (path, content) in files {
        let path = root.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(AuthoringError::io(parent, "created"))?;
        }
        fs::write(&path, content).map_err(AuthoringError::io(&path, "written"))?;
    }
    Ok(())
}

/// Every file beneath `root` with its content; a link is told as one and not followed.
pub(super) fn files(root: &Path) -> Result<BTreeMap<String, Vec<u8>>, AuthoringError> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(root.to_owned(), String::new())];
    while let Some((directory, prefix)) = waiting.pop() {
        collect(&directory, &prefix, &mut waiting, &mut found)?;
    }
    Ok(found)
}

/// The files of one directory; the directories in it go to those that wait.
fn collect(
    directory: &Path,
    prefix: &str,
    waiting: &mut Vec<(PathBuf, String)>,
    found: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), AuthoringError> {
    let reading = || AuthoringError::io(directory, "read");
    for entry in fs::read_dir(directory).map_err(reading())? {
        let entry = entry.map_err(reading())?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(reading())?;
        if kind.is_dir() {
            waiting.push((entry.path(), format!("{name}/")));
        } else if kind.is_file() {
            found.insert(name, fs::read(entry.path()).map_err(reading())?);
        } else {
            found.insert(format!("{name} (no plain file)"), Vec::new());
        }
    }
    Ok(())
}
