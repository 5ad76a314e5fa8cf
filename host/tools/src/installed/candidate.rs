//! A component on its way in: read, held against its manifest, and looked at with nothing behind its imports.

use std::path::Path;

use bailiwick_sandbox::{Program, Sandbox};

use super::{Behind, Host, Problem, Result, capabilities, limits, load};
use crate::manifest::FILE;
use crate::oci::Artifact;
use crate::signature::{self, SUFFIX};
use crate::store::{component_file, manifest_file};
use crate::{Digest, Manifest, Release, Source, approval};

/// A component with the manifest it came with.
pub struct Candidate {
    /// The component.
    pub bytes: Vec<u8>,
    /// Its `tool.toml`.
    pub manifest: Option<Manifest>,
    /// Where it came from.
    pub source: Source,
}

impl Candidate {
    /// A release of the store, signed by a key that counts for its source by now.
    ///
    /// # Errors
    /// It is not what was added, or not signed where it has to be.
    pub fn kept(host: &dyn Host, name: &str, release: &Release) -> Result<Self> {
        let bytes = host.store()?.component(name, &release.digest)?;
        super::fetch::still_signed(host, release, &bytes)?;
        Self::new(host, bytes, release.manifest.clone(), release.source.clone())
    }

    /// From bytes that came from elsewhere.
    ///
    /// # Errors
    /// The component is not the one that its manifest names.
    pub fn new(host: &dyn Host, bytes: Vec<u8>, manifest: Option<Manifest>, source: Source) -> Result<Self> {
        if let Some(manifest) = &manifest {
            let found = Digest::of(&bytes);
            if let Some(named) = manifest.digest.as_ref().filter(|named| **named != found) {
                return Err(Problem::refused(format!(
                    "the component is not the one of the manifest: its SHA-256 is {} and not {}",
                    found.hex(),
                    named.hex()
                ))
                .hint("its author runs `bailiwick tool build`, which writes the digest of what it built"));
            }
            limits(host, &manifest.limits)?;
        }
        Ok(Self { bytes, manifest, source })
    }

    /// Loads it with nothing behind its imports, which must not exceed the requests of its manifest.
    ///
    /// # Errors
    /// It imports more, or is not a component with tools.
    pub async fn look(&self, host: &dyn Host, sandbox: &Sandbox) -> Result<Program> {
        let capabilities = capabilities(host, self.manifest.as_ref(), Behind::Nothing)?;
        load(host, sandbox, &self.bytes.clone().into(), &capabilities).await
    }

    /// As it is kept.
    #[must_use]
    pub fn release(&self, program: &Program) -> Release {
        let description = self.manifest.as_ref().map_or("", |manifest| &manifest.description);
        Release {
            digest: Digest::of(&self.bytes),
            tools: program.names(),
            manifest: self.manifest.clone(),
            words: Some(approval::words(description, &program.descriptors())),
            source: self.source.clone(),
        }
    }
}

/// A manifest's text.
pub(super) fn parsed(text: &str) -> Result<Manifest> {
    Manifest::parse(text).map_err(|error| {
        Problem::usage(error.to_string()).hint("`bailiwick tool schema` prints the JSON Schema of `tool.toml`")
    })
}

/// A component file, a `tool.toml`, or a directory with one, with the signature beside it. A component file alone has no
/// manifest, also where one lies beside it: the person names what is meant.
///
/// # Errors
/// It cannot be read.
pub fn artifact(path: &Path) -> Result<(Artifact, Source)> {
    let source = Source::File(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string());
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    let signature = signature(&file)?;
    if file.extension().is_none_or(|extension| extension != "toml") {
        return Ok((Artifact { component: component(&file)?, manifest: None, signature }, source));
    }
    let text = manifest_file(&file)
        .map_err(|error| Problem::usage(format!("cannot read the manifest `{}`: {error}", file.display())))?;
    let component = component(&file.with_file_name(&parsed(&text)?.component))?;
    Ok((Artifact { component, manifest: Some(text.into_bytes()), signature }, source))
}

/// The signature beside a file; `None` where there is none.
fn signature(file: &Path) -> Result<Option<Vec<u8>>> {
    let mut name = file.as_os_str().to_owned();
    name.push(SUFFIX);
    let path = Path::new(&name);
    match signature::file(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::usage(format!("cannot read the signature `{}`: {error}", path.display()))),
    }
}

fn component(path: &Path) -> Result<Vec<u8>> {
    component_file(path)
        .map_err(|error| Problem::usage(format!("cannot read the component `{}`: {error}", path.display())))
}
