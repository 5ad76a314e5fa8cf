//! zip archives with the earliest time that zip can write.

use super::{Effort, Entry, Tree};
use std::io::{self, Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Writes the files of a tree as a zip archive, in the order of `last`: files whose path begins with it come after all
/// others, as the format of wheels recommends for their metadata.
///
/// # Errors
/// The tree has a symbolic link, or is too large.
pub fn zip(tree: &Tree, effort: Effort, last: &str) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let is_last = |path: &str| !last.is_empty() && path.starts_with(last);
    let (late, early): (Vec<_>, Vec<_>) = tree.entries().partition(|(path, _)| is_last(path));
    for (path, entry) in early.into_iter().chain(late) {
        let Entry::File { bytes, mode } = entry else {
            return Err(io::Error::other(format!("`{path}` is not a file")));
        };
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(i64::from(effort.level())))
            .last_modified_time(DateTime::default())
            .unix_permissions(*mode);
        writer.start_file(path, options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}
