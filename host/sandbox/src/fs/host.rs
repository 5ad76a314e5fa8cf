//! `wasi:filesystem/types` and `/preopens`, function by function.

use super::change::Writing;
use super::list::Listing;
use super::open::{self, Kind};
use super::read_set::ReadFile;
use super::resolve::LastLink;
use super::table::{Files, Open};
use super::{errno, metadata};
use crate::denial::DenialReason;
use crate::grant::Layers;
use crate::wasi::{FileFailed, Input, Output};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, OFlags};
use rustix::io::Errno;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::filesystem::{preopens, types::ErrorCode as Code};
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{
    Advice, Descriptor, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream,
    ErrorCode, Filesize, Host, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue, NewTimestamp, OpenFlags,
    PathFlags,
};
use wasmtime_wasi::p2::bindings::sync::io::streams::{self, InputStream, OutputStream};
use wasmtime_wasi::p2::{FsError, FsResult};

// A file that has grown since it was opened is read in pieces of at least this size.
const LEAST_READ: usize = 4096;

impl preopens::Host for Files {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let mut directories = Vec::new();
        for grant in self.grants.clone().iter() {
            // A slash at the end tells a path by which callers name the directory from the name of the grant before it.
            let astray = grant.led_astray();
            let names = grant.names_of_callers();
            let moved = !names.is_empty() && astray.len() == names.len();
            let called = names.iter().filter(|path| moved || !astray.contains(&path.as_str()));
            let called = called.map(|path| format!("{path}/"));
            for path in std::iter::once(format!("/{}", grant.name())).chain(called) {
                let open = if moved {
                    Open::Moved { grant: grant.name().into() }
                } else {
                    Open::Directory { layers: grant.layers().clone() }
                };
                let descriptor = self.push(open).map_err(|error| match error.downcast() {
                    Ok(code) => wasmtime::Error::msg(format!("{code:?}")),
                    Err(trap) => trap,
                })?;
                directories.push((descriptor, path));
            }
        }
        Ok(directories)
    }
}

impl Host for Files {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        Ok(error.downcast()?.into())
    }

    fn filesystem_error_code(&mut self, error: Resource<streams::Error>) -> wasmtime::Result<Option<ErrorCode>> {
        let failed = self.table.get(&error)?.downcast_ref::<FileFailed>();
        Ok(failed.map(|FileFailed(code)| (*code).into()))
    }
}

impl HostDescriptor for Files {
    fn read_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
        position: Filesize,
    ) -> FsResult<Resource<InputStream>> {
        self.enter("read-via-stream")?;
        let Open::File { handle, readable: true, .. } = self.get(&descriptor)? else {
            return Err(Code::BadDescriptor.into());
        };
        let handle = another(handle)?;
        self.is_read(&descriptor);
        Ok(Resource::new_own(self.keep(Input::File { handle, position })?))
    }

    fn write_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
        position: Filesize,
    ) -> FsResult<Resource<OutputStream>> {
        self.enter("write-via-stream")?;
        let handle = self.writable(&descriptor)?;
        Ok(Resource::new_own(self.keep(Output::File { handle, position })?))
    }

    fn append_via_stream(&mut self, descriptor: Resource<Descriptor>) -> FsResult<Resource<OutputStream>> {
        self.enter("append-via-stream")?;
        let handle = self.writable(&descriptor)?;
        Ok(Resource::new_own(self.keep(Output::End { handle })?))
    }

    fn advise(&mut self, _: Resource<Descriptor>, _: Filesize, _: Filesize, _: Advice) -> FsResult<()> {
        self.enter("advise")
    }

    fn sync_data(&mut self, descriptor: Resource<Descriptor>) -> FsResult<()> {
        self.enter("sync-data")?;
        match self.get(&descriptor)? {
            Open::File { handle, writable: true, .. } => {
                rustix::fs::fdatasync(handle).map_err(|errno| errno::code(errno).into())
            }
            Open::File { .. } | Open::Directory { .. } | Open::Moved { .. } => Ok(()),
        }
    }

    fn sync(&mut self, descriptor: Resource<Descriptor>) -> FsResult<()> {
        self.sync_data(descriptor)
    }

    fn get_flags(&mut self, descriptor: Resource<Descriptor>) -> FsResult<DescriptorFlags> {
        self.enter("get-flags")?;
        Ok(match self.get(&descriptor)? {
            Open::File { readable, writable, .. } => {
                let mut flags = DescriptorFlags::empty();
                if *readable {
                    flags |= DescriptorFlags::READ;
                }
                if *writable {
                    flags |= DescriptorFlags::WRITE;
                }
                flags
            }
            Open::Directory { layers } if layers.upper.is_some() => {
                DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY
            }
            Open::Directory { .. } | Open::Moved { .. } => DescriptorFlags::READ,
        })
    }

    fn get_type(&mut self, descriptor: Resource<Descriptor>) -> FsResult<DescriptorType> {
        self.enter("get-type")?;
        Ok(match self.get(&descriptor)? {
            Open::File { .. } => DescriptorType::RegularFile,
            Open::Directory { .. } | Open::Moved { .. } => DescriptorType::Directory,
        })
    }

    fn set_size(&mut self, descriptor: Resource<Descriptor>, size: Filesize) -> FsResult<()> {
        self.enter("set-size")?;
        // A sparse file takes no space now and all of it later, so its whole size counts.
        self.charge(size)?;
        match self.get(&descriptor)? {
            Open::File { handle, writable: true, .. } => {
                rustix::fs::ftruncate(handle, size).map_err(|errno| errno::code(errno).into())
            }
            Open::File { .. } | Open::Directory { .. } | Open::Moved { .. } => Err(Code::BadDescriptor.into()),
        }
    }

    fn set_times(&mut self, _: Resource<Descriptor>, _: NewTimestamp, _: NewTimestamp) -> FsResult<()> {
        self.enter("set-times")?;
        Err(self.denied("", DenialReason::Metadata))
    }

    fn set_times_at(
        &mut self,
        _: Resource<Descriptor>,
        _: PathFlags,
        path: String,
        _: NewTimestamp,
        _: NewTimestamp,
    ) -> FsResult<()> {
        self.enter("set-times-at")?;
        Err(self.denied(&path, DenialReason::Metadata))
    }

    fn read(
        &mut self,
        descriptor: Resource<Descriptor>,
        length: Filesize,
        offset: Filesize,
    ) -> FsResult<(Vec<u8>, bool)> {
        self.enter("read")?;
        let largest = self.largest_read;
        let Open::File { handle, readable: true, size, .. } = self.get(&descriptor)? else {
            return Err(Code::BadDescriptor.into());
        };
        let wanted = usize::try_from(length).unwrap_or(usize::MAX).min(largest);
        // Room for what was there when it was opened and one byte more, which tells whether it was all; not for what a
        // guest asks for. A file that grew since is read on in pieces.
        let there = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let room = wanted.min(there.saturating_add(1).max(LEAST_READ));
        if room == 0 {
            return Ok((Vec::new(), there == 0));
        }
        let mut bytes = Vec::with_capacity(room);
        let count =
            rustix::io::pread(handle, rustix::buffer::spare_capacity(&mut bytes), offset).map_err(errno::code)?;
        self.spent.read_bytes += count as u64;
        self.is_read(&descriptor);
        let ended = count < room || count == 0;
        Ok((bytes, ended))
    }

    fn write(&mut self, descriptor: Resource<Descriptor>, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        self.enter("write")?;
        self.charge(bytes.len() as u64)?;
        self.charge_gap(&descriptor, offset)?;
        match self.get(&descriptor)? {
            Open::File { handle, writable: true, .. } => {
                Ok(rustix::io::pwrite(handle, &bytes, offset).map_err(errno::code)? as u64)
            }
            Open::File { .. } | Open::Directory { .. } | Open::Moved { .. } => Err(Code::BadDescriptor.into()),
        }
    }

    fn read_directory(&mut self, descriptor: Resource<Descriptor>) -> FsResult<Resource<DirectoryEntryStream>> {
        self.enter("read-directory")?;
        let layers = self.directory(&descriptor)?;
        self.open_listing(&layers)
    }

    fn create_directory_at(&mut self, descriptor: Resource<Descriptor>, path: String) -> FsResult<()> {
        self.enter("create-directory-at")?;
        self.make_directory(&descriptor, &path)
    }

    fn stat(&mut self, descriptor: Resource<Descriptor>) -> FsResult<DescriptorStat> {
        self.enter("stat")?;
        let stat = self.status(&descriptor)?;
        Ok(metadata::stat(&stat))
    }

    fn stat_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> FsResult<DescriptorStat> {
        self.enter("stat-at")?;
        let layers = self.directory(&descriptor)?;
        Ok(metadata::stat(&self.find(&layers, &path, last(flags))?.stat))
    }

    fn link_at(
        &mut self,
        _: Resource<Descriptor>,
        _: PathFlags,
        _: String,
        _: Resource<Descriptor>,
        new: String,
    ) -> FsResult<()> {
        self.enter("link-at")?;
        Err(self.denied(&new, DenialReason::Link))
    }

    fn symlink_at(&mut self, _: Resource<Descriptor>, _: String, new: String) -> FsResult<()> {
        self.enter("symlink-at")?;
        Err(self.denied(&new, DenialReason::Link))
    }

    fn open_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Resource<Descriptor>> {
        self.enter("open-at")?;
        let layers = self.directory(&descriptor)?;
        let how = Writing {
            last: last(path_flags),
            create: open_flags.contains(OpenFlags::CREATE),
            exclusive: open_flags.contains(OpenFlags::EXCLUSIVE),
            truncate: open_flags.contains(OpenFlags::TRUNCATE),
            readable: flags.contains(DescriptorFlags::READ),
        };
        let writes = how.create || how.truncate || flags.contains(DescriptorFlags::WRITE);
        let open = if open_flags.contains(OpenFlags::DIRECTORY) {
            if writes {
                return Err(Code::Invalid.into());
            }
            let open = self.open_directory(&layers, &path, how.last)?;
            let frozen = matches!(&open, Open::Directory { layers: Layers { upper: None, .. } });
            if frozen && flags.contains(DescriptorFlags::MUTATE_DIRECTORY) {
                return Err(self.denied(&path, DenialReason::ReadOnly));
            }
            open
        } else if writes {
            self.open_for_writing(&layers, &path, how)?
        } else {
            self.open_for_reading(&layers, &path, how.last)?
        };
        self.push(open)
    }

    fn readlink_at(&mut self, descriptor: Resource<Descriptor>, path: String) -> FsResult<String> {
        self.enter("readlink-at")?;
        let layers = self.directory(&descriptor)?;
        let link = self.find(&layers, &path, LastLink::Keep)?;
        if link.kind != Kind::Link {
            return Err(Code::Invalid.into());
        }
        let target =
            rustix::fs::readlinkat(&link.handle, c"", Vec::new()).map_err(|errno| self.failed(errno, &path))?;
        let target = target.into_string().map_err(|_| FsError::from(Code::IllegalByteSequence))?;
        // The text of a link that leads outside tells about the outside, so it is refused like following it. What is
        // followed is the text that was read, and not the name again, which may be another link by now.
        let meant = match path.trim_end_matches('/').rsplit_once('/') {
            Some((before, _)) if !target.starts_with('/') => format!("{before}/{target}"),
            _ => target.clone(),
        };
        self.find(&layers, &meant, LastLink::Follow)?;
        Ok(target)
    }

    fn remove_directory_at(&mut self, descriptor: Resource<Descriptor>, path: String) -> FsResult<()> {
        self.enter("remove-directory-at")?;
        self.remove(&descriptor, &path, AtFlags::REMOVEDIR)
    }

    fn unlink_file_at(&mut self, descriptor: Resource<Descriptor>, path: String) -> FsResult<()> {
        self.enter("unlink-file-at")?;
        if path.ends_with('/') {
            return Err(Code::NotDirectory.into());
        }
        self.remove(&descriptor, &path, AtFlags::empty())
    }

    fn rename_at(
        &mut self,
        from: Resource<Descriptor>,
        old: String,
        to: Resource<Descriptor>,
        new: String,
    ) -> FsResult<()> {
        self.enter("rename-at")?;
        self.rename(&from, &old, &to, &new)
    }

    fn is_same_object(&mut self, one: Resource<Descriptor>, other: Resource<Descriptor>) -> wasmtime::Result<bool> {
        let inode = |files: &mut Self, descriptor| match files.status(descriptor) {
            Ok(stat) => Some((stat.st_dev, stat.st_ino)),
            Err(_) => None,
        };
        let (one, other) = (inode(self, &one), inode(self, &other));
        Ok(one.is_some() && one == other)
    }

    fn metadata_hash(&mut self, descriptor: Resource<Descriptor>) -> FsResult<MetadataHashValue> {
        self.enter("metadata-hash")?;
        let stat = self.status(&descriptor)?;
        Ok(metadata::hash(&stat))
    }

    fn metadata_hash_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        self.enter("metadata-hash-at")?;
        let layers = self.directory(&descriptor)?;
        Ok(metadata::hash(&self.find(&layers, &path, last(flags))?.stat))
    }

    fn drop(&mut self, descriptor: Resource<Descriptor>) -> wasmtime::Result<()> {
        self.table.delete(Resource::<Open>::new_own(descriptor.rep()))?;
        Ok(())
    }
}

impl HostDirectoryEntryStream for Files {
    fn read_directory_entry(&mut self, stream: Resource<DirectoryEntryStream>) -> FsResult<Option<DirectoryEntry>> {
        self.enter("read-directory-entry")?;
        let resource = Resource::<Listing>::new_borrow(stream.rep());
        self.table.get_mut(&resource).map_err(FsError::trap)?.take()
    }

    fn drop(&mut self, stream: Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        self.close_listing(&stream)
    }
}

impl Files {
    fn open_for_reading(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Open> {
        let found = self.find(layers, path, last)?;
        match found.kind {
            Kind::File => {
                let handle = open::reopen(&found.handle, OFlags::RDONLY).map_err(|errno| self.failed(errno, path))?;
                let size = u64::try_from(found.stat.st_size).unwrap_or(0);
                let seen = Some(ReadFile::new(layers, path, &found.stat));
                Ok(Open::File { handle, readable: true, writable: false, size, seen })
            }
            Kind::Directory => self.open_directory(layers, path, last),
            Kind::Link => Err(Code::Loop.into()),
            Kind::Special => Err(self.denied(path, DenialReason::Special)),
        }
    }

    /// Remembers what a file was when it was opened, once something of it is read.
    fn is_read(&mut self, descriptor: &Resource<Descriptor>) {
        let file = Resource::<Open>::new_borrow(descriptor.rep());
        if let Ok(Open::File { seen, .. }) = self.table.get_mut(&file)
            && let Some(seen) = seen.take()
        {
            self.remember(seen);
        }
    }

    /// A second handle on a file that was opened for writing.
    fn writable(&mut self, descriptor: &Resource<Descriptor>) -> FsResult<OwnedFd> {
        match self.get(descriptor)? {
            Open::File { handle, writable: true, .. } => another(handle),
            Open::File { .. } | Open::Directory { .. } | Open::Moved { .. } => Err(Code::BadDescriptor.into()),
        }
    }

    fn status(&mut self, descriptor: &Resource<Descriptor>) -> FsResult<rustix::fs::Stat> {
        let stat = match self.get(descriptor)? {
            Open::File { handle, .. } => rustix::fs::fstat(handle),
            Open::Directory { layers } => match layers.upper.as_ref().or(layers.lower.as_ref()) {
                Some(handle) => rustix::fs::fstat(handle),
                None => return Err(Code::BadDescriptor.into()),
            },
            Open::Moved { .. } => return Err(self.moved(descriptor)),
        };
        stat.map_err(|errno| self.failed(errno, ""))
    }
}

/// A stream lives on when the descriptor it was made from is dropped.
fn another(handle: &OwnedFd) -> FsResult<OwnedFd> {
    handle.try_clone().map_err(|error| errno::code(Errno::from_io_error(&error).unwrap_or(Errno::IO)).into())
}

fn last(flags: PathFlags) -> LastLink {
    if flags.contains(PathFlags::SYMLINK_FOLLOW) { LastLink::Follow } else { LastLink::Keep }
}
