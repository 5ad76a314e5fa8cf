//! What all tests share: the tools, the fixture with its code generated, and copies of it.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_customize::language::{BuildRequest, Built, LanguageService, Python};
use bailiwick_customize::typespec::{
    Outcome, ProbeRequest, Project, Regenerated, Regeneration, Residents, SpecLookup, probe, regenerate,
};
use bailiwick_process::Supervisor;
use bailiwick_sdk::tasks::{Language, SpecIndex};
use bailiwick_toolchains::{BuildTools, Children, Compiler, Isolation, Toolchains, Tools};
use tempfile::TempDir;

/// What all tests share: the tools, and the fixture with its code generated.
pub(crate) struct Bench {
    pub(crate) runtime: tokio::runtime::Runtime,
    pub(crate) tools: Tools,
    pub(crate) children: Children,
    pub(crate) generated: Clones,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let supervisor = Supervisor::new(std::env::current_exe().unwrap());
        let cache =
            std::env::var_os("BAILIWICK_CACHE_DIR").map_or_else(|| workspace().join(".bailiwick-cache"), PathBuf::from);
        let generated = Clones::lay_out();
        let toolchains = Toolchains::open(&cache, supervisor.clone(), Isolation::Enforced).unwrap();
        let emitter = generated.project().emitter;
        let mut tools =
            runtime.block_on(toolchains.generating(&emitter, &mut |progress| eprintln!("{progress:?}"))).unwrap();
        let python = tools.build.python.clone();
        tools.build.python = runtime.block_on(toolchains.with_seed(python, &mut |progress| eprintln!("{progress:?}")));
        assert!(tools.build.python.seed.is_some());
        let bench = Self { runtime, tools, children: Children::new(supervisor, Isolation::Enforced), generated };
        let regenerated = bench.regenerate(&bench.generated);
        assert_eq!(regenerated.outcome, Outcome::Succeeded, "{}", regenerated.log);
        assert_eq!(regenerated.diagnostics, []);
        bench
    }

    pub(crate) fn regenerate(&self, clones: &Clones) -> Regenerated {
        let project = clones.project();
        let regeneration =
            Regeneration { project: &project, language: &Python, work: &clones.work(), customizations: &[] };
        self.runtime.block_on(regenerate(regeneration, &self.tools, &self.children, &mut |_| {})).unwrap()
    }

    pub(crate) fn build(&self, clones: &Clones) -> Built {
        self.build_with(clones, &self.tools.build)
    }

    pub(crate) fn build_with(&self, clones: &Clones, tools: &BuildTools) -> Built {
        let (package, work) = (&clones.package(), &clones.work());
        let request = BuildRequest::plain(package, work);
        self.runtime.block_on(Python.build(request, tools, &self.children)).unwrap()
    }

    pub(crate) fn probe(&self, clones: &Clones, client: Option<&str>) -> SpecIndex {
        self.probe_for(Language::Python, clones, client)
    }

    pub(crate) fn probe_for(&self, language: Language, clones: &Clones, client: Option<&str>) -> SpecIndex {
        let whole = clones.project();
        let (project, emitter) = (whole.specification(), whole.emitter.emitter.as_str());
        let work = clones.work();
        let request = ProbeRequest { project: &project, emitter, language, client, work: &work };
        self.runtime.block_on(probe(request, self.tools.compiler(), &self.children)).unwrap()
    }

    pub(crate) fn read(
        &self,
        residents: &Residents,
        clones: &Clones,
        client: Option<&str>,
        language: Language,
    ) -> String {
        self.read_with(residents, clones, client, language, self.tools.compiler())
    }

    pub(crate) fn read_with(
        &self,
        residents: &Residents,
        clones: &Clones,
        client: Option<&str>,
        language: Language,
        compiler: Compiler<'_>,
    ) -> String {
        let whole = clones.project();
        let (project, emitter) = (whole.specification(), whole.emitter.emitter.as_str());
        let request = ProbeRequest { project: &project, emitter, language, client, work: &clones.work() };
        let index = self.runtime.block_on(residents.read(request, compiler, &self.children)).unwrap();
        serde_json::to_string(&index).unwrap()
    }

    /// The fixture with its generated code, to be changed.
    pub(crate) fn clones(&self) -> Clones {
        let clones = Clones::empty();
        copy(self.generated.directory.path(), clones.directory.path());
        clones
    }
}

/// The two repositories and a work directory beside them.
pub(crate) struct Clones {
    pub(crate) directory: TempDir,
}

impl Clones {
    pub(crate) fn empty() -> Self {
        Self { directory: tempfile::Builder::new().prefix("widget-").tempdir().unwrap() }
    }

    pub(crate) fn lay_out() -> Self {
        let clones = Self::empty();
        copy(&workspace().join("tests/fixtures/widget"), clones.directory.path());
        for repository in ["azure-rest-api-specs", "azure-sdk-for-python"] {
            let status = std::process::Command::new("git")
                .args(["init", "--quiet"])
                .current_dir(clones.path(repository))
                .status()
                .unwrap();
            assert!(status.success());
        }
        clones
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(relative)
    }

    pub(crate) fn package(&self) -> PathBuf {
        self.path("azure-sdk-for-python/sdk/widget/azure-widget")
    }

    pub(crate) fn work(&self) -> PathBuf {
        let work = self.path("work");
        fs::create_dir_all(&work).unwrap();
        work
    }

    pub(crate) fn project(&self) -> Project {
        Project::discover(&self.package(), &SpecLookup::default()).unwrap()
    }

    pub(crate) fn append(&self, path: &Path, text: &str) {
        let before = fs::read_to_string(path).unwrap();
        fs::write(path, before + text).unwrap();
    }

    pub(crate) fn customize(&self, text: &str) {
        self.append(&self.project().client_file(), text);
    }

    pub(crate) fn patch(&self, text: &str) {
        self.append(&self.package().join("azure/widget/_patch.py"), text);
    }

    /// Every source file of the package with its content.
    pub(crate) fn sources(&self) -> Vec<(String, Vec<u8>)> {
        bailiwick_customize::language::package_files(&self.package())
            .unwrap()
            .into_iter()
            .map(|path| (path.clone(), fs::read(self.package().join(path)).unwrap()))
            .collect()
    }
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
