//! A run over a specification alone: its project is the one root, of which `client.tsp` is kept.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bailiwick_agent::templates::RenderError;
use bailiwick_agent::{Spent, Transcript};
use bailiwick_base::files::{Waits, waits_of};
use bailiwick_base::timeline::{By, Open, Timeline};
use bailiwick_runs::{BeginRun, Coverage, RootSpec, Run, Status, tree_digest};
use bailiwick_sandbox::{Access, Grant};
use bailiwick_sdk::tasks::{ManualGuidance, TypeSpecChange};
use bailiwick_toolchains::{Children, Emitter, EmitterPackage, Node};
use serde::Serialize;
use serde_json::json;

use super::super::steps::put_back;
use super::Subject;
use crate::driver::roots::{CLIENT_FILE, SPEC, path_of_client, plain_content};
use crate::driver::run_kind::RunKind;
use crate::driver::work::{fresh_work, transcript};
use crate::driver::{CustomizeError, Customizer};
use crate::response::{
    ChangedFile, NotBuilt, Origin, SpecificationOutcome, SpecificationResponse, next_steps_of_specification, unified,
};
use crate::surface::LanguageEffect;
use crate::timings;
use crate::typespec::{Except, SpecProject};

/// What is no part of a specification, and the one file that the run may change.
const NOT_LOOKED_AT: [&str; 4] = [".git", "node_modules", "tsp-output", CLIENT_FILE];

pub(super) struct SpecificationRun<'a> {
    pub(super) customizer: &'a Customizer,
    pub(super) project: SpecProject,
    pub(super) compiler: (Node, Emitter),
    pub(super) children: Children,
    pub(super) run: Run,
    /// For copies, scratch and stages; inside the run's directory.
    pub(super) work: PathBuf,
    pub(super) transcript: Transcript,
    /// Digest of everything that the compiler reads and the run does not change, when the run began.
    surroundings: String,
    /// How the host waited for the disk when the run began.
    waits: Waits,
}

impl<'a> SpecificationRun<'a> {
    /// Installs the compiler where it is missing, locks the project and keeps its before-image.
    pub(super) async fn begin(
        customizer: &'a Customizer,
        subject: &Subject,
        request: &str,
    ) -> Result<Self, CustomizeError> {
        let timeline = Timeline::begin();
        let installing = timeline.span("toolchains", By::Host);
        let project = subject.project.clone();
        // Before anything is started: a project that holds the record of its own runs cannot be put back.
        Grant::open(SPEC, &project.directory, Access::ReadOnly, &customizer.reserved)?;
        crate::prompts::check().map_err(RenderError::from)?;
        let (toolchains, on_progress) = (customizer.toolchains()?, &mut customizer.progress.toolchain());
        let node = toolchains.node(on_progress).await?;
        let python = toolchains.python(on_progress).await?;
        let emitter = toolchains.emitter(&EmitterPackage::shipped()?, &node, &python, on_progress).await?;
        drop(installing);
        let surroundings = surroundings(&project)?;
        let keeping = timeline.span("before-images", By::Host);
        let begin = BeginRun {
            kind: RunKind::Specification.name().into(),
            request: request.to_owned(),
            details: json!({ "languages": subject.languages, "model": customizer.backend.name() }),
            roots: vec![RootSpec {
                name: SPEC.into(),
                directory: project.directory.clone(),
                coverage: Coverage::Files(vec![CLIENT_FILE.into()]),
            }],
        };
        let (run, waits) = waits_of(|| customizer.store.begin(begin));
        let run = run?;
        drop(keeping);
        customizer.progress.began(run.id());
        let work = fresh_work(&run)?;
        let children = Children::new(customizer.supervisor.clone(), customizer.isolation).timed_by(timeline);
        Ok(Self {
            transcript: transcript(customizer, &run)?,
            compiler: (node, emitter),
            customizer,
            project,
            children,
            run,
            work,
            surroundings,
            waits,
        })
    }

    /// A step of the run in its timings, until what is returned is dropped.
    pub(super) fn step_called(&self, name: &'static str) -> Open {
        self.children.timeline().span(name, By::Host)
    }

    /// Appends to the run's events.
    pub(super) fn record(&mut self, kind: &str, data: &impl Serialize) -> Result<(), CustomizeError> {
        Ok(self.run.event(kind, &serde_json::to_value(data)?)?)
    }

    /// Whether everything that the compiler read beside `client.tsp` is as it was when the run began.
    pub(super) fn surroundings_stand(&self) -> Result<bool, CustomizeError> {
        Ok(surroundings(&self.project)? == self.surroundings)
    }

    /// `client.tsp`, if it differs from before the run.
    fn changed_file(&self) -> Result<Option<ChangedFile>, CustomizeError> {
        let before = self.run.before(SPEC, CLIENT_FILE)?;
        let after = plain_content(&self.project.directory, CLIENT_FILE)?;
        let changed = before != after;
        Ok(changed.then(|| ChangedFile { path: path_of_client(), origin: Origin::Agent, before, after }))
    }

    /// Closes the run: what changed waits for a person.
    pub(super) fn end(self, came: Came) -> Result<SpecificationResponse, CustomizeError> {
        let (timeline, directory) = (self.children.timeline().clone(), self.run.directory().to_owned());
        let waits = self.waits;
        timings::ending(&timeline, waits, &directory, || self.close(came))
    }

    fn close(mut self, came: Came) -> Result<SpecificationResponse, CustomizeError> {
        let file = self.changed_file()?;
        let status = if file.is_some() { Status::Pending } else { Status::Unchanged };
        let directories = BTreeMap::from([(SPEC.to_owned(), self.project.directory.display().to_string())]);
        let response = came.response(self.run.id().as_str(), file, directories, self.transcript.spent().clone());
        let diff = self.run.directory().join("diff.patch");
        std::fs::write(&diff, &response.diff).map_err(CustomizeError::io(&diff, "written"))?;
        // Copies and scratch files are of no use to anybody once the run is over.
        let _ = std::fs::remove_dir_all(&self.work);
        self.record("specification", &response.outcome)?;
        let value = serde_json::to_value(&response)?;
        self.run.finish(status, &value)?;
        Ok(response)
    }

    /// Ends a run whose work was dropped: once nothing that it started is alive, the project is put back.
    pub(super) async fn take_back(mut self) -> Result<(), CustomizeError> {
        self.customizer.progress.say("cancelled; putting the specification back");
        self.customizer.supervisor.settled().await;
        let _ = std::fs::remove_dir_all(&self.work);
        put_back(&mut self.run, &self.customizer.progress)?;
        Ok(self.run.finish(Status::Reverted, &json!(null))?)
    }
}

/// What the work of a run came to.
#[derive(Default)]
pub(super) struct Came {
    pub(super) changes: Vec<TypeSpecChange>,
    pub(super) effects: Vec<LanguageEffect>,
    pub(super) settled: Vec<String>,
    pub(super) background: Vec<String>,
    pub(super) guidance: Vec<ManualGuidance>,
}

impl Came {
    fn response(
        self,
        run: &str,
        file: Option<ChangedFile>,
        directories: BTreeMap<String, String>,
        usage: Spent,
    ) -> SpecificationResponse {
        let files: Vec<ChangedFile> = file.into_iter().collect();
        let outcome = SpecificationOutcome::of(!files.is_empty(), !self.guidance.is_empty());
        SpecificationResponse {
            outcome,
            built: NotBuilt,
            message: outcome.message().to_owned(),
            run_id: run.to_owned(),
            next_steps: next_steps_of_specification(outcome, run, &self.effects),
            type_spec_changes: self.changes,
            effects: self.effects,
            settled: self.settled,
            background: self.background,
            manual_guidance: self.guidance,
            modified_files: files.iter().map(|file| file.path.clone()).collect(),
            directories,
            usage,
            diff: unified(&files),
        }
    }
}

fn surroundings(project: &SpecProject) -> Result<String, CustomizeError> {
    let skip: Vec<String> = NOT_LOOKED_AT.iter().map(|name| (*name).to_owned()).collect();
    let mut parts = vec![project.digest(Except::File(CLIENT_FILE))?];
    for (_, directory) in project.directories() {
        parts.push(tree_digest(directory, &skip)?.to_string());
    }
    Ok(parts.join("+"))
}
