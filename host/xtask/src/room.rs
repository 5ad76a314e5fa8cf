//! Whether the disks have room for the tests: a full one lets many tests fail with messages that do not name it.

use crate::repository;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// What the tests over the real toolchains write into the directory for temporary files at the same time, with room to spare: copies
/// of Python environments, Maven repositories and packages.
const TEMPORARY: u64 = 5 << 30;
/// What a new machine writes besides: the toolchains of the cache, and what cargo builds.
const BUILT: u64 = 10 << 30;
const CACHED: u64 = 4 << 30;

/// Checks that each file system has room for what will be written to it.
///
/// # Errors
/// When one has less, with the directory and both figures.
pub(crate) fn check() -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository::root().join("target"), PathBuf::from);
    let cache = repository::cache();
    let needs = [
        (std::env::temp_dir(), TEMPORARY),
        (cache.clone(), if cache.is_dir() { 0 } else { CACHED }),
        (target.clone(), if target.join("debug").is_dir() { 0 } else { BUILT }),
    ];
    let known = needs.iter().filter_map(|(place, needed)| Some((place.as_path(), disk(place)?, *needed)));
    match lacking(known) {
        Some((place, needed, free)) => bail!(
            "the tests write up to {needed} GiB to the disk of {}, which has {free} GiB left: make room, or point TMPDIR, CARGO_TARGET_DIR or \
             BAILIWICK_CACHE_DIR to another disk",
            place.display()
        ),
        None => Ok(()),
    }
}

/// A file system, and how many bytes this program may still write to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Disk {
    id: u64,
    free: u64,
}

/// The first place whose file system has less room than all places on it need, with what is needed and what is free in GiB.
fn lacking<'a>(needs: impl Iterator<Item = (&'a Path, Disk, u64)>) -> Option<(&'a Path, u64, u64)> {
    let needs: Vec<_> = needs.collect();
    needs.iter().find_map(|(place, disk, _)| {
        let on_it = needs.iter().filter(|(_, other, _)| other.id == disk.id);
        let needed: u64 = on_it.map(|(_, _, needed)| needed).sum();
        (needed > disk.free).then_some((*place, needed >> 30, disk.free >> 30))
    })
}

/// The file system of a directory. Where the directory is not there yet, the one above it counts.
fn disk(place: &Path) -> Option<Disk> {
    use std::os::unix::fs::MetadataExt;
    let there = place.ancestors().find(|place| place.exists())?;
    let told = rustix::fs::statvfs(there).ok()?;
    let id = there.metadata().ok()?.dev();
    Some(Disk { id, free: told.f_bavail.saturating_mul(told.f_frsize) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_one_disk_need_room_together() {
        let (one, other) = (Disk { id: 1, free: 6 << 30 }, Disk { id: 2, free: 6 << 30 });
        let (tmp, target) = (Path::new("tmp"), Path::new("target"));
        let gib = |count: u64| count << 30;
        assert_eq!(lacking([(tmp, one, gib(4)), (target, one, gib(3))].into_iter()), Some((tmp, 7, 6)));
        assert_eq!(lacking([(tmp, one, gib(4)), (target, other, gib(3))].into_iter()), None);
    }

    #[test]
    fn disk_of_a_directory_that_is_not_there_yet_is_that_of_the_one_above() {
        let above = tempfile::tempdir().unwrap();
        assert_eq!(disk(&above.path().join("a/b")).map(|disk| disk.id), disk(above.path()).map(|disk| disk.id));
    }
}
