//! The programs that regenerate and build: where they come from and how they are started.
//!
//! Everything is installed into one cache directory that the caller names, as *sets* of packages: Node 22, the
//! `tsp-client` command, the Python tools, one emitter per SDK repository, and for Java what Maven needs. The .NET SDK is the machine's. A set is locked (npm lock files and
//! pip digests; the embedded ones are in `host/toolchains/locked/`), keyed by the digest of what it is made from,
//! made in a temporary directory and renamed into place, so that a set either exists completely or not at all.
//!
//! Installing is the only thing here that has a network. It is confined (`install.rs`), runs no script of a package but
//! for a list, and takes of an SDK repository only what a person approved (`approval.rs`): agents and clients may write
//! the files that name an emitter. Everything that runs afterwards goes through [`Children`], confined, with the cache
//! read-only and without a network.

mod approval;
mod builders;
mod cache;
mod children;
mod convert;
mod dotnet;
mod emitter;
mod environment;
mod error;
mod go;
mod install;
mod java;
mod limits;
mod node;
mod proxy;
mod pytest;
mod python;
mod registries;
mod residue;
mod staying;
mod typescript;

use std::path::Path;

use bailiwick_process::Supervisor;
use bailiwick_sdk::tasks::Language;

pub use approval::{Consent, Proposal};
pub use builders::{ComponentizeJs, ComponentizePy, Crates};
pub use cache::installed;
pub use children::refuse_shell_characters;
pub use children::{Child, Children, Isolation};
pub use convert::Converter;
pub use dotnet::Dotnet;
pub use dotnet::is_emitter as is_dotnet_emitter;
pub use emitter::{Emitter, EmitterPackage};
pub use error::ToolchainError;
pub use go::Go;
pub use go::{QUICK as QUICK_GO, copy_cache as copy_go_cache, module_directory as go_module_directory};
pub use java::{BaseJava, Java, core_version as java_core_version};
pub use node::{Node, TspClient};
pub use pytest::Pytest;
pub use python::{
    BasePython, Checker as PythonChecker, MYPY_CONFIGURATION, Python, locked_packages as locked_python_packages,
};
pub use residue::{is_cached, is_compiled};
pub use staying::{Staying, Unanswered};
pub use typescript::TypeScript;

use cache::{Cache, Key};
use install::Installer;

/// What [`Toolchains`] tells while it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Another process installs the same set; this one waits for it.
    Waiting {
        /// The set, for people: `the Python emitter`.
        set: String,
    },
    /// The set is being installed.
    Installing {
        /// The set, for people.
        set: String,
        /// Which attempt this is, from 1.
        attempt: u32,
    },
    /// The set that is being installed has so many megabytes by now.
    Growing {
        /// What lies there.
        megabytes: u64,
        /// About how many it will have, where that was measured.
        of: Option<u64>,
    },
    /// Something that a person should know about what is installed.
    Note {
        /// The set, for people.
        set: String,
        /// One sentence.
        text: String,
    },
}

/// Receives [`Progress`]; called from the task that waits, never concurrently.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) + Send);

/// The sets of one cache directory.
#[derive(Debug, Clone)]
pub struct Toolchains {
    cache: Cache,
    installer: Installer,
    consent: Consent,
}

/// What builds and tests a package. Neither its specification nor its emitter is part of it.
#[derive(Debug, Clone)]
pub struct BuildTools {
    /// Node 22.
    pub node: Node,
    /// The interpreter and type checker.
    pub python: Python,
    /// The JDK and Maven, for Java.
    pub java: Option<Java>,
    /// The TypeScript compiler, for JavaScript.
    pub typescript: Option<TypeScript>,
    /// The Go tools with the modules of the package, for Go.
    pub go: Option<Go>,
    /// The .NET SDK, for .NET.
    pub dotnet: Option<Dotnet>,
}

/// Everything that one regeneration and build of a package needs.
#[derive(Debug, Clone)]
pub struct Tools {
    /// What builds the package.
    pub build: BuildTools,
    /// The `tsp-client` command.
    pub tsp_client: TspClient,
    /// The emitter of the SDK repository, with the TypeSpec compiler and libraries it generates with.
    pub emitter: Emitter,
}

/// What the compiler's view of a specification takes: the part of [`Tools`] that neither generates nor builds.
#[derive(Debug, Clone, Copy)]
pub struct Compiler<'a> {
    /// Node 22.
    pub node: &'a Node,
    /// The emitter, whose compiler and libraries are asked.
    pub emitter: &'a Emitter,
}

impl Tools {
    /// What compiles a specification.
    #[must_use]
    pub fn compiler(&self) -> Compiler<'_> {
        Compiler { node: &self.build.node, emitter: &self.emitter }
    }

    /// A digest of everything that generates and builds: part of what a result depends on.
    #[must_use]
    pub fn digest(&self) -> String {
        let name = |root: &Path| root.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
        let BuildTools { node, python, java, typescript, go, dotnet } = &self.build;
        let (node, tsp_client) = (name(&node.root), name(&self.tsp_client.root));
        let java = java.as_ref().map(|java| java.digest.as_str()).unwrap_or_default();
        let typescript = typescript.as_ref().map(|typescript| name(&typescript.root)).unwrap_or_default();
        let go = go.as_ref().map(|go| go.digest.as_str()).unwrap_or_default();
        let dotnet = dotnet.as_ref().map(|dotnet| dotnet.digest.as_str()).unwrap_or_default();
        let parts: [&[u8]; 8] = [
            &node,
            &tsp_client,
            self.emitter.digest.as_bytes(),
            python.digest.as_bytes(),
            java.as_bytes(),
            &typescript,
            go.as_bytes(),
            dotnet.as_bytes(),
        ];
        Key::new("tools", "", &parts).digest
    }
}

impl Toolchains {
    /// The sets in `cache`, which is created if it is not there (mode 0700). `supervisor` runs the installers, confined
    /// unless that is waived. An emitter that was never approved is refused.
    ///
    /// # Errors
    /// When the directory cannot be made or its path cannot be used.
    pub fn open(cache: &Path, supervisor: Supervisor, isolation: Isolation) -> Result<Self, ToolchainError> {
        let cache = Cache::open(cache)?;
        let installer = Installer::new(supervisor, isolation, cache.directory());
        Ok(Self { cache, installer, consent: Consent::Refused })
    }

    /// The same, where a person may be asked.
    #[must_use]
    pub fn with_consent(self, consent: Consent) -> Self {
        Self { consent, ..self }
    }

    /// Lets through an emitter that was approved, or that a person approves now. Nothing is installed for it before.
    ///
    /// # Errors
    /// [`ToolchainError::Unapproved`].
    pub async fn approved(&self, package: &EmitterPackage) -> Result<(), ToolchainError> {
        approval::settle(self.cache.directory(), &package.proposal(), &self.consent).await
    }

    /// The cache directory, canonical.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.cache.directory()
    }

    /// Node 22.
    ///
    /// # Errors
    /// See [`ToolchainError`]; the same for all that follow.
    pub async fn node(&self, on_progress: OnProgress<'_>) -> Result<Node, ToolchainError> {
        node::ensure_node(&self.cache, &self.installer, on_progress).await
    }

    /// The `tsp-client` command, installed with `node`.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn tsp_client(&self, node: &Node, on_progress: OnProgress<'_>) -> Result<TspClient, ToolchainError> {
        node::ensure_tsp_client(&self.cache, &self.installer, node, on_progress).await
    }

    /// The Python interpreter with the run-time dependencies of Azure packages and the type checker.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn python(&self, on_progress: OnProgress<'_>) -> Result<Python, ToolchainError> {
        python::ensure(&self.cache, &self.installer, on_progress).await
    }

    /// `python` with what a package asks for beside what every package needs, a requirement a line of pip's format without
    /// options, paths or addresses. What was made once for these requirements is used again.
    ///
    /// # Errors
    /// [`ToolchainError::Requirements`] where they cannot be had, and see [`ToolchainError`].
    pub async fn python_with(
        &self,
        python: &Python,
        requirements: &[String],
        on_progress: OnProgress<'_>,
    ) -> Result<Python, ToolchainError> {
        python::with(&self.cache, &self.installer, python, requirements, on_progress).await
    }

    /// `python` with what mypy knows of the libraries in it. A check without it takes longer and says the same, so there is
    /// no error: where it cannot be found out, that is told as progress.
    pub async fn with_seed(&self, python: Python, on_progress: OnProgress<'_>) -> Python {
        match python::ensure_seed(&self.cache, &self.installer, &python, on_progress).await {
            Ok(seed) => Python { seed: Some(seed), ..python },
            Err(error) => {
                let set = python::SEED_TITLE.to_owned();
                on_progress(Progress::Note { set, text: format!("type checks take longer: {error}") });
                python
            }
        }
    }

    /// The converter from OpenAPI to TypeSpec, installed with `node`.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn converter(&self, node: &Node, on_progress: OnProgress<'_>) -> Result<Converter, ToolchainError> {
        convert::ensure(&self.cache, &self.installer, node, on_progress).await
    }

    /// What makes components of Python.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn componentize_py(&self, on_progress: OnProgress<'_>) -> Result<ComponentizePy, ToolchainError> {
        builders::ensure_componentize_py(&self.cache, &self.installer, on_progress).await
    }

    /// What makes components of JavaScript, installed with `node`.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn componentize_js(
        &self,
        node: &Node,
        on_progress: OnProgress<'_>,
    ) -> Result<ComponentizeJs, ToolchainError> {
        builders::ensure_componentize_js(&self.cache, &self.installer, node, on_progress).await
    }

    /// Fetches the crates that a project's `Cargo.lock` names, and those of the standard library where the arguments have
    /// it built along. None of them runs.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn crates(&self, crates: &Crates<'_>) -> Result<(), ToolchainError> {
        builders::fetch_crates(self.cache.directory(), &self.installer, crates).await
    }

    /// What tests of Python packages run with, for this interpreter.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn pytest(&self, python: &Python, on_progress: OnProgress<'_>) -> Result<Pytest, ToolchainError> {
        pytest::ensure(&self.cache, &self.installer, python, on_progress).await
    }

    /// The emitter that an SDK repository names. `python` lends its interpreter to emitters that are written in Python.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn emitter(
        &self,
        package: &EmitterPackage,
        node: &Node,
        python: &Python,
        on_progress: OnProgress<'_>,
    ) -> Result<Emitter, ToolchainError> {
        self.approved(package).await?;
        emitter::ensure(&self.cache, &self.installer, package, node, python, on_progress).await
    }

    /// The JDK and Maven with everything that `emitter`, which is Java's, needs of Maven Central.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn java(
        &self,
        node: &Node,
        emitter: &Emitter,
        on_progress: OnProgress<'_>,
    ) -> Result<Java, ToolchainError> {
        java::ensure(&self.cache, &self.installer, node, emitter, on_progress).await
    }

    /// The same with what the `pom.xml` of `package` asks for beside it. Nothing that it names runs.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn java_package(
        &self,
        java: Java,
        package: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<Java, ToolchainError> {
        java::ensure_package(&self.cache, &self.installer, java, package, on_progress).await
    }

    /// The .NET SDK of this machine.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn dotnet(&self) -> Result<Dotnet, ToolchainError> {
        dotnet::find(&self.installer).await
    }

    /// The TypeScript compiler with what Azure packages import.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn typescript(&self, node: &Node, on_progress: OnProgress<'_>) -> Result<TypeScript, ToolchainError> {
        typescript::ensure(&self.cache, &self.installer, node, on_progress).await
    }

    /// The machine's Go with the modules that `package` asks for.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn go(&self, package: &Path, on_progress: OnProgress<'_>) -> Result<Go, ToolchainError> {
        go::ensure(&self.cache, &self.installer, package, on_progress).await
    }

    /// What builds the package in `directory`, which is of `language`. No emitter is needed, so none has to be approved.
    /// Where `emitter`, that of the SDK repository, is there and was approved, what Maven fetched for it is used.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn build_tools(
        &self,
        language: Language,
        emitter: Option<&EmitterPackage>,
        directory: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<BuildTools, ToolchainError> {
        let node = self.node(on_progress).await?;
        let python = self.python(on_progress).await?;
        let java = match language {
            Language::Java => {
                let fetched = match emitter {
                    Some(package) => self.java_of_approved(package, &node, &python, on_progress).await,
                    None => None,
                };
                Some(match fetched {
                    Some(java) => java,
                    None => java::ensure_without_emitter(&self.cache, &self.installer, on_progress).await?,
                })
            }
            _ => None,
        };
        self.build_tools_with(language, directory, (node, python, java), on_progress).await
    }

    /// The Java tools of an emitter that a person approved before; `None` where it was not, or cannot be had. No person is asked.
    async fn java_of_approved(
        &self,
        package: &EmitterPackage,
        node: &Node,
        python: &Python,
        on_progress: OnProgress<'_>,
    ) -> Option<Java> {
        let approved = approval::settle(self.cache.directory(), &package.proposal(), &Consent::Refused).await;
        approved.ok()?;
        let emitter = self.emitter(package, node, python, on_progress).await.ok()?;
        self.java(node, &emitter, on_progress).await.ok()
    }

    async fn build_tools_with(
        &self,
        language: Language,
        directory: &Path,
        (node, python, java): (Node, Python, Option<Java>),
        on_progress: OnProgress<'_>,
    ) -> Result<BuildTools, ToolchainError> {
        let mut tools = BuildTools { node, python, java: None, typescript: None, go: None, dotnet: None };
        match language {
            Language::Python => {}
            Language::Java => {
                if let Some(java) = java {
                    tools.java = Some(self.java_package(java, directory, on_progress).await?);
                }
            }
            Language::Javascript => tools.typescript = Some(self.typescript(&tools.node, on_progress).await?),
            Language::Go => tools.go = Some(self.go(directory, on_progress).await?),
            Language::Dotnet => tools.dotnet = Some(self.dotnet().await?),
        }
        Ok(tools)
    }

    /// What reads a specification and generates from it, one after the other: the installers use every core as it is. What
    /// only builds is not there yet, see [`Self::completed`].
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn generating(
        &self,
        package: &EmitterPackage,
        on_progress: OnProgress<'_>,
    ) -> Result<Tools, ToolchainError> {
        self.approved(package).await?;
        let node = self.node(on_progress).await?;
        let tsp_client = self.tsp_client(&node, on_progress).await?;
        let python = self.python(on_progress).await?;
        let emitter = self.emitter(package, &node, &python, on_progress).await?;
        let build = BuildTools { node, python, java: None, typescript: None, go: None, dotnet: None };
        Ok(Tools { build, tsp_client, emitter })
    }

    /// The same with what builds the package in `directory`, which is of `language`.
    ///
    /// # Errors
    /// See [`ToolchainError`].
    pub async fn completed(
        &self,
        tools: Tools,
        language: Language,
        directory: &Path,
        on_progress: OnProgress<'_>,
    ) -> Result<Tools, ToolchainError> {
        let Tools { build: BuildTools { node, python, .. }, tsp_client, emitter } = tools;
        let java = match language {
            Language::Java => Some(self.java(&node, &emitter, on_progress).await?),
            _ => None,
        };
        let build = self.build_tools_with(language, directory, (node, python, java), on_progress).await?;
        Ok(Tools { build, tsp_client, emitter })
    }
}
