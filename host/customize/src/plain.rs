//! Reading configuration that others wrote: a plain file of a bounded size, and nothing that is waited for.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// No configuration is larger.
const LARGEST: u64 = 4 * 1024 * 1024;

/// The bytes of a plain file.
///
/// # Errors
/// Those of the system; a pipe, a device, a directory and a file of more than 4 MiB are errors, and none is waited for.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file: File = OpenOptions::new().read(true).custom_flags(nonblocking).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    if found.len() > LARGEST {
        return Err(io::Error::other(format!("it is larger than {LARGEST} bytes")));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_directories_and_what_is_too_large_are_errors_and_pipes_are_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
        assert!(made.success());
        File::create(path("large")).unwrap().set_len(LARGEST + 1).unwrap();
        for name in ["zero", "pipe", "large", ""] {
            assert!(read(&path(name)).is_err(), "{name:?}");
        }
        assert_eq!(read(&path("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(path("plain"), "text").unwrap();
        assert_eq!(read(&path("plain")).unwrap(), b"text");
    }
}
