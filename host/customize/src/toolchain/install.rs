//! Runs package managers.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_process::{Command, Confinement, Finished, Limits, ProcessError, Supervisor};

use super::cache::Failure;
use super::environment::for_installers;
use super::error::ToolchainError;
use super::find_program;

/// An installation that takes longer hangs.
const LIMITS: Limits = Limits { deadline: Duration::from_secs(8 * 60), output_bytes: 64 * 1024 };

/// npm's words for what another attempt cannot change.
const LASTING: &[&str] = &[
    "npm error code EUSAGE",
    "npm error code ERESOLVE",
    "npm error code ETARGET",
    "npm error code EJSONPARSE",
    "npm error code EINTEGRITY",
    "THESE PACKAGES DO NOT MATCH THE HASHES",
];

/// Starts package managers with the caller's network settings and without confinement.
#[derive(Debug, Clone)]
pub(super) struct Installer {
    supervisor: Supervisor,
    environment: BTreeMap<OsString, OsString>,
}

impl Installer {
    pub(super) fn new(supervisor: Supervisor) -> Self {
        Self { supervisor, environment: for_installers(std::env::vars_os()) }
    }

    pub(super) fn path(&self) -> &OsStr {
        self.environment.get(OsStr::new("PATH")).map_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"), OsString::as_os_str)
    }

    /// A variable of the caller, if installers get it.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    pub(super) fn find(&self, program: &'static str, hint: &'static str) -> Result<PathBuf, ToolchainError> {
        find_program(program, self.path()).ok_or(ToolchainError::Missing { program, hint })
    }

    /// Runs `program` and returns what it printed; a non-zero exit is a failure with its last words.
    pub(super) async fn run(
        &self,
        program: &Path,
        arguments: &[&str],
        directory: &Path,
        extra: &[(&str, OsString)],
    ) -> Result<Finished, Failure> {
        let mut environment = self.environment.clone();
        environment.extend(extra.iter().map(|(name, value)| (OsString::from(name), value.clone())));
        let command = Command {
            program: program.to_owned(),
            arguments: arguments.iter().map(OsString::from).collect(),
            directory: directory.to_owned(),
            environment,
            limits: LIMITS,
            confinement: Confinement::Unconfined,
        };
        let finished = match self.supervisor.run(&command, &mut |_, _| {}).await {
            Ok(finished) => finished,
            Err(ProcessError::Deadline { after, .. }) => {
                return Err(Failure::Passing(format!(
                    "`{}` did not end within {} s",
                    program.display(),
                    after.as_secs()
                )));
            }
            Err(error) => return Err(Failure::Lasting(error.into())),
        };
        if finished.exit.is_success() {
            return Ok(finished);
        }
        let reason = last_words(&finished.stdout.text, &finished.stderr.text);
        let lasting = LASTING.iter().any(|words| finished.stderr.text.contains(words));
        Err(if lasting {
            Failure::Lasting(ToolchainError::Install {
                set: program
                    .file_name()
                    .map_or_else(String::new, |name| format!("what `{}` was asked for", name.to_string_lossy())),
                attempts: 1,
                reason,
            })
        } else {
            Failure::Passing(reason)
        })
    }

    /// `npm <arguments>` in `directory`, run by `node` where there is one.
    pub(super) async fn npm(
        &self,
        arguments: &[&str],
        directory: &Path,
        node: Option<&Path>,
        extra: &[(&str, OsString)],
    ) -> Result<Finished, Failure> {
        const HINT: &str =
            "install Node with npm (on Debian `apt install npm`); the Node 22 that is needed is fetched with it";
        let npm = self.find("npm", HINT)?;
        let mut extra = extra.to_vec();
        if let Some(bin) = node.and_then(Path::parent) {
            // npm starts with `#!/usr/bin/env node`, and so do install scripts.
            let entries = std::iter::once(bin.to_owned()).chain(std::env::split_paths(self.path()));
            let path = std::env::join_paths(entries)
                .map_err(|_| Failure::Lasting(ToolchainError::UnusablePath { path: bin.to_owned() }))?;
            extra.push(("PATH", path));
        }
        self.run(&npm, arguments, directory, &extra).await
    }
}

/// The last lines that say something, joined; errors are at the end of what a package manager prints.
fn last_words(stdout: &str, stderr: &str) -> String {
    let said = |text: &str| {
        let lines: Vec<_> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("npm warn"))
            .filter(|line| !line.contains("A complete log of this run"))
            .collect();
        lines[lines.len().saturating_sub(4)..].join("; ")
    };
    let words = said(stderr);
    if words.is_empty() { said(stdout) } else { words }
}

#[cfg(test)]
mod tests {
    use super::last_words;

    #[test]
    fn warnings_are_not_the_last_words() {
        let stderr = "npm warn old\nnpm error code ENOTFOUND\nnpm error network\nnpm error A complete log of this run can be found in: x\n";
        assert_eq!(last_words("out", stderr), "npm error code ENOTFOUND; npm error network");
        assert_eq!(last_words("only this", "\n"), "only this");
    }
}
