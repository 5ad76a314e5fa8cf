//! The widget fixture with the real compiler, emitter, interpreter and type checker, everything confined.
//!
//! The helper that confines children is this very executable, so this file has its own `main` instead of the harness.
//! `BAILIWICK_CACHE_DIR` names the tool cache; without it the workspace's ignored one is used and filled.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test, though without the harness that says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bailiwick_customize::language::{BuildRequest, Built, LanguageService, Python, Verdict};
use bailiwick_customize::typespec::{
    ChangedBy, Outcome, ProbeRequest, Project, Regenerated, Regeneration, Residents, SpecLookup, Stay, probe,
    regenerate,
};
use bailiwick_process::{HELPER_ARGUMENT, Supervisor, confined_main};
use bailiwick_sdk::tasks::{Access, Diagnostic, INDEX_SCHEMA, Language, Severity, SpecIndex};
use bailiwick_toolchains::{
    BuildTools, Child, Children, Compiler, Isolation, Node, Staying, Toolchains, Tools, Unanswered,
};
use tempfile::TempDir;

/// A test with its name.
type Test = (&'static str, fn(&Bench));

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(HELPER_ARGUMENT) {
        return confined_main();
    }
    // `cargo test -- <part of a name>`; flags of the usual harness are ignored.
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let tests: &[Test] = &[
        ("fixture_is_clean_before_any_change", fixture_is_clean_before_any_change),
        ("hidden_operation_is_private_and_nothing_hand_written_changes", hidden_operation),
        ("renames_break_the_patch_files_that_use_the_names", renames),
        ("check_that_begins_with_a_seed_says_what_one_without_says", seeded_check),
        ("file_of_the_same_length_and_time_is_checked_again", file_of_the_same_length_and_time_is_checked_again),
        ("specification_that_does_not_compile_leaves_the_sources", specification_with_errors),
        ("index_of_a_replaced_client_file_is_that_files", replaced_client_file),
        ("index_of_two_hundred_operations_holds_each_with_its_parameters", two_hundred_operations),
        ("attempts_at_import_time_fail_the_build_even_when_swallowed", swallowed_attempts),
        ("reading_a_withheld_variable_is_a_warning_unless_it_fails", withheld_variable),
        ("import_that_ends_the_interpreter_is_no_success", ended_interpreter),
        ("script_of_a_specification_reaches_nothing_outside", script_of_a_specification),
        (
            "resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before",
            resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before,
        ),
        (
            "resident_compiler_serves_nothing_but_what_it_was_started_for",
            resident_compiler_serves_nothing_but_what_it_was_started_for,
        ),
        (
            "resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process",
            resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process,
        ),
        (
            "child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing",
            child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing,
        ),
    ];
    let bench = Bench::new();
    for (name, test) in tests.iter().filter(|(name, _)| name.contains(&filter)) {
        eprintln!("test {name} ...");
        test(&bench);
        eprintln!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

/// What all tests share: the tools, and the fixture with its code generated.
struct Bench {
    runtime: tokio::runtime::Runtime,
    tools: Tools,
    children: Children,
    generated: Clones,
}

impl Bench {
    fn new() -> Self {
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

    fn regenerate(&self, clones: &Clones) -> Regenerated {
        let project = clones.project();
        let regeneration = Regeneration { project: &project, language: &Python, work: &clones.work() };
        self.runtime.block_on(regenerate(regeneration, &self.tools, &self.children, &mut |_| {})).unwrap()
    }

    fn build(&self, clones: &Clones) -> Built {
        self.build_with(clones, &self.tools.build)
    }

    fn build_with(&self, clones: &Clones, tools: &BuildTools) -> Built {
        let (package, work) = (&clones.package(), &clones.work());
        let request = BuildRequest::plain(package, work);
        self.runtime.block_on(Python.build(request, tools, &self.children)).unwrap()
    }

    fn probe(&self, clones: &Clones, client: Option<&str>) -> SpecIndex {
        let whole = clones.project();
        let (project, emitter) = (whole.specification(), whole.emitter.emitter.as_str());
        let (language, work) = (Language::Python, clones.work());
        let request = ProbeRequest { project: &project, emitter, language, client, work: &work };
        self.runtime.block_on(probe(request, self.tools.compiler(), &self.children)).unwrap()
    }

    fn read(&self, residents: &Residents, clones: &Clones, client: Option<&str>, language: Language) -> String {
        self.read_with(residents, clones, client, language, self.tools.compiler())
    }

    fn read_with(
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
    fn clones(&self) -> Clones {
        let clones = Clones::empty();
        copy(self.generated.directory.path(), clones.directory.path());
        clones
    }
}

/// The two repositories and a work directory beside them.
struct Clones {
    directory: TempDir,
}

impl Clones {
    fn empty() -> Self {
        Self { directory: tempfile::Builder::new().prefix("widget-").tempdir().unwrap() }
    }

    fn lay_out() -> Self {
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

    fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(relative)
    }

    fn package(&self) -> PathBuf {
        self.path("azure-sdk-for-python/sdk/widget/azure-widget")
    }

    fn work(&self) -> PathBuf {
        let work = self.path("work");
        fs::create_dir_all(&work).unwrap();
        work
    }

    fn project(&self) -> Project {
        Project::discover(&self.package(), &SpecLookup::default()).unwrap()
    }

    fn append(&self, path: &Path, text: &str) {
        let before = fs::read_to_string(path).unwrap();
        fs::write(path, before + text).unwrap();
    }

    fn customize(&self, text: &str) {
        self.append(&self.project().client_file(), text);
    }

    fn patch(&self, text: &str) {
        self.append(&self.package().join("azure/widget/_patch.py"), text);
    }

    /// Every source file of the package with its content.
    fn sources(&self) -> Vec<(String, Vec<u8>)> {
        bailiwick_customize::language::package_files(&self.package())
            .unwrap()
            .into_iter()
            .map(|path| (path.clone(), fs::read(self.package().join(path)).unwrap()))
            .collect()
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn copy(from: &Path, to: &Path) {
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

fn codes(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().map(|one| one.code.as_deref().unwrap_or("")).collect()
}

fn fixture_is_clean_before_any_change(bench: &Bench) {
    let clones = bench.clones();
    let index = bench.probe(&clones, None);
    assert_eq!(index.diagnostics, []);
    assert_eq!(index.customizations.len(), 3);
    let named = |name: &str| index.entities.iter().filter(|entity| entity.name == name).count();
    assert_eq!(named("displayName"), 3);
    assert_eq!(named("getStatistics"), 2);

    let built = bench.build(&clones);
    assert_eq!(built.diagnostics, []);
    assert_eq!(built.verdict, Verdict::Passed);
    assert_eq!(
        Python.customization_files(&clones.package()).unwrap(),
        ["azure/widget/aio/operations/_patch.py", "azure/widget/models/_patch.py", "azure/widget/operations/_patch.py"]
    );
    // Neither left anything behind.
    assert_eq!(clones.sources(), bench.generated.sources());
}

fn hidden_operation(bench: &Bench) {
    let clones = bench.clones();
    // What a formatter would change, and what an earlier client left.
    let patch = clones.package().join("azure/widget/aio/_patch.py");
    clones.append(&patch, "x_by_hand   =   1\n");
    let by_hand = fs::read(&patch).unwrap();
    let header = fs::read(clones.package().join("azure/widget/_client.py")).unwrap();
    fs::write(clones.package().join("azure/widget/_old_client.py"), header).unwrap();

    clones.customize("@@access(Widgets.deleteWidget, Access.internal, \"python\");\n");
    let regenerated = bench.regenerate(&clones);
    assert_eq!(regenerated.outcome, Outcome::Succeeded, "{}", regenerated.log);
    assert_eq!(regenerated.gone, ["azure/widget/_old_client.py"]);
    let put_back: Vec<&str> = regenerated.put_back.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(put_back, ["azure/widget/aio/_patch.py"]);
    assert_eq!(regenerated.put_back[0].by, ChangedBy::Formatter);
    assert_eq!(fs::read(&patch).unwrap(), by_hand);
    assert!(!clones.package().join("TempTypeSpecFiles").exists());

    let operations = fs::read_to_string(clones.package().join("azure/widget/operations/_operations.py")).unwrap();
    assert!(operations.contains("def _delete_widget("));
    assert!(!operations.contains("def delete_widget("));
    assert_eq!(bench.build(&clones).verdict, Verdict::Passed);
}

fn renames(bench: &Bench) {
    let clones = bench.clones();
    clones.customize(
        "@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n@@clientName(Widget.displayName, \"title\", \"python\");\n",
    );
    assert_eq!(bench.regenerate(&clones).outcome, Outcome::Succeeded);
    let built = bench.build(&clones);
    assert_eq!(built.verdict, Verdict::Failed);
    for file in ["models", "operations", "aio/operations"] {
        for symbol in ["AnalyzeResult", "Widget.display_name"] {
            let file = format!("sdk/azure/widget/{file}/_patch.py");
            let told = built.diagnostics.iter().any(|one| {
                one.tool == "mypy"
                    && one.file.as_deref() == Some(file.as_str())
                    && one.symbol.as_deref() == Some(symbol)
                    && one.line.is_some()
            });
            assert!(told, "{symbol} in {file}: {:#?}", built.diagnostics);
        }
    }
    assert!(built.diagnostics.iter().any(|one| one.tool == "import"));
    assert!(!built.log.is_empty());
}

/// Byte for byte, whether the package builds or not.
fn seeded_check(bench: &Bench) {
    let mut cold = bench.tools.build.clone();
    cold.python.seed = None;
    for patch in [
        "",
        "from azure.core import PipelineClient\n\ndef f(client: PipelineClient) -> int:\n    return client.no_such\n",
        "from azure.core.rest import NoSuch\nimport datetime\nx: int = datetime.date.today()\n",
        "def f(:\n",
    ] {
        let clones = bench.clones();
        clones.patch(patch);
        let (seeded, cold) = (bench.build(&clones), bench.build_with(&clones, &cold));
        assert_eq!((seeded.verdict, &seeded.diagnostics), (cold.verdict, &cold.diagnostics), "{patch}");
        assert_eq!(seeded.log, cold.log, "{patch}");
        assert_eq!(seeded.verdict == Verdict::Passed, patch.is_empty(), "{:#?}", seeded.diagnostics);
    }
}

/// mypy would take it for the file that it has checked.
fn file_of_the_same_length_and_time_is_checked_again(bench: &Bench) {
    let clones = bench.clones();
    let path = clones.package().join("azure/widget/_patch.py");
    clones.patch("\n\ndef number() -> int:\n    return 11111\n");
    assert_eq!(bench.build(&clones).verdict, Verdict::Passed);
    let modified = path.metadata().unwrap().modified().unwrap();
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("11111", "\"abc\"")).unwrap();
    let times = fs::FileTimes::new().set_modified(modified);
    fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    let built = bench.build(&clones);
    assert_eq!(built.verdict, Verdict::Failed);
    assert!(built.diagnostics.iter().any(|one| one.tool == "mypy"), "{:#?}", built.diagnostics);
}

fn specification_with_errors(bench: &Bench) {
    let clones = bench.clones();
    clones.customize("@@clientName(NoSuch, \"x\", \"python\");\n");
    let regenerated = bench.regenerate(&clones);
    assert_eq!(regenerated.outcome, Outcome::Failed);
    assert_eq!(codes(&regenerated.diagnostics), ["invalid-ref"]);
    assert_eq!(regenerated.diagnostics[0].place(), "spec/client.tsp:13");
    assert_eq!(clones.sources(), bench.generated.sources());
}

fn replaced_client_file(bench: &Bench) {
    let clones = bench.clones();
    let text = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\nusing Azure.ClientGenerator.Core;\nusing Contoso.WidgetManager;\n@@access(Parts.deletePart, Access.internal, \"python\");\n@@clientName(Widget, \"Gadget\", \"java\");\n";
    let index = bench.probe(&clones, Some(text));
    let client = |reference: &str| {
        let entity = index.entities.iter().find(|entity| entity.reference == reference).unwrap();
        entity.client.clone().unwrap()
    };
    assert_eq!(client("Contoso.WidgetManager.Parts.deletePart").access, Access::Internal);
    assert_eq!(client("Contoso.WidgetManager.Widget").name, "Widget");
    // A hidden operation makes nothing public, and a type is used where a part of it is.
    let uses = |reference: &str| index.uses.get(reference).map(Vec::as_slice).unwrap_or_default().join(" ");
    assert!(!uses("Contoso.WidgetManager.Part").contains("deletePart"));
    for (used, by) in
        [("Widget", "Widgets.getWidget"), ("Manufacturer", "Widgets.getWidget"), ("WidgetStatus", "Widgets.getWidget")]
    {
        assert!(uses(&format!("Contoso.WidgetManager.{used}")).contains(by), "{used}: {:?}", index.uses);
    }
    assert_eq!(index.customizations.len(), 2);
    assert_eq!(index.customizations[0].scope.as_deref(), Some("python"));
    assert_eq!(index.customizations[0].line, 5);

    let index = bench.probe(&clones, Some(&format!("{text}@@access(Nothing, Access.internal, \"python\");\n")));
    assert_eq!(codes(&index.diagnostics), ["invalid-ref"]);
    assert!(!index.entities.is_empty());
}

/// Twenty groups of ten operations beside the fixture's own, one of them moved to the client itself.
fn two_hundred_operations(bench: &Bench) {
    let clones = bench.clones();
    let mut many = "import \"@typespec/http\";\nusing TypeSpec.Http;\nnamespace Contoso.WidgetManager;\n".to_owned();
    for group in 0..20 {
        many += &format!("@route(\"/many{group}\") interface Many{group} {{\n");
        for operation in 0..10 {
            many += &format!(
                "  @route(\"/{operation}/{{itemId}}\") @get read{group}x{operation}(@path itemId: string, @query top?: int32): Part;\n"
            );
        }
        many += "}\n";
    }
    let directory = clones.project().directory;
    fs::write(directory.join("many.tsp"), many).unwrap();
    let main = directory.join("main.tsp");
    let text = fs::read_to_string(&main).unwrap();
    fs::write(&main, format!("import \"./many.tsp\";\n{text}")).unwrap();
    let client = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\nusing Azure.ClientGenerator.Core;\n@@clientLocation(Contoso.WidgetManager.Many0.read0x0, Contoso.WidgetManager, \"python\");\n";
    let index = bench.probe(&clones, Some(client));
    assert_eq!(index.diagnostics.iter().filter(|one| one.is_error()).count(), 0, "{:?}", index.diagnostics);
    assert_eq!(index.schema, INDEX_SCHEMA);
    let groups: Vec<_> = index.clients.iter().filter(|one| one.name.starts_with("Many")).collect();
    assert_eq!(groups.len(), 20);
    assert!(groups.iter().all(|group| group.parent.as_deref() == Some("WidgetManagerClient")));
    let operations: Vec<_> = groups.iter().flat_map(|group| &group.operations).collect();
    assert_eq!(operations.len(), 199);
    for operation in operations {
        let parameters: Vec<_> = operation
            .parameters
            .iter()
            .map(|one| (one.declared.as_str(), one.place.as_str(), one.r#type.as_deref(), one.optional))
            .collect();
        assert_eq!(parameters, [("itemId", "path", Some("string"), false), ("top", "query", Some("int32"), true)]);
    }
    let root = &index.clients[0];
    assert_eq!((root.name.as_str(), root.parent.as_deref()), ("WidgetManagerClient", None));
    assert!(root.operations.iter().any(|one| one.source == "Contoso.WidgetManager.Many0.read0x0"));
}

fn swallowed_attempts(bench: &Bench) {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    let target_text = target.display();
    for (code, attempt) in [
        ("write", format!("open({:?}, 'w')", target)),
        ("write", "open(__file__, 'a')".to_owned()),
        ("write", format!("__import__('os').mkdir('{target_text}')")),
        ("write", format!("exec(\"open('{target_text}', 'w')\")")),
        ("connect", "__import__('socket').create_connection(('127.0.0.1', 9), 1)".to_owned()),
        ("connect", "__import__('requests').get('http://127.0.0.1:9/', timeout=1)".to_owned()),
        ("spawn", format!("__import__('subprocess').run(['/bin/sh', '-c', 'echo > {target_text}'])")),
        ("native", "__import__('ctypes').CDLL('libc.so.6')".to_owned()),
    ] {
        let clones = bench.clones();
        clones.patch(&format!("\ntry:\n    {attempt}\nexcept Exception:\n    pass\n"));
        let built = bench.build(&clones);
        assert_eq!(built.verdict, Verdict::Failed, "{attempt}");
        let told = built.diagnostics.iter().find(|one| one.tool == "confinement").unwrap();
        assert_eq!(told.code.as_deref(), Some(code), "{attempt}");
        assert_eq!(told.file.as_deref(), Some("sdk/azure/widget/_patch.py"), "{attempt}");
        assert!(!target.exists(), "{attempt}");
    }
}

fn withheld_variable(bench: &Bench) {
    // Cargo gives every test this one, and no child gets it.
    const NAME: &str = "CARGO_MANIFEST_DIR";
    for (code, verdict, severity) in [
        (format!("import os\nos.getenv('{NAME}')\n"), Verdict::Passed, Severity::Warning),
        (format!("import os\nos.environ['{NAME}']\n"), Verdict::Failed, Severity::Error),
    ] {
        let clones = bench.clones();
        clones.patch(&code);
        let built = bench.build(&clones);
        assert_eq!(built.verdict, verdict, "{:#?}", built.diagnostics);
        let told = built.diagnostics.iter().find(|one| one.tool == "confinement").unwrap();
        assert_eq!(told.severity, severity);
        assert_eq!(told.symbol.as_deref(), Some(NAME));
    }
}

fn ended_interpreter(bench: &Bench) {
    let clones = bench.clones();
    clones.patch("import os\nos._exit(0)\n");
    let built = bench.build(&clones);
    assert_eq!(built.verdict, Verdict::Failed);
    assert_eq!(codes(&built.diagnostics), ["incomplete"]);
}

fn script_of_a_specification(bench: &Bench) {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    let clones = bench.clones();
    let script = format!(
        "import {{ writeFileSync }} from 'node:fs';\ntry {{ writeFileSync({target:?}, 'x'); }} catch {{}}\nexport const namespace = 'X';\n"
    );
    fs::write(clones.project().directory.join("script.js"), script).unwrap();
    clones.customize("import \"./script.js\";\n");
    bench.probe(&clones, None);
    bench.regenerate(&clones);
    assert!(!target.exists());
}

/// The processes of compilers that stay, by their numbers.
fn resident_processes() -> Vec<i32> {
    let arguments = |pid: &i32| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let own = |pid: &i32| {
        let mut pid = *pid;
        while pid > 1 {
            let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
            let parent = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1).unwrap().parse().unwrap();
            if u32::try_from(parent).unwrap() == std::process::id() {
                return true;
            }
            pid = parent;
        }
        false
    };
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok())
        .filter(|pid| String::from_utf8_lossy(&arguments(pid)).contains("--requests\0"))
        .filter(own)
        .collect()
}

fn resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before(bench: &Bench) {
    let (cold, warm) = (Residents::new(Stay::Never), Residents::new(Stay::UntilEnded));
    let clones = bench.clones();
    let text = fs::read_to_string(clones.project().client_file()).unwrap();
    let broken = format!("{text}@@access(Nothing, Access.internal, \"python\");\n");
    let renamed = format!("{text}@@clientName(Manufacturer, \"Maker\", \"python\");\n");
    // Each text comes after every other one, and the first twice.
    let asked = [None, Some(&broken), Some(&renamed), None, Some(&renamed), Some(&broken), None];
    let answers = [None, Some(&broken), Some(&renamed)]
        .map(|client| (client, bench.read(&cold, &clones, client.map(String::as_str), Language::Python)));
    assert!(resident_processes().is_empty());
    assert!(answers[0].1 != answers[1].1 && answers[1].1 != answers[2].1 && answers[0].1 != answers[2].1);
    let mut processes = Vec::new();
    for client in asked {
        let answer = bench.read(&warm, &clones, client.map(String::as_str), Language::Python);
        let expected = &answers.iter().find(|(text, _)| *text == client).unwrap().1;
        assert_eq!(&answer, expected);
        processes.push(resident_processes());
    }
    assert_eq!(processes[0].len(), 1, "no compiler stayed");
    processes.dedup();
    assert_eq!(processes.len(), 1, "another process answered");

    // The project's own file counts as it is then.
    fs::write(clones.project().client_file(), &renamed).unwrap();
    assert_eq!(bench.read(&warm, &clones, None, Language::Python), answers[2].1);
    fs::remove_file(clones.project().client_file()).unwrap();
    let without = bench.read(&cold, &clones, None, Language::Python);
    assert_eq!(bench.read(&warm, &clones, None, Language::Python), without);
    assert_eq!(resident_processes(), processes[0], "another process answered");

    bench.runtime.block_on(warm.end());
    assert!(resident_processes().is_empty());
}

fn resident_compiler_serves_nothing_but_what_it_was_started_for(bench: &Bench) {
    let (cold, warm) = (Residents::new(Stay::Never), Residents::new(Stay::UntilEnded));
    let clones = bench.clones();
    let read = |residents: &Residents, language| bench.read(residents, &clones, None, language);
    read(&warm, Language::Python);
    let first = resident_processes();
    // Another language is another purpose.
    assert_eq!(read(&warm, Language::Java), read(&cold, Language::Java));
    assert_eq!(resident_processes().len(), 2);
    // So is another content of any file, and no more than two stay.
    clones.append(&clones.project().directory.join("main.tsp"), "\nmodel Added { id: string; }\n");
    let answer = read(&warm, Language::Python);
    assert!(answer.contains("\"Added\""), "the model that was added is not in the answer");
    assert_eq!(answer, read(&cold, Language::Python));
    let now = resident_processes();
    assert!(now.len() <= 3 && !now.is_empty() && now.iter().any(|pid| !first.contains(pid)), "{first:?} {now:?}");
    bench.runtime.block_on(warm.end());

    // A project's own code could remember, so none of it runs in a process that stays.
    let script = clones.project().directory.join("script.js");
    fs::write(script, "globalThis.asked = (globalThis.asked ?? 0) + 1;\nexport const namespace = 'X';\n").unwrap();
    clones.customize("import \"./script.js\";\n");
    for _ in 0..2 {
        assert_eq!(read(&warm, Language::Python), read(&cold, Language::Python));
        assert!(resident_processes().is_empty());
    }
}

fn resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process(bench: &Bench) {
    let (cold, warm) = (Residents::new(Stay::Never), Residents::new(Stay::UntilEnded));
    let clones = bench.clones();
    let expected = bench.read(&cold, &clones, None, Language::Python);
    assert_eq!(bench.read(&warm, &clones, None, Language::Python), expected);
    let [process] = resident_processes()[..] else { panic!("no compiler stayed") };
    let killed = std::process::Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(bench.read(&warm, &clones, None, Language::Python), expected);
    assert!(resident_processes().is_empty(), "a package is tried again");

    // A stand-in that leaves this in place of an answer, and is Node where nobody wants it to stay.
    let compiler = bench.tools.compiler();
    for answer in [
        "printf '{}' > \"$output\"",
        "yes '[' | head -c 1000000 > \"$output\"",
        "ln -s /etc/passwd \"$output\"",
        "mkfifo \"$output\"",
        "true",
        "exit 0",
    ] {
        let node = clones.work().join("node");
        let script = format!(
            "#!/bin/sh\nfor pipe; do :; done\ncase \"$*\" in *--requests*)\n  while read -r line; do\n    \
             output=$(printf %s \"$line\" | sed 's/.*\"output\":\"\\([^\"]*\\)\".*/\\1/')\n    {answer}\n    echo answered 1\n  \
             done < \"$pipe\";;\n*) exec {} \"$@\";;\nesac\n",
            compiler.node.executable.display()
        );
        fs::write(&node, script).unwrap();
        fs::set_permissions(&node, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let stand_in = Node { executable: node, root: PathBuf::from("/") };
        let compiler = Compiler { node: &stand_in, ..compiler };
        let warm = Residents::new(Stay::UntilEnded);
        let answered = bench.read_with(&warm, &clones, None, Language::Python, compiler);
        assert_eq!(answered, expected, "{answer}");
        bench.runtime.block_on(warm.end());
    }
}

fn child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing(bench: &Bench) {
    const SHORT: std::time::Duration = std::time::Duration::from_millis(500);
    const LONG: std::time::Duration = std::time::Duration::from_secs(60);
    let start = |script: &str| -> (Staying, PathBuf) {
        let directory = TempDir::new().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let (pipe, scratch) = (root.join("requests"), root.join("scratch"));
        let child = Child {
            program: Path::new("/bin/sh"),
            arguments: ["-c", script, "sh"].map(Into::into).into_iter().chain([pipe.clone().into()]).collect(),
            directory: &root,
            path: Vec::new(),
            environment: Vec::new(),
            read: vec![root.clone()],
            list: Vec::new(),
            write: Vec::new(),
            scratch: &scratch,
            deadline: LONG * 60,
        };
        let _runtime = bench.runtime.enter();
        (bench.children.stay(child, &pipe, directory).unwrap(), root)
    };
    let question = serde_json::json!({ "a": 1 });
    let loud = "yes answered 0 | head -n 100000; yes x | head -n 100000; exec < \"$1\"; read -r line; echo \"answered 1\"; echo \"$line\" > scratch/line; read -r line; echo answered 2; sleep 600";
    for (script, within, outcome) in [
        (loud, LONG, Ok(())),
        ("sleep 600", SHORT, Err(Unanswered::Late)),
        ("echo answered 2; sleep 600", SHORT, Err(Unanswered::Late)),
        ("exit 3", LONG, Err(Unanswered::Ended)),
        ("exec < \"$1\"; read -r line; exit 0", LONG, Err(Unanswered::Ended)),
    ] {
        let (staying, root) = start(script);
        let asked = bench.runtime.block_on(async {
            match staying.ask(&question, within).await {
                Ok(staying) => {
                    let staying = staying.ask(&question, within).await?;
                    assert_eq!(
                        fs::read_to_string(root.join("scratch/line")).unwrap(),
                        "{\"number\":1,\"request\":{\"a\":1}}\n"
                    );
                    staying.end().await;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        });
        assert_eq!(asked, outcome, "{script}");
        // What it was, and its directory, are gone soon after nobody holds it.
        let gone = (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            !root.exists()
        });
        assert!(gone, "{script}");
    }
}
