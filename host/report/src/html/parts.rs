//! What stands above and below the sections, and the small pieces that several of them use.

use super::escape::{escape, line, prose};
use super::first_line;
use crate::clip;
use crate::limits::Limits;
use crate::model::{Mark, Report};
use crate::{say, time};

/// The verdict and the facts about the run.
pub(super) fn head(report: &Report, limits: &Limits) -> String {
    let kicker: Vec<String> = [Some(report.kind.clone()), Some(report.package.clone()), report.language.clone()]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .map(|part| escape(&clip::line(&part, 80)))
        .collect();
    let request = if report.request.trim().is_empty() { &report.kind } else { first_line(&report.request) };
    let mut head = format!(
        "<header>\n<p class=\"kicker\">{}</p>\n<h1>{}</h1>\n",
        kicker.join(" <span aria-hidden=\"true\">/</span> "),
        escape(&clip::line(request, 160)),
    );
    head.push_str(&format!(
        "<p class=\"verdict {}\">{} <span>{}</span></p>\n",
        class(report.verdict.mark),
        badge(report.verdict.mark, &report.verdict.label),
        prose(&report.verdict.sentence, limits),
    ));
    for damage in &report.damaged {
        head.push_str(&format!(
            "<p class=\"damage\">{} {}</p>\n",
            badge(Mark::Bad, "Damaged record"),
            line(damage, limits)
        ));
    }
    head.push_str("<dl class=\"facts\">\n");
    for (name, value) in facts(report, limits) {
        head.push_str(&format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n"));
    }
    head.push_str("</dl>\n</header>\n");
    head
}

fn facts(report: &Report, limits: &Limits) -> Vec<(&'static str, String)> {
    let moment = |text: &str| {
        let readable = escape(&clip::line(&time::readable(text), 60));
        match time::milliseconds(text) {
            Some(_) => format!("<time datetime=\"{}\">{readable}</time>", escape(text)),
            None => readable,
        }
    };
    let code = |text: &str| format!("<code>{}</code>", line(text, limits));
    let mut facts = vec![("Run", code(&report.run)), ("Status", line(&report.status, limits))];
    facts.extend(report.error_code.as_deref().map(|name| ("Error code", code(name))));
    facts.push(("Started", moment(&report.started)));
    facts.extend(report.took_ms.map(|took| ("Took", time::span(took))));
    facts.extend(report.model.as_deref().map(|model| ("Model", code(model))));
    if let Some(build) = &report.build {
        let errors = report.diagnostics.iter().filter(|one| one.error).count();
        let warnings = report.diagnostics.len() - errors;
        let counts = format!("{}, {}", say::count(errors, "error"), say::count(warnings, "warning"));
        facts.push(("Last build", format!("{}, {counts}", line(build, limits))));
    }
    let (files, generated) = (report.diff.len(), report.generated.len() as u64 + report.more_generated);
    if files > 0 || generated > 0 {
        facts.push(("Changed", format!("{}, {generated} generated", say::count(files, "file"))));
    }
    for place in &report.places {
        let name = match place.name.as_str() {
            "sdk" => "Package",
            "spec" => "TypeSpec project",
            _ => "Directory",
        };
        facts.push((name, code(&place.directory)));
    }
    facts
}

/// Where this page comes from.
pub(super) fn foot(report: &Report) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let run = escape(&clip::line(&report.run, 80));
    format!(
        "<footer>\n<p>Written by bailiwick {version} from the record of run <code>{run}</code>. Whatever requests, \
         specifications, builds and models said is shown as text; characters that cannot be seen are written out. \
         The page loads nothing and runs nothing.</p>\n</footer>\n"
    )
}

/// A sign and a word; the colour only repeats them.
pub(crate) fn badge(mark: Mark, word: &str) -> String {
    let word = escape(&clip::line(word, 80));
    format!("<span class=\"badge {}\"><span aria-hidden=\"true\">{}</span> {word}</span>", class(mark), sign(mark))
}

fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "✓",
        Mark::Partly => "◐",
        Mark::Bad => "✕",
        Mark::Plain => "○",
    }
}

/// The word of a mark, for tables.
pub(super) fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "good",
        Mark::Partly => "in part",
        Mark::Bad => "failed",
        Mark::Plain => "note",
    }
}

pub(crate) fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "good",
        Mark::Partly => "partly",
        Mark::Bad => "bad",
        Mark::Plain => "plain",
    }
}

/// A table in a box that scrolls where the page is narrower.
pub(super) fn table(caption: &str, heads: &[&str], rows: &[Vec<String>], left_out: usize) -> String {
    let mut table = format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\"><table>\n<caption>{caption}</caption>\n<thead><tr>"
    );
    for head in heads {
        table.push_str(&format!("<th scope=\"col\">{head}</th>"));
    }
    table.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        table.push_str("<tr>");
        for cell in row {
            table.push_str(&format!("<td>{cell}</td>"));
        }
        table.push_str("</tr>\n");
    }
    table.push_str("</tbody>\n</table></div>\n");
    table.push_str(&more(left_out));
    table
}

/// Says how many entries are not shown.
pub(super) fn more(left_out: usize) -> String {
    if left_out == 0 {
        return String::new();
    }
    format!("<p class=\"more\">{} more, not shown here.</p>\n", say::grouped(left_out as u64))
}
