//! A plan as text for people.

use std::fmt::{self, Write};

use bailiwick_sdk::tasks::Decorator;

use super::{ActionKind, Plan, PlanOutcome, PlannedAction};

/// The title of what a request may ask for.
pub(crate) const CANDIDATES: &str = "may be asked for, and is not done; give what is meant";

impl Plan {
    /// The whole plan as text: what would be done and why, what was read as background, what is for a person, and the diff.
    #[must_use]
    pub fn format(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text.trim_end().to_owned()
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        match self.outcome {
            PlanOutcome::Planned => writeln!(text, "planned: {} to do", counted(self.actions.len(), "action"))?,
            PlanOutcome::Guidance => {
                writeln!(
                    text,
                    "guidance: nothing would be done, {} for a person",
                    counted(self.guidance.len(), "item")
                )?;
            }
            PlanOutcome::Nothing => writeln!(text, "nothing to do")?,
        }
        for action in &self.actions {
            writeln!(text, "  - {}", action.words())?;
            if !action.basis.is_empty() {
                writeln!(text, "      because of: {}", on_one_line(&action.basis))?;
            }
        }
        if let Some(scope) = &self.needs_scope {
            writeln!(text, "\nit changes more than the package's language: carry it out with `--scope {scope}`")?;
        }
        if let Some(obstacle) = &self.obstacle {
            writeln!(text, "\nit cannot be carried out as it is: {obstacle}")?;
        }
        if let Some(surface) = &self.public_surface {
            let (title, lines) = surface.lines();
            writeln!(text, "\n{title}")?;
            lines.iter().try_for_each(|line| writeln!(text, "  - {line}"))?;
        }
        for effect in &self.effects {
            let (title, lines) = effect.lines();
            writeln!(text, "\n{title}")?;
            lines.iter().try_for_each(|line| writeln!(text, "  - {line}"))?;
        }
        list(text, CANDIDATES, &offers(&self.candidates))?;
        list(text, "settled", &self.settled)?;
        list(text, "background", &self.background)?;
        for (number, guidance) in self.guidance.iter().enumerate() {
            writeln!(text, "\nby hand, {} of {}", number + 1, self.guidance.len())?;
            part(text, "issue", &guidance.issue)?;
            if !guidance.files.is_empty() {
                part(text, "files", &guidance.files.join("\n"))?;
            }
            part(text, "approach", &guidance.approach)?;
            part(text, "reason", &guidance.reason)?;
        }
        if !self.diff.is_empty() {
            let seen = if self.compiled { "" } else { ", which the compiler has not read yet" };
            write!(text, "\nedit of the specification{seen}\n{}", self.diff)?;
        }
        Ok(())
    }
}

impl PlannedAction {
    /// One line: `rename the model A.B to C (python, java)`.
    #[must_use]
    pub fn words(&self) -> String {
        let target = |verb: &str| {
            let kind = self.kind.as_deref().map(|kind| format!("{kind} ")).unwrap_or_default();
            format!("{verb} the {kind}`{}`", self.target.as_deref().unwrap_or_default())
        };
        let name = || self.name.as_deref().unwrap_or_default();
        let decorator = || self.decorator.map_or("", Decorator::name);
        let what = match self.action {
            ActionKind::Rename => format!("{} to `{}`", target("rename"), name()),
            ActionKind::Hide => target("hide"),
            ActionKind::Show => target("show"),
            ActionKind::Move => format!("{} to `{}`", target("move"), self.to.as_deref().unwrap_or_default()),
            ActionKind::Decorate => {
                let with = self.value.as_ref().map(|value| format!(" {value}")).unwrap_or_default();
                format!("{} with `@{}`{with}", target("decorate"), decorator())
            }
            ActionKind::Undecorate => target(&format!("take `@{}` off", decorator())),
            ActionKind::Client => {
                format!("make a client `{}` of {}", name(), counted(self.operations.len(), "operation"))
            }
            ActionKind::Repair if self.files.is_empty() => "regenerate, and repair hand-written code".to_owned(),
            ActionKind::Repair => format!("regenerate, and repair `{}`", self.files.join("`, `")),
            ActionKind::Edit => "edit `client.tsp`".to_owned(),
        };
        match &self.scope {
            Some(scope) => format!("{what} ({scope})"),
            None => what,
        }
    }

    /// What a person can confirm, with the option that does so where there is one: ``hide the model `A.B`: `--hide A.B` ``.
    fn offer(&self) -> String {
        let target = self.target.as_deref().unwrap_or_default();
        let option = match (self.action, &self.name, &self.to) {
            (ActionKind::Rename, Some(name), _) => format!("--rename {target}={name}"),
            (ActionKind::Move, _, Some(to)) => format!("--move {target}={to}"),
            (ActionKind::Hide, ..) => format!("--hide {target}"),
            (ActionKind::Show, ..) => format!("--show {target}"),
            _ => return self.words(),
        };
        format!("{}: `{option}`", self.words())
    }
}

/// A line for each candidate.
pub(crate) fn offers(candidates: &[PlannedAction]) -> Vec<String> {
    candidates.iter().map(PlannedAction::offer).collect()
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn list(text: &mut String, title: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n{title}")?;
    lines.iter().try_for_each(|line| writeln!(text, "  - {}", on_one_line(line)))
}

/// A named part whose further lines stand below its first.
fn part(text: &mut String, name: &str, value: &str) -> fmt::Result {
    writeln!(text, "  {:<9} {}", format!("{name}:"), value.trim_end().replace('\n', "\n            "))
}
