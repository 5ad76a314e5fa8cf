//! `bailiwick package init`: a new package from a TypeSpec project.

use super::package;
use crate::exit::{Code, Result};
use bailiwick_customize::driver;
use clap::Args;
use std::path::PathBuf;

const INIT_EXAMPLES: &str = "Example:
  bailiwick package init --sdk-repo-path azure-sdk-for-python \\
    --typespec-project-path azure-rest-api-specs/specification/widget/WidgetManager";

#[derive(Debug, Args)]
#[command(after_help = INIT_EXAMPLES)]
pub(crate) struct Init {
    /// The SDK repository, whose `eng/emitter-package.json` names the emitter.
    #[arg(long, value_name = "DIR")]
    pub(crate) sdk_repo_path: PathBuf,
    /// The TypeSpec project in a local clone of the specifications. Its `tspconfig.yaml` says where the package goes.
    #[arg(long, value_name = "DIR")]
    pub(crate) typespec_project_path: PathBuf,
    /// The commit to write into `tsp-location.yaml`; the clone's own if left out.
    #[arg(long, value_name = "SHA")]
    pub(crate) commit: Option<String>,
    /// The repository to write into `tsp-location.yaml`; the clone's remote if left out.
    #[arg(long, value_name = "OWNER/NAME")]
    pub(crate) repo: Option<String>,
    /// Run emitters without confinement where this platform cannot confine them.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

pub(crate) fn execute(asked: &Init, as_json: bool) -> Result<Code> {
    let init = driver::Init {
        sdk_repository: asked.sdk_repo_path.clone(),
        project: asked.typespec_project_path.clone(),
        commit: asked.commit.clone(),
        repo: asked.repo.clone(),
    };
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    init.validate().map_err(|error| package::failure(&error))?;
    package::alone(asked.unconfined_builds, as_json, async |customizer| customizer.init(&init).await)
}
