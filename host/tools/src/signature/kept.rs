//! The signatures of added tools, as they came: what was signed, and by whom.
//!
//! They are verified again whenever a tool is used, with the keys that a person names by then: a key that is taken back
//! takes its tools with it. Nothing here is believed; who changes it makes a tool unusable and nothing else.

use super::{Artifact, Checked, Origin, SignatureError, TrustedKeys, check};
use crate::digest::Digest;
use crate::file;
use crate::store::{Entry, Release, Source};
use bailiwick_base::files::Replace;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The longest file that is read: a manifest and a signature as JSON writes them.
const LONGEST: u64 = 1 << 20;

/// What was signed and the signature, without the component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The text of `tool.toml`, where the tool has one.
    pub manifest: Option<String>,
    /// The text of its signature, or of the component's.
    pub signature: String,
}

/// The proofs in a directory of this user alone.
#[derive(Debug, Clone)]
pub struct Proofs {
    directory: PathBuf,
}

impl Proof {
    /// That of an artifact; `None` where it is not signed, or the signature is not text.
    #[must_use]
    pub fn of(artifact: &Artifact) -> Option<Self> {
        let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).ok();
        let manifest = match &artifact.manifest {
            Some(manifest) => Some(text(manifest)?),
            None => None,
        };
        Some(Self { manifest, signature: text(artifact.signature.as_ref()?)? })
    }
}

impl Proofs {
    /// Those beside the tools of a store's directory. Nothing is made yet.
    #[must_use]
    pub fn beside(store: &Path) -> Self {
        Self { directory: store.join("signatures") }
    }

    /// Keeps a release's proof.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, release: &Release, proof: &Proof) -> std::io::Result<()> {
        file::make(&self.directory)?;
        let _alone = file::lock(&self.directory.join("lock"))?;
        let text = serde_json::to_vec_pretty(proof).map_err(std::io::Error::other)?;
        Replace::PRIVATE.write(&self.file(release), &text)
    }

    /// Removes the proofs of what is not there any more. A proof that cannot be removed is never looked up.
    pub fn sweep<'a>(&self, entries: impl IntoIterator<Item = &'a Entry>) {
        let releases = entries.into_iter().flat_map(|entry| [Some(&entry.current), entry.update.as_ref()]).flatten();
        let named: Vec<_> = releases.map(|release| self.file(release)).collect();
        let Ok(files) = std::fs::read_dir(&self.directory) else { return };
        let proofs = files.flatten().map(|file| file.path()).filter(|path| path.extension().is_some());
        for path in proofs.filter(|path| !named.contains(path)) {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Verifies that a release of the store, with this component, is signed by a key that counts for where it came from.
    /// Where no key is named for that, there is nothing to verify.
    ///
    /// # Errors
    /// It is not, or what was signed is not what the store says.
    pub fn verify(&self, release: &Release, component: &[u8], keys: &TrustedKeys) -> Result<(), SignatureError> {
        let origin = Origin::of(&release.source)?;
        if !keys.ask(&origin) {
            return Ok(());
        }
        let proof = file::plain(&self.file(release), LONGEST).ok();
        let proof: Option<Proof> = proof.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let artifact = Artifact {
            component: component.to_vec(),
            manifest: proof.as_ref().and_then(|proof| proof.manifest.clone()).map(String::into_bytes),
            signature: proof.map(|proof| proof.signature.into_bytes()),
        };
        let Checked { manifest, .. } = check(artifact, &origin, keys)?;
        if manifest != release.manifest {
            return Err(SignatureError::OtherContent { what: "tool.toml" });
        }
        Ok(())
    }

    /// A component that is added twice with other words has two.
    pub(super) fn file(&self, release: &Release) -> PathBuf {
        let manifest = serde_json::to_string(&release.manifest).unwrap_or_default();
        let name = Digest::of(format!("{}\n{manifest}", release.digest).as_bytes());
        self.directory.join(format!("{}.json", name.hex()))
    }
}

impl Origin {
    /// Where a tool of the store came from.
    ///
    /// # Errors
    /// The store names a registry that cannot be one.
    pub fn of(source: &Source) -> Result<Self, SignatureError> {
        match source {
            Source::Registry { reference, .. } => {
                reference.parse().map(Self::Registry).map_err(|_| SignatureError::NoOrigin)
            }
            Source::File(_) | Source::Unknown => Ok(Self::File),
        }
    }
}
