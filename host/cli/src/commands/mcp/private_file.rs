//! A secret in a file that its owner alone can read: a bearer token, or a key that replicas share.

use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The longest such file.
const LARGEST: u64 = 4096;
/// What to do about one that cannot be used.
pub(super) const HINT: &str = "write at least 32 characters without spaces into a file of mode 0600";

/// Its text without the line end, or why it cannot be used.
pub(super) fn read(path: &Path) -> Result<String, String> {
    // Opening a pipe of that name must not block.
    let file = std::fs::OpenOptions::new().read(true).custom_flags(nonblocking()).open(path);
    let file = file.map_err(|error| error.to_string())?;
    let found = file.metadata().map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("it is not a file".into());
    }
    if found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o077 != 0 {
        return Err("others can read or change it".into());
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|error| error.to_string())?;
    let text = text.trim_end();
    let usable = text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
    usable.then(|| text.to_owned()).ok_or_else(|| "it is too short, or has spaces in it".into())
}

fn nonblocking() -> i32 {
    i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default()
}
