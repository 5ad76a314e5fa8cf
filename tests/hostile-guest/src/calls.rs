//! Every call of `wasi:filesystem` on one path, with every flag.

use crate::listing;
use crate::names::{self, Flags};
use crate::report::Report;
use wasip2::filesystem::types::{
    Advice, Descriptor, DescriptorFlags, DescriptorType, ErrorCode, NewTimestamp, OpenFlags, PathFlags,
};

/// What the attacks write; a canary that holds it was written to.
pub(crate) const MARK: &str = "hostile";

const FOLLOW: [(PathFlags, &str); 2] = [(PathFlags::empty(), ""), (PathFlags::SYMLINK_FOLLOW, " follow")];

/// The combinations of descriptor flags that differ for some host.
const USUAL: [DescriptorFlags; 8] = [
    DescriptorFlags::empty(),
    DescriptorFlags::READ,
    DescriptorFlags::WRITE,
    DescriptorFlags::READ.union(DescriptorFlags::WRITE),
    DescriptorFlags::MUTATE_DIRECTORY,
    DescriptorFlags::READ.union(DescriptorFlags::MUTATE_DIRECTORY),
    DescriptorFlags::WRITE.union(DescriptorFlags::FILE_INTEGRITY_SYNC),
    DescriptorFlags::all(),
];

/// Tries everything on `path` beneath `directory`: looking, opening, changing, in this order. Only for what the test
/// made; for the rest of the machine there is [`only_reading`].
///
/// Renames go from the path to `stolen` and back, and from `mine` to the path; links to `link-of-it`.
pub(crate) fn every_call(report: &mut Report, directory: &Descriptor, path: &str) {
    looks(report, directory, path);
    opens(report, directory, path, &USUAL);
    changes(report, directory, path);
}

/// Everything that only reads: for what is really there on the machine that runs the tests. Where the sandbox fails, a
/// test must not take the machine along, and the tests may run as root.
pub(crate) fn only_reading(report: &mut Report, directory: &Descriptor, path: &str) {
    looks(report, directory, path);
    for (follow, word) in FOLLOW {
        for open in [OpenFlags::empty(), OpenFlags::DIRECTORY] {
            match directory.open_at(follow, path, open, DescriptorFlags::READ) {
                Ok(handle) => {
                    let flags = Flags { path: follow, open, rights: DescriptorFlags::READ };
                    report.note(&format!("open-at {}", flags.letters()), path, handle.get_type().map(names::kind));
                    report.note("read", path, handle.read(256, 0));
                    report.note("readdir", path, listing::readdir(&handle));
                }
                Err(code) => drop(report.note(&format!("open-at{word}"), path, Err::<(), _>(code))),
            }
        }
    }
}

/// Everything that only looks.
pub(crate) fn looks(report: &mut Report, directory: &Descriptor, path: &str) {
    for (follow, word) in FOLLOW {
        report.note(&format!("stat-at{word}"), path, directory.stat_at(follow, path));
        report.note(&format!("metadata-hash-at{word}"), path, directory.metadata_hash_at(follow, path));
    }
    report.note("readlink-at", path, directory.readlink_at(path));
}

/// `open-at` with each path flag, each set of open flags and each of `rights`; what opens is used at once.
pub(crate) fn opens(report: &mut Report, directory: &Descriptor, path: &str, rights: &[DescriptorFlags]) {
    for (follow, word) in FOLLOW {
        for open in (0..=OpenFlags::all().bits()).map(OpenFlags::from_bits_truncate) {
            for rights in rights.iter().copied() {
                match directory.open_at(follow, path, open, rights) {
                    Ok(handle) => {
                        let flags = Flags { path: follow, open, rights };
                        uses(report, &format!("open-at {}", flags.letters()), path, &handle);
                    }
                    // Which of the flags were refused is in the table above; that all of them were is what counts.
                    Err(code) => drop(report.note(&format!("open-at{word}"), path, Err::<(), _>(code))),
                }
            }
        }
    }
}

/// [`opens`] with every set of descriptor flags there is.
pub(crate) fn every_open(report: &mut Report, directory: &Descriptor, path: &str) {
    let all: Vec<_> = (0..=DescriptorFlags::all().bits()).map(DescriptorFlags::from_bits_truncate).collect();
    opens(report, directory, path, &all);
}

/// What an attacker does with a handle.
fn uses(report: &mut Report, call: &str, path: &str, handle: &Descriptor) {
    let kind = handle.get_type();
    let flags = handle.get_flags().unwrap_or(DescriptorFlags::empty());
    let opened = kind.map(|kind| format!("{} {}", names::kind(kind), names::rights(flags)));
    report.note(call, path, opened);
    let then = |what: &str| format!("{call}, {what}");
    if kind == Ok(DescriptorType::Directory) {
        report.note(&then("readdir"), path, listing::readdir(handle));
        return;
    }
    report.note(&then("read"), path, handle.read(256, 0));
    report.note(&then("stat"), path, handle.stat());
    report.note(&then("write"), path, handle.write(MARK.as_bytes(), 0));
    report.note(&then("set-size"), path, handle.set_size(MARK.len() as u64));
    let _ = handle.advise(0, 0, Advice::WillNeed);
}

/// Everything that changes something.
pub(crate) fn changes(report: &mut Report, directory: &Descriptor, path: &str) {
    report.note("create-directory-at", path, directory.create_directory_at(path));
    report.note("symlink-at (as target)", path, directory.symlink_at(path, "link-of-it"));
    report.note("symlink-at", path, directory.symlink_at("inside.txt", path));
    for (follow, word) in FOLLOW {
        let from = directory.link_at(follow, path, directory, "link-of-it");
        report.note(&format!("link-at (from){word}"), path, from);
        let to = directory.link_at(follow, "inside.txt", directory, path);
        report.note(&format!("link-at (to){word}"), path, to);
        let times = directory.set_times_at(follow, path, NewTimestamp::Now, NewTimestamp::Now);
        report.note(&format!("set-times-at{word}"), path, times);
    }
    // One that succeeds is taken back, so that what comes after has the same thing before it.
    if report.note("rename-at (from)", path, directory.rename_at(path, directory, "stolen")) {
        let _ = directory.rename_at("stolen", directory, path.trim_end_matches('/'));
    }
    let _ = make(directory, "mine", MARK);
    report.note("rename-at (to)", path, directory.rename_at("mine", directory, path));
    let _ = directory.unlink_file_at("mine");
    report.note("remove-directory-at", path, directory.remove_directory_at(path));
    report.note("unlink-file-at", path, directory.unlink_file_at(path));
}

/// Makes a file, or replaces what is in it.
pub(crate) fn make(directory: &Descriptor, path: &str, text: &str) -> Result<u64, ErrorCode> {
    let flags = OpenFlags::CREATE.union(OpenFlags::TRUNCATE);
    directory.open_at(PathFlags::empty(), path, flags, DescriptorFlags::WRITE)?.write(text.as_bytes(), 0)
}

/// Opens a file by following links and reads its start.
pub(crate) fn read(directory: &Descriptor, path: &str) -> Result<String, ErrorCode> {
    let handle = directory.open_at(PathFlags::SYMLINK_FOLLOW, path, OpenFlags::empty(), DescriptorFlags::READ)?;
    handle.read(4096, 0).map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a directory with as many rights as are given.
pub(crate) fn enter(directory: &Descriptor, path: &str) -> Result<Descriptor, ErrorCode> {
    let open = |rights| directory.open_at(PathFlags::empty(), path, OpenFlags::DIRECTORY, rights);
    open(DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY).or_else(|_| open(DescriptorFlags::READ))
}
