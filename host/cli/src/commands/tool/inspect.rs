//! `tool inspect`: what a tool is and asks for, before and after a person decided.

use super::review::{Review, warn};

use super::install::RegistryUse;
use crate::exit::{Code, Error, Result};
use crate::installed::{ThisProgram, store};
use crate::{output, runtime};
use bailiwick_sandbox::{Audit, Outline};
use bailiwick_tools::installed::fetch::registry_reference;
use bailiwick_tools::installed::{Candidate, Fetched};
use clap::Args;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct InspectTool {
    /// What it was added as, or a component file, a `tool.toml`, the directory of one, or an artifact of a registry.
    #[arg(value_name = "NAME|FILE|oci://…")]
    pub(crate) tool: String,
    #[command(flatten)]
    pub(crate) registry: RegistryUse,
}

pub(super) fn execute(inspect: &InspectTool, as_json: bool) -> Result<Code> {
    let tool = inspect.tool.as_str();
    let known = store()?.list()?.remove(tool);
    let (candidate, entry) = match known {
        Some(entry) => {
            let release = entry.undecided().unwrap_or(&entry.current);
            (Candidate::kept(&ThisProgram, tool, release)?, Some(entry))
        }
        None if Path::new(tool).exists() || registry_reference(Path::new(tool))?.is_some() => {
            let fetched = runtime::block_on(Fetched::get(&ThisProgram, Path::new(tool), &inspect.registry.into()))??;
            output::progress(&fetched.said());
            (fetched.candidate, None)
        }
        None => {
            return Err(Error::usage(format!("`{tool}` is neither an added tool nor a file"))
                .hint("`bailiwick tool list` shows what was added"));
        }
    };
    let outline = Outline::of(&candidate.bytes).map_err(|error| Error::usage(error.to_string()))?;
    let sandbox = runtime::sandbox(Audit::Off)?;
    let program = runtime::block_on(async { candidate.look(&ThisProgram, &sandbox).await.map_err(Error::from) })?
        .inspect_err(|error| {
            // What it wants is told also where it is refused for it.
            let refused = error.code == Code::Refused;
            outline
                .imports
                .iter()
                .filter(|_| refused)
                .for_each(|import| output::progress(&format!("imports {import}")));
        })?;
    let review = match &entry {
        Some(entry) => Review::of(tool, entry, &program),
        None => Review::new(tool, candidate.release(&program), None, &program),
    };
    let review = review.with(&outline);
    if as_json {
        output::json(&review.json(candidate.bytes.len(), &outline));
        return Ok(Code::Done);
    }
    let lines = review.lines(candidate.bytes.len());
    lines.iter().for_each(|line| output::line(line));
    for (what, names) in
        [("imports", &outline.imports), ("exports", &outline.interfaces), ("functions", &outline.functions)]
    {
        names.iter().enumerate().for_each(|(place, name)| {
            output::line(&format!("{:<10} {name}", if place == 0 { what } else { "" }));
        });
    }
    if let Some(digest) = review.digest() {
        output::line(&format!("review     {digest}"));
    }
    warn(&review.warnings);
    Ok(Code::Done)
}
