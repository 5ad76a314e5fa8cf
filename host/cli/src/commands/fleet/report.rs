//! `bailiwick fleet report`: what a fleet came to, also where it was done in shards.

use super::files::queue;
use super::{failure, manifest};
use crate::commands::report::replace;
use crate::exit::{Code, Error, Result};
use crate::output;
use bailiwick_base::files::plain;
use bailiwick_fleet::{FleetError, JobResult, Manifest, Queue, Totals, Verdict};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Its name, or an unambiguous beginning of it; with `--shards` the manifest.
    #[arg(value_name = "FLEET|MANIFEST")]
    fleet: String,
    /// A directory with what shards left, at any depth of up to three. A package whose shard left nothing has the verdict
    /// `killed its worker`.
    #[arg(long, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// How it is written. `--json` is the same as `json`.
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    format: Format,
    /// The comment that the run before left on the same pull request, with `--format comment`: its counts are added.
    #[arg(long, value_name = "FILE")]
    earlier: Option<PathBuf>,
    /// The file to write, in place of stdout. A file that is there is replaced as a whole.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a terminal.
    Text,
    /// One self-contained page with a table that can be filtered.
    Html,
    /// For a pull request or the summary of a pipeline.
    Markdown,
    /// For the one comment on a pull request, with the counts of all runs on it.
    Comment,
    /// As data.
    Json,
}

pub(super) fn execute(asked: &Report, as_json: bool) -> Result<Code> {
    if asked.earlier.is_some() && (as_json || asked.format != Format::Comment) {
        return Err(Error::usage("`--earlier` is for a comment").hint("give `--format comment`"));
    }
    let (manifest, results) = if asked.shards.is_empty() {
        let queue = queue(&asked.fleet)?;
        let results = queue.results().map_err(|error| failure(&error))?;
        (queue.manifest().clone(), results)
    } else {
        let manifest = manifest(&PathBuf::from(&asked.fleet))?;
        let results = merged(&manifest, &asked.shards)?;
        (manifest, results)
    };
    let report = bailiwick_fleet::Report::of(&manifest, &results).map_err(|error| failure(&error))?;
    let text = match if as_json { Format::Json } else { asked.format } {
        Format::Text => summary(&report),
        Format::Html => bailiwick_report::fleet_html(&report),
        Format::Markdown => bailiwick_report::fleet_markdown(&report),
        Format::Comment => bailiwick_report::fleet_comment(&report, &asked.totals()?.and(&report)),
        Format::Json => serde_json::to_string_pretty(&report).unwrap_or_default(),
    };
    match &asked.output {
        Some(path) => {
            let path = replace(path, &text)?;
            output::progress(&format!("wrote `{}`", path.display()));
        }
        None => output::line(text.trim_end()),
    }
    Ok(if report.is_success() { Code::Done } else { Code::NoSuccess })
}

impl Report {
    /// What the runs before came to.
    fn totals(&self) -> Result<Totals> {
        let Some(path) = &self.earlier else { return Ok(Totals::default()) };
        let read = plain::read(path);
        let bytes =
            read.map_err(|error| Error::usage(format!("`--earlier`: `{}` cannot be read: {error}", path.display())))?;
        Ok(Totals::read(&String::from_utf8_lossy(&bytes)))
    }
}

/// What shards left: of a package that two of them have a result of, the later one. Two verdicts on one package are an error:
/// a shard has no say about the packages of another one.
fn merged(manifest: &Manifest, shards: &[PathBuf]) -> Result<Vec<JobResult>> {
    let mut found: BTreeMap<bailiwick_fleet::Key, (JobResult, PathBuf)> = BTreeMap::new();
    for directory in shards {
        if !directory.is_dir() {
            return Err(Error::usage(format!("`--shards`: there is no directory `{}`", directory.display())));
        }
        for queue in queues(directory, 3)? {
            if queue.manifest().fleet != manifest.fleet {
                continue;
            }
            for result in queue.results().map_err(|error| failure(&error))? {
                let place = queue.directory();
                let other = found.get(&result.key);
                if let Some((other, its_place)) = other.filter(|(other, _)| other.verdict != result.verdict) {
                    return Err(Error::usage(format!(
                        "`--shards`: `{}` is {} in `{}` and {} in `{}`",
                        result.package,
                        other.verdict,
                        its_place.display(),
                        result.verdict,
                        place.display()
                    ))
                    .hint("remove what the shard left that does not count"));
                }
                if other.is_none_or(|(other, _)| other.finished < result.finished) {
                    found.insert(result.key.clone(), (result, place.to_owned()));
                }
            }
        }
    }
    for job in &manifest.jobs {
        let none = || JobResult::of_fleet(job, Verdict::KilledItsWorker, 0, "its shard left no result");
        found.entry(job.key.clone()).or_insert_with(|| (none(), PathBuf::new()));
    }
    // What is not of this manifest has no place in its sum.
    found.retain(|key, _| manifest.job(key).is_some());
    Ok(found.into_values().map(|(result, _)| result).collect())
}

fn queues(directory: &Path, depth: u8) -> Result<Vec<Queue>> {
    if directory.join("manifest.json").is_file() {
        return match Queue::open(directory) {
            Ok(queue) => Ok(vec![queue]),
            // Files of others may have that name.
            Err(FleetError::Malformed { .. } | FleetError::Format { .. }) => Ok(Vec::new()),
            Err(error) => Err(failure(&error)),
        };
    }
    let mut found = Vec::new();
    if depth > 0 {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                found.extend(queues(&entry.path(), depth.saturating_sub(1))?);
            }
        }
    }
    Ok(found)
}

/// The most packages that a line names.
const NAMED: usize = 4;

/// For a terminal.
pub(super) fn summary(report: &bailiwick_fleet::Report) -> String {
    let mut lines = vec![format!("{} packages in fleet {}", report.packages, report.fleet)];
    for (verdict, count) in &report.counts {
        lines.push(format!("{count:>6} {verdict}"));
    }
    if !report.complete {
        lines.push(format!("{:>6} without a verdict", report.without_verdict));
    }
    if let Some(share) = report.metrics.share_repaired {
        lines.push(format!("{:.0} % of {} broken packages repaired", share * 100.0, report.metrics.broken));
    }
    let changed = |what: &str, changed: &bailiwick_fleet::Changed| {
        format!("{what} {} packages, {} files, {} lines", changed.packages, changed.files, changed.lines)
    };
    lines.push(changed("changed:", &report.changed));
    if let Some(newer) = &report.newer_specification {
        lines.push(changed("the newer specification changes on top of that:", newer));
    }
    for group in &report.groups {
        let code = group.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
        let named = group.packages.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = group.packages.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let noun = if group.packages.len() == 1 { "package" } else { "packages" };
        lines.push(format!("{} {noun}: {}{code}: {}", group.packages.len(), group.tool, group.example));
        lines.push(format!("    {named}{more}"));
    }
    lines.join("\n")
}
