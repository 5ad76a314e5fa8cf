//! `docker-credential-*`: a program that keeps credentials, run for one of them.
//!
//! A person's Docker configuration names it, so it is not confined, and it may ask that person: it has the terminal and
//! the process group of this program. It is given the registry's host on its stdin and nothing on its command line.

use super::credentials::{Credential, CredentialError};
use bailiwick_base::programs;
use rustix::event::{PollFd, PollFlags, poll};
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked whether the program has ended.
const TICK: Duration = Duration::from_millis(20);

/// A user name that says the secret is a token of an identity, as the helpers' protocol has it.
const IDENTITY: &str = "<token>";

/// What a program says when it has nothing for a registry.
const NOTHING: &str = "credentials not found in native keychain";

/// What a program may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// A keyring may have to ask a person.
    pub(super) deadline: Duration,
    /// How much it may print.
    pub(super) output_bytes: usize,
}

pub(super) const LIMITS: Limits = Limits { deadline: Duration::from_secs(60), output_bytes: 64 << 10 };

/// Asks `docker-credential-<name>` for a registry's credential; `None` when it has none.
pub(super) fn ask(name: &str, host: &str, limits: Limits) -> Result<Option<Credential>, CredentialError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        return Err(CredentialError::HelperName);
    }
    ask_at(&format!("docker-credential-{name}"), host, limits)
}

/// The same of a program that is named by its path, or is found in `PATH`.
pub(super) fn ask_at(program: &str, host: &str, limits: Limits) -> Result<Option<Credential>, CredentialError> {
    let failed = |reason: String| CredentialError::Helper { program: program.to_owned(), reason };
    let not_started = |error: std::io::Error| failed(format!("cannot be started: {error}"));
    let mut command = programs::command(program).map_err(not_started)?;
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_a_model(name)) {
        command.env_remove(name);
    }
    let mut child = command.arg("get").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(not_started)?;
    let outcome = collect(&mut child, host, limits);
    if outcome.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let (succeeded, output) = outcome.map_err(failed)?;
    if !succeeded {
        // Its words are not repeated: what a keyring prints by mistake may be a secret.
        let none = String::from_utf8_lossy(&output).trim() == NOTHING;
        return if none { Ok(None) } else { Err(failed("ended without success".into())) };
    }
    let answer: Answer = serde_json::from_slice(&output).map_err(|_| failed("printed no credential".into()))?;
    Ok(Some(match answer.username.as_str() {
        IDENTITY => Credential::identity(answer.secret),
        _ => Credential::password(answer.username, answer.secret),
    }))
}

/// Whether a variable holds the key of a model, or says where one is. A helper may need any other one: those of clouds and
/// keyrings are not known here.
fn is_of_a_model(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.ends_with(b"_API_KEY") || name.starts_with(b"BAILIWICK_")
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    username: String,
    secret: String,
}

/// Writes the host and reads what it prints until it ends. What it left in the background is not waited for.
fn collect(child: &mut Child, host: &str, limits: Limits) -> Result<(bool, Vec<u8>), String> {
    let started = Instant::now();
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read it may still answer.
        let _ = stdin.write_all(host.as_bytes());
    }
    let Some(mut stdout) = child.stdout.take() else { return Err("has no stdout".into()) };
    let mut output = Vec::new();
    let mut closed = false;
    loop {
        if started.elapsed() >= limits.deadline {
            return Err(format!("did not end within {} s", limits.deadline.as_secs()));
        }
        // Asked before the pipe is: whatever it wrote is in the pipe once it has ended.
        let ended = child.try_wait().map_err(|error| error.to_string())?;
        if !closed && readable(&stdout, if ended.is_some() { Duration::ZERO } else { TICK })? {
            let mut bytes = [0; 4096];
            let count = stdout.read(&mut bytes).map_err(|error| error.to_string())?;
            closed = count == 0;
            output.extend_from_slice(&bytes[..count]);
            if output.len() > limits.output_bytes {
                return Err(format!("printed more than {} bytes", limits.output_bytes));
            }
        } else if let Some(status) = ended {
            return Ok((status.success(), output));
        } else if closed {
            std::thread::sleep(TICK);
        }
    }
}

fn readable(stdout: &ChildStdout, wait: Duration) -> Result<bool, String> {
    let wait = rustix::time::Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
    match poll(&mut [PollFd::new(stdout, PollFlags::IN)], Some(&wait)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(errno) => Err(errno.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_models_are_not_handed_to_a_helper_and_what_it_may_need_is() {
        for name in ["OPENAI_API_KEY", "GEMINI_API_KEY", "BAILIWICK_KEY_FILE", "BAILIWICK_KEY_COMMAND"] {
            assert!(is_of_a_model(OsStr::new(name)), "{name}");
        }
        for name in ["AWS_SECRET_ACCESS_KEY", "DBUS_SESSION_BUS_ADDRESS", "HOME", "PATH"] {
            assert!(!is_of_a_model(OsStr::new(name)), "{name}");
        }
    }
}
