//! What is different from language to language: which files are generated, which are customizations, how a package is
//! built, and what its tools say.

mod building;
mod carrying;
mod checks;
mod dotnet;
mod error;
mod exposed;
mod files;
mod go;
mod java;
mod javascript;
mod layout;
mod python;
mod ran;
mod requirements;
mod select;
mod shown;
mod strictness;
mod surface;
pub(crate) mod tree;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bailiwick_sdk::java::OwnParts;
use bailiwick_sdk::tasks::{Diagnostic, Language, Rename, SpecIndex};
use bailiwick_toolchains::{BuildTools, Children};

use crate::recorded::Recorded;

pub use building::{BuildRequest, Built, Errors, Verdict};
pub use carrying::{Carried, CarriedFile, CarryRequest};
pub use checks::{Checks, Configured, Judged, Pinned, Said};
pub use dotnet::Dotnet;
pub use error::LanguageError;
pub use files::package_files;
pub(crate) use files::{content_of, files_of, is_aside, listed_content, open_package};
pub use go::Go;
pub(crate) use go::has_header as go_header;
pub(crate) use go::package_name as go_package;
pub(crate) use go::platform::is_of_another_platform as go_is_of_another_platform;
pub use java::Java;
pub(crate) use java::{
    differs_in_own_members_alone as java_own_members_alone, has_header as java_header, holds_own_members as java_shared,
};
pub use javascript::Javascript;
pub use python::Python;
pub(crate) use python::{
    has_header as python_header, hidden, is_patch as python_patch, may_stand_around as python_around, never_returning,
};
pub use requirements::{Around, Asking, Needs, Requirements};
pub use select::{service_for, service_for_files};
pub use shown::{Bond, Place, Shown, Sought};
pub use strictness::Strictness;
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
    /// The generated files that changed since the run began, by their paths, as they were then. A file that is new has none.
    pub before: &'a [(String, String)],
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

    /// Whether a file can customize generated code, by its path. Files that cannot are not read when customizations are
    /// looked for.
    fn may_customize(&self, path: &str) -> bool {
        self.is_source(path)
    }

    /// Whether a hand-written file is no part of the library: the generator runs it over what it generates.
    fn runs_in_generator(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Whether what a hand-written file defines can stand in the way of the generated type `of` under another name.
    fn may_hide(&self, package: &Path, file: &str, of: &str) -> bool {
        let _ = (package, file, of);
        true
    }

    /// What a person wrote of a source file.
    fn own_text(&self, path: &str, content: &[u8]) -> Option<String> {
        (self.origin(path, content) == Origin::HandWritten).then(|| String::from_utf8_lossy(content).into_owned())
    }

    /// Whether a generated file is of the generator that was before TypeSpec, in a language in which its header tells.
    fn is_former(&self, content: &[u8]) -> bool {
        let _ = content;
        false
    }

    /// Whether a file with the header of generated code only brings in modules that people wrote, in a language in which the
    /// generator writes no such file: a person took the header over from another one.
    fn is_in_disguise(&self, path: &str, content: &[u8], is_hand_written: &dyn Fn(&str) -> bool) -> bool {
        let _ = (path, content, is_hand_written);
        false
    }

    /// Whether a generated file holds code that a person wrote in it, in a language whose emitter takes it over where it
    /// finds the file and is told to.
    fn is_shared(&self, path: &str, content: &[u8]) -> bool {
        let _ = (path, content);
        false
    }

    /// Whether all that a generated file holds beside generated code was put there by a customization, in one of these versions
    /// of its text. It will be put there again.
    fn is_made_by_customization(&self, path: &str, content: &[u8], customizations: &[String]) -> bool {
        let _ = (path, content, customizations);
        false
    }

    /// Whether a file that was generated anew has all the code that was there beside generated code, but for what the versions
    /// of a customization say in each other's place.
    fn keeps_own_code(&self, before: &[u8], now: &[u8], customizations: &[String]) -> bool {
        let _ = (before, now, customizations);
        true
    }

    /// What a person wrote into the types of a generated file (`before`) and the one that was generated anew (`now`, where
    /// there is one) does not have, in a language whose emitter updates files. `is_hand_written` tells types of the package,
    /// by their full name, that stand in hand-written files.
    fn own_parts(
        &self,
        before: &[u8],
        now: Option<&[u8]>,
        customizations: &[String],
        is_hand_written: &dyn Fn(&str) -> bool,
    ) -> OwnParts {
        let _ = (before, now, customizations, is_hand_written);
        OwnParts::default()
    }

    /// Whether a file can switch off a check of a build, by its path.
    fn may_switch_off(&self, path: &str) -> bool {
        self.is_source(path)
    }

    /// What a file has with which it switches off a check of a build for itself: a line, or its name. What cannot hide an
    /// error does not count.
    fn switched_off(&self, path: &str, content: &[u8]) -> Vec<String> {
        let _ = (path, content);
        Vec::new()
    }

    /// How strictly the configuration of a package has it checked, in a language in which a build reads it from the package;
    /// `None` without such a configuration.
    ///
    /// # Errors
    /// When the package cannot be read.
    fn strictness(&self, package: &Path) -> Result<Option<Strictness>, LanguageError> {
        let _ = package;
        Ok(None)
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

    /// The public methods of hand-written code that users call instead of the operation of a rename, and that call it: they
    /// keep their name.
    fn wrappers(&self, text: &str, rename: &Rename) -> Vec<Override> {
        let _ = (text, rename);
        Vec::new()
    }

    /// What a file shows users of a package under a name, and a person wrote: also in a generated file, in a language in which
    /// people write there. Nothing in a language in which it is not read.
    fn shown(&self, path: &str, content: &[u8], sought: &Sought) -> Vec<Shown> {
        let _ = (path, content, sought);
        Vec::new()
    }

    /// What generated code shows users although the specification hides it, in a language in which a customization of a person
    /// may make it public again, or whose emitter does not follow what hides it.
    fn made_public(&self, path: &str, content: &[u8], hidden: &Sought) -> Vec<Shown> {
        let _ = (path, content, hidden);
        Vec::new()
    }

    /// Where a hand-written file uses a generated thing under a name that is gone, in a language whose builds may not notice.
    fn still_used(&self, path: &str, content: &[u8], gone: &Sought) -> Vec<Shown> {
        let _ = (path, content, gone);
        Vec::new()
    }

    /// What users of a package call something generated, where a hand-written file gives it a name of its own: with an attribute,
    /// an alias or an export. A new name in the specification does not reach them. Nothing in a language in which generated
    /// code is never named so.
    fn own_names(&self, path: &str, content: &[u8], generated: &Sought) -> Vec<Shown> {
        let _ = (path, content, generated);
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
        matching(package, |path| self.may_customize(path), |path, content| self.is_customization(path, content))
    }

    /// Generated files with code in them that a person wrote and a generation takes over, sorted. Code that one of these
    /// customizations writes does not count. Code repair may change that code.
    ///
    /// # Errors
    /// When the package cannot be read.
    fn shared_files(&self, package: &Path, customizations: &[String]) -> Result<Vec<String>, LanguageError> {
        let _ = (package, customizations);
        Ok(Vec::new())
    }

    /// The generated files of a package, sorted: what no agent may change.
    ///
    /// # Errors
    /// When the package cannot be read.
    fn generated_files(&self, package: &Path) -> Result<Vec<String>, LanguageError> {
        matching(
            package,
            |path| self.is_source(path),
            |path, content| self.origin(path, content) != Origin::HandWritten,
        )
    }
}

pub(crate) fn matching(
    package: &Path,
    looked_at: impl Fn(&str) -> bool,
    wanted: impl Fn(&str, &[u8]) -> bool,
) -> Result<Vec<String>, LanguageError> {
    let mut found = Vec::new();
    let package = open_package(package)?;
    for relative in files_of(&package)? {
        if !looked_at(&relative) {
            continue;
        }
        let content = listed_content(&package, &relative)?;
        if wanted(&relative, &content) {
            found.push(relative);
        }
    }
    Ok(found)
}
