//! `tool push`: an author's act. What could not be added from there is not put there.

use crate::exit::{Code, Error, Result};
use crate::installed::ThisProgram;
use crate::{output, runtime};
use bailiwick_tools::installed::fetch::{LIMITS, registry_reference, route};
use bailiwick_tools::installed::{Candidate, Host as _, candidate};
use bailiwick_tools::oci::{Artifact, Credentials, OciError, Reference, Registry};
use bailiwick_tools::signature::{self, Origin, SUFFIX, Trust, check, said_key};
use bailiwick_tools::store::component_file;
use bailiwick_tools::{Digest, manifest};
use clap::Args;
use serde_json::json;
use std::path::Path;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PushTool {
    /// The component, its `tool.toml`, or the directory of one; with `--signature` the signature.
    #[arg(value_name = "FILE")]
    pub(crate) tool: PathBuf,
    /// Where to: a tag of a repository.
    #[arg(value_name = "oci://…")]
    pub(crate) reference: String,
    /// Push nothing but FILE, a signature of minisign's that was made later, for the artifact that is there.
    #[arg(long)]
    pub(crate) signature: bool,
    /// Speak to the registry without encryption, also where it is not on this machine.
    #[arg(long)]
    pub(crate) plain_http: bool,
}

pub(super) fn execute(push: &PushTool, as_json: bool) -> Result<Code> {
    let reference = registry_reference(Path::new(&push.reference))?.ok_or_else(|| {
        Error::usage(format!("`{}` is not a reference", push.reference)).hint("write `oci://host/repository:tag`")
    })?;
    if push.signature {
        return signature(&push.tool, &reference, push.plain_http, as_json);
    }
    if push.tool.as_os_str().as_encoded_bytes().ends_with(SUFFIX.as_bytes()) {
        return Err(Error::usage(format!("`{}` is a signature and not a tool", push.tool.display()))
            .hint("`--signature` pushes it for the artifact that is there"));
    }
    if reference.digest().is_some() {
        return Err(Error::usage("a tool is pushed to a tag, and its digest comes of what it is")
            .hint("leave out what begins with `@`"));
    }
    let (artifact, source) = candidate::artifact(&push.tool)?;
    let keys = ThisProgram.trusted_keys()?;
    let checked =
        check(artifact.clone(), &Origin::Registry(reference.clone()), &keys).map_err(|error| Error::from(&error))?;
    if checked.manifest.as_ref().is_some_and(|manifest| manifest.digest.is_none()) {
        return Err(Error::usage(format!("`{}` has no `digest`, so it says nothing of the component", manifest::FILE))
            .hint("`bailiwick tool build` writes it"));
    }
    let trust = checked.trust;
    let candidate = Candidate::new(&ThisProgram, checked.component, checked.manifest, source)?;
    let component = Digest::of(&candidate.bytes);
    let route = route(&ThisProgram, &reference, push.plain_http)?;
    let digest = runtime::block_on(async {
        Registry::open(&reference, route, Credentials::of_environment(), LIMITS)?.push(&artifact).await
    })?
    .map_err(|error| Error::from(&error))?;
    if as_json {
        let signed = !matches!(trust, Trust::Unsigned);
        output::json(&json!({
            "pushed": reference.to_string(),
            "artifact": digest.to_string(),
            "digest": component.hex(),
            "signed": signed,
        }));
        return Ok(Code::Done);
    }
    output::line(&format!("pushed {reference}, {digest}"));
    if trust == Trust::Unsigned {
        output::progress(
            "hint: it is not signed; `minisign -S -m tool.toml` writes `tool.toml.minisig`, which is pushed with it",
        );
    }
    Ok(Code::Done)
}

/// Pushes a signature alone. It is held against the artifact that it is for: with the keys that are named for the place
/// where there are some, and with the signed file where that lies beside it.
fn signature(file: &Path, reference: &Reference, plain_http: bool, as_json: bool) -> Result<Code> {
    let shown = file.display();
    let bytes =
        signature::file(file).map_err(|error| Error::usage(format!("cannot read the signature `{shown}`: {error}")))?;
    let key = said_key(&bytes).map_err(|_| {
        Error::usage(format!("`{shown}` is not a minisign signature"))
            .hint("`minisign -S -m tool.toml` writes `tool.toml.minisig`")
    })?;
    let keys = ThisProgram.trusted_keys()?;
    let route = route(&ThisProgram, reference, plain_http)?;
    let cache = ThisProgram.artifacts()?;
    let open = || Registry::open(reference, route.clone(), Credentials::of_environment(), LIMITS);
    let found = runtime::block_on(async {
        let mut registry = open()?;
        let resolved = registry.resolve().await?;
        let artifact = registry.pull(&resolved, &cache).await?;
        Ok((resolved, artifact))
    })?;
    let (resolved, artifact) = found.map_err(|error: OciError| Error::from(&error))?;
    let signed = artifact.manifest.as_ref().unwrap_or(&artifact.component);
    let beside = file.with_extension("");
    if beside.is_file() && !component_file(&beside).is_ok_and(|own| own == *signed) {
        return Err(Error::refused(format!("`{}` is not what `{reference}` has", beside.display()))
            .hint("name the artifact that was signed by its digest, or push what was signed"));
    }
    let origin = Origin::Registry(reference.clone());
    let trust = check(Artifact { signature: Some(bytes.clone()), ..artifact }, &origin, &keys)
        .map_err(|error| Error::from(&error))?
        .trust;
    runtime::block_on(async { open()?.attach(&resolved, &bytes).await })?.map_err(|error| Error::from(&error))?;
    let artifact = resolved.digest;
    if as_json {
        let verified = matches!(trust, Trust::Signed { .. });
        output::json(&json!({
            "signed": reference.to_string(),
            "artifact": artifact.to_string(),
            "key": key,
            "verified": verified,
        }));
    } else {
        output::line(&format!("signed {reference}, {artifact}, by the key {key}"));
    }
    Ok(Code::Done)
}
