//! What is different from language to language: which files are generated, which are customizations, how a package is
//! built, and what its tools say.

mod checks;
mod dotnet;
mod exposed;
mod files;
mod go;
mod java;
mod javascript;
mod layout;
mod python;
mod surface;
pub(crate) mod tree;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_base::files::{Tree, TreeError};
use bailiwick_process::ProcessError;
use bailiwick_sdk::tasks::{Diagnostic, Language, Rename, SpecIndex};

use crate::recorded::Recorded;
use bailiwick_toolchains::{BuildTools, Children};

pub use checks::{Checks, Judged, Pinned, Said};
pub use dotnet::Dotnet;
pub use files::package_files;
pub(crate) use files::{content_of, files_of, is_aside, listed_content, open_package};
pub use go::Go;
pub(crate) use go::has_header as go_header;
pub(crate) use go::package_name as go_package;
pub(crate) use go::platform::is_of_another_platform as go_is_of_another_platform;
pub use java::Java;
pub use javascript::Javascript;
pub use python::Python;
pub(crate) use surface::renames as surface_renames;
pub use surface::{Definition, Signature};

/// Where a source file of a package comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Every generation writes it anew.
    Generated,
    /// A person wrote it. Generation must not change a byte of it.
    HandWritten,
    /// The generator wrote it, and what it holds now is input to the next generation.
    Kept,
}

/// A package to build.
#[derive(Debug, Clone, Copy)]
pub struct BuildRequest<'a> {
    /// The package directory, canonical.
    pub package: &'a Path,
    /// Where it stands in its repository: `package` itself, unless that is a copy.
    pub place: &'a Path,
    /// Which errors are asked for.
    pub errors: Errors,
    /// What the repository says about the checks of the package.
    pub checks: &'a Checks,
    /// By what the package is judged.
    pub judged: Judged,
    /// A directory outside the repositories for caches and temporary files; `build` below it is used. Kept between the
    /// builds of one run, it makes them quicker.
    pub work: &'a Path,
}

/// Which errors a build reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// Those that it shows by itself.
    Shown,
    /// Also those that a compiler leaves out behind others, in a language with such a compiler.
    All,
}

/// What a package is made ready for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Its build.
    Build,
    /// Its build and its tests.
    Tests,
}

/// What a package asks for beside what every package of its language needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirements {
    /// In the words of the language's package manager, sorted.
    pub asked: Vec<String>,
    /// Directories of the repository that are used as they stand, relative to it, in the order in which they are named.
    pub beside: Vec<String>,
    /// What is not fetched, and why, a sentence each.
    pub passed_over: Vec<String>,
}

/// The files in which a package says what it asks for. No link is followed.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// The text of a file, by its path relative to the package.
    pub file: &'a dyn Fn(&str) -> Option<String>,
    /// The repository around the package; `None` where nothing of it is used.
    pub around: Option<Around<'a>>,
}

/// The repository around a package.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The package's path in it.
    pub package: &'a str,
    /// The text of a file, by its path relative to the repository.
    pub file: &'a dyn Fn(&str) -> Option<String>,
}

/// What generation needs beside Node and the emitter. Nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolEnvironment {
    /// Directories to put in front of `PATH`.
    pub path: Vec<PathBuf>,
    /// Variables.
    pub environment: Vec<(&'static str, OsString)>,
    /// What is read.
    pub read: Vec<PathBuf>,
}

/// A hand-written method that overrides a generated one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// Where it is first written, from 1.
    pub line: u32,
    /// Its name.
    pub name: String,
    /// The names of its parameters, the first too, in their order.
    pub takes: Vec<String>,
}

/// A package whose customizations are compared with its generated code.
#[derive(Debug, Clone, Copy)]
pub struct DriftRequest<'a> {
    /// The package directory.
    pub package: &'a Path,
    /// The names that this run changed, as the language writes them.
    pub renames: &'a [Rename],
    /// Those of operations among them that were made in this run, or that generated code shows since it began. A method
    /// under a name that was given up long ago may stand there on purpose.
    pub fresh: &'a [Rename],
    /// The compiler's view of the specification that the package was generated from.
    pub index: &'a SpecIndex,
}

/// A package whose generated code was just written anew.
#[derive(Debug, Clone, Copy)]
pub struct CarryRequest<'a> {
    /// The package, open since before the generation.
    pub package: &'a Tree,
    /// The generated source files as they were before, by their path relative to the package.
    pub before: &'a BTreeMap<String, Vec<u8>>,
    /// A directory outside the repositories for temporary files.
    pub work: &'a Path,
}

/// What a generation meant for hand-written files.
#[derive(Debug, Clone)]
pub struct Carried {
    /// Whether all of it could be carried over. If not, no hand-written file was changed.
    pub verdict: Verdict,
    /// What could not, with the places in the hand-written files.
    pub diagnostics: Vec<Diagnostic>,
    /// The hand-written files that changed.
    pub files: Vec<CarriedFile>,
    /// What was printed.
    pub log: String,
}

/// A hand-written file into which a change of generated code was carried over. `None` means that there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedFile {
    /// The hand-written file, relative to the package.
    pub path: String,
    /// The generated file that it was copied from, before the generation.
    pub from: Option<Vec<u8>>,
    /// The same after it.
    pub to: Option<Vec<u8>>,
    /// The hand-written file before.
    pub before: Option<Vec<u8>>,
    /// The hand-written file now.
    pub after: Option<Vec<u8>>,
}

impl CarriedFile {
    /// What `original`, the file as it was when a run began, is with the same change carried over. With it the edits of
    /// an agent are told from what generation did. Where that cannot be told it stays what it was: then too much counts as
    /// an edit, never too little.
    #[must_use]
    pub fn carried_into(&self, original: Option<Vec<u8>>) -> Option<Vec<u8>> {
        if original == self.before {
            return self.after.clone();
        }
        let deadline = Instant::now().checked_add(javascript::PATIENCE);
        let carried = javascript::carry(self.from.as_deref(), self.to.as_deref(), original.as_deref(), deadline);
        carried.unwrap_or(original)
    }
}

/// Whether a build passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No error was reported.
    Passed,
    /// At least one error was reported.
    Failed,
}

/// A build that ran.
#[derive(Debug, Clone)]
pub struct Built {
    /// Whether it passed.
    pub verdict: Verdict,
    /// What was reported, errors and warnings, files named `sdk/<path in the package>`.
    pub diagnostics: Vec<Diagnostic>,
    /// Everything that was printed.
    pub log: String,
    /// Time it took.
    pub wall: Duration,
}

impl Built {
    /// The build that printed `log` and reported these, begun at `started`. An error fails it, whatever the exit code was.
    #[must_use]
    pub fn reporting(diagnostics: Vec<Diagnostic>, log: String, started: Instant) -> Self {
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        let verdict = if failed { Verdict::Failed } else { Verdict::Passed };
        Self { verdict, diagnostics, log, wall: started.elapsed() }
    }
}

/// Why a language cannot be served or a build has no result.
#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    /// There is no service for what an emitter generates.
    #[error("packages generated by `{emitter}` are not supported")]
    Unsupported {
        /// The emitter's package name.
        emitter: String,
    },
    /// A package in Rust, whose emitter no package registry has.
    #[error(
        "packages in Rust are not supported: their emitter, `@azure-tools/typespec-rust`, is not in the npm registry"
    )]
    Rust,
    /// Neither an emitter nor a project file says which language a package is written in.
    #[error("the language of `{}` cannot be told", package.display())]
    Unknown {
        /// The package directory.
        package: PathBuf,
    },
    /// The package has no code to build.
    #[error("`{}` holds no code that could be built", package.display())]
    NothingToBuild {
        /// The package directory.
        package: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("`{}` cannot be {action}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The operating system's words.
        source: std::io::Error,
    },
    /// A file of the package cannot be reached beneath its directory.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A child process has no result.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

impl LanguageError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unsupported { .. } => Some(
                "packages of Python (`@typespec/http-client-python`), Java (`@azure-tools/typespec-java`), .NET \
                 (`@azure-typespec/http-client-csharp`), JavaScript (`@azure-tools/typespec-ts`) and Go (`@azure-tools/typespec-go`) are supported",
            ),
            Self::Rust => Some(
                "regenerate and build the package with the tools of azure-sdk-for-rust; customize the same specification for \
                 another language with the package of that language",
            ),
            Self::Unknown { .. } => Some(
                "name the directory of a package: it holds `pyproject.toml`, `setup.py`, `pom.xml`, `package.json`, `go.mod` \
                 or `src/*.csproj`",
            ),
            Self::NothingToBuild { .. } => Some("generate the package first, with `tsp-client update`"),
            Self::Io { .. } => None,
            Self::Tree(error) => error.hint(),
            Self::Process(error) => error.hint(),
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, action, source }
    }
}

/// One language. Paths are relative to the package, with slashes.
#[async_trait]
pub trait LanguageService: Send + Sync {
    /// The language.
    fn language(&self) -> Language;

    /// Whether packages of this emitter are this language's.
    fn serves(&self, emitter: &str) -> bool;

    /// The service for one package, where what belongs to whom depends on how the package is laid out.
    fn for_package(&self, package: &Path) -> Option<Box<dyn LanguageService>> {
        let _ = package;
        None
    }

    /// Whether a file is source code of this language, which emitters may write or format.
    fn is_source(&self, path: &str) -> bool;

    /// Where a source file comes from.
    fn origin(&self, path: &str, content: &[u8]) -> Origin;

    /// Whether a generated file is of the generator that was before TypeSpec, in a language in which its header tells.
    fn is_former(&self, content: &[u8]) -> bool {
        let _ = content;
        false
    }

    /// Whether a generated file holds code that a person wrote in it, in a language whose emitter takes it over where it
    /// finds the file and is told to.
    fn is_shared(&self, path: &str, content: &[u8]) -> bool {
        let _ = (path, content);
        false
    }

    /// Whether a file customizes generated code. An emitter's untouched stub does not.
    fn is_customization(&self, path: &str, content: &[u8]) -> bool;

    /// The line, from 1, on which hand-written code defines or exports a name at its top level. A generated type of that
    /// name would be hidden by it.
    fn defines(&self, text: &str, name: &str) -> Option<usize>;

    /// The methods with which hand-written code overrides the operation of a rename, in a language in which this can be told
    /// from one file. The generated operation would go on under the new name, beside the hand-written one.
    fn overrides(&self, text: &str, rename: &Rename) -> Vec<Override> {
        let _ = (text, rename);
        Vec::new()
    }

    /// What the methods of this name take that a generated source file has for an operation of this container, where
    /// [`Self::overrides`] is known: the names of the parameters of each.
    fn takes(&self, text: &str, container: Option<&str>, name: &str) -> Vec<Vec<String>> {
        let _ = (text, container, name);
        Vec::new()
    }

    /// What a build of this language asks, in the names of its programs: `import, mypy`.
    fn build_checks(&self) -> &'static str;

    /// What the repository says about the checks of a package, in a language in which it is read.
    fn checks(&self, recorded: &Recorded) -> Checks {
        let _ = recorded;
        Checks::default()
    }

    /// What a package asks for in the files in which a person names it.
    fn requirements(&self, asking: Asking<'_>, needs: Needs) -> Requirements {
        let _ = (asking, needs);
        Requirements::default()
    }

    /// What a generated source file defines, for comparing two generations.
    fn definitions(&self, path: &str, text: &str) -> Vec<Definition> {
        let _ = (path, text);
        Vec::new()
    }

    /// What a generated source file makes public; `None` where it cannot be read.
    fn public(&self, path: &str, text: &str) -> Option<Vec<Definition>>;

    /// The parameters of the public methods of a generated source file; empty in a language in which they are not read.
    fn signatures(&self, path: &str, text: &str) -> Vec<Signature> {
        let _ = (path, text);
        Vec::new()
    }

    /// The names that a file passes on to users of the package, in a language in which that decides what is public; `None`
    /// for a file that passes nothing on.
    fn exports(&self, path: &str, text: &str) -> Option<Vec<String>> {
        let _ = (path, text);
        None
    }

    /// With which errors of a build old ones are told from new ones; `None` where a copy of a package cannot be built in its
    /// place, or where a build does not show what lies behind its first errors.
    fn compares(&self) -> Option<Errors> {
        None
    }

    /// Whether the checks of a build go on after this error and see what is behind it. Such an error does not count
    /// against a run where it was there before; one that hides others always counts.
    fn goes_on_after(&self, error: &Diagnostic) -> bool {
        let _ = error;
        false
    }

    /// Builds a package without changing it.
    ///
    /// # Errors
    /// When something could not be run, read or written. A package that does not build is not an error.
    async fn build(
        &self,
        request: BuildRequest<'_>,
        tools: &BuildTools,
        children: &Children,
    ) -> Result<Built, LanguageError>;

    /// Carries what a generation changed over to hand-written files, where they are copies of generated ones; `None` where
    /// a language knows nothing of the kind. It belongs to the generation: what it changes no agent changed.
    ///
    /// # Errors
    /// When something could not be run, read or written. A change that could not be carried over is not an error.
    async fn carry_over(
        &self,
        request: CarryRequest<'_>,
        tools: &BuildTools,
        children: &Children,
    ) -> Result<Option<Carried>, LanguageError> {
        let _ = (request, tools, children);
        Ok(None)
    }

    /// What the emitter needs around it, for a child with this scratch directory.
    fn tool_environment(&self, tools: &BuildTools, scratch: &Path) -> ToolEnvironment {
        let _ = (tools, scratch);
        ToolEnvironment::default()
    }

    /// The diagnostics of a regeneration, from what it printed and from the compiler's own lines in that. An emitter may
    /// run customizations, and a failure of one is reported at its place.
    fn regeneration_diagnostics(&self, package: &Path, output: &str, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let _ = (package, output);
        found
    }

    /// What a build or a test needs around it that the repository or the language's own habit names, for a child with
    /// this scratch directory, in which something may be laid ready.
    fn build_surroundings(&self, tools: &BuildTools, scratch: &Path) -> ToolEnvironment {
        self.tool_environment(tools, scratch)
    }

    /// The diagnostics of a build that the repository configures, from everything it printed. Files of the package are
    /// named `sdk/<path>` in it, or count from the package.
    fn build_diagnostics(&self, log: &str) -> Vec<Diagnostic> {
        bailiwick_sdk::diagnostics::any_tool::parse(log)
    }

    /// What customizations ask for by a name that nothing has any more, and no build notices.
    ///
    /// # Errors
    /// When the package cannot be read.
    fn drift(&self, request: DriftRequest<'_>) -> Result<Vec<Diagnostic>, LanguageError>;

    /// The customization files of a package, sorted. They are also all that code repair may change.
    ///
    /// # Errors
    /// When the package cannot be read.
    fn customization_files(&self, package: &Path) -> Result<Vec<String>, LanguageError> {
        matching(package, |path, content| self.is_customization(path, content), self)
    }

    /// The generated files of a package, sorted: what no agent may change.
    ///
    /// # Errors
    /// When the package cannot be read.
    fn generated_files(&self, package: &Path) -> Result<Vec<String>, LanguageError> {
        matching(package, |path, content| self.origin(path, content) != Origin::HandWritten, self)
    }
}

fn matching(
    package: &Path,
    wanted: impl Fn(&str, &[u8]) -> bool,
    service: &(impl LanguageService + ?Sized),
) -> Result<Vec<String>, LanguageError> {
    let mut found = Vec::new();
    let package = open_package(package)?;
    for relative in files_of(&package)? {
        if !service.is_source(&relative) {
            continue;
        }
        let content = listed_content(&package, &relative)?;
        if wanted(&relative, &content) {
            found.push(relative);
        }
    }
    Ok(found)
}

/// The emitter of Rust.
const RUST_EMITTER: &str = "@azure-tools/typespec-rust";

/// The service for what `emitter` generates.
///
/// # Errors
/// [`LanguageError::Unsupported`] and [`LanguageError::Rust`].
pub fn service_for(emitter: &str) -> Result<Box<dyn LanguageService>, LanguageError> {
    if Python.serves(emitter) {
        return Ok(Box::new(Python));
    }
    if Java.serves(emitter) {
        return Ok(Box::new(Java));
    }
    if Javascript::new().serves(emitter) {
        return Ok(Box::new(Javascript::new()));
    }
    if Go.serves(emitter) {
        return Ok(Box::new(Go));
    }
    if Dotnet.serves(emitter) {
        return Ok(Box::new(Dotnet));
    }
    Err(match emitter {
        RUST_EMITTER => LanguageError::Rust,
        _ => LanguageError::Unsupported { emitter: emitter.to_owned() },
    })
}

/// The service for the project files of a package, which lies in `repository`; `None` where there is no such file.
///
/// # Errors
/// When the package cannot be read, and [`LanguageError::Rust`].
pub fn service_for_files(package: &Path, repository: &Path) -> Result<Option<Box<dyn LanguageService>>, LanguageError> {
    let has = |name: &str| package.join(name).is_file();
    let module = package.ancestors().take_while(|directory| directory.starts_with(repository));
    Ok(if has("pom.xml") {
        Some(Box::new(Java))
    } else if dotnet::project_file(package)?.is_some() {
        Some(Box::new(Dotnet))
    } else if has("pyproject.toml") || has("setup.py") {
        Some(Box::new(Python))
    } else if has("package.json") {
        // After the others: packages of any language may carry tools of npm.
        Some(Box::new(Javascript::new()))
    } else if module.into_iter().any(|directory| directory.join("go.mod").is_file()) {
        Some(Box::new(Go))
    } else if has("Cargo.toml") {
        return Err(LanguageError::Rust);
    } else {
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_follows_from_the_project_files() {
        let repository = tempfile::tempdir().unwrap();
        let told = |files: &[&str], package: &str| {
            let root = repository.path().join(files.join("-").replace('/', "_"));
            for file in files {
                let path = root.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
            std::fs::create_dir_all(root.join(package)).unwrap();
            service_for_files(&root.join(package), &root).unwrap().map(|service| service.language())
        };
        assert_eq!(told(&["pyproject.toml"], ""), Some(Language::Python));
        assert_eq!(told(&["setup.py", "package.json"], ""), Some(Language::Python));
        assert_eq!(told(&["package.json"], ""), Some(Language::Javascript));
        assert_eq!(told(&["pom.xml"], ""), Some(Language::Java));
        assert_eq!(told(&["src/Azure.Widget.csproj"], ""), Some(Language::Dotnet));
        assert_eq!(told(&["sdk/go.mod"], "sdk/widget"), Some(Language::Go));
        assert_eq!(told(&["README.md"], ""), None);
    }

    #[test]
    fn language_follows_from_the_emitter() {
        for emitter in ["@typespec/http-client-python", "@azure-tools/typespec-python"] {
            assert_eq!(service_for(emitter).unwrap().language(), Language::Python);
        }
        assert_eq!(service_for("@azure-tools/typespec-java").unwrap().language(), Language::Java);
        for emitter in ["@azure-tools/typespec-ts", "@typespec/http-client-js"] {
            assert_eq!(service_for(emitter).unwrap().language(), Language::Javascript);
        }
        assert_eq!(service_for("@azure-tools/typespec-go").unwrap().language(), Language::Go);
        let error = service_for("@azure-tools/typespec-cobol").err().unwrap();
        assert!(error.to_string().contains("typespec-cobol"));
        for emitter in ["@azure-typespec/http-client-csharp", "@azure-tools/typespec-csharp"] {
            assert_eq!(service_for(emitter).unwrap().language(), Language::Dotnet);
        }
        assert!(error.hint().is_some());
    }

    #[test]
    fn rust_is_refused_with_the_reason_by_its_emitter_and_by_its_project_file() {
        let repository = tempfile::tempdir().unwrap();
        std::fs::write(repository.path().join("Cargo.toml"), "").unwrap();
        let by_file = service_for_files(repository.path(), repository.path()).err().unwrap();
        let by_emitter = service_for("@azure-tools/typespec-rust").err().unwrap();
        for error in [by_file, by_emitter] {
            assert!(error.to_string().contains("is not in the npm registry"), "{error}");
            assert!(error.hint().is_some());
        }
    }
}
