//! `bailiwick tool secret`: what a person keeps for the requests of tools.

use crate::exit::{Code, Error, Result};
use crate::installed::kept_secrets;
use crate::output;
use crate::password_prompt;
use bailiwick_audit::printable;
use bailiwick_models::keys::command::{CommandFault, split};
use bailiwick_sandbox::http::{HeaderSecret, HeaderSecretError};
use bailiwick_tools::secrets::{Kept, LONGEST, Place, SecretError};
use clap::Subcommand;
use serde_json::json;
use std::io::{IsTerminal as _, Read as _};

/// What is done with a secret.
#[derive(Debug, Subcommand)]
pub(crate) enum ToolSecret {
    /// Keep a secret, typed unseen or read from stdin, in place of what was kept under its name.
    #[command(
        after_help = "Examples:\n  bailiwick tool secret set api-token --host api.example.com\n  bailiwick tool secret set api-token --host api.example.com < token.txt\n  bailiwick tool secret set api-token --host api.example.com --command 'secret-tool lookup service example'"
    )]
    Set {
        /// The name that manifests ask for it by.
        name: String,
        /// The one host that it may be sent to, whatever a tool asks for.
        #[arg(long)]
        host: String,
        /// Keep no value, but the command that prints it, such as a keyring's. It is run whenever a tool with this
        /// secret is used, without a shell; the first line that it prints counts.
        #[arg(long, value_name = "COMMAND")]
        command: Option<String>,
    },
    /// List their names and hosts.
    List,
    /// Forget one.
    Remove {
        /// Its name.
        name: String,
    },
}

pub(crate) fn execute(command: &ToolSecret, as_json: bool) -> Result<Code> {
    match command {
        ToolSecret::Set { name, host, command } => set(name, host, command.as_deref(), as_json),
        ToolSecret::List => list(as_json),
        ToolSecret::Remove { name } => {
            kept_secrets()?.remove(name).map_err(|error| Error::from(&error))?;
            done(as_json, name, "removed")
        }
    }
}

fn set(name: &str, host: &str, command: Option<&str>, as_json: bool) -> Result<Code> {
    // Checked before the person is asked for anything.
    sendable(host, "placeholder")?;
    if let Err(error @ SecretError::Name(_)) = kept_secrets()?.get(name) {
        return Err(Error::from(&error));
    }
    let secret = match command {
        Some(line) => {
            let words = split(line).map_err(|fault| not_a_command(&fault))?;
            Kept::printed_by(host, words)
        }
        None => {
            let value = given()?;
            sendable(host, &value)?;
            Kept::new(host, &value)
        }
    };
    kept_secrets()?.set(name, &secret.map_err(|error| Error::from(&error))?).map_err(|error| Error::from(&error))?;
    done(as_json, name, "kept")
}

/// Refuses what a tool's requests could not have.
fn sendable(host: &str, value: &str) -> Result<()> {
    HeaderSecret::new(host, "authorization", "", value).map(drop).map_err(|error| match error {
        HeaderSecretError::Host { .. } => {
            Error::usage(format!("`host`: {error}")).hint("name one host, such as `api.example.com`")
        }
        other => Error::usage(other.to_string()),
    })
}

/// From the terminal, unseen, or from stdin: arguments are seen by every process of the machine, and stay in the history
/// of a shell.
fn given() -> Result<String> {
    let unread = |error: std::io::Error| Error::usage(format!("cannot read the secret: {error}"));
    let stdin = std::io::stdin();
    let most = LONGEST as u64 + 2;
    let mut bytes = Vec::new();
    if stdin.is_terminal() {
        match password_prompt::line("type or paste the secret, which is not shown, and Enter:", LONGEST)
            .map_err(unread)?
        {
            Some(typed) => bytes = typed,
            None => return Err(Error::interrupted("no secret was given; nothing was changed")),
        }
    } else {
        stdin.lock().take(most + 1).read_to_end(&mut bytes).map_err(unread)?;
    }
    if bytes.len() as u64 > most {
        return Err(Error::usage(format!("the secret is longer than {LONGEST} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Error::usage("the secret is not text"))
}

fn not_a_command(fault: &CommandFault) -> Error {
    Error::usage(format!("`--command`: {fault}")).hint("write it as for a shell: `--command 'pass show example'`")
}

fn list(as_json: bool) -> Result<Code> {
    let all = kept_secrets()?.list().map_err(|error| Error::from(&error))?;
    if as_json {
        let all = all.iter().map(|(name, secret)| match secret.place() {
            Place::Here(_) => json!({ "name": name, "host": secret.host }),
            Place::Command(words) => json!({ "name": name, "host": secret.host, "command": words }),
        });
        output::json(&all.collect::<Vec<_>>());
    } else {
        for (name, secret) in all {
            let by = match secret.place() {
                Place::Here(_) => String::new(),
                Place::Command(words) => format!(", printed by `{}`", printable(&words[0])),
            };
            output::line(&format!("{name:<24} {}{by}", secret.host));
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
