//! ar archives, which Debian packages are.

use ar::{Builder, Header};
use std::io;

/// Writes members in the given order.
///
/// # Errors
/// A name is too long.
pub fn ar(members: &[(&str, &[u8])]) -> io::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mode(0o100_644);
        builder.append(&header, *bytes)?;
    }
    builder.into_inner()
}
