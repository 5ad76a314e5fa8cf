//! What is kept of a workflow in the directory of its run.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

use bailiwick_base::{random, text};
use bailiwick_runs::{Digest, Run, RunRecord, Status, Store};
use bailiwick_sdk::tasks::{Diagnostic, SpecIndex};
use serde::{Deserialize, Serialize};

use super::super::CustomizeError;
use super::super::run_kind::RunKind;
use super::CoordinateError;
use crate::coordinator::Workflow;
use crate::typespec::Project;

const FILE: &str = "workflow.json";

/// A workflow with what its next check goes by.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    /// As it stands; while a report is checked, with that report taken.
    pub(super) workflow: Workflow,
    /// As it stood before a report that is being checked.
    settled: Option<Workflow>,
    /// The compiler's view when the workflow began.
    pub(super) index_before: SpecIndex,
    /// `root/path` of every file that differed from before the run when the host last regenerated, with its digest;
    /// `null` for one that was gone. A difference to this is an edit by another process or person.
    pub(super) accepted: BTreeMap<String, Option<Digest>>,
    /// What the last build reported.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The emitter it was started with; missing where an earlier version started it.
    #[serde(default)]
    pub(super) pinned: Option<Pinned>,
    /// When its last step was, in seconds since 1970.
    #[serde(default = "now")]
    last_step: u64,
    /// As it stood before the last step. The step is kept before the run is suspended, and a process that dies in between
    /// leaves both repositories as they were before the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<Box<Before>>,
}

/// What a step changes, as it stood before.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Before {
    /// The step counts once the run was suspended this many times, or has ended.
    suspensions: u32,
    workflow: Workflow,
    accepted: BTreeMap<String, Option<Digest>>,
    diagnostics: Vec<Diagnostic>,
    last_step: u64,
}

/// The emitter of a workflow. Its files lie in a repository that the workflow's caller may write, so a later step goes by
/// what was there at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pinned {
    /// Its package name.
    pub(super) emitter: String,
    /// Digest of everything that decides what is installed.
    digest: String,
    /// `emitterPackageJsonPath` of `tsp-location.yaml`.
    package_json_path: Option<String>,
}

impl Pinned {
    pub(super) fn of(project: &Project) -> Self {
        Self {
            emitter: project.emitter.emitter.clone(),
            digest: project.emitter.digest(),
            package_json_path: project.location.emitter_package_json_path.clone(),
        }
    }
}

impl Kept {
    pub(super) fn new(workflow: Workflow, index_before: SpecIndex, pinned: Pinned) -> Self {
        Self {
            pinned: Some(pinned),
            workflow,
            settled: None,
            index_before,
            accepted: BTreeMap::new(),
            diagnostics: Vec::new(),
            last_step: now(),
            before: None,
        }
    }

    /// What of it counts for a run that was suspended so often: without a step that came to no end.
    fn of(mut self, suspensions: u32, ended: bool) -> Self {
        if let Some(before) = self.before.take()
            && suspensions < before.suspensions
            && !ended
        {
            let Before { workflow, accepted, diagnostics, last_step, .. } = *before;
            self = Self { workflow, accepted, diagnostics, last_step, settled: None, ..self };
        }
        self
    }

    /// What is kept for a run that is at work again.
    pub(super) fn resumed(run: &Run) -> Result<Self, CoordinateError> {
        Ok(Self::load(run.directory())?.of(run.suspensions(), false))
    }

    /// How it stands before a step of `run`.
    pub(super) fn before_step(&self, run: &Run) -> Before {
        Before {
            suspensions: run.suspensions() + 1,
            workflow: self.settled().clone(),
            accepted: self.accepted.clone(),
            diagnostics: self.diagnostics.clone(),
            last_step: self.last_step,
        }
    }

    /// The workflow as a caller may go on with it.
    pub(super) fn settled(&self) -> &Workflow {
        self.settled.as_ref().unwrap_or(&self.workflow)
    }

    /// Takes back a report whose check was interrupted: its result is unknown.
    pub(super) fn settle_interrupted(&mut self) {
        if let Some(settled) = self.settled.take() {
            self.workflow = settled;
        }
    }

    /// Whether there was no step for this long. A workflow that is over does not wait.
    pub(super) fn is_abandoned(&self, after: Duration, now: SystemTime) -> bool {
        let last = SystemTime::UNIX_EPOCH + Duration::from_secs(self.last_step);
        let over = self.settled().phase().is_terminal();
        // A clock that was set back makes nothing older.
        !over && now.duration_since(last).is_ok_and(|waited| waited >= after)
    }

    /// Remembers how it stands, for the case that the report to come is never checked to its end.
    pub(super) fn hold(&mut self) {
        self.settled = Some(self.workflow.clone());
    }

    /// The step is done, once its run is suspended or has ended.
    pub(super) fn settle(&mut self, before: Before) {
        self.settled = None;
        self.before = Some(Box::new(before));
        self.last_step = now();
    }

    pub(super) fn load(run: &Path) -> Result<Self, CoordinateError> {
        let path = run.join(FILE);
        let bytes = std::fs::read(&path).map_err(CustomizeError::io(&path, "read"))?;
        Ok(serde_json::from_slice(&bytes).map_err(CustomizeError::from)?)
    }

    /// Replaces the file as a whole, or not at all, and waits until it is on the disk.
    pub(super) fn save(&self, run: &Path) -> Result<(), CoordinateError> {
        let path = run.join(FILE);
        let written = || -> std::io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(run)?;
            // In one piece: the compiler's view has thousands of words, and each would be a write of its own.
            std::io::Write::write_all(&mut file, &serde_json::to_vec(self)?)?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            // Its name too: a workflow that waits is nothing without it.
            std::fs::File::open(run)?.sync_all()
        };
        written().map_err(CustomizeError::io(&path, "written"))?;
        Ok(())
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The run of a workflow and what is kept of it.
pub(super) fn find(store: &Store, id: &str) -> Result<(RunRecord, Kept), CoordinateError> {
    let unknown = || CoordinateError::Unknown(id.chars().take(80).collect());
    for summary in store.list().map_err(CustomizeError::from)? {
        if summary.kind != RunKind::Workflow.name() {
            continue;
        }
        // A damaged record must not block access to the others.
        let Ok(record) = store.record(&summary.id) else { continue };
        if record.details.get("workflowId").and_then(serde_json::Value::as_str) == Some(id) {
            let directory = store.run_directory(&record.id).map_err(CustomizeError::from)?;
            let kept = Kept::load(&directory)?;
            let ended = !matches!(record.status, Status::Running | Status::Suspended);
            let kept = kept.of(record.suspensions, ended);
            return Ok((record, kept));
        }
    }
    Err(unknown())
}

/// A name for a workflow that cannot be guessed.
///
/// # Errors
/// The system has no random bytes.
pub fn fresh_id() -> Result<String, CoordinateError> {
    let bytes = random::bytes::<16>().map_err(CustomizeError::io(Path::new("/dev/urandom"), "read"))?;
    Ok(format!("workflow-{}", text::hex(&bytes)))
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    use super::*;

    /// `workflow.json` as another version, a disk or another program left it.
    #[test]
    fn workflows() {
        const WORDS: &[&str] = &[
            "\"workflow\":{",
            "\"settled\":",
            "\"before\":{\"suspensions\":",
            "\"phase\":\"",
            "\"iteration\":255",
            "\"history\":[",
            "\"accepted\":{\"sdk/a\":null}",
            "\"lastStep\":18446744073709551615",
            "\"lastStep\":0",
            "null",
        ];
        Target { name: "workflows", words: WORDS }.run(|bytes| {
            let Ok(kept) = serde_json::from_slice::<Kept>(bytes) else { return };
            kept.is_abandoned(Duration::from_secs(1), SystemTime::now());
            let again: Kept = serde_json::from_slice(&serde_json::to_vec(&kept).unwrap()).unwrap();
            let mut kept = again.of(1, false);
            kept.settle_interrupted();
            let workflow = kept.settled();
            let _ = (workflow.status(), workflow.over(), workflow.checking(), workflow.errors(), workflow.places());
        });
    }
}
