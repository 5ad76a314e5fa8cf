//! What a guest writes to its standard output and error.

use crate::sanitize::sanitized;

/// How much of it is kept, in bytes.
const KEPT: usize = 2048;

/// The end of what a guest has written. However much it writes, this does not grow.
#[derive(Default)]
pub(crate) struct Said {
    bytes: Vec<u8>,
}

impl Said {
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let end = &bytes[bytes.len().saturating_sub(KEPT)..];
        let over = (self.bytes.len() + end.len()).saturating_sub(KEPT);
        self.bytes.drain(..over.min(self.bytes.len()));
        self.bytes.extend_from_slice(end);
    }

    /// As one line without unseen characters; `None` where nothing was said.
    pub(crate) fn end(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        (!lines.is_empty()).then(|| sanitized(&lines.join(" | ")).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept_however_it_arrives() {
        let mut said = Said::default();
        for piece in [&b"first\n"[..], &[b'x'; 5 * KEPT], b"\nno such file\x1b[31m\n"] {
            said.take(piece);
            assert!(said.bytes.len() <= KEPT);
        }
        let end = said.end().unwrap();
        assert!(end.contains(" | no such file") && !end.contains("first") && !end.contains('\x1b'), "{end}");
        assert_eq!(Said::default().end(), None);
    }
}
