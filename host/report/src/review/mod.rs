//! The pages that `bailiwick review` serves: all runs and fleets, one of them, and the question before a decision. Links are
//! relative to `/SECRET/`, `/SECRET/run/ID/` and `/SECRET/fleet/NAME/`, so that no page holds the secret.

use bailiwick_runs::{RunSummary, Shown, Status};

use crate::html::escape::{escape, line};
use crate::html::page::{Page, Section, Served};
use crate::limits::{self, HTML_BYTES, Limits};
use crate::model::Report;
use crate::{clip, html, say};

const STYLE: &str = concat!(include_str!("../html/style.css"), include_str!("review.css"));

/// How often a browser asks for a page of what goes on, in seconds.
const LOOK_AGAIN: u8 = 5;

/// What a person is asked before a run is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Whether its changes stay.
    Approve,
    /// Whether both repositories are put back.
    Revert,
}

impl Asked {
    /// The last part of the address.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Revert => "revert",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Approve => "Approve",
            Self::Revert => "Revert",
        }
    }

    fn consequence(self) -> &'static str {
        match self {
            Self::Approve => "The repositories stay as they are now. The run can no longer be reverted.",
            Self::Revert => {
                "Both repositories are put back to what they were before the run. Edits that were made since then make the \
                 revert refuse."
            }
        }
    }
}

/// A fleet in the overview.
#[derive(Debug, Clone)]
pub struct FleetLine {
    /// Its name.
    pub name: String,
    /// How many packages have a verdict, and how many there are; `None` where it cannot be read.
    pub done: Option<(usize, usize)>,
}

/// Everything that there is to look at, newest first.
#[must_use]
pub fn overview_page(runs: &[RunSummary], damaged: &[String], fleets: &[FleetLine]) -> String {
    limits::fitting(&limits::HTML, HTML_BYTES, |limits| {
        let waiting = runs.iter().filter(|run| run.status.waits()).count();
        let head = format!(
            "<header>\n<p class=\"kicker\">bailiwick review</p>\n<h1>{}</h1>\n</header>\n",
            match waiting {
                0 => "No run waits for a decision".to_owned(),
                1 => "One run waits for a decision".to_owned(),
                more => format!("{} runs wait for a decision", say::grouped(more as u64)),
            }
        );
        let goes_on = runs.iter().any(|run| matches!(run.status, Status::Running | Status::Reverting))
            || fleets.iter().any(|fleet| fleet.done.is_some_and(|(done, all)| done < all));
        let mut sections =
            vec![Section { id: "runs", link: "Runs", title: "Runs", body: run_table(runs, damaged, limits) }];
        if !fleets.is_empty() {
            sections.push(Section { id: "fleets", link: "Fleets", title: "Fleets", body: fleet_table(fleets, limits) });
        }
        Page {
            title: "bailiwick review",
            style: STYLE,
            head: &head,
            sections: &sections,
            foot: "",
            served: Served::Again(goes_on.then_some(LOOK_AGAIN)),
        }
        .html()
    })
}

fn run_table(runs: &[RunSummary], damaged: &[String], limits: &Limits) -> String {
    let mut table = String::new();
    for one in damaged {
        table.push_str(&format!("<p class=\"damage\">{}</p>\n", line(one, limits)));
    }
    if runs.is_empty() {
        table.push_str("<p>There are no runs yet.</p>\n");
        return table;
    }
    table.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"runs-title\"><table>\n<thead><tr>\
         <th scope=\"col\">Run</th><th scope=\"col\">Status</th><th scope=\"col\">Package</th>\
         <th scope=\"col\">Request</th><th scope=\"col\">Changed</th></tr></thead>\n<tbody>\n",
    );
    for run in runs.iter().take(limits.list) {
        let package = run.roots.iter().find(|(name, _)| name == "sdk").or(run.roots.first());
        let package = package.and_then(|(_, place)| place.file_name()).unwrap_or_default().to_string_lossy();
        let class = match run.status {
            status if status.waits() => "partly",
            Status::Approved => "good",
            Status::Failed { .. } => "bad",
            _ => "plain",
        };
        table.push_str(&format!(
            "<tr><th scope=\"row\"><a href=\"run/{id}/\">{id}</a></th><td><span class=\"badge {class}\">{}</span></td>\
             <td>{}</td><td>{}</td><td>{}</td></tr>\n",
            line(&run.status.to_string(), limits),
            escape(&clip::line(&package, 80)),
            escape(&clip::line(html::first_line(&run.request), 120)),
            run.changed,
            id = escape(run.id.as_str()),
        ));
    }
    table.push_str("</tbody>\n</table></div>\n");
    if runs.len() > limits.list {
        let more = runs.len() - limits.list;
        table.push_str(&format!(
            "<p class=\"more\">{} more: <code>bailiwick run list</code></p>\n",
            say::grouped(more as u64)
        ));
    }
    table
}

fn fleet_table(fleets: &[FleetLine], limits: &Limits) -> String {
    let mut list = String::from("<ul class=\"changes\">\n");
    for FleetLine { name, done } in fleets.iter().take(limits.list) {
        let done = match done {
            Some((done, all)) => format!("{done} of {all} packages have a verdict"),
            None => "it cannot be read".to_owned(),
        };
        let name = line(name, limits);
        list.push_str(&format!("<li><a href=\"fleet/{name}/\">{name}</a>: {done}</li>\n"));
    }
    list.push_str("</ul>\n");
    list
}

/// One run with what can be decided about it.
#[must_use]
pub fn run_page(report: &Report, status: Status) -> String {
    let mut below = String::from("<p class=\"back\"><a href=\"../../\">All runs</a></p>\n");
    if status.waits() {
        below.push_str("<p class=\"decide\">");
        for asked in [Asked::Approve, Asked::Revert] {
            below.push_str(&format!("<a class=\"button\" href=\"{}\">{}…</a> ", asked.name(), asked.label()));
        }
        below.push_str("</p>\n");
    }
    let again = matches!(status, Status::Running | Status::Reverting).then_some(LOOK_AGAIN);
    html::framed(report, STYLE, &below, Served::Again(again))
}

/// The question before a run is closed. The only form there is; it names what it shows. `again` where it was asked before and
/// something else was shown then.
#[must_use]
pub fn decision_page(report: &Report, asked: Asked, shown: &Shown, again: bool) -> String {
    let limits = &limits::HTML[0];
    let since = shown.since.sentence().map(|since| format!("<p><strong>Beware: {}.</strong></p>\n", escape(&since)));
    let again = if again {
        "<p><strong>Files changed while this was asked, so nothing was done. Look at them, then decide again.</strong></p>\n"
    } else {
        ""
    };
    let head = format!(
        "<header>\n<p class=\"kicker\">{} <span aria-hidden=\"true\">/</span> {}</p>\n<h1>{} this run?</h1>\n\
         <p class=\"verdict {}\">{} <span>{}</span></p>\n</header>\n",
        escape(&clip::line(&report.package, 80)),
        escape(&report.run),
        asked.label(),
        html::parts::class(report.verdict.mark),
        html::parts::badge(report.verdict.mark, &report.verdict.label),
        escape(&clip::line(html::first_line(&report.request), limits.line)),
    );
    let form = format!(
        "<form class=\"decide\" method=\"post\">{again}<p>{}</p>\n{}\
         <input type=\"hidden\" name=\"shown\" value=\"{}\"><p><button class=\"button\">{}</button> \
         <a href=\"./\">Back to the run</a></p></form>\n",
        asked.consequence(),
        since.unwrap_or_default(),
        shown.digest,
        asked.label(),
    );
    Page {
        title: &format!("{} {}", asked.label(), escape(&report.run)),
        style: STYLE,
        head: &format!("{head}{form}"),
        sections: &[],
        foot: "",
        served: Served::Again(None),
    }
    .html()
}

/// A fleet with the command that puts its patches into branches.
#[must_use]
pub fn fleet_page(report: &bailiwick_fleet::Report) -> String {
    let below = format!(
        "<p class=\"back\"><a href=\"../../\">All runs and fleets</a></p>\n<p>To put the patches into branches: \
         <code>bailiwick fleet collect {} --branch PREFIX/</code></p>\n",
        escape(&clip::line(&report.fleet, 120))
    );
    crate::fleet::framed(report, &below, Served::Again((!report.complete).then_some(LOOK_AGAIN)))
}

/// A sentence in place of a page.
#[must_use]
pub fn message_page(title: &str, sentence: &str) -> String {
    let limits = &limits::HTML[0];
    Page {
        title: &escape(&clip::line(title, 120)),
        style: STYLE,
        head: &format!(
            "<header>\n<p class=\"kicker\">bailiwick review</p>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n",
            escape(&clip::line(title, 120)),
            line(sentence, limits)
        ),
        sections: &[],
        foot: "",
        served: Served::Again(None),
    }
    .html()
}

#[cfg(test)]
mod tests;
