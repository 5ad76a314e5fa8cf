//! Contents of before-images, by digest.
//!
//! The contents that a run had to keep lie one after the other in one pack, which is written once
//! and reaches the disk with one wait; a file for each would cost a wait each. Runs share packs: a
//! content that an open run has kept is not kept again.
//!
//! A pack is the contents, then an entry of 48 bytes for each (digest, offset, length; numbers
//! little-endian), then the number of entries (8 bytes) and the mark (8 bytes).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{self, Facts};

use crate::content::{self, Streamed};
use crate::digest::{Digest, Hasher};
use crate::error::StoreError;
use crate::state::private;

const MARK: &[u8; 8] = b"bwpack\x01\n";
const ENTRY: usize = 48;
/// Written at once; a larger content is written in pieces.
const PENDING: usize = 1 << 20;

#[derive(Debug, Clone, Copy)]
struct Span {
    pack: usize,
    offset: u64,
    length: u64,
}

/// Packs opened for reading.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    packs: Vec<(String, File)>,
    spans: HashMap<Digest, Span>,
}

impl Objects {
    pub(crate) fn open(directory: &Path, packs: &[String]) -> Result<Self, StoreError> {
        let mut objects = Self::default();
        for name in packs {
            objects.add(directory, name)?;
        }
        Ok(objects)
    }

    fn add(&mut self, directory: &Path, name: &str) -> Result<(), StoreError> {
        let path = directory.join(name);
        let damaged = || StoreError::Damaged { what: format!("the pack `{}` is cut off or missing", path.display()) };
        let file = File::open(&path).map_err(|_| damaged())?;
        let length = file.metadata().map_err(|_| damaged())?.len();
        let mut tail = [0; 16];
        let end = length.checked_sub(16).ok_or_else(damaged)?;
        file.read_exact_at(&mut tail, end).map_err(|_| damaged())?;
        let (count, mark) = tail.split_at(8);
        let size = number(count).checked_mul(ENTRY as u64).ok_or_else(damaged)?;
        let start = end.checked_sub(size).ok_or_else(damaged)?;
        if mark != MARK {
            return Err(damaged());
        }
        let mut index = vec![0; usize::try_from(size).map_err(|_| damaged())?];
        file.read_exact_at(&mut index, start).map_err(|_| damaged())?;
        for entry in index.chunks_exact(ENTRY) {
            let mut digest = [0; 32];
            digest.copy_from_slice(&entry[..32]);
            let (offset, length) = (number(&entry[32..40]), number(&entry[40..]));
            if offset.checked_add(length).is_none_or(|end| end > start) {
                return Err(damaged());
            }
            self.spans.insert(Digest::from_bytes(digest), Span { pack: self.packs.len(), offset, length });
        }
        self.packs.push((name.to_owned(), file));
        Ok(())
    }

    /// Gives the content in pieces to `sink`, and fails after the last when it is not what its
    /// digest says.
    pub(crate) fn copy(&self, digest: &Digest, mut sink: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "the run store lost or damaged the content");
        let span = self.spans.get(digest).ok_or_else(wrong)?;
        let (_, file) = &self.packs[span.pack];
        let mut buffer = vec![0; usize::try_from(span.length).unwrap_or(PENDING).min(PENDING)];
        let mut hasher = Hasher::default();
        let (mut at, end) = (span.offset, span.offset + span.length);
        while at < end {
            let piece = usize::try_from(end - at).unwrap_or(PENDING).min(buffer.len());
            file.read_exact_at(&mut buffer[..piece], at)?;
            hasher.update(&buffer[..piece]);
            sink(&buffer[..piece])?;
            at += piece as u64;
        }
        if hasher.finish() == *digest { Ok(()) } else { Err(wrong()) }
    }

    /// The whole content in memory.
    pub(crate) fn read(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.copy(digest, |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(bytes)
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(number)
}

/// The pack of a run that begins.
pub(crate) struct PackWriter {
    path: PathBuf,
    name: String,
    file: File,
    /// Bytes in the file, then bytes waiting to be written.
    written: u64,
    pending: Vec<u8>,
    index: Vec<(Digest, u64, u64)>,
    own: HashSet<Digest>,
    others: Objects,
    used: BTreeSet<usize>,
}

impl PackWriter {
    /// Begins the pack `name`; contents that `others` hold are not kept again.
    pub(crate) fn create(directory: &Path, name: String, others: Objects) -> Result<Self, StoreError> {
        let path = directory.join(&name);
        let file = private()
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(|error| StoreError::state("create", &path, error))?;
        let (pending, index, own, used) = Default::default();
        Ok(Self { path, name, file, written: 0, pending, index, own, others, used })
    }

    fn position(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    fn flush(&mut self) -> io::Result<()> {
        files::write(&self.file, &self.pending)?;
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Keeps the content of an open file, unless it is kept already or was torn.
    pub(crate) fn keep(&mut self, file: &File, facts: &Facts, buffer: &mut [u8]) -> io::Result<Streamed> {
        let start = self.position();
        let read = content::stream(file, facts, buffer, |piece| {
            self.pending.extend_from_slice(piece);
            if self.pending.len() >= PENDING { self.flush() } else { Ok(()) }
        })?;
        let fresh = if let Some(span) = self.others.spans.get(&read.digest) {
            if !read.torn {
                self.used.insert(span.pack);
            }
            false
        } else {
            !read.torn && self.own.insert(read.digest)
        };
        if fresh {
            self.index.push((read.digest, start, self.position() - start));
        } else {
            self.forget(start)?;
        }
        Ok(read)
    }

    /// Takes back what was written from `start` on.
    fn forget(&mut self, start: u64) -> io::Result<()> {
        if let Some(kept) = start.checked_sub(self.written) {
            self.pending.truncate(usize::try_from(kept).unwrap_or(usize::MAX));
        } else {
            self.pending.clear();
            self.file.set_len(start)?;
            io::Seek::seek(&mut self.file, io::SeekFrom::Start(start))?;
            self.written = start;
        }
        Ok(())
    }

    /// Ends the pack. Returns the packs that the run needs, and the file that has to be waited for before a record names it.
    pub(crate) fn finish(mut self) -> Result<(Vec<String>, Option<File>), StoreError> {
        let mut packs: Vec<String> = self.used.iter().map(|pack| self.others.packs[*pack].0.clone()).collect();
        let io = |source: io::Error| StoreError::state("write", &self.path, source);
        if self.index.is_empty() {
            crate::state::remove(&self.path)?;
            return Ok((packs, None));
        }
        for (digest, offset, length) in &self.index {
            self.pending.extend_from_slice(digest.as_bytes());
            self.pending.extend_from_slice(&offset.to_le_bytes());
            self.pending.extend_from_slice(&length.to_le_bytes());
        }
        self.pending.extend_from_slice(&(self.index.len() as u64).to_le_bytes());
        self.pending.extend_from_slice(MARK);
        files::write(&self.file, &self.pending).map_err(io)?;
        packs.push(self.name);
        Ok((packs, Some(self.file)))
    }
}
