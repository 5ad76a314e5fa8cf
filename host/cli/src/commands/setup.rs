//! `bailiwick setup`: everything that regeneration and builds need, locked, into the cache.

use super::package;
use crate::arguments::Setup;
use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime};
use bailiwick_customize::driver::{CustomizeError, Progress, install};
use serde_json::json;

pub(crate) fn execute(setup: &Setup, as_json: bool) -> Result<Code> {
    let cache = places::cache()?;
    let supervisor = package::supervisor()?;
    let progress = Progress::to(output::progress);
    let installed = runtime::block_on(install(&cache, supervisor, setup.package_path.as_deref(), &progress))?;
    let installed = installed.map_err(|error: CustomizeError| Error { ..package::failure(&error) })?;
    if as_json {
        output::json(&json!({ "cache": cache, "installed": installed }));
    } else {
        for line in installed {
            output::line(&line);
        }
    }
    Ok(Code::Done)
}
