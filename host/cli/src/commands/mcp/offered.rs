//! The components that `--tool` and `--develop` offer: which, and with which of the server's grants.

use crate::exit::{Error, Result};
use crate::installed::this_program;
use bailiwick_mcp::component::Added;
use bailiwick_sandbox::rich::NoticeLimits;
use bailiwick_sandbox::{Grants, Sandbox};
use bailiwick_tools::installed::Usable;
use std::path::Path;
use std::sync::Arc;

/// What one call may say on the way: every notice is a message to the client.
const NOTICES: NoticeLimits = NoticeLimits { count: 1_000, bytes: 256 << 10 };

/// One component, found to be one that may be used, and not loaded yet.
pub(super) struct Offered {
    name: String,
    usable: Usable,
    grants: Grants,
}

/// What a person wants offered, in the words of the command line.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    /// `NAME[=GRANT,…]` of what was added and approved.
    pub(super) tools: Vec<String>,
    /// `DIRECTORY[=GRANT,…]` of what somebody works on.
    pub(super) developed: Vec<String>,
}

impl Wanted {
    pub(super) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.developed.is_empty()
    }

    /// The directories of what somebody works on.
    pub(super) fn directories(&self) -> impl Iterator<Item = &Path> {
        self.developed.iter().map(|text| Path::new(parted(text).0))
    }

    /// Reads all of it before anything is served.
    ///
    /// # Errors
    /// One of them may not be used, or two have one name.
    pub(super) fn found(&self, grants: &Grants) -> Result<Vec<Offered>> {
        let mut all = Vec::new();
        self.each(grants).try_for_each(|one| put(&mut all, one?))?;
        Ok(all)
    }

    /// Reads it while clients are served: what may not be used any more is left out, with the reason.
    pub(super) fn found_again(&self, grants: &Grants) -> (Vec<Offered>, Vec<Error>) {
        let (mut all, mut left_out) = (Vec::new(), Vec::new());
        for one in self.each(grants) {
            if let Err(error) = one.and_then(|one| put(&mut all, one)) {
                left_out.push(error);
            }
        }
        (all, left_out)
    }

    fn each<'a>(&'a self, grants: &'a Grants) -> impl Iterator<Item = Result<Offered>> {
        let tools = self.tools.iter().map(|text| (text, parted(text))).map(|(text, (name, names))| {
            offered(Usable::open(this_program(), name)?, names, &format!("--tool {text}"), grants)
        });
        let developed = self.developed.iter().map(|text| (text, parted(text))).map(|(text, (directory, names))| {
            offered(
                Usable::in_development(this_program(), Path::new(directory))?,
                names,
                &format!("--develop {text}"),
                grants,
            )
        });
        tools.chain(developed)
    }
}

fn parted(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or((text, ""))
}

fn put(all: &mut Vec<Offered>, one: Offered) -> Result<()> {
    if all.iter().any(|other| other.name == one.name) {
        return Err(Error::usage(format!("`{}` is offered twice", one.name)));
    }
    all.push(one);
    Ok(())
}

fn offered(usable: Usable, names: &str, option: &str, grants: &Grants) -> Result<Offered> {
    let grants = usable.grants(&chosen(option, names, grants)?)?;
    Ok(Offered { name: usable.name().to_owned(), usable, grants })
}

/// Those of the server's grants that are named, and no other.
fn chosen(option: &str, names: &str, grants: &Grants) -> Result<Grants> {
    let names = names.split(',').filter(|name| !name.is_empty());
    let chosen = names.map(|name| {
        grants.iter().find(|grant| grant.name() == name).cloned().ok_or_else(|| {
            Error::usage(format!("`{option}` wants the grant `{name}`, which this server does not have"))
                .hint(format!("grant the directory with `--grant {name}=PATH`"))
        })
    });
    Grants::new(chosen.collect::<Result<Vec<_>>>()?).map_err(|error| Error::usage(error.to_string()))
}

impl Offered {
    /// What it is called.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Loads it.
    ///
    /// # Errors
    /// It cannot be loaded, or says other things of itself than when it was approved.
    pub(super) async fn loaded(&self, sandbox: &Arc<Sandbox>) -> Result<Added> {
        Ok(Added {
            name: self.name.clone(),
            program: self.usable.load(sandbox).await?,
            sandbox: sandbox.clone(),
            grants: self.grants.clone(),
            limits: self.usable.limits().clone(),
            notices: NOTICES,
        })
    }
}
