//! The options of an agent run, from the command line or from a kept session.

use super::super::text;
use super::run::AgentRun;
use crate::exit::{Error, Result};
use crate::grant_argument::GrantArgument;
use crate::visible::Visible;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// All options. With absolute paths they mean the same from any working directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Options {
    pub(super) file: PathBuf,
    /// Where directories begin that the input names.
    pub(super) working: PathBuf,
    pub(super) grants: Vec<GrantArgument>,
    /// Whether it may write wherever it asks to.
    pub(super) yes: bool,
    pub(super) allow_sensitive: Vec<String>,
    #[serde(default, skip_serializing_if = "Visible::is_empty")]
    pub(super) visible: Visible,
    /// As it was given; absent if it was not.
    pub(super) input: Option<Value>,
    pub(super) model: Option<String>,
    /// The most that it may cost, in millionths of one unit of money.
    #[serde(default)]
    pub(super) max_cost: Option<u64>,
}

impl Options {
    pub(super) fn of(run: &AgentRun) -> Result<Self> {
        let working =
            std::env::current_dir().map_err(|error| Error::usage(format!("there is no working directory: {error}")))?;
        Ok(Self {
            file: run.file.clone(),
            working,
            grants: GrantArgument::all(&run.grants)?,
            yes: run.yes,
            allow_sensitive: run.allow_sensitive.clone(),
            visible: run.visible.clone(),
            input: input(run)?,
            model: run.model.clone(),
            max_cost: run.max_cost,
        })
    }

    /// The same for any working directory.
    pub(super) fn absolute(&self) -> Self {
        let mut asked = self.clone();
        asked.file = absolute(&asked.file);
        for given in &mut asked.grants {
            given.path = absolute(&given.path);
        }
        // A script that the command line names lies where the working directory says.
        if let Some(script) = asked.model.as_deref().and_then(|model| model.strip_prefix("script:"))
            && let Some(script) = absolute(Path::new(script)).to_str()
        {
            asked.model = Some(format!("script:{script}"));
        }
        asked
    }
}

/// An absolute path without `.`; links and `..` in it stay.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().collect()
}

fn input(run: &AgentRun) -> Result<Option<Value>> {
    if let Some(lines) = &run.input_lines {
        let text = text::read("input", lines)?;
        return Ok(Some(text.lines().filter(|line| !line.trim().is_empty()).collect()));
    }
    let Some(input) = &run.input else { return Ok(None) };
    let text = text::read("input", input)?;
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Error::usage(format!("`--input` is not JSON: {error}")).hint(
            "write for example `--input '{\"name\": \"value\"}'`, `--input @FILE` or `--input -`; \
             `--input-lines` takes text",
        )
    })
}
