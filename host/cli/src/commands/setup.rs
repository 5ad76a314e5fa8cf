//! `bailiwick setup`: everything that regeneration and builds need, locked, into the cache. For an emitter it is the
//! person's word: what is named here is shown, approved and installed.

use super::package;

use crate::exit::{Code, Result};
use crate::{output, places, runtime};
use bailiwick_customize::driver::{CustomizeError, EmitterOf, install, install_tool_builders};
use bailiwick_toolchains::{Consent, Proposal, Toolchains};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct Setup {
    /// Also approve and install the emitter that the SDK repository of this package names.
    #[arg(long, value_name = "DIR", conflicts_with = "emitter_package")]
    pub(crate) package_path: Option<PathBuf>,
    /// Also install what `tool build` makes components of Python and JavaScript with.
    #[arg(long)]
    pub(crate) tool_builders: bool,
    /// Also approve and install the emitter that this file names, such as `eng/emitter-package.json` of an SDK repository.
    /// What is approved here no other command asks about.
    #[arg(long, value_name = "FILE")]
    pub(crate) emitter_package: Option<PathBuf>,
    /// Install without confinement where this platform cannot confine installers.
    #[arg(long)]
    pub(crate) unconfined_builds: bool,
}

pub(crate) fn execute(setup: &Setup, as_json: bool) -> Result<Code> {
    let cache = places::cache()?;
    let supervisor = package::supervisor()?;
    let isolation = package::isolation(&supervisor, setup.unconfined_builds)?;
    let progress = package::steps();
    let emitter = match (&setup.package_path, &setup.emitter_package) {
        (Some(package), _) => Some(EmitterOf::Package(package)),
        (None, Some(file)) => Some(EmitterOf::File(file)),
        (None, None) => None,
    };
    let installed = runtime::block_on(async {
        let toolchains =
            Toolchains::open(&cache, supervisor, isolation)?.with_consent(Consent::Asked(Arc::new(approving)));
        let mut installed = install(&toolchains, emitter, &progress).await?;
        if setup.tool_builders {
            installed.extend(install_tool_builders(&toolchains, &progress).await?);
        }
        Ok::<_, CustomizeError>(installed)
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

/// The person who runs this command names the file, which decides what is installed.
fn approving(proposal: &Proposal) -> bool {
    output::progress("approving an emitter that was never installed here; it runs whenever code is generated:");
    package::shown(proposal);
    true
}
