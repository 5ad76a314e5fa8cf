//! A dry run: what a request comes to. No run is begun, nothing is locked, regenerated or built, and no file of either
//! repository is written; the sandbox is not started either.
//!
//! With the compiler's view of the specification in the cache, no process is started: neither the package's build tools
//! nor the interpreter of the emitter is looked for.

use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_agent::{AgentError, Backend, Microagent, Transcript};
use bailiwick_process::Supervisor;
use bailiwick_sdk::tasks::{
    AgentTask, Change, Classification, ClassifyTask, Directive, ItemVerdict, Language, ManualGuidance, Route, SpecIndex,
};
use bailiwick_toolchains::{
    Children, Compiler, Consent, Emitter, EmitterPackage, Isolation, ToolchainError, Toolchains,
};

use super::agents::{self, NoTools};
use super::classify::broken_specification;
use super::draft::{Draft, Drafted};
use super::editor::Editor;
use super::kept_index::{KeptIndex, made_with};
use super::languages::{granted, permitted, wanted};
use super::session::{CLIENT_FILE, SPEC, plain_content};
use super::typespec::collision;
use super::{CustomizeError, Prepared, Progress, Request, instructions, prepare};
use crate::comments::{Ledger, Review, Standing};
use crate::knowledge::Reference;
use crate::machine::{merge, unanswered};
use crate::plan::{EditedFile, Plan, PlannedEdit};
use crate::surface::foreseen;
use crate::typespec::{ProbeRequest, Project, probe};

/// Which compiler may read a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// The repository's own, once a person approved it: what is read leads to a run with that compiler.
    Approved,
    /// The same, or the one whose lock is part of this program where the repository's was never approved. A dry run
    /// generates nothing, so that it needs no code that a person has to approve.
    ApprovedOrShipped,
}

/// What a dry run works with: of a [`super::Customizer`] the part that reads.
pub struct Planner {
    /// Classifies.
    pub backend: Arc<dyn Backend>,
    /// Drafts the edit from what was understood. It answers the same each time and asks no provider.
    pub editor: Editor,
    /// The most that the classification may cost, in millionths of one unit of money.
    pub money: Option<u64>,
    /// Starts the compiler where its view of the specification is not in the cache.
    pub supervisor: Supervisor,
    /// Whether the compiler is confined.
    pub isolation: Isolation,
    /// Who decides about an emitter that was never approved, where a run follows.
    pub consent: Consent,
    /// Where toolchains are installed and views of specifications are kept.
    pub cache: PathBuf,
    /// Told what is being done.
    pub progress: Progress,
}

impl Planner {
    /// What would be done about a request.
    ///
    /// # Errors
    /// See [`CustomizeError`]: the input cannot be used, or the specification cannot be read.
    pub async fn plan(&self, request: &Request) -> Result<Plan, CustomizeError> {
        let work = self.reading(request).await?;
        let classification = match request.directives.is_empty() {
            true => self.understood(&request.text, &work).await?,
            false => self.resolve(request, &work.prepared, &work.index)?,
        };
        let edit = self.edit(request, &work, &classification).await?;
        Ok(Plan::new(work.language(), request.scope, &classification, &edit))
    }

    /// What would be done about the comments of a review, each read for itself. The request has everything but a text.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    pub async fn review(&self, request: &Request, review: &Review) -> Result<Reviewed, CustomizeError> {
        let work = self.reading(request).await?;
        let mut threads = Vec::new();
        for comment in review.comments.iter().filter(|comment| comment.standing == Standing::Open) {
            let mut classification = self.understood(&comment.request, &work).await?;
            for item in &mut classification.items {
                item.id = format!("{}/{}", comment.id, item.id);
            }
            threads.push(classification);
        }
        contradicted(&mut threads);
        let all = Classification {
            items: threads.iter().flat_map(|thread| thread.items.clone()).collect(),
            background: threads.iter().flat_map(|thread| thread.background.clone()).collect(),
        };
        let edit = self.edit(request, &work, &all).await?;
        let of = |classification: &Classification| Plan::new(work.language(), request.scope, classification, &edit);
        let plans: Vec<Plan> = threads.iter().map(of).collect();
        let planned = |item: &ItemVerdict| {
            let refused = edit.refused.iter().any(|(id, _)| *id == item.id);
            item.route == Route::PhaseA && !refused && !item.directives.is_empty()
        };
        let classification =
            Classification { items: all.items.iter().filter(|item| planned(item)).cloned().collect(), ..all.clone() };
        Ok(Reviewed { ledger: Ledger::new(review, &plans), plan: of(&all), classification })
    }

    async fn reading(&self, request: &Request) -> Result<Reading, CustomizeError> {
        let prepared = prepare(request)?;
        let index = self.index(&prepared, Reads::ApprovedOrShipped).await?;
        let reference = Reference::of(&prepared.project);
        Ok(Reading { prepared, index, reference })
    }

    async fn understood(&self, text: &str, work: &Reading) -> Result<Classification, CustomizeError> {
        match broken_specification(&work.index, text) {
            Some(broken) => Ok(broken),
            None => self.classify(text, work).await,
        }
    }

    /// The compiler's view of a package's specification: from the cache, or from the compiler.
    async fn index(&self, prepared: &Prepared, compiler: Reads) -> Result<SpecIndex, CustomizeError> {
        let Prepared { project, language, .. } = prepared;
        let language = language.language();
        let toolchains = Toolchains::open(&self.cache, self.supervisor.clone(), self.isolation)?;
        let mut on_progress = self.progress.toolchain();
        let node = toolchains.node(&mut on_progress).await?;
        let kept = |package: &EmitterPackage, emitter: Option<&Emitter>| {
            KeptIndex::of(&self.cache, project, &made_with(package, &node, emitter), language)
        };
        if project.emitter.is_locked()
            && let Some(index) = kept(&project.emitter, None)?.read()
        {
            return Ok(index);
        }
        let (toolchains, package) = self.compiler(toolchains, project, compiler).await?;
        if package.is_locked()
            && let Some(index) = kept(&package, None)?.read()
        {
            return Ok(index);
        }
        let python = toolchains.python(&mut on_progress).await?;
        let emitter = toolchains.emitter(&package, &node, &python, &mut on_progress).await?;
        let kept = kept(&package, Some(&emitter))?;
        if let Some(index) = kept.read() {
            return Ok(index);
        }
        self.progress.say("reading the TypeSpec project");
        let work = tempfile::tempdir().map_err(CustomizeError::io(&std::env::temp_dir(), "written"))?;
        let request = ProbeRequest { project, language, client: None, work: work.path() };
        let children = Children::new(self.supervisor.clone(), self.isolation);
        let index = probe(request, Compiler { node: &node, emitter: &emitter }, &children).await?;
        kept.keep(&index);
        Ok(index)
    }

    /// The packages that a project is read with.
    async fn compiler(
        &self,
        toolchains: Toolchains,
        project: &Project,
        compiler: Reads,
    ) -> Result<(Toolchains, EmitterPackage), CustomizeError> {
        match compiler {
            Reads::Approved => {
                let toolchains = toolchains.with_consent(self.consent.clone());
                toolchains.approved(&project.emitter).await?;
                Ok((toolchains, project.emitter.clone()))
            }
            Reads::ApprovedOrShipped => match toolchains.approved(&project.emitter).await {
                Ok(()) => Ok((toolchains, project.emitter.clone())),
                Err(ToolchainError::Unapproved { emitter, .. }) => {
                    self.progress.say(&format!(
                        "{emitter} was never approved here, so bailiwick's own TypeSpec compiler reads the project"
                    ));
                    Ok((toolchains, EmitterPackage::shipped()?))
                }
                Err(error) => Err(error.into()),
            },
        }
    }

    /// What the directives of a request name.
    pub(super) async fn directed(
        &self,
        request: &Request,
        prepared: &Prepared,
    ) -> Result<Classification, CustomizeError> {
        self.resolve(request, prepared, &self.index(prepared, Reads::Approved).await?)
    }

    fn resolve(
        &self,
        request: &Request,
        prepared: &Prepared,
        index: &SpecIndex,
    ) -> Result<Classification, CustomizeError> {
        let language = prepared.language.language();
        Ok((self.editor.resolve)(&request.directives, index, language, &request.languages)?)
    }

    async fn classify(&self, text: &str, work: &Reading) -> Result<Classification, CustomizeError> {
        let task = ClassifyTask {
            request: text.to_owned(),
            language: work.language(),
            index: work.index.clone(),
            history: String::new(),
            validation: None,
            first: None,
        };
        let instructions = instructions::classification(&task, &work.reference)?;
        let task = AgentTask::from(task).to_value()?;
        let agent = Microagent::<Classification>::templated(instructions, task, agents::classifier_budget());
        let agent = agents::with_cost_limit(agent, self.money);
        let outcome = bailiwick_agent::run(&agent, &NoTools, self.backend.as_ref(), &mut Transcript::discarded()).await;
        match outcome {
            Ok(completed) => {
                let background = completed.result.background.clone();
                Ok(Classification { items: merge(&[], text, completed.result), background })
            }
            Err(error @ AgentError::Definition(_)) => Err(error.into()),
            // As in a run: an answer that did not come is for a person.
            Err(error) => {
                let items = unanswered(&[], text, &format!("the classifier failed: {error}"));
                Ok(Classification { items, background: Vec::new() })
            }
        }
    }

    /// The edit for all items at once; where that cannot be made, for those one after the other that can be carried out
    /// beside the ones before them.
    async fn edit(
        &self,
        request: &Request,
        work: &Reading,
        classification: &Classification,
    ) -> Result<PlannedEdit, CustomizeError> {
        if !request.scope.edits_specification() {
            return Ok(PlannedEdit::default());
        }
        let Reading { prepared, index, reference } = work;
        let items: Vec<ItemVerdict> = items_of(classification).cloned().collect();
        // What only a model understood, only the model edits: that is for the run.
        let typed = items.iter().all(|item| !item.directives.is_empty());
        if items.is_empty() || !(typed || self.backend.name() == self.editor.backend.name()) {
            return Ok(PlannedEdit::default());
        }
        let draft = Draft {
            editor: self.editor.backend.as_ref(),
            request: &request.text,
            language: work.language(),
            // What it needs beside the package's language the plan says; whether it may, the run asks.
            permitted: permitted(work.language(), &wanted(&items, work.language(), &request.languages)),
            granted: if request.directives.is_empty() { Vec::new() } else { granted(&items) },
            index,
            reference,
            main: &prepared.project.main,
            before: plain_content(&prepared.project.directory, CLIENT_FILE)?,
        };
        let mut planned = PlannedEdit::default();
        let mut after = match self.drafted(&draft, prepared, &items).await? {
            Ok(after) => after,
            Err(guidance) if items.len() == 1 => {
                planned.refused.extend(items.into_iter().map(|item| (item.id, guidance.clone())));
                return Ok(planned);
            }
            Err(_) => {
                let (mut accepted, mut after) = (Vec::new(), draft.before.clone());
                for item in items {
                    accepted.push(item.clone());
                    match self.drafted(&draft, prepared, &accepted).await? {
                        Ok(text) => after = text,
                        Err(guidance) => {
                            accepted.pop();
                            planned.refused.push((item.id, guidance));
                        }
                    }
                }
                after
            }
        };
        let carried_out = items_of(classification).filter(|item| !planned.refused.iter().any(|(id, _)| *id == item.id));
        let directives: Vec<&Directive> = carried_out.flat_map(|item| &item.directives).collect();
        planned.surface = foreseen(work.language(), index, &directives);
        if after != draft.before
            && let Some(after) = after.take()
        {
            planned.file = Some(EditedFile { path: format!("{SPEC}/{CLIENT_FILE}"), before: draft.before, after });
        }
        Ok(planned)
    }

    async fn drafted(
        &self,
        draft: &Draft<'_>,
        prepared: &Prepared,
        items: &[ItemVerdict],
    ) -> Result<Result<Option<Vec<u8>>, ManualGuidance>, CustomizeError> {
        Ok(match draft.edit(items).await? {
            Drafted::Refused(guidance) => Err(guidance),
            Drafted::Accepted { after, result } => {
                let package = &prepared.project.package;
                match collision(prepared.language.as_ref(), package, &result.renames)? {
                    Some(guidance) => Err(guidance),
                    None => Ok(after),
                }
            }
        })
    }
}

fn items_of(classification: &Classification) -> impl Iterator<Item = &ItemVerdict> {
    classification.items.iter().filter(|item| item.route == Route::PhaseA)
}

/// A package with what is read for it.
struct Reading {
    prepared: Prepared,
    index: SpecIndex,
    reference: Reference,
}

impl Reading {
    fn language(&self) -> Language {
        self.prepared.language.language()
    }
}

/// What the comments of a review come to.
#[derive(Debug, Clone)]
pub struct Reviewed {
    /// A row for each comment.
    pub ledger: Ledger,
    /// All of it together, with the edit.
    pub plan: Plan,
    /// What would be carried out, for [`Request::classified`].
    pub classification: Classification,
}

/// Comments that ask for different things of one target are for a person, both of them.
fn contradicted(threads: &mut [Classification]) {
    let all: Vec<(String, Change)> = threads
        .iter()
        .flat_map(|thread| &thread.items)
        .filter(|item| item.route == Route::PhaseA)
        .flat_map(|item| item.directives.iter().map(|one| (item.id.clone(), one.change.clone())))
        .collect();
    for item in threads.iter_mut().flat_map(|thread| &mut thread.items) {
        let other = all
            .iter()
            .find(|(id, change)| *id != item.id && item.directives.iter().any(|one| contradict(&one.change, change)));
        let Some((other, _)) = other.filter(|_| item.route == Route::PhaseA) else { continue };
        let comment = other.rsplit_once('/').map_or(other.as_str(), |(comment, _)| comment);
        item.route = Route::Failure;
        item.guidance = Some(ManualGuidance {
            issue: item.reason.clone(),
            files: Vec::new(),
            approach: "agree on one of the two, resolve the other comment, and ask again".into(),
            reason: format!("comment {comment} asks for something else of the same target"),
        });
    }
}

fn contradict(one: &Change, other: &Change) -> bool {
    if one.target().is_none() || one.target() != other.target() || one == other {
        return false;
    }
    let group = |change: &Change| match change {
        Change::Rename { .. } => 0,
        Change::Hide { .. } | Change::Show { .. } => 1,
        Change::Move { .. } => 2,
        Change::Decorate { .. } | Change::Undecorate { .. } => 3,
        Change::Client { .. } | Change::Repair { .. } => 4,
    };
    group(one) == group(other)
}
