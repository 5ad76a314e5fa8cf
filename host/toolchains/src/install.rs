//! Runs package managers, confined.
//!
//! A step writes into the set that is being made, into a scratch directory with a home of its own, and into the download
//! cache of its package manager, which lies in the cache directory here: the user's `~/.npm` and `~/.cache/pip` serve
//! other projects, and nothing that is decided in an SDK repository should change what those get. It reads the system,
//! its own programs and the caller's configuration of registries ([`super::registries`]), and nothing else of the home.
//! Where the system has the namespaces for it, a step reaches the hosts of the configured registries and nothing else of
//! the network ([`super::proxy`]). Elsewhere TCP connections go to the ports of configured registries and proxies alone,
//! on kernels that can restrict them.

mod managers;
mod words;

use bailiwick_base::files::plain;
use bailiwick_base::programs::find_program;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::future::pending;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bailiwick_process::{Command, Confinement, Door, Finished, Network, ProcessError, Rules, Supervisor, system_paths};

use super::cache::Failure;
use super::children::Isolation;
use super::environment::{for_installers, for_scripts};
use super::error::ToolchainError;
use super::limits::limits;
use super::proxy::Proxy;
use super::registries::{Configured, HOSTS, Host, Manager, configured, hosts_of_lock, upstream};
use managers::{Npm, download_variables, point_at_proxy, script_path, typescript_files};
use words::{is_lasting, last_words};

/// An installation that takes longer hangs.
const DEADLINE: Duration = Duration::from_secs(8 * 60);

/// Bytes kept of each of its output streams.
const OUTPUT_BYTES: usize = 64 * 1024;

/// By these a program tells which distribution it runs on; pip fails where it sees such a file and may not read it.
const DISTRIBUTION: [&str; 8] = [
    "/etc/alpine-release",
    "/etc/arch-release",
    "/etc/centos-release",
    "/etc/debian_version",
    "/etc/fedora-release",
    "/etc/gentoo-release",
    "/etc/lsb-release",
    "/etc/redhat-release",
];

/// In the cache directory: what package managers fetched, for the next time.
const DOWNLOADS: &str = "downloads";

/// What a step is for, which decides about its network and its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The package manager fetches. No code of a package runs.
    Fetch(Manager),
    /// Works on what was fetched, without a network.
    Local,
    /// Runs code of a package: without the caller's configuration, and with registries for the packages of this manager
    /// only where it cannot do without.
    Script(Option<Manager>),
}

/// One run of a program that takes part in an installation.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) purpose: Purpose,
    pub(super) program: &'a Path,
    pub(super) arguments: &'a [&'a str],
    pub(super) directory: &'a Path,
    /// Variables beside those of every installer; these come last.
    pub(super) environment: Vec<(&'a str, OsString)>,
    /// What it reads beside the system and its configuration, canonical.
    pub(super) read: Vec<PathBuf>,
    /// The set that is being made, canonical.
    pub(super) set: &'a Path,
    /// What it writes beside that, canonical.
    pub(super) write: Vec<PathBuf>,
    /// Hosts that it fetches from beside those that are configured.
    pub(super) hosts: BTreeSet<Host>,
}

/// Starts package managers with the caller's network settings, confined.
#[derive(Debug, Clone)]
pub(super) struct Installer {
    supervisor: Supervisor,
    isolation: Isolation,
    environment: BTreeMap<OsString, OsString>,
    downloads: PathBuf,
    /// Whether a step can have a network with a proxy alone.
    proxies: Arc<OnceLock<bool>>,
}

impl Installer {
    /// `cache` is the canonical cache directory.
    pub(super) fn new(supervisor: Supervisor, isolation: Isolation, cache: &Path) -> Self {
        let environment = for_installers(std::env::vars_os());
        Self { supervisor, isolation, environment, downloads: cache.join(DOWNLOADS), proxies: Arc::default() }
    }

    pub(super) fn path(&self) -> &OsStr {
        self.environment.get(OsStr::new("PATH")).map_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"), OsString::as_os_str)
    }

    /// A variable of the caller, if installers get it.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The caller's configuration of a package manager.
    pub(super) fn configured(&self, manager: Manager) -> Configured {
        configured(manager, &self.environment)
    }

    pub(super) fn find(&self, program: &'static str, hint: &'static str) -> Result<PathBuf, ToolchainError> {
        find_program(program, self.path()).ok_or(ToolchainError::Missing { program, hint })
    }

    /// Asks a program that a person put on the path what it is. Not confined: it may be a wrapper of a version manager
    /// in the home directory. It is given constant arguments, an empty directory and nothing of a repository.
    pub(super) async fn ask(
        &self,
        program: &Path,
        arguments: &[&str],
        extra: &[(&str, OsString)],
    ) -> Result<Finished, Failure> {
        let mut environment = self.environment.clone();
        environment.extend(extra.iter().map(|(name, value)| (OsString::from(name), value.clone())));
        self.start(&Command {
            program: program.to_owned(),
            arguments: arguments.iter().map(OsString::from).collect(),
            directory: PathBuf::from("/"),
            environment,
            limits: limits(DEADLINE, OUTPUT_BYTES),
            confinement: Confinement::Unconfined,
        })
        .await
    }

    /// Runs one step and returns what it printed; a non-zero exit is a failure with its last words.
    pub(super) async fn run(&self, step: Step<'_>) -> Result<Finished, Failure> {
        let scratch = Scratch::beside(step.set)?;
        let (configured, downloads) = match step.purpose {
            Purpose::Fetch(manager) => {
                (configured(manager, &self.with(&step.environment)), Some(self.downloads(manager)?))
            }
            Purpose::Script(Some(manager)) => {
                let configured = configured(manager, &self.environment);
                (Configured { file: None, read: Vec::new(), ..configured }, None)
            }
            Purpose::Local | Purpose::Script(None) => (Configured::default(), None),
        };
        let mut environment = match step.purpose {
            Purpose::Fetch(_) | Purpose::Local => self.environment.clone(),
            Purpose::Script(registries) => for_scripts(&self.environment, registries.is_some()),
        };
        environment.extend(scratch.variables());
        if let (Some(directory), Purpose::Fetch(manager)) = (&downloads, step.purpose) {
            environment.extend(download_variables(manager, directory));
        }
        environment.extend(step.environment.iter().map(|(name, value)| (OsString::from(name), value.clone())));
        environment.remove(OsStr::new(HOSTS));
        let Configured { read: configured, ports, hosts, own_proxy, .. } = configured;
        let hosts = hosts.into_iter().chain(step.hosts).collect();
        let proxied = match step.purpose {
            Purpose::Fetch(manager) | Purpose::Script(Some(manager)) if !own_proxy => self.proxied(manager, hosts)?,
            _ => None,
        };
        if proxied.is_some() {
            point_at_proxy(&mut environment);
        }
        let confinement = match self.isolation {
            Isolation::Waived => Confinement::Unconfined,
            Isolation::Enforced => {
                let mut read = system_paths();
                read.extend(DISTRIBUTION.iter().filter_map(|path| Path::new(path).canonicalize().ok()));
                read.extend(step.read);
                read.extend(configured);
                let mut write = vec![step.set.to_owned(), scratch.directory.clone()];
                write.extend(step.write);
                write.extend(downloads);
                let network = match (step.purpose, &proxied) {
                    (_, Some((door, _))) => door.network(),
                    (Purpose::Fetch(_) | Purpose::Script(Some(_)), None) => Network::Ports(ports),
                    (Purpose::Local | Purpose::Script(None), None) => Network::Refused,
                };
                Confinement::Confined(Rules { read, list: Vec::new(), write, network })
            }
        };
        let command = Command {
            program: step.program.to_owned(),
            arguments: step.arguments.iter().map(OsString::from).collect(),
            directory: step.directory.to_owned(),
            environment,
            limits: limits(DEADLINE, OUTPUT_BYTES),
            confinement,
        };
        let Some((door, proxy)) = proxied else { return self.start(&command).await };
        let served = async {
            if let Ok(listener) = door.listener().await {
                proxy.serve(listener).await;
            }
            pending().await
        };
        let ended = tokio::select! {
            ended = self.start(&command) => ended,
            never = served => never,
        };
        ended.map_err(|failure| failure.with_refused(&proxy.refused()))
    }

    /// What a step reaches the network through, where that is possible.
    fn proxied(&self, manager: Manager, hosts: BTreeSet<Host>) -> Result<Option<(Door, Arc<Proxy>)>, Failure> {
        let possible = || *self.proxies.get_or_init(|| self.supervisor.support().proxies());
        // Go asks its own machine without a proxy, whatever it is told.
        let avoids = manager == Manager::Go && hosts.iter().any(Host::is_local);
        let Ok(upstream) = upstream(&self.environment) else { return Ok(None) };
        if self.isolation == Isolation::Waived || avoids || !possible() {
            return Ok(None);
        }
        let door = Door::open().map_err(ToolchainError::io(&std::env::temp_dir(), "written"))?;
        Ok(Some((door, Arc::new(Proxy::new(hosts, upstream)))))
    }

    fn with(&self, extra: &[(&str, OsString)]) -> BTreeMap<OsString, OsString> {
        let mut environment = self.environment.clone();
        environment.extend(extra.iter().map(|(name, value)| (OsString::from(name), value.clone())));
        environment
    }

    /// The download cache of a package manager, for its owner alone.
    fn downloads(&self, manager: Manager) -> Result<PathBuf, ToolchainError> {
        let directory = self.downloads.join(manager.name());
        private_directory(&directory)?;
        Ok(directory)
    }

    async fn start(&self, command: &Command) -> Result<Finished, Failure> {
        let program = command.program.as_path();
        let finished = match self.supervisor.run(command, &mut |_, _| {}).await {
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
        let lasting = is_lasting(&finished.stderr.text);
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

    /// `npm <arguments>` in the set at `at`, run by `node` where there is one. npm runs nothing that a package brings.
    pub(super) async fn npm(&self, arguments: &[&str], at: &Path, node: Option<&Path>) -> Result<Finished, Failure> {
        let npm = self.npm_program(node)?;
        let own = self.configured(Manager::Npm).file;
        let mut arguments = [arguments, &["--ignore-scripts", "--no-audit", "--no-fund"]].concat();
        let own = own.as_ref().map(|file| file.display().to_string());
        if let Some(file) = &own {
            arguments.extend(["--userconfig", file]);
        }
        let step = Step {
            purpose: Purpose::Fetch(Manager::Npm),
            program: &npm.program,
            arguments: &npm.arguments(&arguments),
            directory: at,
            // npm would run git for a dependency of a dependency that names a git repository.
            environment: vec![("PATH", npm.path.clone()), ("npm_config_allow_git", "none".into())],
            read: npm.read.clone(),
            set: at,
            write: Vec::new(),
            // npm takes packages from where the lock file says that they are, which is a part of what was approved.
            hosts: plain::read(&at.join("package-lock.json")).map(|lock| hosts_of_lock(&lock)).unwrap_or_default(),
        };
        self.run(step).await
    }

    /// Runs the install scripts of one package that npm installed in a set before, and of no other.
    pub(super) async fn script(&self, script: Script<'_>) -> Result<(), Failure> {
        let Script { package, registries, set, node, read, variables } = script;
        let directory = set.join("node_modules").join(package);
        let mut environment = vec![("PATH", script_path(node)?), ("npm_config_cache", set.join(".npm").into())];
        environment.extend(variables);
        let npm = self.npm_program(Some(node))?;
        let step = |arguments: Vec<&str>, program: &Path, directory: &Path| {
            let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
            (arguments, program.to_owned(), directory.to_owned())
        };
        let steps = match typescript_files(&directory)? {
            Some(files) => files.iter().map(|file| step(vec!["--import", "tsx", file], node, &directory)).collect(),
            None => {
                let words = ["rebuild", "--ignore-scripts=false", "--offline", "--no-audit", "--no-fund", package];
                vec![step(npm.arguments(&words), &npm.program, set)]
            }
        };
        for (arguments, program, directory) in &steps {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            self.run(Step {
                purpose: Purpose::Script(registries),
                program,
                arguments: &arguments,
                directory,
                environment: environment.clone(),
                read: npm.read.iter().chain(&read).cloned().collect(),
                set,
                write: Vec::new(),
                hosts: BTreeSet::new(),
            })
            .await?;
        }
        let _ = std::fs::remove_dir_all(set.join(".npm"));
        Ok(())
    }

    fn npm_program(&self, node: Option<&Path>) -> Result<Npm, Failure> {
        const HINT: &str =
            "install Node with npm (on Debian `apt install npm`); the Node 22 that is needed is fetched with it";
        let found = self.find("npm", HINT)?;
        let npm = found.canonicalize().map_err(ToolchainError::io(&found, "read"))?;
        let node = match node {
            Some(node) => node.to_owned(),
            None => {
                let found = self.find("node", HINT)?;
                found.canonicalize().map_err(ToolchainError::io(&found, "read"))?
            }
        };
        let unusable = |path: &Path| Failure::Lasting(ToolchainError::UnusablePath { path: path.to_owned() });
        let bin = node.parent().unwrap_or(&node);
        // npm and install scripts start with `#!/usr/bin/env node`.
        let entries = std::iter::once(bin.to_owned()).chain(std::env::split_paths(self.path()));
        let path = std::env::join_paths(entries).map_err(|_| unusable(bin))?;
        let script = npm.extension().is_some_and(|extension| extension == "js");
        // `npm/bin/npm-cli.js`: the package is all that npm reads of itself. Anything else is a program of its own.
        let own = if script { npm.parent().and_then(Path::parent) } else { npm.parent() };
        let read = vec![own.unwrap_or(&npm).to_owned(), node.clone()];
        if read.iter().any(|path| self.is_home(path)) {
            return Err(unusable(&npm));
        }
        Ok(match script {
            true => {
                Npm { program: node, script: Some(npm.to_str().ok_or_else(|| unusable(&npm))?.to_owned()), path, read }
            }
            false => Npm { program: npm, script: None, path, read },
        })
    }

    /// Whether the home directory is this directory or lies in it.
    fn is_home(&self, path: &Path) -> bool {
        let home = self.variable("HOME").and_then(|home| Path::new(home).canonicalize().ok());
        home.is_some_and(|home| home.starts_with(path))
    }
}

/// The install scripts of one package.
#[derive(Debug)]
pub(super) struct Script<'a> {
    /// Its name. npm put it into the outermost `node_modules` of the set.
    pub(super) package: &'a str,
    /// The manager whose registries it cannot do without.
    pub(super) registries: Option<Manager>,
    /// The set that is being made, canonical.
    pub(super) set: &'a Path,
    /// The program that runs it.
    pub(super) node: &'a Path,
    /// What it reads beside the set and the system, canonical.
    pub(super) read: Vec<PathBuf>,
    /// Variables beside those of every script.
    pub(super) variables: Vec<(&'a str, OsString)>,
}

/// A home and a place for temporary files beside a set that is being made; gone when dropped. A set is made under a lock,
/// so no other process works here.
struct Scratch {
    directory: PathBuf,
}

impl Scratch {
    fn beside(set: &Path) -> Result<Self, ToolchainError> {
        let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let directory = set.with_file_name(format!(".scratch-{}", name.trim_start_matches('.')));
        // What a process left that died.
        let _ = std::fs::remove_dir_all(&directory);
        let scratch = Self { directory };
        for part in ["home", "tmp", "cache", "config"] {
            private_directory(&scratch.directory.join(part))?;
        }
        Ok(scratch)
    }

    fn variables(&self) -> Vec<(OsString, OsString)> {
        [("HOME", "home"), ("TMPDIR", "tmp"), ("XDG_CACHE_HOME", "cache"), ("XDG_CONFIG_HOME", "config")]
            .map(|(name, part)| (OsString::from(name), self.directory.join(part).into_os_string()))
            .into()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn private_directory(path: &Path) -> Result<(), ToolchainError> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(ToolchainError::io(path, "created"))
}
