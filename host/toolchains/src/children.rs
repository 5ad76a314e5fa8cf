//! Starting what regenerates and builds: confined, with an environment and a home of its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::timeline::{By, Open, Timeline};
use bailiwick_process::{
    Command, Confinement, Finished, Measured, Network, ProcessError, Rules, Stream, Supervisor, system_paths,
};
use tempfile::TempDir;

use super::error::ToolchainError;
use super::limits::limits;
use super::residue::{Owner, Residue, ResidueKind, Survey};
use super::staying::Staying;

/// Bytes kept of each output stream. A type checker that reports more has reported enough.
const OUTPUT_BYTES: usize = 1024 * 1024;

/// Main memory of a child that stays. A compiler that needs more is started for each request.
const STAYING_MEMORY: u64 = 1 << 30;

/// Whether children are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Confined; where the platform cannot, nothing is started.
    Enforced,
    /// Not confined, because a person said so (`--unconfined-builds`).
    Waived,
}

/// Starts the children of a customization.
#[derive(Debug, Clone)]
pub struct Children {
    supervisor: Supervisor,
    isolation: Isolation,
    /// When each ran, all clones together.
    timeline: Timeline,
    /// What those of this clone are called there; the program where nothing is said.
    called: Option<&'static str>,
}

/// One child. Paths are canonical and lie in directories that no earlier child could write to.
#[derive(Debug)]
pub struct Child<'a> {
    /// The program.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The working directory.
    pub directory: &'a Path,
    /// Directories in front of the system's in `PATH`.
    pub path: Vec<PathBuf>,
    /// Variables beside those that every child gets.
    pub environment: Vec<(&'static str, OsString)>,
    /// What it may read beside the system and what it may write.
    pub read: Vec<PathBuf>,
    /// Directories that it may list, where it reads only what `read` names.
    pub list: Vec<PathBuf>,
    /// What it may write beside its scratch directory.
    pub write: Vec<PathBuf>,
    /// A directory for its home, its temporary files and its caches. Made if it is not there.
    pub scratch: &'a Path,
    /// When it is killed.
    pub deadline: Duration,
}

impl Children {
    /// Children of `supervisor`.
    #[must_use]
    pub fn new(supervisor: Supervisor, isolation: Isolation) -> Self {
        Self { supervisor, isolation, timeline: Timeline::begin(), called: None }
    }

    /// The same, whose times are spans of `timeline`.
    #[must_use]
    pub fn timed_by(self, timeline: Timeline) -> Self {
        Self { timeline, ..self }
    }

    /// The same, called so in the timeline.
    #[must_use]
    pub fn called(&self, name: &'static str) -> Self {
        Self { called: Some(name), ..self.clone() }
    }

    /// When each child ran.
    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Whether children are confined.
    #[must_use]
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Runs a child to its end and passes on every line it prints.
    ///
    /// # Errors
    /// When the scratch directory cannot be made ([`ProcessError::Start`]), those of [`Supervisor::run`], and when the child
    /// left what it may not leave in a directory that it may write ([`ProcessError::Planted`], [`ProcessError::Left`]).
    pub async fn run(
        &self,
        child: Child<'_>,
        on_line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Finished, ProcessError> {
        self.run_beside(child, None, on_line).await
    }

    /// The same where `transient`, a name directly beneath what the child may write, is removed by the caller before
    /// anything in it is used: what the child leaves there does not count.
    ///
    /// # Errors
    /// See [`Self::run`].
    pub async fn run_beside(
        &self,
        child: Child<'_>,
        transient: Option<&str>,
        on_line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Finished, ProcessError> {
        let written = child.write.clone();
        let (scratch, command) = (child.scratch, self.command(child)?);
        let before = Survey::take(Self::surveyed(&written, scratch), transient)
            .map_err(|error| ProcessError::Start { program: command.program.clone(), reason: error.to_string() })?;
        let mut pass_on = |_: Stream, line: &str| on_line(line);
        let finished = {
            let _running = self.working(&command.program);
            self.supervisor.run(&command, &mut pass_on).await
        };
        match before.compare(transient).into_iter().next() {
            None => finished,
            Some(residue) => Err(refused(&command.program, residue)),
        }
    }

    /// Starts a child that stays, in `directory`, which holds all that is its own and is removed when it is gone. It may
    /// write its scratch directory and nothing else, and [`Supervisor::settled`] does not wait for it. `pipe`, which is made
    /// here, is what it reads its requests from: it has to lie where the child may only read.
    ///
    /// # Errors
    /// When the scratch directory or the pipe cannot be made ([`ProcessError::Start`]). A program that cannot be started
    /// shows as one that does not answer.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn stay(&self, child: Child<'_>, pipe: &Path, directory: TempDir) -> Result<Staying, ProcessError> {
        let mut command = self.command(Child { write: Vec::new(), ..child })?;
        command.limits.measured = Measured::Seldom;
        command.limits.memory_bytes = command.limits.memory_bytes.min(STAYING_MEMORY);
        let program = command.program.clone();
        Staying::start(self.supervisor.apart(), command, pipe, directory)
            .map_err(|error| ProcessError::Start { program, reason: format!("`{}`: {error}", pipe.display()) })
    }

    /// A span of the timeline in which a program of this name works for the host, until what is returned is dropped.
    pub fn working(&self, program: &Path) -> Open {
        self.timeline.span(self.name_of(program), By::Program)
    }

    fn command(&self, child: Child<'_>) -> Result<Command, ProcessError> {
        let (home, temporary) = (child.scratch.join("home"), child.scratch.join("tmp"));
        for directory in [&home, &temporary] {
            std::fs::create_dir_all(directory).map_err(|error| ProcessError::Start {
                program: child.program.to_owned(),
                reason: format!("`{}` cannot be created: {error}", directory.display()),
            })?;
        }
        let mut environment = basic_environment(&home, &temporary, &child.path);
        environment.extend(child.environment.into_iter().map(|(name, value)| (OsString::from(name), value)));
        let confinement = match self.isolation {
            Isolation::Waived => Confinement::Unconfined,
            Isolation::Enforced => {
                let mut read = system_paths();
                read.extend(child.read);
                let mut write = child.write;
                write.push(child.scratch.to_owned());
                Confinement::Confined(Rules { read, list: child.list, write, network: Network::Refused })
            }
        };
        Ok(Command {
            program: child.program.to_owned(),
            arguments: child.arguments,
            directory: child.directory.to_owned(),
            environment,
            limits: limits(child.deadline, OUTPUT_BYTES),
            confinement,
        })
    }

    fn name_of(&self, program: &Path) -> Cow<'static, str> {
        let name = || program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.called.map_or_else(|| Cow::from(name()), Cow::from)
    }

    /// What is looked at before and after a child. Beside its scratch directory lie the host's own copies.
    fn surveyed<'a>(written: &'a [PathBuf], scratch: &'a Path) -> impl Iterator<Item = (&'a Path, Owner)> {
        let work = scratch.parent().unwrap_or(scratch);
        written.iter().map(move |root| {
            let owner = if root.starts_with(work) { Owner::Host } else { Owner::Person };
            (root.as_path(), owner)
        })
    }
}

fn refused(program: &Path, residue: Residue) -> ProcessError {
    let (program, path) = (program.to_owned(), residue.path);
    let left = |found: String| ProcessError::Left { program: program.clone(), path: path.clone(), found };
    match residue.kind {
        ResidueKind::Repository(error) => {
            let error = error.map(std::io::Error::other);
            ProcessError::Planted { program: program.clone(), path: path.clone(), error }
        }
        ResidueKind::Location(None) => left("which it may not change; it was put back".to_owned()),
        ResidueKind::Location(Some(error)) => left(format!("which it may not change; it cannot be put back: {error}")),
        ResidueKind::Link => left("a symbolic link that was not there before".to_owned()),
        ResidueKind::Special => left("a pipe, socket or device that was not there before".to_owned()),
        ResidueKind::OfItsOwner => left(
            "a program that everybody starts with your rights (set-user-id or set-group-id), which was none before"
                .to_owned(),
        ),
        ResidueKind::Installed => {
            left("an installed or compiled program, which it may not change; install it again".to_owned())
        }
        ResidueKind::TooMuch => {
            left("where it left more files, or files of more bytes, than any generator writes".to_owned())
        }
        ResidueKind::Unreadable(error) => left(format!("which cannot be looked at any more: {error}")),
    }
}

/// What every child finds. Nothing of the caller's environment is in it: the same input gives the same output.
fn basic_environment(home: &Path, temporary: &Path, path: &[PathBuf]) -> BTreeMap<OsString, OsString> {
    const SYSTEM_PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
    let entries = path.iter().cloned().chain(SYSTEM_PATH.iter().map(PathBuf::from));
    // Directories with a colon were refused before they came here.
    let path = std::env::join_paths(entries).unwrap_or_default();
    let mut environment = BTreeMap::from([
        (OsString::from("HOME"), home.into()),
        ("TMPDIR".into(), temporary.into()),
        ("XDG_CACHE_HOME".into(), home.join("cache").into()),
        ("PATH".into(), path),
    ]);
    for (name, value) in [
        ("LANG", "C.UTF-8"),
        ("NO_COLOR", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        // Hash order must not decide the order of generated code or diagnostics.
        ("PYTHONHASHSEED", "0"),
        ("PYTHONUTF8", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        // git refuses repositories of another user; the caller chose these two, and git only tells where they begin.
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "safe.directory"),
        ("GIT_CONFIG_VALUE_0", "*"),
    ] {
        environment.insert(name.into(), value.into());
    }
    environment
}

/// Emitters put paths into shell commands without quoting them, so a path must mean itself there.
///
/// # Errors
/// [`ToolchainError::UnusablePath`].
pub fn refuse_shell_characters(path: &Path) -> Result<(), ToolchainError> {
    let harmless = path.to_str().is_some_and(|text| {
        text.chars().all(|character| character.is_alphanumeric() || "/_.-+@=,%~".contains(character))
    });
    if harmless { Ok(()) } else { Err(ToolchainError::UnusablePath { path: path.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_a_shell_would_change_are_refused() {
        for path in ["/a b", "/a;b", "/$(x)", "/a'b", "/a:b", "/a*", "/a\nb"] {
            assert!(refuse_shell_characters(Path::new(path)).is_err(), "{path}");
        }
        refuse_shell_characters(Path::new("/home/é/azure-sdk_1.0/~x")).unwrap();
    }

    #[test]
    fn children_see_nothing_of_the_callers_environment() {
        let environment = basic_environment(Path::new("/s/home"), Path::new("/s/tmp"), &[PathBuf::from("/n/bin")]);
        let path = &environment[&OsString::from("PATH")];
        assert_eq!(path, "/n/bin:/usr/local/bin:/usr/bin:/bin");
        assert_eq!(environment[&OsString::from("HOME")], "/s/home");
        assert!(!environment.contains_key(&OsString::from("CARGO_MANIFEST_DIR")));
    }
}
