//! The model that a command uses.

use crate::exit::{Error, Result};
use crate::output;
use bailiwick_agent::Backend;
use bailiwick_agent::mechanic::Mechanic;
use bailiwick_models::{Choice, Provider, Retries, Settings};
use std::sync::Arc;

/// The model that is built in: deterministic, offline, without a key.
const MECHANIC: &str = "mechanic";

/// Names the model where the command line does not.
const VARIABLE: &str = "BAILIWICK_MODEL";

/// The model of this name, or of `BAILIWICK_MODEL`, or the mechanic. One line on stderr says which. Nothing is sent:
/// what can be seen to be wrong with a name, a key or an address is an error of usage here, before anything runs.
pub(crate) fn backend(named: Option<&str>) -> Result<Arc<dyn Backend>> {
    let (name, from) = match (named, std::env::var(VARIABLE)) {
        (Some(name), _) => (name.to_owned(), "`--model`"),
        (None, Ok(name)) if !name.is_empty() => (name, "`BAILIWICK_MODEL`"),
        (None, Err(std::env::VarError::NotUnicode(_))) => {
            return Err(Error::usage("`BAILIWICK_MODEL` is not the name of a model: it is not UTF-8"));
        }
        (None, _) => (MECHANIC.to_owned(), "nothing else is configured"),
    };
    let backend: Arc<dyn Backend> =
        if name == MECHANIC { Arc::new(Mechanic) } else { Arc::new(provider(&name, from)?) };
    output::progress(&format!("model: {} ({from})", backend.name()));
    Ok(backend)
}

fn provider(name: &str, from: &str) -> Result<Provider> {
    let unusable = |error: &dyn std::error::Error| {
        Error::usage(format!("{from}: {error}"))
            .hint("the model `mechanic` is built in and needs neither key nor network")
    };
    let choice: Choice = name.parse().map_err(|error| unusable(&error))?;
    let settings =
        Settings::resolve(choice, &|variable| std::env::var_os(variable)).map_err(|error| unusable(&error))?;
    Provider::new(settings, Retries::usual(), Arc::new(output::progress)).map_err(|error| unusable(&error))
}
