//! Which processes have to do with a directory.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The processes whose working directory is in `directory`, or whose command line or environment names it, sorted. Those
/// that have ended and wait to be collected do not count.
pub(crate) fn beneath(directory: &Path) -> Vec<u32> {
    let own = std::process::id();
    let numbers =
        std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut found: Vec<u32> = numbers.filter(|number| *number != own && has_to_do(*number, directory)).collect();
    found.sort_unstable();
    found
}

fn has_to_do(number: u32, directory: &Path) -> bool {
    let of = |name: &str| Path::new("/proc").join(number.to_string()).join(name);
    let names = |name: &str| {
        std::fs::read(of(name))
            .is_ok_and(|text| memchr::memmem::find(&text, directory.as_os_str().as_bytes()).is_some())
    };
    let works_there = std::fs::read_link(of("cwd")).is_ok_and(|place| place.starts_with(directory));
    works_there || names("cmdline") || names("environ")
}
