//! Validation of an attempt: regenerate, build, look for drift.

use std::fmt::Write as _;

use bailiwick_agent::tasks::{Diagnostic, EntityKind, Rename};

use crate::language::{BuildRequest, Verdict};
use crate::machine::{Checked, Customizations, Event, Place, Regeneration as Ended};
use crate::typespec::{Outcome, Regeneration, regenerate};

use super::session::{SDK, Session};
use super::{CustomizeError, agents};

impl Session<'_> {
    pub(super) async fn regenerate(&mut self) -> Result<Event, CustomizeError> {
        let progress = &self.customizer.progress;
        progress.say(&format!("regenerating {} with {}", self.project.package_name(), self.tools.emitter.name));
        let request = Regeneration { project: &self.project, language: self.language.as_ref(), work: &self.work };
        let regenerated = regenerate(request, &self.tools, &self.children, &mut |_| {}).await?;
        self.keep_log("regenerate", &regenerated.log)?;
        progress.say(&format!(
            "{} after {:.1} s",
            if regenerated.outcome == Outcome::Succeeded { "regenerated" } else { "regeneration failed" },
            regenerated.wall.as_secs_f64()
        ));
        let customizations = self.customizations()?;
        let diagnostics = regenerated.diagnostics;
        let regeneration = match regenerated.outcome {
            Outcome::Succeeded => Ended::Succeeded { customizations, diagnostics },
            Outcome::Failed => Ended::Failed { place: Place::Generator, customizations, diagnostics },
        };
        Ok(Event::Regenerated { regeneration })
    }

    pub(super) async fn build(&mut self) -> Result<Event, CustomizeError> {
        let progress = &self.customizer.progress;
        progress.say(&format!("building {}", self.project.package_name()));
        let request = BuildRequest { package: &self.project.package, work: &self.work };
        let built = self.language.build(request, &self.tools, &self.children).await?;
        let mut log = built.log;
        for diagnostic in &built.diagnostics {
            // Writing to a string cannot fail.
            let _ = writeln!(log, "{}: {}", diagnostic.place(), diagnostic.message);
        }
        self.keep_log("build", &log)?;
        let errors = built.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        progress.say(&match built.verdict {
            Verdict::Passed => format!("built after {:.1} s", built.wall.as_secs_f64()),
            Verdict::Failed => format!("the build failed with {errors} errors after {:.1} s", built.wall.as_secs_f64()),
        });
        Ok(Event::Built { build: checked(built.verdict, built.diagnostics) })
    }

    /// Looks for hand-written code that still asks for a renamed member by its old name as text, which no type checker
    /// sees.
    pub(super) fn check_drift(&self, renames: &[Rename]) -> Result<Event, CustomizeError> {
        let mut diagnostics = Vec::new();
        for file in self.language.customization_files(&self.project.package)? {
            let path = self.project.package.join(&file);
            let text = std::fs::read_to_string(&path).map_err(CustomizeError::io(&path, "read"))?;
            for rename in renames.iter().filter(|rename| rename.kind == EntityKind::Property) {
                diagnostics.extend(drifted(&file, &text, rename));
            }
        }
        let verdict = if diagnostics.is_empty() { Verdict::Passed } else { Verdict::Failed };
        Ok(Event::DriftChecked { drift: checked(verdict, diagnostics) })
    }

    fn customizations(&self) -> Result<Customizations, CustomizeError> {
        let files = self.language.customization_files(&self.project.package)?;
        Ok(if files.is_empty() { Customizations::Absent } else { Customizations::Present })
    }
}

fn checked(verdict: Verdict, diagnostics: Vec<Diagnostic>) -> Checked {
    match verdict {
        Verdict::Passed => Checked::Passed { diagnostics },
        Verdict::Failed => Checked::Failed { diagnostics },
    }
}

fn drifted<'a>(file: &'a str, text: &'a str, rename: &'a Rename) -> impl Iterator<Item = Diagnostic> + 'a {
    let quoted = [format!("\"{}\"", rename.old), format!("'{}'", rename.old)];
    let asks = ["getattr(", "setattr(", "hasattr(", "delattr(", "attrgetter("];
    text.lines().enumerate().filter_map(move |(number, line)| {
        let code = line.split('#').next().unwrap_or_default();
        let drifts = asks.iter().any(|ask| code.contains(ask)) && quoted.iter().any(|name| code.contains(name));
        drifts.then(|| {
            let owner = rename.container.as_deref().unwrap_or("the model");
            let message =
                format!("`{}` of `{owner}` is called `{}` now and is asked for by name here", rename.old, rename.new);
            Diagnostic {
                line: u32::try_from(number + 1).ok(),
                symbol: Some(rename.old.clone()),
                ..agents::diagnostic("drift", Some("renamed-member"), Some(format!("{SDK}/{file}")), message)
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_asked_for_by_its_old_name_as_text_is_drift_and_a_remark_is_not() {
        let rename = Rename {
            kind: EntityKind::Property,
            container: Some("Widget".into()),
            old: "display_name".into(),
            new: "title".into(),
        };
        let text = "a = getattr(widget, \"display_name\")\nb = \"display_name\"\n# getattr(widget, 'display_name')\n";
        let found: Vec<_> = drifted("models/_patch.py", text, &rename).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place(), "sdk/models/_patch.py:1");
    }
}
