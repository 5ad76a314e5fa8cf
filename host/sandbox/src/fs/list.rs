//! Listing a directory: bounded, layers merged, no entry hidden by another's undecodable name.

use super::open;
use super::table::{Files, Stop};
use crate::grant::Layers;
use rustix::fs::{Dir, FileType};
use std::collections::BTreeMap;
use std::time::Instant;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{DescriptorType, DirectoryEntry};
use wasmtime_wasi::p2::{FsError, FsResult};

/// The entries of one listing that the guest has not taken yet.
pub(super) struct Listing {
    entries: std::vec::IntoIter<DirectoryEntry>,
    /// How many names are not UTF-8. Each is reported as an error of its own after the others, and hides none.
    undecodable: usize,
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
        Ok(None)
    }
}

// How often the clock is looked at: a directory of a million entries takes longer than a deadline.
const CHECK_EVERY: usize = 1024;

impl Files {
    pub(super) fn listing(&mut self, layers: &Layers) -> FsResult<Listing> {
        let mut entries = BTreeMap::new();
        let mut undecodable = 0;
        // The upper layer last, so that it is what stays.
        for layer in [&layers.lower, &layers.upper].into_iter().flatten() {
            let handle = open::reopen_directory(layer).map_err(|errno| self.failed(errno, ""))?;
            let directory = Dir::new(handle).map_err(|errno| self.failed(errno, ""))?;
            for entry in directory {
                let entry = entry.map_err(|errno| self.failed(errno, ""))?;
                let name = entry.file_name().to_bytes();
                if name == b"." || name == b".." {
                    continue;
                }
                match std::str::from_utf8(name) {
                    Ok(name) => drop(entries.insert(name.to_owned(), kind(entry.file_type()))),
                    Err(_) => undecodable += 1,
                }
                if entries.len() + undecodable > self.directory_entries {
                    return Err(ErrorCode::FileTooLarge.into());
                }
                if entries.len() % CHECK_EVERY == 0 && Instant::now() > self.deadline {
                    return Err(FsError::trap(wasmtime::Error::new(Stop::Deadline)));
                }
            }
        }
        let entries: Vec<_> = entries.into_iter().map(|(name, type_)| DirectoryEntry { type_, name }).collect();
        Ok(Listing { entries: entries.into_iter(), undecodable })
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
