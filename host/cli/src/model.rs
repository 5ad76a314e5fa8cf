//! The model that a command uses.

use crate::exit::{Code, Error, Result};
use crate::{output, secrets};
use bailiwick_agent::Backend;
use bailiwick_agent::mechanic::Mechanic;
use bailiwick_models::{Choice, ChoiceError, Origin, Provider, Retries, Settings, SettingsError};
use std::sync::Arc;

/// The model that is built in: deterministic, offline, without a key.
const MECHANIC: &str = "mechanic";

/// Names the model where the command line does not.
const VARIABLE: &str = "BAILIWICK_MODEL";

/// The model that the command line names, or `BAILIWICK_MODEL`, or the mechanic; see [`backend_from`].
pub(crate) fn backend(named: Option<&str>) -> Result<Arc<dyn Backend>> {
    backend_from(named.map(|name| (name, Origin::Flag)))
}

/// The model of this name, or of `BAILIWICK_MODEL`, or the mechanic. One line on stderr says which. Nothing is sent:
/// what can be seen to be wrong with a name, a key or an address is an error of usage here, before anything runs.
pub(crate) fn backend_from(named: Option<(&str, Origin)>) -> Result<Arc<dyn Backend>> {
    let (name, origin) = match (named, std::env::var(VARIABLE)) {
        (Some((name, origin)), _) => (name.to_owned(), Some(origin)),
        (None, Ok(name)) if !name.is_empty() => (name, Some(Origin::Environment)),
        (None, Err(std::env::VarError::NotUnicode(_))) => {
            return Err(Error::usage("`BAILIWICK_MODEL` is not the name of a model: it is not UTF-8"));
        }
        (None, _) => (MECHANIC.to_owned(), None),
    };
    let backend: Arc<dyn Backend> = match origin {
        Some(origin) if name != MECHANIC => Arc::new(provider(&name, origin)?),
        _ => Arc::new(Mechanic),
    };
    let from = origin.map_or_else(|| "nothing else is configured".to_owned(), |origin| origin.to_string());
    output::progress(&format!("model: {} ({from})", backend.name()));
    Ok(backend)
}

fn provider(name: &str, origin: Origin) -> Result<Provider> {
    let unusable = |error: &dyn std::error::Error, hint: String| Error::usage(format!("{origin}: {error}")).hint(hint);
    let choice: Choice = name.parse().map_err(|error: ChoiceError| unusable(&error, error.hint()))?;
    let settings = Settings::resolve_from(choice, origin, &|variable| std::env::var_os(variable)).map_err(|error| {
        let shown = unusable(&error, error.hint());
        match error {
            // An agent file asked for what only a person can grant.
            SettingsError::WhoseKey { .. } => Error { code: Code::Refused, ..shown },
            _ => shown,
        }
    })?;
    if let Some(key) = &settings.key {
        secrets::learn(key);
    }
    Provider::new(settings, Retries::usual(), Arc::new(output::progress)).map_err(|error| {
        unusable(&error, "the model `mechanic` is built in and needs neither key nor network".to_owned())
    })
}
