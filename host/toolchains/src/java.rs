//! The machine's JDK and Maven, with a repository of Maven's that was filled once and is only read afterwards.
//!
//! Maven has no lock file. The repository is filled by generating and building a tiny library with the very emitter,
//! its customization class included, so that it holds exactly what the emitter's own `mvn compiler:compile` and a build
//! of its libraries ask for. Every file is then compared with a list of digests that belongs to the emitter's version.
//!
//! What else a package's own `pom.xml` asks for is added for that package (`package.rs`).

mod package;
mod program;
mod project;
mod repository;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde_json::{Value, json};

use super::cache::{Cache, Failure, Key, Recipe};
use super::emitter::Emitter;
use super::error::ToolchainError;
use super::install::{Installer, Purpose, Step};
use super::node::{Node, write};
use super::registries::Manager;
use super::{OnProgress, Progress};

pub(super) use package::ensure as ensure_package;
pub use program::BaseJava;
pub use repository::core_version;

/// The emitter that generates the tiny library.
const EMITTER: &str = "@azure-tools/typespec-java";

const MAIN: &str = include_str!("../locked/java/main.tsp");
const CONFIGURATION: &str = include_str!("../locked/java/tspconfig.yaml");
const CUSTOMIZATION: &str = include_str!("../locked/java/WarmUpCustomization.java");

/// Without it Maven takes that of the user who runs it, which a confined child cannot read.
const SETTINGS: &str = "<settings/>\n";

/// The compiler of a short-lived JVM earns nothing back, and its files of statistics lie where a child may not write.
const QUICK: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData";

/// A JDK, Maven, and a repository without a network.
#[derive(Debug, Clone)]
pub struct Java {
    /// The set's directory. `bin/mvn` in it is the machine's Maven with the set's repository, offline.
    pub root: PathBuf,
    /// What it is made of.
    pub base: BaseJava,
    /// Digest of the emitter, the JDK, Maven and what the repository was filled with.
    pub digest: String,
}

impl Java {
    /// Maven, offline.
    #[must_use]
    pub fn maven(&self) -> PathBuf {
        self.root.join("bin/mvn")
    }

    /// Directories to put in front of `PATH`.
    #[must_use]
    pub fn path(&self) -> Vec<PathBuf> {
        vec![self.root.join("bin"), self.base.home.join("bin")]
    }

    /// What a child that runs Java or Maven reads.
    #[must_use]
    pub fn read(&self) -> Vec<PathBuf> {
        [self.root.clone()].into_iter().chain(self.base.read()).collect()
    }

    /// The variables of a child with this scratch directory. A JVM asks the system for its home and takes `/tmp`,
    /// whatever `HOME` and `TMPDIR` say.
    #[must_use]
    pub fn environment(&self, scratch: &Path) -> Vec<(&'static str, OsString)> {
        let options = format!("-Djava.io.tmpdir={0}/tmp -Duser.home={0}/home {QUICK}", scratch.display());
        vec![("JAVA_HOME", self.base.home.clone().into()), ("JAVA_TOOL_OPTIONS", options.into())]
    }
}

pub(super) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    node: &Node,
    emitter: &Emitter,
    on_progress: OnProgress<'_>,
) -> Result<Java, ToolchainError> {
    let base = program::find(installer).await?;
    let lock = repository::lock(&emitter.version);
    let key = Key::new(
        "java",
        "the Java tools",
        &[
            emitter.digest.as_bytes(),
            base.description.as_bytes(),
            base.home.as_os_str().as_encoded_bytes(),
            base.maven.as_os_str().as_encoded_bytes(),
            MAIN.as_bytes(),
            CONFIGURATION.as_bytes(),
            CUSTOMIZATION.as_bytes(),
            lock.unwrap_or_default().as_bytes(),
        ],
    );
    let recipe = WarmUp { installer, node, emitter, base: &base, lock };
    let (root, _) = cache.ensure(&key, on_progress, &recipe).await?;
    Ok(Java { root, base, digest: key.digest })
}

/// The JDK and Maven with an empty repository, for packages that are built and not generated.
pub(super) async fn ensure_without_emitter(
    cache: &Cache,
    installer: &Installer,
    on_progress: OnProgress<'_>,
) -> Result<Java, ToolchainError> {
    let base = program::find(installer).await?;
    let parts = [
        base.description.as_bytes(),
        base.home.as_os_str().as_encoded_bytes(),
        base.maven.as_os_str().as_encoded_bytes(),
    ];
    let key = Key::new("java-build", "Maven's tools", &parts);
    let (root, _) = cache.ensure(&key, on_progress, &Empty { base: &base }).await?;
    Ok(Java { root, base, digest: key.digest })
}

struct Empty<'a> {
    base: &'a BaseJava,
}

#[async_trait]
impl Recipe for Empty<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        let bin = at.join("bin");
        for directory in [&bin, &at.join("repository")] {
            std::fs::create_dir_all(directory).map_err(ToolchainError::io(directory, "created"))?;
        }
        write(&at.join("settings.xml"), SETTINGS.as_bytes())?;
        program::write_maven(&bin, self.base, program::Network::None)?;
        Ok(json!({ "java": self.base.description }))
    }
}

/// Generates and builds a tiny library with a network, and once more without one.
struct WarmUp<'a> {
    installer: &'a Installer,
    node: &'a Node,
    emitter: &'a Emitter,
    base: &'a BaseJava,
    lock: Option<&'static str>,
}

#[async_trait]
impl Recipe for WarmUp<'_> {
    async fn install(&self, at: &Path, on_progress: OnProgress<'_>) -> Result<Value, Failure> {
        let bin = at.join("bin");
        let project = at.join("warm-up");
        for directory in [&bin, &project] {
            std::fs::create_dir_all(directory).map_err(ToolchainError::io(directory, "created"))?;
        }
        write(&at.join("settings.xml"), SETTINGS.as_bytes())?;
        for (name, content) in
            [("main.tsp", MAIN), ("tspconfig.yaml", CONFIGURATION), ("WarmUpCustomization.java", CUSTOMIZATION)]
        {
            write(&project.join(name), content.as_bytes())?;
        }
        let library = project.join("library");
        std::fs::create_dir(&library).map_err(ToolchainError::io(&library, "created"))?;
        write(&library.join("WarmUpCustomization.java"), CUSTOMIZATION.as_bytes())?;
        let link = project.join("node_modules");
        std::os::unix::fs::symlink(&self.emitter.node_modules, &link).map_err(ToolchainError::io(&link, "created"))?;

        let own = self.installer.configured(Manager::Maven).file;
        program::write_maven(&bin, self.base, program::Network::Allowed { settings: own.as_deref() })?;
        let fetching = Purpose::Fetch(Manager::Maven);
        self.generate(fetching, at, &bin, &project).await?;
        self.build(fetching, at, &bin, &library).await?;
        let settled = repository::settle(&at.join("repository"), self.lock)?;
        if let Some(text) = settled.unlisted {
            on_progress(Progress::Note { set: "the Java tools".to_owned(), text });
        }
        // What is missing shows now and not in the first run.
        program::write_maven(&bin, self.base, program::Network::None)?;
        self.generate(Purpose::Local, at, &bin, &project).await?;
        self.build(Purpose::Local, at, &bin, &library).await?;
        std::fs::remove_dir_all(&project).map_err(ToolchainError::io(&project, "removed"))?;
        Ok(json!({ "java": self.base.description, "emitter": self.emitter.version }))
    }
}

impl WarmUp<'_> {
    /// The emitter runs Maven for the customization class.
    async fn generate(&self, purpose: Purpose, at: &Path, bin: &Path, project: &Path) -> Result<(), Failure> {
        const ARGUMENTS: &[&str] = &[
            "node_modules/@typespec/compiler/cmd/tsp.js",
            "compile",
            "main.tsp",
            "--emit",
            EMITTER,
            "--pretty",
            "false",
        ];
        self.step(purpose, &self.node.executable, ARGUMENTS, (at, bin, project)).await
    }

    async fn build(&self, purpose: Purpose, at: &Path, bin: &Path, library: &Path) -> Result<(), Failure> {
        self.step(purpose, &bin.join("mvn"), &["--quiet", "compile"], (at, bin, library)).await
    }

    async fn step(
        &self,
        purpose: Purpose,
        program: &Path,
        arguments: &[&str],
        (at, bin, directory): (&Path, &Path, &Path),
    ) -> Result<(), Failure> {
        let node = self.node.executable.parent();
        let mut read = vec![self.node.root.clone(), self.emitter.root.clone()];
        read.extend(self.base.read());
        let step = Step {
            purpose,
            program,
            arguments,
            directory,
            environment: variables(self.installer, self.base, bin, node, &at.join("warm-up/jvm"))?,
            read,
            set: at,
            write: Vec::new(),
            hosts: BTreeSet::new(),
        };
        self.installer.run(step).await.map(drop)
    }
}

/// The variables of a step that runs Java or Maven; `own` is for what a JVM writes.
fn variables(
    installer: &Installer,
    base: &BaseJava,
    bin: &Path,
    node: Option<&Path>,
    own: &Path,
) -> Result<Vec<(&'static str, OsString)>, Failure> {
    let entries = [bin.to_owned(), base.home.join("bin")].into_iter().chain(node.map(Path::to_owned));
    let path = std::env::join_paths(entries.chain(std::env::split_paths(installer.path())))
        .map_err(|_| Failure::Lasting(ToolchainError::UnusablePath { path: bin.to_owned() }))?;
    // A JVM asks the system for its home and takes `/tmp`, whatever `HOME` and `TMPDIR` say.
    std::fs::create_dir_all(own).map_err(ToolchainError::io(own, "created"))?;
    let options = format!("-Djava.io.tmpdir={0} -Duser.home={0} {QUICK}", own.display());
    Ok(vec![("PATH", path), ("JAVA_HOME", base.home.clone().into()), ("JAVA_TOOL_OPTIONS", options.into())])
}
