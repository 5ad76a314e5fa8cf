//! What is wrong with a manifest: always the key, and the line where the text gives it.

/// Why a manifest cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is longer than is read.
    #[error("the manifest has {found} bytes, more than the {limit} that are read")]
    TooLong {
        /// How many it has.
        found: usize,
        /// How many are read.
        limit: usize,
    },
    /// The text is not TOML.
    #[error("line {line} of the manifest is not TOML: {reason}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// What the parser says.
        reason: String,
    },
    /// A key that means nothing here.
    #[error("line {line} of the manifest: `{}` is not a key of `tool.toml`; did you mean `{nearest}`", key.escape_debug())]
    UnknownKey {
        /// Counted from 1.
        line: usize,
        /// Where, such as `network[0].hosts`.
        key: String,
        /// The key there that looks most like it.
        nearest: String,
    },
    /// A value that is missing, of another kind, or out of bounds.
    #[error("line {line} of the manifest: `{key}` {reason}")]
    Wrong {
        /// Counted from 1: of the key, or of the table it is missing in.
        line: usize,
        /// Where, such as `network[0].host`.
        key: String,
        /// What it has to be.
        reason: String,
    },
}
