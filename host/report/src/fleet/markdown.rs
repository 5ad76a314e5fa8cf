//! The report of a fleet as Markdown: for a pull request, a comment or the summary of a pipeline.

use bailiwick_fleet::{Report, Totals, Verdict};

use super::{facts, sentence, time};
use crate::limits::{self, Limits, MARKDOWN_BYTES};
use crate::markdown::code::{cell, span};
use crate::say;

/// The report of a fleet as Markdown of at most [`MARKDOWN_BYTES`]. Packages that are done are only counted where there is no
/// room for all.
#[must_use]
pub fn fleet_markdown(report: &Report) -> String {
    limits::fitting(&limits::MARKDOWN, MARKDOWN_BYTES, |limits| written(report, limits))
}

/// The one comment on a pull request, of at most [`MARKDOWN_BYTES`]: the report, and what all runs on it came to, this one
/// included. Its first line is [`Totals::line`].
#[must_use]
pub fn fleet_comment(report: &Report, totals: &Totals) -> String {
    let head = format!("{}\n", totals.line());
    let count = |number: u32, noun| say::count(usize::try_from(number).unwrap_or(usize::MAX), noun);
    let tail = format!(
        "\nRun {} on this pull request. All runs: {} done, {} of them repaired, {} not done, {}.\n",
        totals.runs,
        count(totals.done, "package"),
        totals.repaired,
        totals.not_done,
        time(f64::from(totals.seconds)),
    );
    let room = MARKDOWN_BYTES.saturating_sub(head.len()).saturating_sub(tail.len());
    let body = limits::fitting(&limits::MARKDOWN, room, |limits| written(report, limits));
    format!("{head}{body}{tail}")
}

fn written(report: &Report, limits: &Limits) -> String {
    let action = report.action.map_or("", bailiwick_fleet::Action::name);
    let mut text = format!("## Fleet {}: `{action}`\n\n{}\n\n", span(&report.fleet, 60), sentence(report));
    text.push_str("| verdict | packages |\n|---|---:|\n");
    for (verdict, count) in &report.counts {
        text.push_str(&format!("| {verdict} | {} |\n", say::grouped(*count as u64)));
    }
    if !report.complete {
        text.push_str(&format!("| none yet | {} |\n", say::grouped(report.without_verdict as u64)));
    }
    text.push('\n');
    for (name, value) in facts(report) {
        text.push_str(&format!("- {name}: {value}\n"));
    }
    if !report.groups.is_empty() {
        text.push_str("\n### Why packages are not done\n\n| packages | who | what |\n|---:|---|---|\n");
        for group in report.groups.iter().take(limits.list) {
            let who = match &group.code {
                Some(code) => format!("{} {}", cell(&group.tool, 40), cell(code, 60)),
                None => cell(&group.tool, 40),
            };
            text.push_str(&format!("| {} | {who} | {} |\n", group.packages.len(), cell(&group.example, limits.line)));
        }
        let more = report.groups.len().saturating_sub(limits.list);
        if more > 0 {
            text.push_str(&format!("\n{} not shown\n", say::count(more, "more cause")));
        }
    }
    let open = report.rows.iter().filter(|row| !row.verdict.is_some_and(Verdict::is_done));
    let rows: Vec<_> = open.collect();
    if !rows.is_empty() {
        text.push_str(
            "\n### Packages that are not done\n\n| package | verdict | time | what it says |\n|---|---|---:|---|\n",
        );
        for row in rows.iter().take(limits.list) {
            let verdict = row.verdict.map_or_else(|| "none yet".to_owned(), |verdict| verdict.to_string());
            let took = if row.seconds > 0.0 { time(row.seconds) } else { String::new() };
            let package = cell(&row.package, limits.line);
            text.push_str(&format!("| {package} | {verdict} | {took} | {} |\n", cell(&row.message, limits.line)));
        }
        let more = rows.len().saturating_sub(limits.list);
        if more > 0 {
            text.push_str(&format!("\n{} not shown\n", say::count(more, "more package")));
        }
    }
    text.push_str(&format!(
        "\n---\n\nWritten by bailiwick {} from the manifest and the results.\n",
        env!("CARGO_PKG_VERSION")
    ));
    text
}
