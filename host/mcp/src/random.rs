//! Random bytes of the system.

use std::io::{self, Read};

/// Bytes that nobody can guess.
///
/// # Errors
/// When the system has none.
pub(crate) fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The same in hexadecimal.
pub(crate) fn hexadecimal<const N: usize>() -> io::Result<String> {
    Ok(bytes::<N>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}
