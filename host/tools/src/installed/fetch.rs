//! A tool on its way from a file or a registry: who made it is verified before a byte of it is compiled.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Candidate, Host, Problem, Result};
use crate::oci::registry::cached;
use crate::oci::{
    Artifact, Cache, Credentials, Limits, Lock, OciError, PlainHttp, Reference, Registry, Route, reference,
};
use crate::signature::{LONGEST, Origin, Proof, Proofs, Trust, TrustedKeys, check, suffices};
use crate::{Digest, Entry, Release, Source, Store, manifest, oci, store};

/// What may come from a registry.
pub const LIMITS: Limits = Limits {
    component_bytes: store::LARGEST,
    manifest_bytes: manifest::LONGEST as u64,
    signature_bytes: LONGEST,
    answer_bytes: 1 << 20,
    idle: Duration::from_secs(20),
    deadline: Duration::from_secs(300),
};

/// How much is kept of what came from registries, but for what `tools.lock` names.
const MOST_CACHED: u64 = 512 << 20;

/// How a registry is used.
#[derive(Debug, Clone, Copy, Default)]
pub struct RegistryUse {
    /// Load nothing: use what was loaded before, and what `tools.lock` says a tag stands for.
    pub offline: bool,
    /// Speak to the registry without encryption, also where it is not on this machine.
    pub plain_http: bool,
    /// Ask again about a tag that `tools.lock` knows.
    pub anew: bool,
}

/// A tool that was verified as far as a person asks for it.
pub struct Fetched {
    /// The tool.
    pub candidate: Candidate,
    /// How far its origin is proved.
    pub trust: Trust,
    proof: Option<Proof>,
}

impl Fetched {
    /// The tool in a file, a directory or a registry.
    ///
    /// # Errors
    /// It cannot be had, is not in itself what it says, or is not signed by a key that is named for its source.
    pub async fn get(host: &dyn Host, what: &Path, how: &RegistryUse) -> Result<Self> {
        match registry_reference(what)? {
            Some(reference) => Self::pulled(host, &reference, how).await,
            None => {
                if how.offline || how.plain_http {
                    return Err(Problem::usage("`--offline` and `--plain-http` are for tools of a registry"));
                }
                let (artifact, source) = super::candidate::artifact(what)?;
                Self::verified(host, artifact, &Origin::File, source, &host.trusted_keys()?)
            }
        }
    }

    async fn pulled(host: &dyn Host, reference: &Reference, how: &RegistryUse) -> Result<Self> {
        let cache = host.artifacts()?;
        let locked = Lock::of(host.store()?.directory()).resolved(reference).map_err(|error| Problem::from(&error))?;
        let pinned = if how.anew { None } else { reference.digest().cloned().or(locked) };
        let origin = Origin::Registry(reference.clone());
        let keys = host.trusted_keys()?;
        // If the artifact itself does not carry the required signature, it may have been signed later.
        let wanting = |artifact: &Artifact| !suffices(artifact, &origin, &keys);
        let (digest, artifact) = if how.offline {
            let digest = pinned.ok_or_else(|| {
                Problem::failed(format!("what `{reference}` stands for is not known without its registry"))
                    .hint("name the artifact by its digest, as in `oci://host/repository@sha256:…`")
            })?;
            let mut artifact = cached(&digest, &cache, &LIMITS).map_err(|error| Problem::from(&error))?;
            if wanting(&artifact) {
                artifact.signature = cache.attached(&digest, LIMITS.signature_bytes).or(artifact.signature);
            }
            (digest, artifact)
        } else {
            let route = route(host, reference, how.plain_http)?;
            let exact = pinned.clone().map_or_else(|| reference.clone(), |digest| reference.at(digest));
            let pulled: std::result::Result<_, OciError> = async {
                let open = |reference: &Reference| {
                    Registry::open(reference, route.clone(), Credentials::of_environment(), LIMITS)
                };
                if let (None, Some(pinned)) = (reference.digest(), &pinned) {
                    moved(host, reference, pinned, &open(reference)?.resolve().await?.digest);
                }
                let mut registry = open(&exact)?;
                let resolved = registry.resolve().await?;
                let mut artifact = registry.pull(&resolved, &cache).await?;
                if wanting(&artifact) {
                    artifact.signature = registry.attached(&resolved.digest, &cache).await?.or(artifact.signature);
                }
                Ok((resolved.digest, artifact))
            }
            .await;
            pulled.map_err(|error| Problem::from(&error))?
        };
        bound(host, &cache, &digest);
        let source = Source::Registry { reference: reference.to_string(), resolved: digest };
        Self::verified(host, artifact, &origin, source, &keys)
    }

    fn verified(
        host: &dyn Host,
        artifact: Artifact,
        origin: &Origin,
        source: Source,
        keys: &TrustedKeys,
    ) -> Result<Self> {
        let proof = Proof::of(&artifact);
        let checked = check(artifact, origin, keys).map_err(|error| Problem::from(&error))?;
        if checked.trust == Trust::Unverified {
            host.warn("it is signed, and no key is named to verify that with");
        }
        let candidate = Candidate::new(host, checked.component, checked.manifest, source)?;
        Ok(Self { candidate, trust: checked.trust, proof })
    }

    /// Keeps what its signature is verified with whenever it is used. Before it is added: a tool whose proof is missing
    /// is not used, and a proof whose tool is missing does nothing.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn keep_proof(&self, store: &Store, release: &Release) -> Result<()> {
        let Some(proof) = &self.proof else { return Ok(()) };
        Proofs::beside(store.directory())
            .keep(release, proof)
            .map_err(|error| Problem::failed(format!("the signature cannot be kept: {error}")))
    }

    /// How far its origin is proved, for a person.
    #[must_use]
    pub fn said(&self) -> String {
        match &self.trust {
            Trust::Signed { key, source } => format!("signed by the key {key}, which you named for `{source}`"),
            Trust::Unverified => "signed, and not verified".into(),
            Trust::Unsigned => "not signed".into(),
        }
    }

    /// The same for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        match &self.trust {
            Trust::Signed { key, source } => json!({ "state": "signed", "key": key, "namedFor": source }),
            Trust::Unverified => json!({ "state": "unverified" }),
            Trust::Unsigned => json!({ "state": "unsigned" }),
        }
    }
}

/// The way to a registry, with the authority that is named for it.
///
/// # Errors
/// The authority cannot be used.
pub fn route(host: &dyn Host, reference: &Reference, plain_http: bool) -> Result<Route> {
    let route = Route::from(if plain_http { PlainHttp::Allowed } else { PlainHttp::Loopback });
    let Some((file, pem)) = host.authority(reference)? else { return Ok(route) };
    route.believing(&pem).map_err(|error| {
        Problem::usage(format!("`{}`: {error}", file.display()))
            .hint(format!("it is named as `ca` of `registries.\"{}\"` in `bailiwick.toml`", reference.host()))
    })
}

/// Removes the least recently used entries. What cannot be examined is reported; an added tool does not depend on it.
fn bound(host: &dyn Host, cache: &Cache, loaded: &Digest) {
    let pruned = locked_artifacts(host).and_then(|mut locked| {
        locked.push(loaded.clone());
        cache.prune(&locked, MOST_CACHED, &LIMITS).map_err(|error| Problem::from(&error))
    });
    if let Err(error) = pruned {
        host.warn(&format!("the cache is not made smaller: {}", error.message));
    }
}

/// Removes from the cache what a removed tool had, and no other one has.
pub fn let_go(host: &dyn Host, entry: &Entry) {
    let releases = [Some(&entry.current), entry.update.as_ref()];
    let artifacts: Vec<_> = releases.into_iter().flatten().filter_map(resolved).collect();
    if artifacts.is_empty() {
        return;
    }
    let gone = host.artifacts().and_then(|cache| {
        let locked = locked_artifacts(host)?;
        let forget = |artifact: &&Digest| cache.forget(artifact, &locked, &LIMITS).map(drop);
        artifacts.iter().try_for_each(forget).map_err(|error| Problem::from(&error))
    });
    if let Err(error) = gone {
        host.warn(&format!("what it had in the cache is still there: {}", error.message));
    }
}

fn locked_artifacts(host: &dyn Host) -> Result<Vec<Digest>> {
    let all = Lock::of(host.store()?.directory()).read().map_err(|error| Problem::from(&error))?;
    Ok(all.into_values().map(|locked| locked.manifest).collect())
}

/// Tells that a tag is not what it was.
fn moved(host: &dyn Host, reference: &Reference, pinned: &Digest, now: &Digest) {
    if pinned != now {
        host.warn(&format!(
            "`{reference}` now stands for {now}; this is {pinned}, as `tools.lock` says; `bailiwick tool update` \
             takes the other one"
        ));
    }
}

/// What a person names, where it is an artifact of a registry.
///
/// # Errors
/// It begins as a reference and is not one.
pub fn registry_reference(what: &Path) -> Result<Option<Reference>> {
    match what.to_str().filter(|text| text.starts_with(reference::SCHEME)) {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|error| {
            Problem::usage(format!("`{text}` is not a reference: {error}"))
                .hint("write `oci://host/repository:tag` or `oci://host/repository@sha256:…`")
        }),
    }
}

/// Refuses a component of the store that no key vouches for, where keys are named for its source by now.
pub(super) fn still_signed(host: &dyn Host, release: &Release, component: &[u8]) -> Result<()> {
    let keys = host.trusted_keys()?;
    Proofs::beside(host.store()?.directory()).verify(release, component, &keys).map_err(|error| Problem::from(&error))
}

/// Writes down what the current release of a tool was resolved to, or that there is none any more.
///
/// # Errors
/// The lock file cannot be written.
pub fn settle(host: &dyn Host, name: &str) -> Result<()> {
    let store = host.store()?;
    let all = store.list()?;
    let lock = Lock::of(store.directory());
    let locked = all.get(name).and_then(locked);
    match locked {
        Some(locked) => lock.set(name, locked),
        None => lock.forget(name),
    }
    .map_err(|error| Problem::from(&error))?;
    Proofs::beside(store.directory()).sweep(all.values());
    Ok(())
}

fn locked(entry: &Entry) -> Option<oci::lock::Locked> {
    let Source::Registry { reference, resolved } = &entry.current.source else { return None };
    let (reference, component) = (reference.parse().ok()?, entry.current.digest.clone());
    Some(oci::lock::Locked { reference, manifest: resolved.clone(), component })
}

/// The artifact that a tool of the store was, for a person who compares.
#[must_use]
pub fn resolved(release: &Release) -> Option<&Digest> {
    match &release.source {
        Source::Registry { resolved, .. } => Some(resolved),
        Source::File(_) | Source::Unknown => None,
    }
}
