//! A conversation file on disk: whole or not there, for its owner alone, never over another file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that is being written under another name beside its own. Dropped before [`Self::keep`], it is removed.
pub struct ConversationFile {
    partial: NamedTempFile,
    path: PathBuf,
}

impl ConversationFile {
    /// Begins a file, which only its owner may read.
    ///
    /// # Errors
    /// When something of this name is there already ([`io::ErrorKind::AlreadyExists`]), or the directory cannot be
    /// written.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        let partial = tempfile::Builder::new()
            .prefix(".conversation-")
            .suffix(".partial")
            .tempfile_in(directory.unwrap_or(Path::new(".")))?;
        Ok(Self { partial, path: path.to_owned() })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When something of this name came to be in the meantime, or the disk fails. There is then no file.
    pub fn keep(mut self) -> io::Result<()> {
        self.partial.flush()?;
        self.partial.as_file().sync_all()?;
        self.partial.persist_noclobber(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for ConversationFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.partial.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.partial.flush()
    }
}
