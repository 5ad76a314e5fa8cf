//! Reading a file through `descriptor.read`, which needs no stream resource and one host call per piece.
//!
//! The size is not asked for first: the host says with the bytes whether they were the last, so a file of usual size
//! takes two host calls, and the component needs no `stat`, whose times would make it import a type of `wasi:clocks`.

use crate::text::{self, Incoming};
use crate::{JsonText, Place, ToolError};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, DescriptorType, ErrorCode, OpenFlags, PathFlags};

/// How much of a file is read together when only its JSON stays. It fits a processor's cache several times, and the same
/// memory is used again for the next.
const PIECE: u64 = 64 << 10;

/// The most that room is made for at once because a file is longer than a piece.
const EXPECTED: u64 = 1 << 20;

/// A file open for reading.
pub struct File<'a> {
    descriptor: Descriptor,
    shown: &'a str,
}

/// Some bytes of a file.
pub struct Piece {
    /// At most as many as asked for; the host may give fewer.
    pub bytes: Vec<u8>,
    /// Whether the file ends with them.
    pub last: bool,
}

impl<'a> Place<'a> {
    /// Opens the file at this place for reading. Links are followed as far as they stay beneath the grant.
    ///
    /// # Errors
    /// Not found; not permitted.
    pub fn open_file(&self) -> Result<File<'a>, ToolError> {
        let shown = self.shown;
        let descriptor = self
            .directory
            .open_at(PathFlags::SYMLINK_FOLLOW, self.relative, OpenFlags::empty(), DescriptorFlags::READ)
            .map_err(|code| ToolError::from_code(code, shown))?;
        Ok(File { descriptor, shown })
    }

    /// Reads the whole file at this place.
    ///
    /// # Errors
    /// Not found; not permitted; wrong kind when it is not a regular file; too large over `limit` bytes.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, ToolError> {
        self.open_file()?.read_all(limit)
    }

    /// Reads the whole file at this place as text.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and not text when it is not UTF-8 or has a NUL.
    pub fn read_text(&self, limit: u64) -> Result<String, ToolError> {
        Ok(text::decode(self.read(limit)?, self.shown, 1)?.0)
    }
}

impl File<'_> {
    /// Reads at most `most` bytes from `offset` on.
    ///
    /// # Errors
    /// Wrong kind when this is not a regular file; failed when the host cannot read.
    pub fn read_at(&self, offset: u64, most: u64) -> Result<Piece, ToolError> {
        match self.descriptor.read(most, offset) {
            Ok((bytes, last)) => Ok(Piece { last: last || bytes.is_empty(), bytes }),
            Err(code) => Err(self.explain(code)),
        }
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// Those of [`read_at`](Self::read_at), and too large over `limit` bytes.
    pub fn read_all(&self, limit: u64) -> Result<Vec<u8>, ToolError> {
        // One byte more than allowed tells a file that is too large from one that just fits.
        let mut piece = self.read_at(0, limit + 1)?;
        // Where the host gives everything at once, its buffer is the answer and nothing is copied.
        let mut content = piece.bytes;
        while !piece.last && content.len() as u64 <= limit {
            piece = self.read_at(content.len() as u64, limit + 1 - content.len() as u64)?;
            content.extend_from_slice(&piece.bytes);
        }
        if content.len() as u64 > limit {
            return Err(self.too_large(limit));
        }
        Ok(content)
    }

    /// Reads the whole file as text that is only passed on, to the end of `answer`, and counts its lines.
    ///
    /// It is read in several pieces, so another program that writes to it meanwhile may be seen between two of them.
    ///
    /// # Errors
    /// Those of [`read_all`](Self::read_all), and not text when it is not UTF-8 or has a NUL.
    pub fn read_into(&self, answer: JsonText, limit: u64) -> Result<(JsonText, u32), ToolError> {
        let mut incoming = Incoming::into_text(answer);
        let mut length = 0;
        loop {
            // One byte more than allowed, as in `read_all`.
            let piece = self.read_at(length, PIECE.min(limit + 1 - length))?;
            length += piece.bytes.len() as u64;
            if length > limit {
                return Err(self.too_large(limit));
            }
            if !piece.last && length == piece.bytes.len() as u64 {
                incoming.expect((limit - length).min(EXPECTED));
            }
            incoming.feed(&piece.bytes);
            if piece.last {
                return incoming.finish(self.shown);
            }
        }
    }

    fn too_large(&self, limit: u64) -> ToolError {
        ToolError::too_large(format!("`{}` has more than {limit} bytes", self.shown))
    }

    fn explain(&self, code: ErrorCode) -> ToolError {
        match self.descriptor.get_type() {
            Ok(DescriptorType::Directory) => ToolError::from_code(ErrorCode::IsDirectory, self.shown),
            _ => ToolError::from_code(code, self.shown),
        }
    }
}
