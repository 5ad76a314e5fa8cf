//! A tool on its way to a call: approved, unchanged, with what was approved and no more; or its author's, with nothing.

use std::path::Path;
use std::sync::Arc;

use bailiwick_sandbox::{Code, Grants, Limits, Program, Sandbox};

use super::candidate::{artifact, parsed};
use super::capabilities::directories;
use super::fetch::still_signed;
use super::{Behind, Candidate, Host, Problem, Result, capabilities, limits, load};
use crate::manifest::FILE;
use crate::store::Consent;
use crate::{Digest, Entry, Manifest, Release, Standing, approval};

/// A component that may be used. It is read when it is needed: many tools are offered and never called.
pub struct Usable {
    host: Arc<dyn Host>,
    name: String,
    entry: Entry,
    code: Code,
    limits: Limits,
    behind: Behind,
}

impl Usable {
    /// What was added as `name`.
    ///
    /// # Errors
    /// Nothing was, it is not what was added, or no person approved it as it is now.
    pub fn open(host: Arc<dyn Host>, name: &str) -> Result<Self> {
        let store = host.store()?;
        let (entry, bytes) = store.read(name)?;
        allowed(name, &entry)?;
        // Whose it is was verified when it was added; whose it may be is what a person says by now.
        still_signed(&*host, &entry.current, &bytes)?;
        let limits = match &entry.current.manifest {
            Some(manifest) => limits(&*host, &manifest.limits)?,
            None => host.usual_limits(),
        };
        let (named, digest) = (name.to_owned(), entry.current.digest.clone());
        let code = Code::kept(entry.current.digest.hex(), move || {
            store.component(&named, &digest).map_err(|error| error.to_string())
        });
        Ok(Self { host, name: name.to_owned(), entry, code, limits, behind: Behind::Approved })
    }

    /// What lies in the directory of its author, as it is now. It is not approved, so it has nothing but the directories
    /// that a person names for it.
    ///
    /// # Errors
    /// There is no `tool.toml`, or the component is not the one that it names.
    pub fn in_development(host: Arc<dyn Host>, directory: &Path) -> Result<Self> {
        let (artifact, source) = artifact(&directory.join(FILE))?;
        let text = artifact.manifest.unwrap_or_default();
        let manifest = parsed(&String::from_utf8_lossy(&text))?;
        let Candidate { bytes, source, .. } =
            Candidate::new(&*host, artifact.component, Some(manifest.clone()), source)?;
        let limits = limits(&*host, &manifest.limits)?;
        let (name, digest) = (manifest.name.clone(), Digest::of(&bytes));
        let current = Release { digest, tools: Vec::new(), manifest: Some(manifest), words: None, source };
        let entry = Entry { current, consent: Consent::Waiting, update: None, previous: Vec::new() };
        // The next build may have put another one in its place, so this one is held.
        Ok(Self { host, name, entry, code: bytes.into(), limits, behind: Behind::Nothing })
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Loads it with what was approved.
    ///
    /// # Errors
    /// It cannot be loaded, or says other things of itself than when it was approved.
    pub async fn load(&self, sandbox: &Sandbox) -> Result<Program> {
        let (host, asked, behind) = (self.host.clone(), self.manifest().cloned(), self.behind);
        // A secret may have to be waited for while a person answers a keyring, and a server has other calls meanwhile.
        let given = tokio::task::spawn_blocking(move || capabilities(&*host, asked.as_ref(), behind)).await;
        let given = given.map_err(|error| Problem::failed(format!("what it was granted cannot be had: {error}")))??;
        let manifest = self.manifest();
        let program = load(&*self.host, sandbox, &self.code, &given).await?;
        let description = manifest.map_or("", |manifest| &manifest.description);
        let words = approval::words(description, &program.descriptors());
        match &self.entry.current.words {
            Some(known) if *known != words => Err(Problem::refused(format!(
                "the tools of `{}` describe themselves in other words than when it was added",
                self.name
            ))
            .hint(format!(
                "`bailiwick tool inspect {0}` shows them; `bailiwick tool remove {0}` takes it away",
                self.name
            ))),
            _ => Ok(program),
        }
    }

    /// The directories of a call, given those that a person named for it.
    ///
    /// # Errors
    /// One is missing, or one is more than was approved.
    pub fn grants(&self, given: &Grants) -> Result<Grants> {
        let Some(manifest) = self.manifest() else { return Ok(given.clone()) };
        let pins = self.entry.approval().map(|approval| approval.pins.clone()).unwrap_or_default();
        directories(&*self.host, &self.name, manifest, given, &pins)
    }

    /// What one call may spend.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn manifest(&self) -> Option<&Manifest> {
        self.entry.current.manifest.as_ref()
    }
}

/// Refuses what no person approved as it is now.
fn allowed(name: &str, entry: &Entry) -> Result<()> {
    let approve = format!("`bailiwick tool approve {name}` shows what it asks for, and asks you");
    match entry.standing() {
        Standing::Unasking | Standing::Approved => Ok(()),
        Standing::Unapproved => Err(Problem::refused(format!("`{name}` is not approved yet")).hint(approve)),
        Standing::Revoked => Err(Problem::refused(format!("the approval of `{name}` was revoked")).hint(approve)),
        Standing::Changed(what) => {
            let what = what.join(" and ");
            Err(Problem::refused(format!("`{name}` is not what was approved: {what} changed")).hint(approve))
        }
    }
}
