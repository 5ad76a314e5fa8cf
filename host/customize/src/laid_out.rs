//! Files that a test lays out.

use std::fs;
use std::path::Path;

/// Writes a file beneath a directory, and makes the directories on the way to it.
pub(crate) fn write(directory: &Path, file: &str, content: impl AsRef<[u8]>) {
    let path = directory.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A directory with these files.
pub(crate) fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    files.iter().for_each(|(file, content)| write(directory.path(), file, content));
    directory
}
