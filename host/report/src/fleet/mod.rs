//! What a fleet came to: the same two forms as of a run, under the same rules.

mod html;
mod markdown;
mod plot;

pub use html::fleet_html;
pub(crate) use html::framed;
pub use markdown::{fleet_comment, fleet_markdown};

use bailiwick_fleet::{Changed, Report, Verdict};

use crate::say;

/// One sentence about the whole.
fn sentence(report: &Report) -> String {
    let done = report.rows.iter().filter(|row| row.verdict.is_some_and(Verdict::is_done)).count();
    let all = say::count(report.packages, "package");
    if report.complete {
        format!("{} of {all} done, and each of them has its verdict.", say::grouped(done as u64))
    } else {
        let missing = say::count(report.without_verdict, "package");
        format!("{} of {all} done; {missing} without a verdict yet.", say::grouped(done as u64))
    }
}

/// `3 packages, 40 files, 1,234 lines`.
fn size(changed: &Changed) -> String {
    let (packages, files) = (say::count(changed.packages, "package"), say::count(changed.files, "file"));
    format!("{packages}, {files}, {}", say::count(changed.lines, "line"))
}

/// `12 s`, `3 min 20 s`, `1 h 5 min`.
fn time(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a duration fits, and a negative one is 0"
    )]
    let whole = seconds.round().max(0.0) as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// The numbers that maintainers ask for, with their names.
fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let metrics = &report.metrics;
    let share = metrics.share_repaired.map_or_else(
        || "no package was broken".to_owned(),
        |share| format!("{:.0} % ({} of {})", share * 100.0, metrics.repaired, metrics.broken),
    );
    let refused: usize = metrics.refused_by_rule.values().sum();
    let mut facts = vec![
        ("Broken packages repaired", share),
        ("Edits refused by a rule", say::grouped(refused as u64)),
        ("Time to green (median)", metrics.seconds_to_green.map_or_else(|| "none is".to_owned(), time)),
        ("Time of all packages", time(metrics.seconds)),
        ("Longest package", time(metrics.longest)),
        ("Changed at these commits", size(&report.changed)),
    ];
    if let Some(newer) = &report.newer_specification {
        facts.push(("Changed by the newer specification", size(newer)));
    }
    facts
}

#[cfg(test)]
mod tests;
