//! The sections of the page, those that a reader needs first at the top.

use super::difference::difference;
use super::escape::{block, escape, line, prose};
use super::page::Section;
use super::parts::{badge, class, more, table, word};
use crate::limits::Limits;
use crate::model::{Attempt, DiagnosticLine, Guidance, Report, Step, Totals};
use crate::{clip, say, time};
use bailiwick_customize::timings::shown;

/// Those that have something to say.
pub(super) fn all(report: &Report, limits: &Limits) -> Vec<Section> {
    let sections = [
        ("request", "Request", request(report, limits)),
        ("by-hand", "To do by hand", by_hand(report, limits)),
        ("changes", "What changed", changes(report, limits)),
        ("surface", "Public surface", surface(report, limits)),
        ("diff", "Difference", difference(report, limits)),
        ("attempts", "Phases and attempts", attempts(report, limits)),
        ("diagnostics", "Diagnostics of the last build", diagnostics(report, limits)),
        ("timeline", "Timeline", timeline(report, limits)),
        ("timings", "Where the time went", timings(report, limits)),
        ("cost", "Cost", cost(report, limits)),
        ("decide", "Approve or revert", decide(report, limits)),
    ];
    let filled = sections.into_iter().filter(|(.., body)| !body.is_empty());
    filled.map(|(id, title, body)| Section { id, link: title, title, body }).collect()
}

fn surface(report: &Report, limits: &Limits) -> String {
    let Some((title, lines)) = report.surface.split_first() else { return String::new() };
    let items = lines.iter().take(limits.list).map(|one| format!("<li>{}</li>\n", prose(one, limits)));
    let items: String = items.collect();
    let left_out = more(lines.len().saturating_sub(limits.list));
    format!("<p>{}</p>\n<ul class=\"changes\">\n{items}</ul>\n{left_out}", prose(title, limits))
}

fn request(report: &Report, limits: &Limits) -> String {
    if report.request.trim().is_empty() { String::new() } else { block(&report.request, limits) }
}

fn by_hand(report: &Report, limits: &Limits) -> String {
    let mut body = String::new();
    for guidance in report.guidance.iter().take(limits.list) {
        body.push_str(&one_by_hand(guidance, limits));
    }
    body.push_str(&more(report.guidance.len().saturating_sub(limits.list)));
    body
}

fn one_by_hand(guidance: &Guidance, limits: &Limits) -> String {
    let lines = |text: &str| {
        let text = clip::text(text, limits.text, limits.line);
        format!("<p class=\"said\">{}</p>", escape(&text))
    };
    let mut body = format!("<article class=\"guidance\">\n<h3>{}</h3>\n<dl>\n", prose(&guidance.issue, limits));
    if !guidance.files.is_empty() {
        let files = guidance.files.iter().take(limits.inner);
        let files: String = files.map(|file| format!("<li><code>{}</code></li>", line(file, limits))).collect();
        let left_out = more(guidance.files.len().saturating_sub(limits.inner));
        body.push_str(&format!("<dt>Where</dt><dd><ul>{files}</ul>{left_out}</dd>\n"));
    }
    body.push_str(&format!("<dt>What to do</dt><dd>{}</dd>\n", lines(&guidance.approach)));
    body.push_str(&format!("<dt>Why not done for you</dt><dd>{}</dd>\n</dl>\n</article>\n", lines(&guidance.reason)));
    body
}

fn changes(report: &Report, limits: &Limits) -> String {
    let mut body = String::new();
    if !report.changes.is_empty() {
        body.push_str("<ul class=\"changes\">\n");
        for change in report.changes.iter().take(limits.list) {
            body.push_str(&format!("<li>{}</li>\n", prose(change, limits)));
        }
        body.push_str("</ul>\n");
        body.push_str(&more(report.changes.len().saturating_sub(limits.list)));
    }
    if !report.decorators.is_empty() {
        let code = |text: &str| format!("<code>{}</code>", line(text, limits));
        let rows = report.decorators.iter().take(limits.list).map(|one| {
            let scope = if one.scope.is_empty() { "every language".to_owned() } else { code(&one.scope) };
            vec![code(&format!("@@{}", one.name)), code(&one.target), scope, code(&one.file)]
        });
        let rows: Vec<_> = rows.collect();
        let left_out = report.decorators.len() - rows.len();
        body.push_str(&table(
            "Decorators in the specification now",
            &["Decorator", "On", "For", "In"],
            &rows,
            left_out,
        ));
    }
    body
}

fn attempts(report: &Report, limits: &Limits) -> String {
    let mut body = String::new();
    if !report.attempts.is_empty() {
        body.push_str("<ol class=\"attempts\">\n");
        for attempt in report.attempts.iter().take(limits.list) {
            body.push_str(&one_attempt(attempt, limits));
        }
        body.push_str("</ol>\n");
        body.push_str(&more(report.attempts.len().saturating_sub(limits.list)));
    }
    body
}

fn one_attempt(attempt: &Attempt, limits: &Limits) -> String {
    let mut body = format!(
        "<li class=\"{}\">\n<h3>{}</h3>\n<ul class=\"steps\">\n",
        class(attempt.mark),
        line(&attempt.title, limits)
    );
    for step in attempt.steps.iter().take(limits.list) {
        body.push_str(&one_step(step, limits));
    }
    body.push_str("</ul>\n");
    body.push_str(&more(attempt.steps.len().saturating_sub(limits.list)));
    body.push_str("</li>\n");
    body
}

fn one_step(step: &Step, limits: &Limits) -> String {
    let took =
        step.took_ms.map(|took| format!(" <span class=\"took\">{}</span>", time::span(took))).unwrap_or_default();
    let name = badge(step.mark, &step.name);
    let mut body = format!("<li>{name} <span class=\"result\">{}</span>{took}\n", prose(&step.result, limits));
    if !step.notes.is_empty() {
        body.push_str("<ul class=\"notes\">\n");
        for note in step.notes.iter().take(limits.inner) {
            body.push_str(&format!("<li>{}</li>\n", prose(note, limits)));
        }
        body.push_str("</ul>\n");
        body.push_str(&more(step.notes.len().saturating_sub(limits.inner)));
    }
    if !step.diagnostics.is_empty() {
        let count = say::count(step.diagnostics.len(), "diagnostic");
        body.push_str(&format!("<details><summary>{count}</summary>\n"));
        body.push_str(&diagnostic_table("Diagnostics of this step", &step.diagnostics, limits.inner, limits));
        body.push_str("</details>\n");
    }
    body.push_str("</li>\n");
    body
}

fn diagnostics(report: &Report, limits: &Limits) -> String {
    if report.diagnostics.is_empty() {
        return String::new();
    }
    diagnostic_table("What the last build reported", &report.diagnostics, limits.list, limits)
}

fn diagnostic_table(caption: &str, diagnostics: &[DiagnosticLine], most: usize, limits: &Limits) -> String {
    let rows = diagnostics.iter().take(most).map(|one| {
        let severity = if one.error { "error" } else { "warning" };
        let code = one.code.as_deref().map(|code| format!("<code>{}</code>", line(code, limits))).unwrap_or_default();
        vec![
            severity.to_owned(),
            format!("<code>{}</code>", line(&one.place, limits)),
            code,
            line(&one.message, limits),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let left_out = diagnostics.len() - rows.len();
    table(caption, &["Severity", "Where", "Code", "Message"], &rows, left_out)
}

fn timeline(report: &Report, limits: &Limits) -> String {
    if report.timeline.is_empty() {
        return String::new();
    }
    let rows = report.timeline.iter().take(limits.list).map(|moment| {
        let since = moment.since_ms.map(|since| format!("+{}", time::span(since))).unwrap_or_default();
        let time = line(&time::readable(&moment.time), limits);
        let mark = badge(moment.mark, word(moment.mark));
        vec![format!("<span class=\"took\">{since}</span>"), time, mark, prose(&moment.what, limits)]
    });
    let rows: Vec<_> = rows.collect();
    let left_out = report.timeline.len() - rows.len();
    table("What happened, in order", &["Since the start", "Time", "Mark", "What"], &rows, left_out)
}

fn cost(report: &Report, limits: &Limits) -> String {
    let mut body = String::new();
    let steps = report.attempts.iter().flat_map(|attempt| attempt.steps.iter().map(move |step| (attempt, step)));
    let timed: Vec<_> = steps.filter_map(|(attempt, step)| step.took_ms.map(|took| (attempt, step, took))).collect();
    if !timed.is_empty() {
        let mut before = None;
        let rows = timed.iter().take(limits.list).map(|(attempt, step, took)| {
            // A title stands once, beside the first of its steps.
            let title = if before.replace(&attempt.title) == Some(&attempt.title) { "" } else { &attempt.title };
            vec![line(title, limits), line(&step.name, limits), time::span(*took)]
        });
        let mut rows: Vec<_> = rows.collect();
        let left_out = timed.len() - rows.len();
        if let Some(took) = report.took_ms {
            rows.push(vec!["<strong>The whole run</strong>".to_owned(), String::new(), time::span(took)]);
        }
        body.push_str(&table("Time of each step", &["Attempt", "Step", "Took"], &rows, left_out));
    }
    if let Some(totals) = &report.totals {
        let heads =
            ["Task", "Model", "Ended", "Turns", "Tool calls", "Tokens in", "Tokens out", "Cost", "Model's time"];
        let rows = report.agents.iter().take(limits.list).map(|agent| {
            let sent_back = match agent.sent_back {
                0 => String::new(),
                times => format!(", sent back {}", say::count(times, "time")),
            };
            let mut row = vec![
                line(&agent.task, limits),
                format!("<code>{}</code>", line(&agent.model, limits)),
                line(&format!("{}{sent_back}", agent.outcome), limits),
            ];
            row.extend(numbers(&agent.totals));
            row
        });
        let mut rows: Vec<_> = rows.collect();
        let left_out = report.agents.len() - rows.len();
        let mut all = vec!["<strong>Together</strong>".to_owned(), String::new(), String::new()];
        all.extend(numbers(totals));
        rows.push(all);
        body.push_str(&table("Conversations with models", &heads, &rows, left_out));
    } else if !body.is_empty() {
        body.push_str("<p>No model was asked.</p>\n");
    }
    body
}

fn timings(report: &Report, limits: &Limits) -> String {
    let Some(timings) = &report.timings else { return String::new() };
    let rows = timings.steps.iter().take(limits.list).map(|step| {
        let (before, length) = timings.bar(step);
        let (kind, sign) = if step.program { ("program", "▒") } else { ("host", "█") };
        let bar = format!("{}{}", " ".repeat(before), sign.repeat(length));
        vec![
            line(&step.name, limits),
            kind.to_owned(),
            shown(step.start_micros),
            shown(step.micros),
            format!("<pre aria-hidden=\"true\">{bar}</pre>"),
        ]
    });
    let mut rows: Vec<_> = rows.collect();
    let left_out = timings.steps.len() - rows.len();
    let waits = format!("of that, {} for the disk", say::count(timings.disk_waits, "wait"));
    let whole = |what: String, micros| vec![what, String::new(), String::new(), shown(micros), String::new()];
    rows.push(whole("<strong>Programs</strong>".to_owned(), timings.programs_micros));
    rows.push(whole("<strong>The host's own time</strong>".to_owned(), timings.own_micros()));
    rows.push(whole(waits, timings.disk_micros));
    rows.push(whole("<strong>The whole run</strong>".to_owned(), timings.total_micros));
    table("Each step, and the programs in it", &["Step", "Who worked", "Began", "Took", "In the run"], &rows, left_out)
}

fn numbers(totals: &Totals) -> Vec<String> {
    let cached = match totals.cached_input_tokens {
        0 => String::new(),
        cached => format!(" ({} cached)", say::grouped(cached)),
    };
    vec![
        say::grouped(totals.turns),
        say::grouped(totals.tool_calls),
        format!("{}{cached}", say::grouped(totals.input_tokens)),
        say::grouped(totals.output_tokens),
        totals.cost_millionths.map_or_else(|| "not known".to_owned(), say::money),
        totals.model_ms.map_or_else(|| "not counted".to_owned(), time::span),
    ]
}

fn decide(report: &Report, limits: &Limits) -> String {
    let mut body = format!("<p>{}</p>\n", line(&report.decision.stands, limits));
    if !report.decision.commands.is_empty() {
        body.push_str("<dl class=\"commands\">\n");
        for (command, what) in &report.decision.commands {
            body.push_str(&format!("<dt><code>{}</code></dt><dd>{}</dd>\n", line(command, limits), line(what, limits)));
        }
        body.push_str("</dl>\n");
    }
    body
}
