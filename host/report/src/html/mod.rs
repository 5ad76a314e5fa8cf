//! One page that needs nothing but itself: no script, no font, no picture, no request.
//!
//! [`escape`] is the only way a text gets into it. Should something get past that all the same, the page's own policy
//! (`Content-Security-Policy`) lets a browser run nothing and load nothing: the one style sheet is named by its hash.

mod difference;
pub(crate) mod escape;
pub(crate) mod page;
pub(crate) mod parts;
mod sections;

use crate::clip;
use crate::limits::{self, HTML_BYTES, Limits};
use crate::model::Report;
use escape::escape;
use page::{Page, Served};

const STYLE: &str = include_str!("style.css");

/// The report as a page of at most [`HTML_BYTES`].
#[must_use]
pub fn html(report: &Report) -> String {
    framed(report, STYLE, "", Served::No)
}

/// The report with markup of our own below its head.
pub(crate) fn framed(report: &Report, style: &str, below: &str, served: Served) -> String {
    limits::fitting(&limits::HTML, HTML_BYTES, |limits| page(report, limits, style, below, served))
}

fn page(report: &Report, limits: &Limits, style: &str, below: &str, served: Served) -> String {
    let title = escape(&clip::line(&format!("{}: {}", report.verdict.label, first_line(&report.request)), 120));
    Page {
        title: &title,
        style,
        head: &format!("{}{below}", parts::head(report, limits)),
        sections: &sections::all(report, limits),
        foot: &parts::foot(report),
        served,
    }
    .html()
}

/// The first line that says something.
pub(crate) fn first_line(request: &str) -> &str {
    request.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no request")
}
