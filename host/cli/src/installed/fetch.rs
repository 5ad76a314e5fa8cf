//! A tool on its way from a file or a registry: who made it is verified before a byte of it is compiled.

use super::Candidate;
use crate::commands::tool::install::RegistryUse;
use crate::configuration::{Configuration, authority};
use crate::exit::{Error, Result};
use crate::{output, places, runtime};
use bailiwick_tools::oci::registry::cached;
use bailiwick_tools::oci::{
    Artifact, Cache, Credentials, Limits, Lock, OciError, PlainHttp, Reference, Registry, Route, reference,
};
use bailiwick_tools::signature::{LONGEST, Origin, Proof, Proofs, SignatureError, Trust, TrustedKeys, check, suffices};
use bailiwick_tools::{Digest, Entry, Release, Source, Store, manifest, oci, store};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// What may come from a registry.
pub(crate) const LIMITS: Limits = Limits {
    component_bytes: store::LARGEST,
    manifest_bytes: manifest::LONGEST as u64,
    signature_bytes: LONGEST,
    answer_bytes: 1 << 20,
    idle: Duration::from_secs(20),
    deadline: Duration::from_secs(300),
};

/// How much is kept of what came from registries, but for what `tools.lock` names.
const MOST_CACHED: u64 = 512 << 20;

/// A tool that was verified as far as a person asks for it.
pub(crate) struct Fetched {
    pub(crate) candidate: Candidate,
    pub(crate) trust: Trust,
    proof: Option<Proof>,
}

impl Fetched {
    /// The tool in a file, a directory or a registry.
    ///
    /// # Errors
    /// It cannot be had, is not in itself what it says, or is not signed by a key that is named for its source.
    pub(crate) fn get(what: &Path, how: &RegistryUse) -> Result<Self> {
        match registry_reference(what)? {
            Some(reference) => Self::pulled(&reference, how),
            None => {
                if how.offline || how.plain_http {
                    return Err(Error::usage("`--offline` and `--plain-http` are for tools of a registry"));
                }
                let (artifact, source) = super::candidate::artifact(what)?;
                Self::verified(artifact, &Origin::File, source, &Configuration::read()?.trusted_keys()?)
            }
        }
    }

    fn pulled(reference: &Reference, how: &RegistryUse) -> Result<Self> {
        let cache = cache()?;
        let locked = Lock::of(super::store()?.directory()).resolved(reference).map_err(|error| not_fetched(&error))?;
        let pinned = if how.anew { None } else { reference.digest().cloned().or(locked) };
        let origin = Origin::Registry(reference.clone());
        let configuration = Configuration::read()?;
        let keys = configuration.trusted_keys()?;
        // If the artifact itself does not carry the required signature, it may have been signed later.
        let wanting = |artifact: &Artifact| !suffices(artifact, &origin, &keys);
        let (digest, artifact) = if how.offline {
            let digest = pinned.ok_or_else(|| {
                Error::failed(format!("what `{reference}` stands for is not known without its registry"))
                    .hint("name the artifact by its digest, as in `oci://host/repository@sha256:…`")
            })?;
            let mut artifact = cached(&digest, &cache, &LIMITS).map_err(|error| not_fetched(&error))?;
            if wanting(&artifact) {
                artifact.signature = cache.attached(&digest, LIMITS.signature_bytes).or(artifact.signature);
            }
            (digest, artifact)
        } else {
            let route = route(reference, how.plain_http, &configuration)?;
            let exact = pinned.clone().map_or_else(|| reference.clone(), |digest| reference.at(digest));
            runtime::block_on(async {
                let open = |reference: &Reference| {
                    Registry::open(reference, route.clone(), Credentials::of_environment(), LIMITS)
                };
                if let (None, Some(pinned)) = (reference.digest(), &pinned) {
                    moved(reference, pinned, &open(reference)?.resolve().await?.digest);
                }
                let mut registry = open(&exact)?;
                let resolved = registry.resolve().await?;
                let mut artifact = registry.pull(&resolved, &cache).await?;
                if wanting(&artifact) {
                    artifact.signature = registry.attached(&resolved.digest, &cache).await?.or(artifact.signature);
                }
                Ok((resolved.digest, artifact))
            })?
            .map_err(|error| not_fetched(&error))?
        };
        bound(&cache, &digest);
        let source = Source::Registry { reference: reference.to_string(), resolved: digest };
        Self::verified(artifact, &origin, source, &keys)
    }

    fn verified(artifact: Artifact, origin: &Origin, source: Source, keys: &TrustedKeys) -> Result<Self> {
        let proof = Proof::of(&artifact);
        let checked = check(artifact, origin, keys).map_err(|error| not_signed(&error))?;
        if checked.trust == Trust::Unverified {
            output::progress("warning: it is signed, and no key is named to verify that with");
        }
        let candidate = Candidate::new(checked.component, checked.manifest, source)?;
        Ok(Self { candidate, trust: checked.trust, proof })
    }

    /// Keeps what its signature is verified with whenever it is used. Before it is added: a tool whose proof is missing
    /// is not used, and a proof whose tool is missing does nothing.
    pub(crate) fn keep_proof(&self, store: &Store, release: &Release) -> Result<()> {
        let Some(proof) = &self.proof else { return Ok(()) };
        Proofs::beside(store.directory())
            .keep(release, proof)
            .map_err(|error| Error::failed(format!("the signature cannot be kept: {error}")))
    }

    /// How far its origin is proved, for a person.
    pub(crate) fn said(&self) -> String {
        match &self.trust {
            Trust::Signed { key, source } => format!("signed by the key {key}, which you named for `{source}`"),
            Trust::Unverified => "signed, and not verified".into(),
            Trust::Unsigned => "not signed".into(),
        }
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> Value {
        match &self.trust {
            Trust::Signed { key, source } => json!({ "state": "signed", "key": key, "namedFor": source }),
            Trust::Unverified => json!({ "state": "unverified" }),
            Trust::Unsigned => json!({ "state": "unsigned" }),
        }
    }
}

/// What was loaded before, on this machine.
pub(crate) fn cache() -> Result<Cache> {
    Cache::open(&places::cache()?.join("oci")).map_err(|error| not_fetched(&error))
}

/// The way to a registry, with the authority that is named for it.
pub(crate) fn route(reference: &Reference, plain_http: bool, configuration: &Configuration) -> Result<Route> {
    let route = Route::from(if plain_http { PlainHttp::Allowed } else { PlainHttp::Loopback });
    let Some(file) = configuration.authority(reference) else { return Ok(route) };
    let shown = file.display();
    let pem = authority(file)
        .map_err(|error| Error::usage(format!("the certificates in `{shown}` cannot be read: {error}")))?;
    route.believing(&pem).map_err(|error| {
        Error::usage(format!("`{shown}`: {error}"))
            .hint(format!("it is named as `ca` of `registries.\"{}\"` in `bailiwick.toml`", reference.host()))
    })
}

/// Removes the least recently used entries. What cannot be examined is reported; an added tool does not depend on it.
fn bound(cache: &Cache, loaded: &Digest) {
    let pruned = locked_artifacts().and_then(|mut locked| {
        locked.push(loaded.clone());
        cache.prune(&locked, MOST_CACHED, &LIMITS).map_err(|error| not_fetched(&error))
    });
    if let Err(error) = pruned {
        output::progress(&format!("warning: the cache is not made smaller: {}", error.message));
    }
}

/// Removes from the cache what a removed tool had, and no other one has.
pub(crate) fn let_go(entry: &Entry) {
    let releases = [Some(&entry.current), entry.update.as_ref()];
    let artifacts: Vec<_> = releases.into_iter().flatten().filter_map(resolved).collect();
    if artifacts.is_empty() {
        return;
    }
    let gone = cache().and_then(|cache| {
        let locked = locked_artifacts()?;
        let forget = |artifact: &&Digest| cache.forget(artifact, &locked, &LIMITS).map(drop);
        artifacts.iter().try_for_each(forget).map_err(|error| not_fetched(&error))
    });
    if let Err(error) = gone {
        output::progress(&format!("warning: what it had in the cache is still there: {}", error.message));
    }
}

fn locked_artifacts() -> Result<Vec<Digest>> {
    let all = Lock::of(super::store()?.directory()).read().map_err(|error| not_fetched(&error))?;
    Ok(all.into_values().map(|locked| locked.manifest).collect())
}

/// Tells that a tag is not what it was.
fn moved(reference: &Reference, pinned: &Digest, now: &Digest) {
    if pinned != now {
        output::progress(&format!(
            "warning: `{reference}` now stands for {now}; this is {pinned}, as `tools.lock` says; `bailiwick tool update` \
             takes the other one"
        ));
    }
}

/// What a person names, where it is an artifact of a registry.
pub(crate) fn registry_reference(what: &Path) -> Result<Option<Reference>> {
    match what.to_str().filter(|text| text.starts_with(reference::SCHEME)) {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|error| {
            Error::usage(format!("`{text}` is not a reference: {error}"))
                .hint("write `oci://host/repository:tag` or `oci://host/repository@sha256:…`")
        }),
    }
}

/// Refuses a component of the store that no key vouches for, where keys are named for its source by now.
pub(crate) fn still_signed(release: &Release, component: &[u8]) -> Result<()> {
    let keys: TrustedKeys = Configuration::read()?.trusted_keys()?;
    Proofs::beside(super::store()?.directory()).verify(release, component, &keys).map_err(|error| not_signed(&error))
}

/// Writes down what the current release of a tool was resolved to, or that there is none any more.
pub(crate) fn settle(name: &str) -> Result<()> {
    let store = super::store()?;
    let all = store.list()?;
    let lock = Lock::of(store.directory());
    let locked = all.get(name).and_then(locked);
    match locked {
        Some(locked) => lock.set(name, locked),
        None => lock.forget(name),
    }
    .map_err(|error| not_fetched(&error))?;
    Proofs::beside(store.directory()).sweep(all.values());
    Ok(())
}

fn locked(entry: &Entry) -> Option<oci::lock::Locked> {
    let Source::Registry { reference, resolved } = &entry.current.source else { return None };
    let (reference, component) = (reference.parse().ok()?, entry.current.digest.clone());
    Some(oci::lock::Locked { reference, manifest: resolved.clone(), component })
}

/// The artifact that a tool of the store was, for a person who compares.
pub(crate) fn resolved(release: &Release) -> Option<&Digest> {
    match &release.source {
        Source::Registry { resolved, .. } => Some(resolved),
        Source::File(_) | Source::Unknown => None,
    }
}

/// An error of a registry for a person.
pub(crate) fn not_fetched(error: &OciError) -> Error {
    let said = error.to_string();
    match error {
        OciError::NotFound { .. } | OciError::NoTool(_) => Error::usage(said),
        OciError::Denied { with_credentials: false, .. } => Error::refused(said)
            .hint("`docker login HOST`, or another program that writes Docker's configuration, keeps credentials"),
        OciError::Denied { .. } => Error::refused(said).hint("log in again, or ask the operator of the registry"),
        OciError::Certificate { host, .. } => Error::refused(said).hint(format!(
            "where you know who issued it, name them in `bailiwick.toml`: `[registries.\"{host}\"]` and `ca = \"FILE.pem\"`"
        )),
        OciError::NoSignature(_) | OciError::WrongDigest { .. } | OciError::Length { .. } | OciError::TooLarge { .. } => Error::refused(said),
        OciError::Poisoned { .. } => {
            Error::refused(said).hint("without `--offline` it is loaded again; find out who changed it")
        }
        _ => Error::failed(said),
    }
}

/// A signature's fault for a person.
pub(crate) fn not_signed(error: &SignatureError) -> Error {
    let said = error.to_string();
    match error {
        SignatureError::Manifest(_) => {
            Error::usage(said).hint("`bailiwick tool schema` prints the JSON Schema of `tool.toml`")
        }
        SignatureError::Unsigned { .. } | SignatureError::OtherKey { .. } => {
            Error::refused(said).hint("the keys are those of `[sources]` in `bailiwick.toml`; nothing was compiled")
        }
        SignatureError::Legacy => Error::refused(said).hint("its author signs it again with minisign 0.10 or later"),
        SignatureError::OtherComponent { .. } => Error::refused(said)
            .hint("its author runs `bailiwick tool build`, which writes the digest of what it built"),
        _ => Error::refused(said),
    }
}
