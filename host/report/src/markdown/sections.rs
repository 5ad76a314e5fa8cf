//! The sections, those that a reviewer needs first at the top and the long ones folded.

use super::code::{cell, fence, fenced, span};
use super::{sign, summary_code};
use crate::clip;
use crate::limits::Limits;
use crate::model::{DiagnosticLine, FileDiff, Report, Row, Totals};
use crate::{say, time};

/// Rows up to which a difference is shown unfolded.
const UNFOLDED: usize = 60;

/// Titles and bodies; a body can be empty.
pub(super) fn all(report: &Report, limits: &Limits) -> [(&'static str, String); 10] {
    [
        ("Request", request(report, limits)),
        ("To do by hand", by_hand(report, limits)),
        ("What changed", changes(report, limits)),
        ("Public surface", surface(report, limits)),
        ("Difference", difference(report, limits)),
        ("Diagnostics of the last build", diagnostics(&report.diagnostics, limits.list, limits)),
        ("Phases and attempts", attempts(report, limits)),
        ("Timeline", timeline(report, limits)),
        ("Cost", cost(report, limits)),
        ("Approve or revert", decide(report)),
    ]
}

fn request(report: &Report, limits: &Limits) -> String {
    if report.request.trim().is_empty() { String::new() } else { fence("text", &report.request, limits) }
}

fn by_hand(report: &Report, limits: &Limits) -> String {
    let mut text = String::new();
    for (index, guidance) in report.guidance.iter().take(limits.list).enumerate() {
        text.push_str(&format!("**{}.** {}\n\n", index + 1, span(&guidance.issue, limits.line)));
        if !guidance.files.is_empty() {
            let files: Vec<_> = guidance.files.iter().take(limits.inner).map(|file| span(file, limits.line)).collect();
            let more = more(guidance.files.len().saturating_sub(limits.inner));
            text.push_str(&format!("Where: {}\n\n{more}", files.join(", ")));
        }
        text.push_str(&format!("What to do:\n\n{}\n", fence("text", &guidance.approach, limits)));
        text.push_str(&format!("Why it was not done: {}\n\n", span(&guidance.reason, limits.line)));
    }
    text.push_str(&more(report.guidance.len().saturating_sub(limits.list)));
    text
}

fn changes(report: &Report, limits: &Limits) -> String {
    let lines = report.changes.iter().take(limits.list);
    let mut text: String = lines.map(|change| format!("- {}\n", span(change, limits.line))).collect();
    text.push_str(&more(report.changes.len().saturating_sub(limits.list)));
    text
}

fn surface(report: &Report, limits: &Limits) -> String {
    let Some((title, lines)) = report.surface.split_first() else { return String::new() };
    let items: String = lines.iter().take(limits.list).map(|one| format!("- {}\n", span(one, limits.line))).collect();
    format!("{}\n\n{items}{}", span(title, limits.line), more(lines.len().saturating_sub(limits.list)))
}

fn difference(report: &Report, limits: &Limits) -> String {
    let mut text = String::new();
    let mut left = limits.rows;
    for file in report.diff.iter().take(limits.list) {
        text.push_str(&one_file(file, &mut left, limits));
    }
    text.push_str(&more(report.diff.len().saturating_sub(limits.list)));
    if !report.generated.is_empty() {
        let all = report.generated.len() as u64 + report.more_generated;
        let lines = report
            .generated
            .iter()
            .take(limits.list)
            .map(|file| format!("{} {}", clip::line(&file.path, limits.line), clip::line(&file.change, 60)));
        let lines: Vec<_> = lines.collect();
        let more = more(usize::try_from(all).unwrap_or(usize::MAX).saturating_sub(lines.len()));
        let list = fenced("text", &lines.join("\n"));
        text.push_str(&folded(
            &format!("{}, written by the emitter", say::count(all, "generated file")),
            &format!("{list}{more}"),
            false,
        ));
    }
    text
}

fn one_file(file: &FileDiff, left: &mut usize, limits: &Limits) -> String {
    let path = summary_code(&file.path, limits.line);
    let title = format!("{path}: +{} −{}", file.added, file.removed);
    if file.rows.is_empty() {
        return folded(&title, &format!("{}\n", span(&file.change, limits.line)), false);
    }
    let shown = file.rows.len().min(*left);
    *left -= shown;
    let mut lines = String::new();
    let mut added = String::new();
    for row in &file.rows[..shown] {
        if !matches!(row, Row::Differs { .. }) {
            lines.push_str(&std::mem::take(&mut added));
        }
        let line = |sign: char, text: &str| format!("{sign}{}\n", clip::code_line(text, limits.line));
        match row {
            Row::Gap { at: (old, new) } => lines.push_str(&format!("@@ -{old} +{new} @@\n")),
            Row::Same { text, .. } => lines.push_str(&line(' ', text)),
            Row::Differs { old, new } => {
                // Removed lines first, then those in their place.
                lines.extend(old.iter().map(|(_, text)| line('-', text)));
                added.extend(new.iter().map(|(_, text)| line('+', text)));
            }
        }
    }
    lines.push_str(&added);
    let more = more(file.rows.len() - shown);
    folded(&title, &format!("{}{more}", fenced("diff", lines.trim_end_matches('\n'))), file.rows.len() <= UNFOLDED)
}

fn diagnostics(diagnostics: &[DiagnosticLine], most: usize, limits: &Limits) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let lines = diagnostics.iter().take(most).map(|one| {
        let severity = if one.error { "error" } else { "warning" };
        let code = one.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
        clip::line(&format!("{}: {severity}{code} {}", one.place, one.message), limits.line)
    });
    let lines: Vec<_> = lines.collect();
    format!("{}{}", fenced("text", &lines.join("\n")), more(diagnostics.len() - lines.len()))
}

fn attempts(report: &Report, limits: &Limits) -> String {
    let mut text = String::new();
    for attempt in report.attempts.iter().take(limits.list) {
        text.push_str(&format!("- {} {}\n", sign(attempt.mark), span(&attempt.title, limits.line)));
        for step in attempt.steps.iter().take(limits.list) {
            let took = step.took_ms.map(|took| format!(", {}", time::span(took))).unwrap_or_default();
            let (name, result) = (span(&step.name, limits.line), span(&step.result, limits.line));
            text.push_str(&format!("  - {} {name}: {result}{took}\n", sign(step.mark)));
            for note in step.notes.iter().take(limits.inner) {
                text.push_str(&format!("    - {}\n", span(note, limits.line)));
            }
            let errors = step.diagnostics.iter().filter(|one| one.error);
            for error in errors.take(limits.inner) {
                text.push_str(&format!(
                    "    - {}\n",
                    span(&format!("{}: {}", error.place, error.message), limits.line)
                ));
            }
        }
    }
    if text.is_empty() {
        return text;
    }
    text.push_str(&more(report.attempts.len().saturating_sub(limits.list)));
    let steps: usize = report.attempts.iter().map(|attempt| attempt.steps.len()).sum();
    folded(&say::count(steps, "step"), &text, false)
}

fn timeline(report: &Report, limits: &Limits) -> String {
    if report.timeline.is_empty() {
        return String::new();
    }
    let lines = report.timeline.iter().take(limits.list).map(|moment| {
        let since = moment.since_ms.map(time::span).unwrap_or_default();
        format!("{since:>12}  {} {}", sign(moment.mark), clip::line(&moment.what, limits.line))
    });
    let lines: Vec<_> = lines.collect();
    let more = more(report.timeline.len() - lines.len());
    folded(&say::count(report.timeline.len(), "event"), &format!("{}{more}", fenced("text", &lines.join("\n"))), false)
}

fn cost(report: &Report, limits: &Limits) -> String {
    let Some(totals) = &report.totals else { return String::new() };
    let mut text = "| task | model | turns | tool calls | tokens in | cached | tokens out | cost | model's time |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for agent in report.agents.iter().take(limits.list) {
        let (task, model) = (cell(&agent.task, limits.line), cell(&agent.model, limits.line));
        text.push_str(&format!("| {task} | {model} | {} |\n", numbers(&agent.totals)));
    }
    text.push_str(&format!("| together | | {} |\n", numbers(totals)));
    text.push_str(&more(report.agents.len().saturating_sub(limits.list)));
    text
}

fn numbers(totals: &Totals) -> String {
    let counts =
        [totals.turns, totals.tool_calls, totals.input_tokens, totals.cached_input_tokens, totals.output_tokens];
    let cost = totals.cost_millionths.map_or_else(|| "not known".to_owned(), say::money);
    let took = totals.model_ms.map_or_else(|| "not counted".to_owned(), time::span);
    format!("{} | {cost} | {took}", counts.map(say::grouped).join(" | "))
}

fn decide(report: &Report) -> String {
    let mut text = format!("{}\n", report.decision.stands);
    if !report.decision.commands.is_empty() {
        let lines: Vec<_> =
            report.decision.commands.iter().map(|(command, what)| format!("{command}   # {what}")).collect();
        text.push_str(&format!("\n{}", fenced("sh", &lines.join("\n"))));
    }
    text
}

/// A part that a reader opens. `title` is HTML.
fn folded(title: &str, body: &str, open: bool) -> String {
    let open = if open { " open" } else { "" };
    format!("<details{open}><summary>{title}</summary>\n\n{body}\n</details>\n\n")
}

fn more(left_out: usize) -> String {
    if left_out == 0 { String::new() } else { format!("\n{} more, not shown here.\n", say::grouped(left_out as u64)) }
}
