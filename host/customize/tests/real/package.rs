//! Regenerations, builds and views of the fixture.

use std::fs;

use bailiwick_customize::gate;
use bailiwick_customize::language::{LanguageService as _, Python, Verdict};
use bailiwick_customize::typespec::{ChangedBy, Outcome};
use bailiwick_sdk::tasks::{Access, Diagnostic, Entity, INDEX_SCHEMA, NamelessForm, Reach, Severity};

use crate::bench::Bench;
use crate::moved::verdict;

fn codes(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().map(|one| one.code.as_deref().unwrap_or("")).collect()
}

pub(crate) fn fixture_is_clean_before_any_change(bench: &Bench) {
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

pub(crate) fn types_of_libraries(bench: &Bench) {
    let clones = bench.clones();
    let old = fs::read_to_string(clones.project().directory.join("client.tsp")).unwrap();
    let before = bench.probe(&clones, None);
    let library = |one: &&Entity| one.file.contains("node_modules/");
    let types: Vec<&Entity> = before.entities.iter().filter(library).collect();
    assert!(!types.is_empty());
    // Members of libraries would be one more meaning of `name` and `id` in each request.
    assert!(types.iter().all(|one| one.client.is_some() && one.kind.is_type()), "{types:#?}");
    let target = &types[0].reference;
    let new = format!("{old}\n@@clientName({target}, \"RenamedByTheProject\", \"python\");\n");
    let after = bench.probe(&clones, Some(&new));
    let renamed = after.entities.iter().find(|one| one.reference == *target).and_then(|one| one.client.clone());
    assert_eq!(renamed.map(|client| client.name).as_deref(), Some("RenamedByTheProject"));
    let said = verdict(&old, &new, &before, &after);
    assert!(matches!(said, gate::Verdict::Lands(_)), "{said:?}");
}

pub(crate) fn hidden_operation(bench: &Bench) {
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

pub(crate) fn renames(bench: &Bench) {
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
pub(crate) fn seeded_check(bench: &Bench) {
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
pub(crate) fn file_of_the_same_length_and_time_is_checked_again(bench: &Bench) {
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

pub(crate) fn specification_with_errors(bench: &Bench) {
    let clones = bench.clones();
    clones.customize("@@clientName(NoSuch, \"x\", \"python\");\n");
    let regenerated = bench.regenerate(&clones);
    assert_eq!(regenerated.outcome, Outcome::Failed);
    assert_eq!(codes(&regenerated.diagnostics), ["invalid-ref"]);
    assert_eq!(regenerated.diagnostics[0].place(), "spec/client.tsp:13");
    assert_eq!(clones.sources(), bench.generated.sources());
}

pub(crate) fn replaced_client_file(bench: &Bench) {
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
pub(crate) fn two_hundred_operations(bench: &Bench) {
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
    many += "@discriminator(\"sort\") model Thing { id: string; }\nmodel Pump extends Thing { sort: \"pump\"; }\n\
        union Grade { string, \"gold\", silver: \"silver\" }\n\
        enum Tone { low, high }\nmodel Entry { tones: Tone[]; status?: WidgetStatus; }\n";
    let directory = clones.project().directory;
    fs::write(directory.join("many.tsp"), many).unwrap();
    let main = directory.join("main.tsp");
    let text = fs::read_to_string(&main).unwrap();
    fs::write(&main, format!("import \"./many.tsp\";\n{text}")).unwrap();
    let client = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\nusing Azure.ClientGenerator.Core;\n@@clientLocation(Contoso.WidgetManager.Many0.read0x0, Contoso.WidgetManager, \"python\");\n@@usage(Contoso.WidgetManager.Entry, Usage.input);\n@@access(Contoso.WidgetManager.Entry, Access.public);\n@@access(Contoso.WidgetManager.Tone, Access.internal);\n";
    let index = bench.probe(&clones, Some(client));
    assert_eq!(index.diagnostics.iter().filter(|one| one.is_error()).count(), 0, "{:?}", index.diagnostics);
    assert_eq!(index.schema, INDEX_SCHEMA);
    assert_eq!(index.bases["Contoso.WidgetManager.Pump"], "Contoso.WidgetManager.Thing");
    // A public model makes the types of its properties public; what operations use is said of them.
    let tone = index.entities.iter().find(|one| one.name == "Tone").and_then(|one| one.client.as_ref()).unwrap();
    assert_eq!(tone.access, Access::Public);
    assert_eq!(index.held["Contoso.WidgetManager.Tone"], ["Contoso.WidgetManager.Entry.tones"]);
    assert!(!index.held.contains_key("Contoso.WidgetManager.WidgetStatus"), "{:?}", index.held);
    let nameless: Vec<_> =
        index.nameless.iter().map(|one| (one.holder.as_str(), one.name.as_str(), one.form)).collect();
    for expected in [
        ("Contoso.WidgetManager.Thing", "sort", NamelessForm::Discriminator),
        ("Contoso.WidgetManager.Grade", "gold", NamelessForm::Variant),
    ] {
        assert!(nameless.contains(&expected), "{expected:?} in {nameless:?}");
    }
    assert!(!nameless.iter().any(|(_, name, _)| *name == "silver"), "{nameless:?}");
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

/// Operations that are instances of templates, beside a plain one.
const TEMPLATES: &str = r#"import "@azure-tools/typespec-azure-core";
using TypeSpec.Http;
using TypeSpec.Rest;
using Azure.Core;
namespace Contoso.WidgetManager;
model Scoping { @query region: string; }
alias Paging = { @query lot?: int32; };
alias Sorting = Paging & { @query sort?: string; };
alias Marked<T> = { @query mark?: T; };
@resource("shelves") model Shelf { @key @visibility(Lifecycle.Read) shelfName: string; }
@resource("crates") @parentResource(Shelf) model Crate { @key("crateName") name: string; }
@route("/shelves") interface Shelves {
  @route("/scan") scanShelf is RpcOperation<{...Scoping; ...Sorting; ...Marked<string>; @query path: string}, Part>;
  @route("/sweep") sweepShelf is RpcOperation<Scoping & Paging, Part, Traits.SupportsClientRequestId>;
  @route("/plain") @get readShelf(...Scoping): Part;
}
interface Crates {
  @action("fill") fillCrate is StandardResourceOperations.ResourceAction<Crate, {}, Part>;
  listCrates is StandardResourceOperations.ResourceList<Crate>;
}
"#;

pub(crate) fn templates(bench: &Bench) {
    let clones = bench.clones();
    let directory = clones.project().directory;
    fs::write(directory.join("shelves.tsp"), TEMPLATES).unwrap();
    let main = directory.join("main.tsp");
    let text = fs::read_to_string(&main).unwrap();
    fs::write(&main, format!("import \"./shelves.tsp\";\n{text}")).unwrap();
    let client = "import \"./main.tsp\";\nimport \"@azure-tools/typespec-client-generator-core\";\nusing Azure.ClientGenerator.Core;\n";
    let index = bench.probe(&clones, Some(client));
    assert_eq!(codes(&index.diagnostics), <[&str; 0]>::default());
    let known = |name: &str| {
        let reference = format!("Contoso.WidgetManager.{name}");
        index.entities.iter().find(|one| one.reference == reference).unwrap()
    };
    let property = |name: &str| Reach::Property(format!("Contoso.WidgetManager.{name}"));
    for (parameter, reach) in [
        ("Shelves.scanShelf::parameters.region", property("Scoping.region")),
        ("Shelves.sweepShelf::parameters.region", property("Scoping.region")),
        ("Shelves.scanShelf::parameters.lot", property("Paging.lot")),
        ("Shelves.sweepShelf::parameters.lot", property("Paging.lot")),
        ("Shelves.scanShelf::parameters.sort", property("Sorting.sort")),
        // No reference names what an alias with parameters declares.
        ("Shelves.scanShelf::parameters.mark", Reach::Declaration),
        ("Shelves.scanShelf::parameters.path", Reach::Declaration),
        ("Shelves.sweepShelf::parameters.clientRequestId", Reach::Template),
        ("Shelves.readShelf::parameters.region", Reach::Reference),
        ("Crates.fillCrate::parameters.shelfName", property("Shelf.shelfName")),
        ("Crates.listCrates::parameters.shelfName", property("Shelf.shelfName")),
        ("Crates.fillCrate::parameters.crateName", property("Crate.name")),
    ] {
        assert_eq!(known(parameter).reach, reach, "{parameter}");
    }
    let path = known("Shelves.scanShelf::parameters.path");
    assert_eq!((path.file.as_str(), path.line), ("spec/shelves.tsp", 13));
    let region = "Contoso.WidgetManager.Scoping.region".to_owned();
    assert_eq!(known("Shelves.readShelf::parameters.region").spread_from, [region]);

    // The compiler knows nothing by the operation, and the property changes them all.
    let told = |decorator: &str| bench.probe(&clones, Some(&format!("{client}{decorator}\n")));
    let refused = told("@@clientName(Contoso.WidgetManager.Shelves.scanShelf::parameters.path, \"file\", \"python\");");
    assert_eq!(codes(&refused.diagnostics), ["invalid-ref"]);
    for (name, count) in
        [("Scoping.region", 3), ("Paging.lot", 2), ("Sorting.sort", 1), ("Shelf.shelfName", 2), ("Crate.name", 1)]
    {
        let full = format!("Contoso.WidgetManager.{name}");
        let renamed = told(&format!("@@clientName({full}, \"area\", \"python\");"));
        assert_eq!(codes(&renamed.diagnostics), <[&str; 0]>::default());
        assert_eq!(renamed.customizations[0].target, full);
        let names: Vec<_> = renamed.spread_from(&full).map(|one| one.client.as_ref().unwrap().name.as_str()).collect();
        assert_eq!(names, vec!["area"; count], "{name}");
        let changed: Vec<_> = index.entities.iter().zip(&renamed.entities).filter(|(old, new)| old != new).collect();
        let also = usize::from(index.shows_property(&full));
        assert_eq!(changed.len(), count + also, "{changed:?}");
    }
}

pub(crate) fn swallowed_attempts(bench: &Bench) {
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

pub(crate) fn withheld_variable(bench: &Bench) {
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

pub(crate) fn ended_interpreter(bench: &Bench) {
    let clones = bench.clones();
    clones.patch("import os\nos._exit(0)\n");
    let built = bench.build(&clones);
    assert_eq!(built.verdict, Verdict::Failed);
    assert_eq!(codes(&built.diagnostics), ["incomplete"]);
}

pub(crate) fn script_of_a_specification(bench: &Bench) {
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
