//! git, started so that a repository has no say in what runs.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use bailiwick_base::programs::{absolute_entries, find_program};

use self::exchange::{Family, Pace, exchange};
use super::error::CheckoutError;

mod exchange;

/// What git is given of the environment: none that leads to another repository, and no key of a model's provider.
const GIVEN: [&str; 11] = [
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

/// What no repository decides: hooks and watchers are programs, addresses may name one, and upkeep goes on after the command
/// has ended.
const SETTINGS: [&str; 7] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "advice.detachedHead=false",
];

/// How long one command may take in a clone, from which nothing is fetched. A pipe in the place of a file of `.git`, or a disk that
/// does not answer, keeps git waiting without end, and with it what waits for git.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// The same where it may fetch.
const LONGEST_FETCH: Duration = Duration::from_secs(60 * 60);

/// Whose configuration git reads beside the person's own.
#[derive(Debug, Clone)]
enum Repository {
    /// Bailiwick's own. Where it borrows from a partial clone, what is missing is fetched.
    Own,
    /// That of a clone, which its author wrote, and which may name a program for every way to another repository: git reaches
    /// none from there.
    Clone {
        /// Settings that are switched off.
        without: Vec<OsString>,
    },
}

/// git in one directory. The person's own configuration holds, which says how a partial clone is completed.
#[derive(Debug, Clone)]
pub struct Git {
    directory: PathBuf,
    repository: Repository,
    longest: Duration,
}

impl Git {
    /// git in a repository that bailiwick made.
    #[must_use]
    pub fn at(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), repository: Repository::Own, longest: LONGEST_FETCH }
    }

    /// git in a clone, where nothing is fetched.
    #[must_use]
    pub fn in_clone(directory: &Path) -> Self {
        let repository = Repository::Clone { without: Vec::new() };
        Self { directory: directory.to_owned(), repository, longest: LONGEST }
    }

    /// The same without the hooks that a configuration names (from git 2.54 on), to write something there.
    ///
    /// # Errors
    /// [`CheckoutError::NoGit`].
    pub(super) fn without_hooks(self) -> Result<Self, CheckoutError> {
        let named = match self.run(&["config", "-z", "--name-only", "--get-regexp", r"^hook\."]) {
            // Nothing of the kind is configured.
            Err(CheckoutError::Git { .. }) => Vec::new(),
            other => other?,
        };
        let hooks = named.split(|byte| *byte == 0).filter_map(|name| {
            let name = name.get(..name.iter().rposition(|byte| *byte == b'.')?)?;
            Some(OsString::from_vec([name, b".enabled"].concat()))
        });
        Ok(Self { repository: Repository::Clone { without: hooks.collect() }, ..self })
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
        let path = absolute_entries(&std::env::var_os("PATH").unwrap_or_default());
        let program = find_program("git", &path).ok_or_else(|| CheckoutError::NoGit(ErrorKind::NotFound.into()))?;
        let mut command = Command::new(program);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(arguments.iter().map(OsStr::new)).current_dir(&self.directory);
        command.env_clear().env("PATH", path);
        let to_fetch: &[&str] = match &self.repository {
            Repository::Own => &GIVEN_TO_FETCH,
            Repository::Clone { without } => {
                // No protocol at all, for a git that does not know the first (2.45).
                command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "");
                command.env("GIT_CONFIG_COUNT", without.len().to_string());
                for (number, setting) in without.iter().enumerate() {
                    command.env(format!("GIT_CONFIG_KEY_{number}"), setting);
                    command.env(format!("GIT_CONFIG_VALUE_{number}"), "false");
                }
                &[]
            }
        };
        for name in GIVEN.iter().chain(to_fetch) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A program that asks the person for a passphrase has to be in the group that reads from the terminal.
        let family = match self.repository {
            Repository::Own => Family::Alone,
            Repository::Clone { .. } => Family::Group,
        };
        if family == Family::Group {
            command.process_group(0);
        }
        let child = command.spawn().map_err(CheckoutError::NoGit)?;
        let late = format!("it did not end within {} s", self.longest.as_secs());
        let failed =
            |reason| CheckoutError::Git { command: arguments.first().copied().unwrap_or_default().to_owned(), reason };
        let output = match exchange(child, input, family, self.longest) {
            Err(error) if error.kind() == ErrorKind::TimedOut => return Err(failed(late)),
            other => other.map_err(CheckoutError::NoGit)?,
        };
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).take(4).collect();
        Err(failed(match said.is_empty() {
            _ if output.pace == Pace::Late => late,
            true => output.status.to_string(),
            false => said.join("; "),
        }))
    }
}

#[cfg(test)]
mod tests;
