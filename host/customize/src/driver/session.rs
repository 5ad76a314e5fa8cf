//! One run at work: what it holds, and which part of the driver performs which effect.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::os::fd::AsFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bailiwick_agent::templates::RenderError;
use bailiwick_agent::{Backend, Transcript};
use bailiwick_base::files::{TreeError, Waits, waits_of};
use bailiwick_base::timeline::{By, Open, Timeline};
use bailiwick_runs::{BeginRun, Coverage, RootSpec, Run};
use bailiwick_sandbox::{Access, Grant};
use bailiwick_sdk::tasks::{Classification, Language, Rename, SpecIndex};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde::Serialize;
use serde_json::{Value, json};

use crate::baseline::Baseline;
use crate::gate::typespec_changes;
use crate::knowledge::{IN_REPOSITORY, Origin, Reference};
use crate::language::{Asking, CarriedFile, Checks, LanguageService, Needs, Requirements, content_of, open_package};
use crate::machine::{Effect, Event, State};
use crate::plan::{EditedFile, Plan, PlannedEdit};
use crate::recorded::Recorded;
use crate::scripts::SdkConfiguration;
use crate::stage::{Stage, StageLimits};
use crate::surface::between;
use crate::timings;
use crate::typespec::{Except, ProbeRequest, Project, SpecProject, head_commit};
use bailiwick_toolchains::{Children, Tools};

use super::building::keep_log;
use super::kept_index::{KeptIndex, made_with};
use super::proof::Witness;
use super::{CustomizeError, Customizer, Prepared, Progress};

/// Names of the two grants, which are also the names of the run's roots.
pub(super) const SPEC: &str = "spec";
pub(super) const SDK: &str = "sdk";
/// The one file of a TypeSpec project that a customization may change.
pub(super) const CLIENT_FILE: &str = "client.tsp";

// A field of a transcript entry longer than this says nothing more to a reader.
pub(super) const TRANSCRIPT_FIELD_BYTES: usize = 64 * 1024;

/// In the details of a run: the commit at which the SDK repository stood when it began.
const RECORDED: &str = "sdkCommit";

/// What a run is for.
pub(super) struct Goal<'a> {
    /// `customize`, `generate`, `workflow` and their like.
    pub(super) kind: &'static str,
    /// The request in a person's words; empty for a single step.
    pub(super) request: &'a str,
    /// What is kept of the TypeSpec project.
    pub(super) coverages: Coverages,
    /// Anything to find the run by; an object.
    pub(super) details: Value,
}

impl<'a> Goal<'a> {
    /// A run in which only the host's own agents edit.
    pub(super) fn plain(kind: &'static str, request: &'a str) -> Self {
        Self { kind, request, coverages: Coverages::ClientFile, details: json!({}) }
    }
}

/// When the tools that build a package have to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builders {
    /// Before the run begins.
    AtOnce,
    /// Before the first edit, regeneration or build. A request that comes to none of them needs no such tool.
    WhenNeeded,
}

/// How much of a TypeSpec project can change in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coverages {
    /// The one file that the gate lets through.
    ClientFile,
    /// Any file: an editor outside the stage works on it.
    WholeProject,
}

/// What the compiler read: everything beside `client.tsp`, and that.
#[derive(Debug, PartialEq, Eq)]
struct Indexed {
    around: String,
    client: Option<Vec<u8>>,
}

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
    carried: BTreeMap<String, Option<Vec<u8>>>,
    /// Renames of the specification that the generated code showed before the run.
    pub(super) earlier_renames: Vec<Rename>,
    /// Renames that the generated code shows since the run began.
    pub(super) shown_renames: Vec<Rename>,
    /// What the package was like before the run, where a build asked for it.
    pub(super) baseline: Option<Baseline>,
    /// How the host waited for the disk when the run began.
    waits: Waits,
}

impl<'a> Session<'a> {
    /// Installs what is missing, locks both sides and keeps their before-images.
    pub(super) async fn begin(
        customizer: &'a Customizer,
        goal: Goal<'_>,
        prepared: Prepared,
        builders: Builders,
    ) -> Result<Self, CustomizeError> {
        let timeline = Timeline::begin();
        // Read now, before any agent edits, whenever it is fetched.
        let asked = prepared.language.requirements(asking(&|name| text_of(&prepared, name)), Needs::Build);
        let mut surroundings = Surroundings::of(customizer, &prepared.project, asked, timeline.clone()).await?;
        if builders == Builders::AtOnce {
            surroundings.complete(customizer, &prepared).await?;
        }
        let Prepared { project, language, configuration } = prepared;
        // Before any child runs: the commit whose word holds for the whole run.
        let recorded = Recorded::at_head(&project.sdk_root, &project.package);
        let mut details = json!({ "language": language.language(), "model": customizer.backend.name() });
        if let (Some(own), Value::Object(more)) = (details.as_object_mut(), goal.details) {
            own.extend(more);
            if let Some(recorded) = &recorded {
                own.insert(RECORDED.into(), json!(recorded.commit()));
            }
            if project.detached {
                own.insert("specificationCommit".into(), json!(head_commit(&project.spec_root)));
            }
        }
        let mut roots = vec![RootSpec {
            name: SDK.into(),
            directory: project.package.clone(),
            coverage: Coverage::Tree { skip: Vec::new(), skip_at_root: vec![".git".into()] },
        }];
        // A detached specification is only read, and is gone when the run is looked at.
        if !project.detached {
            roots.push(RootSpec {
                name: SPEC.into(),
                directory: project.directory.clone(),
                coverage: match goal.coverages {
                    Coverages::ClientFile => Coverage::Files(vec![CLIENT_FILE.into()]),
                    Coverages::WholeProject => Coverage::Tree {
                        skip: ["node_modules", "tsp-output"].map(String::from).to_vec(),
                        skip_at_root: vec![".git".into()],
                    },
                },
            });
        }
        let keeping = timeline.span("before-images", By::Host);
        let begin = BeginRun { kind: goal.kind.into(), request: goal.request.to_owned(), details, roots };
        let (run, waits) = waits_of(|| customizer.store.begin(begin));
        drop(keeping);
        let prepared = Prepared { project, language, configuration };
        let session = Self { waits, ..Self::with_run(customizer, prepared, run?, surroundings)? };
        Ok(session.held_to(recorded.as_ref()))
    }

    /// Goes on with a run that was suspended. Nothing of its before-images changes.
    pub(super) async fn resume(
        customizer: &'a Customizer,
        run: Run,
        prepared: Prepared,
        index_before: SpecIndex,
    ) -> Result<Self, CustomizeError> {
        let timeline = Timeline::begin();
        // The state from the beginning of the run: later edits must not decide what is fetched.
        let before = |name: &str| run.before(SDK, name).ok().flatten();
        let text = |name: &str| before(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let asked = prepared.language.requirements(asking(&text), Needs::Build);
        let mut surroundings = Surroundings::of(customizer, &prepared.project, asked, timeline).await?;
        surroundings.complete(customizer, &prepared).await?;
        let mut session = Self::with_run(customizer, prepared, run, surroundings)?;
        session.index = index_before.clone();
        session.index_before = index_before;
        // What the calling agent committed meanwhile decides nothing.
        let details = customizer.store.record(session.run.id())?.details;
        let project = &session.project;
        let commit = details[RECORDED].as_str().map(str::to_owned);
        let recorded = commit.and_then(|commit| Recorded::at(&project.sdk_root, &project.package, commit));
        Ok(session.held_to(recorded.as_ref()))
    }

    /// With what the recorded commit says about the checks of the package.
    fn held_to(self, recorded: Option<&Recorded>) -> Self {
        let checks = recorded.map(|recorded| self.language.checks(recorded)).unwrap_or_default();
        Self { checks, ..self }
    }

    fn with_run(
        customizer: &'a Customizer,
        prepared: Prepared,
        run: Run,
        Surroundings { tools, unbuilt, children }: Surroundings,
    ) -> Result<Self, CustomizeError> {
        let Prepared { project, language, configuration } = prepared;
        customizer.progress.began(run.id());
        let work = run.directory().join("work");
        // A step that broke off may have left its stages there.
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(&work).map_err(CustomizeError::io(&work, "created"))?;
        let path = run.directory().join("transcript.jsonl");
        // A run that is gone on with goes on in its transcript.
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
        let file = file.map_err(CustomizeError::io(&path, "created"))?;
        Ok(Self {
            customizer,
            project,
            language,
            checks: Checks::default(),
            configuration,
            tools,
            unbuilt,
            children,
            run,
            work,
            transcript: Transcript::new(file, TRANSCRIPT_FIELD_BYTES).scrubbed_by(customizer.secrets.clone()),
            reference: Reference::embedded(),
            index_before: SpecIndex::default(),
            index: SpecIndex::default(),
            indexed: None,
            witness: Witness::default(),
            stages: 0,
            attempt: None,
            first: None,
            directed: None,
            languages: Vec::new(),
            plan_shown: false,
            carried: BTreeMap::new(),
            earlier_renames: Vec::new(),
            shown_renames: Vec::new(),
            baseline: None,
            waits: Waits::default(),
        })
    }

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

    /// Asks the compiler what there is before anything is changed.
    pub(super) async fn read_specification(&mut self) -> Result<(), CustomizeError> {
        let _step = self.step_called("specification");
        self.indexed = Some(self.as_indexed()?);
        self.index_before = self.present_index().await?;
        self.index = self.index_before.clone();
        Ok(())
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

    /// The content of a regular file of a root as it is now; `None` where there is none. No link is followed.
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

    /// Gets what builds the package, once.
    async fn equip(&mut self) -> Result<(), CustomizeError> {
        let Some(requirements) = &self.unbuilt else { return Ok(()) };
        let _span = self.step_called("toolchains");
        let (language, package) = (self.language.language(), &self.project.package);
        self.tools = completed(self.customizer, &self.tools, language, package, requirements).await?;
        self.unbuilt = None;
        Ok(())
    }

    /// Performs one effect.
    pub(super) async fn perform(&mut self, state: &State, effect: Effect) -> Result<Event, CustomizeError> {
        match &effect {
            // Reading and answering take no tool that builds.
            Effect::Classify { .. } | Effect::CheckClaims { .. } | Effect::Finish { .. } => {}
            // A proof names the tools that it was made with.
            Effect::CheckProof
            | Effect::EditTypespec { .. }
            | Effect::Regenerate
            | Effect::Build
            | Effect::CheckDrift
            | Effect::PatchCode { .. } => self.equip().await?,
        }
        // The others say for themselves what they do, with what it is about.
        match &effect {
            Effect::CheckProof => self.customizer.progress.say("checking whether it is done already"),
            Effect::CheckDrift => self.customizer.progress.say("looking for customizations of what is gone"),
            Effect::CheckClaims { .. } => self.customizer.progress.say("comparing what is claimed with the diff"),
            _ => {}
        }
        match effect {
            Effect::Classify { validation } => {
                let _step = self.step_called("classification");
                self.classify(state, validation).await
            }
            Effect::CheckProof => {
                let _step = self.step_called("proof");
                self.check_proof(state).await
            }
            Effect::EditTypespec { attempt, items, feedback } => {
                let _step = self.step_called("edit of client.tsp");
                self.edit_typespec(state, attempt, items, feedback).await
            }
            Effect::Regenerate => {
                self.show_plan(state)?;
                self.regenerate().await
            }
            Effect::Build => self.build(Some(state)).await,
            Effect::CheckDrift => self.check_drift(state.renames()),
            Effect::PatchCode { attempt, diagnostics, typespec_changes, renames } => {
                let _step = self.step_called("edit of custom code");
                self.patch_code(attempt, diagnostics, typespec_changes, renames).await
            }
            Effect::CheckClaims { typespec_changes, code_patches } => {
                let _step = self.step_called("claims");
                self.check_claims(&typespec_changes, &code_patches)
            }
            Effect::Finish { .. } => unreachable!("the loop ends before it performs an ending"),
        }
    }

    /// Says once what the request comes to, now that its edit has landed.
    fn show_plan(&mut self, state: &State) -> Result<(), CustomizeError> {
        let Some(classification) = self.first.as_ref().filter(|_| !self.plan_shown) else { return Ok(()) };
        let (before, after) = (self.run.before(SPEC, CLIENT_FILE)?, self.content(SPEC, CLIENT_FILE)?);
        let edited = after.filter(|after| before.as_ref() != Some(after));
        let file = edited.map(|after| EditedFile { path: path_of_client(), before, after });
        let changes = typespec_changes(&self.index_before, &self.index, &path_of_client());
        let surface = between(self.language.language(), &self.index_before, &self.index, &changes);
        let edit = PlannedEdit { compiled: file.is_some(), file, surface, ..PlannedEdit::default() };
        let plan = Plan::new(self.language.language(), state.scope(), classification, &edit);
        self.plan_shown = true;
        self.customizer.progress.planned(&plan);
        Ok(())
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

    /// The compiler's view of the project with `client` in place of its client file, if given.
    pub(super) async fn probe(&self, client: Option<&str>) -> Result<SpecIndex, CustomizeError> {
        let project = self.project.specification();
        let request = ProbeRequest {
            project: &project,
            emitter: &self.project.emitter.emitter,
            language: self.language.language(),
            client,
            work: &self.work,
        };
        let children = self.children.called("compiler");
        Ok(self.customizer.residents.read(request, self.tools.compiler(), &children).await?)
    }

    /// Keeps the compiler's view of what landed, so that the next run need not ask again.
    pub(super) fn keep_present_index(&self) -> Result<(), CustomizeError> {
        // A person may have edited since: the view is of what the compiler read.
        if self.indexed.as_ref() == Some(&self.as_indexed()?) {
            self.kept_index()?.keep(&self.index);
        }
        Ok(())
    }

    /// What the compiler reads now.
    fn as_indexed(&self) -> Result<Indexed, CustomizeError> {
        let around = self.project.specification().digest(Except::File(CLIENT_FILE))?;
        Ok(Indexed { around, client: self.content(SPEC, CLIENT_FILE)? })
    }

    /// Takes the compiler's view of a `client.tsp` that landed.
    pub(super) fn landed(&mut self, index: SpecIndex, client: Option<Vec<u8>>) {
        self.index = index;
        if let Some(indexed) = &mut self.indexed {
            indexed.client = client;
        }
    }

    fn kept_index(&self) -> Result<KeptIndex, CustomizeError> {
        let made_with = made_with(&self.project.emitter, &self.tools.build.node, Some(&self.tools.emitter));
        let (project, emitter) = (self.project.specification(), &self.project.emitter.emitter);
        KeptIndex::of(&self.customizer.cache, &project, emitter, &made_with, self.language.language())
    }

    /// Takes the compiler's view of the project as it stands if it is in the cache, and asks nobody for it.
    pub(super) fn know_present_index(&mut self) -> Result<(), CustomizeError> {
        if let Some(index) = self.kept_index()?.read() {
            self.index_before = index.clone();
            self.index = index;
        }
        Ok(())
    }

    /// The compiler's view of the project as it stands, from the cache where nothing it depends on has changed.
    pub(super) async fn present_index(&self) -> Result<SpecIndex, CustomizeError> {
        let kept = self.kept_index()?;
        if let Some(index) = kept.read() {
            return Ok(index);
        }
        self.customizer.progress.say("reading the TypeSpec project");
        let index = self.probe(None).await?;
        kept.keep_if_same(&index, &self.kept_index()?);
        Ok(index)
    }
}

/// Takes the repository's own page about client customizations where there is one, and says so.
pub(super) fn read_reference(project: &SpecProject, progress: &Progress) -> Reference {
    let reference = Reference::of(project);
    match &reference.origin {
        Origin::Embedded => {}
        Origin::Repository(_) => progress.say(&format!("reading the repository's `{IN_REPOSITORY}`")),
        Origin::PassedOver { reason } => {
            progress.say(&format!("the repository's own reference is passed over: {reason}"));
        }
    }
    reference
}

/// A fresh stage at `path` that holds these files of a root, and the grant that shows it over the root.
pub(super) fn staged(
    customizer: &Customizer,
    (root, lower): (&str, &Path),
    path: &Path,
    editable: &[String],
    limits: StageLimits,
) -> Result<(Stage, Grant), CustomizeError> {
    let lower = open(lower)?;
    std::fs::create_dir(path).map_err(CustomizeError::io(path, "created"))?;
    let upper = open(path)?;
    let handle = |directory: &Dir| directory.as_fd().try_clone_to_owned().map_err(CustomizeError::io(path, "opened"));
    let grant = Grant::staged(root, handle(&lower)?, handle(&upper)?, &customizer.reserved)?;
    Ok((Stage::build(&lower, upper, editable, limits)?, grant))
}

pub(super) fn path_of_client() -> String {
    format!("{SPEC}/{CLIENT_FILE}")
}

/// What a build asks for stands in the package alone.
fn asking(file: &dyn Fn(&str) -> Option<String>) -> Asking<'_> {
    Asking { file, around: None }
}

/// The text of a plain file of a package.
fn text_of(prepared: &Prepared, name: &str) -> Option<String> {
    let content = plain_content(&prepared.project.package, name).ok().flatten()?;
    Some(String::from_utf8_lossy(&content).into_owned())
}

/// What a session works with beside its run. Nothing is begun before this is there.
struct Surroundings {
    tools: Tools,
    unbuilt: Option<Requirements>,
    children: Children,
}

impl Surroundings {
    /// What reads the specification; what builds the package is not asked for.
    async fn of(
        customizer: &Customizer,
        project: &Project,
        requirements: Requirements,
        timeline: Timeline,
    ) -> Result<Self, CustomizeError> {
        let span = timeline.span("toolchains", By::Host);
        for side in [&project.package, &project.directory] {
            // Before anything is started: a package that holds the record of its own runs cannot be put back.
            Grant::open(SDK, side, Access::ReadOnly, &customizer.reserved)?;
        }
        crate::prompts::check().map_err(RenderError::from)?;
        let toolchains = customizer.toolchains()?;
        let tools = toolchains.generating(&project.emitter, &mut customizer.progress.toolchain()).await?;
        drop(span);
        let children = Children::new(customizer.supervisor.clone(), customizer.isolation);
        Ok(Self { tools, unbuilt: Some(requirements), children: children.timed_by(timeline) })
    }

    async fn complete(&mut self, customizer: &Customizer, prepared: &Prepared) -> Result<(), CustomizeError> {
        let Some(requirements) = &self.unbuilt else { return Ok(()) };
        let _span = self.children.timeline().span("toolchains", By::Host);
        let (language, package) = (prepared.language.language(), &prepared.project.package);
        self.tools = completed(customizer, &self.tools, language, package, requirements).await?;
        self.unbuilt = None;
        Ok(())
    }
}

/// `tools` with what builds a package and what that asks for.
async fn completed(
    customizer: &Customizer,
    tools: &Tools,
    language: Language,
    package: &Path,
    requirements: &Requirements,
) -> Result<Tools, CustomizeError> {
    let toolchains = customizer.toolchains()?;
    let on_progress = &mut customizer.progress.toolchain();
    let mut tools = toolchains.completed(tools.clone(), language, package, on_progress).await?;
    for passed_over in &requirements.passed_over {
        customizer.progress.say(passed_over);
    }
    tools.build.python = toolchains.python_with(&tools.build.python, &requirements.asked, on_progress).await?;
    if language == Language::Python {
        tools.build.python = toolchains.with_seed(tools.build.python, on_progress).await;
    }
    Ok(tools)
}

fn open(path: &Path) -> Result<Dir, CustomizeError> {
    Dir::open_ambient_dir(path, ambient_authority()).map_err(CustomizeError::io(path, "opened"))
}

/// The content of a regular file beneath a directory; `None` where there is none. No link is followed.
pub(super) fn plain_content(directory: &Path, path: &str) -> Result<Option<Vec<u8>>, CustomizeError> {
    match content_of(&open_package(directory)?, path) {
        Err(TreeError::Link { .. } | TreeError::WrongKind { .. }) => Ok(None),
        other => Ok(other?),
    }
}
