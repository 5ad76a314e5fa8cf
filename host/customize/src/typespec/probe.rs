//! Asks the real compiler what a project declares.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::files::plain;
use bailiwick_sdk::diagnostics::{PathMap, typespec};
use bailiwick_sdk::tasks::{Language, SpecIndex};

use super::copy::copy_tree;
use super::error::TypespecError;
use super::spec_project::{SpecProject, is_name};
use bailiwick_toolchains::{Child, Children, Compiler};

/// The program that asks the compiler, as Node runs it: the modules by file name, the one to start first.
pub const PROBE: [(&str, &str); 5] = [
    ("main.mjs", include_str!("probe/main.mjs")),
    ("clients.mjs", include_str!("probe/clients.mjs")),
    ("customizations.mjs", include_str!("probe/customizations.mjs")),
    ("entities.mjs", include_str!("probe/entities.mjs")),
    ("names.mjs", include_str!("probe/names.mjs")),
];

/// A compiler that takes longer than this hangs; the largest specifications take some ten seconds.
pub(super) const DEADLINE: Duration = Duration::from_secs(120);

/// The one file of a project whose text a request can replace.
pub(super) const CLIENT: &str = "client.tsp";

/// The index of the largest specification has some megabytes.
const LARGEST_ANSWER: u64 = 256 * 1024 * 1024;

/// What to ask about.
#[derive(Debug, Clone, Copy)]
pub struct ProbeRequest<'a> {
    /// The project.
    pub project: &'a SpecProject,
    /// The emitter whose options in `tspconfig.yaml` apply.
    pub emitter: &'a str,
    /// The language whose client names and accesses are wanted.
    pub language: Language,
    /// Text to take instead of the project's `client.tsp`, which need not exist then.
    pub client: Option<&'a str>,
    /// A directory outside both repositories for the copy that is compiled; `probe` below it is replaced.
    pub work: &'a Path,
}

/// The index of a project: entities, clients, the customizations in `client.tsp`, and what the compiler reported.
///
/// The project's files are copied, because a compiler finds its libraries through a `node_modules` above them and
/// nothing may be put into the repository for that.
///
/// # Errors
/// When the copy cannot be made or the compiler cannot be run. A project with errors has an index with diagnostics.
pub async fn probe(
    request: ProbeRequest<'_>,
    compiler: Compiler<'_>,
    children: &Children,
) -> Result<SpecIndex, TypespecError> {
    let layout = Layout::make(&request, compiler)?;
    // A pipe keeps only so much; a large specification has a large index.
    let output = layout.scratch.join("index.json");
    let entry = layout.entry(request.project);
    let arguments = ["--entry".as_ref(), entry.as_ref(), "--output".as_ref(), output.as_os_str()];
    let finished = children.run(layout.child(&request, compiler, &arguments, DEADLINE), &mut |_| {}).await?;
    if !finished.exit.is_success() {
        let paths = layout.paths(&request, compiler);
        return Err(TypespecError::Probe {
            reason: typespec::last_words(&finished.stdout.text, &finished.stderr.text, &paths),
        });
    }
    layout.index(&output, &request, compiler)
}

/// Where things lie in the work directory.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) root: PathBuf,
    pub(super) project: PathBuf,
    pub(super) scratch: PathBuf,
    /// The program that asks, and what else only it is to read.
    pub(super) scripts: PathBuf,
}

impl Layout {
    pub(super) fn make(request: &ProbeRequest<'_>, compiler: Compiler<'_>) -> Result<Self, TypespecError> {
        let work = request.work.canonicalize().map_err(TypespecError::io(request.work, "read"))?;
        let root = work.join("probe");
        match std::fs::remove_dir_all(&root) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(TypespecError::io(&root, "removed")(error));
            }
            _ => {}
        }
        std::fs::create_dir_all(&root).map_err(TypespecError::io(&root, "created"))?;
        let SpecProject { root: spec_root, directory, additional, .. } = request.project;
        if let Some((name, _)) = request.project.directories().find(|(name, _)| !is_name(name)) {
            return Err(TypespecError::Probe {
                reason: format!("a directory called `{name}` cannot lie beside the tools"),
            });
        }
        // Side by side, as `tsp-client` lays them out: a project's imports count on it.
        let project = root.join(&request.project.name);
        let copies = Self::copies_in(&root, request.project);
        let sources = std::iter::once(directory).chain(additional.iter().map(|(_, path)| path));
        for (from, to) in sources.zip(&copies) {
            copy_tree(from, to, spec_root)?;
        }
        let write =
            |path: &Path, content: &str| std::fs::write(path, content).map_err(TypespecError::io(path, "written"));
        if let Some(client) = request.client {
            write(&project.join(CLIENT), client)?;
        }
        // The compiler takes the nearest package.json for the project's.
        write(&root.join("package.json"), "{\"private\": true}\n")?;
        // No project directory begins with a dot.
        let scripts = root.join(".probe");
        std::fs::create_dir(&scripts).map_err(TypespecError::io(&scripts, "created"))?;
        for (name, text) in PROBE {
            write(&scripts.join(name), text)?;
        }
        let link = root.join("node_modules");
        std::os::unix::fs::symlink(&compiler.emitter.node_modules, &link)
            .map_err(TypespecError::io(&link, "created"))?;
        Ok(Self { project, scripts, scratch: work.join("probe-scratch"), root })
    }

    /// The copies of the project and of its additional directories.
    pub(super) fn copies(&self, project: &SpecProject) -> Vec<PathBuf> {
        Self::copies_in(&self.root, project)
    }

    fn copies_in(root: &Path, project: &SpecProject) -> Vec<PathBuf> {
        std::iter::once(&project.name)
            .chain(project.additional.iter().map(|(name, _)| name))
            .map(|name| root.join(name))
            .collect()
    }

    /// The file to start from. `client.tsp` may have come into being since the project was found.
    pub(super) fn entry<'a>(&self, project: &'a SpecProject) -> &'a str {
        let has_client = self.project.join(CLIENT).is_file();
        if has_client && !project.entry_is_named { CLIENT } else { &project.entry }
    }

    /// The program that asks the compiler, with `more` arguments.
    pub(super) fn child<'a>(
        &'a self,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'a>,
        more: &[&OsStr],
        deadline: Duration,
    ) -> Child<'a> {
        let script = self.scripts.join(PROBE[0].0);
        let arguments = [
            script.as_os_str(),
            "--root".as_ref(),
            self.project.as_os_str(),
            "--client".as_ref(),
            CLIENT.as_ref(),
            "--language".as_ref(),
            request.language.scope_token().as_ref(),
            "--emitter".as_ref(),
            request.emitter.as_ref(),
        ];
        Child {
            program: &compiler.node.executable,
            arguments: arguments.iter().chain(more).map(|&one| one.to_owned()).collect(),
            directory: &self.project,
            path: Vec::new(),
            environment: Vec::new(),
            read: vec![compiler.node.root.clone(), compiler.emitter.root.clone(), self.root.clone()],
            list: Vec::new(),
            write: Vec::new(),
            scratch: &self.scratch,
            deadline,
        }
    }

    fn paths(&self, request: &ProbeRequest<'_>, compiler: Compiler<'_>) -> PathMap {
        PathMap::of_package(
            request.project.sdk.as_ref().map(|(package, _)| package.as_path()),
            &request.project.directory,
            [(self.project.clone(), "spec")],
            compiler.emitter.root.parent().unwrap_or(&compiler.emitter.root),
        )
    }

    /// The index that the program left in `output`.
    pub(super) fn index(
        &self,
        output: &Path,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
    ) -> Result<SpecIndex, TypespecError> {
        // Code of the specification ran beside the compiler, and may have put anything there.
        let answer = plain::left_by_a_child(output, LARGEST_ANSWER).map_err(TypespecError::io(output, "read"))?;
        let mut index: SpecIndex = serde_json::from_slice(&answer)
            .map_err(|error| TypespecError::Probe { reason: format!("its answer cannot be read: {error}") })?;
        let paths = self.paths(request, compiler);
        for diagnostic in &mut index.diagnostics {
            diagnostic.symbol = typespec::symbol(&diagnostic.message);
            diagnostic.message = paths.text(&diagnostic.message);
        }
        Ok(index)
    }
}
