//! A dry run: what a request comes to. No run is begun, nothing is locked, regenerated or built, and no file of either
//! repository is written; the sandbox is not started either.
//!
//! With the compiler's view of the specification in the cache, no process is started: neither the package's build tools
//! nor the interpreter of the emitter is looked for.

mod review;
mod users;

use std::path::PathBuf;
use std::sync::Arc;

use bailiwick_agent::{AgentError, Backend, Microagent, Transcript};
use bailiwick_process::Supervisor;
use bailiwick_sdk::tasks::{
    AgentTask, AskedDirective, Classification, ClassifyTask, Directive, ItemVerdict, Language, ManualGuidance, Route,
    SpecIndex,
};
use bailiwick_toolchains::{
    Children, Compiler, Consent, Emitter, EmitterPackage, Isolation, ToolchainError, Toolchains,
};

use super::agents::{self, NoTools};
use super::attempt::View;
use super::classify::broken_specification;
use super::draft::{Draft, Drafted};
use super::editor::Editor;
use super::kept_index::{KeptIndex, made_with};
use super::languages::{granted, kept_to, permitted, wanted};
use super::prepare::obstacle;
use super::roots::{CLIENT_FILE, SPEC, plain_content};
use super::specification::{SpecificationRequest, Subject, of_all_languages};
use super::typespec::collision;
use super::{CustomizeError, Prepared, Progress, Request, instructions, prepare_plan};
use crate::comments::{Ledger, Review, Standing};
use crate::knowledge::Reference;
use crate::machine::{EditScope, merge, unanswered};
use crate::plan::{EditedFile, Plan, PlannedEdit};
use crate::surface::{LanguageEffect, foreseen};
use crate::typespec::{ProbeRequest, Residents, SpecProject};

pub use self::review::Reviewed;
use self::review::contradicted;

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
    /// Compilers that stay between two looks at a specification.
    pub residents: Residents,
    /// Told what is being done.
    pub progress: Progress,
}

impl Planner {
    /// What would be done about a request.
    ///
    /// # Errors
    /// See [`CustomizeError`]: the input cannot be used, or the specification cannot be read.
    pub async fn plan(&self, request: &Request) -> Result<Plan, CustomizeError> {
        Ok(self.understand(request).await?.1)
    }

    /// What was understood of a request, and what would be done about it.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    pub async fn understand(&self, request: &Request) -> Result<(Classification, Plan), CustomizeError> {
        let work = self.reading(request).await?;
        self.planned(Asked::of(request), &work).await
    }

    /// The same for a specification without a package.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    pub async fn plan_specification(&self, request: &SpecificationRequest) -> Result<Plan, CustomizeError> {
        let work = self.reading_specification(&request.prepare()?).await?;
        Ok(self.planned(Asked::of_specification(request), &work).await?.1)
    }

    async fn planned(&self, asked: Asked<'_>, work: &Reading) -> Result<(Classification, Plan), CustomizeError> {
        let classification = match asked.directives.is_empty() {
            true => self.understood(asked.text, work, &mut Transcript::discarded()).await?,
            false => self.resolve(asked, work)?,
        };
        // Where no language is the package's, there is none that the request could need beside those that were named.
        let classification = match work.package {
            Some(_) => classification,
            None => kept_to(classification, work.language(), asked.languages),
        };
        let classification = work.as_users_see(classification)?;
        let mut edit = self.edit(asked, work, &classification).await?;
        edit.by_hand = work.foretold(&classification, &edit)?;
        let plan = Plan::new(work.language(), asked.scope, &classification, &edit);
        let obstacle = work.package.as_ref().map_or(Ok(None), obstacle)?;
        Ok((classification, plan.allowing(work.language(), asked.languages).obstructed(obstacle)))
    }

    /// What would be done about the comments of a review, each read for itself. The request has everything but a text.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    pub async fn review(&self, request: &Request, review: &Review) -> Result<Reviewed, CustomizeError> {
        let work = self.reading(request).await?;
        self.reviewed(Asked::of(request), &work, review).await
    }

    /// The same for a specification without a package.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    pub async fn review_specification(
        &self,
        request: &SpecificationRequest,
        review: &Review,
    ) -> Result<Reviewed, CustomizeError> {
        let work = self.reading_specification(&request.prepare()?).await?;
        self.reviewed(Asked::of_specification(request), &work, review).await
    }

    async fn reviewed(&self, asked: Asked<'_>, work: &Reading, review: &Review) -> Result<Reviewed, CustomizeError> {
        let mut threads = Vec::new();
        let open = review.comments.iter().zip(1_usize..).filter(|(comment, _)| comment.standing == Standing::Open);
        for (comment, number) in open {
            let understood = self.understood(&comment.request, work, &mut Transcript::discarded()).await?;
            let mut classification = work.as_users_see(understood)?;
            for item in &mut classification.items {
                // Ids of comments need not differ: a file may be of several lists.
                item.id = format!("{number}.{}/{}", comment.id, item.id);
            }
            threads.push(classification);
        }
        contradicted(&mut threads);
        let all = Classification {
            items: threads.iter().flat_map(|thread| thread.items.clone()).collect(),
            background: threads.iter().flat_map(|thread| thread.background.clone()).collect(),
            candidates: threads.iter().flat_map(|thread| thread.candidates.clone()).collect(),
        };
        let edit = self.edit(asked, work, &all).await?;
        let of = |classification: &Classification| -> Result<Plan, CustomizeError> {
            let edit = PlannedEdit { by_hand: work.foretold(classification, &edit)?, ..edit.clone() };
            let plan = Plan::new(work.language(), asked.scope, classification, &edit);
            Ok(plan.allowing(work.language(), asked.languages))
        };
        let plans: Vec<Plan> = threads.iter().map(of).collect::<Result<_, _>>()?;
        let planned = |item: &ItemVerdict| {
            let refused = edit.refused.iter().any(|(id, _)| *id == item.id);
            item.route == Route::PhaseA && !refused && !item.directives.is_empty()
        };
        let classification =
            Classification { items: all.items.iter().filter(|item| planned(item)).cloned().collect(), ..all.clone() };
        let obstacle = work.package.as_ref().map_or(Ok(None), obstacle)?;
        Ok(Reviewed {
            ledger: Ledger::new(review, &plans),
            language: work.language(),
            plan: of(&all)?.obstructed(obstacle),
            classification,
        })
    }

    async fn reading(&self, request: &Request) -> Result<Reading, CustomizeError> {
        let prepared = prepare_plan(request)?;
        let project = prepared.project.specification();
        let asked = ViewRequest::of(&project, &prepared);
        let index = self.index(asked, Reads::ApprovedOrShipped).await?;
        let reference = Reference::of(&project);
        let view = View { language: asked.language, emitter: asked.emitter.to_owned(), before: index };
        Ok(Reading { project, package: Some(prepared), views: vec![view], reference })
    }

    /// A specification alone, read by bailiwick's own compiler.
    pub(super) async fn reading_specification(&self, subject: &Subject) -> Result<Reading, CustomizeError> {
        let Subject { project, languages } = subject;
        let package = EmitterPackage::shipped()?;
        let mut views = Vec::new();
        for language in languages.iter().copied() {
            let emitter = project.emitter_of(language)?;
            let asked = ViewRequest { project, emitter: &emitter, package: &package, language };
            let before = self.index(asked, Reads::Approved).await?;
            views.push(View { language, emitter, before });
        }
        Ok(Reading { project: project.clone(), package: None, views, reference: Reference::of(project) })
    }

    /// The request as it is read for the package's language, or for each language of a specification alone.
    pub(super) async fn understood(
        &self,
        text: &str,
        work: &Reading,
        transcript: &mut Transcript,
    ) -> Result<Classification, CustomizeError> {
        if let Some(broken) = work.views.iter().find_map(|view| broken_specification(&view.before, text)) {
            return Ok(broken);
        }
        let mut readings = Vec::new();
        for view in &work.views {
            readings.push((view.language, self.classify(text, view, work, transcript).await?));
        }
        match (work.package.is_some(), readings.pop()) {
            (true, Some((_, only))) => Ok(only),
            (_, last) => Ok(of_all_languages(readings.into_iter().chain(last))),
        }
    }

    /// The compiler's view of a specification: from the cache, or from the compiler.
    async fn index(&self, asked: ViewRequest<'_>, compiler: Reads) -> Result<SpecIndex, CustomizeError> {
        let ViewRequest { project, emitter: options, package: own, language } = asked;
        let toolchains = Toolchains::open(&self.cache, self.supervisor.clone(), self.isolation)?;
        let mut on_progress = self.progress.toolchain();
        let node = toolchains.node(&mut on_progress).await?;
        let kept = |package: &EmitterPackage, emitter: Option<&Emitter>| {
            KeptIndex::of(&self.cache, project, options, &made_with(package, &node, emitter), language)
        };
        if own.is_locked()
            && let Some(index) = kept(own, None)?.read()
        {
            return Ok(index);
        }
        let (toolchains, package) = self.compiler(toolchains, own, compiler).await?;
        if package.is_locked()
            && let Some(index) = kept(&package, None)?.read()
        {
            return Ok(index);
        }
        let python = toolchains.python(&mut on_progress).await?;
        let emitter = toolchains.emitter(&package, &node, &python, &mut on_progress).await?;
        let before = kept(&package, Some(&emitter))?;
        if let Some(index) = before.read() {
            return Ok(index);
        }
        self.progress.say("reading the TypeSpec project");
        let work = tempfile::tempdir().map_err(CustomizeError::io(&std::env::temp_dir(), "written"))?;
        let request = ProbeRequest { project, emitter: options, language, client: None, work: work.path() };
        let children = Children::new(self.supervisor.clone(), self.isolation);
        let index = self.residents.read(request, Compiler { node: &node, emitter: &emitter }, &children).await?;
        before.keep_if_same(&index, &kept(&package, Some(&emitter))?);
        Ok(index)
    }

    /// The packages that a project is read with.
    async fn compiler(
        &self,
        toolchains: Toolchains,
        own: &EmitterPackage,
        compiler: Reads,
    ) -> Result<(Toolchains, EmitterPackage), CustomizeError> {
        match compiler {
            Reads::Approved => {
                let toolchains = toolchains.with_consent(self.consent.clone());
                toolchains.approved(own).await?;
                Ok((toolchains, own.clone()))
            }
            Reads::ApprovedOrShipped => match toolchains.approved(own).await {
                Ok(()) => Ok((toolchains, own.clone())),
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
        let project = prepared.project.specification();
        let index = self.index(ViewRequest::of(&project, prepared), Reads::Approved).await?;
        Ok((self.editor.resolve)(&request.directives, &index, prepared.language.language(), &request.languages)?)
    }

    pub(super) fn resolve(&self, asked: Asked<'_>, work: &Reading) -> Result<Classification, CustomizeError> {
        let View { language, before, .. } = work.view();
        Ok((self.editor.resolve)(asked.directives, before, *language, asked.languages)?)
    }

    async fn classify(
        &self,
        text: &str,
        view: &View,
        work: &Reading,
        transcript: &mut Transcript,
    ) -> Result<Classification, CustomizeError> {
        let task = ClassifyTask {
            request: text.to_owned(),
            language: view.language,
            package: work.package.as_ref().map(|package| package.project.package_name()),
            index: view.before.clone(),
            history: String::new(),
            validation: None,
            first: None,
        };
        let instructions = instructions::classification(&task, &work.reference)?;
        let task = AgentTask::from(task).to_value()?;
        let agent = Microagent::<Classification>::templated(instructions, task, agents::classifier_budget());
        let agent = agents::with_cost_limit(agent, self.money);
        let outcome = bailiwick_agent::run(&agent, &NoTools, self.backend.as_ref(), transcript).await;
        match outcome {
            Ok(completed) => {
                let read = completed.result.clone();
                Ok(Classification { items: merge(&[], text, completed.result), ..read })
            }
            Err(error @ (AgentError::Transcript(_) | AgentError::Definition(_))) => Err(error.into()),
            // As in a run: an answer that did not come is for a person.
            Err(error) => {
                let items = unanswered(&[], text, &format!("the classifier failed: {error}"));
                Ok(Classification { items, ..Classification::default() })
            }
        }
    }

    /// The edit for all items at once; where that cannot be made, for those one after the other that can be carried out
    /// beside the ones before them.
    pub(super) async fn edit(
        &self,
        asked: Asked<'_>,
        work: &Reading,
        classification: &Classification,
    ) -> Result<PlannedEdit, CustomizeError> {
        if !asked.scope.edits_specification() {
            return Ok(PlannedEdit::default());
        }
        let index = &work.view().before;
        let items: Vec<ItemVerdict> = items_of(classification).cloned().collect();
        // What only a model understood, only the model edits: that is for the run.
        let typed = items.iter().all(|item| !item.directives.is_empty());
        if items.is_empty() || !(typed || self.backend.name() == self.editor.backend.name()) {
            return Ok(PlannedEdit::default());
        }
        let draft = Draft {
            editor: self.editor.backend.as_ref(),
            request: asked.text,
            language: work.language(),
            // What it needs beside the package's language the plan says; whether it may, the run asks.
            permitted: permitted(work.language(), &wanted(&items, work.language(), asked.languages)),
            granted: if asked.directives.is_empty() { Vec::new() } else { granted(&items) },
            index,
            reference: &work.reference,
            main: &work.project.main,
            before: plain_content(&work.project.directory, CLIENT_FILE)?,
        };
        let mut planned = PlannedEdit::default();
        let mut after = match self.drafted(&draft, work, &items).await? {
            Ok(after) => after,
            Err(guidance) if items.len() == 1 => {
                planned.refused.extend(items.into_iter().map(|item| (item.id, guidance.clone())));
                return Ok(planned);
            }
            Err(_) => {
                let (mut accepted, mut after) = (Vec::new(), draft.before.clone());
                for item in items {
                    accepted.push(item.clone());
                    match self.drafted(&draft, work, &accepted).await? {
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
        match work.package {
            Some(_) => planned.surface = foreseen(work.language(), index, &directives),
            None => planned.effects = work.views.iter().map(|view| view.foreseen(&directives)).collect(),
        }
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
        work: &Reading,
        items: &[ItemVerdict],
    ) -> Result<Result<Option<Vec<u8>>, ManualGuidance>, CustomizeError> {
        Ok(match draft.edit(items).await? {
            Drafted::Refused(guidance) => Err(guidance),
            Drafted::Accepted { after, result } => {
                let hidden = match &work.package {
                    // What stands in the specification already was decided before.
                    Some(Prepared { project, language, .. }) if after != draft.before => {
                        collision(language.as_ref(), &project.package, &result.renames)?
                    }
                    _ => None,
                };
                hidden.map_or(Ok(after), Err)
            }
        })
    }
}

fn items_of(classification: &Classification) -> impl Iterator<Item = &ItemVerdict> {
    classification.items.iter().filter(|item| item.route == Route::PhaseA)
}

/// What is asked, of a package or of a specification alone.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) text: &'a str,
    pub(super) directives: &'a [AskedDirective],
    /// The languages beside the first one that may change.
    pub(super) languages: &'a [Language],
    pub(super) scope: EditScope,
}

impl<'a> Asked<'a> {
    fn of(request: &'a Request) -> Self {
        let Request { text, directives, languages, scope, .. } = request;
        Self { text, directives, languages, scope: *scope }
    }

    pub(super) fn of_specification(request: &'a SpecificationRequest) -> Self {
        let SpecificationRequest { text, directives, languages, .. } = request;
        Self { text, directives, languages, scope: EditScope::SpecInputs }
    }
}

/// Whose view of which project is wanted.
#[derive(Clone, Copy)]
struct ViewRequest<'a> {
    project: &'a SpecProject,
    /// The emitter whose options apply.
    emitter: &'a str,
    /// Which emitter's compiler and libraries read it.
    package: &'a EmitterPackage,
    language: Language,
}

impl<'a> ViewRequest<'a> {
    fn of(project: &'a SpecProject, Prepared { project: whole, language, .. }: &'a Prepared) -> Self {
        Self { project, emitter: &whole.emitter.emitter, package: &whole.emitter, language: language.language() }
    }
}

/// A specification with what is read for it.
pub(super) struct Reading {
    pub(super) project: SpecProject,
    /// The package that is generated from it, where there is one.
    package: Option<Prepared>,
    /// How its languages see it: the package's, or all that a specification alone is customized for. Never empty.
    pub(super) views: Vec<View>,
    pub(super) reference: Reference,
}

impl Reading {
    /// The package's language, or the first one.
    pub(super) fn view(&self) -> &View {
        self.views.first().unwrap_or_else(|| unreachable!("a specification is read for a language"))
    }

    pub(super) fn language(&self) -> Language {
        self.view().language
    }
}

impl View {
    fn foreseen(&self, directives: &[&Directive]) -> LanguageEffect {
        LanguageEffect { language: self.language, public_surface: foreseen(self.language, &self.before, directives) }
    }
}
