//! Reading the log as it was at one moment, in bounded memory.

use crate::error::{AuditError, Broken, Fault};
use crate::files::{Directory, Lock, PATIENCE, Use};
use crate::head::{self, Head, file_name, file_number};
use crate::line;
use rustix::fs::FlockOperation;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Take};
use std::path::Path;
use std::time::Instant;

/// What was there when the reader began.
pub(crate) struct Snapshot {
    pub(crate) head: Option<Head>,
    /// Numbers and lengths of the files, in order.
    pub(crate) files: Vec<(u32, u64)>,
}

impl Snapshot {
    /// `how` says whether files are judged or only read. Holds the lock only while it asks for lengths, so that a process that appends does not wait for a reader.
    pub(crate) fn take(directory: &Directory, how: Use) -> Result<Self, AuditError> {
        let file = directory.open(head::NAME, how)?;
        let path = directory.path_of(head::NAME);
        let _lock = match &file {
            Some(file) => {
                Some(Lock::take(file, &path, FlockOperation::NonBlockingLockShared, Instant::now() + PATIENCE)?)
            }
            None => None,
        };
        let mut files = Vec::new();
        for name in directory.names()? {
            let Some(number) = file_number(&name) else { continue };
            let Some(file) = directory.open(&name, how)? else { continue };
            let length = file.metadata().map_err(|error| directory.io("inspect", &name, error))?.len();
            files.push((number, length));
        }
        files.sort_unstable();
        let mut bytes = Vec::new();
        if let Some(mut file) = file.as_ref() {
            let limit = head::BYTES as u64 + 1;
            (&mut file).take(limit).read_to_end(&mut bytes).map_err(|error| directory.io("read", head::NAME, error))?;
        }
        let head = Head::parse(&bytes);
        if head.is_none() && !(bytes.is_empty() && files.iter().all(|(_, length)| *length == 0)) {
            let fault = if bytes.is_empty() { Fault::HeadRemoved } else { Fault::Head };
            return Err(Broken { file: head::NAME.into(), line: 1, fault }.into());
        }
        Ok(Self { head, files })
    }
}

/// One file of a snapshot, line by line.
pub(crate) struct FileLines {
    reader: BufReader<Take<File>>,
    pub(crate) name: String,
    /// Of the line read last, counted from 1.
    pub(crate) number: u64,
    /// Where the line read last ends, its line break included.
    pub(crate) offset: u64,
    buffer: Vec<u8>,
}

impl FileLines {
    /// `None` when the file is gone.
    pub(crate) fn open(directory: &Directory, number: u32, length: u64) -> Result<Option<Self>, AuditError> {
        let name = file_name(number);
        let Some(file) = directory.open(&name, Use::Read)? else { return Ok(None) };
        let reader = BufReader::with_capacity(64 << 10, file.take(length));
        Ok(Some(Self { reader, name, number: 0, offset: 0, buffer: Vec::new() }))
    }

    /// The next line without its line break, and whether it had one. A line that is too long comes in pieces, the
    /// first ones without a line break.
    pub(crate) fn next(&mut self, directory: &Directory) -> Result<Option<(&[u8], bool)>, AuditError> {
        self.buffer.clear();
        let limit = line::LONGEST as u64 + 1;
        let count = (&mut self.reader)
            .take(limit)
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| directory.io("read", &self.name, error))?;
        if count == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.offset += count as u64;
        Ok(Some(match self.buffer.strip_suffix(b"\n") {
            Some(line) => (line, true),
            None => (&self.buffer, false),
        }))
    }
}

/// A line as it stands in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The name of its file.
    pub file: &'a str,
    /// Its number in that file, counted from 1.
    pub number: u64,
    /// The line itself, without its line break: JSON, if its bytes are those that were hashed. `None` for anything else.
    pub text: Option<&'a str>,
}

/// Every line of a log, oldest first. Whether they form a chain is for [`crate::verify`] to say.
pub struct Lines {
    directory: Option<Directory>,
    files: std::vec::IntoIter<(u32, u64)>,
    current: Option<FileLines>,
}

impl Lines {
    /// Opens the log in `directory`; where there is none there are no lines.
    ///
    /// # Errors
    /// When files cannot be read or are not regular files, or `head` is missing or unreadable.
    pub fn open(directory: &Path) -> Result<Self, AuditError> {
        let directory = Directory::existing(directory)?;
        let files = match &directory {
            Some(directory) => Snapshot::take(directory, Use::Read)?.files,
            None => Vec::new(),
        };
        Ok(Self { directory, files: files.into_iter(), current: None })
    }

    /// The next line.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, AuditError> {
        let Some(directory) = &self.directory else { return Ok(None) };
        loop {
            if self.current.is_none() {
                let Some((number, length)) = self.files.next() else { return Ok(None) };
                self.current = FileLines::open(directory, number, length)?;
            }
            let read = match &mut self.current {
                Some(current) => current.next(directory)?.is_some(),
                None => false,
            };
            if read {
                break;
            }
            self.current = None;
        }
        Ok(self.current.as_ref().map(FileLines::line))
    }
}

impl FileLines {
    fn line(&self) -> Line<'_> {
        let bytes = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let text = line::parse(bytes).and(std::str::from_utf8(bytes).ok());
        Line { file: &self.name, number: self.number, text }
    }
}
