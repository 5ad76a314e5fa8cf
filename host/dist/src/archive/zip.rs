//! zip archives with the earliest time that zip can write.

use super::{Effort, Entry, Tree};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::io::{self, Write as _};

/// 1980-01-01, in seconds since 1970.
const EARLIEST: i64 = 315_532_800;

/// The kind of file in the mode of a regular file (`S_IFREG` of `stat.h`).
const REGULAR: u32 = 0o100_000;

/// Writes the files of a tree as a zip archive, sorted by path. Files whose path begins with `last` come after all others,
/// as the format of wheels recommends for their metadata.
///
/// # Errors
/// The tree has something other than files, or is too large.
pub fn zip(tree: &Tree, effort: Effort, last: &str) -> io::Result<Vec<u8>> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let is_last = |path: &str| !last.is_empty() && path.starts_with(last);
    let (late, early): (Vec<_>, Vec<_>) = tree.entries().partition(|(path, _)| is_last(path));
    for (path, entry) in early.into_iter().chain(late) {
        let Entry::File { bytes, mode } = entry else {
            return Err(io::Error::other(format!("`{path}` is not a file")));
        };
        let (mut member, configuration) = archive
            .new_file(path)
            .compression_method(CompressionMethod::DEFLATE)
            .last_modified(UtcDateTime::from_unix(EARLIEST))
            // With the kind of file: pip takes a member for executable only if it is said to be a regular file.
            .unix_permissions(REGULAR | *mode)
            .start()
            .map_err(io::Error::other)?;
        let encoder = DeflateEncoder::new(&mut member, Compression::new(effort.level()));
        let mut writer = configuration.wrap(encoder);
        writer.write_all(bytes)?;
        let (encoder, descriptor) = writer.finish().map_err(io::Error::other)?;
        encoder.finish()?;
        member.finish(descriptor).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)
}
