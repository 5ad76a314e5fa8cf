//! Pulling and pushing one repository, after the OCI distribution specification.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::artifact::{Artifact, OCI_MANIFEST, Part, Parts, Upload};
use super::attached;
use super::cache::{Cache, Kept};
use super::credentials::Credentials;
use super::error::OciError;
use super::reference::Reference;
use super::route::Route;
use super::session::{Session, Verb};
use crate::digest::Digest;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use std::time::Duration;

/// What may come from a registry, and how long it may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a component.
    pub component_bytes: u64,
    /// Bytes of `tool.toml`.
    pub manifest_bytes: u64,
    /// Bytes of a signature.
    pub signature_bytes: u64,
    /// Bytes of everything else: the manifest of an artifact, the answer of a token server, an error.
    pub answer_bytes: u64,
    /// How long a connection may take to be made, and how long nothing may come over it.
    pub idle: Duration,
    /// How long one request may take with all that it loads.
    pub deadline: Duration,
}

/// Which registries are spoken to without encryption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainHttp {
    /// This machine's own.
    Loopback,
    /// Any, as a person asked for.
    Allowed,
}

/// What a reference stands for at this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// That of the artifact's manifest.
    pub digest: Digest,
    pub(super) manifest: Vec<u8>,
}

/// One repository of a registry.
pub struct Registry {
    reference: Reference,
    session: Session,
    limits: Limits,
}

impl Registry {
    /// The repository of a reference. Nothing is sent yet.
    ///
    /// # Errors
    /// This machine has no certificates to check a registry by.
    pub fn open(
        reference: &Reference,
        route: impl Into<Route>,
        credentials: Credentials,
        limits: Limits,
    ) -> Result<Self, OciError> {
        let session = Session::open(reference, &route.into(), credentials, limits)?;
        Ok(Self { reference: reference.clone(), session, limits })
    }

    /// Asks what the reference stands for.
    ///
    /// # Errors
    /// There is none, it is not given out, or it is not what its digest says.
    pub async fn resolve(&mut self) -> Result<Resolved, OciError> {
        let wanted = self.reference.digest().cloned();
        let name = match (&wanted, self.reference.tag()) {
            (Some(digest), _) => digest.to_string(),
            (None, tag) => tag.unwrap_or_default().to_owned(),
        };
        let what = format!("artifact `{name}` in `{}`", self.reference.repository());
        let response = self.session.get(&format!("manifests/{name}"), &what).await?;
        let said =
            response.headers().get("docker-content-digest").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let manifest = self.session.body(response, "manifest of the artifact", self.limits.answer_bytes, None).await?;
        let digest = Digest::of(&manifest);
        // The registry's own word is held against the bytes, too: it may be what a proxy on the way changed.
        let said = said.and_then(|text| text.parse().ok());
        match wanted.or(said) {
            Some(expected) if expected != digest => {
                Err(OciError::WrongDigest { what: "manifest of the artifact".into(), expected, found: digest })
            }
            _ => Ok(Resolved { digest, manifest }),
        }
    }

    /// Loads what was resolved, but for what the cache has, and keeps it there.
    ///
    /// # Errors
    /// It is not a tool, a part of it is too large or is not what its digest says, or it cannot be loaded.
    pub async fn pull(&mut self, resolved: &Resolved, cache: &Cache) -> Result<Artifact, OciError> {
        let parts = Parts::read(&resolved.manifest, &self.limits)?;
        let component = self.part(&parts.component, cache).await?;
        let manifest = self.optional(parts.manifest.as_ref(), cache).await?;
        let signature = self.optional(parts.signature.as_ref(), cache).await?;
        // Last, so that whatever is found by it is there as a whole.
        if cache.get(&resolved.digest, self.limits.answer_bytes)? != Kept::Whole(resolved.manifest.clone()) {
            cache.put(&resolved.digest, &resolved.manifest)?;
        }
        Ok(Artifact { component, manifest, signature })
    }

    async fn optional(&mut self, part: Option<&Part>, cache: &Cache) -> Result<Option<Vec<u8>>, OciError> {
        match part {
            Some(part) => self.part(part, cache).await.map(Some),
            None => Ok(None),
        }
    }

    async fn part(&mut self, part: &Part, cache: &Cache) -> Result<Vec<u8>, OciError> {
        // What was changed in the cache is loaded again, as what is missing is.
        if let Kept::Whole(bytes) = cache.get(&part.digest, part.size)? {
            return Ok(bytes);
        }
        let what = format!("{} {}", part.what, part.digest);
        let response = self.session.get(&format!("blobs/{}", part.digest), &what).await?;
        let bytes = self.session.body(response, part.what, part.size, Some((&part.digest, part.size))).await?;
        cache.put(&part.digest, &bytes)?;
        Ok(bytes)
    }

    /// Pushes an artifact under the reference's tag, and returns the digest that it has there.
    ///
    /// # Errors
    /// The registry does not take it, or keeps something else.
    pub async fn push(&mut self, artifact: &Artifact) -> Result<Digest, OciError> {
        let upload = Upload::of(artifact);
        self.session.also_push();
        for (digest, bytes) in &upload.blobs {
            self.upload(digest, bytes).await?;
        }
        let name = self.reference.tag().map_or_else(|| Digest::of(&upload.manifest).to_string(), str::to_owned);
        self.name(&name, &upload.manifest).await
    }

    /// The signature that was made of an artifact after it was pushed; `None` where there is none.
    ///
    /// # Errors
    /// It is about another artifact, is too large or is not what its digest says, or it cannot be loaded.
    pub async fn attached(&mut self, artifact: &Digest, cache: &Cache) -> Result<Option<Vec<u8>>, OciError> {
        let tag = attached::tag(artifact);
        let what = format!("signature `{tag}`");
        let response = match self.session.get(&format!("manifests/{tag}"), &what).await {
            Err(OciError::NotFound { .. }) => return Ok(None),
            response => response?,
        };
        let manifest = self.session.body(response, "manifest of the signature", self.limits.answer_bytes, None).await?;
        let part = attached::read(&manifest, artifact, &self.limits)?;
        let response = self.session.get(&format!("blobs/{}", part.digest), &what).await?;
        let bytes = self.session.body(response, part.what, part.size, Some((&part.digest, part.size))).await?;
        cache.attach(artifact, &bytes)?;
        Ok(Some(bytes))
    }

    /// Pushes a signature for an artifact that is there, which stays as it is. It takes the place of one that was
    /// attached before. Returns the digest that it has there.
    ///
    /// # Errors
    /// The registry does not take it, or keeps something else.
    pub async fn attach(&mut self, artifact: &Resolved, signature: &[u8]) -> Result<Digest, OciError> {
        let upload = attached::upload(artifact, signature);
        self.session.also_push();
        for (digest, bytes) in &upload.blobs {
            self.upload(digest, bytes).await?;
        }
        self.name(&attached::tag(&artifact.digest), &upload.manifest).await
    }

    /// Puts a manifest under a name: a tag or its digest.
    async fn name(&mut self, name: &str, manifest: &[u8]) -> Result<Digest, OciError> {
        let digest = Digest::of(manifest);
        let what = format!("the artifact `{name}`");
        let url = self.session.url(&format!("manifests/{name}"))?;
        let response = self.session.send(Verb::Put, &url, Some((CONTENT_TYPE, OCI_MANIFEST)), Some(manifest)).await?;
        if response.status() != StatusCode::CREATED {
            return Err(self.session.unexpected(response, &what).await);
        }
        let said = response.headers().get("docker-content-digest").and_then(|value| value.to_str().ok());
        match said.and_then(|text| text.parse().ok()) {
            Some(found) if found != digest => {
                Err(OciError::WrongDigest { what: "artifact in the registry".into(), expected: digest, found })
            }
            _ => Ok(digest),
        }
    }

    async fn upload(&mut self, digest: &Digest, bytes: &[u8]) -> Result<(), OciError> {
        let there = self.session.url(&format!("blobs/{digest}"))?;
        if self.session.send(Verb::Head, &there, None, None).await?.status() == StatusCode::OK {
            return Ok(());
        }
        let begin = self.session.url("blobs/uploads/")?;
        let response = self.session.send(Verb::Post, &begin, None, Some(&[])).await?;
        if response.status() != StatusCode::ACCEPTED {
            return Err(self.session.unexpected(response, "an upload").await);
        }
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut url = self.session.upload_location(&begin, location)?;
        url.query_pairs_mut().append_pair("digest", &digest.to_string());
        let octets = Some((CONTENT_TYPE, "application/octet-stream"));
        let response = self.session.send(Verb::Put, &url, octets, Some(bytes)).await?;
        match response.status() {
            StatusCode::CREATED => Ok(()),
            _ => Err(self.session.unexpected(response, "an upload").await),
        }
    }
}

/// What the cache has of an artifact, without a registry.
///
/// # Errors
/// A part is missing, or is not what its digest says any more.
pub fn cached(digest: &Digest, cache: &Cache, limits: &Limits) -> Result<Artifact, OciError> {
    let get = |what: &str, digest: &Digest, most: u64| match cache.get(digest, most)? {
        Kept::Whole(bytes) => Ok(bytes),
        Kept::Changed => Err(OciError::Poisoned { what: what.to_owned() }),
        Kept::Missing => Err(OciError::Offline(format!("the {what} {digest}"))),
    };
    let parts = Parts::read(&get("artifact", digest, limits.answer_bytes)?, limits)?;
    let part = |part: &Part| get(part.what, &part.digest, part.size);
    Ok(Artifact {
        component: part(&parts.component)?,
        manifest: parts.manifest.as_ref().map(part).transpose()?,
        signature: parts.signature.as_ref().map(part).transpose()?,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::oci) const LIMITS: Limits = Limits {
        component_bytes: 1 << 20,
        manifest_bytes: 64 << 10,
        signature_bytes: 4 << 10,
        answer_bytes: 64 << 10,
        idle: Duration::from_secs(5),
        deadline: Duration::from_secs(10),
    };
}
