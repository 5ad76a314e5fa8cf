//! A build that leaves code of the package out is no success: files beside the code decide what a build takes for the package.

use std::fs::DirEntry;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use bailiwick_tests::{Sdk, World, cache, has_dotnet, node};
use serde_json::Value;

fn build(world: &World, code: i32) -> Value {
    world.package_command("build", &[]).exits(code).json()
}

fn write(world: &World, path: &str, text: &str) {
    let path = world.package().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The build fails, and an error names this file.
#[track_caller]
fn refused(world: &World, file: &str) {
    let answer = build(world, 1);
    let named = |one: &Value| one["severity"] == "error" && one["file"] == format!("sdk/{file}");
    assert!(answer["diagnostics"].as_array().unwrap().iter().any(named), "{answer:#}");
}

#[test]
fn python_package_is_looked_at_without_its_init_file_behind_stubs_and_in_sub_packages_of_any_name() {
    let world = World::of(Sdk::Python);
    let patch = "azure/widget/operations/_patch.py";
    let honest = world.read(patch);
    std::fs::remove_file(world.package().join("azure/__init__.py")).unwrap();
    write(&world, "perf_tests/__init__.py", "");
    assert_eq!(build(&world, 0)["succeeded"], true);

    let gone = honest.replace("part.stock_count", "part.stock_total");
    assert_ne!(gone, honest);
    write(&world, patch, &gone);
    refused(&world, patch);
    write(&world, "azure/widget/operations/_patch.pyi", "__all__: list[str]\ndef patch_sdk() -> None: ...\n");
    refused(&world, patch);
    write(&world, patch, &honest);
    std::fs::remove_file(world.package().join("azure/widget/operations/_patch.pyi")).unwrap();

    write(&world, "azure/widget/build/__init__.py", "1 / 0\n");
    refused(&world, "azure/widget/build/__init__.py");
}

#[test]
fn javascript_package_is_checked_whatever_its_configuration_leaves_out() {
    let world = World::of(Sdk::Javascript);
    let code = "src/summary.ts";
    write(&world, code, &(world.read(code) + "export const defect: number = \"none\";\n"));
    let configuration = world.read("tsconfig.src.json");
    write(&world, "tsconfig.src.json", &configuration.replace("\"composite\"", "\"noCheck\": true, \"composite\""));
    refused(&world, code);
}

/// A JavaScript package whose dependencies a person installed: its own script builds it.
fn installed() -> World {
    let world = World::of(Sdk::Javascript);
    let entries = |directory: &Path| directory.read_dir().unwrap().map(|one| one.unwrap()).collect::<Vec<_>>();
    let is_set = |one: &DirEntry| one.file_name().to_str().is_some_and(|name| name.starts_with("typescript-"));
    let set = entries(&cache()).into_iter().find(is_set).unwrap().path();
    let modules = world.package().join("node_modules");
    std::fs::create_dir(&modules).unwrap();
    for one in entries(&set.join("node_modules")) {
        symlink(one.path(), modules.join(one.file_name())).unwrap();
    }
    world
}

/// A run over the package as it stands ends in failure, and `word` is said.
#[track_caller]
fn run_fails(world: &World, word: &str) {
    let answer = world.customize("hide operation deletePart from the JavaScript SDK").exits(1);
    assert_ne!(answer.json()["outcome"], "success", "{}", answer.stdout);
    assert!(answer.stdout.contains(word), "`{word}` is not said: {}\n{}", answer.stdout, answer.stderr);
}

const DEFECT: &str = "export const defect: number = \"no number\";\n";

#[test]
fn javascript_script_of_the_commit_decides_nothing_alone_for_an_emitter_may_write_what_it_calls_and_reads() {
    let world = installed();
    let (manifest, configuration, code) = ("package.json", "tsconfig.src.json", "src/summary.ts");
    let [honest, of_sources, summary] = [manifest, configuration, code].map(|file| world.read(file));
    let nested = |compile: &str| {
        let text = honest.replace("tsc -p tsconfig.src.json", &format!("npm run compile\", \"compile\": \"{compile}"));
        assert_ne!(text, honest);
        write(&world, manifest, &text);
    };
    nested("tsc -p tsconfig.src.json");
    world.commit();
    let answer = world.customize("hide operation deletePart from the JavaScript SDK").exits(0).json();
    assert_eq!(answer["outcome"], "success", "{answer:#}");
    let _ = world.bailiwick(&["run", "revert", answer["runId"].as_str().unwrap()]).exits(0);

    // As an emitter could leave them.
    write(&world, code, &(summary + DEFECT));
    nested("true");
    run_fails(&world, "TS2322");
    for file in [configuration, "tsconfig.json"] {
        std::fs::remove_file(world.package().join(file)).unwrap();
    }
    run_fails(&world, "`tsc` compiled nothing of `src`");
    nested("tsc -p tsconfig.src.json");
    write(&world, configuration, &of_sources.replace("\"include\"", "\"exclude\": [\"src/summary.ts\"], \"include\""));
    run_fails(&world, "left this file out");
}

#[test]
fn javascript_source_that_the_configuration_of_the_commit_has_compiled_is_not_left_out_by_another_one() {
    let world = World::of(Sdk::Javascript);
    // The emitter writes all of `src/`, where nothing is a customization.
    std::fs::remove_dir_all(world.package().join("generated")).unwrap();
    let (configuration, code) = ("tsconfig.src.json", "src/lengths.ts");
    let whole = world.read(configuration);
    let without = |order: &str| format!("{{ \"exclude\": [\"{code}\"], {order}{}", whole.trim_start_matches('{'));
    write(&world, code, "export const none = 0;\n");
    world.commit();
    // As an emitter could leave them.
    write(&world, code, DEFECT);
    write(&world, configuration, &without(""));
    run_fails(&world, "left this file out");

    // A person's word, which the emitter only wrote in other words.
    world.commit();
    write(&world, configuration, &without("\"compileOnSave\": false, "));
    let answer = world.customize("hide operation deletePart from the JavaScript SDK").exits(0).json();
    assert_eq!(answer["outcome"], "success", "{answer:#}");
}

/// What `tsc` leaves of a package with an error for the next time, without that error.
#[test]
fn javascript_package_is_checked_whatever_an_earlier_check_is_said_to_have_found() {
    let world = installed();
    let (package, code, left) = (world.package(), "src/summary.ts", "tsconfig.src.tsbuildinfo");
    write(&world, code, &(world.read(code) + DEFECT));
    let compiler = "node_modules/typescript/bin/tsc";
    let arguments = [compiler, "-p", "tsconfig.src.json", "--noEmit", "--noCheck", "false"];
    let found = Command::new(node()).args(arguments).current_dir(&package).output().unwrap();
    assert!(!found.status.success());
    let mut said: Value = serde_json::from_str(&world.read(left)).unwrap();
    assert!(said.as_object_mut().unwrap().remove("semanticDiagnosticsPerFile").is_some(), "{said:#}");
    // As the compiler of a build finds its libraries.
    let libraries = std::fs::canonicalize(package.join("node_modules/typescript")).unwrap();
    let libraries = libraries.parent().unwrap().to_str().unwrap();
    for list in ["fileNames", "packageJsons"] {
        for name in said[list].as_array_mut().unwrap() {
            if let Some((_, library)) = name.as_str().unwrap().split_once("/node_modules/") {
                *name = format!("{libraries}/{library}").into();
            }
        }
    }
    write(&world, left, &said.to_string());
    std::fs::remove_dir_all(package.join("node_modules")).unwrap();
    refused(&world, code);
}

#[test]
fn go_file_that_is_in_no_package_of_the_module_is_not_a_success() {
    let world = World::of(Sdk::Go);
    write(&world, "extras/extras.go", "package extras\n\n// Sizes is how many there are.\nconst Sizes = 3\n");
    assert_eq!(build(&world, 0)["succeeded"], true);
    std::fs::rename(world.package().join("extras"), world.package().join("_extras")).unwrap();
    assert_eq!(build(&world, 0)["succeeded"], true, "a person's word");
    let models = world.package().read_dir().unwrap().map(|one| one.unwrap().file_name().into_string().unwrap());
    let generated = models.into_iter().find(|name| name.starts_with("zz_")).unwrap();
    let text = world.read(&generated);
    write(&world, "_more/zz_more.go", &text);
    refused(&world, "_more/zz_more.go");
}

#[test]
fn java_source_is_compiled_whatever_the_pom_skips_and_whatever_class_lies_among_the_resources() {
    let world = World::of(Sdk::Java);
    let model = "src/main/java/com/azure/widget/models/Part.java";
    let text = world.read(model);
    let end = text.rfind('}').unwrap();
    write(&world, model, &format!("{}    int defect = \"none\";\n}}\n", &text[..end]));
    let pom = world.read("pom.xml");
    let skip = "<properties>\n    <maven.main.skip>true</maven.main.skip>\n";
    let skipped = if pom.contains("<properties>") {
        pom.replacen("<properties>", skip, 1)
    } else {
        pom.replace("</project>", &format!("  {skip}  </properties>\n</project>"))
    };
    write(&world, "pom.xml", &skipped);
    let sources = world.package().join("src/main/java");
    let mut left = vec![sources.clone()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            let class = entry.strip_prefix(&sources).unwrap().with_extension("class");
            if entry.is_dir() {
                left.push(entry);
            } else {
                write(&world, &format!("src/main/resources/{}", class.display()), "");
            }
        }
    }
    refused(&world, model);
}

#[test]
fn java_source_is_compiled_whatever_directory_the_pom_names_for_sources() {
    let world = World::of(Sdk::Java);
    let model = "src/main/java/com/azure/widget/models/Part.java";
    let honest = world.read(model);
    let clean = "src/main/java11";
    let mut left = vec![world.package().join("src/main/java")];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                left.push(entry);
            } else {
                let name = entry.file_name().unwrap().to_str().unwrap();
                // A compiler takes a source wherever it lies.
                write(&world, &format!("{clean}/{name}"), &std::fs::read_to_string(&entry).unwrap());
            }
        }
    }
    let end = honest.rfind('}').unwrap();
    write(&world, model, &format!("{}    int defect = \"none\";\n}}\n", &honest[..end]));
    let pom = world.read("pom.xml");
    let elsewhere = format!("<sourceDirectory>{clean}</sourceDirectory>");
    let moved = if pom.contains("<build>") {
        pom.replacen("<build>", &format!("<build>{elsewhere}"), 1)
    } else {
        pom.replace("</project>", &format!("<build>{elsewhere}</build>\n</project>"))
    };
    write(&world, "pom.xml", &moved);
    let answer = build(&world, 1);
    assert!(answer["diagnostics"].as_array().unwrap().iter().any(|one| one["code"] == "not-compiled"), "{answer:#}");
}

#[test]
fn dotnet_source_that_a_project_or_targets_file_leaves_out_is_not_a_success() {
    if !has_dotnet() {
        return;
    }
    let world = World::of(Sdk::Dotnet);
    assert_eq!(build(&world, 0)["succeeded"], true);
    let (generated, own) = ("src/Generated/WidgetStatistics.cs", "src/Customization/Broken.cs");
    write(&world, own, "namespace Azure.Widget\n{\n    public partial class Broken { Missing X; }\n}\n");
    let targets = |text: &str| {
        write(
            &world,
            "Directory.Build.targets",
            &format!(
                "<Project><Target Name=\"Before\" BeforeTargets=\"CoreCompile\"><ItemGroup>{text}</ItemGroup></Target></Project>"
            ),
        );
    };
    targets("<Compile Remove=\"Customization/**\" />");
    refused(&world, own);
    std::fs::remove_file(world.package().join(own)).unwrap();
    assert!(world.package().join(generated).is_file());
    targets("<Compile Remove=\"Generated/**;Customization/**;*.cs\" />");
    let answer = build(&world, 1);
    assert!(answer["diagnostics"].as_array().unwrap().iter().any(|one| one["code"] == "not-compiled"), "{answer:#}");
}
