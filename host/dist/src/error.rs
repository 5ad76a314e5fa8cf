//! What can be wrong with what is wrapped.

/// Why a package cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DistError {
    /// The binary is not one that is wrapped here.
    #[error("the binary cannot be wrapped: {0}")]
    Binary(String),
    /// A program or a file that packages are made with fails.
    #[error("`{0}` fails: {1}")]
    Program(String, String),
    /// An archive that was given cannot be read.
    #[error("the archive `{name}` cannot be read: {source}")]
    Archive {
        /// Which one.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// A package cannot be written.
    #[error("`{name}` cannot be written: {source}")]
    Write {
        /// Which one.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// What cargo says of the dependencies cannot be read.
    #[error("the metadata of cargo cannot be read: {0}")]
    Metadata(String),
    /// The list of allowed licences cannot be read.
    #[error("the allowed licences cannot be read: {0}")]
    Policy(String),
}
