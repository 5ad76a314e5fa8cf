//! A key in a file.

use std::io::Read as _;
use std::path::Path;

/// The longest key file that is read.
const BYTES: u64 = 16 << 10;

/// Reads a file that only its owner may read. The error is a reason for people.
pub(super) fn read_private(path: &Path) -> Result<String, String> {
    // Before it is opened: a pipe would be waited for.
    if !std::fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err("it is not a file".into());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(format!("others may read it; run `chmod 600 {}`", path.display()));
        }
    }
    if metadata.len() > BYTES {
        return Err(format!("it is longer than {BYTES} bytes"));
    }
    let mut text = String::new();
    file.take(BYTES).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}
