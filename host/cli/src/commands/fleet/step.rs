//! `bailiwick fleet step`: the files of the step of a pipeline that repairs a pull request.

use crate::exit::{Code, Error, Result};
use crate::output;
use bailiwick_base::files::Replace;
use bailiwick_fleet::{Pipeline, step};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Step {
    /// Whose pipelines.
    #[arg(value_enum, value_name = "PIPELINE")]
    pipeline: Whose,
    /// The directory to write `repair.sh` and `repair.yml` into; made if it is not there.
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
}

/// Whose pipelines files are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Whose {
    /// Azure Pipelines.
    Azure,
    /// GitHub Actions.
    Github,
}

impl From<Whose> for Pipeline {
    fn from(whose: Whose) -> Self {
        match whose {
            Whose::Azure => Self::Azure,
            Whose::Github => Self::Github,
        }
    }
}

pub(super) fn execute(asked: &Step) -> Result<Code> {
    std::fs::create_dir_all(&asked.output)
        .map_err(|error| Error::usage(format!("`--output`: `{}` cannot be made: {error}", asked.output.display())))?;
    for file in step(asked.pipeline.into()) {
        let path = asked.output.join(file.name);
        Replace { mode: 0o644, durable: false }
            .write(&path, file.content.as_bytes())
            .map_err(|error| Error::usage(format!("`--output`: `{}` cannot be written: {error}", path.display())))?;
        output::progress(&format!("wrote `{}`", path.display()));
    }
    output::progress("the first lines of `repair.yml` say where both files go");
    Ok(Code::Done)
}
