//! `bailiwick run report`: a run as a page or as Markdown.

use super::package::{store, store_failure};
use super::run::resolve;

use crate::exit::{Code, Error, Result};
use crate::{output, secrets};
use clap::Args;
use serde_json::json;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Its id, or an unambiguous beginning of it.
    pub(crate) id: String,
    /// How it is written.
    #[arg(long, value_enum, default_value_t = ReportFormat::Html, value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
    /// The file to write, in place of stdout. A file that is there is replaced as a whole.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    /// One self-contained page.
    Html,
    /// For the description of a pull request.
    Markdown,
}

pub(crate) fn execute(asked: &Report, as_json: bool) -> Result<Code> {
    let store = store()?;
    let id = resolve(&store, &asked.id)?;
    let report = bailiwick_report::gather(&store, &id, &secrets::known()).map_err(|error| store_failure(&error))?;
    let text = match asked.format {
        ReportFormat::Html => bailiwick_report::html(&report),
        ReportFormat::Markdown => bailiwick_report::markdown(&report),
    };
    match (&asked.output, as_json) {
        (Some(path), _) => {
            let path = replace(path, &text)?;
            if as_json {
                output::json(&json!({ "runId": id, "output": path, "bytes": text.len() }));
            } else {
                output::progress(&format!("wrote `{}`", path.display()));
            }
        }
        (None, true) => output::json(&report),
        (None, false) => output::line(text.trim_end()),
    }
    Ok(Code::Done)
}

/// Replaces a file as a whole, or not at all. A link is followed: the file that it leads to is replaced.
pub(super) fn replace(path: &Path, text: &str) -> Result<PathBuf> {
    let failed = |error: std::io::Error| {
        Error::usage(format!("`--output`: `{}` cannot be written: {error}", path.display()))
            .hint("name a file in a directory that is there and that you may write to")
    };
    let target = match path.canonicalize() {
        Ok(target) if !target.is_file() => {
            return Err(Error::usage(format!("`--output`: `{}` is not a file", path.display()))
                .hint("leave `--output` out to have the report on stdout"));
        }
        Ok(target) => target,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(failed(error)),
    };
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As other files that a person makes: readers of the directory may read the report.
    let permissions = std::fs::Permissions::from_mode(0o666);
    let file = tempfile::Builder::new().prefix(".bailiwick-report-").permissions(permissions).tempfile_in(directory);
    let mut file = file.map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(&target).map_err(|error| failed(error.error))?;
    Ok(target)
}
