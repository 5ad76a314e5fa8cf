//! `bailiwick package show`: what is known of a package without starting anything.

use super::package::failure;

use crate::exit::{Code, Result};
use crate::output;
use bailiwick_customize::driver::overview;
use clap::Args;
use std::path::PathBuf;

const SHOW_EXAMPLES: &str = "Example:
  bailiwick package show --package-path sdk/widget/azure-widget";

#[derive(Debug, Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct Show {
    /// The package directory, which holds `tsp-location.yaml`.
    #[arg(long, value_name = "DIR")]
    pub(crate) package_path: PathBuf,
    /// The TypeSpec project; found through `tsp-location.yaml` and a local clone of the specifications if left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: Option<PathBuf>,
}

pub(crate) fn execute(show: &Show, as_json: bool) -> Result<Code> {
    let overview = overview(&show.package_path, show.typespec_project_path.as_deref());
    let overview = overview.map_err(|error| failure(&error))?;
    if as_json {
        output::json(&overview);
    } else {
        output::line(&overview.format());
    }
    Ok(Code::Done)
}
