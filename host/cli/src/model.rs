//! The model that a command uses, and what it may cost.

use crate::configuration::Configuration;
use crate::exit::{Code, Error, Result};
use crate::{answering, configuration, output, runtime, secrets};
use bailiwick_agent::Backend;
use bailiwick_mechanic::Mechanic;
use bailiwick_models::{Choice, ChoiceError, Origin, PreflightError, Provider, Retries, Settings, SettingsError};
use std::sync::Arc;

/// The model that is built in: deterministic, offline, without a key.
const MECHANIC: &str = "mechanic";

/// Names the model where the command line does not.
const VARIABLE: &str = "BAILIWICK_MODEL";

/// Whether a provider is asked if it can serve requests, before anything runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preflight {
    /// It is asked.
    Asked,
    /// Nothing is sent, because nothing will be.
    Skipped,
}

/// The model of this name, or of `BAILIWICK_MODEL`, or of `bailiwick.toml`, or the mechanic. One line on stderr says
/// which. What can be seen to be wrong with a name, a key or an address is an error of usage here, before anything runs.
pub(crate) fn backend(named: Option<(&str, Origin)>, preflight: Preflight) -> Result<Arc<dyn Backend>> {
    let configuration = Configuration::read()?;
    let (name, origin) = match named {
        Some((name, origin)) => (name.to_owned(), Some(origin)),
        None => match chosen(&configuration)? {
            Some((name, origin)) => (name, Some(origin)),
            None => (MECHANIC.to_owned(), None),
        },
    };
    let backend: Arc<dyn Backend> = match origin {
        Some(origin) if name != MECHANIC => Arc::new(provider(&name, origin, &configuration, preflight)?),
        _ => Arc::new(Mechanic),
    };
    let from = match origin {
        None => "nothing else is configured".to_owned(),
        Some(Origin::Configuration) => format!("`model` in `{}`", configuration.shown),
        Some(origin) => origin.to_string(),
    };
    output::progress(&format!("model: {} ({from})", backend.name()));
    Ok(backend)
}

/// The model that is configured, by the environment or by the file.
pub(crate) fn configured() -> Result<Option<String>> {
    Ok(chosen(&Configuration::read()?)?.map(|(name, _)| name))
}

/// Refuses a model whose answers differ from time to time where no person looks on. The mechanic and a replay answer
/// the same each time and are welcome there.
pub(crate) fn refuse_in_ci(named: Option<&str>) -> Result<()> {
    let name = match named {
        Some(name) => Some(name.to_owned()),
        None => configured()?,
    };
    match name {
        Some(name) if name != MECHANIC && is_ci() => Err(Error::refused(format!(
            "`{name}` is not asked in continuous integration: `CI` is set, and its changes need a person who looks at them"
        ))
        .hint("use `--model mechanic`, or `--allow-model-in-ci` if a person reviews its changes")),
        _ => Ok(()),
    }
}

/// Whether this is continuous integration, as the services that run it say.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !["", "0", "false"].iter().any(|no| value.eq_ignore_ascii_case(no)))
}

/// The configured model with where its name is from.
fn chosen(configuration: &Configuration) -> Result<Option<(String, Origin)>> {
    match std::env::var(VARIABLE) {
        Ok(name) if !name.is_empty() => Ok(Some((name, Origin::Environment))),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(Error::usage(format!("`{VARIABLE}` is not the name of a model: it is not UTF-8"))
                .hint("write for example `openai:gpt-5`"))
        }
        _ => Ok(configuration.model.clone().map(|name| (name, Origin::Configuration))),
    }
}

/// The most that one agent may cost with this backend, in millionths of one unit of money: the command line's amount,
/// else the file's.
pub(crate) fn money(flag: Option<u64>, backend: &dyn Backend) -> Result<Option<u64>> {
    let configuration = Configuration::read()?;
    let (limit, from) = match (flag, configuration.money) {
        (Some(limit), _) => (limit, "`--max-cost`".to_owned()),
        (None, Some(limit)) => (limit, format!("`limits.money` in `{}`", configuration.shown)),
        (None, None) => return Ok(None),
    };
    if backend.prices().is_some() {
        return Ok(Some(limit));
    }
    let file = match configuration.shown.as_str() {
        "" => format!("a file that `{}` names", configuration::VARIABLE),
        shown => format!("`{shown}`"),
    };
    Err(Error::usage(format!("{from} limits the cost, and there are no prices for `{}`", backend.name()))
        .hint(format!("write `[models.\"{}\"]` with `input-price` and `output-price` into {file}", backend.name())))
}

fn provider(name: &str, origin: Origin, configuration: &Configuration, preflight: Preflight) -> Result<Provider> {
    let unusable = |error: &dyn std::error::Error, hint: String| Error::usage(format!("{origin}: {error}")).hint(hint);
    let choice: Choice = name.parse().map_err(|error: ChoiceError| unusable(&error, error.hint()))?;
    let known = configuration.known(&choice);
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
    let mut provider = Provider::new(settings, Retries::usual(), Arc::new(output::progress)).map_err(|error| {
        unusable(&error, "the model `mechanic` is built in and needs neither key nor network".to_owned())
    })?;
    if let Some(tokens) = known.window {
        provider = provider.with_window(tokens);
    }
    if let Some(tokens) = known.output_limit {
        provider = provider.with_output_limit(tokens);
    }
    if let Some(prices) = known.prices {
        provider = provider.with_prices(prices);
    }
    let watch = answering::watch(provider.name().to_owned());
    provider = provider.watched(watch);
    if preflight == Preflight::Asked {
        runtime::block_on(provider.preflight())?.map_err(|error| unserved(&error, origin))?;
    }
    Ok(provider)
}

/// An error of the preflight, with what named the model.
fn unserved(error: &PreflightError, origin: Origin) -> Error {
    Error::usage(format!("{origin}: {error}"))
        .hint(format!("{}; the model `mechanic` needs neither key nor network", error.hint()))
}
