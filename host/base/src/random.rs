//! Random bytes of the system.

use std::io;

/// Bytes that cannot be guessed.
///
/// # Errors
/// The system has no source of random bytes.
pub fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

/// [`bytes`], into a buffer.
///
/// # Errors
/// The system has no source of random bytes.
pub fn fill(buffer: &mut [u8]) -> io::Result<()> {
    getrandom::fill(buffer).map_err(|error| io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_differ_each_time() {
        assert_ne!(bytes::<16>().unwrap(), bytes::<16>().unwrap());
        let mut large = vec![0; 1 << 20];
        fill(&mut large).unwrap();
        assert!(large.chunks(32).all(|chunk| chunk.iter().any(|byte| *byte != 0)));
    }
}
