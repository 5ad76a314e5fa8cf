//! Input that cannot be used: one sentence, a hint, exit code 2, and nothing started or changed.

use bailiwick_tests::{Answer, Sdk, World};

#[track_caller]
fn assert_refused(world: &World, answer: Answer, about: &str) {
    let answer = answer.exits(2);
    let first =
        answer.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_else(|| panic!("{}", answer.stderr));
    assert!(first.contains(about), "`{about}` in: {first}");
    assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
    assert!(
        !world.state().join("runs").exists() || std::fs::read_dir(world.state().join("runs")).unwrap().next().is_none(),
        "a run was started"
    );
}

fn customize(world: &World, package: &str, further: &[&str]) -> Answer {
    let mut arguments = vec![
        "package",
        "customize",
        "--package-path",
        package,
        "--customization-request",
        "hide operation deleteWidget",
    ];
    arguments.extend(further);
    world.bailiwick(&arguments)
}

#[test]
fn missing_directories_are_named() {
    let world = World::without_generated_code();
    let package = world.package();
    let package = package.to_str().unwrap();
    assert_refused(&world, customize(&world, "/no/such/package", &[]), "/no/such/package");
    assert_refused(
        &world,
        customize(&world, package, &["--typespec-project-path", "/no/such/project"]),
        "/no/such/project",
    );
    let elsewhere = world.base().join("azure-rest-api-specs");
    assert_refused(
        &world,
        customize(&world, package, &["--typespec-project-path", elsewhere.to_str().unwrap()]),
        "tspconfig.yaml",
    );
    std::fs::remove_file(world.project().join("tspconfig.yaml")).unwrap();
    assert_refused(&world, customize(&world, package, &[]), "tspconfig.yaml");
}

#[test]
fn location_file_is_checked_before_anything_starts() {
    let world = World::without_generated_code();
    let package = world.package();
    let package = package.to_str().unwrap();
    let location = world.package().join("tsp-location.yaml");
    for (content, about) in [
        ("directory: [unclosed\n", "tsp-location.yaml"),
        ("commit: abc\nrepo: Azure/azure-rest-api-specs\n", "directory"),
        ("batch:\n  - ./a\n  - ./b\n", "batch"),
        ("", "tsp-location.yaml"),
    ] {
        std::fs::write(&location, content).unwrap();
        assert_refused(&world, customize(&world, package, &[]), about);
    }
    std::fs::remove_file(&location).unwrap();
    assert_refused(&world, customize(&world, package, &[]), "tsp-location.yaml");
}

#[test]
fn unknown_scope_model_and_empty_request_are_refused() {
    let world = World::without_generated_code();
    let package = world.package();
    let package = package.to_str().unwrap();
    assert_refused(&world, customize(&world, package, &["--edit-scope", "Everything"]), "Everything");
    assert_refused(&world, customize(&world, package, &["--model", "oracle"]), "oracle");
    let empty =
        world.bailiwick(&["package", "customize", "--package-path", package, "--customization-request", "  \n"]);
    assert_refused(&world, empty, "request");
}

#[test]
fn model_without_its_key_or_with_a_bad_address_is_refused_before_anything_runs() {
    let world = World::without_generated_code();
    let package = world.package();
    let package = package.to_str().unwrap();
    for (model, about) in [
        ("openai:gpt-5", "`OPENAI_API_KEY`"),
        ("opnai:gpt-5", "`opnai:gpt-5`"),
        ("openai:gpt-5@localhost:1", "localhost:1"),
        ("openai-compatible:m", "`openai-compatible:m`"),
    ] {
        assert_refused(&world, customize(&world, package, &["--model", model]), about);
    }
    let arguments = ["package", "customize", "--package-path", package, "--customization-request", "hide operation x"];
    let configured = [("BAILIWICK_MODEL", "azure:d"), ("AZURE_OPENAI_API_KEY", "canary")];
    let answer = world.bailiwick_with(&arguments, &configured);
    assert!(!format!("{}{}", answer.stdout, answer.stderr).contains("canary"), "the key is printed");
    assert_refused(&world, answer, "`AZURE_OPENAI_ENDPOINT`");
}

#[test]
fn model_is_not_asked_where_ci_is_set_unless_it_is_allowed_there() {
    let world = World::without_generated_code();
    let package = world.package();
    let common =
        ["package", "customize", "--package-path", package.to_str().unwrap(), "--customization-request", "hide x"];
    let before = world.snapshot();
    let run = |further: &[&str], environment: &[(&str, &str)]| {
        let arguments: Vec<&str> = common.iter().chain(further).copied().collect();
        world.bailiwick_with(&arguments, environment)
    };
    let model = ["--model", "openai:gpt-5"];
    let flag = run(&model, &[("CI", "true")]).exits(3);
    assert!(flag.stderr.contains("`openai:gpt-5`") && flag.stderr.contains("--allow-model-in-ci"), "{}", flag.stderr);
    let _ = run(&[], &[("CI", "1"), ("BAILIWICK_MODEL", "openai:gpt-5")]).exits(3);
    // Each of these goes on to the next question: where the key is.
    for answer in [
        run(&[&model[..], &["--allow-model-in-ci"]].concat(), &[("CI", "true")]),
        run(&model, &[("CI", "false")]),
        run(&model, &[]),
    ] {
        assert!(answer.exits(2).stderr.contains("`OPENAI_API_KEY`"));
    }
    before.assert_same(&world.snapshot());
}

#[test]
fn package_outside_a_git_repository_is_refused() {
    let world = World::without_generated_code();
    std::fs::remove_dir_all(world.base().join("azure-sdk-for-python/.git")).unwrap();
    assert_refused(&world, customize(&world, world.package().to_str().unwrap(), &[]), "git");
}

#[test]
fn unknown_run_is_refused() {
    let world = World::without_generated_code();
    for command in ["show", "approve", "revert"] {
        assert_refused(&world, world.bailiwick(&["run", command, "no-such-run"]), "no-such-run");
    }
}

#[test]
fn workflow_without_a_request_names_what_begins_one() {
    let world = World::without_generated_code();
    let package = world.package();
    let answer = world.bailiwick(&["package", "workflow", "--package-path", package.to_str().unwrap()]);
    assert!(answer.stderr.contains("`--request`"), "{}", answer.stderr);
    assert_refused(&world, answer, "nothing is asked for");
}

#[test]
fn customization_class_that_is_not_there_is_named_before_the_generator_starts() {
    let world = World::hand_written(Sdk::Java);
    let package = world.package();
    std::fs::remove_dir_all(package.join("customization")).unwrap();
    let package = package.to_str().unwrap();
    let about = "names the customization class `customization/src/main/java/WidgetCustomization.java`";
    assert_refused(&world, customize(&world, package, &[]), about);
    for command in ["generate", "fix"] {
        assert_refused(&world, world.bailiwick(&["package", command, "--package-path", package]), about);
    }
    let shown = world.bailiwick(&["package", "show", "--package-path", package]).exits(0);
    assert!(shown.stdout.contains(about), "{}", shown.stdout);
}
