//! A registry that does what it likes, on this machine, and what comes of it. A real one is in the end-to-end tests.

mod fake;
mod hostile;
mod who;

use super::*;
use crate::digest::Digest;
use crate::oci::artifact::Upload;
use crate::oci::registry::tests::LIMITS;
use fake::{Fake, Reply, Request};
use std::path::Path;

fn artifact() -> Artifact {
    Artifact {
        component: b"\0asm component".repeat(500),
        manifest: Some(b"schema = 1".to_vec()),
        signature: Some(b"signature".to_vec()),
    }
}

/// What an honest registry that holds this one artifact under the tag `1` answers.
fn honest(artifact: &Artifact, request: &Request) -> Reply {
    let upload = Upload::of(artifact);
    let digest = Digest::of(&upload.manifest);
    let name = request.path.rsplit('/').next().unwrap_or_default();
    if request.path.contains("/manifests/") && (name == "1" || name == digest.to_string()) {
        return Reply::ok(&upload.manifest).with("Docker-Content-Digest", &digest.to_string());
    }
    match upload.blobs.iter().find(|(digest, _)| digest.to_string() == name) {
        Some((_, bytes)) => Reply::ok(bytes),
        None => Reply::status(404),
    }
}

fn cache(directory: &Path) -> Cache {
    Cache::open(&directory.join("cache")).unwrap()
}

fn open(fake: &Fake, tag: &str, credentials: Credentials) -> Registry {
    let reference = format!("oci://{}/team/tool{tag}", fake.address).parse().unwrap();
    Registry::open(&reference, PlainHttp::Loopback, credentials, LIMITS).unwrap()
}

async fn pull(fake: &Fake, tag: &str, cache: &Cache) -> Result<Artifact, OciError> {
    let mut registry = open(fake, tag, Credentials::None);
    let resolved = registry.resolve().await?;
    registry.pull(&resolved, cache).await
}
