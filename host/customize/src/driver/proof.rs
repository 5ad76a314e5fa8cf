//! The recorded proof of a success: a digest of everything that regeneration and build depended on and produced.
//!
//! "Already done" is believed only while it still holds; one changed byte, in the specification, in generated code,
//! in a customization or in a toolchain, and the package is regenerated and built before anything is said. Where it holds, the
//! package is built all the same, because a build reads more than the record names; the regeneration is spared.
//!
//! What it speaks of is what the last generation and the last build began with. Where something else stands there at the
//! end, because a person edited beside the run, nothing is recorded.

use std::path::Path;

use bailiwick_runs::{Digest, tree_digest};
use bailiwick_sdk::tasks::Language;
use serde_json::{Value, json};

use crate::machine::{Checked, Event, Proof, State};
use crate::scripts::Purpose;
use crate::typespec::{Except, SpecProject};

use super::CustomizeError;
use super::session::Session;

/// Directories that are not inputs: version control, and the output of package managers and compilers.
const SKIPPED: [&str; 5] = [".git", "node_modules", "tsp-output", "__pycache__", "TempTypeSpecFiles"];

/// What the last generation and the last build of a run began with.
#[derive(Debug, Default)]
pub(super) struct Witness {
    specification: Option<String>,
    package: Option<String>,
}

/// What stands in both repositories when a run ends in success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// What was generated and built.
    AsBuilt,
    /// Something that came later.
    Changed,
}

impl Session<'_> {
    /// Remembers from what is about to be generated.
    pub(super) fn witness_specification(&mut self) -> Result<(), CustomizeError> {
        self.witness.specification = Some(specification(&self.project.specification())?);
        Ok(())
    }

    /// Remembers what is about to be built.
    pub(super) fn witness_package(&mut self) -> Result<(), CustomizeError> {
        self.witness.package = Some(tree(&self.project.package)?);
        Ok(())
    }

    /// Whether the record holds, and the package builds with everything around it as that is now: a build reads more than
    /// a record can name (what the repository configures for all its packages, modules beside the package, what is
    /// installed for it). Where the build does not pass as it is, the run takes its ordinary way.
    pub(super) async fn check_proof(&mut self, state: &State) -> Result<Event, CustomizeError> {
        let kept = self.customizer.store.proof(&self.proof_key());
        let holds = kept.is_some_and(|kept| self.present_proof().is_ok_and(|present| kept == present));
        let proof = if holds && self.builds_now(state).await? { Proof::Valid } else { Proof::Missing };
        Ok(Event::ProofChecked { proof })
    }

    async fn builds_now(&mut self, state: &State) -> Result<bool, CustomizeError> {
        let built = self.build(Some(state)).await?;
        Ok(matches!(built, Event::Built { build: Checked::Passed { .. }, before } if before.known.is_empty()))
    }

    /// Whether what was generated and built is what stands there now.
    pub(super) fn standing(&self) -> Result<Standing, CustomizeError> {
        let Witness { specification: generated, package: built } = &self.witness;
        let same = |seen: &Option<String>, now: &dyn Fn() -> Result<String, CustomizeError>| {
            seen.as_ref().map_or(Ok(true), |seen| Ok::<_, CustomizeError>(now()? == *seen))
        };
        let stands = same(generated, &|| specification(&self.project.specification()))?
            && same(built, &|| tree(&self.project.package))?;
        Ok(if stands { Standing::AsBuilt } else { Standing::Changed })
    }

    /// Records that the package as it stands is regenerated and built, where this run did both and nothing came later.
    pub(super) fn keep_proof(&self) -> Result<(), CustomizeError> {
        let Witness { specification: Some(generated), package: Some(built) } = &self.witness else { return Ok(()) };
        let present = self.present_proof()?;
        if present["specification"] == **generated && present["package"] == **built {
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
            "package": tree(&self.project.package)?,
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

fn specification(project: &SpecProject) -> Result<String, CustomizeError> {
    let mut parts = vec![project.digest(Except::Nothing)?];
    for (_, directory) in project.directories() {
        parts.push(tree(directory)?);
    }
    Ok(parts.join("+"))
}

fn tree(directory: &Path) -> Result<String, CustomizeError> {
    let skip: Vec<String> = SKIPPED.iter().map(|name| (*name).to_owned()).collect();
    Ok(tree_digest(directory, &skip)?.to_string())
}
