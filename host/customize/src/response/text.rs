//! The answer as text for people.

use std::fmt::{self, Write};

use bailiwick_sdk::tasks::ManualGuidance;

use super::model::{BuildResult, Response};
use crate::machine::{MAX_ATTEMPTS, Outcome};
use crate::plan::{CANDIDATES, counted, offers};

/// The characters of a piece of background that are shown.
const LINE: usize = 160;

impl Response {
    /// The whole answer as text: outcome, changes, build, guidance, next steps. The diff is left out unless the caller
    /// prints it too.
    #[must_use]
    pub fn format(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        let outcome = match self.outcome {
            Outcome::Success => "success",
            Outcome::Partial => "partial",
            Outcome::Failure => "failure",
        };
        writeln!(text, "{outcome}: {}", self.message)?;
        if let Some(code) = self.error_code {
            writeln!(text, "code: {code}")?;
        }
        writeln!(text, "run: {}", self.run_id)?;
        writeln!(
            text,
            "attempts: TypeSpec {} of {MAX_ATTEMPTS}, code {} of {MAX_ATTEMPTS}",
            self.phase_a_attempts, self.phase_b_attempts
        )?;
        if let Some(build) = &self.build_result {
            write_build(text, build)?;
        }
        if self.usage.turns > 0 {
            writeln!(text, "usage: {}", self.usage)?;
        }
        write_list(text, "changes", &self.changes_summary)?;
        if let Some(surface) = &self.public_surface {
            let (title, lines) = surface.lines();
            write_titled(text, &title, &lines)?;
        }
        write_list(text, "modified files", &self.modified_files)?;
        if !self.modified_files.is_empty() {
            self.write_directories(text)?;
        }
        write_list(text, "needs a change of the specification", &self.spec_change_required)?;
        write_list(text, "needs a change of customization files", &self.custom_code_change_required)?;
        write_background(text, &self.background)?;
        write_list(text, CANDIDATES, &offers(&self.candidates))?;
        write_guidance(text, &self.manual_guidance)?;
        write_list(text, "next steps", &self.next_steps)?;
        // A repository may have a directory of that name.
        if self.modified_files.is_empty() && self.directories.keys().any(|name| text.contains(&format!("{name}/"))) {
            self.write_directories(text)?;
        }
        Ok(())
    }

    fn write_directories(&self, text: &mut String) -> fmt::Result {
        let lines = self.directories.iter().map(|(name, directory)| format!("`{name}/` is `{directory}`"));
        writeln!(text, "  ({})", lines.collect::<Vec<_>>().join(", "))
    }
}

fn write_build(text: &mut String, build: &BuildResult) -> fmt::Result {
    let outcome = if build.success { "passed" } else { "failed" };
    let (errors, warnings) = (build.error_messages.len(), build.warning_messages.len());
    writeln!(text, "build: {outcome}, {}, {}", counted(errors, "error"), counted(warnings, "warning"))?;
    match build.known_messages.len() {
        0 => {}
        1 => writeln!(text, "known before the run: 1 error, which does not count")?,
        known => writeln!(text, "known before the run: {known} errors, which do not count")?,
    }
    build.error_messages.iter().try_for_each(|message| writeln!(text, "  {message}"))
}

pub(super) fn write_guidance(text: &mut String, all: &[ManualGuidance]) -> fmt::Result {
    for (index, guidance) in all.iter().enumerate() {
        writeln!(text, "\nby hand, {} of {}", index + 1, all.len())?;
        write_part(text, "issue", &guidance.issue)?;
        if !guidance.files.is_empty() {
            write_part(text, "files", &guidance.files.join("\n"))?;
        }
        write_part(text, "approach", &guidance.approach)?;
        write_part(text, "reason", &guidance.reason)?;
    }
    Ok(())
}

pub(super) fn write_list(text: &mut String, title: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    write_titled(text, title, lines)
}

/// One line for each piece of a request that was read as background.
pub(super) fn write_background(text: &mut String, pieces: &[String]) -> fmt::Result {
    let lines: Vec<String> = pieces.iter().map(|piece| one_line(piece)).collect();
    write_list(text, "read as background, which asks for nothing", &lines)
}

/// A piece on one line, cut where it is long.
fn one_line(piece: &str) -> String {
    let line = piece.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(LINE).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

pub(super) fn write_titled(text: &mut String, title: &str, lines: &[String]) -> fmt::Result {
    writeln!(text, "\n{title}")?;
    lines.iter().try_for_each(|line| writeln!(text, "  - {}", line.replace('\n', "\n    ")))
}

/// A named part whose further lines stand below its first.
fn write_part(text: &mut String, name: &str, value: &str) -> fmt::Result {
    writeln!(text, "  {:<9} {}", format!("{name}:"), value.trim_end().replace('\n', "\n            "))
}
