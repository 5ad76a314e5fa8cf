//! What a program that regenerates, builds, tests or installs may spend. Real ones stay far below; what starts processes,
//! takes memory or fills the disk without end is stopped while the machine is still usable.

use std::sync::LazyLock;
use std::time::Duration;

use bailiwick_process::{Limits, Measured};

const GIB: u64 = 1 << 30;

/// Processes and threads. A Java or .NET build has some hundred on a machine with many processors.
const PROCESSES: u64 = 4096;

/// The most memory that a build gets, however much the machine has. The compilers of large packages take up to 4 GiB.
const MEMORY: u64 = 8 * GIB;

/// One file. The .NET runtime makes a file in memory of 2 GiB, of which it uses little.
const FILE: u64 = 8 * GIB;

/// Space on the disk. The largest set of tools takes 2 GiB.
const DISK: u64 = 16 * GIB;

/// The limits of one child.
pub(crate) fn limits(deadline: Duration, output_bytes: usize) -> Limits {
    static MEMORY_HERE: LazyLock<u64> = LazyLock::new(|| {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        // A quarter stays for everything else.
        total_memory(&text).map_or(MEMORY, |total| MEMORY.min(total / 4 * 3))
    });
    Limits {
        measured: Measured::Often,
        deadline,
        output_bytes,
        processes: PROCESSES,
        memory_bytes: *MEMORY_HERE,
        file_bytes: FILE,
        disk_bytes: DISK,
    }
}

/// In bytes, from the text of `/proc/meminfo`.
fn total_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::{MEMORY, limits, total_memory};

    #[test]
    fn memory_is_at_most_three_quarters_of_the_machines() {
        assert_eq!(total_memory("MemTotal:        2048 kB\nMemFree: 1 kB\n"), Some(2048 << 10));
        assert_eq!(total_memory("MemFree: 1 kB\n"), None);
        let total = total_memory(&std::fs::read_to_string("/proc/meminfo").unwrap()).unwrap();
        let limit = limits(std::time::Duration::from_secs(1), 0).memory_bytes;
        assert!(limit <= MEMORY && limit < total, "{limit} of {total}");
    }
}
