//! Listing a directory.

use crate::ToolError;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, DescriptorType, ErrorCode, OpenFlags, PathFlags};

/// An open directory.
pub struct Directory {
    pub(crate) descriptor: Descriptor,
}

/// What a name in a directory stands for. A link is not followed to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A FIFO, a socket, a device, or something the host would not name.
    Other,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, without any directory.
    pub name: String,
    /// What it stands for.
    pub kind: EntryKind,
}

/// What a directory holds.
#[derive(Debug, Default)]
pub struct Entries {
    /// The names that can be written as text, sorted.
    pub entries: Vec<Entry>,
    /// How many others there are.
    pub undecodable: u32,
    /// How many names the grant hides.
    pub hidden: u32,
}

impl Directory {
    pub(crate) fn open(beneath: &Descriptor, relative: &str, shown: &str) -> Result<Self, ToolError> {
        Self::open_with(beneath, PathFlags::SYMLINK_FOLLOW, relative, shown)
    }

    fn open_with(beneath: &Descriptor, links: PathFlags, relative: &str, shown: &str) -> Result<Self, ToolError> {
        match beneath.open_at(links, relative, OpenFlags::DIRECTORY, DescriptorFlags::READ) {
            Ok(descriptor) => Ok(Self { descriptor }),
            Err(ErrorCode::NotDirectory) => Err(ToolError::wrong_kind(format!("`{shown}` is not a directory"))),
            Err(code) => Err(ToolError::from_code(code, shown)),
        }
    }

    /// Opens the directory `name` within this one, unless it is a link; `shown` stands in messages.
    ///
    /// # Errors
    /// Not found, wrong kind when it is not a directory, not permitted.
    pub fn child(&self, name: &str, shown: &str) -> Result<Self, ToolError> {
        Self::open_with(&self.descriptor, PathFlags::empty(), name, shown)
    }

    /// Its handle, for calls of `wasi:filesystem` that are not here.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// Lists the directory, sorted by name. A name that is not text is counted and hides no other; one that the grant hides
    /// is counted.
    ///
    /// # Errors
    /// Whatever the host says, with `shown` in the message; too large when it has more than `limit` names.
    pub fn entries(&self, limit: usize, shown: &str) -> Result<Entries, ToolError> {
        let stream = self.descriptor.read_directory().map_err(|code| match code {
            ErrorCode::FileTooLarge => ToolError::too_large(format!(
                "`{shown}` has more names than can be looked through; ask for one of them"
            )),
            code => ToolError::from_code(code, shown),
        })?;
        let mut found = Entries::default();
        loop {
            match stream.read_directory_entry() {
                Ok(None) => break,
                Ok(Some(entry)) => {
                    found.entries.push(Entry { name: entry.name, kind: kind(entry.type_) });
                }
                Err(ErrorCode::IllegalByteSequence) => found.undecodable += 1,
                Err(code) => return Err(ToolError::from_code(code, shown)),
            }
            if found.entries.len() + found.undecodable as usize > limit {
                return Err(ToolError::too_large(format!("`{shown}` has more than {limit} names")));
            }
        }
        // Behind the end the host says of each name that the grant hides that there is one.
        while let Err(ErrorCode::Access) = stream.read_directory_entry() {
            found.hidden += 1;
        }
        found.entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        Ok(found)
    }
}

pub(crate) fn kind(host: DescriptorType) -> EntryKind {
    match host {
        DescriptorType::RegularFile => EntryKind::File,
        DescriptorType::Directory => EntryKind::Directory,
        DescriptorType::SymbolicLink => EntryKind::Link,
        _ => EntryKind::Other,
    }
}
