//! A signature that was made after its artifact was pushed.
//!
//! It is an artifact of its own, under the tag `sha256-<64 digits>.minisig` of the same repository, with the signed one
//! as its `subject`. So the signed one keeps its digest, and a person who pinned that digest finds the signature too. Registries that
//! list what refers to an artifact list it; the tag serves those that do not.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::artifact::{OCI_MANIFEST, Part, SIGNATURE_LAYER, Upload};
use super::error::OciError;
use super::registry::{Limits, Resolved};
use crate::digest::Digest;
use serde::Deserialize;
use serde_json::json;

/// Media type of a config that says nothing, as the image specification has it.
const EMPTY: &str = "application/vnd.oci.empty.v1+json";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    subject: Option<Named>,
    #[serde(default)]
    layers: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    media_type: String,
    digest: String,
    size: u64,
}

/// The tag that the signature of an artifact has.
pub(super) fn tag(artifact: &Digest) -> String {
    format!("sha256-{}.minisig", artifact.hex())
}

/// Reads the manifest of a signature, which is about this artifact or refused.
pub(super) fn read(bytes: &[u8], artifact: &Digest, limits: &Limits) -> Result<Part, OciError> {
    let wrong = |reason: &str| OciError::NoSignature(reason.to_owned());
    let manifest: Manifest =
        serde_json::from_slice(bytes).map_err(|_| wrong("its manifest is not that of an artifact"))?;
    if manifest.subject.is_none_or(|subject| subject.digest != artifact.to_string()) {
        return Err(wrong("it is about another artifact"));
    }
    let [layer] = manifest.layers.as_slice() else { return Err(wrong("it has not one layer")) };
    if layer.media_type != SIGNATURE_LAYER {
        return Err(wrong("it is not one of minisign's"));
    }
    if layer.size > limits.signature_bytes {
        return Err(OciError::TooLarge { what: "signature".into(), limit: limits.signature_bytes });
    }
    let digest = layer.digest.parse().map_err(|_| wrong("its digest is invalid"))?;
    Ok(Part { what: "signature", digest, size: layer.size })
}

/// What is uploaded for a signature of an artifact.
pub(super) fn upload<'a>(artifact: &Resolved, signature: &'a [u8]) -> Upload<'a> {
    let config = b"{}".as_slice();
    let descriptor = |media_type: &str, bytes: &[u8]| json!({ "mediaType": media_type, "digest": Digest::of(bytes), "size": bytes.len() });
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": OCI_MANIFEST,
        "artifactType": SIGNATURE_LAYER,
        "config": descriptor(EMPTY, config),
        "layers": [descriptor(SIGNATURE_LAYER, signature)],
        "subject": { "mediaType": OCI_MANIFEST, "digest": artifact.digest, "size": artifact.manifest.len() },
    });
    let blobs = [signature, config].map(|bytes| (Digest::of(bytes), bytes.into()));
    Upload { blobs: blobs.into(), manifest: manifest.to_string().into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oci::registry::tests::LIMITS;

    #[test]
    fn signature_of_another_artifact_or_of_another_kind_is_ignored() {
        let resolved = Resolved { digest: Digest::of(b"artifact"), manifest: b"artifact".to_vec() };
        let upload = upload(&resolved, b"signature");
        let good: serde_json::Value = serde_json::from_slice(&upload.manifest).unwrap();
        let part = read(&upload.manifest, &resolved.digest, &LIMITS).unwrap();
        assert_eq!((part.digest, part.size), (Digest::of(b"signature"), 9));
        let changed = |pointer: &str, value: serde_json::Value| {
            let mut other = good.clone();
            *other.pointer_mut(pointer).unwrap() = value;
            other
        };
        let cases = [
            (json!("x"), "not that of an artifact"),
            (changed("/subject/digest", json!(Digest::of(b"other"))), "about another artifact"),
            (changed("/subject", json!(null)), "about another artifact"),
            (changed("/layers", json!([])), "not one layer"),
            (changed("/layers/0/mediaType", json!("application/wasm")), "not one of minisign's"),
            (changed("/layers/0/size", json!(u64::MAX)), "larger than"),
            (changed("/layers/0/digest", json!("sha256:../../x")), "its digest is invalid"),
        ];
        for (manifest, part) in cases {
            let error = read(manifest.to_string().as_bytes(), &resolved.digest, &LIMITS).unwrap_err().to_string();
            assert!(error.contains(part), "{manifest}: {error}");
        }
    }
}
