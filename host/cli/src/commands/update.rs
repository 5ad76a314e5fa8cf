//! `bailiwick package update`: the scripts that an SDK repository configures.

use super::package;
use super::package::Target;
use crate::exit::{Code, Error, Result};
use bailiwick_customize::driver::{self, Package};
use clap::{Args, Subcommand};

const UPDATE_EXAMPLES: &str = "Examples:
  bailiwick package update changelog --package-path sdk/widget/azure-widget
  bailiwick package update version --package-path sdk/widget/azure-widget --version 1.2.0 --release-type stable
  bailiwick package update metadata --package-path sdk/widget/azure-widget --json";

#[derive(Debug, Subcommand)]
#[command(after_help = UPDATE_EXAMPLES, disable_version_flag = true)]
pub(crate) enum Update {
    /// Write the entries of the change log (`updateChangelogContentScript`).
    Changelog(Target),
    /// Set the version and the release date (`updateVersionScript`).
    #[command(disable_version_flag = true)]
    Version(VersionUpdate),
    /// Bring what else describes the package up to date (`updateMetadataScript`).
    Metadata(Target),
}

#[derive(Debug, Args)]
pub(crate) struct VersionUpdate {
    #[command(flatten)]
    pub(crate) target: Target,
    /// The new version; the script decides if it is left out.
    #[arg(long = "version", value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// What kind of release it is.
    #[arg(long, value_name = "beta|stable", value_parser = ["beta", "stable"])]
    pub(crate) release_type: Option<String>,
    /// The day of the release, such as `2026-11-30`.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) release_date: Option<String>,
}

pub(crate) fn execute(asked: &Update, as_json: bool) -> Result<Code> {
    let (target, update) = match asked {
        Update::Changelog(target) => (target, driver::Update::Changelog),
        Update::Metadata(target) => (target, driver::Update::Metadata),
        Update::Version(version) => (&version.target, self::version(version)?),
    };
    Package::discover(&target.package_path).map_err(|error| package::failure(&error))?;
    package::alone(target.unconfined_builds, as_json, async |customizer| {
        customizer.update(&target.package_path, &update).await
    })
}

/// The values stand in a command line, so they are checked to be what they are called.
fn version(asked: &VersionUpdate) -> Result<driver::Update> {
    if let Some(version) = &asked.version
        && !is_version(version)
    {
        return Err(Error::usage(format!("`--version {version}` is not a version"))
            .hint("give numbers with dots, and a suffix if there is one: `1.2.0`, `1.2.0b1`, `1.2.0-beta.1`"));
    }
    if let Some(date) = &asked.release_date
        && !is_date(date)
    {
        return Err(Error::usage(format!("`--release-date {date}` is not a date"))
            .hint("give year, month and day with hyphens: `2026-11-30`"));
    }
    Ok(driver::Update::Version {
        version: asked.version.clone(),
        release_type: asked.release_type.clone(),
        release_date: asked.release_date.clone(),
    })
}

fn is_version(text: &str) -> bool {
    let harmless = |one: char| one.is_ascii_alphanumeric() || ".-+".contains(one);
    text.starts_with(|first: char| first.is_ascii_digit()) && text.contains('.') && text.chars().all(harmless)
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, digits: usize| {
        (part.len() == digits && part.chars().all(|one| one.is_ascii_digit()))
            .then(|| part.parse::<u32>().ok())
            .flatten()
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_dates_are_told_from_other_text() {
        for text in ["1.2.0", "1.0.0b3", "2.0.0-beta.1", "1.0"] {
            assert!(is_version(text), "{text}");
        }
        for text in ["", "1", "v1.2", "-1.2", "1.2 --x", "1.2;x", "$(x).1"] {
            assert!(!is_version(text), "{text}");
        }
        assert!(is_date("2026-11-30"));
        for text in ["", "2026-13-01", "2026-1-1", "2026-00-10", "26-11-30", "2026-11-30x", "2026-11", "2026-11-32"] {
            assert!(!is_date(text), "{text}");
        }
    }
}
