//! The report as Markdown that GitHub shows in a pull request.
//!
//! Whatever a stranger said stands in a code span or a fence, and nowhere else: there it is not markup, mentions no account and
//! links nothing. In a `<summary>`, which is HTML, it is escaped. Tables hold words and numbers of this program, since a `|`
//! in a stranger's text would end a cell, code span or not.

pub(crate) mod code;
mod sections;

use crate::clip;
use crate::limits::{self, Limits, MARKDOWN_BYTES};
use crate::model::{Mark, Report};
use crate::{say, time};
use code::span;

/// The report as Markdown of at most [`MARKDOWN_BYTES`].
#[must_use]
pub fn markdown(report: &Report) -> String {
    limits::fitting(&limits::MARKDOWN, MARKDOWN_BYTES, |limits| written(report, limits))
}

fn written(report: &Report, limits: &Limits) -> String {
    let mut text = head(report, limits);
    for (title, body) in sections::all(report, limits) {
        if !body.is_empty() {
            text.push_str(&format!("\n### {title}\n\n{body}"));
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    text.push_str(&format!(
        "\n---\n\nWritten by bailiwick {version} from the record of run {}.\n",
        span(&report.run, 80)
    ));
    text
}

fn head(report: &Report, limits: &Limits) -> String {
    let verdict = &report.verdict;
    // The label is one of this program's own words.
    let mut text =
        format!("## {} {}\n\n{}\n\n", sign(verdict.mark), verdict.label, span(&verdict.sentence, limits.line));
    for damage in &report.damaged {
        text.push_str(&format!("**Damaged record:** {}\n\n", span(damage, limits.line)));
    }
    let mut fact = |name: &str, value: &str| text.push_str(&format!("- {name}: {value}\n"));
    if !report.package.is_empty() {
        fact("Package", &span(&report.package, 120));
    }
    if let Some(language) = &report.language {
        fact("Language", &span(language, 40));
    }
    if let Some(code) = &report.error_code {
        fact("Error code", &span(code, 60));
    }
    if let Some(build) = &report.build {
        let errors = report.diagnostics.iter().filter(|one| one.error).count();
        let warnings = report.diagnostics.len() - errors;
        let (errors, warnings) = (say::count(errors, "error"), say::count(warnings, "warning"));
        fact("Last build", &format!("{}, {errors}, {warnings}", span(build, 40)));
    }
    if let Some(model) = &report.model {
        fact("Model", &span(model, 120));
    }
    let took = report.took_ms.map(|took| format!(", took {}", time::span(took))).unwrap_or_default();
    fact(
        "Run",
        &format!(
            "{}, {}, {}{took}",
            span(&report.run, 80),
            span(&report.status, 60),
            span(&time::readable(&report.started), 60)
        ),
    );
    text
}

/// A sign that a word always stands beside.
fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "✓",
        Mark::Partly => "◐",
        Mark::Bad => "✕",
        Mark::Plain => "○",
    }
}

/// A path in a `<summary>`, where Markdown is not read and HTML is.
fn summary_code(path: &str, most: usize) -> String {
    let path = clip::line(path, most);
    let escaped = path.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    format!("<code>{escaped}</code>")
}
