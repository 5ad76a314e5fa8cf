//! The recorded proof of a success: a digest of everything that regeneration and build depended on and produced.
//!
//! "Already done" is believed only while it still holds; one changed byte, in the specification, in generated code,
//! in a customization or in a toolchain, and the package is regenerated and built before anything is said.

use std::path::Path;

use bailiwick_runs::{Digest, tree_digest};
use bailiwick_sdk::tasks::Language;
use serde_json::{Value, json};

use crate::machine::{Event, Proof};
use crate::scripts::Purpose;
use crate::typespec::SpecProject;

use super::CustomizeError;
use super::session::Session;

/// Directories that are not inputs: version control, and the output of package managers and compilers.
const SKIPPED: [&str; 5] = [".git", "node_modules", "tsp-output", "__pycache__", "TempTypeSpecFiles"];

impl Session<'_> {
    pub(super) fn check_proof(&self) -> Result<Event, CustomizeError> {
        let kept = self.customizer.store.proof(&self.proof_key());
        let proof = if kept.is_some_and(|kept| self.present_proof().is_ok_and(|present| kept == present)) {
            Proof::Valid
        } else {
            Proof::Missing
        };
        Ok(Event::ProofChecked { proof })
    }

    /// Records that the package as it stands is regenerated and built.
    pub(super) fn keep_proof(&self) -> Result<(), CustomizeError> {
        Ok(self.customizer.store.keep_proof(&self.proof_key(), &self.present_proof()?)?)
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
    let mut parts = vec![tree(&project.directory)?];
    for (_, additional) in &project.additional {
        parts.push(tree(additional)?);
    }
    Ok(parts.join("+"))
}

fn tree(directory: &Path) -> Result<String, CustomizeError> {
    let skip: Vec<String> = SKIPPED.iter().map(|name| (*name).to_owned()).collect();
    Ok(tree_digest(directory, &skip)?.to_string())
}
