//! Listing a directory: bounded, layers merged, no entry hidden by another's undecodable name.

use super::open;
use super::table::{Files, Stop, is_temporary};
use crate::grant::{Layers, Side, Terms};
use crate::names::Name;
use rustix::fd::OwnedFd;
use rustix::fs::{FileType, RawDir};
use rustix::io::Errno;
use std::time::Instant;
use wasmtime::component::{Resource, ResourceTableError};
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{DescriptorType, DirectoryEntry, DirectoryEntryStream};
use wasmtime_wasi::p2::{FsError, FsResult};

/// The entries of one listing that the guest has not taken yet.
pub(super) struct Listing {
    pub(super) entries: std::vec::IntoIter<DirectoryEntry>,
    /// How many names are not UTF-8. Each is reported as an error of its own after the others, and hides none.
    pub(super) undecodable: usize,
    /// How many names the grant hides. A guest that asks on behind the end is told so by an error for each; all others
    /// never notice.
    pub(super) hidden: usize,
    ended: bool,
    /// What this listing takes of the host's memory.
    bytes: usize,
}

impl Listing {
    /// The next entry, an error for each name that has no form as a string, then `None`.
    pub(super) fn take(&mut self) -> FsResult<Option<DirectoryEntry>> {
        if let Some(entry) = self.entries.next() {
            return Ok(Some(entry));
        }
        if self.undecodable > 0 {
            self.undecodable -= 1;
            return Err(ErrorCode::IllegalByteSequence.into());
        }
        if self.ended && self.hidden > 0 {
            self.hidden -= 1;
            return Err(ErrorCode::Access.into());
        }
        self.ended = true;
        Ok(None)
    }
}

// How often the clock is looked at: a directory of a million entries takes longer than a deadline.
const CHECK_EVERY: usize = 1024;

// Room for what the system hands over at once. With less a directory of a hundred entries is read in pieces, and some file
// systems sort it anew for each.
const AT_ONCE: usize = 32 * 1024;

// What an entry takes beside its name: itself in a vector that doubles as it grows, and the allocation of the name.
const ENTRY: usize = 3 * size_of::<DirectoryEntry>() + 32;

// What an entry takes once more where the directory is given whole, beside its name again.
const PACKED: usize = super::whole::ENTRY;

/// What is read so far.
#[derive(Default)]
struct Reading {
    entries: Vec<DirectoryEntry>,
    undecodable: usize,
    /// Names, since what both layers have is one.
    hidden: Vec<Box<[u8]>>,
    seen: usize,
    bytes: usize,
}

impl Files {
    /// Reads a directory whole, since its layers have to be merged and sorted, and keeps what was read until the guest
    /// drops the stream. All that is kept at once is bounded like the guest's own memory.
    pub(super) fn open_listing(&mut self, layers: &Layers) -> FsResult<Resource<DirectoryEntryStream>> {
        let listing = self.listing(layers)?;
        let bytes = listing.bytes;
        match self.table.push(listing) {
            Ok(resource) => {
                self.listed_bytes += bytes;
                Ok(Resource::new_own(resource.rep()))
            }
            Err(ResourceTableError::Full) => Err(FsError::trap(wasmtime::Error::new(Stop::Handles))),
            Err(other) => Err(FsError::trap(other)),
        }
    }

    pub(super) fn close_listing(&mut self, stream: &Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        let listing = self.table.delete(Resource::<Listing>::new_own(stream.rep()))?;
        self.listed_bytes -= listing.bytes;
        Ok(())
    }

    /// What the guest gets of a directory, all of it.
    pub(super) fn listing(&mut self, layers: &Layers) -> FsResult<Listing> {
        let mut read = Reading::default();
        // The upper layer first, so that it is what stays when the sorted names are made unique.
        for side in Side::BOTH {
            if let Some(layer) = layers.of(side) {
                let directory = layers.terms.hidden.above(layers.at.of(side), &layers.terms.allowed);
                self.read_layer(layer, &layers.terms, &directory, &mut read)?;
            }
        }
        let Reading { mut entries, undecodable, mut hidden, bytes, .. } = read;
        hidden.sort_unstable();
        hidden.dedup();
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        entries.dedup_by(|later, first| later.name == first.name);
        Ok(Listing { entries: entries.into_iter(), undecodable, hidden: hidden.len(), ended: false, bytes })
    }

    fn read_layer(
        &mut self,
        layer: &OwnedFd,
        terms: &Terms,
        directory: &[Name<'_>],
        read: &mut Reading,
    ) -> FsResult<()> {
        let handle = open::reopen_directory(layer).map_err(|errno| self.failed(errno, ""))?;
        let mut room = Vec::with_capacity(AT_ONCE);
        let mut entries = RawDir::new(handle, room.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                // A directory that was removed has none any more.
                Err(Errno::NOENT) => break,
                Err(errno) => return Err(self.failed(errno, "")),
            };
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            read.seen += 1;
            match std::str::from_utf8(name) {
                _ if terms.hidden.hides_entry(directory, name, &terms.allowed, is_temporary) => {
                    read.bytes += size_of::<Box<[u8]>>() + name.len();
                    read.hidden.push(name.into());
                }
                Ok(name) => {
                    read.bytes += ENTRY + PACKED + 2 * name.len();
                    read.entries.push(DirectoryEntry { type_: kind(entry.file_type()), name: name.to_owned() });
                }
                Err(_) => read.undecodable += 1,
            }
            // An entry that both layers have counts twice: a stage is small beside what it covers.
            if read.seen > self.directory_entries || self.listed_bytes + read.bytes > self.listable_bytes {
                return Err(ErrorCode::FileTooLarge.into());
            }
            if read.seen.is_multiple_of(CHECK_EVERY) && Instant::now() > self.deadline {
                return Err(FsError::trap(wasmtime::Error::new(Stop::Deadline)));
            }
        }
        Ok(())
    }
}

fn kind(file_type: FileType) -> DescriptorType {
    match file_type {
        FileType::RegularFile => DescriptorType::RegularFile,
        FileType::Directory => DescriptorType::Directory,
        FileType::Symlink => DescriptorType::SymbolicLink,
        FileType::Fifo => DescriptorType::Fifo,
        FileType::Socket => DescriptorType::Socket,
        FileType::CharacterDevice => DescriptorType::CharacterDevice,
        FileType::BlockDevice => DescriptorType::BlockDevice,
        FileType::Unknown => DescriptorType::Unknown,
    }
}
