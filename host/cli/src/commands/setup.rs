//! `bailiwick setup`: everything that regeneration and builds need, locked, into the cache.

use super::package;
use crate::arguments::Setup;
use crate::exit::{Code, Result};
use crate::{output, places, runtime};
use bailiwick_customize::driver::{EmitterOf, Progress, install, install_tool_builders};
use serde_json::json;

pub(crate) fn execute(setup: &Setup, as_json: bool) -> Result<Code> {
    let cache = places::cache()?;
    let supervisor = package::supervisor()?;
    let progress = Progress::to(output::progress);
    let emitter = match (&setup.package_path, &setup.emitter_package) {
        (Some(package), _) => Some(EmitterOf::Package(package)),
        (None, Some(file)) => Some(EmitterOf::File(file)),
        (None, None) => None,
    };
    let installed = runtime::block_on(async {
        let mut installed = install(&cache, supervisor.clone(), emitter, &progress).await?;
        if setup.tool_builders {
            installed.extend(install_tool_builders(&cache, supervisor, &progress).await?);
        }
        Ok(installed)
    })?;
    let installed = installed.map_err(|error| package::failure(&error))?;
    if as_json {
        output::json(&json!({ "cache": cache, "installed": installed }));
    } else {
        for line in installed {
            output::line(&line);
        }
    }
    Ok(Code::Done)
}
