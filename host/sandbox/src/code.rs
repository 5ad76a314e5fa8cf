//! Where the bytes of a component come from.

use crate::builtin;
use crate::error::LoadError;
use bailiwick_base::text::hex;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The bytes of a component, or a way to them.
///
/// A tool that is offered and never called needs none. Those of a language with its library are tens of megabytes, so
/// code that keeps them in a file hands over how they are read. What is read is held against the digest each time.
#[derive(Clone)]
pub struct Code(Place);

#[derive(Clone)]
enum Place {
    Here(Bytes),
    Kept { digest: String, read: Arc<dyn Fn() -> Result<Vec<u8>, String> + Send + Sync> },
}

impl Code {
    /// What `read` reads, whenever it is needed: the component with this SHA-256, in hexadecimal, or it is not loaded.
    /// `read` may block. Its error is a sentence that a model may see, free of paths.
    pub fn kept(digest: impl Into<String>, read: impl Fn() -> Result<Vec<u8>, String> + Send + Sync + 'static) -> Self {
        Self(Place::Kept { digest: digest.into(), read: Arc::new(read) })
    }

    /// The SHA-256 of the component, in hexadecimal.
    pub(crate) fn digest(&self) -> String {
        match &self.0 {
            Place::Here(bytes) => builtin::digest(bytes).map_or_else(|| hex(&Sha256::digest(bytes)), str::to_owned),
            Place::Kept { digest, .. } => digest.clone(),
        }
    }

    /// Whether its bytes can be had again, so that nothing of it need be held.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.0, Place::Kept { .. })
    }

    /// The bytes, which may have to be read. That they are the right ones is told by [`Code::is`].
    pub(crate) fn bytes(&self) -> Result<Bytes, LoadError> {
        match &self.0 {
            Place::Here(bytes) => Ok(bytes.clone()),
            Place::Kept { read, .. } => read().map(Bytes::from).map_err(LoadError::Unreadable),
        }
    }

    /// Refuses bytes that are not those of this component. `found` is their digest.
    pub(crate) fn is(&self, found: &str) -> Result<(), LoadError> {
        match &self.0 {
            Place::Kept { digest, .. } if digest != found => {
                Err(LoadError::Exchanged { expected: digest.clone(), found: found.to_owned() })
            }
            Place::Kept { .. } | Place::Here(_) => Ok(()),
        }
    }
}

impl From<Bytes> for Code {
    fn from(bytes: Bytes) -> Self {
        Self(Place::Here(bytes))
    }
}

impl From<Vec<u8>> for Code {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<&'static [u8]> for Code {
    fn from(bytes: &'static [u8]) -> Self {
        Bytes::from_static(bytes).into()
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Place::Here(bytes) => write!(formatter, "Code({} bytes)", bytes.len()),
            Place::Kept { digest, .. } => write!(formatter, "Code({digest})"),
        }
    }
}
