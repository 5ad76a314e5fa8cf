//! Reading with a bound.

use std::io::{Error, ErrorKind, Read, Result};

/// Everything that `source` holds, up to `most` bytes.
///
/// The bound is held while reading: a file may grow after its length was looked at, and those of `/proc` say none.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] when there is more, otherwise those of the source. Nothing is cut off silently.
pub fn read_bounded(source: impl Read, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is larger than {most} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_larger_than_the_bound_is_an_error() {
        assert_eq!(read_bounded(&b"text"[..], 4).unwrap(), b"text");
        assert_eq!(read_bounded(&b""[..], 0).unwrap(), b"");
        assert_eq!(read_bounded(&b"text"[..], 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_bounded(&b"text"[..], u64::MAX).unwrap(), b"text");
    }
}
