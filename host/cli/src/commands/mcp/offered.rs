//! The components that `--tool` offers: which, and with which of the server's grants.

use crate::added::Usable;
use crate::exit::{Error, Result};
use bailiwick_mcp::component::Added;
use bailiwick_sandbox::rich::NoticeLimits;
use bailiwick_sandbox::{Grants, Sandbox};
use std::sync::Arc;

/// What one call may say on the way: every notice is a message to the client.
const NOTICES: NoticeLimits = NoticeLimits { count: 1_000, bytes: 256 << 10 };

/// One component, found to be the one that was added and approved, and not loaded yet.
pub(super) struct Offered {
    name: String,
    usable: Usable,
    grants: Grants,
}

/// Reads every `NAME[=GRANT,…]` before anything is served.
pub(super) fn offered(texts: &[String], grants: &Grants) -> Result<Vec<Offered>> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut all: Vec<Offered> = Vec::new();
    for text in texts {
        let (name, granted) = text.split_once('=').unwrap_or((text, ""));
        if all.iter().any(|other| other.name == name) {
            return Err(Error::usage(format!("`{name}` is offered twice")));
        }
        let usable = Usable::open(name)?;
        let grants = usable.grants(&chosen(name, granted, grants)?)?;
        all.push(Offered { name: name.to_owned(), usable, grants });
    }
    Ok(all)
}

/// Those of the server's grants that are named, and no other.
fn chosen(tool: &str, names: &str, grants: &Grants) -> Result<Grants> {
    let names = names.split(',').filter(|name| !name.is_empty());
    let chosen = names.map(|name| {
        grants.iter().find(|grant| grant.name() == name).cloned().ok_or_else(|| {
            Error::usage(format!("`--tool {tool}` wants the grant `{name}`, which this server does not have"))
                .hint(format!("grant the directory with `--grant {name}=PATH`"))
        })
    });
    Grants::new(chosen.collect::<Result<Vec<_>>>()?).map_err(|error| Error::usage(error.to_string()))
}

/// Loads them.
pub(super) async fn loaded(offered: &[Offered], sandbox: &Arc<Sandbox>) -> Result<Vec<Added>> {
    let mut all = Vec::with_capacity(offered.len());
    for one in offered {
        all.push(Added {
            name: one.name.clone(),
            program: one.usable.load(sandbox).await?,
            sandbox: sandbox.clone(),
            grants: one.grants.clone(),
            limits: one.usable.limits().clone(),
            notices: NOTICES,
        });
    }
    Ok(all)
}
