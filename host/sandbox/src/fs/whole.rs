//! `bailiwick:built-in/directories`: a directory in one call, for the built-in tools. It is the listing of
//! `wasi:filesystem`, in the bytes that `wit/built-in/directories.wit` describes.

use super::list::Listing;
use super::table::Files;
use crate::state::State;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode as Code;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{Descriptor, DescriptorType, DirectoryEntry, ErrorCode};

/// What stands before a name: its kind and its length.
pub(super) const ENTRY: usize = 1 + size_of::<u16>();

const INTERFACE: &str = "bailiwick:built-in/directories@0.1.0";

/// Links it. It borrows a descriptor of `wasi:filesystem/types`, so that is linked as well.
pub(crate) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let entries = |mut store: StoreContextMut<'_, State>, (directory,): (Resource<Descriptor>,)| {
        let answer: Result<Vec<u8>, ErrorCode> = match store.data_mut().files.whole(&directory) {
            Ok(packed) => Ok(packed),
            Err(error) => Err(error.downcast()?.into()),
        };
        Ok((answer,))
    };
    linker.instance(INTERFACE)?.func_wrap("entries", entries)
}

impl Files {
    fn whole(&mut self, directory: &Resource<Descriptor>) -> FsResult<Vec<u8>> {
        self.enter("entries")?;
        let layers = self.directory(directory)?;
        packed(&self.listing(&layers)?)
    }
}

fn packed(listing: &Listing) -> FsResult<Vec<u8>> {
    let entries = listing.entries.as_slice();
    let room = entries.iter().map(|entry| ENTRY + entry.name.len()).sum::<usize>();
    let counts = [listing.undecodable, listing.hidden].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    let mut packed = Vec::with_capacity(size_of_val(&counts) + room);
    for count in counts {
        packed.extend(count.to_le_bytes());
    }
    for DirectoryEntry { type_, name } in entries {
        // No system has a name that is longer.
        let length = u16::try_from(name.len()).map_err(|_| Code::NameTooLong)?;
        packed.push(place(*type_));
        packed.extend(length.to_le_bytes());
        packed.extend(name.as_bytes());
    }
    Ok(packed)
}

/// The place of a case in `descriptor-type`.
fn place(kind: DescriptorType) -> u8 {
    match kind {
        DescriptorType::Unknown => 0,
        DescriptorType::BlockDevice => 1,
        DescriptorType::CharacterDevice => 2,
        DescriptorType::Directory => 3,
        DescriptorType::Fifo => 4,
        DescriptorType::SymbolicLink => 5,
        DescriptorType::RegularFile => 6,
        DescriptorType::Socket => 7,
    }
}
