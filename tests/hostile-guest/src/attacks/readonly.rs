//! What may be read and not changed.

use crate::calls::{self, MARK, every_call, every_open};
use crate::listing;
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, NewTimestamp, OpenFlags, PathFlags};

/// GHSA-2r75-cxrj-cmph: `open-at` with `truncate` emptied files beneath a read-only preopen.
pub(crate) fn opening_with_any_flags_leaves_a_read_only_grant_alone(roots: &Roots, report: &mut Report) {
    let directory = roots.get("frozen");
    for path in
        ["inside.txt", "./inside.txt", "sub/deeper/leaf.txt", "sub", "sub/", "link", "new.txt", "sub/new.txt", "."]
    {
        every_open(report, directory, path);
    }
}

pub(crate) fn every_change_of_a_read_only_grant_is_refused(roots: &Roots, report: &mut Report) {
    let directory = roots.get("frozen");
    for path in ["inside.txt", "sub", "sub/", "sub/deeper/leaf.txt", "empty", "link", "new.txt", "."] {
        calls::changes(report, directory, path);
    }
    report.note("set-times", ".", directory.set_times(NewTimestamp::Now, NewTimestamp::Now));
    report.note("sync", ".", directory.sync());
    report.note("sync-data", ".", directory.sync_data());
    report.note("set-size", ".", directory.set_size(0));
    report.note("write", ".", directory.write(MARK.as_bytes(), 0));
}

/// A handle that says more than its grant: by asking for `mutate-directory`, by going down and by going down twice.
pub(crate) fn handles_on_read_only_sub_directories_gain_no_rights(roots: &Roots, report: &mut Report) {
    let root = roots.get("frozen");
    for rights in (0..=DescriptorFlags::all().bits()).map(DescriptorFlags::from_bits_truncate) {
        for follow in [PathFlags::empty(), PathFlags::SYMLINK_FOLLOW] {
            for open in [OpenFlags::empty(), OpenFlags::DIRECTORY] {
                let Ok(handle) = root.open_at(follow, "sub", open, rights) else { continue };
                changed(report, "handle on `sub`", &handle, "deeper/leaf.txt");
                for path in ["deeper", "."] {
                    if let Ok(below) = handle.open_at(follow, path, OpenFlags::DIRECTORY, rights) {
                        changed(report, &format!("handle on `sub/{path}`"), &below, "leaf.txt");
                    }
                }
            }
        }
    }
}

fn changed(report: &mut Report, said: &str, handle: &Descriptor, file: &str) {
    report.note(&format!("{said}, get-flags"), "", handle.get_flags().map(crate::names::rights));
    every_call(report, handle, file);
    every_call(report, handle, "new.txt");
}

/// Rights of the handle, in a grant where the file itself may be written.
pub(crate) fn a_handle_opened_for_reading_does_not_write(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    for rights in [
        DescriptorFlags::READ,
        DescriptorFlags::empty(),
        DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
        DescriptorFlags::READ | DescriptorFlags::FILE_INTEGRITY_SYNC | DescriptorFlags::REQUESTED_WRITE_SYNC,
    ] {
        let opened = directory.open_at(PathFlags::empty(), "inside.txt", OpenFlags::empty(), rights);
        let Ok(handle) = opened else { continue };
        report.note("write", "inside.txt", handle.write(MARK.as_bytes(), 0));
        report.note("set-size", "inside.txt", handle.set_size(0));
        report.note("set-times", "inside.txt", handle.set_times(NewTimestamp::Now, NewTimestamp::Now));
        report.note("read-directory", "inside.txt", listing::readdir(&handle));
        report.note("create-directory-at", "inside.txt", handle.create_directory_at("x"));
        // And no way from a file to what lies beside it.
        every_call(report, &handle, "..");
        every_call(report, &handle, "");
        every_call(report, &handle, "../inside.txt");
    }
    let handle =
        directory.open_at(PathFlags::empty(), "sub/deeper/leaf.txt", OpenFlags::empty(), DescriptorFlags::WRITE);
    report.note("read", "opened for writing", handle.and_then(|handle| handle.read(100, 0)));
}

/// A second name of a file outside, made by somebody else. Its content cannot be told from the grant's own.
pub(crate) fn hard_links_to_the_outside_are_not_written(roots: &Roots, report: &mut Report) {
    let directory = roots.get("box");
    every_open(report, directory, "twin");
    every_open(report, directory, "sub/../twin");
    report.note("create", "twin", calls::make(directory, "twin", MARK));
    report.note(
        "set-times-at",
        "twin",
        directory.set_times_at(PathFlags::empty(), "twin", NewTimestamp::Now, NewTimestamp::Now),
    );
    // Replacing the name is possible: it takes nothing from the file outside.
    report.note("create", "replacement", calls::make(directory, "replacement", "replaced"));
    report.note("rename-at", "replacement -> twin", directory.rename_at("replacement", directory, "twin"));
    report.note("read", "twin", calls::read(directory, "twin"));
}
