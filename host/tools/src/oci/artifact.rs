//! What is in an artifact, and the JSON that a registry keeps of it.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::error::OciError;
use super::registry::Limits;
use crate::digest::Digest;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Media type of a manifest of the OCI image specification, which an artifact is.
pub const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// Media type of the config of a Wasm artifact.
pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// Media type of a component.
pub const COMPONENT_LAYER: &str = "application/wasm";
/// Media type of the layer with `tool.toml`.
pub const MANIFEST_LAYER: &str = "application/vnd.bailiwick.tool.manifest.v1+toml";
/// Media type of the layer with the minisign signature: of `tool.toml` where there is one, else of the component.
pub const SIGNATURE_LAYER: &str = "application/vnd.bailiwick.tool.signature.v1+minisign";

/// No artifact of a tool has as many layers.
const MOST_LAYERS: usize = 16;

/// What a tool is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The component.
    pub component: Vec<u8>,
    /// `None` for a component that was published without one.
    pub manifest: Option<Vec<u8>>,
    /// The text of the `.minisig` file.
    pub signature: Option<Vec<u8>>,
}

/// A part of an artifact, as its manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) media_type: String,
    pub(super) digest: String,
    pub(super) size: u64,
}

/// The parts that a tool has, each with a digest that is one and a size that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) component: Part,
    pub(super) manifest: Option<Part>,
    pub(super) signature: Option<Part>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// What it is called in an error.
    pub(super) what: &'static str,
    pub(super) digest: Digest,
    pub(super) size: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    schema_version: u32,
    media_type: Option<String>,
    #[serde(default)]
    layers: Vec<Descriptor>,
    /// Of an index.
    #[serde(default)]
    manifests: Vec<serde_json::Value>,
}

impl Parts {
    /// Reads the manifest of an artifact. Nothing is asked for that would be larger than it may.
    pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Self, OciError> {
        let no_tool = |reason: &str| OciError::NoTool(reason.to_owned());
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|_| no_tool("its manifest is not that of an artifact"))?;
        if !manifest.manifests.is_empty() {
            return Err(no_tool("it is an index of several; name one of them by its digest"));
        }
        if manifest.schema_version != 2 || manifest.media_type.as_deref().is_some_and(|own| own != OCI_MANIFEST) {
            return Err(no_tool("its manifest has a form that is not read here"));
        }
        if manifest.layers.len() > MOST_LAYERS {
            return Err(no_tool("it has more layers than a tool has"));
        }
        let part = |media_type: &str, what: &'static str, limit: u64| {
            let mut of_it = manifest.layers.iter().filter(|layer| layer.media_type == media_type);
            let Some(layer) = of_it.next() else { return Ok(None) };
            if of_it.next().is_some() {
                return Err(OciError::NoTool(format!("it has more than one {what}")));
            }
            let digest = layer.digest.parse().map_err(|error| OciError::NoTool(format!("the {what}: {error}")))?;
            if layer.size > limit {
                return Err(OciError::TooLarge { what: what.to_owned(), limit });
            }
            Ok(Some(Part { what, digest, size: layer.size }))
        };
        Ok(Self {
            component: part(COMPONENT_LAYER, "component", limits.component_bytes)?
                .ok_or_else(|| no_tool("it has no layer `application/wasm`"))?,
            manifest: part(MANIFEST_LAYER, "tool.toml", limits.manifest_bytes)?,
            signature: part(SIGNATURE_LAYER, "signature", limits.signature_bytes)?,
        })
    }
}

/// What is uploaded for an artifact.
pub(super) struct Upload<'a> {
    /// Every part but the manifest, with its digest.
    pub(super) blobs: Vec<(Digest, std::borrow::Cow<'a, [u8]>)>,
    /// The manifest that names them.
    pub(super) manifest: Vec<u8>,
}

impl<'a> Upload<'a> {
    /// The same artifact is the same bytes, independent of who pushes it and when.
    pub(super) fn of(artifact: &'a Artifact) -> Self {
        let parts = [
            (COMPONENT_LAYER, Some(&artifact.component)),
            (MANIFEST_LAYER, artifact.manifest.as_ref()),
            (SIGNATURE_LAYER, artifact.signature.as_ref()),
        ];
        let parts: Vec<_> = parts
            .into_iter()
            .filter_map(|(media_type, bytes)| Some((media_type, bytes?)))
            .map(|(media_type, bytes)| (media_type, Digest::of(bytes), bytes))
            .collect();
        let digests: Vec<_> = parts.iter().map(|(_, digest, _)| digest.to_string()).collect();
        let config = json!({
            "created": "1970-01-01T00:00:00Z",
            "architecture": "wasm",
            "os": "wasip2",
            "layerDigests": digests,
            // What it imports and exports is read from the component; this text is not believed.
            "component": { "exports": [], "imports": [] },
        })
        .to_string()
        .into_bytes();
        let descriptor = |media_type: &str, digest: &Digest, size: usize| json!({ "mediaType": media_type, "digest": digest, "size": size });
        let layers: Vec<_> =
            parts.iter().map(|(media_type, digest, bytes)| descriptor(media_type, digest, bytes.len())).collect();
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": OCI_MANIFEST,
            "config": descriptor(CONFIG, &Digest::of(&config), config.len()),
            "layers": layers,
        });
        let mut blobs: Vec<_> =
            parts.into_iter().map(|(_, digest, bytes)| (digest, std::borrow::Cow::from(bytes.as_slice()))).collect();
        blobs.push((Digest::of(&config), config.into()));
        Self { blobs, manifest: manifest.to_string().into_bytes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oci::registry::tests::LIMITS;

    fn artifact() -> Artifact {
        Artifact { component: vec![0; 10], manifest: Some(b"schema = 1".to_vec()), signature: Some(b"sig".to_vec()) }
    }

    #[test]
    fn what_is_uploaded_is_read_as_the_same_parts() {
        let artifact = artifact();
        let upload = Upload::of(&artifact);
        let parts = Parts::read(&upload.manifest, &LIMITS).unwrap();
        assert_eq!(parts.component.digest, Digest::of(&artifact.component));
        assert_eq!(parts.manifest.unwrap().size, 10);
        assert_eq!(parts.signature.unwrap().digest, Digest::of(b"sig"));
        assert_eq!(upload.blobs.len(), 4);
        assert_eq!(Upload::of(&artifact).manifest, upload.manifest);
    }

    #[test]
    fn artifact_that_is_not_a_tool_says_why() {
        let layer =
            |media_type: &str, size: u64| json!({ "mediaType": media_type, "digest": Digest::of(b""), "size": size });
        let manifest = |layers: serde_json::Value| json!({ "schemaVersion": 2, "layers": layers });
        let many: Vec<_> = (0..17).map(|_| layer("x/y", 1)).collect();
        let cases = [
            (json!("x"), "not that of an artifact"),
            (json!({ "schemaVersion": 2, "manifests": [{}] }), "an index"),
            (json!({ "schemaVersion": 1, "layers": [] }), "form"),
            (json!({ "schemaVersion": 2, "mediaType": "x/y", "layers": [] }), "form"),
            (manifest(json!([])), "no layer `application/wasm`"),
            (manifest(json!(many)), "more layers"),
            (manifest(json!([layer(COMPONENT_LAYER, 1), layer(COMPONENT_LAYER, 1)])), "more than one component"),
            (
                manifest(json!([layer(COMPONENT_LAYER, 1), layer(MANIFEST_LAYER, 1), layer(MANIFEST_LAYER, 1)])),
                "tool.toml",
            ),
            (manifest(json!([{ "mediaType": COMPONENT_LAYER, "digest": "sha256:../../x", "size": 1 }])), "digest"),
            (manifest(json!([layer(COMPONENT_LAYER, u64::MAX)])), "larger than"),
            (manifest(json!([layer(COMPONENT_LAYER, 1), layer(MANIFEST_LAYER, u64::MAX)])), "larger than"),
            (manifest(json!([layer(COMPONENT_LAYER, 1), layer(SIGNATURE_LAYER, 99_999)])), "larger than"),
        ];
        for (text, part) in cases {
            let error = Parts::read(text.to_string().as_bytes(), &LIMITS).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
