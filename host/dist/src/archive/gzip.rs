//! gzip without a name and a time.

use std::io::{self, Write as _};

/// How much work goes into compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// For tests.
    Little,
    /// For what people download.
    Most,
}

impl Effort {
    pub(crate) fn level(self) -> u32 {
        match self {
            Self::Little => 1,
            Self::Most => 9,
        }
    }
}

/// Compresses `bytes`.
///
/// # Errors
/// The compressor fails, which it does not on memory.
pub fn gzip(bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::GzBuilder::new().write(Vec::new(), flate2::Compression::new(effort.level()));
    encoder.write_all(bytes)?;
    encoder.finish()
}
