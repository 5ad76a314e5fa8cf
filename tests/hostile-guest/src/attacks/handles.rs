//! Handles: used after their drop, made up, without end.

use crate::calls::{self, enter, every_call};
use crate::listing;
use crate::raw;
use crate::report::{Report, Roots};
use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

// Each of the trapping programs notes nothing after its attack: when the host answers it at all, the note is what
// shows it.

pub(crate) fn a_handle_used_after_its_drop_traps(roots: &Roots, report: &mut Report) {
    let number = dropped(roots);
    let answered = raw::sync(number);
    report.note("sync", "after drop", Ok(format!("{answered:?}")));
}

pub(crate) fn a_handle_dropped_twice_traps(roots: &Roots, report: &mut Report) {
    let number = dropped(roots);
    raw::drop_handle(number);
    report.note("drop", "after drop", Ok(()));
}

/// The number of a handle that was open once.
fn dropped(roots: &Roots) -> u32 {
    let Ok(handle) = enter(roots.get("box"), "sub") else { panic!("`sub` is there") };
    handle.handle()
}

pub(crate) fn forged_handles_trap(roots: &Roots, report: &mut Report) {
    // A trap ends the program, so which number is tried comes with the grants.
    let number = match roots.granted.len() {
        1 => u32::MAX,
        2 => 0,
        3 => 1 << 20,
        _ => 4711,
    };
    let answered = raw::unlink(number, b"inside.txt");
    report.note("unlink-file-at", &number.to_string(), Ok(format!("{answered:?}")));
}

pub(crate) fn a_listing_used_as_a_descriptor_traps(roots: &Roots, report: &mut Report) {
    let Ok(listing) = roots.get("box").read_directory() else { panic!("the grant can be listed") };
    let answered = raw::unlink(listing.handle(), b"inside.txt");
    report.note("unlink-file-at", "listing", Ok(format!("{answered:?}")));
}

pub(crate) fn a_path_that_is_not_utf8_traps(roots: &Roots, report: &mut Report) {
    let answered = raw::unlink(roots.get("box").handle(), b"inside.txt\xff\xfe/..");
    report.note("unlink-file-at", "not UTF-8", Ok(format!("{answered:?}")));
}

pub(crate) fn a_path_outside_of_memory_traps(roots: &Roots, report: &mut Report) {
    let answered = raw::unlink_at(roots.get("box").handle(), std::ptr::without_provenance(0xffff_fff0), 0x100);
    report.note("unlink-file-at", "outside of memory", Ok(format!("{answered:?}")));
}

pub(crate) fn undefined_flag_bits_grant_nothing(roots: &Roots, report: &mut Report) {
    let frozen = roots.get("frozen").handle();
    for bits in [0xff, 0xf0, 0x40, 0x80, -1, 0xf2, 0x7fff_ff00] {
        for flags in [[bits, 0, 1], [0, bits, 1], [0, 0, bits], [1, bits, bits], [bits, bits, bits]] {
            for path in ["inside.txt", "sub", "new.txt", "../outside/secret-outside.txt"] {
                let said = format!("{path} {flags:x?}");
                match raw::open(frozen, path, flags) {
                    Ok(handle) => {
                        // SAFETY is the host's here: the number is one it has just given.
                        report.note("open-at", &said, Ok(()));
                        raw::drop_handle(handle);
                    }
                    Err(code) => drop(report.note("open-at (refused)", &said, Ok(u64::from(code)))),
                }
            }
        }
    }
}

/// Advisory GHSA-q554-3cjc-rx7p: handle tables that no limit counted.
pub(crate) fn descriptors_without_end_are_stopped(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let mut held = Vec::new();
    for _ in 0..1_000_000 {
        match root.open_at(PathFlags::empty(), "inside.txt", OpenFlags::empty(), DescriptorFlags::READ) {
            Ok(handle) => held.push(handle),
            Err(code) => drop(report.note("open-at", "inside.txt", Err::<(), _>(code))),
        }
    }
    report.note("open-at", "inside.txt", Ok(held.len() as u64));
}

pub(crate) fn listings_without_end_are_stopped(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let mut held = Vec::new();
    for _ in 0..1_000_000 {
        match root.read_directory() {
            Ok(listing) => held.push(listing),
            Err(code) => drop(report.note("read-directory", ".", Err::<(), _>(code))),
        }
    }
    report.note("read-directory", ".", Ok(held.len() as u64));
}

/// Each is closed at once. What the host keeps of them to itself must not be a descriptor.
pub(crate) fn files_without_end_hold_no_handles_of_the_host(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let made = (0..5_000).filter(|number| calls::make(root, &format!("file-{number}"), "").is_ok()).count();
    report.note("create", "closed at once", Ok(made as u64));
}

/// The names of replacements, which the host remembers to sweep up what is left of them.
pub(crate) fn temporary_files_without_end_are_stopped(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let name = |number| format!(".bailiwick-tmp-{number}");
    let made = (0..5_000).filter(|number| calls::make(root, &name(*number), "").is_ok()).count();
    report.note("create", "closed at once", Ok(made as u64));
}

pub(crate) fn a_handle_on_a_removed_directory_reaches_nothing(roots: &Roots, report: &mut Report) {
    let root = roots.get("box");
    let Ok(handle) = enter(root, "doomed") else { panic!("`doomed` is there") };
    report.note("remove-directory-at", "doomed", root.remove_directory_at("doomed"));
    report.note("create", "in the removed directory", calls::make(&handle, "new.txt", "x"));
    report.note("create-directory-at", "in the removed directory", handle.create_directory_at("new"));
    report.note("rename-at", "into the removed directory", root.rename_at("inside.txt", &handle, "moved"));
    report.note("readdir", "of the removed directory", listing::readdir(&handle));
    for path in ["..", "../inside.txt", "../../outside/secret-outside.txt"] {
        every_call(report, &handle, path);
    }
    // A directory made anew under the name is another one.
    report.note("create-directory-at", "doomed", root.create_directory_at("doomed"));
    report.note("create", "doomed/fresh.txt", calls::make(root, "doomed/fresh.txt", "x"));
    report.note("read", "through the old handle", calls::read(&handle, "fresh.txt"));
}
