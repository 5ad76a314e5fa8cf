//! `bailiwick package convert`: a TypeSpec project from an OpenAPI description.

use super::package;
use crate::exit::{Code, Result};
use bailiwick_customize::driver::{self, Fidelity, ResourceManager};
use clap::Args;
use std::path::PathBuf;

const CONVERT_EXAMPLES: &str = "Example:
  bailiwick package convert --swagger-readme specification/widget/data-plane/readme.md \\
    --output-dir specification/widget/Widget";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The AutoRest configuration of the OpenAPI description, a file of a local clone.
    #[arg(long, value_name = "FILE")]
    pub(crate) swagger_readme: PathBuf,
    /// Where the TypeSpec project goes; made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: PathBuf,
    /// It is a management-plane service.
    #[arg(long)]
    pub(crate) arm: bool,
    /// Keep the OpenAPI that is generated of it the same, rather than write TypeSpec as people would.
    #[arg(long)]
    pub(crate) fully_compatible: bool,
    /// Run the converter without confinement where this platform cannot confine it.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

pub(crate) fn execute(asked: &Convert, as_json: bool) -> Result<Code> {
    let convert = driver::Convert {
        readme: asked.swagger_readme.clone(),
        output: asked.output_dir.clone(),
        resource_manager: if asked.arm { ResourceManager::Yes } else { ResourceManager::No },
        fidelity: if asked.fully_compatible { Fidelity::FullyCompatible } else { Fidelity::Idiomatic },
    };
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    convert.validate().map_err(|error| package::failure(&error.into()))?;
    package::alone(asked.unconfined_builds, as_json, async |customizer| customizer.convert(&convert).await)
}
