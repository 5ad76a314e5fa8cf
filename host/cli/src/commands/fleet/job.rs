//! One job: both commits in directories of their own, `bailiwick package …` there as a child, and its result.

use super::Working;
use super::files::Clones;
use super::patches::{difference, stage, written};
use super::room::Room;
use crate::commands::spec_commit;
use crate::exit::{Error, Result};
use crate::places;
use bailiwick_base::time::Moment;
use bailiwick_customize::checkout::{Checkout, Edits, Wanted};
use bailiwick_fleet::{Action, Cause, Ended, Held, Job, JobResult, Judged, Left, Patch, Specification, Verdict, judge};
use bailiwick_process::{Command, Confinement, Exit, Limits, Measured, ProcessError, Supervisor};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a job may spend.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Bounds {
    pub(in crate::commands) working: Working,
}

/// Why a job ends before its command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The worker is to end; the job is for another one.
    Worker,
    /// A person took the job back.
    Job,
}

/// How a job ended.
#[derive(Debug)]
pub(in crate::commands) enum Ending {
    /// With its result.
    Result(Box<Left>),
    /// The worker was told to end: there is no result, and nothing is left.
    Told,
    /// The disk was full, so there is no result that says something about the package.
    NoRoom,
}

/// How often a person's word to cancel and the disks are looked for.
const LOOK: Duration = Duration::from_millis(200);
/// Answers hold a diff and the diagnostics of a build.
const ANSWER_BYTES: usize = 64 << 20;

/// Does a job.
pub(in crate::commands) async fn perform(
    held: &dyn Held,
    clones: &Clones,
    bounds: &Bounds,
    room: &Room,
    stopped: impl Future<Output = ()>,
) -> Result<Ending> {
    let started = Instant::now();
    let job = held.job();
    let cancelled = async {
        while !held.is_cancelled() {
            room.look();
            tokio::time::sleep(LOOK).await;
        }
    };
    let supervisor = Supervisor::new(
        std::env::current_exe().map_err(|error| Error::failed(format!("this program cannot find itself: {error}")))?,
    );
    let working = Attempt { held, job, clones, bounds, supervisor: supervisor.clone() };
    let ended = tokio::select! {
        biased;
        () = stopped => Err(Stop::Worker),
        () = cancelled => Err(Stop::Job),
        done = working.work() => Ok(done),
    };
    // Nothing of it may write any more when its directories go.
    supervisor.settled().await;
    let Done { judged, patches, ended } = match ended {
        Err(Stop::Worker) => return Ok(Ending::Told),
        Err(Stop::Job) => of_fleet(Verdict::Cancelled, "cancelled", "it was cancelled at work").into(),
        Ok(Ok(done)) => done,
        Ok(Err(error)) => {
            room.heard(&error.message);
            of_fleet(Verdict::Failed, "checkout", &error.message).into()
        }
    };
    if room.was_full() && !matches!(judged.verdict, Verdict::Cancelled) && !judged.verdict.is_done() {
        return Ok(Ending::NoRoom);
    }
    let Judged { verdict, message, causes, guidance } = judged;
    let result = JobResult {
        key: job.key.clone(),
        package: job.name(),
        verdict,
        attempt: held.attempt(),
        seconds: started.elapsed().as_secs_f64(),
        finished: Moment::now().rfc3339(),
        message,
        causes,
        guidance,
        patches,
        onto: None,
    };
    Ok(Ending::Result(Box::new(Left { result, ended })))
}

/// What an attempt came to.
struct Done {
    judged: Judged,
    patches: Vec<Patch>,
    /// How the command ended that was judged.
    ended: Option<Ended>,
}

impl From<Judged> for Done {
    fn from(judged: Judged) -> Self {
        Self { judged, patches: Vec::new(), ended: None }
    }
}

fn of_fleet(verdict: Verdict, code: &str, message: &str) -> Judged {
    let cause = Cause { tool: "fleet".into(), code: Some(code.into()), message: message.into() };
    Judged { verdict, message: message.into(), causes: vec![cause], guidance: Vec::new() }
}

struct Attempt<'a> {
    held: &'a dyn Held,
    job: &'a Job,
    clones: &'a Clones,
    bounds: &'a Bounds,
    supervisor: Supervisor,
}

impl Attempt<'_> {
    async fn work(&self) -> Result<Done> {
        let job = self.job;
        if let Some(model) = self.bounds.working.foreign_model(job) {
            let message = format!("this worker may not use the model `{model}`; `--allow-model {model}` allows it");
            return Ok(of_fleet(Verdict::Failed, "model", &message).into());
        }
        let sdk = self.sdk()?;
        let package = sdk.root().join(&job.package);
        let specification = match &job.specification {
            Some(one) => Some((self.specification(one, &one.source.commit)?, one)),
            None => None,
        };
        let project = specification.as_ref().and_then(|(checkout, one)| project_in(checkout, one));
        let state = beside(&sdk, "state");
        let (mut judged, answer, ended) = self.command(&package, project.as_deref(), &state).await?;
        let ended = Some(ended);
        self.keep("answer.json", answer.as_bytes()).await?;
        self.keep_audit(&state).await?;
        let mut patches = Vec::new();
        if !(judged.verdict.is_done() || judged.verdict == Verdict::Guidance) || !changes(job.action) {
            return Ok(Done { judged, patches, ended });
        }
        let tree = stage(sdk.root(), &job.package, &written(&state, "sdk", &job.package)?)?;
        self.patch(&mut patches, difference(sdk.root(), Patch::PACKAGE, (sdk.commit(), &tree), &job.package)?).await?;
        if let (Action::Customize, Some((checkout, one))) = (job.action, &specification)
            && let Some(directory) = one.directories.first()
        {
            let edited = stage(checkout.root(), directory, &written(&state, "spec", directory)?)?;
            let trees = (checkout.commit(), edited.as_str());
            self.patch(&mut patches, difference(checkout.root(), Patch::SPECIFICATION, trees, directory)?).await?;
        }
        if let Some((commit, one)) = specification.as_ref().and_then(|(_, one)| Some((one.newer.as_ref()?, *one))) {
            let newer = self.specification(one, commit)?;
            let project = project_in(&newer, one);
            let newer_state = beside(&sdk, "newer-state");
            let (second, ..) = self.command(&package, project.as_deref(), &newer_state).await?;
            if second.verdict.is_done() {
                let mut all = written(&state, "sdk", &job.package)?;
                all.extend(written(&newer_state, "sdk", &job.package)?);
                let after = stage(sdk.root(), &job.package, &all)?;
                let trees = (tree.as_str(), after.as_str());
                self.patch(&mut patches, difference(sdk.root(), Patch::NEWER_SPECIFICATION, trees, &job.package)?)
                    .await?;
            } else {
                judged.guidance.push(format!("with commit {commit} of the specification: {}", second.message));
            }
        }
        Ok(Done { judged, patches, ended })
    }

    fn sdk(&self) -> Result<Checkout> {
        let job = self.job;
        let directories: Vec<String> = std::iter::once(&job.package).chain(&job.beside).cloned().collect();
        let clone = self.clones.sdk(job);
        let wanted = Wanted { clone, commit: &job.sdk.commit, directories: &directories, edits: Edits::Allowed };
        Checkout::make(&places::checkouts()?, wanted).map_err(spec_commit::failure)
    }

    fn specification(&self, one: &Specification, commit: &str) -> Result<Checkout> {
        let edits = if self.job.action == Action::Customize { Edits::Allowed } else { Edits::Never };
        let clone = self.clones.specification(&one.source);
        let wanted = Wanted { clone, commit, directories: &one.directories, edits };
        Checkout::make(&places::checkouts()?, wanted).map_err(spec_commit::failure)
    }

    /// Runs the command of the action, and judges what it says.
    async fn command(&self, package: &Path, project: Option<&Path>, state: &Path) -> Result<(Judged, String, Ended)> {
        let job = self.job;
        let mut arguments: Vec<OsString> =
            ["--json", "package", job.action.name(), "--package-path"].map(Into::into).into();
        arguments.push(package.into());
        if let Some(project) = project {
            arguments.extend(["--typespec-project-path".into(), project.into()]);
        }
        if matches!(job.action, Action::Fix | Action::Customize) {
            // Whatever a job starts ends with it, so nothing would be kept.
            arguments.extend(["--model".into(), job.model.clone().into(), "--no-resident".into()]);
        }
        if let (Action::Customize, Some(request)) = (job.action, &job.request) {
            // In a file: a request may begin with any sign.
            let path = state.with_extension("request");
            std::fs::write(&path, request)
                .map_err(|error| Error::failed(format!("`{}` cannot be written: {error}", path.display())))?;
            let mut argument = OsString::from("@");
            argument.push(path);
            arguments.extend(["--customization-request".into(), argument]);
        }
        if self.bounds.working.unconfined_builds {
            arguments.push("--unconfined-builds".into());
        }
        let mut environment: std::collections::BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        environment.insert("BAILIWICK_STATE_DIR".into(), state.into());
        environment.insert("BAILIWICK_CACHE_DIR".into(), places::cache()?.into());
        let program = std::env::current_exe()
            .map_err(|error| Error::failed(format!("this program cannot find itself: {error}")))?;
        let command = Command {
            program,
            arguments,
            directory: package.to_owned(),
            environment,
            limits: Limits {
                measured: Measured::Often,
                deadline: Duration::from_secs(self.bounds.working.deadline),
                output_bytes: ANSWER_BYTES,
                processes: 8192,
                memory_bytes: self.bounds.working.memory << 20,
                file_bytes: 16 << 30,
                disk_bytes: 64 << 30,
            },
            // What it starts in turn it confines itself.
            confinement: Confinement::Unconfined,
        };
        let (ended, printed) = match self.supervisor.run(&command, &mut |_, _| {}).await {
            Ok(finished) => {
                let ended = match finished.exit {
                    Exit::Code(code) => Ended::Code(code),
                    Exit::Signal(signal) => Ended::Signal(signal),
                };
                (ended, finished.stdout.text)
            }
            Err(ProcessError::Deadline { .. }) => (Ended::Deadline, String::new()),
            Err(ProcessError::Memory { .. }) => (Ended::Limit("memory"), String::new()),
            Err(ProcessError::Processes { .. }) => (Ended::Limit("processes"), String::new()),
            Err(ProcessError::Disk { .. } | ProcessError::FileSize { .. }) => {
                (Ended::Limit("disk space"), String::new())
            }
            Err(error) => return Err(Error::failed(error.to_string())),
        };
        Ok((judge(ended, &printed), printed, ended))
    }

    async fn patch(&self, patches: &mut Vec<Patch>, (patch, content): (Patch, Vec<u8>)) -> Result<()> {
        self.keep(&format!("{}.patch", patch.of), &content).await?;
        patches.push(patch);
        Ok(())
    }

    async fn keep(&self, name: &str, content: &[u8]) -> Result<()> {
        self.held.keep_artifact(name, content).await.map_err(|error| super::failure(&error))
    }

    /// The log of every tool call outlives the directory of the job.
    async fn keep_audit(&self, state: &Path) -> Result<()> {
        for entry in std::fs::read_dir(state.join("audit")).into_iter().flatten().flatten() {
            if let (Ok(content), Some(name)) = (std::fs::read(entry.path()), entry.file_name().to_str()) {
                self.keep(&format!("audit-{name}"), &content).await?;
            }
        }
        Ok(())
    }
}

/// Beside the checkout of the SDK repository, and gone with it.
fn beside(sdk: &Checkout, name: &str) -> PathBuf {
    sdk.root().parent().unwrap_or(sdk.root()).join(format!(".{name}"))
}

fn project_in(checkout: &Checkout, one: &Specification) -> Option<PathBuf> {
    Some(checkout.root().join(one.directories.first()?))
}

fn changes(action: Action) -> bool {
    !matches!(action, Action::Build | Action::Test)
}
