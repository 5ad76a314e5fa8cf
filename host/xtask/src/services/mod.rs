//! What happens when the program meets real services: their published packages, built, regenerated and customized.
//!
//! Nothing of a service lies in this repository but names (`tests/services.toml`). Packages come from their registries. The
//! specifications come from a directory that is given, or are cloned. A result is judged from outside: by the code of the
//! package, and by what git says after a revert. That the package builds is taken from the program.

mod lay_out;
mod manifest;
mod summary;
mod table;
mod trial;

use crate::host::Profile;
use crate::process::{say, step};
use crate::{host, repository};
use anyhow::{Context, Result, bail};
use clap::Args;
use manifest::{Language, Manifest};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use table::Table;

const MANIFEST: &str = "tests/services.toml";
/// The specifications, where no directory is given.
const PUBLIC: &str = "https://github.com/Azure/azure-rest-api-specs";

#[derive(Debug, Args)]
pub(crate) struct Services {
    /// A part of the package names that are meant. All packages without it.
    name: Option<String>,
    /// A directory with the specifications (`specification/…`), such as a clone. Without it they are cloned from the public
    /// repository; their newest state may not fit the versions of the packages.
    #[arg(long, value_name = "DIR", conflicts_with = "clone")]
    specifications: Option<PathBuf>,
    /// Clones the specifications from here in place of the public repository.
    #[arg(long, value_name = "URL", default_value = PUBLIC)]
    clone: String,
    /// A model that requests and repairs are tried with; once more for each further one. Its key is read from the environment, as
    /// for any run.
    #[arg(long, value_name = "MODEL", default_value = "mechanic")]
    model: Vec<String>,
    /// Write the tables of results to this file, too.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Lays the services out, tries every step and request, and prints the table.
///
/// # Errors
/// When something cannot be set up or had, or when a result was a false success or left something behind.
pub(crate) fn run(arguments: &Services) -> Result<()> {
    let mut manifest = Manifest::read(&repository::root().join(MANIFEST))?;
    if let Some(name) = &arguments.name {
        manifest.services.retain(|service| service.package.contains(name));
    }
    if manifest.services.is_empty() {
        bail!("no package of `{MANIFEST}` is called so");
    }
    let binary = host::set_up(Profile::Dev)?;
    if manifest.services.iter().any(|service| service.language == Language::Java) {
        host::set_up_java(&binary)?;
    }
    // Outside the cache: the program works in no directory of its own.
    let base = repository::target()?.join("services");
    let layout = step("services: laying them out", || {
        let specifications = match &arguments.specifications {
            Some(directory) => lay_out::Specifications::Directory(directory.clone()),
            None => lay_out::Specifications::Clone(arguments.clone.clone()),
        };
        lay_out::lay_out(&base, &manifest.services, &specifications)
    })?;
    let mut table = Table::default();
    for service in &manifest.services {
        for model in &arguments.model {
            let name = format!("services: {} ({}, {model})", service.package, service.language.name());
            table.add(step(&name, || trial::run(&binary, &layout, service, model))?);
        }
    }
    let text = table.markdown();
    std::io::stdout().write_all(text.as_bytes()).context("cannot print the table")?;
    if let Some(path) = &arguments.report {
        fs::write(path, &text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    match table.faults() {
        0 => Ok(()),
        faults => {
            say("services: see `FALSE SUCCESS` and `LEFT BEHIND` above");
            bail!("{faults} results are false successes or left something behind")
        }
    }
}
