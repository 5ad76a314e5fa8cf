//! A compiler that stays: it reads one specification for one package again and again.
//!
//! It is the program of [`probe`](super::probe), confined in the same way, in a copy of the project of its own. What it
//! keeps between two questions is the libraries' code and nothing of the specification, so that each answer is, byte for
//! byte, that of a compiler that was started for it. Two rules hold that:
//!
//! - It serves exactly what it was started for: one package, one project, every file of it with the same content but for
//!   `client.tsp`, one compiler, one language, one isolation. Anything else starts another.
//! - A project that brings code of its own is always read by a new process: its code could remember.
//!
//! One that ends, says nothing in time or leaves an answer that cannot be read is ended, and a new process answers. The
//! package is not tried again: where a compiler needs more memory than one that stays may have, each try would be in vain.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bailiwick_sdk::tasks::{Language, SpecIndex};
use bailiwick_toolchains::{Children, Compiler, Isolation, Staying};
use serde_json::json;
use tempfile::TempDir;
use tracing::debug;

use super::copy::{Code, Contents, regular};
use super::error::TypespecError;
use super::probe::{CLIENT, DEADLINE, Layout, ProbeRequest, probe};
use super::spec_project::SpecProject;
use super::standby::Standby;

/// The most that stay at once. Each takes some 300 MiB.
const MOST: usize = 2;

/// One that was idle for so long ends.
pub(super) const IDLE: Duration = Duration::from_secs(10 * 60);

/// None gets older.
const AGE: Duration = Duration::from_secs(60 * 60);

/// The compilers that stay.
#[derive(Debug, Clone)]
pub struct Residents {
    stay: Stay,
    most: usize,
    standby: Option<Standby>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    kept: Vec<Resident>,
    /// Projects with the languages for which a resident failed.
    failed: Vec<(PathBuf, Language)>,
}

/// How long a compiler stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    /// A new one is started for each question.
    Never,
    /// As long as the caller goes on: see [`Residents::end`].
    UntilEnded,
}

impl Residents {
    /// No compiler yet.
    #[must_use]
    pub fn new(stay: Stay) -> Self {
        Self { stay, most: MOST, standby: None, state: Arc::default() }
    }

    /// The same, but for this: where there are standbys, they are asked, and no compiler stays in this process.
    #[must_use]
    pub fn standing_by(self, standby: Option<Standby>) -> Self {
        Self { standby, ..self }
    }

    /// One that stays until it is ended.
    pub(super) fn one() -> Self {
        Self { most: 1, ..Self::new(Stay::UntilEnded) }
    }

    /// The index of a project, as [`probe`](super::probe) gives it, from a compiler that stays where there may be one.
    ///
    /// # Errors
    /// As for [`probe`](super::probe).
    pub async fn read(
        &self,
        request: ProbeRequest<'_>,
        compiler: Compiler<'_>,
        children: &Children,
    ) -> Result<SpecIndex, TypespecError> {
        match self.stayed(&request, compiler, children).await {
            Some(index) => Ok(index),
            None => probe(request, compiler, children).await,
        }
    }

    /// The index from a compiler that stays; `None` where a new process has to answer.
    pub(super) async fn stayed(
        &self,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
        children: &Children,
    ) -> Option<SpecIndex> {
        // A standby confines its compiler in any case, and a checkout is gone with its command.
        let lasts = children.isolation() == Isolation::Enforced && !request.project.detached;
        let standby = self.standby.as_ref().filter(|_| lasts);
        let subject = (request.project.directory.clone(), request.language);
        if self.stay == Stay::Never && standby.is_none() || self.lock().failed.contains(&subject) {
            return None;
        }
        // What cannot be read, the new process says.
        let purpose = Purpose::of(request, compiler, children).ok().flatten()?;
        let asked = match standby {
            Some(standby) => {
                let _working = children.working(&compiler.node.executable);
                standby.ask(request, compiler).await
            }
            None => self.asked(purpose, request, compiler, children).await,
        };
        if let Err(error) = &asked {
            debug!(%error, "a resident compiler did not answer");
            self.lock().failed.push(subject);
        }
        asked.ok()
    }

    /// Ends all of them, and waits until nothing is left.
    pub async fn end(&self) {
        let all = std::mem::take(&mut self.lock().kept);
        for one in all {
            one.staying.end().await;
        }
    }

    /// Whoever waits no longer ends the compiler: its answer would be taken for the next one's.
    async fn asked(
        &self,
        purpose: Purpose,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
        children: &Children,
    ) -> Result<SpecIndex, TypespecError> {
        let resident = match self.take(&purpose) {
            Some(resident) => resident,
            None => Resident::start(purpose, request, compiler, children)?,
        };
        let _working = children.working(&compiler.node.executable);
        let (resident, index) = resident.answer(request, compiler).await?;
        self.keep(resident);
        Ok(index)
    }

    fn take(&self, purpose: &Purpose) -> Option<Resident> {
        let mut state = self.lock();
        // An old one is about to end by itself.
        state.kept.retain(|one| one.started.elapsed() <= AGE);
        let place = state.kept.iter().position(|one| one.purpose == *purpose)?;
        Some(state.kept.swap_remove(place))
    }

    fn keep(&self, resident: Resident) {
        let mut state = self.lock();
        state.kept.push(resident);
        if state.kept.len() > self.most {
            state.kept.remove(0);
        }
        drop(state);
        let state = Arc::downgrade(&self.state);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            if let Some(state) = state.upgrade() {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.kept.retain(|one| one.asked.elapsed() < IDLE);
            }
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a resident was started for.
#[derive(Debug, PartialEq, Eq)]
struct Purpose {
    package: Option<PathBuf>,
    directory: PathBuf,
    name: String,
    additional: Vec<(String, PathBuf)>,
    contents: Contents,
    language: Language,
    options: String,
    node: PathBuf,
    compiler: (PathBuf, String),
    isolation: Isolation,
}

impl Purpose {
    /// `None` where only a new process may answer.
    fn of(
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
        children: &Children,
    ) -> Result<Option<Self>, TypespecError> {
        let SpecProject { sdk, directory, root, name, additional, .. } = request.project;
        let contents = Contents::of(&directories(directory, additional), root, CLIENT)?;
        if contents.code == Code::Brought {
            return Ok(None);
        }
        Ok(Some(Self {
            package: sdk.as_ref().map(|(package, _)| package.clone()),
            directory: directory.clone(),
            additional: additional.clone(),
            name: name.clone(),
            contents,
            language: request.language,
            options: request.emitter.to_owned(),
            node: compiler.node.executable.clone(),
            compiler: (compiler.emitter.node_modules.clone(), compiler.emitter.digest.clone()),
            isolation: children.isolation(),
        }))
    }
}

fn directories<'a>(project: &'a Path, additional: &'a [(String, PathBuf)]) -> Vec<&'a Path> {
    std::iter::once(project).chain(additional.iter().map(|(_, path)| path.as_path())).collect()
}

/// A compiler at work for one purpose.
#[derive(Debug)]
struct Resident {
    purpose: Purpose,
    layout: Layout,
    staying: Staying,
    started: Instant,
    asked: Instant,
    questions: u64,
}

impl Layout {
    /// What the compiler reads of the copy.
    fn contents(&self, project: &SpecProject) -> Result<Contents, TypespecError> {
        let copies: Vec<PathBuf> = self.copies(project);
        Contents::of(&copies.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &self.root, CLIENT)
    }
}

impl Resident {
    fn start(
        purpose: Purpose,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
        children: &Children,
    ) -> Result<Self, TypespecError> {
        let directory =
            TempDir::with_prefix("bailiwick-").map_err(TypespecError::io(&std::env::temp_dir(), "written"))?;
        let layout = Layout::make(&ProbeRequest { work: directory.path(), ..*request }, compiler)?;
        let project = request.project;
        // What is compiled is the copy, and the project may have changed since it was looked at.
        if layout.contents(project)? != purpose.contents {
            return Err(TypespecError::Probe { reason: "the project changed while it was copied".to_owned() });
        }
        let pipe = layout.scripts.join("requests");
        let child = layout.child(request, compiler, &["--requests".as_ref(), pipe.as_os_str()], AGE + DEADLINE);
        let staying = children.stay(child, &pipe, directory)?;
        let now = Instant::now();
        Ok(Self { purpose, staying, started: now, asked: now, questions: 0, layout })
    }

    async fn answer(
        mut self,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
    ) -> Result<(Self, SpecIndex), TypespecError> {
        let (client, written) = (self.layout.project.join(CLIENT), TypespecError::io);
        // Its directory lies where other programs of the user can write.
        if self.layout.contents(request.project)? != self.purpose.contents {
            return Err(TypespecError::Probe { reason: "the copy of the project was changed".to_owned() });
        }
        match (request.client, regular(request.project.directory.join(CLIENT), &request.project.root)) {
            (Some(text), _) => std::fs::write(&client, text).map_err(written(&client, "written"))?,
            (None, Some(source)) => drop(std::fs::copy(&source, &client).map_err(written(&source, "copied"))?),
            (None, None) if client.exists() => std::fs::remove_file(&client).map_err(written(&client, "removed"))?,
            (None, None) => {}
        }
        self.questions += 1;
        let output = self.layout.scratch.join(format!("index-{}.json", self.questions));
        let question = json!({ "entry": self.layout.entry(request.project), "output": output });
        let staying = self.staying.ask(&question, DEADLINE).await;
        self.staying = staying.map_err(|error| TypespecError::Probe { reason: error.to_string() })?;
        let index = self.layout.index(&output, request, compiler)?;
        std::fs::remove_file(&output).map_err(written(&output, "removed"))?;
        self.asked = Instant::now();
        Ok((self, index))
    }
}
