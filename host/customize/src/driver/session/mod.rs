//! One run at work on a package and its specification: what it holds. How it begins, what it performs and what it knows of
//! the specification stand in files of their own.

mod begin;
mod goal;
mod perform;
mod tools;
mod view;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_agent::{Backend, Transcript};
use bailiwick_base::files::Waits;
use bailiwick_base::timeline::{By, Open};
use bailiwick_runs::Run;
use bailiwick_sandbox::Grant;
use bailiwick_sdk::tasks::{Classification, Language, Rename, SpecIndex};
use bailiwick_toolchains::{Children, Tools};
use serde::Serialize;

use crate::baseline::Baseline;
use crate::knowledge::Reference;
use crate::language::{CarriedFile, Checks, LanguageService, Requirements};
use crate::scripts::SdkConfiguration;
use crate::stage::{Stage, StageLimits};
use crate::timings;
use crate::typespec::Project;

use super::building::keep_log;
use super::proof::Witness;
use super::reference::read_reference;
use super::roots::{SDK, SPEC, plain_content};
use super::staged::staged;
use super::{CustomizeError, Customizer};

pub(super) use goal::{Builders, Coverages, Goal};
use view::Indexed;

/// A run at work.
pub(super) struct Session<'a> {
    pub(super) customizer: &'a Customizer,
    pub(super) project: Project,
    pub(super) language: Box<dyn LanguageService>,
    /// What the recorded commit says about the checks of the package.
    pub(super) checks: Checks,
    pub(super) configuration: SdkConfiguration,
    pub(super) tools: Tools,
    /// What the package asks for, while the tools that build it are not there yet.
    unbuilt: Option<Requirements>,
    pub(super) children: Children,
    pub(super) run: Run,
    /// For copies, scratch and stages; inside the run's directory.
    pub(super) work: PathBuf,
    pub(super) transcript: Transcript,
    /// What its agents read about client customizations.
    pub(super) reference: Reference,
    /// The compiler's view when the run began.
    pub(super) index_before: SpecIndex,
    /// The compiler's view now.
    pub(super) index: SpecIndex,
    /// What the compiler read for `index`, where this run asked for it.
    indexed: Option<Indexed>,
    /// What the last generation and the last build began with.
    pub(super) witness: Witness,
    pub(super) stages: u32,
    /// The attempt that edited last: `phase A, attempt 1`.
    pub(super) attempt: Option<String>,
    /// The first classification of the run.
    pub(super) first: Option<Classification>,
    /// What the directives of the request come to, in place of a classifier's first answer.
    pub(super) directed: Option<Classification>,
    /// The languages beside the package's that may change.
    pub(super) languages: Vec<Language>,
    /// Whether the plan of the run was passed on.
    plan_shown: bool,
    /// Hand-written files of the package as they were when the run began, with what generation carried over to them since:
    /// an agent's edits are counted from there.
    pub(super) carried: BTreeMap<String, Option<Vec<u8>>>,
    /// The texts of customizations with which the package may have been generated.
    pub(super) generated_with: Vec<String>,
    /// Renames of the specification that the generated code showed before the run.
    pub(super) earlier_renames: Vec<Rename>,
    /// Renames that the generated code shows since the run began.
    pub(super) shown_renames: Vec<Rename>,
    /// What the package was like before the run, where a build asked for it.
    pub(super) baseline: Option<Baseline>,
    /// Whether errors from before the run are what it is to mend, so that each counts.
    pub(super) old_errors_count: bool,
    /// How the host waited for the disk when the run began.
    waits: Waits,
}

impl Session<'_> {
    /// A step of the run in its timings, until what is returned is dropped.
    pub(super) fn step_called(&self, name: &'static str) -> Open {
        self.children.timeline().span(name, By::Host)
    }

    /// Does the last of the run, and keeps where its time went.
    pub(super) fn last<T>(self, end: impl FnOnce(Self) -> Result<T, CustomizeError>) -> Result<T, CustomizeError> {
        let (timeline, waits) = (self.children.timeline().clone(), self.waits);
        let directory = self.run.directory().to_owned();
        timings::ending(&timeline, waits, &directory, || end(self))
    }

    /// Takes the repository's own page about client customizations where there is one, and says so.
    pub(super) fn read_reference(&mut self) {
        self.reference = read_reference(&self.project.specification(), &self.customizer.progress);
    }

    /// Hand-written files with what generation carried over to them since the run began.
    pub(super) fn carried(&self) -> &BTreeMap<String, Option<Vec<u8>>> {
        &self.carried
    }

    /// A file of the package before any agent edited it.
    pub(super) fn original(&self, path: &str) -> Result<Option<Vec<u8>>, CustomizeError> {
        match self.carried.get(path) {
            Some(original) => Ok(original.clone()),
            None => Ok(self.run.before(SDK, path)?),
        }
    }

    /// The content of a regular file of a root as it is now; `None` if there is no such file. Links are not followed.
    pub(super) fn content(&self, root: &str, path: &str) -> Result<Option<Vec<u8>>, CustomizeError> {
        let directory = if root == SPEC { &self.project.directory } else { &self.project.package };
        plain_content(directory, path)
    }

    /// Remembers what a generation did to hand-written files.
    pub(super) fn carried_over(&mut self, files: &[CarriedFile]) -> Result<(), CustomizeError> {
        for file in files {
            let original = file.carried_into(self.original(&file.path)?);
            self.carried.insert(file.path.clone(), original);
        }
        Ok(())
    }

    /// Whether nothing was edited yet because what builds the package is not there.
    pub(super) fn is_unequipped(&self) -> bool {
        self.unbuilt.is_some()
    }

    /// A fresh stage that holds these files of a root, and the grant that shows it over the root.
    pub(super) fn stage(
        &mut self,
        root: &str,
        editable: &[String],
        limits: StageLimits,
    ) -> Result<(Stage, Grant), CustomizeError> {
        let lower = if root == SPEC { &self.project.directory } else { &self.project.package };
        self.stages += 1;
        let path = self.work.join(format!("stage-{}", self.stages));
        staged(self.customizer, (root, lower), &path, editable, limits)
    }

    /// Who classifies and edits the specification: where directives say what to do, no model is asked.
    pub(super) fn specification_backend(&self) -> Arc<dyn Backend> {
        let customizer = self.customizer;
        if self.directed.is_some() { customizer.editor.backend.clone() } else { customizer.backend.clone() }
    }

    /// Says that an agent edits, and remembers which attempt it is.
    pub(super) fn attempts(&mut self, what: &str, attempt: String) {
        self.customizer.progress.say(&format!("{what} ({attempt})"));
        self.attempt = Some(attempt);
    }

    /// Appends to the run's events.
    pub(super) fn record(&mut self, kind: &str, data: &impl Serialize) -> Result<(), CustomizeError> {
        Ok(self.run.event(kind, &serde_json::to_value(data)?)?)
    }

    /// Keeps a log in the run.
    pub(super) fn keep_log(&self, name: &str, text: &str) -> Result<(), CustomizeError> {
        keep_log(self.run.directory(), name, text)
    }
}
