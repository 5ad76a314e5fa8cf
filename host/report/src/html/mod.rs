//! One page that needs nothing but itself: no script, no font, no picture, no request.
//!
//! [`escape`] is the only way a text gets into it. Should something get past that all the same, the page's own policy
//! (`Content-Security-Policy`) lets a browser run nothing and load nothing: the one style sheet is named by its hash.

mod difference;
pub(crate) mod escape;
mod parts;
mod sections;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::clip;
use crate::limits::{self, HTML_BYTES, Limits};
use crate::model::Report;
use escape::escape;

const STYLE: &str = include_str!("style.css");

/// The report as a page of at most [`HTML_BYTES`].
#[must_use]
pub fn html(report: &Report) -> String {
    limits::fitting(&limits::HTML, HTML_BYTES, |limits| page(report, limits))
}

fn page(report: &Report, limits: &Limits) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        STANDARD.encode(Sha256::digest(STYLE.as_bytes()))
    );
    let title = escape(&clip::line(&format!("{}: {}", report.verdict.label, first_line(&report.request)), 120));
    let mut page = String::with_capacity(64 * 1024);
    page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"));
    page.push_str("<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.push_str(&format!("<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"));
    page.push_str("<a class=\"skip\" href=\"#report\">Skip to the report</a>\n");
    page.push_str(&parts::head(report, limits));
    let sections = sections::all(report, limits);
    page.push_str("<nav aria-label=\"Sections\"><ul>\n");
    for section in &sections {
        page.push_str(&format!("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title));
    }
    page.push_str("</ul></nav>\n<main id=\"report\">\n");
    for section in &sections {
        let (id, title) = (section.id, section.title);
        page.push_str(&format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n"
        ));
        page.push_str(&section.body);
        page.push_str("</section>\n");
    }
    page.push_str("</main>\n");
    page.push_str(&parts::foot(report));
    page.push_str("</body>\n</html>\n");
    page
}

/// The first line that says something.
fn first_line(request: &str) -> &str {
    request.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no request")
}
