//! Added tools as the commands use them: the places, the configuration and the limits of this program.

use crate::configuration::{Configuration, authority};
use crate::exit::{Code, Error, Result};
use crate::{output, places, runtime, secrets};
use bailiwick_models::Secret;
use bailiwick_models::keys::command::{KeyCommand, LIMITS};
use bailiwick_sandbox::{GrantError, Limits, Program, Reserved};
use bailiwick_tools::installed::{Host, Problem, ProblemKind};
use bailiwick_tools::oci::{Cache, OciError, Reference};
use bailiwick_tools::secrets::{self as tool_secrets, Kept, Place, SecretError, Secrets};
use bailiwick_tools::signature::{SignatureError, TrustedKeys};
use bailiwick_tools::{Store, StoreError};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

type Asked<T> = std::result::Result<T, Problem>;

/// The added tools of the state directory.
pub(crate) fn store() -> Result<Store> {
    Ok(Store::at(places::state()?.join("tools")))
}

/// The secrets of the state directory.
pub(crate) fn kept_secrets() -> Result<Secrets> {
    Ok(Secrets::at(places::state()?.join("tools/secrets")))
}

/// The descriptor of one of a component's tools, with what it was added as.
pub(crate) fn described(added: &str, program: &Program, tool: &str) -> Option<Value> {
    let mut value = program.described(tool)?;
    value["added"] = added.into();
    Some(value)
}

/// This program, as the library of added tools sees it.
pub(crate) struct ThisProgram;

/// The same, to be kept by a tool.
pub(crate) fn this_program() -> Arc<dyn Host> {
    Arc::new(ThisProgram)
}

impl Host for ThisProgram {
    fn store(&self) -> Asked<Store> {
        Ok(store()?)
    }

    fn artifacts(&self) -> Asked<Cache> {
        Cache::open(&places::cache()?.join("oci")).map_err(|error| Problem::from(&error))
    }

    fn trusted_keys(&self) -> Asked<TrustedKeys> {
        Ok(Configuration::read()?.trusted_keys()?)
    }

    fn authority(&self, registry: &Reference) -> Asked<Option<(PathBuf, Vec<u8>)>> {
        let configuration = Configuration::read()?;
        let Some(file) = configuration.authority(registry) else { return Ok(None) };
        let pem = authority(file).map_err(|error| {
            Problem::usage(format!("the certificates in `{}` cannot be read: {error}", file.display()))
        })?;
        Ok(Some((file.to_owned(), pem)))
    }

    fn secrets(&self) -> Asked<Secrets> {
        Ok(kept_secrets()?)
    }

    fn secret(&self, secret: &Kept) -> Asked<tool_secrets::Value> {
        let value = match secret.place() {
            Place::Here(value) => value.clone(),
            Place::Command(words) => {
                let printed = KeyCommand::of(words.clone()).and_then(|command| command.run(LIMITS));
                let printed =
                    printed.map_err(|fault| Problem::failed(format!("the command that prints it: {fault}")))?;
                tool_secrets::Value::new(&printed)
                    .map_err(|error| Problem::failed(format!("what `{}` printed: {error}", words[0])))?
            }
        };
        if let Some(secret) = Secret::new(value.expose()) {
            secrets::learn(&secret);
        }
        Ok(value)
    }

    fn reserved(&self) -> Asked<Reserved> {
        Ok(places::reserved()?)
    }

    fn usual_limits(&self) -> Limits {
        runtime::call_limits()
    }

    fn most_limits(&self) -> Limits {
        runtime::most_limits()
    }

    fn warn(&self, sentence: &str) {
        output::progress(&format!("warning: {sentence}"));
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        let Problem { kind, message, hint } = problem;
        let error = match kind {
            ProblemKind::Usage => Self::usage(message),
            ProblemKind::Failed => Self::failed(message),
            ProblemKind::Refused => Self::refused(message),
        };
        Self { hint, ..error }
    }
}

/// For what this program is asked by the library.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let kind = match error.code {
            Code::Usage => ProblemKind::Usage,
            Code::Refused => ProblemKind::Refused,
            Code::Done | Code::NoSuccess | Code::Interrupted => ProblemKind::Failed,
        };
        Self { kind, message: error.message, hint: error.hint }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Problem::from(error).into()
    }
}

impl From<&OciError> for Error {
    fn from(error: &OciError) -> Self {
        Problem::from(error).into()
    }
}

impl From<&SignatureError> for Error {
    fn from(error: &SignatureError) -> Self {
        Problem::from(error).into()
    }
}

impl From<&SecretError> for Error {
    fn from(error: &SecretError) -> Self {
        Problem::from(error).into()
    }
}

impl From<&GrantError> for Error {
    fn from(error: &GrantError) -> Self {
        Problem::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_that_a_tool_uses_is_redacted_from_then_on() {
        let secret = Kept::new("api.example.com", "sk-canary-of-this-test").unwrap();
        ThisProgram.secret(&secret).unwrap();
        assert_eq!(secrets::hidden("x sk-canary-of-this-test y"), "x [redacted] y");
    }

    /// `docs/guides/write-a-tool.md` names these as the most.
    #[test]
    fn most_that_a_tool_can_be_given_is_what_the_guide_says() {
        let most = ThisProgram.most_limits();
        assert_eq!((most.memory_bytes, most.deadline.as_secs()), (512 << 20, 300));
    }
}
