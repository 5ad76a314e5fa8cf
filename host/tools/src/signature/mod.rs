//! Signatures of tools: minisign's, which are Ed25519 over BLAKE2b, verified before anything is compiled.
//!
//! What is signed is `tool.toml`, in which the component's digest stands: who signs it signs what the tool is and what
//! it asks for. A component without a manifest is signed itself. A tag is never part of it, and nothing is taken on the
//! word of a cache or a lock file: [`check`] is given bytes and judges those.
//!
//! Which keys count is what a person wrote for the source that a tool comes from ([`keys`]). Signatures of certificates
//! that are issued for a moment (cosign without a key) are not read here.

mod kept;
pub mod keys;

pub use kept::{Proof, Proofs};
pub use keys::{KeyError, TrustedKeys};

use crate::digest::Digest;
use crate::manifest::{Manifest, ManifestError};
use crate::oci::{Artifact, Reference};

/// The longest signature that is read, in bytes.
pub const LONGEST: u64 = 4 << 10;

/// What is put behind the name of a file for its signature's.
pub const SUFFIX: &str = ".minisig";

/// Where a tool comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file that a person named.
    File,
    /// A registry.
    Registry(Reference),
}

/// How far a tool's origin is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// A key that a person named for this source signed it.
    Signed {
        /// The key's id, as minisign prints it: 16 hexadecimal digits.
        key: String,
        /// The source that the key was named for.
        source: String,
    },
    /// It has a signature, and no key was named to verify it with.
    Unverified,
    /// It has none, and needs none.
    Unsigned,
}

/// Why a tool is not signed by a trusted key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// A key was named for its source, and it is not signed.
    #[error("the tool is not signed, and keys are named for the source `{source_name}`")]
    Unsigned {
        /// The source that a key was named for.
        source_name: String,
    },
    /// The signature cannot be read as one.
    #[error("the signature of the tool is not one of minisign's")]
    NoSignature,
    /// It was made in minisign's old form, which does not say over what it was made.
    #[error("the signature of the tool has minisign's old form")]
    Legacy,
    /// None of the keys made it.
    #[error("the tool is signed by the key {found}, which is not named for the source `{source_name}`")]
    OtherKey {
        /// The id in the signature.
        found: String,
        /// The source that keys were named for.
        source_name: String,
    },
    /// A named key made it, but for something else; or it was changed.
    #[error("the signature of the tool is not over this {what}")]
    OtherContent {
        /// `tool.toml` or `component`.
        what: &'static str,
    },
    /// `tool.toml` does not say which component it is about.
    #[error("`tool.toml` has no `digest`, so its signature says nothing of the component")]
    NoDigest,
    /// `tool.toml` is about another component.
    #[error("the component is not that of `tool.toml`: its digest is {found} and not {expected}")]
    OtherComponent {
        /// That of `tool.toml`.
        expected: Digest,
        /// That of the component.
        found: Digest,
    },
    /// The store does not say where it came from.
    #[error("it is not known which source the tool came from")]
    NoOrigin,
    /// `tool.toml` cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

/// What was checked: only [`check`] makes one.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// The component, whose digest is that of the manifest where that names one.
    pub component: Vec<u8>,
    /// Its manifest, where it has one.
    pub manifest: Option<Manifest>,
    /// How far its origin is proved.
    pub trust: Trust,
}

/// The bytes of a signature's file.
///
/// # Errors
/// It does not exist, it is not a plain file, or it is longer than [`LONGEST`].
pub fn file(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    crate::file::plain(path, LONGEST)
}

/// Verifies the signature where a key is named for the origin, and that the manifest is about this component.
///
/// # Errors
/// It is not signed by a key that was named for its source, or is not in itself what it says.
pub fn check(artifact: Artifact, origin: &Origin, keys: &TrustedKeys) -> Result<Checked, SignatureError> {
    let trust = match keys.of(origin) {
        // Before a byte of it is read as anything: untrusted input reaches no parser but minisign's.
        Some((source, keys)) => verify(&artifact, source, keys)?,
        None if artifact.signature.is_some() => Trust::Unverified,
        None => Trust::Unsigned,
    };
    let manifest = artifact.manifest.as_deref().map(parse).transpose()?;
    if let Some(manifest) = &manifest {
        match &manifest.digest {
            Some(expected) => {
                let found = Digest::of(&artifact.component);
                if found != *expected {
                    return Err(SignatureError::OtherComponent { expected: expected.clone(), found });
                }
            }
            None if matches!(trust, Trust::Signed { .. }) => return Err(SignatureError::NoDigest),
            None => {}
        }
    }
    Ok(Checked { component: artifact.component, manifest, trust })
}

/// Whether its signature is all that is wanted of an artifact from there: no key is named for the origin, or one of them
/// made it.
#[must_use]
pub fn suffices(artifact: &Artifact, origin: &Origin, keys: &TrustedKeys) -> bool {
    keys.of(origin).is_none_or(|(source, keys)| verify(artifact, source, keys).is_ok())
}

/// The key that a signature says it is by: 16 hexadecimal digits.
///
/// # Errors
/// It is not a signature of minisign.
pub fn said_key(signature: &[u8]) -> Result<String, SignatureError> {
    let text = std::str::from_utf8(signature).map_err(|_| SignatureError::NoSignature)?;
    minisign_verify::Signature::decode(text).map_err(|_| SignatureError::NoSignature)?;
    keys::id_in(text).ok_or(SignatureError::NoSignature)
}

fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| ManifestError::Syntax { line: 1, reason: "it is not UTF-8".to_owned() })?;
    Manifest::parse(text)
}

fn verify(artifact: &Artifact, source: &str, keys: &[keys::Key]) -> Result<Trust, SignatureError> {
    let (content, what) = match &artifact.manifest {
        Some(manifest) => (manifest.as_slice(), "tool.toml"),
        None => (artifact.component.as_slice(), "component"),
    };
    let source_name = source.to_owned();
    let Some(signature) = &artifact.signature else { return Err(SignatureError::Unsigned { source_name }) };
    let text = std::str::from_utf8(signature).map_err(|_| SignatureError::NoSignature)?;
    let signature = minisign_verify::Signature::decode(text).map_err(|_| SignatureError::NoSignature)?;
    for key in keys {
        use minisign_verify::Error;
        match key.key.verify(content, &signature, false) {
            Ok(()) => return Ok(Trust::Signed { key: key.id.clone(), source: source_name }),
            Err(Error::UnexpectedKeyId) => {}
            Err(Error::UnexpectedAlgorithm | Error::UnsupportedAlgorithm) => return Err(SignatureError::Legacy),
            Err(_) => return Err(SignatureError::OtherContent { what }),
        }
    }
    Err(SignatureError::OtherKey { found: keys::id_in(text).ok_or(SignatureError::NoSignature)?, source_name })
}

#[cfg(test)]
mod tests;
