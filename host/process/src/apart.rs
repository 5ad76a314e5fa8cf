//! Becoming a process that stays when its starter ends.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt as _;

use rustix::process::setsid;

use crate::helper::close_inherited_on_exec;

/// Starts this program anew in place of this process, with these arguments and with nothing of the starter but the three
/// standard streams: in a session of its own, so that no terminal reaches it, with `/` as its directory, and without the
/// descriptors that some ancestor forgot to mark. Returns only if that fails.
#[must_use]
pub fn become_apart(arguments: &[&OsStr]) -> io::Error {
    let prepared = setsid().map_err(io::Error::from).and_then(|_| close_inherited_on_exec());
    match prepared {
        // This path names the running file even when it was replaced on disk meanwhile.
        Ok(()) => std::process::Command::new("/proc/self/exe").args(arguments).current_dir("/").exec(),
        Err(error) => error,
    }
}
