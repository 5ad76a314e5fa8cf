//! git, started so that a repository has no say in what runs.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::error::CheckoutError;

/// Variables that would lead git to another repository than the one it is started in.
const ELSEWHERE: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CONFIG_PARAMETERS",
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
        for name in ELSEWHERE {
            command.env_remove(name);
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
