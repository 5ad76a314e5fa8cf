//! `--hide` and `--unhide`: what the granted directories of a command show.

use crate::exit::{Error, Result};
use bailiwick_sandbox::Grant;
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Visible {
    /// Hide in every granted directory what this glob is about, beyond what is hidden by default: it is neither read nor
    /// written, and listings leave it out. A name at any depth (`*.snap`), or with a `/` a path below the directory
    /// (`docs/internal`, `**/fixtures/*.json`).
    #[arg(long, value_name = "PATTERN")]
    pub(crate) hide: Vec<String>,
    /// Show what is hidden by default (`.env`, private keys, `.ssh`, `.npmrc` and the like; `bailiwick doctor` has the
    /// list): a name such as `.env` or `*.pem`, or a path such as `tests/certs/*.pem`. `--hide` wins over it.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) unhide: Vec<String>,
}

impl Visible {
    pub(crate) fn is_empty(&self) -> bool {
        self.hide.is_empty() && self.unhide.is_empty()
    }

    /// The same grant with these patterns.
    pub(crate) fn apply(&self, mut grant: Grant) -> Result<Grant> {
        for pattern in &self.hide {
            grant = grant.hiding(pattern).map_err(|error| Error::from(&error))?;
        }
        for pattern in &self.unhide {
            grant = grant.showing(pattern).map_err(|error| Error::from(&error))?;
        }
        Ok(grant)
    }

    /// As arguments of another command.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = String> {
        let each = |option: &'static str, patterns: &[String]| {
            patterns.iter().map(|pattern| format!("{option}={pattern}")).collect::<Vec<_>>()
        };
        each("--hide", &self.hide).into_iter().chain(each("--unhide", &self.unhide))
    }
}
