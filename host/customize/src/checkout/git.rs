//! git, started so that a repository has no say in what runs.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::CheckoutError;

/// What git is given of the environment: none that leads to another repository, and no key of a model's provider.
const GIVEN: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "LD_LIBRARY_PATH",
    "SSL_CERT_FILE",
];

/// What it is given besides where a partial clone may be completed: how the person reaches and signs in to the server.
const GIVEN_TO_FETCH: [&str; 20] = [
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "no_proxy",
    "NO_PROXY",
];

/// What no repository decides: hooks and watchers are programs, and upkeep goes on after the command has ended.
const SETTINGS: [&str; 6] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "advice.detachedHead=false",
];

/// git in one directory. The person's own configuration holds, which says how a partial clone is completed.
#[derive(Debug, Clone)]
pub struct Git {
    directory: PathBuf,
    fetches: bool,
}

impl Git {
    /// git in this directory.
    #[must_use]
    pub fn at(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), fetches: true }
    }

    /// The same, which in a partial clone does not get what is missing, where git knows how to be told (2.45).
    #[must_use]
    pub fn without_fetching(self) -> Self {
        Self { fetches: false, ..self }
    }

    /// What a command prints.
    ///
    /// # Errors
    /// [`CheckoutError::NoGit`], and [`CheckoutError::Git`] where it does not end with 0.
    pub fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, CheckoutError> {
        self.fed(arguments, b"")
    }

    /// The same as trimmed text.
    ///
    /// # Errors
    /// As for [`Self::run`].
    pub fn text(&self, arguments: &[&str]) -> Result<String, CheckoutError> {
        Ok(String::from_utf8_lossy(&self.run(arguments)?).trim().to_owned())
    }

    /// The same with an input.
    ///
    /// # Errors
    /// As for [`Self::run`].
    pub fn fed(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, CheckoutError> {
        let mut command = Command::new("git");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(arguments.iter().map(OsStr::new)).current_dir(&self.directory);
        command.env_clear();
        let to_fetch = GIVEN_TO_FETCH.iter().filter(|_| self.fetches);
        for name in GIVEN.iter().chain(to_fetch) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if !self.fetches {
            command.env("GIT_NO_LAZY_FETCH", "1");
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(CheckoutError::NoGit)?;
        let mut stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                if let Some(stdin) = &mut stdin {
                    // A command that does not read its input says by its exit code what it makes of that.
                    let _ = stdin.write_all(input);
                }
                drop(stdin);
            });
            child.wait_with_output()
        });
        let output = output.map_err(CheckoutError::NoGit)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).take(4).collect();
        let reason = if said.is_empty() { output.status.to_string() } else { said.join("; ") };
        Err(CheckoutError::Git { command: arguments.first().copied().unwrap_or_default().to_owned(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cargo gives its tests variables of their own, which stand for whatever else is in an environment.
    #[test]
    fn git_is_given_what_it_needs_and_nothing_else_of_the_environment() {
        let directory = tempfile::tempdir().unwrap();
        let told = |git: Git| git.text(&["-c", "alias.told=!env", "told"]).unwrap();
        for text in [told(Git::at(directory.path())), told(Git::at(directory.path()).without_fetching())] {
            assert!(text.contains("PATH="), "{text}");
            assert!(!text.contains("CARGO"), "{text}");
        }
    }
}
