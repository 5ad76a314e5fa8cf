//! Generates a package anew from the local copy of its specification.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bailiwick_base::files::Tree;
use bailiwick_process::Finished;
use bailiwick_sdk::diagnostics::maven::without_colours;
use bailiwick_sdk::diagnostics::{PathMap, typespec};
use bailiwick_sdk::tasks::{Diagnostic, Severity};
use serde_yaml_ng::Value;

use super::error::TypespecError;
use super::installed::Installed;
use super::location::last_part;
use super::own_parts;
use super::placed::{misplaced, missing_options};
use super::project::Project;
use super::put_back::PutBack;
use super::remote::{common_directory, heads};
use super::spec_project::configuration;
use super::stale::{Before, Existing};
use super::switched_off::Checks;
use crate::language::{CarriedFile, CarryRequest, LanguageService, Verdict};
use crate::shown::{Shown, shown};
use bailiwick_toolchains::{Child, Children, Tools, refuse_shell_characters};

/// Where `tsp-client` puts its copy of the project, inside the package.
pub(super) const COPY: &str = "TempTypeSpecFiles";

/// What the locked `tsp-client` says last.
const COMPLETE: &str = "generation complete";

/// A copy takes a second, a large service's client some minutes.
const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// What to generate.
#[derive(Clone, Copy)]
pub struct Regeneration<'a> {
    /// The package and its specification.
    pub project: &'a Project,
    /// Knows generated files from hand-written ones.
    pub language: &'a dyn LanguageService,
    /// A directory outside both repositories for temporary files; `regenerate` below it is used.
    pub work: &'a Path,
    /// The texts of customizations with which the package may have been generated, as far as they are known.
    pub customizations: &'a [String],
}

/// How a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The package is what the specification says.
    Succeeded,
    /// The specification or the emitter failed, or the code was not written where the package has it; the sources in the
    /// package are those of before.
    Failed,
}

/// A generation that ran.
#[derive(Debug, Clone)]
pub struct Regenerated {
    /// How it ended.
    pub outcome: Outcome,
    /// What the compiler and the emitter reported; at least one error if it failed.
    pub diagnostics: Vec<Diagnostic>,
    /// Generated files that the client no longer has, relative to the package.
    pub gone: Vec<String>,
    /// Hand-written files that were changed meanwhile and put back.
    pub put_back: Vec<PutBack>,
    /// Hand-written files into which the change of generated code was carried over.
    pub carried: Vec<CarriedFile>,
    /// Everything that was printed, with this machine's paths replaced.
    pub log: String,
    /// Time it took.
    pub wall: Duration,
}

/// Removes generated code, and copies the specification and generates from it with `tsp-client update`.
///
/// It runs confined: it writes the package and a temporary directory, reads the SDK repository but for what is hidden
/// there, the project and the tools, and has no network. If generation fails, the package's sources are put back.
///
/// # Errors
/// When something could not be run, read or written. Then the package may be half generated; a caller with
/// before-images restores them. A specification that does not compile is not an error but [`Outcome::Failed`].
pub async fn regenerate(
    regeneration: Regeneration<'_>,
    tools: &Tools,
    children: &Children,
    on_line: &mut (dyn FnMut(&str) + Send),
) -> Result<Regenerated, TypespecError> {
    let started = Instant::now();
    let steps = Steps::new(&regeneration, tools, children)?;
    let result = steps.all(BTreeSet::new(), on_line).await;
    // In any case, and before the package is looked at.
    steps.remove_copy()?;
    let mut regenerated = result?;
    regenerated.wall = started.elapsed();
    Ok(regenerated)
}

struct Steps<'a> {
    regeneration: &'a Regeneration<'a>,
    tools: &'a Tools,
    children: &'a Children,
    scratch: PathBuf,
    /// For `GIT_COMMON_DIR`. It lies where no child writes.
    without_configuration: PathBuf,
    paths: PathMap,
}

impl<'a> Steps<'a> {
    fn new(
        regeneration: &'a Regeneration<'a>,
        tools: &'a Tools,
        children: &'a Children,
    ) -> Result<Self, TypespecError> {
        let work = regeneration.work.canonicalize().map_err(TypespecError::io(regeneration.work, "read"))?;
        let project = regeneration.project;
        for path in [&work, &project.package, &tools.emitter.root] {
            refuse_shell_characters(path)?;
        }
        let scratch = work.join("regenerate");
        std::fs::create_dir_all(&scratch).map_err(TypespecError::io(&scratch, "created"))?;
        let copy = project.package.join(COPY);
        let copies = std::iter::once((copy.join(project.location.project_name()), "spec"))
            .chain(project.location.additional_directories.iter().map(|one| (copy.join(last_part(one)), one.as_str())));
        let cache = tools.emitter.root.parent().unwrap_or(&tools.emitter.root);
        let paths = PathMap::of_package(Some(&project.package), &project.directory, copies, cache);
        let without_configuration = common_directory(&work)?;
        Ok(Self { regeneration, tools, children, scratch, without_configuration, paths })
    }

    /// The files that are `updated` stay where they are for the emitter, however the code of others came into them.
    async fn all(
        &self,
        updated: BTreeSet<String>,
        on_line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Regenerated, TypespecError> {
        let project = self.regeneration.project;
        // Left by a generation that was killed; a copy is merged into, not replaced.
        self.remove_copy()?;
        let existing = existing(&configuration(&project.directory)?, &self.tools.emitter.name);
        let &Regeneration { language, customizations, .. } = self.regeneration;
        let before = Before::read(&project.package, language, existing, customizations, &updated)?;
        let installed = Installed::of(before.package())?;
        let checks = Checks::of(before.package(), language)?;
        // Made before `tsp-client`, which merges its copy into what is there.
        before.package().link(format!("{COPY}/node_modules"), &self.tools.emitter.node_modules)?;
        before.remove_generated()?;
        let generated = self.tsp_client(on_line).await;
        let put_back = before.restore_hand_written()?;
        let ended = matches!(&generated, Ok(finished) if finished.exit.is_success() && is_complete(finished));
        before.restore_former(language)?;
        if !ended {
            before.restore_generated()?;
            before.remove_new(language)?;
        }
        let mut refused = installed.remove_further(before.package())?;
        refused.extend(checks.put_back(before.package(), language)?);
        let generated = generated?;
        let mut log = self.log_of(&generated);
        if !ended {
            return Ok(self.failed(self.errors_of(&generated), put_back, log));
        }
        let mut diagnostics = self.diagnostics_of(&generated);
        if !refused.is_empty() {
            before.restore_generated()?;
            before.remove_new(language)?;
            diagnostics.extend(refused);
            return Ok(self.failed(diagnostics, put_back, log));
        }
        if let Some(misplaced) = misplaced(&before, language)? {
            before.remove_misplaced(misplaced.directories(), language)?;
            before.restore_generated()?;
            diagnostics.push(misplaced.diagnostic(&self.tools.emitter.name));
            return Ok(self.failed(diagnostics, put_back, log));
        }
        let missed = before.missed(language, customizations)?;
        if !missed.is_empty() {
            before.restore_generated()?;
            before.remove_new(language)?;
            // Each time more files are left to the emitter, so this ends.
            return Box::pin(self.all(updated.into_iter().chain(missed).collect(), on_line)).await;
        }
        let left = before.left()?;
        if !left.is_empty() {
            before.restore_generated()?;
            before.remove_new(language)?;
            diagnostics.extend(left.iter().map(|path| left_behind(path)));
            return Ok(self.failed(diagnostics, put_back, log));
        }
        if existing == Existing::Updated {
            let kept = own_parts::look(&before, language, customizations)?;
            if kept.is_lost() {
                before.restore_generated()?;
                before.remove_new(language)?;
                diagnostics.extend(kept.diagnostics);
                return Ok(self.failed(diagnostics, put_back, log));
            }
            log.push_str(&kept.put_back(&before)?);
            diagnostics.extend(kept.diagnostics);
        }
        let request = CarryRequest { package: before.package(), before: before.generated(), work: &self.scratch };
        let mut carried = Vec::new();
        if let Some(result) = language.carry_over(request, &self.tools.build, self.children).await? {
            log.push_str(&result.log);
            if result.verdict == Verdict::Failed {
                before.restore_generated()?;
                before.remove_new(language)?;
                diagnostics.extend(result.diagnostics);
                return Ok(self.failed(diagnostics, put_back, log));
            }
            carried = result.files;
        }
        Ok(Regenerated {
            outcome: Outcome::Succeeded,
            diagnostics,
            gone: before.finish()?,
            put_back,
            carried,
            log,
            wall: Duration::ZERO,
        })
    }

    /// `update` is `sync` and `generate` in one process; neither it nor they ask a registry with `--skip-install`.
    async fn tsp_client(&self, on_line: &mut (dyn FnMut(&str) + Send)) -> Result<Finished, TypespecError> {
        let project = self.regeneration.project;
        let node = &self.tools.build.node;
        let mut arguments = vec![self.tools.tsp_client.script.clone().into_os_string()];
        arguments.extend(["update", "--skip-install"].map(OsString::from));
        // The project, never the repository: with that `tsp-client` copies without end (Azure/azure-sdk-tools#14347).
        arguments.push("--local-spec-repo".into());
        arguments.push(project.directory.clone().into_os_string());
        let mut read = vec![
            node.root.clone(),
            self.tools.tsp_client.root.clone(),
            self.tools.emitter.root.clone(),
            self.tools.build.python.base.prefix.clone(),
            project.directory.clone(),
        ];
        let Shown { read: shown, list } = shown(&project.sdk_root, &project.package);
        read.extend(shown);
        read.extend(project.additional.iter().cloned());
        // All that git needs to tell where the repositories begin, without their configurations.
        read.extend([&project.sdk_root, &project.spec_root].into_iter().flat_map(|root| heads(root)));
        read.push(self.without_configuration.clone());
        let surroundings = self.regeneration.language.tool_environment(&self.tools.build, &self.scratch);
        read.extend(surroundings.read);
        let mut path: Vec<PathBuf> = node.executable.parent().map(Path::to_owned).into_iter().collect();
        path.extend(surroundings.path);
        let mut environment = vec![
            ("NODE_NO_WARNINGS", OsString::from("1")),
            ("GIT_COMMON_DIR", self.without_configuration.clone().into()),
        ];
        environment.extend(surroundings.environment);
        let child = Child {
            program: &node.executable,
            arguments,
            directory: &project.package,
            path,
            environment,
            read,
            list,
            write: vec![project.package.clone()],
            scratch: &self.scratch,
            deadline: DEADLINE,
        };
        Ok(self.children.called("tsp-client").run_beside(child, Some(COPY), on_line).await?)
    }

    fn log_of(&self, finished: &Finished) -> String {
        self.paths.text(&format!("{}{}", finished.stdout.text, finished.stderr.text))
    }

    fn diagnostics_of(&self, finished: &Finished) -> Vec<Diagnostic> {
        let printed = format!("{}\n{}", finished.stderr.text, finished.stdout.text);
        let found = typespec::parse(&printed, &self.paths);
        let Regeneration { project, language, .. } = self.regeneration;
        language.regeneration_diagnostics(&project.package, &self.paths.text(&printed), found)
    }

    /// The diagnostics of a generation that failed, with at least one error. What `tspconfig.yaml` lacks comes first where
    /// no error has a place.
    fn errors_of(&self, finished: &Finished) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics_of(finished);
        if !diagnostics.iter().any(Diagnostic::is_error) {
            let words = typespec::last_words(&finished.stdout.text, &finished.stderr.text, &self.paths);
            let how = if finished.exit.is_success() {
                "the process of `tsp-client` ended before the generation was complete, as where the emitter ends it"
            } else {
                "`tsp-client` failed"
            };
            diagnostics.push(Diagnostic {
                severity: Severity::Error,
                file: None,
                line: None,
                column: None,
                code: None,
                message: format!("{how} ({}): {words}", finished.exit),
                symbol: None,
                tool: "tsp-client".to_owned(),
            });
        }
        if diagnostics.iter().all(|one| !one.is_error() || one.file.is_none()) {
            let Regeneration { project, language, .. } = self.regeneration;
            // A file that cannot be read is no cause that is known.
            let configuration = configuration(&project.directory).unwrap_or_default();
            let missing = missing_options(&configuration, &self.tools.emitter.name, language.language());
            diagnostics.splice(..0, missing);
        }
        diagnostics
    }

    fn failed(&self, diagnostics: Vec<Diagnostic>, put_back: Vec<PutBack>, log: String) -> Regenerated {
        let (gone, carried) = Default::default();
        Regenerated { outcome: Outcome::Failed, diagnostics, gone, put_back, carried, log, wall: Duration::ZERO }
    }

    /// The copy holds a link to the tools, which is removed and not followed.
    fn remove_copy(&self) -> Result<(), TypespecError> {
        Ok(Tree::open(&self.regeneration.project.package)?.remove(COPY)?)
    }
}

/// Whether `tsp-client` said that the compiler and the emitter have returned. The emitter runs in its process: one that ends
/// the process in the middle decides the exit code, too.
fn is_complete(finished: &Finished) -> bool {
    finished.stdout.text.lines().any(|line| without_colours(line).trim_end().ends_with(COMPLETE))
}

/// Generated files with code in them that a person wrote, sorted: the emitter takes it over where it is told to update files.
///
/// # Errors
/// When the configuration or the package cannot be read.
pub(crate) fn shared_files(request: &Regeneration<'_>, emitter: &str) -> Result<Vec<String>, TypespecError> {
    let Regeneration { project, language, customizations, .. } = *request;
    match existing(&configuration(&project.directory)?, emitter) {
        Existing::Updated => Ok(language.shared_files(&project.package, customizations)?),
        Existing::Replaced => Ok(Vec::new()),
    }
}

/// What the options of an emitter say about files that it finds: `partial-update: true`, which the Java emitter knows.
fn existing(configuration: &Value, emitter: &str) -> Existing {
    let option = ["options", emitter, "partial-update"].iter().try_fold(configuration, |value, key| value.get(key));
    if option.and_then(Value::as_bool) == Some(true) { Existing::Updated } else { Existing::Replaced }
}

/// A file with code of people in it that is not generated any more. It is not removed, and not left beside its successor.
fn left_behind(path: &str) -> Diagnostic {
    let message = "this file is not generated any more, and it holds members that a person wrote (without `@Generated`): move them \
                   to the type that takes its place, or remove the file, and generate again";
    Diagnostic { file: Some(format!("sdk/{path}")), ..Diagnostic::without_place("generation", "left-behind", message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emitter_updates_files_only_where_its_own_options_say_so() {
        let says = |text: &str| existing(&serde_yaml_ng::from_str(text).unwrap(), "@azure-tools/typespec-java");
        let of_java = "options:\n  \"@azure-tools/typespec-java\":\n    partial-update: ";
        assert_eq!(says(&format!("{of_java}true\n")), Existing::Updated);
        for text in [
            &format!("{of_java}false\n"),
            &format!("{of_java}\"true\"\n"),
            "options:\n  \"@azure-tools/typespec-python\":\n    partial-update: true\n",
            "partial-update: true\n",
            "options: 3\n",
        ] {
            assert_eq!(says(text), Existing::Replaced, "{text}");
        }
    }
}
