//! The page of a fleet. Its table is filtered by the style sheet: each choice is a radio button, and `:has` hides the rows of
//! the others, so there is no script.

use bailiwick_fleet::{Group, Report, Row, Verdict};

use super::{facts, plot, sentence, size, time};
use crate::html::escape::{escape, line};
use crate::html::page::{Page, Section, Served};
use crate::limits::{self, HTML_BYTES, Limits};
use crate::say;

const STYLE: &str = concat!(include_str!("../html/style.css"), include_str!("fleet.css"));

/// The report of a fleet as a page of at most [`HTML_BYTES`], so far as that is possible without leaving a package out.
#[must_use]
pub fn fleet_html(report: &Report) -> String {
    framed(report, "", Served::No)
}

/// The report with markup of our own below its head.
pub(crate) fn framed(report: &Report, below: &str, served: Served) -> String {
    limits::fitting(&limits::HTML, HTML_BYTES, |limits| page(report, limits, below, served))
}

fn page(report: &Report, limits: &Limits, below: &str, served: Served) -> String {
    let section = |id, link, title, body| Section { id, link, title, body };
    let foot = format!(
        "<footer>Planned {} with bailiwick {}. The verdicts add up to the {} packages of the manifest.</footer>\n",
        line(&report.planned, limits),
        line(&report.version, limits),
        say::grouped(report.packages as u64)
    );
    Page {
        title: &format!("Fleet {}", line(&report.fleet, limits)),
        style: STYLE,
        head: &format!("{}{below}", head(report, limits)),
        sections: &[
            section("causes", "Causes", "Why packages are not done", causes(&report.groups, limits)),
            section("durations", "Durations", "How long packages took", plot::durations(&report.rows, limits)),
            section("packages", "Packages", "Every package and its verdict", packages(report, limits)),
        ],
        foot: &foot,
        served,
    }
    .html()
}

fn head(report: &Report, limits: &Limits) -> String {
    let (class, label) = match (report.is_success(), report.complete) {
        (true, _) => ("good", "Done"),
        (false, true) => ("partly", "Not all done"),
        (false, false) => ("plain", "Not complete"),
    };
    let mut head = String::from("<header>\n");
    head.push_str(&format!("<p class=\"kicker\">Fleet {}</p>\n", line(&report.fleet, limits)));
    let action = report.action.map_or("", bailiwick_fleet::Action::name);
    head.push_str(&format!("<h1>{} <code>{action}</code></h1>\n", say::count(report.packages, "package")));
    head.push_str(&format!(
        "<p class=\"verdict {class}\"><span class=\"badge {class}\">{label}</span>{}</p>\n",
        escape(&sentence(report))
    ));
    head.push_str("<ul class=\"tally\">\n");
    for verdict in Verdict::ALL {
        if let Some(count) = report.counts.get(&verdict) {
            let mark = mark(Some(verdict));
            head.push_str(&format!(
                "<li><span class=\"badge {mark}\">{}</span> {verdict}</li>\n",
                say::grouped(*count as u64)
            ));
        }
    }
    head.push_str("</ul>\n<dl class=\"facts\">\n");
    for (name, value) in facts(report) {
        head.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(&value)));
    }
    head.push_str("</dl>\n</header>\n");
    head
}

/// How a verdict looks; its word always stands beside.
pub(super) fn mark(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Succeeded | Verdict::Repaired) => "good",
        Some(Verdict::Guidance | Verdict::Conflict) => "partly",
        Some(Verdict::Failed | Verdict::TimedOut | Verdict::KilledItsWorker) => "bad",
        Some(Verdict::Skipped | Verdict::Cancelled) | None => "plain",
    }
}

fn causes(groups: &[Group], limits: &Limits) -> String {
    if groups.is_empty() {
        return "<p>There is nothing to tell.</p>\n".to_owned();
    }
    let mut body = String::from("<ol class=\"causes\">\n");
    for group in groups.iter().take(limits.list) {
        let code =
            group.code.as_deref().map(|code| format!(" <code>{}</code>", line(code, limits))).unwrap_or_default();
        body.push_str(&format!(
            "<li><details><summary><span class=\"badge\">{}</span> {}{code}: {}</summary><ul>",
            say::count(group.packages.len(), "package"),
            line(&group.tool, limits),
            line(&group.example, limits)
        ));
        for package in group.packages.iter().take(limits.list) {
            body.push_str(&format!("<li><code>{}</code></li>", line(package, limits)));
        }
        body.push_str("</ul></details></li>\n");
    }
    body.push_str("</ol>\n");
    let more = groups.len().saturating_sub(limits.list);
    if more > 0 {
        body.push_str(&format!("<p class=\"more\">{} not shown</p>\n", say::count(more, "more cause")));
    }
    body
}

fn packages(report: &Report, limits: &Limits) -> String {
    let mut body = String::from("<fieldset class=\"filter\"><legend>Show</legend>\n");
    body.push_str("<label><input type=\"radio\" name=\"show\" id=\"show-all\" checked> all</label>\n");
    let open = report.rows.iter().any(|row| row.verdict.is_none());
    let verdicts = Verdict::ALL.into_iter().filter(|verdict| report.counts.contains_key(verdict));
    for (name, label) in verdicts
        .map(|verdict| (verdict.name(), verdict.to_string()))
        .chain(open.then(|| ("none", "without a verdict".to_owned())))
    {
        body.push_str(&format!("<label><input type=\"radio\" name=\"show\" id=\"show-{name}\"> {label}</label>\n"));
    }
    body.push_str("</fieldset>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Packages\"><table class=\"fleet\">\n");
    body.push_str("<thead><tr><th scope=\"col\">Package</th><th scope=\"col\">Verdict</th><th scope=\"col\">Time</th>");
    body.push_str("<th scope=\"col\">Attempt</th><th scope=\"col\">Changed</th><th scope=\"col\">What it says</th></tr></thead>\n<tbody>\n");
    for row in &report.rows {
        body.push_str(&package(row, limits));
    }
    body.push_str("</tbody></table></div>\n");
    body
}

fn package(row: &Row, limits: &Limits) -> String {
    let name = row.verdict.map_or("none", Verdict::name);
    let label = row.verdict.map_or_else(|| "none yet".to_owned(), |verdict| verdict.to_string());
    let mark = mark(row.verdict);
    let changed = row.changed.as_ref().map(size).unwrap_or_default();
    let changed = changed.trim_start_matches(|one: char| one != ',').trim_start_matches(", ");
    let newer =
        row.newer_specification.as_ref().filter(|changed| changed.files > 0).map_or_else(String::new, |newer| {
            format!(
                "<br>newer specification: {}",
                escape(size(newer).trim_start_matches(|one: char| one != ',').trim_start_matches(", "))
            )
        });
    let mut said = line(&row.message, limits);
    if !row.guidance.is_empty() {
        said.push_str("<ul>");
        row.guidance
            .iter()
            .take(limits.inner)
            .for_each(|one| said.push_str(&format!("<li>{}</li>", line(one, limits))));
        said.push_str("</ul>");
    }
    let attempt = if row.attempt == 0 { String::new() } else { row.attempt.to_string() };
    format!(
        "<tr class=\"v-{name}\"><td><code>{}</code></td><td><span class=\"badge {mark}\">{label}</span></td>\
         <td class=\"took\">{}</td><td>{attempt}</td><td>{}{newer}</td><td>{said}</td></tr>\n",
        line(&row.package, limits),
        if row.seconds > 0.0 { time(row.seconds) } else { String::new() },
        escape(changed),
    )
}
