//! `bailiwick package convert`: a TypeSpec project from an OpenAPI description.

use super::package;
use crate::arguments::Convert as Asked;
use crate::exit::{Code, Result};
use bailiwick_customize::driver::{Convert, Fidelity, ResourceManager};

pub(crate) fn execute(asked: &Asked, as_json: bool) -> Result<Code> {
    let convert = Convert {
        readme: asked.swagger_readme.clone(),
        output: asked.output_dir.clone(),
        resource_manager: if asked.arm { ResourceManager::Yes } else { ResourceManager::No },
        fidelity: if asked.fully_compatible { Fidelity::FullyCompatible } else { Fidelity::Idiomatic },
    };
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    convert.validate().map_err(|error| package::failure(&error.into()))?;
    package::alone(asked.unconfined_builds, as_json, async |customizer| customizer.convert(&convert).await)
}
