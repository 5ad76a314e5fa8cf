//! Times, sizes and offsets (groups 7 and 9).

use crate::calls::{self, MARK};
use crate::listing;
use crate::names;
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{
    Datetime, Descriptor, DescriptorFlags, DescriptorStat, ErrorCode, NewTimestamp, OpenFlags, PathFlags,
};

pub(crate) fn setting_times_changes_nothing(roots: &Roots, report: &mut Report) {
    let at = |seconds, nanoseconds| NewTimestamp::Timestamp(Datetime { seconds, nanoseconds });
    let times = [
        NewTimestamp::Now,
        at(0, 0),
        at(u64::MAX, 0),
        at(u64::MAX, u32::MAX),
        at(0, 1_000_000_000),
        at(0, u32::MAX),
        at(i64::MAX as u64, 999_999_999),
        at(i64::MAX as u64 + 1, 0),
        // UTIME_NOW and UTIME_OMIT of Linux as nanoseconds.
        at(1, 0x3fff_ffff),
        at(1, 0x3fff_fffe),
    ];
    for grant in ["box", "frozen"] {
        let root = roots.get(grant);
        for time in times {
            report.note("set-times", grant, root.set_times(time, NewTimestamp::NoChange));
            for path in ["inside.txt", "sub", ".", "outside-link", "../outside/secret-outside.txt", "missing"] {
                for follow in [PathFlags::empty(), PathFlags::SYMLINK_FOLLOW] {
                    report.note("set-times-at", path, root.set_times_at(follow, path, NewTimestamp::NoChange, time));
                    report.note("set-times-at", path, root.set_times_at(follow, path, time, time));
                }
            }
            let rights = if grant == "box" { DescriptorFlags::WRITE } else { DescriptorFlags::READ };
            match root.open_at(PathFlags::empty(), "inside.txt", OpenFlags::empty(), rights) {
                Ok(handle) => drop(report.note("set-times", "inside.txt", handle.set_times(time, time))),
                Err(code) => drop(report.note("open-at", "inside.txt", Err::<(), _>(code))),
            }
        }
    }
}

/// GHSA-mr2v-56j5-cmfc: a time of a file on disk that has no form in `datetime` stopped the host.
pub(crate) fn extreme_times_of_files_are_told_without_harm(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    for path in ["before-1970", "long-before", "far-future", "fraction"] {
        let told = |stat: Result<DescriptorStat, ErrorCode>| {
            stat.map(|stat| match stat.data_modification_timestamp {
                Some(time) => format!("{}.{:09}", time.seconds, time.nanoseconds),
                None => "no time".to_owned(),
            })
        };
        report.note("stat-at", path, told(root.stat_at(PathFlags::empty(), path)));
        let handle = root.open_at(PathFlags::empty(), path, OpenFlags::empty(), DescriptorFlags::READ);
        report.note("stat", path, told(handle.and_then(|handle| handle.stat())));
        report.note("metadata-hash-at", path, root.metadata_hash_at(PathFlags::empty(), path));
    }
    report.note("readdir", ".", listing::readdir(root));
}

fn open(root: &Descriptor, path: &str) -> Descriptor {
    let rights = DescriptorFlags::READ | DescriptorFlags::WRITE;
    let opened = root.open_at(PathFlags::empty(), path, OpenFlags::empty(), rights);
    opened.unwrap_or_else(|code| panic!("`{path}` is there: {code:?}"))
}

pub(crate) fn offsets_and_sizes_at_the_end_of_numbers_are_refused(roots: &Roots, report: &mut Report) {
    let handle = open(roots.get("box"), "inside.txt");
    for (offset, said) in [
        (i64::MAX as u64, "2^63 - 1"),
        (1 << 63, "2^63"),
        ((1 << 63) + 1, "2^63 + 1"),
        (u64::MAX - 1, "2^64 - 2"),
        (u64::MAX, "2^64 - 1"),
    ] {
        report.note("read at", said, handle.read(16, offset));
        report.note("read so many at", said, handle.read(u64::MAX, offset));
        report.note("write at", said, handle.write(MARK.as_bytes(), offset));
        report.note("set-size", said, handle.set_size(offset));
        report.note("advise", said, handle.advise(offset, offset, wasip2::filesystem::types::Advice::WillNeed));
    }
    // The most a guest can ask for is no reason to reserve it.
    report.note("read all", "inside.txt", handle.read(u64::MAX, 0));
    report.note("read nothing", "inside.txt", handle.read(0, 0));
    report.note("write nothing", "inside.txt", handle.write(&[], 0));
    report.note("stat", names::kind(wasip2::filesystem::types::DescriptorType::RegularFile), handle.stat());
}

/// A hole costs nothing now and its whole size later, whichever call makes it.
pub(crate) fn a_write_far_past_the_end_is_charged(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let handle = open(root, "inside.txt");
    for (offset, said) in [(1 << 40, "1 TiB"), (1 << 30, "1 GiB"), (64 << 20, "64 MiB")] {
        report.note("write at", said, handle.write(b"x", offset));
        report.note("set-size", said, handle.set_size(offset));
        report.note(
            "create and write at",
            said,
            calls::make(root, "fresh.txt", "x").and_then(|_| open(root, "fresh.txt").write(b"x", offset)),
        );
    }
    report.note("write at", "1 KiB", handle.write(b"x", 1024));
}
