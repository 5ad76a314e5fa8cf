//! Builds, tests and update scripts need the package alone: neither its specification nor its emitter.

use bailiwick_tests::{Answer, Sdk, World};

/// A world in which nothing but the SDK repository is left, without the file that names its emitter.
fn alone(sdk: Sdk) -> World {
    let world = World::of(sdk);
    let specifications = world.base().join("azure-rest-api-specs");
    std::fs::remove_dir_all(&specifications).unwrap();
    std::fs::create_dir(&specifications).unwrap();
    let repository = world.base().join(sdk.repository());
    for entry in std::fs::read_dir(repository.join("eng")).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("emitter-package") {
            std::fs::remove_file(path).unwrap();
        }
    }
    std::fs::remove_file(world.package().join("tsp-location.yaml")).unwrap();
    world
}

fn run(world: &World, step: &str) -> Answer {
    world.package_command(step, &[])
}

#[test]
fn python_package_is_built_and_tested_with_helpers_of_its_repository_and_without_a_specification() {
    let world = alone(Sdk::Python);
    let package = world.package();
    std::fs::write(package.join("setup.py"), "from setuptools import setup\nsetup(name=\"azure-widget\")\n").unwrap();
    let helpers = world.base().join("azure-sdk-for-python/eng/tools/azure-sdk-tools");
    std::fs::create_dir_all(helpers.join("devtools_testutils")).unwrap();
    std::fs::write(helpers.join("setup.py"), "from setuptools import setup\nsetup(name=\"azure-sdk-tools\")\n")
        .unwrap();
    std::fs::write(helpers.join("devtools_testutils/__init__.py"), "ANSWER = 42\n").unwrap();
    let dev = "-e ../../../eng/tools/azure-sdk-tools\n-e ../azure-other\n";
    std::fs::write(package.join("dev_requirements.txt"), dev).unwrap();
    std::fs::create_dir_all(package.join("tests")).unwrap();
    let test =
        "from devtools_testutils import ANSWER\nimport azure.widget\n\n\ndef test_answer():\n    assert ANSWER == 42\n";
    std::fs::write(package.join("tests/test_alone.py"), test).unwrap();
    let before = world.snapshot();

    let step = run(&world, "build").exits(0).json();
    assert_eq!((&step["step"], &step["succeeded"]), (&"build".into(), &true.into()), "{step:#}");
    let tested = run(&world, "test").exits(0);
    assert!(
        tested.stderr.contains("`-e ../azure-other` of `dev_requirements.txt` is passed over"),
        "{}",
        tested.stderr
    );
    let step = tested.json();
    assert_eq!((&step["tests"]["passed"], &step["tests"]["failed"]), (&2.into(), &0.into()), "{step:#}");
    before.assert_same(&world.snapshot());

    // An error is found as ever.
    let path = package.join("azure/widget/models/_patch.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "\n\ndef _count() -> int:\n    return \"many\"\n").unwrap();
    let step = run(&world, "build").exits(1).json();
    assert_eq!(step["diagnostics"][0]["file"], "sdk/azure/widget/models/_patch.py", "{step:#}");
}

#[test]
fn package_outside_any_repository_is_built_and_configures_nothing() {
    let world = alone(Sdk::Python);
    let package = world.base().join("apart/azure-widget");
    std::fs::create_dir_all(package.parent().unwrap()).unwrap();
    std::fs::rename(world.package(), &package).unwrap();
    std::fs::write(package.join("setup.py"), "from setuptools import setup\nsetup(name=\"azure-widget\")\n").unwrap();
    // In a repository this file decides what builds it. Here it is a file like any other.
    std::fs::create_dir_all(package.join("eng")).unwrap();
    let script = r#"{"packageOptions": {"buildScript": {"command": "touch /tmp/configured"}}}"#;
    std::fs::write(package.join("eng/swagger_to_sdk_config.json"), script).unwrap();
    let answer = world.bailiwick(&["--json", "package", "build", "--package-path", package.to_str().unwrap()]).exits(0);
    assert!(answer.stderr.contains("import, mypy"), "{}", answer.stderr);
    assert_eq!(answer.json()["succeeded"], true);
}

#[test]
fn directory_without_a_project_file_is_refused_with_the_names_of_such_files() {
    let world = alone(Sdk::Python);
    let empty = world.base().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for step in ["build", "test"] {
        let answer = world.bailiwick(&["package", step, "--package-path", empty.to_str().unwrap()]).exits(2);
        assert!(answer.stderr.contains("the language of") && answer.stderr.contains("`pom.xml`"), "{}", answer.stderr);
    }
}

#[test]
fn java_package_is_built_without_a_specification_and_without_an_emitter() {
    let world = alone(Sdk::Java);
    let before = world.snapshot();
    let step = run(&world, "build").exits(0).json();
    assert_eq!(step["succeeded"], true, "{step:#}");
    before.assert_same(&world.snapshot());
    let sources = world.package().join("src/main/java/com/azure/widget");
    std::fs::write(sources.join("Broken.java"), "package com.azure.widget;\nclass Broken { Missing one; }\n").unwrap();
    let step = run(&world, "build").exits(1).json();
    assert!(step.to_string().contains("Broken.java"), "{step:#}");
}
