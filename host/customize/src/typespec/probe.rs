//! Asks the real compiler what a project declares.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_base::files::plain;
use bailiwick_process::Finished;
use bailiwick_sdk::diagnostics::{PathMap, typespec};
use bailiwick_sdk::tasks::{Language, SpecIndex};

use super::copy::copy_tree;
use super::error::TypespecError;
use super::spec_project::SpecProject;
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
const DEADLINE: Duration = Duration::from_secs(120);

/// The index of the largest specification has some megabytes.
const LARGEST_ANSWER: u64 = 256 * 1024 * 1024;

/// What to ask about.
#[derive(Debug)]
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
    // The file may have come into being since the project was found.
    let has_client = layout.project.join("client.tsp").is_file();
    let entry = if has_client && !request.project.entry_is_named { "client.tsp" } else { &request.project.entry };
    // A pipe keeps only so much; a large specification has a large index.
    let output = layout.scratch.join("index.json");
    let arguments = [
        layout.script.as_os_str(),
        "--root".as_ref(),
        layout.project.as_os_str(),
        "--entry".as_ref(),
        entry.as_ref(),
        "--client".as_ref(),
        "client.tsp".as_ref(),
        "--language".as_ref(),
        request.language.scope_token().as_ref(),
        "--emitter".as_ref(),
        request.emitter.as_ref(),
        "--output".as_ref(),
        output.as_os_str(),
    ];
    let child = Child {
        program: &compiler.node.executable,
        arguments: arguments.iter().map(|&one| one.to_owned()).collect(),
        directory: &layout.project,
        path: Vec::new(),
        environment: Vec::new(),
        read: vec![compiler.node.root.clone(), compiler.emitter.root.clone(), layout.root.clone()],
        write: Vec::new(),
        scratch: &layout.scratch,
        deadline: DEADLINE,
    };
    let finished = children.run(child, &mut |_| {}).await?;
    layout.answer(&finished, &output, &request, compiler)
}

/// Where things lie in the work directory.
struct Layout {
    root: PathBuf,
    project: PathBuf,
    script: PathBuf,
    scratch: PathBuf,
}

impl Layout {
    fn make(request: &ProbeRequest<'_>, compiler: Compiler<'_>) -> Result<Self, TypespecError> {
        let work = request.work.canonicalize().map_err(TypespecError::io(request.work, "read"))?;
        let root = work.join("probe");
        match std::fs::remove_dir_all(&root) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(TypespecError::io(&root, "removed")(error));
            }
            _ => {}
        }
        std::fs::create_dir_all(&root).map_err(TypespecError::io(&root, "created"))?;
        let SpecProject { name, root: spec_root, directory, additional, .. } = request.project;
        // Side by side, as `tsp-client` lays them out: a project's imports count on it.
        let project = root.join(name);
        copy_tree(directory, &project, spec_root)?;
        for (name, additional) in additional {
            copy_tree(additional, &root.join(name), spec_root)?;
        }
        let write =
            |path: &Path, content: &str| std::fs::write(path, content).map_err(TypespecError::io(path, "written"));
        if let Some(client) = request.client {
            write(&project.join("client.tsp"), client)?;
        }
        // The compiler takes the nearest package.json for the project's.
        write(&root.join("package.json"), "{\"private\": true}\n")?;
        // No project directory begins with a dot.
        let scripts = root.join(".probe");
        std::fs::create_dir(&scripts).map_err(TypespecError::io(&scripts, "created"))?;
        for (name, text) in PROBE {
            write(&scripts.join(name), text)?;
        }
        let script = scripts.join(PROBE[0].0);
        let link = root.join("node_modules");
        std::os::unix::fs::symlink(&compiler.emitter.node_modules, &link)
            .map_err(TypespecError::io(&link, "created"))?;
        Ok(Self { project, script, scratch: work.join("probe-scratch"), root })
    }

    fn answer(
        &self,
        finished: &Finished,
        output: &Path,
        request: &ProbeRequest<'_>,
        compiler: Compiler<'_>,
    ) -> Result<SpecIndex, TypespecError> {
        let SpecProject { directory, sdk, .. } = request.project;
        let paths = PathMap::of_package(
            sdk.as_ref().map(|(package, _)| package.as_path()),
            directory,
            [(self.project.clone(), "spec")],
            compiler.emitter.root.parent().unwrap_or(&compiler.emitter.root),
        );
        if !finished.exit.is_success() {
            return Err(TypespecError::Probe {
                reason: typespec::last_words(&finished.stdout.text, &finished.stderr.text, &paths),
            });
        }
        // Code of the specification ran beside the compiler, and may have put anything there.
        let answer = plain::left_by_a_child(output, LARGEST_ANSWER).map_err(TypespecError::io(output, "read"))?;
        let mut index: SpecIndex = serde_json::from_slice(&answer)
            .map_err(|error| TypespecError::Probe { reason: format!("its answer cannot be read: {error}") })?;
        for diagnostic in &mut index.diagnostics {
            diagnostic.symbol = typespec::symbol(&diagnostic.message);
            diagnostic.message = paths.text(&diagnostic.message);
        }
        Ok(index)
    }
}
