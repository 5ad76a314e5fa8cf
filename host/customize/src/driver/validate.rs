//! Validation of an attempt: regenerate, build, look for drift.

use std::time::Duration;

use bailiwick_sdk::tasks::{Diagnostic, Rename};

use crate::language::{DriftRequest, Judged, LanguageError, Verdict, open_package};
use crate::machine::{Before, Checked, Customizations, Event, Place, Regeneration as Ended, State};
use crate::recorded::Recorded;
use crate::response::{ChangedFile, Origin};
use crate::surface::code::Regenerated as Code;
use crate::typespec::{ChangedBy, OWN_PART, Outcome, PutBack, Regeneration, regenerate, shared_files};

use super::CustomizeError;
use super::building::{Building, WHILE_BUILT};
use super::proof::specification;
use super::roots::SDK;
use super::session::Session;
use super::stamps::{self, Index, REPEATED, Seen, Stamps};

/// What hand-written files held that a generation changed lies here, beneath `aside` of the run.
pub(super) const OF_GENERATION: &str = "generation";

/// So long is waited for what was generated to be there again.
const SETTLES: Duration = Duration::from_secs(1);
/// What is said of files that changed between a generation and the build after it.
const SINCE_GENERATED: &str = "files of the package changed after it was generated";

impl Session<'_> {
    /// Generates until what the generation left is known to be what it wrote: git may exchange files of the package, or what
    /// is generated from, before it has ended. Two generations that agree were not disturbed.
    pub(super) async fn regenerate(&mut self) -> Result<Event, CustomizeError> {
        let _step = self.step_called("regeneration");
        let mut left: Option<String> = None;
        for _ in 0..=REPEATED {
            self.witness_specification()?;
            let sources = self.sources()?;
            let index = Index::of(&self.project.sdk_root);
            let event = self.regenerate_once().await?;
            if !matches!(&event, Event::Regenerated { regeneration: Ended::Succeeded { .. } }) {
                return Ok(event);
            }
            let seen = Seen::of(&self.project.package)?;
            // In this order: git that writes files now is seen at its lock.
            let quiet = Index::of(&self.project.sdk_root) == index && self.read_one_specification(&sources)?;
            let agrees = left.replace(seen.digest.clone()).is_some_and(|left| left == seen.digest);
            self.witness.package = Some(seen);
            if quiet || agrees {
                return Ok(event);
            }
            self.customizer.progress.say("files changed, or git was at work, while the package was generated");
        }
        Ok(Event::Disturbed {
            message: "files changed, or git was at work, each time that the package was generated".to_owned(),
        })
    }

    fn sources(&self) -> Result<Vec<Stamps>, CustomizeError> {
        self.project.specification().directories().map(|(_, directory)| Stamps::of(directory)).collect()
    }

    /// Whether the specification was all the time what it was before the generation, or is another one now: that is told at
    /// the end of the run.
    fn read_one_specification(&self, before: &[Stamps]) -> Result<bool, CustomizeError> {
        let moved = self.sources()? != before;
        let now = if moved { Some(specification(&self.project.specification())?) } else { None };
        Ok(now.is_none() || now != self.witness.specification)
    }

    async fn regenerate_once(&mut self) -> Result<Event, CustomizeError> {
        let progress = &self.customizer.progress;
        let (package, emitter) = (self.project.package_name(), &self.tools.emitter.name);
        progress.say(&format!("regenerating {package} (tsp-client, {emitter}){}", self.of_attempt()));
        self.remember_customizations()?;
        let request = self.regeneration();
        let regenerated = regenerate(request, &self.tools, &self.children, &mut |_| {}).await?;
        self.keep_log("regenerate", &regenerated.log)?;
        progress.say(&format!(
            "{} after {:.1} s",
            if regenerated.outcome == Outcome::Succeeded { "regenerated" } else { "regeneration failed" },
            regenerated.wall.as_secs_f64()
        ));
        self.keep_put_back(&regenerated.put_back)?;
        self.carried_over(&regenerated.carried)?;
        let customizations = self.customizations()?;
        let (mut outcome, mut diagnostics) = (regenerated.outcome, regenerated.diagnostics);
        if outcome == Outcome::Succeeded {
            let missing = self.left_out().await?;
            if !missing.is_empty() {
                outcome = Outcome::Failed;
                diagnostics.extend(missing);
            }
        }
        // What a customization answers has no warnings of a generation that succeeded.
        for one in diagnostics.iter().filter(|one| !one.is_error() && one.code.as_deref() == Some(OWN_PART)) {
            progress.say(&format!("warning: {}: {}", one.place(), one.message));
        }
        let regeneration = match outcome {
            Outcome::Succeeded => Ended::Succeeded { customizations, diagnostics },
            Outcome::Failed => Ended::Failed { place: self.place(&diagnostics)?, customizations, diagnostics },
        };
        Ok(Event::Regenerated { regeneration })
    }

    /// What a generation that ended without an error left out of the package although the specification has it. Then the
    /// sources are put back to what they were when the run began.
    async fn left_out(&mut self) -> Result<Vec<Diagnostic>, CustomizeError> {
        let files = self.changed_files()?;
        if !self.code(&files).loses_names() {
            return Ok(Vec::new());
        }
        if self.index.clients.is_empty() {
            // A generation alone has not asked the compiler.
            self.index = self.present_index().await?;
        }
        let missing = self.code(&files).missing()?;
        if missing.is_empty() {
            return Ok(missing);
        }
        let package = open_package(&self.project.package)?;
        for file in files.iter().filter(|file| file.origin == Origin::Generator) {
            let Some(path) = file.path.strip_prefix(SDK).and_then(|path| path.strip_prefix('/')) else { continue };
            match &file.before {
                _ if !self.language.is_source(path) => {}
                Some(content) => drop(package.write(path, content).map_err(LanguageError::from)?),
                None => package.remove(path).map_err(LanguageError::from)?,
            }
        }
        Ok(missing)
    }

    /// The generated code, before the run and now.
    fn code<'c>(&'c self, files: &'c [ChangedFile]) -> Code<'c> {
        let (language, package) = (self.language.as_ref(), self.project.package.as_path());
        Code { language, package, files, before: &self.index_before, after: &self.index, changes: &[] }
    }

    fn regeneration(&self) -> Regeneration<'_> {
        Regeneration {
            project: &self.project,
            language: self.language.as_ref(),
            work: &self.work,
            customizations: &self.generated_with,
        }
    }

    /// Generated files in which a person wrote code that the emitter takes over.
    pub(super) fn shared_files(&self) -> Result<Vec<String>, CustomizeError> {
        Ok(shared_files(&self.regeneration(), &self.tools.emitter.name)?)
    }

    /// Keeps the texts of customizations that run inside the generator: as they stand, as the run found them, and as the
    /// recorded commit has them. One of them wrote what stands in generated code.
    fn remember_customizations(&mut self) -> Result<(), CustomizeError> {
        let recorded = Recorded::at_head(&self.project.sdk_root, &self.project.package);
        let files = self.language.customization_files(&self.project.package)?;
        for file in files.into_iter().filter(|file| self.language.runs_in_generator(file)) {
            // One that is not known is one less that may be taken for generated code.
            let committed = recorded.text(&file).known().map(String::into_bytes);
            for content in [self.content(SDK, &file)?, self.run.before(SDK, &file)?, committed].into_iter().flatten() {
                let text = String::from_utf8_lossy(&content).into_owned();
                if !self.generated_with.contains(&text) {
                    self.generated_with.push(text);
                }
            }
        }
        Ok(())
    }

    /// Keeps what stood in hand-written files that were put back: it may be a person's work.
    fn keep_put_back(&self, put_back: &[PutBack]) -> Result<(), CustomizeError> {
        let all = self.run.directory().join("aside");
        let aside = all.join(OF_GENERATION);
        let mut somebodys = Vec::new();
        for one in put_back {
            let Some(stood) = &one.stood else { continue };
            let path = aside.join(&one.path);
            let directory = path.parent().unwrap_or(&aside);
            std::fs::create_dir_all(directory).map_err(CustomizeError::io(directory, "created"))?;
            std::fs::write(&path, stood).map_err(CustomizeError::io(&path, "written"))?;
            if one.by == ChangedBy::Somebody {
                somebodys.push(one.path.as_str());
            }
        }
        if let [first, further @ ..] = &somebodys[..] {
            let further = if further.is_empty() { String::new() } else { format!(" and {} more", further.len()) };
            self.customizer.progress.say(&format!(
                "`{first}`{further} changed while the package was generated and was put back; what stood there is kept in `{}`",
                all.display()
            ));
        }
        Ok(())
    }

    /// Builds what the last generation left, or without a generation what stands there, until it stays so from the beginning of
    /// the build to its end. Without a `state`, as in a workflow, every error counts.
    pub(super) async fn build(&mut self, state: Option<&State>) -> Result<Event, CustomizeError> {
        let _step = self.step_called("build");
        let left = match self.witness.package.take() {
            Some(left) => left,
            None => Seen::of(&self.project.package)?,
        };
        let mut begins = left.again(&self.project.package)?;
        let mut message = stamps::disturbed(SINCE_GENERATED, &left.stamps.moved(&begins.stamps));
        // Of the build before, if no file of the package changed meanwhile.
        let mut verdict: Option<Verdict> = None;
        for _ in 0..=REPEATED {
            if begins.digest != left.digest {
                // A command of git may be about to bring it back.
                tokio::time::sleep(SETTLES).await;
                begins = begins.again(&self.project.package)?;
                if begins.digest != left.digest {
                    break;
                }
            }
            let index = Index::of(&self.project.sdk_root);
            let built = self.building().build(&self.of_attempt()).await?;
            let (built, before) = match state {
                Some(state) => self.compared(built, state).await?,
                None => (built, Before::default()),
            };
            let ends = begins.again(&self.project.package)?;
            let moved = begins.stamps.moved(&ends.stamps);
            begins = ends;
            // What a build reads beside the package git may have exchanged and brought back. Two builds that agree were not
            // disturbed.
            let quiet = Index::of(&self.project.sdk_root) == index;
            let agrees = verdict == Some(built.verdict);
            if moved.is_empty() && (quiet || agrees) {
                self.witness.package = Some(begins);
                return Ok(Event::Built { build: checked(built.verdict, built.diagnostics), before });
            }
            verdict = moved.is_empty().then_some(built.verdict);
            message = stamps::disturbed(WHILE_BUILT, &moved);
            self.customizer.progress.say(&message);
        }
        Ok(Event::Disturbed { message })
    }

    pub(super) fn building(&self) -> Building<'_> {
        Building {
            customizer: self.customizer,
            package: &self.project.package,
            repository: &self.project.sdk_root,
            language: self.language.as_ref(),
            checks: &self.checks,
            judged: Judged::AfterEdits,
            configuration: &self.configuration,
            tools: &self.tools.build,
            children: &self.children,
            work: &self.work,
            run: self.run.directory(),
        }
    }

    /// Which attempt of an agent is validated, for people; nothing where no agent edits.
    fn of_attempt(&self) -> String {
        self.attempt.as_ref().map_or_else(String::new, |attempt| format!("; {attempt}"))
    }

    /// Looks for customizations that ask for a name that nothing has any more, which no build notices.
    pub(super) fn check_drift(&self, renames: &[Rename]) -> Result<Event, CustomizeError> {
        let _step = self.step_called("drift check");
        let fresh = self.fresh_operations(renames)?;
        let before = self.generated_before()?;
        let (package, index) = (self.project.package.as_path(), &self.index);
        let request = DriftRequest { package, renames, fresh: &fresh, index, before: &before };
        let diagnostics = self.language.drift(request)?;
        let verdict = if diagnostics.is_empty() { Verdict::Passed } else { Verdict::Failed };
        Ok(Event::DriftChecked { drift: checked(verdict, diagnostics) })
    }

    /// Where a generation failed. Every error has to be in a customization: a repair there mends nothing else.
    fn place(&self, diagnostics: &[Diagnostic]) -> Result<Place, CustomizeError> {
        let files = self.language.customization_files(&self.project.package)?;
        let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).peekable();
        let any = errors.peek().is_some();
        let in_customization = |file: &String| {
            file.strip_prefix(SDK)
                .and_then(|path| path.strip_prefix('/'))
                .is_some_and(|path| files.iter().any(|known| known == path))
        };
        let all = errors.all(|error| error.file.as_ref().is_some_and(in_customization));
        Ok(if any && all { Place::Customization } else { Place::Generator })
    }

    fn customizations(&self) -> Result<Customizations, CustomizeError> {
        let files = self.language.customization_files(&self.project.package)?;
        let absent = files.is_empty() && self.shared_files()?.is_empty();
        Ok(if absent { Customizations::Absent } else { Customizations::Present })
    }
}

fn checked(verdict: Verdict, diagnostics: Vec<Diagnostic>) -> Checked {
    match verdict {
        Verdict::Passed => Checked::Passed { diagnostics },
        Verdict::Failed => Checked::Failed { diagnostics },
    }
}
