//! The control: what a sandbox that checks names does. It has to leak, or the attack shows nothing.

use crate::arena::SECRET;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const TRIES: u32 = 500_000;
const LONGEST: Duration = Duration::from_secs(30);

/// Panics unless `attempt`, which says whether it got at the outside, does so at least once.
pub(crate) fn assert_leaks(mut attempt: impl FnMut() -> bool) {
    let end = Instant::now() + LONGEST;
    for _ in 0..TRIES {
        if attempt() {
            return;
        }
        if Instant::now() > end {
            break;
        }
    }
    panic!("the unsandboxed control never leaked, so this attack shows nothing about the sandbox");
}

/// *Unsandboxed*: what `relative` leads to if that lies beneath `root`, as the name it has at this moment.
pub(crate) fn checked(root: &Path, relative: &str) -> Option<PathBuf> {
    let root = root.canonicalize().unwrap();
    let path = root.join(relative).canonicalize().ok()?;
    path.starts_with(&root).then_some(path)
}

/// *Unsandboxed*: reads a file after a check of its name.
pub(crate) fn read(root: &Path, relative: &str) -> Option<String> {
    std::fs::read_to_string(checked(root, relative)?).ok()
}

/// *Unsandboxed*: lists a directory after a check of its name.
pub(crate) fn list(root: &Path, relative: &str) -> Option<Vec<String>> {
    let entries = std::fs::read_dir(checked(root, relative)?).ok()?;
    Some(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}

/// *Unsandboxed*: overwrites a file after a check of its name. Whether `watched` was what got the text.
pub(crate) fn write(root: &Path, relative: &str, watched: &Path) -> bool {
    let Some(path) = checked(root, relative) else { return false };
    let _ = std::fs::write(path, "written by the control\n");
    !std::fs::read_to_string(watched).is_ok_and(|content| content.contains(SECRET))
}

/// *Unsandboxed*: opens a directory and takes the step up from there, as a walk does that counts `..` but leaves them to
/// the kernel. Whether it got out.
pub(crate) fn climb(directory: &Path, name: &str) -> bool {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(handle) = openat(CWD, directory, flags, Mode::empty()) else { return false };
    let Ok(up) = openat(&handle, "..", flags, Mode::empty()) else { return false };
    let Ok(found) = openat(&up, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) else { return false };
    std::io::read_to_string(std::fs::File::from(found)).is_ok_and(|content| content.contains(SECRET))
}

/// *Unsandboxed*: looks at what kind of file it is and then opens it. Whether that was a FIFO, where a plain open would
/// have waited for ever.
pub(crate) fn opens_a_fifo(path: &Path) -> bool {
    if !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(opened) = openat(CWD, path, flags, Mode::empty()) else { return false };
    let mode = rustix::fs::fstat(&opened).unwrap().st_mode;
    rustix::fs::FileType::from_raw_mode(mode) == rustix::fs::FileType::Fifo
}
