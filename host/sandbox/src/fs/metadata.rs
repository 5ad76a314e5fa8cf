//! Metadata as `wasi:filesystem` states it.

use rustix::fs::{FileType, Stat};
use std::hash::{DefaultHasher, Hash, Hasher};
use wasmtime_wasi::p2::bindings::clocks::wall_clock::Datetime;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::{DescriptorStat, DescriptorType, MetadataHashValue};

pub(super) fn stat(stat: &Stat) -> DescriptorStat {
    DescriptorStat {
        type_: kind(stat),
        link_count: stat.st_nlink,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        data_access_timestamp: time(stat.st_atime, stat.st_atime_nsec),
        data_modification_timestamp: time(stat.st_mtime, stat.st_mtime_nsec),
        status_change_timestamp: time(stat.st_ctime, stat.st_ctime_nsec),
    }
}

pub(super) fn kind(stat: &Stat) -> DescriptorType {
    match FileType::from_raw_mode(stat.st_mode) {
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

/// Changes when the file does. Not stable between runs of the host, so that it says nothing about the machine.
pub(super) fn hash(stat: &Stat) -> MetadataHashValue {
    let mut hasher = DefaultHasher::new();
    (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime, stat.st_mtime_nsec).hash(&mut hasher);
    let lower = hasher.finish();
    lower.hash(&mut hasher);
    MetadataHashValue { lower, upper: hasher.finish() }
}

/// A time before 1970 has no form in `datetime`; it is left out instead of wrapping round.
fn time(seconds: i64, nanoseconds: impl TryInto<u32>) -> Option<Datetime> {
    Some(Datetime { seconds: u64::try_from(seconds).ok()?, nanoseconds: nanoseconds.try_into().ok()? })
}
