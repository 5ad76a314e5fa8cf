//! The built-in tools, embedded as components. Load them with [`Capabilities::built_in`](crate::Capabilities::built_in): those
//! that list directories import more than [`Capabilities::files`](crate::Capabilities::files) links.

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// The SHA-256 of these bytes in hexadecimal, if they are those of a built-in tool: a server that starts need not digest
/// what never changes.
pub(crate) fn digest(bytes: &[u8]) -> Option<&'static str> {
    DIGESTS.iter().find(|(embedded, _)| std::ptr::eq(*embedded, bytes)).map(|(_, digest)| *digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn digests_that_were_made_when_it_was_built_are_those_of_the_embedded_bytes() {
        for bytes in ALL.iter().chain(&FILE_SERVER) {
            assert_eq!(digest(bytes), Some(bailiwick_base::text::hex(&Sha256::digest(bytes)).as_str()));
            let copy = bytes.to_vec();
            assert_eq!(digest(&copy), None, "other bytes are digested, whatever they are");
        }
    }
}
