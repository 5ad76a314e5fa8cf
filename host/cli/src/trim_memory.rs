//! Returns start-up memory to the operating system while the server is idle.
//!
//! A server in an editor is idle most of the day, and every open window has one. Without this it would keep code that runs
//! once and memory that was freed until it ends.

use std::time::Duration;

/// The interval between two checks.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// A process that uses less processor time than this between two checks is idle.
const IDLE: Duration = Duration::from_millis(20);

/// A component that has not been called for so long is unloaded. The next call reads it from the cache, in about 200 ms for a component
/// of 18 MB.
pub(crate) const UNUSED: Duration = Duration::from_secs(300);

/// Gives back what starting needed, and from then on what work needed whenever there is none any more. Never ends.
/// `unused` drops what was not used for [`UNUSED`], and says whether there was anything.
pub(crate) async fn run(unused: impl Fn() -> bool) {
    let mut given_at = spent();
    let mut before = given_at;
    trim();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = spent();
        let idle = now.saturating_sub(before) < IDLE;
        let dropped = unused();
        if dropped || (idle && now.saturating_sub(given_at) >= IDLE) {
            trim();
            given_at = spent();
        }
        before = now;
    }
}

/// Processor time of this process.
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn trim() {
    // SAFETY: it has no arguments but a length, and takes the allocator's own locks.
    #[expect(unsafe_code, reason = "the allocator has no safe interface")]
    unsafe {
        libc::malloc_trim(0);
    }
    if let Ok(maps) = std::fs::read_to_string("/proc/self/smaps") {
        code::unchanged(&maps).into_iter().for_each(code::discard);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod code {
    use std::ops::Range;

    /// The mappings of files, as `/proc/self/smaps` has them, of which this process has no page of its own: their
    /// content is that of the file, whenever it is looked at.
    pub(super) fn unchanged(smaps: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut mapping = None;
        for line in smaps.lines() {
            if let Some(range) = read_only_file(line) {
                mapping = range;
            } else if let Some(own) = line.strip_prefix("Anonymous:")
                && let Some(range) = mapping.take()
                && own.trim() == "0 kB"
            {
                found.push(range);
            }
        }
        found
    }

    /// The range of a mapping's first line; the inner `None` is a writable or anonymous mapping.
    fn read_only_file(line: &str) -> Option<Option<Range<usize>>> {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        let range = address(start)?..address(end)?;
        let (access, file) = (words.next()?, words.nth(3));
        let whole = matches!(access, "r-xp" | "r--p") && file.is_some_and(|file| file.starts_with('/'));
        Some(whole.then_some(range))
    }

    pub(super) fn discard(range: Range<usize>) {
        let start = range.start as *mut std::ffi::c_void;
        // SAFETY: a private mapping of a file that cannot be written to and has no page of this process's own: what is
        // looked at again is read from the file again, and is what it was.
        #[expect(unsafe_code, reason = "advice about memory has no safe interface")]
        // What the system does not want back stays.
        let _ = unsafe { rustix::mm::madvise(start, range.len(), rustix::mm::Advice::LinuxDontNeed) };
    }

    #[cfg(test)]
    mod tests {
        use super::unchanged;

        const SMAPS: &str = "\
55d0c0000000-55d0c1000000 r--p 00000000 fe:01 1234                       /usr/bin/bailiwick
Size:              16384 kB
Anonymous:             0 kB
VmFlags: rd mr mw me sd
55d0c1000000-55d0c3000000 r-xp 01000000 fe:01 1234                       /usr/bin/bailiwick
Anonymous:             0 kB
55d0c3000000-55d0c3100000 r--p 03000000 fe:01 1234                       /usr/bin/bailiwick
Anonymous:          1000 kB
55d0c3100000-55d0c3200000 rw-p 03100000 fe:01 1234                       /usr/bin/bailiwick
Anonymous:             0 kB
7f0000000000-7f0000001000 r-xp 00000000 00:00 0
Anonymous:             0 kB
7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
";

        #[test]
        fn only_pages_that_are_the_files_own_are_given_back() {
            let expected = [0x55d0_c000_0000..0x55d0_c100_0000, 0x55d0_c100_0000..0x55d0_c300_0000];
            assert_eq!(unchanged(SMAPS), expected);
        }

        #[test]
        fn what_is_not_understood_is_left_alone() {
            assert!(unchanged("").is_empty());
            assert!(unchanged("Anonymous: 0 kB\nzz-qq r-xp 0 0 0 /bin/x\nAnonymous: 0 kB\n").is_empty());
        }
    }

    #[cfg(test)]
    mod here {
        #[test]
        fn process_goes_on_as_before_without_its_pages() {
            super::super::trim();
            let sorted = {
                let mut words = ["b", "c", "a"];
                words.sort_unstable();
                words.join(",")
            };
            assert_eq!(sorted, "a,b,c");
        }
    }
}
