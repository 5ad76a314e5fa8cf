//! Why a server cannot be used.

use bailiwick_base::files::FileError;

/// A server that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// A server is named in a way that is not used.
    #[error("`{server}` cannot be used: {reason}")]
    Address {
        /// As it was named, without a password.
        server: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A certificate of the connection is missing or not accepted, at one of its ends.
    #[error("the server cannot be reached: {reason}")]
    Certificate {
        /// What is wrong.
        reason: &'static str,
    },
    /// There is no connection.
    #[error("the server cannot be reached: {reason}")]
    Unreachable {
        /// What the client or the server says.
        reason: String,
    },
    /// A stream of the server is there and is not made as it has to be.
    #[error("the stream `{stream}` of the server cannot be used: {reason}")]
    Stream {
        /// Its name.
        stream: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// It sent more than it may.
    #[error("the server sent more than is read from one, and the connection was ended")]
    Flooded,
    /// A file with a certificate or a key cannot be read.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl NatsError {
    /// For `map_err` at whatever the client says while there is no connection.
    pub(crate) fn unreachable(error: impl std::fmt::Display) -> Self {
        Self::Unreachable { reason: plain(error) }
    }
}

/// What the client library says, which may hold what the server sent: in one line, and not too long.
pub fn plain(error: impl std::fmt::Display) -> String {
    error.to_string().chars().filter(|one| !one.is_control()).take(300).collect()
}
