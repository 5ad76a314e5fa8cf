//! A package laid out anew without copying it: builds write beside what they read.

use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::LanguageError;

/// What builds write, and what is no part of one.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

/// Makes `to` and links into it whatever lies in `from`, except what is left out.
pub(super) fn link_all(from: &Path, to: &Path, without: &[&OsStr]) -> Result<(), LanguageError> {
    std::fs::create_dir_all(to).map_err(LanguageError::io(to, "created"))?;
    for entry in std::fs::read_dir(from).map_err(LanguageError::io(from, "read"))? {
        let entry = entry.map_err(LanguageError::io(from, "read"))?;
        let name = entry.file_name();
        if without.contains(&name.as_os_str()) || LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        let link = to.join(&name);
        symlink(entry.path(), &link).map_err(LanguageError::io(&link, "created"))?;
    }
    Ok(())
}
