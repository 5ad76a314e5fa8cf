//! What a step on its own comes to, and the toolchains that steps need.

use std::path::{Path, PathBuf};

use bailiwick_runs::{RootRecord, Run, Status};
use bailiwick_sdk::tasks::{Diagnostic, Language};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::language::{files_of, open_package, service_for};
use crate::plan::counted;
use crate::surface::Surface;
use crate::testing::RESTS_ON;
use crate::typespec::git_root;
use bailiwick_toolchains::{EmitterPackage, Toolchains};

use super::run_kind::RunKind;
use super::session::Session;
use super::validate::OF_GENERATION;
use super::{CustomizeError, Customizer, Prepared, Progress, prepare};

/// What one step came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// `generate`, `build`, `test`, `update changelog` and their like.
    pub step: String,
    /// Whether it passed.
    pub succeeded: bool,
    /// The run that can be reverted; a step that changed nothing leaves one that is closed.
    pub run_id: String,
    /// Files that differ from before, as `sdk/<path>`.
    pub modified_files: Vec<String>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// How many tests there were, where the runner says it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "TestCounts")]
    pub tests: Option<TestCounts>,
    /// How a regeneration changed the public surface of the package; left out where no name and no signature changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Surface")]
    pub public_surface: Option<Surface>,
    /// What no build sees and a person has to look at, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub look_at: Vec<String>,
    /// The directories that names of files begin with, for people.
    #[serde(skip)]
    pub(super) directories: Vec<(String, PathBuf)>,
}

/// What became of the tests of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestCounts {
    /// Those that passed.
    pub passed: u32,
    /// Those that failed, also before or after their own code.
    pub failed: u32,
    /// Those that were skipped.
    pub skipped: u32,
}

/// A line that says what `sdk/` and `spec/` are, where a text has a file of one: a repository may have a directory of that name.
pub(crate) fn what_names_begin_with(
    directories: &[(String, PathBuf)],
    texts: impl Iterator<Item = String>,
) -> Option<String> {
    let texts: Vec<String> = texts.collect();
    let begins = |text: &str, name: &str| {
        let mut found = text
            .match_indices(name)
            .filter(|(at, _)| text.get(at + name.len()..).is_some_and(|rest| rest.starts_with('/')));
        found.any(|(at, _)| {
            !text
                .get(..at)
                .is_some_and(|before| before.ends_with(|one: char| one.is_alphanumeric() || "/._-".contains(one)))
        })
    };
    let named = directories.iter().filter(|(name, _)| texts.iter().any(|text| begins(text, name)));
    let said: Vec<String> = named.map(|(name, path)| format!("`{name}/` is `{}`", path.display())).collect();
    (!said.is_empty()).then(|| format!("({})", said.join(", ")))
}

impl Step {
    /// A step that ended so, before its run is closed.
    pub(super) fn of(kind: RunKind, succeeded: bool, diagnostics: Vec<Diagnostic>, tests: Option<TestCounts>) -> Self {
        let (run_id, modified_files) = Default::default();
        let step = kind.name().to_owned();
        let (look_at, directories) = Default::default();
        Self { step, succeeded, run_id, modified_files, diagnostics, tests, public_surface: None, look_at, directories }
    }

    /// For people.
    #[must_use]
    pub fn format(&self) -> String {
        let mut lines = vec![format!("{}: {}", self.step, if self.succeeded { "passed" } else { "failed" })];
        for diagnostic in &self.diagnostics {
            let severity = if diagnostic.is_error() { "error" } else { "warning" };
            lines.push(within(&format!("  {}: {severity}: {}", diagnostic.place(), diagnostic.message)));
        }
        if let Some(TestCounts { passed, failed, skipped }) = self.tests {
            lines.push(format!("{passed} passed, {failed} failed, {skipped} skipped"));
        }
        if self.succeeded && self.step == "test" {
            lines.push(RESTS_ON.to_owned());
        }
        if let Some(surface) = &self.public_surface {
            let (title, changes) = surface.lines();
            lines.push(title);
            lines.extend(changes.iter().map(|change| within(&format!("  - {change}"))));
        }
        lines.extend(self.look_at.iter().map(|one| within(one)));
        let places = self.diagnostics.iter().map(Diagnostic::place);
        lines.extend(what_names_begin_with(&self.directories, places.chain(self.look_at.iter().cloned())));
        if !self.modified_files.is_empty() {
            lines.push(format!("{} changed in run {}", counted(self.modified_files.len(), "file"), self.run_id));
        }
        lines.join("\n")
    }
}

/// Text whose further lines stand behind its first. The name of a file may hold a line that looks like one of this program.
fn within(text: &str) -> String {
    text.replace('\n', "\n    ")
}

impl Customizer {
    /// What it installs, confined like its builds, and with this customizer's word on emitters.
    pub(super) fn toolchains(&self) -> Result<Toolchains, CustomizeError> {
        let toolchains = Toolchains::open(&self.cache, self.supervisor.clone(), self.isolation)?;
        Ok(toolchains.with_consent(self.consent.clone()))
    }

    pub(super) fn prepared(&self, package: &Path, project: Option<&Path>) -> Result<Prepared, CustomizeError> {
        prepare::generating(package, project)
    }
}

impl Session<'_> {
    /// Closes a run of one step: what failed is put back, what changed waits for a person.
    pub(super) fn step(self, step: Step) -> Result<Step, CustomizeError> {
        self.last(|session| close(session.run, &session.work, step, &session.customizer.progress))
    }
}

/// Closes a run of one step. `step` says how it ended; which run it was and what changed is added here.
pub(super) fn close(mut run: Run, work: &Path, step: Step, progress: &Progress) -> Result<Step, CustomizeError> {
    if !step.succeeded {
        put_back(&mut run, progress)?;
    }
    let changed = run.changed()?;
    let beside = run.is_only_looking() && !changed.is_empty();
    if beside {
        progress.say(
            "files of the package changed while this step worked: they stay as they are, and what stands there now was not \
             checked",
        );
    }
    let status = if changed.is_empty() || beside { Status::Unchanged } else { Status::Pending };
    let run_id = run.id().to_string();
    let modified_files = changed.iter().map(|file| format!("{}/{}", file.root, file.path)).collect();
    let directories = run.roots().iter().map(named).collect();
    let step = Step { run_id, modified_files, directories, ..step };
    let _ = std::fs::remove_dir_all(work);
    run.finish(status, &json!(step))?;
    Ok(step)
}

/// Puts everything back that a run covers, and says where what stood there is kept.
pub(super) fn put_back(run: &mut Run, progress: &Progress) -> Result<(), CustomizeError> {
    if let Some(aside) = run.restore()? {
        // One directory is named for all of it.
        let all = aside.parent().filter(|all| all.join(OF_GENERATION).exists()).unwrap_or(&aside);
        let roots: Vec<_> = run.roots().iter().map(named).collect();
        progress.say(&taken_back(&roots, &aside, all));
    }
    Ok(())
}

/// The name of a root, and its directory.
fn named(root: &RootRecord) -> (String, PathBuf) {
    (root.name.clone(), root.directory.clone())
}

/// Which files are as they were before the run, and where what stood in their place is kept.
fn taken_back(roots: &[(String, PathBuf)], aside: &Path, all: &Path) -> String {
    let kept = open_package(aside).and_then(|kept| files_of(&kept)).unwrap_or_default();
    let place = |file: &String| {
        let (root, path) = file.split_once('/')?;
        roots.iter().find(|(name, _)| name == root).map(|(_, directory)| directory.join(path))
    };
    let all = all.display();
    let Some(first) = kept.first() else { return format!("what the run had written is kept in `{all}`") };
    let place = place(first).unwrap_or_else(|| PathBuf::from(first));
    let (shown, more) = (place.display(), kept.len().saturating_sub(1));
    let are = match (more, place.exists()) {
        (0, true) => format!("`{shown}` is as it was before the run"),
        (0, false) => format!("`{shown}` is gone again, as before the run"),
        (more, _) => format!("`{shown}` and {} are as before the run", counted(more, "more file")),
    };
    format!("{are}; what stood there since is kept in `{all}`")
}

/// Where the emitter to install is named.
#[derive(Debug, Clone, Copy)]
pub enum EmitterOf<'a> {
    /// By the SDK repository of this package.
    Package(&'a Path),
    /// By this file, `eng/emitter-package.json` of an SDK repository.
    File(&'a Path),
}

impl EmitterOf<'_> {
    fn read(self) -> Result<(EmitterPackage, Language), CustomizeError> {
        let canonical = |path: &Path| path.canonicalize().map_err(CustomizeError::io(path, "read"));
        let emitter = match self {
            Self::Package(package) => EmitterPackage::read(&git_root(&canonical(package)?)?, None)?,
            Self::File(file) => EmitterPackage::read_file(&canonical(file)?)?,
        };
        let language = service_for(&emitter.emitter)?.language();
        Ok((emitter, language))
    }
}

/// Installs the locked toolchains, with an emitter if one is named and approved. Returns what is there now, a line each.
///
/// # Errors
/// A toolchain cannot be had, or the emitter package cannot be used or was not approved.
pub async fn install(
    toolchains: &Toolchains,
    emitter: Option<EmitterOf<'_>>,
    progress: &Progress,
) -> Result<Vec<String>, CustomizeError> {
    let named = emitter;
    let emitter = named.map(EmitterOf::read).transpose()?;
    if let Some((package, _)) = &emitter {
        toolchains.approved(package).await?;
    }
    let mut on_progress = progress.toolchain();
    let node = toolchains.node(&mut on_progress).await?;
    let tsp_client = toolchains.tsp_client(&node, &mut on_progress).await?;
    let python = toolchains.python(&mut on_progress).await?;
    let python = toolchains.with_seed(python, &mut on_progress).await;
    let mut installed = vec![
        format!("node        {}", node.root.display()),
        format!("tsp-client  {}", tsp_client.root.display()),
        format!("python      {}", python.root.display()),
    ];
    if let Some((package, language)) = emitter {
        let emitter = toolchains.emitter(&package, &node, &python, &mut on_progress).await?;
        installed.push(format!("emitter     {} {} in {}", emitter.name, emitter.version, emitter.root.display()));
        let named = match named {
            Some(EmitterOf::Package(package)) => Some(package),
            Some(EmitterOf::File(_)) | None => None,
        };
        match language {
            Language::Python => {}
            Language::Java => {
                let mut java = toolchains.java(&node, &emitter, &mut on_progress).await?;
                if let Some(package) = named {
                    java = toolchains.java_package(java, package, &mut on_progress).await?;
                }
                installed.push(format!("java        {} in {}", java.base.description, java.root.display()));
            }
            Language::Javascript => {
                let typescript = toolchains.typescript(&node, &mut on_progress).await?;
                installed.push(format!("typescript  {}", typescript.root.display()));
            }
            Language::Go => {
                // Which modules are needed, a package says.
                if let Some(package) = named {
                    let go = toolchains.go(package, &mut on_progress).await?;
                    installed.push(format!("go          {} with modules in {}", go.version, go.root.display()));
                }
            }
            Language::Dotnet => {
                let dotnet = toolchains.dotnet().await?;
                installed.push(format!("dotnet      {} in {}", dotnet.version, dotnet.root.display()));
            }
        }
    }
    Ok(installed)
}

/// Installs what makes components of Python and JavaScript. Returns what is there now, a line each.
///
/// # Errors
/// A builder cannot be had.
pub async fn install_tool_builders(
    toolchains: &Toolchains,
    progress: &Progress,
) -> Result<Vec<String>, CustomizeError> {
    let mut on_progress = progress.toolchain();
    let python = toolchains.componentize_py(&mut on_progress).await?;
    let node = toolchains.node(&mut on_progress).await?;
    let javascript = toolchains.componentize_js(&node, &mut on_progress).await?;
    Ok(vec![
        format!("python tools      {}", python.root.display()),
        format!("javascript tools  {}", javascript.root.display()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_says_which_file_is_as_before_and_where_the_other_text_is() {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let (aside, package) = (base.join("aside"), base.join("azure-w"));
        std::fs::create_dir_all(aside.join("sdk")).unwrap();
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(aside.join("sdk/tsp-location.yaml"), "new").unwrap();
        let roots = [("sdk".to_owned(), package.clone())];
        let said = || taken_back(&roots, &aside, &aside);
        let (file, kept) = (package.join("tsp-location.yaml"), aside.display());
        let behind = format!("what stood there since is kept in `{kept}`");
        assert_eq!(said(), format!("`{}` is gone again, as before the run; {behind}", file.display()));
        std::fs::write(&file, "old").unwrap();
        assert_eq!(said(), format!("`{}` is as it was before the run; {behind}", file.display()));
        std::fs::write(aside.join("sdk/a.py"), "").unwrap();
        let first = package.join("a.py");
        assert_eq!(said(), format!("`{}` and 1 more file are as before the run; {behind}", first.display()));
    }

    #[test]
    fn directory_that_a_name_begins_with_is_said_where_one_does() {
        let roots = [("sdk".to_owned(), PathBuf::from("/r/azure-w")), ("spec".to_owned(), PathBuf::from("/s/W"))];
        let said = |text: &str| what_names_begin_with(&roots, std::iter::once(text.to_owned()));
        assert_eq!(said("sdk/pyproject.toml:65").as_deref(), Some("(`sdk/` is `/r/azure-w`)"));
        let both = "`sdk/a.py` of `spec/main.tsp`";
        assert_eq!(said(both).as_deref(), Some("(`sdk/` is `/r/azure-w`, `spec/` is `/s/W`)"));
        for text in ["mypy", "/clone/sdk/widget/a.py", "azure-sdk/a", "sdk", "the sdk is old"] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
