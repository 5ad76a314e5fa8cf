//! What a fleet came to: every package with its verdict, counted, grouped by cause.

mod cause;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::FleetError;
use crate::manifest::{Action, Manifest};
use crate::verdict::{JobResult, Patch, Verdict};

/// One package.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The package with its repository in front.
    pub package: String,
    /// The language's token; empty for a package that was skipped.
    pub language: String,
    /// What became of it; nothing while it has no result.
    pub verdict: Option<Verdict>,
    /// One sentence.
    pub message: String,
    /// Which attempt its result is from.
    pub attempt: u32,
    /// How long that took.
    pub seconds: f64,
    /// What a person has to do.
    pub guidance: Vec<String>,
    /// What its package's patch changes.
    pub changed: Option<Changed>,
    /// What a newer specification changes on top of that, where it was asked.
    pub newer_specification: Option<Changed>,
}

/// The size of a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// Packages with a difference.
    pub packages: usize,
    /// Files.
    pub files: usize,
    /// Lines added and removed.
    pub lines: usize,
}

impl Changed {
    fn of(patch: &Patch) -> Self {
        Self { packages: usize::from(patch.files > 0), files: patch.files, lines: patch.lines }
    }

    fn and(self, other: Self) -> Self {
        Self {
            packages: self.packages + other.packages,
            files: self.files + other.files,
            lines: self.lines + other.lines,
        }
    }
}

/// Packages that are not done for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Who said it.
    pub tool: String,
    /// Its code or rule.
    pub code: Option<String>,
    /// The words of the first package.
    pub example: String,
    /// How often it was said in all packages.
    pub times: usize,
    /// The packages, sorted.
    pub packages: Vec<String>,
}

/// What maintainers ask for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// Packages that were broken: repaired, for a person, or failed.
    pub broken: usize,
    /// Packages that were repaired.
    pub repaired: usize,
    /// The share of the broken that was repaired.
    pub share_repaired: Option<f64>,
    /// How often a rule of the gate refused an edit, by rule.
    pub refused_by_rule: BTreeMap<String, usize>,
    /// Median time in which a package was done, in seconds.
    pub seconds_to_green: Option<f64>,
    /// Time of all packages together, in seconds.
    pub seconds: f64,
    /// The longest package, in seconds.
    pub longest: f64,
}

/// What a fleet came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The fleet.
    pub fleet: String,
    /// When it was planned.
    pub planned: String,
    /// The version that planned it.
    pub version: String,
    /// What was done with each package.
    pub action: Option<Action>,
    /// How many packages there are.
    pub packages: usize,
    /// Whether every package has its verdict.
    pub complete: bool,
    /// How many packages have no verdict yet.
    pub without_verdict: usize,
    /// Packages by verdict.
    pub counts: BTreeMap<Verdict, usize>,
    /// What maintainers ask for.
    pub metrics: Metrics,
    /// What the emitter changed, at the commits of the manifest. Where packages are pinned, the specification has no part.
    pub changed: Changed,
    /// What a newer specification changes on top of that; nothing where that was not asked.
    pub newer_specification: Option<Changed>,
    /// Why packages are not done, the most frequent first.
    pub groups: Vec<Group>,
    /// Every package, sorted by name.
    pub rows: Vec<Row>,
}

impl Report {
    /// The report of these results. Results of other fleets are an error and not left out.
    ///
    /// # Errors
    /// [`FleetError::WrongSum`] where a package has two results, a result no package, or the verdicts do not add up.
    pub fn of(manifest: &Manifest, results: &[JobResult]) -> Result<Self, FleetError> {
        let wrong = |counted| FleetError::WrongSum { packages: manifest.packages(), counted };
        let mut by_key = BTreeMap::new();
        for result in results {
            if manifest.job(&result.key).is_none() || by_key.insert(&result.key, result).is_some() {
                return Err(wrong(results.len() + manifest.skipped.len()));
            }
        }
        let jobs = manifest.jobs.iter().map(|job| {
            let result = by_key.get(&job.key);
            let patch = |of| result.and_then(|result| result.patch(of)).map(Changed::of);
            Row {
                package: job.name(),
                language: job.language.clone(),
                verdict: result.map(|result| result.verdict),
                message: result.map_or_else(|| "it has no verdict yet".to_owned(), |result| result.message.clone()),
                attempt: result.map_or(0, |result| result.attempt),
                seconds: result.map_or(0.0, |result| result.seconds),
                guidance: result.map(|result| result.guidance.clone()).unwrap_or_default(),
                changed: patch(Patch::PACKAGE),
                newer_specification: patch(Patch::NEWER_SPECIFICATION),
            }
        });
        let skipped = manifest.skipped.iter().map(|one| Row {
            package: one.package.clone(),
            language: String::new(),
            verdict: Some(Verdict::Skipped),
            message: one.reason.clone(),
            attempt: 0,
            seconds: 0.0,
            guidance: Vec::new(),
            changed: None,
            newer_specification: None,
        });
        let mut rows: Vec<Row> = jobs.chain(skipped).collect();
        rows.sort_by(|one, other| one.package.cmp(&other.package));
        let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
        for verdict in rows.iter().filter_map(|row| row.verdict) {
            *counts.entry(verdict).or_default() += 1;
        }
        let without_verdict = rows.iter().filter(|row| row.verdict.is_none()).count();
        let counted = counts.values().sum::<usize>() + without_verdict;
        if counted != manifest.packages() {
            return Err(wrong(counted));
        }
        let sum = |of: fn(&Row) -> Option<Changed>| rows.iter().filter_map(of).reduce(Changed::and);
        Ok(Self {
            fleet: manifest.fleet.to_string(),
            planned: manifest.planned.clone(),
            version: manifest.version.clone(),
            action: manifest.jobs.first().map(|job| job.action),
            packages: manifest.packages(),
            complete: without_verdict == 0,
            without_verdict,
            metrics: metrics(&counts, &rows, results),
            changed: sum(|row| row.changed).unwrap_or_default(),
            newer_specification: sum(|row| row.newer_specification),
            counts,
            groups: cause::groups(results),
            rows,
        })
    }

    /// Whether every package is done or was left out for its reason.
    #[must_use]
    pub fn is_success(&self) -> bool {
        let done = |verdict: &Verdict| verdict.is_done() || *verdict == Verdict::Skipped;
        self.complete && self.counts.keys().all(done)
    }
}

fn metrics(counts: &BTreeMap<Verdict, usize>, rows: &[Row], results: &[JobResult]) -> Metrics {
    let of = |verdict| counts.get(&verdict).copied().unwrap_or(0);
    let repaired = of(Verdict::Repaired);
    let broken = repaired + of(Verdict::Guidance) + of(Verdict::Failed);
    let mut green: Vec<f64> =
        rows.iter().filter(|row| row.verdict.is_some_and(Verdict::is_done)).map(|row| row.seconds).collect();
    green.sort_by(f64::total_cmp);
    let mut refused_by_rule = BTreeMap::new();
    for cause in results.iter().flat_map(|result| &result.causes).filter(|cause| cause.tool == "gate") {
        *refused_by_rule.entry(cause.code.clone().unwrap_or_else(|| "unnamed".to_owned())).or_default() += 1;
    }
    Metrics {
        broken,
        repaired,
        share_repaired: (broken > 0).then(|| share(repaired, broken)),
        refused_by_rule,
        seconds_to_green: green.get(green.len() / 2).copied(),
        seconds: rows.iter().map(|row| row.seconds).sum(),
        longest: rows.iter().map(|row| row.seconds).fold(0.0, f64::max),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

#[cfg(test)]
mod tests;
