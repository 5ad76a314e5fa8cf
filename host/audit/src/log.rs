//! Appending.

use crate::chain::TornFields;
use crate::entry::Entry;
use crate::error::{AuditError, Broken, Fault};
use crate::files::{self, Directory, Identity, Lock, PATIENCE, Use};
use crate::head::{self, Head, file_name};
use crate::line;
use crate::preallocation::Preallocation;
use crate::recover::{self, Found, examine};
use crate::sanitize::Sanitized;
use rustix::fs::FlockOperation;
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For so long a line that was just put on record says that the next one can be, too. Much less than a call may take, in
/// which the log can be lost as well.
const FRESH: Duration = Duration::from_millis(2);

/// Preallocation for the fields of a usual call, in bytes.
const USUAL: usize = 1024;

/// An audit log that is appended to. Any number of threads and processes may append to the same one.
pub struct Log {
    directory: Directory,
    head: File,
    head_path: PathBuf,
    head_identity: Identity,
    file_bytes: u64,
    end: Mutex<End>,
}

/// The end of the log as this process last saw it.
struct End {
    head: Head,
    /// Whether this process wrote that end itself, so that it need not look at it again.
    known: bool,
    /// `head` as it was last read or written: nearly always it is still the same, and reading it again is half of what
    /// putting a call on record costs.
    head_bytes: [u8; head::BYTES],
    file: File,
    path: PathBuf,
    identity: Identity,
    preallocation: Preallocation,
    /// When this process last put a line on record behind which there is room for more.
    appended: Option<Instant>,
    line: Vec<u8>,
}

impl Log {
    /// Opens the log in `directory`, creating it for its owner alone where it is missing. A file that has `file_bytes`
    /// or more is continued in a next one.
    ///
    /// # Errors
    /// When the directory or a file in it is a link, a FIFO, owned by another user or writable for others, when the end of
    /// the log is not what `head` says, or when the system refuses.
    pub fn open(directory: &Path, file_bytes: u64) -> Result<Self, AuditError> {
        // Later checks compare what lies at the path, which must not move with the working directory.
        let absolute = std::path::absolute(directory).map_err(|source| AuditError::Io {
            doing: "find",
            path: directory.to_owned(),
            source,
        })?;
        let directory = Directory::own(&absolute)?;
        let head_path = directory.path_of(head::NAME);
        let missing = |path: PathBuf| AuditError::Replaced { path };
        let head = directory.open(head::NAME, Use::Write)?.ok_or_else(|| missing(head_path.clone()))?;
        let head_identity = files::identity_of(&head).map_err(|error| directory.io("inspect", head::NAME, error))?;
        let lock = Lock::take(&head, &head_path, FlockOperation::NonBlockingLockExclusive, Instant::now() + PATIENCE)?;
        let (last, head_bytes) = begin(&directory, &head)?;
        let name = file_name(last.file);
        let how = if last == Head::GENESIS { Use::Begin } else { Use::Append };
        let file = directory.open(&name, how)?.ok_or_else(|| truncated(&last, 1))?;
        let identity = files::identity_of(&file).map_err(|error| directory.io("inspect", &name, error))?;
        let path = directory.path_of(&name);
        let line = Vec::new();
        let preallocation = Preallocation::default();
        let end =
            End { head: last, known: false, head_bytes, file, path, identity, preallocation, appended: None, line };
        drop(lock);
        let log = Self { directory, head, head_path, head_identity, file_bytes, end: Mutex::new(end) };
        log.check()?;
        Ok(log)
    }

    /// Puts a call on record: when this returns, the line is in the file.
    ///
    /// # Errors
    /// When the line is not on record: the disk is full, the log was replaced, its end is broken, or another process
    /// does not let go of it.
    pub fn append<C: Serialize + ?Sized>(&self, entry: &Entry<'_, C>) -> Result<(), AuditError> {
        // Done before a caller has to wait for this line.
        let mut fields = Vec::with_capacity(USUAL);
        let mut serializer = serde_json::Serializer::with_formatter(&mut fields, Sanitized);
        entry.serialize(&mut serializer).map_err(|error| AuditError::NoJson(error.to_string()))?;
        if fields.len() > line::LONGEST - 1024 {
            return Err(AuditError::TooLong { bytes: fields.len(), limit: line::LONGEST - 1024 });
        }
        // What measures cost is not ours; a raw line break would be the end of the line.
        if fields.contains(&b'\n') {
            return Err(AuditError::NoJson("it has a line break".into()));
        }
        let patience = Instant::now() + PATIENCE;
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.appended = None;
        let _lock = self.lock(patience)?;
        self.catch_up(&mut end)?;
        if end.head.length >= self.file_bytes && end.head.length > 0 {
            match self.rotate(&mut end) {
                // The call was made: its line goes where room was reserved for it.
                Ok(()) | Err(AuditError::NoSpace { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let end = &mut *end;
        end.line.clear();
        let hash = line::write(&mut end.line, end.head.seq + 1, &end.head.hash, "call", &fields);
        self.write(end, hash)?;
        let goes_on = end.head.length < self.file_bytes && end.preallocation.is_enough(end.head.length);
        end.appended = goes_on.then(Instant::now);
        Ok(())
    }

    /// [`Log::check`], unless this process put a line on record less than two milliseconds ago: for callers who ask
    /// before each of many calls in a row.
    ///
    /// # Errors
    /// As [`Log::check`].
    pub fn check_again(&self) -> Result<(), AuditError> {
        let appended = self.end.lock().unwrap_or_else(PoisonError::into_inner).appended;
        if appended.is_some_and(|appended| appended.elapsed() < FRESH) { Ok(()) } else { self.check() }
    }

    /// Whether the next append would be refused for what the log is now, and reserves room for its line. A caller asks
    /// before the call, so that nothing is done that could then not be put on record.
    ///
    /// # Errors
    /// [`AuditError::NoSpace`] when the disk is full. When the log was replaced or made writable for others, its end is broken, or another process does not let go of it.
    pub fn check(&self) -> Result<(), AuditError> {
        let patience = Instant::now() + PATIENCE;
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.appended = None;
        let _lock = self.lock(patience)?;
        self.catch_up(&mut end)?;
        if end.head.length >= self.file_bytes && end.head.length > 0 {
            return self.rotate(&mut end);
        }
        let end = &mut *end;
        end.preallocation.reserve(&end.file, end.head.length).map_err(|error| self.io("reserve room in", end, error))
    }

    fn lock(&self, patience: Instant) -> Result<Lock<'_>, AuditError> {
        Lock::take(&self.head, &self.head_path, FlockOperation::NonBlockingLockExclusive, patience)
    }

    /// Brings `end` to where the log ends now, whatever other processes did or left undone.
    fn catch_up(&self, end: &mut End) -> Result<(), AuditError> {
        if files::identity(&self.directory.stat(&self.head_path)?) != self.head_identity {
            return Err(AuditError::Replaced { path: self.head_path.clone() });
        }
        let bytes = head_bytes(&self.directory, &self.head)?;
        if bytes != end.head_bytes || !end.known {
            let last = Head::parse(&bytes).ok_or_else(|| broken_head(Fault::Head))?;
            // The log only grows: an older end was put back.
            if last.seq < end.head.seq || last.file < end.head.file {
                return Err(broken_head(Fault::Head).into());
            }
            end.known = false;
            if last.file != end.head.file {
                self.enter(end, last.file)?.ok_or_else(|| truncated(&last, 1))?;
            }
            end.head = last;
            end.head_bytes = bytes;
        }
        let stat = self.directory.stat(&end.path)?;
        if files::identity(&stat) != end.identity {
            return Err(AuditError::Replaced { path: end.path.clone() });
        }
        files::check_file(&stat).map_err(|reason| AuditError::Unsafe { path: end.path.clone(), reason })?;
        end.preallocation.seen(&stat);
        let length = u64::try_from(stat.st_size).unwrap_or_default();
        if length < end.head.length {
            return Err(truncated(&end.head, self.count_lines(end)).into());
        }
        if !end.known {
            self.check_last_line(end)?;
        }
        if length > end.head.length {
            self.recover(end, length)?;
        }
        end.known = true;
        Ok(())
    }

    /// Whether the line that `head` knows as the last one is where it says.
    fn check_last_line(&self, end: &End) -> Result<(), AuditError> {
        let fault = recover::last_line(&end.file, &end.head).map_err(|error| self.io("read", end, error))?;
        match fault {
            None => Ok(()),
            Some(Fault::Head) => Err(broken_head(Fault::Head).into()),
            Some(fault) => Err(self.broken(end, fault)),
        }
    }

    /// What stands behind the last line that `head` knows: a line that it missed, or part of one.
    fn recover(&self, end: &mut End, length: u64) -> Result<(), AuditError> {
        let found = examine(&end.file, &end.head, length).map_err(|error| self.io("read", end, error))?;
        end.known = false;
        end.line.clear();
        match found {
            Found::Line { hash, unended, .. } => {
                if unended {
                    end.line.push(b'\n');
                }
                end.head.length = length;
                self.write(end, hash)
            }
            Found::Torn { bytes, digest } => {
                let fields = serde_json::to_vec(&TornFields { bytes, digest: digest.to_string() })
                    .map_err(|error| AuditError::NoJson(error.to_string()))?;
                end.line.push(b'\n');
                let hash = line::write(&mut end.line, end.head.seq + 1, &end.head.hash, "torn", &fields);
                end.head.length = length;
                self.write(end, hash)
            }
            Found::Added => {
                let line = recover::count_lines(&end.file, end.head.length) + 1;
                Err(Broken { file: file_name(end.head.file), line, fault: Fault::Added }.into())
            }
        }
    }

    /// Writes `end.line` behind `end.head` and then the head that knows it.
    fn write(&self, end: &mut End, hash: line::Hash) -> Result<(), AuditError> {
        let before = end.head.length;
        let next = Head { seq: end.head.seq + 1, length: before + end.line.len() as u64, hash, ..end.head };
        let bytes = next.bytes();
        end.known = false;
        let written = (&end.file).write_all(&end.line).map_err(|error| self.io("write", end, error)).and_then(|()| {
            self.head.write_all_at(&bytes, 0).map_err(|error| self.directory.io("write", head::NAME, error))
        });
        if let Err(error) = written {
            // Off the record again. Where even that fails, the next append finds a torn line.
            let _ = end.file.set_len(before);
            end.preallocation = Preallocation::default();
            return Err(error);
        }
        end.head = next;
        end.head_bytes = bytes;
        end.known = true;
        Ok(())
    }

    /// Goes on in the next file, which `head` names before there is a line in it. It has room for one by then; where it
    /// has not, this file stays the one that is appended to.
    fn rotate(&self, end: &mut End) -> Result<(), AuditError> {
        end.file.sync_data().map_err(|error| self.io("sync", end, error))?;
        let next = Head { file: end.head.file.saturating_add(1), length: 0, ..end.head };
        let name = file_name(next.file);
        let file = self.directory.open(&name, Use::Begin)?;
        let length = file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len());
        if length != 0 {
            return Err(Broken { file: name, line: 1, fault: Fault::Added }.into());
        }
        let mut preallocation = Preallocation::default();
        if let Some(file) = &file {
            preallocation.reserve(file, 0).map_err(|error| self.directory.io("reserve room in", &name, error))?;
        }
        self.directory.sync()?;
        let bytes = next.bytes();
        self.head.write_all_at(&bytes, 0).map_err(|error| self.directory.io("write", head::NAME, error))?;
        // What is reserved behind the end of a file that takes no more lines.
        let _ = end.file.set_len(end.head.length);
        self.enter(end, next.file)?.ok_or_else(|| AuditError::Replaced { path: self.directory.path_of(&name) })?;
        end.head = next;
        end.head_bytes = bytes;
        end.preallocation = preallocation;
        Ok(())
    }

    /// Makes another file the one that is appended to; `None` where it is missing.
    fn enter(&self, end: &mut End, number: u32) -> Result<Option<()>, AuditError> {
        let name = file_name(number);
        let Some(file) = self.directory.open(&name, Use::Append)? else { return Ok(None) };
        end.identity = files::identity_of(&file).map_err(|error| self.directory.io("inspect", &name, error))?;
        end.path = self.directory.path_of(&name);
        end.file = file;
        end.preallocation = Preallocation::default();
        Ok(Some(()))
    }

    fn io(&self, doing: &'static str, end: &End, source: std::io::Error) -> AuditError {
        self.directory.io(doing, &file_name(end.head.file), source)
    }

    fn broken(&self, end: &End, fault: Fault) -> AuditError {
        Broken { file: file_name(end.head.file), line: self.count_lines(end), fault }.into()
    }

    fn count_lines(&self, end: &End) -> u64 {
        recover::count_lines(&end.file, end.head.length).max(1)
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Log").field("head", &self.head_path).finish_non_exhaustive()
    }
}

/// The head and its bytes, written for the first time where the log is new.
fn begin(directory: &Directory, file: &File) -> Result<(Head, [u8; head::BYTES]), AuditError> {
    let length = file.metadata().map_err(|error| directory.io("read", head::NAME, error))?.len();
    if length > 0 {
        let bytes = head_bytes(directory, file)?;
        let head = Head::parse(&bytes).ok_or_else(|| broken_head(Fault::Head))?;
        return Ok((head, bytes));
    }
    for name in directory.names()? {
        let Some(_) = head::file_number(&name) else { continue };
        let lines = directory.open(&name, Use::Read)?;
        if lines.and_then(|file| file.metadata().ok()).is_some_and(|metadata| metadata.len() > 0) {
            return Err(broken_head(Fault::HeadRemoved).into());
        }
    }
    let bytes = Head::GENESIS.bytes();
    file.write_all_at(&bytes, 0).map_err(|error| directory.io("write", head::NAME, error))?;
    Ok((Head::GENESIS, bytes))
}

/// What the head has, which is always as long.
fn head_bytes(directory: &Directory, file: &File) -> Result<[u8; head::BYTES], AuditError> {
    // One byte more than there may be.
    let mut bytes = [0; head::BYTES + 1];
    let count = file.read_at(&mut bytes, 0).map_err(|error| directory.io("read", head::NAME, error))?;
    bytes[..count].try_into().map_err(|_| broken_head(Fault::Head).into())
}

fn broken_head(fault: Fault) -> Broken {
    Broken { file: head::NAME.into(), line: 1, fault }
}

fn truncated(head: &Head, line: u64) -> Broken {
    Broken { file: file_name(head.file), line, fault: Fault::Truncated { expected: head.seq } }
}
