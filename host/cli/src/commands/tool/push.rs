//! `tool push`: an author's act. What could not be added from there is not put there.

use crate::added::fetched::{LIMITS, not_fetched, not_signed, registry_reference};
use crate::added::{Candidate, candidate};
use crate::arguments::PushTool;
use crate::configuration::Configuration;
use crate::exit::{Code, Error, Result};
use crate::{output, runtime};
use bailiwick_tools::oci::{Credentials, PlainHttp, Registry};
use bailiwick_tools::signature::{Origin, Trust, check};
use bailiwick_tools::{Digest, manifest};
use serde_json::json;
use std::path::Path;

pub(super) fn execute(push: &PushTool, as_json: bool) -> Result<Code> {
    let reference = registry_reference(Path::new(&push.reference))?.ok_or_else(|| {
        Error::usage(format!("`{}` is no reference", push.reference)).hint("write `oci://host/repository:tag`")
    })?;
    if reference.digest().is_some() {
        return Err(Error::usage("a tool is pushed to a tag, and its digest comes of what it is")
            .hint("leave out what begins with `@`"));
    }
    let (artifact, source) = candidate::artifact(&push.tool)?;
    let keys = Configuration::read()?.trusted_keys()?;
    let checked =
        check(artifact.clone(), &Origin::Registry(reference.clone()), &keys).map_err(|error| not_signed(&error))?;
    if checked.manifest.as_ref().is_some_and(|manifest| manifest.digest.is_none()) {
        return Err(Error::usage(format!("`{}` has no `digest`, so it says nothing of the component", manifest::FILE))
            .hint("`bailiwick tool build` writes it"));
    }
    let trust = checked.trust;
    let candidate = Candidate::new(checked.component, checked.manifest, source)?;
    let component = Digest::of(&candidate.bytes);
    let plain = if push.plain_http { PlainHttp::Allowed } else { PlainHttp::Loopback };
    let digest = runtime::block_on(async {
        Registry::open(&reference, plain, Credentials::of_environment(), LIMITS)?.push(&artifact).await
    })?
    .map_err(|error| not_fetched(&error))?;
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
