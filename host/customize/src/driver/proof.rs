//! The recorded proof of a success: a digest of everything that regeneration and build depended on and produced.
//!
//! "Already done" is believed only while it still holds; one changed byte, in the specification, in generated code,
//! in a customization or in a toolchain, and the package is regenerated and built before anything is said. Where it holds, the
//! package is built all the same, because a build reads more than the record names; the regeneration is spared.
//!
//! What it speaks of is what the last generation and the last build began with. Where something else stands there at the
//! end, because a person edited beside the run, nothing is recorded.

use bailiwick_runs::Digest;
use bailiwick_sdk::tasks::Language;
use serde_json::{Value, json};

use crate::machine::{Checked, Event, Proof, State};
use crate::scripts::Purpose;
use crate::typespec::{Except, SpecProject};

use super::CustomizeError;
use super::session::Session;
use super::stamps::{self, Seen};

/// What the last generation of a run began with, and what it left: that is what is built.
#[derive(Debug, Default)]
pub(super) struct Witness {
    pub(super) specification: Option<String>,
    pub(super) package: Option<Seen>,
}

impl Session<'_> {
    /// Remembers from what is about to be generated.
    pub(super) fn witness_specification(&mut self) -> Result<(), CustomizeError> {
        self.witness.specification = Some(specification(&self.project.specification())?);
        Ok(())
    }

    /// Whether the record holds, and the package builds with everything around it as that is now: a build reads more than
    /// a record can name (what the repository configures for all its packages, modules beside the package, what is
    /// installed for it). Where the build does not pass as it is, the run takes its ordinary way.
    pub(super) async fn check_proof(&mut self, state: &State) -> Result<Event, CustomizeError> {
        let kept = self.customizer.store.proof(&self.proof_key());
        let holds = kept.as_ref().is_some_and(|kept| self.present_proof().is_ok_and(|present| *kept == present));
        let builds = holds && self.builds_now(state).await?;
        let same = |kept: Value| self.witness.package.as_ref().is_some_and(|built| kept["package"] == *built.digest);
        let proof = if builds && kept.is_some_and(same) { Proof::Valid } else { Proof::Missing };
        Ok(Event::ProofChecked { proof })
    }

    async fn builds_now(&mut self, state: &State) -> Result<bool, CustomizeError> {
        let built = self.build(Some(state)).await?;
        Ok(matches!(built, Event::Built { build: Checked::Passed { .. }, before } if before.known.is_empty()))
    }

    /// What changed since the package was generated and built, as one sentence.
    pub(super) fn changed_since(&self) -> Result<Option<String>, CustomizeError> {
        let Witness { specification: generated, package: built } = &self.witness;
        if let Some(built) = built {
            let now = built.again(&self.project.package)?;
            if now.digest != built.digest {
                let moved = built.stamps.moved(&now.stamps);
                return Ok(Some(stamps::sentence("files of the package changed after it was built", &moved)));
            }
        }
        let changed = match generated {
            Some(generated) => specification(&self.project.specification())? != *generated,
            None => false,
        };
        Ok(changed.then(|| "files of the specification changed after the package was generated from them".to_owned()))
    }

    /// Records that the package as it stands is regenerated and built, where this run did both and nothing came later.
    pub(super) fn keep_proof(&self) -> Result<(), CustomizeError> {
        let Witness { specification: Some(generated), package: Some(built) } = &self.witness else { return Ok(()) };
        let present = self.present_proof()?;
        if present["specification"] == **generated && present["package"] == *built.digest {
            self.customizer.store.keep_proof(&self.proof_key(), &present)?;
        }
        Ok(())
    }

    fn proof_key(&self) -> String {
        let pair = format!("{}\0{}", self.project.package.display(), self.project.directory.display());
        Digest::of(pair.as_bytes()).to_string()
    }

    fn present_proof(&self) -> Result<Value, CustomizeError> {
        Ok(json!({
            "specification": specification(&self.project.specification())?,
            "package": stamps::digest(&self.project.package)?,
            "tools": self.tools.digest(),
            "buildScript": self.configuration.script(Purpose::Build)?.map(|script| script.shown()),
            "language": self.language.language(),
        }))
    }
}

/// Names the compiler's view of a project by everything it follows from. Files that only generate and build are not part of it.
pub(super) fn index_key(
    project: &SpecProject,
    emitter: &str,
    made_with: &str,
    language: Language,
) -> Result<String, CustomizeError> {
    let parts = [
        specification(project)?,
        emitter.to_owned(),
        made_with.to_owned(),
        language.scope_token().to_owned(),
        project.entry.clone(),
        crate::typespec::PROBE.map(|(_, text)| text).join("\0"),
    ];
    Ok(Digest::of(parts.join("\0").as_bytes()).to_string())
}

pub(super) fn specification(project: &SpecProject) -> Result<String, CustomizeError> {
    let mut parts = vec![project.digest(Except::Nothing)?];
    for (_, directory) in project.directories() {
        parts.push(stamps::digest(directory)?);
    }
    Ok(parts.join("+"))
}
