//! What can go wrong between here and a registry. Nothing here holds a credential, and no text of a registry but the
//! codes that the specification knows.

use super::credentials::CredentialError;
use crate::digest::Digest;

/// Why an artifact did not come, or did not go.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OciError {
    /// No connection, or it broke.
    #[error("`{host}` cannot be reached{through}: {reason}")]
    Unreachable {
        /// The registry.
        host: String,
        /// Empty, or which proxy is on the way.
        through: String,
        /// What the system or the connection says.
        reason: String,
    },
    /// It took longer than a request may.
    #[error("`{host}` sent nothing{through} for {idle} s, or needed more than {deadline} s")]
    TooSlow {
        /// The registry.
        host: String,
        /// Empty, or which proxy is on the way.
        through: String,
        /// For how many seconds nothing may come.
        idle: u64,
        /// How many seconds a request may take with all that it loads.
        deadline: u64,
    },
    /// The server's certificate is for another host or is not trusted.
    #[error("`{host}` shows a certificate that is not believed: {reason}")]
    Certificate {
        /// The registry.
        host: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What a person names as a certificate authority is not one.
    #[error("it holds no certificates in PEM: {0}")]
    Authority(String),
    /// The artifact does not exist.
    #[error("`{host}` has no {what}")]
    NotFound {
        /// The registry.
        host: String,
        /// What was asked for.
        what: String,
    },
    /// The registry wants credentials, or others.
    #[error("`{host}` refuses: {}", if *.with_credentials { "the credentials are not enough" } else { "it wants credentials" })]
    Denied {
        /// The registry.
        host: String,
        /// Whether there were credentials to send.
        with_credentials: bool,
    },
    /// Another answer than the protocol has.
    #[error("`{host}` answered {status} to {what}{code}")]
    Status {
        /// The registry.
        host: String,
        /// The HTTP status.
        status: u16,
        /// What was asked.
        what: String,
        /// Empty, or ` (CODE)` with the code of the specification.
        code: String,
    },
    /// An answer that the protocol does not allow.
    #[error("`{host}` does not keep to the protocol: {reason}")]
    Protocol {
        /// The registry.
        host: String,
        /// What it does.
        reason: String,
    },
    /// More than is taken.
    #[error("the {what} is larger than {limit} bytes")]
    TooLarge {
        /// What: a manifest, a component.
        what: String,
        /// How large it may be.
        limit: u64,
    },
    /// Another length than announced.
    #[error("the {what} has {found} bytes and not the {expected} that its artifact names")]
    Length {
        /// What: a manifest, a component.
        what: String,
        /// In bytes.
        expected: u64,
        /// In bytes; those that came before it was cut off, or at least so many.
        found: u64,
    },
    /// Other bytes than its digest says.
    #[error("the {what} is not what its digest says: it is {found} and not {expected}")]
    WrongDigest {
        /// What: a manifest, a component.
        what: String,
        /// That of the reference or the manifest.
        expected: Digest,
        /// That of the bytes.
        found: Digest,
    },
    /// It is not a tool.
    #[error("the artifact is not a tool: {0}")]
    NoTool(String),
    /// What is attached to an artifact is not a signature of it.
    #[error("the attachment is not a signature of the artifact: {0}")]
    NoSignature(String),
    /// A kept file is not what its name says, and there is no registry to ask again.
    #[error("the cached {what} is not what its digest says; it was changed on this machine")]
    Poisoned {
        /// What: a manifest, a component.
        what: String,
    },
    /// Nothing may be loaded, and it is not here.
    #[error("{0} is not in the cache, and `--offline` loads nothing")]
    Offline(String),
    /// The cache, the lock file or another place on this machine.
    #[error("`{path}` cannot be used: {reason}")]
    Place {
        /// The file or directory.
        path: String,
        /// What the system says, or what it holds.
        reason: String,
    },
    /// The Docker configuration, or a program that it names.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// No secure connection can be set up from here.
    #[error("no secure connection can be set up: {0}; `SSL_CERT_FILE` can name a file of certificates")]
    Setup(String),
}
