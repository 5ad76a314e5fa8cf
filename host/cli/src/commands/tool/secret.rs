//! `bailiwick tool secret`: what a person keeps for the requests of tools.

use crate::arguments::ToolSecret as Command;
use crate::exit::{Code, Error, Result};
use crate::{output, places};
use bailiwick_sandbox::http::{HeaderSecret, HeaderSecretError};
use bailiwick_tools::secrets::{Kept, LONGEST, SecretError, Secrets};
use serde_json::json;
use std::io::{IsTerminal as _, Read as _};

/// Where they are.
pub(crate) fn kept() -> Result<Secrets> {
    Ok(Secrets::at(places::state()?.join("tools/secrets")))
}

pub(crate) fn execute(command: &Command, as_json: bool) -> Result<Code> {
    match command {
        Command::Set { name, host } => set(name, host, as_json),
        Command::List => list(as_json),
        Command::Remove { name } => {
            kept()?.remove(name).map_err(|error| unusable(&error))?;
            done(as_json, name, "removed")
        }
    }
}

fn set(name: &str, host: &str, as_json: bool) -> Result<Code> {
    let value = typed()?;
    // As a tool's requests would have it.
    HeaderSecret::new(host, "authorization", "", &value).map_err(|error| match error {
        HeaderSecretError::Host { .. } => {
            Error::usage(format!("`host`: {error}")).hint("name one host, such as `api.example.com`")
        }
        other => Error::usage(other.to_string()),
    })?;
    let secret = Kept::new(host, &value).map_err(|error| unusable(&error))?;
    kept()?.set(name, &secret).map_err(|error| unusable(&error))?;
    done(as_json, name, "kept")
}

/// From stdin alone: arguments are seen by every process of the machine, and stay in the history of a shell.
fn typed() -> Result<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        output::progress("paste the secret, then Enter and Ctrl-D; it is shown while you type");
    }
    let mut bytes = Vec::new();
    let most = LONGEST as u64 + 2;
    stdin
        .lock()
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::usage(format!("cannot read the secret: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(Error::usage(format!("the secret is longer than {LONGEST} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Error::usage("the secret is not text"))
}

fn list(as_json: bool) -> Result<Code> {
    let all = kept()?.list().map_err(|error| unusable(&error))?;
    if as_json {
        let all: Vec<_> = all.iter().map(|(name, host)| json!({ "name": name, "host": host })).collect();
        output::json(&all);
    } else {
        for (name, host) in all {
            output::line(&format!("{name:<24} {host}"));
        }
    }
    Ok(Code::Done)
}

fn done(as_json: bool, name: &str, what: &str) -> Result<Code> {
    if as_json {
        output::json(&json!({ "name": name, "outcome": what }));
    } else {
        output::progress(&format!("`{name}` is {what}"));
    }
    Ok(Code::Done)
}

/// Why a secret is not kept or not read.
pub(crate) fn unusable(error: &SecretError) -> Error {
    match error {
        SecretError::Name(_) | SecretError::Value => Error::usage(error.to_string()),
        SecretError::Unknown(name) => Error::usage(error.to_string())
            .hint(format!("`bailiwick tool secret set {name} --host HOST` reads it from stdin")),
        SecretError::Open(path) => {
            Error::refused(error.to_string()).hint(format!("run `chmod 700 {}`", path.display()))
        }
        SecretError::TooMany | SecretError::Broken { .. } => Error::failed(error.to_string()),
    }
}
