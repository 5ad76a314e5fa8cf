//! `bailiwick run report`: a run as a page or as Markdown.

use super::package::{store, store_failure};
use super::run::resolve;
use crate::arguments::{Report, ReportFormat};
use crate::exit::{Code, Error, Result};
use crate::{output, secrets};
use serde_json::json;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

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
fn replace(path: &Path, text: &str) -> Result<PathBuf> {
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
    // As other files that a person makes: whoever may read the directory may read the report.
    let permissions = std::fs::Permissions::from_mode(0o666);
    let file = tempfile::Builder::new().prefix(".bailiwick-report-").permissions(permissions).tempfile_in(directory);
    let mut file = file.map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(&target).map_err(|error| failed(error.error))?;
    Ok(target)
}
