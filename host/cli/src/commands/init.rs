//! `bailiwick package init`: a new package from a TypeSpec project.

use super::package;
use crate::arguments::Init as Asked;
use crate::exit::{Code, Result};
use bailiwick_customize::driver::Init;

pub(crate) fn execute(asked: &Asked, as_json: bool) -> Result<Code> {
    let init = Init {
        sdk_repository: asked.sdk_repo_path.clone(),
        project: asked.typespec_project_path.clone(),
        commit: asked.commit.clone(),
        repo: asked.repo.clone(),
    };
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    init.validate().map_err(|error| package::failure(&error))?;
    package::alone(asked.unconfined_builds, as_json, async |customizer| customizer.init(&init).await)
}
