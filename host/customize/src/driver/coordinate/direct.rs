//! Directives in a workflow: the host edits `client.tsp` in the caller's place, by the code that carries out the
//! directives of a customization. What follows is the check of a reported edit.

use bailiwick_sdk::tasks::{AskedDirective, Classification, DirectiveError, ItemVerdict, Route, TypespecTask};

use super::super::attempt::Attempted;
use super::super::languages::permitted;
use super::super::roots::{SPEC, path_of_client};
use super::super::session::Session;
use super::super::typespec::collision;
use super::super::{CustomizeError, Customizer};
use super::edits::Edits;
use super::persist::{self, Kept};
use super::{CoordinateError, settled};
use crate::coordinator::{Answer, Check, Checked, FixType, Next, Phase, Report, Workflow};
use crate::machine::diagnostic_line;

impl Customizer {
    /// Has the host make the edit that directives say, in place of the caller. Taken where a workflow waits for a
    /// classification or for an edit of the specification; what follows is the check of a reported edit.
    ///
    /// # Errors
    /// See [`CoordinateError`]. Directives that cannot be carried out leave the workflow and both repositories as before.
    pub async fn direct(&self, id: &str, directives: &[AskedDirective]) -> Result<Answer, CoordinateError> {
        self.unless(self.take_directives(id, directives), std::future::pending()).await
    }

    pub(super) async fn take_directives(
        &self,
        id: &str,
        directives: &[AskedDirective],
    ) -> Result<Answer, CoordinateError> {
        let (record, kept) = persist::find(&self.store, id)?;
        // What the workflow does not wait for resumes nothing.
        received(&mut kept.settled().clone(), directives)?;
        let run = self.resumed(&record.id, id)?;
        let mut kept = Kept::resumed(&run)?;
        kept.settle_interrupted();
        let before = kept.before_step(&run);
        self.progress.began(run.id());
        kept.hold();
        let Some(check) = received(&mut kept.workflow, directives)? else { return settled(run, kept, before) };
        // What the caller has edited counts with it.
        if let Edits::Refused(violations) = self.judged(&run, &kept, check.after)? {
            kept.workflow.checked(&Checked::EditsRefused { violations });
            return settled(run, kept, before);
        }
        let prepared = self.prepared_again(&kept)?;
        let mut session = Session::resume(self, run, prepared, kept.index_before.clone()).await?;
        session.look_again().await?;
        let language = session.language.language();
        let named = (self.editor.resolve)(directives, &session.index, language, &[]).map_err(CustomizeError::from)?;
        session.direct(&named, directives).await?;
        kept.save(session.run.directory())?;
        let checked = session.check(&mut kept, FixType::Tsp).await?;
        session.settled(kept, before, &checked)
    }
}

/// Tells the workflow what a caller would report who has decided for TypeSpec and made this edit.
fn received(workflow: &mut Workflow, directives: &[AskedDirective]) -> Result<Option<Check>, CoordinateError> {
    let written: Vec<&str> = directives.iter().map(|one| one.written.as_str()).collect();
    if workflow.phase() == Phase::Classify {
        workflow.receive(&Report::Classification { tsp_applicable: true })?;
    }
    Ok(match workflow.receive(&Report::TspFixApplied { description: written.join(", ") })? {
        Next::Check(check) => Some(check),
        Next::Answer => None,
    })
}

impl Session<'_> {
    /// Edits `client.tsp` as directives say, once the gate and the compiler have accepted the edit.
    async fn direct(&mut self, named: &Classification, asked: &[AskedDirective]) -> Result<(), CoordinateError> {
        let items: Vec<ItemVerdict> = named.items.iter().filter(|item| item.route == Route::PhaseA).cloned().collect();
        if items.is_empty() {
            return Ok(());
        }
        let refused = |reason: String, approach: String| {
            let written = asked.iter().map(|one| one.written.as_str()).collect::<Vec<_>>().join(", ");
            CoordinateError::from(CustomizeError::from(DirectiveError::Refused { written, reason, approach }))
        };
        let task = TypespecTask {
            request: items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n"),
            items,
            language: self.language.language(),
            index: self.index.clone(),
            client_file: path_of_client(),
            main_file: self.project.main.clone(),
            feedback: Vec::new(),
        };
        let permitted = permitted(self.language.language(), &[]);
        let backend = self.customizer.editor.backend.clone();
        // The check of a workflow grants no legacy decorator either.
        let Attempted { result, decided } = self.attempted(task, backend, permitted, Vec::new()).await?;
        let result = match result {
            Ok(result) => result,
            Err(message) => {
                let said: Vec<String> = decided.not_landed(&message).diagnostics.iter().map(diagnostic_line).collect();
                return Err(refused(said.join("; "), "edit `client.tsp` yourself and report it".into()));
            }
        };
        let hidden = collision(self.language.as_ref(), &self.project.package, &result.renames)?;
        if let Some(guidance) = result.failure.or(hidden) {
            let files = guidance.files.join(", ");
            let place = if files.is_empty() { files } else { format!(" ({files})") };
            return Err(refused(format!("{}{place}", guidance.issue), guidance.approach));
        }
        if let Some((landings, _)) = decided.accepted.filter(|(landings, _)| !landings.is_empty()) {
            self.apply(SPEC, landings)?;
        }
        Ok(())
    }
}
