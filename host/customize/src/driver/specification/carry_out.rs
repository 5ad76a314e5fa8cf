//! From a request about a specification to the edit that landed.

use bailiwick_runs::ApplyError;
use bailiwick_sdk::tasks::{
    Change, Classification, Diagnostic, ItemVerdict, ManualGuidance, Route, SpecIndex, TypespecTask,
};

use super::run::{Came, SpecificationRun};
use super::{SpecificationRequest, Subject};
use crate::driver::attempt::{Attempt, Attempted, Judging, STAGE_LIMITS, View};
use crate::driver::languages::{granted, kept_to, permitted};
use crate::driver::planner::{Asked, Planner, Reading};
use crate::driver::reference::read_reference;
use crate::driver::roots::{CLIENT_FILE, SPEC, path_of_client};
use crate::driver::staged::staged;
use crate::driver::typespec::apply;
use crate::driver::{CustomizeError, Customizer};
use crate::gate::{Landing, missing_typespec_changes, typespec_changes};
use crate::machine::{MAX_ATTEMPTS, diagnostic_line};
use crate::plan::{EditedFile, Plan, PlannedEdit};
use crate::response::SpecificationResponse;
use crate::surface::{LanguageEffect, between};

impl Customizer {
    /// Customizes a specification without a package: nothing is generated and nothing is built, and the answer says so.
    /// Taken back when `cancelled` ends before it does.
    ///
    /// # Errors
    /// As for [`Self::customize_until`]. What the compiler or the gate refuses is no error but an answer.
    pub async fn customize_specification_until(
        &self,
        request: &SpecificationRequest,
        cancelled: impl Future<Output = ()>,
    ) -> Result<SpecificationResponse, CustomizeError> {
        let request = request.clone().with_scopes();
        let subject = request.prepare()?;
        let planner = self.planner();
        tokio::pin!(cancelled);
        // Nothing is begun for directives that cannot be carried out.
        let understood = match request.directives.is_empty() {
            true => request.classified.clone(),
            false => {
                let resolved = async {
                    let work = planner.reading_specification(&subject).await?;
                    planner.resolve(Asked::of_specification(&request), &work)
                };
                Some(self.begun(resolved, &mut cancelled).await?)
            }
        };
        let begin = SpecificationRun::begin(self, &subject, &request.text);
        let mut run = self.begun(begin, &mut cancelled).await?;
        let came = tokio::select! {
            biased;
            came = run.carry_out(&planner, &request, &subject, understood) => Some(came),
            () = &mut cancelled => None,
        };
        match came {
            Some(came) => run.end(came?),
            None => {
                run.take_back().await?;
                Err(CustomizeError::Cancelled)
            }
        }
    }
}

impl SpecificationRun<'_> {
    async fn carry_out(
        &mut self,
        planner: &Planner,
        request: &SpecificationRequest,
        subject: &Subject,
        understood: Option<Classification>,
    ) -> Result<Came, CustomizeError> {
        let reading = self.step_called("specification");
        let mut work = planner.reading_specification(subject).await?;
        work.reference = read_reference(&self.project, &self.customizer.progress);
        drop(reading);
        let classification = match understood {
            Some(understood) => understood,
            None => {
                let _step = self.step_called("classification");
                self.customizer.progress.say("classifying the request");
                planner.understood(&request.text, &work, &mut self.transcript).await?
            }
        };
        let (first, others) = (work.language(), request.languages.get(1..).unwrap_or_default());
        let classification = kept_to(classification, first, others);
        self.record("classified", &classification)?;
        let planned = planner.edit(Asked::of_specification(request), &work, &classification).await?;
        let mut came = Came { background: classification.background.clone(), ..Came::default() };
        let mut items = Vec::new();
        for item in &classification.items {
            let refused = planned.refused.iter().find(|(id, _)| *id == item.id).map(|(_, guidance)| guidance.clone());
            match (item.route, refused) {
                (Route::Success, _) => came.settled.push(item.reason.clone()),
                (Route::Failure, _) => came.guidance.push(item.guidance.clone().unwrap_or_else(|| by_hand(item))),
                (Route::PhaseA, Some(refused)) => came.guidance.push(refused),
                (Route::PhaseA, None) if is_repair(item) => came.guidance.push(without_a_package(item)),
                (Route::PhaseA, None) => items.push(item.clone()),
            }
        }
        if !items.is_empty() {
            self.edit(request, &work, &classification, items, &mut came).await?;
        }
        Ok(came)
    }

    /// At most as many attempts as a phase has, each told what the one before it was refused for.
    async fn edit(
        &mut self,
        request: &SpecificationRequest,
        work: &Reading,
        classification: &Classification,
        items: Vec<ItemVerdict>,
        came: &mut Came,
    ) -> Result<(), CustomizeError> {
        let _step = self.step_called("edit of client.tsp");
        let customizer = self.customizer;
        // What only a model understood, only the model edits.
        let typed = items.iter().all(|item| !item.directives.is_empty());
        let backend = if typed { &customizer.editor.backend } else { &customizer.backend };
        let attempts = if backend.name() == customizer.editor.backend.name() { 1 } else { MAX_ATTEMPTS };
        let mut feedback: Vec<Diagnostic> = Vec::new();
        for attempt in 1..=attempts {
            customizer.progress.say(&format!("editing `client.tsp` (attempt {attempt} of {attempts})"));
            let task = TypespecTask {
                items: items.clone(),
                request: request.text.clone(),
                language: work.language(),
                index: work.view().before.clone(),
                client_file: path_of_client(),
                main_file: self.project.main.clone(),
                feedback: std::mem::take(&mut feedback),
            };
            let judging = self.judging(request, work, &items)?;
            let stage = self.work.join(format!("stage-{attempt}"));
            let attempt = Attempt {
                staged: staged(
                    customizer,
                    (SPEC, &self.project.directory),
                    &stage,
                    &[CLIENT_FILE.to_owned()],
                    STAGE_LIMITS,
                )?,
                customizer,
                backend: backend.clone(),
                run: &self.run,
                transcript: &mut self.transcript,
                reference: &work.reference,
                task,
                judging,
            };
            let Attempted { result, decided } = attempt.make().await?;
            let message = match result {
                Ok(result) => match result.failure {
                    Some(guidance) => {
                        came.guidance.push(guidance);
                        return Ok(());
                    }
                    None => match decided.accepted {
                        Some((landings, indexes)) => {
                            return self.land(work, classification, (landings, indexes), &result.changes, came);
                        }
                        None => "the edit was not judged".to_owned(),
                    },
                },
                Err(message) => message,
            };
            feedback = decided.not_landed(&message).diagnostics;
            self.record("refused", &feedback)?;
        }
        came.guidance.extend(items.iter().map(|item| refused(item, &feedback)));
        Ok(())
    }

    fn judging(
        &self,
        request: &SpecificationRequest,
        work: &Reading,
        items: &[ItemVerdict],
    ) -> Result<Judging, CustomizeError> {
        let others = request.languages.get(1..).unwrap_or_default();
        Ok(Judging {
            project: self.project.clone(),
            compiler: self.compiler.clone(),
            children: self.children.called("compiler"),
            residents: self.customizer.residents.clone(),
            views: work.views.clone(),
            permitted: permitted(work.language(), others),
            granted: if request.directives.is_empty() { Vec::new() } else { granted(items) },
            original: self.run.before(SPEC, CLIENT_FILE)?,
            work: self.work.clone(),
        })
    }

    /// Writes what was accepted, and says what it does to the client of each language.
    fn land(
        &mut self,
        work: &Reading,
        classification: &Classification,
        (landings, indexes): (Vec<Landing>, Vec<SpecIndex>),
        claimed: &[bailiwick_sdk::tasks::TypeSpecChange],
        came: &mut Came,
    ) -> Result<(), CustomizeError> {
        let effect = |(view, after): (&View, &SpecIndex)| {
            let changes = typespec_changes(&view.before, after, &path_of_client());
            LanguageEffect {
                language: view.language,
                public_surface: between(view.language, &view.before, after, &changes),
            }
        };
        if landings.is_empty() {
            let asked = classification.items.iter().filter(|item| item.route == Route::PhaseA);
            came.settled.extend(asked.map(|item| format!("`client.tsp` says so already: {}", item.reason)));
            return Ok(());
        }
        if !self.surroundings_stand()? {
            came.guidance.push(edited_meanwhile("another file of the TypeSpec project changed while it was compiled"));
            return Ok(());
        }
        let first = work.views.first().zip(indexes.first());
        let changes = first.map(|(view, after)| typespec_changes(&view.before, after, &path_of_client()));
        came.changes = changes.unwrap_or_default();
        came.effects = work.views.iter().zip(&indexes).map(effect).collect();
        self.show_plan(work, classification, &landings, &came.effects)?;
        match apply(&mut self.run, SPEC, landings) {
            Ok(()) => {}
            Err(CustomizeError::Apply(error @ (ApplyError::Conflict { .. } | ApplyError::NotAFile { .. }))) => {
                (came.changes, came.effects) = Default::default();
                came.guidance.push(edited_meanwhile(&error.to_string()));
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        for change in &came.changes {
            let scope = if change.scope.is_empty() { "every language" } else { &change.scope };
            self.customizer.progress.say(&format!("@@{} on {} for {scope}", change.decorator_name, change.target));
        }
        let missing = missing_typespec_changes(claimed, &came.changes);
        came.guidance.extend(missing.into_iter().map(|claim| not_in_the_diff(&claim)));
        Ok(())
    }

    /// Says what is about to be done, where somebody listens.
    fn show_plan(
        &self,
        work: &Reading,
        classification: &Classification,
        landings: &[Landing],
        effects: &[LanguageEffect],
    ) -> Result<(), CustomizeError> {
        let before = self.run.before(SPEC, CLIENT_FILE)?;
        let file = landings.first().map(|landing| EditedFile {
            path: path_of_client(),
            before,
            after: landing.content.clone(),
        });
        let edit = PlannedEdit { compiled: true, file, effects: effects.to_vec(), ..PlannedEdit::default() };
        let scope = crate::machine::EditScope::SpecInputs;
        self.customizer.progress.planned(
            &Plan::new(work.language(), scope, classification, &edit)
                .allowing(work.language(), &bailiwick_sdk::tasks::Language::ALL),
        );
        Ok(())
    }
}

/// Whether an item is about hand-written code alone.
fn is_repair(item: &ItemVerdict) -> bool {
    let mut changes = item.directives.iter().map(|directive| &directive.change).peekable();
    changes.peek().is_some() && changes.all(|change| matches!(change, Change::Repair { .. }))
}

fn guidance(issue: &str, approach: &str, reason: String) -> ManualGuidance {
    ManualGuidance { issue: issue.to_owned(), files: vec![path_of_client()], approach: approach.to_owned(), reason }
}

fn without_a_package(item: &ItemVerdict) -> ManualGuidance {
    let approach = "ask for it with `--package-path`, for the package whose code it is";
    let reason = "it is about hand-written code, and a specification has none".to_owned();
    ManualGuidance { files: Vec::new(), ..guidance(&item.text, approach, reason) }
}

fn by_hand(item: &ItemVerdict) -> ManualGuidance {
    let approach = "do it by hand, or ask for it in other words or as a directive";
    ManualGuidance { files: Vec::new(), ..guidance(&item.text, approach, item.reason.clone()) }
}

fn refused(item: &ItemVerdict, diagnostics: &[Diagnostic]) -> ManualGuidance {
    let said: Vec<String> = diagnostics.iter().map(diagnostic_line).collect();
    guidance(&item.text, "edit the file by hand, or ask for something else", said.join("\n"))
}

fn edited_meanwhile(reason: &str) -> ManualGuidance {
    let approach = "ask again when nobody else edits the specification";
    guidance("the edit was not written", approach, reason.to_owned())
}

fn not_in_the_diff(claim: &str) -> ManualGuidance {
    let approach = "compare the diff with what you asked for";
    guidance("the agent claims what is not there", approach, format!("the edit does not have {claim}"))
}
