//! The name of a state directory among those of all replicas. It outlives processes, so that what one left is found at
//! the next one.

use bailiwick_base::random;
use bailiwick_base::text::hex;
use rustix::fs::{Mode, OFlags};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use bailiwick_base::files;

const FILE: &str = "replica-store";

/// The name in the directory, made where there is none.
pub(super) fn of(state: &Path) -> io::Result<String> {
    let directory = rustix::fs::open(state, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let file = OsStr::new(FILE);
    let known = || match files::plain::in_directory(&directory, file, 64) {
        Ok(name) => Ok(String::from_utf8(name).ok().filter(|name| super::entries::is_name(name))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    if let Some(name) = known()? {
        return Ok(name);
    }
    let made = hex(&random::bytes::<16>()?);
    let temporary = format!(".{FILE}-{made}");
    let temporary = OsStr::new(&temporary);
    files::write(&files::create(&directory, temporary, 0o600)?, made.as_bytes())?;
    // Of several processes that start at once, the first one names it.
    if let Err(error) = files::rename_new(&directory, temporary, file) {
        let _ = files::remove_file(&directory, temporary);
        if error != rustix::io::Errno::EXIST {
            return Err(error.into());
        }
    }
    known()?.ok_or_else(|| io::Error::other(format!("`{FILE}` does not hold a name")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_keeps_its_name_and_no_two_have_the_same() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let path = one.path().to_owned();
                std::thread::spawn(move || of(&path).unwrap())
            })
            .collect();
        let names: std::collections::BTreeSet<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(names.len(), 1, "{names:?}");
        assert_eq!(names.first(), Some(&of(one.path()).unwrap()));
        assert_ne!(of(one.path()).unwrap(), of(other.path()).unwrap());
        assert_eq!(std::fs::read_dir(one.path()).unwrap().count(), 1, "nothing else is left");
        std::fs::write(other.path().join(FILE), "../elsewhere").unwrap();
        assert!(of(other.path()).is_err());
    }
}
