//! Who signs in to a NATS server, out of a private file.

use crate::exit::{Error, Result};
use bailiwick_nats::Login;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// The user in the first line of a file and the password in the second one. `option` is what named the file.
pub(crate) fn read(path: &Path, option: &str) -> Result<Login> {
    let wrong = |reason: String| Error::usage(format!("`{option}`: `{}` {reason}", path.display()));
    let about = std::fs::metadata(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    if about.mode() & 0o077 != 0 {
        return Err(wrong("can be read by others".to_owned()).hint(format!("`chmod 600 {}`", path.display())));
    }
    let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let mut lines = text.lines().map(str::to_owned);
    match (lines.next(), lines.next()) {
        (Some(user), Some(password)) if !user.is_empty() => Ok(Login { user, password }),
        _ => Err(wrong("has no user in its first line and no password in its second one".to_owned())),
    }
}
