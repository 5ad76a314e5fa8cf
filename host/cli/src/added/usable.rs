//! An added tool on its way to a call: approved, unchanged, with what was approved and no more.

use super::fetched::still_signed;
use super::{Behind, capabilities, descriptors, granted, load, store};
use crate::exit::{Error, Result};
use crate::runtime;
use bailiwick_mcp::component::Program;
use bailiwick_sandbox::{Grants, Limits, Sandbox};
use bailiwick_tools::{Entry, Manifest, Standing, approval};

/// A component that may be used.
pub(crate) struct Usable {
    name: String,
    entry: Entry,
    bytes: Vec<u8>,
    limits: Limits,
}

impl Usable {
    /// What was added as `name`.
    ///
    /// # Errors
    /// Nothing was, it is not what was added, or no person approved it as it is now.
    pub(crate) fn open(name: &str) -> Result<Self> {
        let (entry, bytes) = store()?.read(name)?;
        allowed(name, &entry)?;
        // Whose it is was verified when it was added; whose it may be is what a person says by now.
        still_signed(&entry.current, &bytes)?;
        let limits = match &entry.current.manifest {
            Some(manifest) => granted::limits(&manifest.limits, runtime::call_limits(), &runtime::most_limits())?,
            None => runtime::call_limits(),
        };
        Ok(Self { name: name.to_owned(), entry, bytes, limits })
    }

    /// Loads it with what was approved.
    ///
    /// # Errors
    /// It cannot be loaded, or says other things of itself than when it was approved.
    pub(crate) async fn load(&self, sandbox: &Sandbox) -> Result<Program> {
        let manifest = self.manifest();
        let program = load(sandbox, &self.bytes, &capabilities(manifest, Behind::Approved)?).await?;
        let description = manifest.map_or("", |manifest| &manifest.description);
        let words = approval::words(description, &descriptors(&program));
        match &self.entry.current.words {
            Some(known) if *known != words => Err(Error::refused(format!(
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
    pub(crate) fn grants(&self, given: &Grants) -> Result<Grants> {
        let Some(manifest) = self.manifest() else { return Ok(given.clone()) };
        let pins = self.entry.approval().map(|approval| approval.pins.clone()).unwrap_or_default();
        granted::directories(&self.name, manifest, given, &pins)
    }

    /// What one call may spend.
    pub(crate) fn limits(&self) -> &Limits {
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
        Standing::Unapproved => Err(Error::refused(format!("nobody has approved `{name}` yet")).hint(approve)),
        Standing::Revoked => Err(Error::refused(format!("the approval of `{name}` was revoked")).hint(approve)),
        Standing::Changed(what) => {
            let what = what.join(" and ");
            Err(Error::refused(format!("`{name}` is not what was approved: {what} changed")).hint(approve))
        }
    }
}
