//! The files that decide what the next command runs.

use super::Attacked;

/// What the Java customization class of finding 1 did: the next command installed what it named.
#[test]
fn location_of_the_specification_stays_what_it_was() {
    let attacked = Attacked::by(
        "fs.mkdirSync('e');\nfs.writeFileSync('e/emitter-package.json', '{\"scripts\":{\"preinstall\":\"touch ' + outside + '/ran\"}}');\n\
         fs.appendFileSync('tsp-location.yaml', 'emitterPackageJsonPath: sdk/widget/azure-widget/e/emitter-package.json\\n');",
    );
    attacked.assert_refused(attacked.generate(), "tsp-location.yaml");
    // The next command would have run it.
    let _ = attacked.world.package_command("build", &[]);
    attacked.assert_whole();
}

/// The emitter runs in the process of `tsp-client`, so what ends the one ends the other.
#[test]
fn emitter_that_ends_the_process_with_code_0_has_not_generated() {
    let attacked = Attacked::by("fs.rmSync('azure/widget/models/_models.py');\nprocess.exit(0);");
    let answer = attacked.generate().exits(1);
    assert!(answer.stdout.contains("before the generation was complete"), "{}", answer.stdout);
    attacked.assert_whole();
}

/// With `node_modules` a JavaScript package is built by its own script; a `go.mod` takes its directory out of the build.
#[test]
fn modules_that_an_emitter_makes_are_removed_and_fail_the_generation() {
    for (place, name) in [
        ("node_modules/typescript/bin", "tsc"),
        ("azure/node_modules/x", "a.js"),
        ("azure", "go.mod"),
        // Python runs these in place of the source that was checked.
        ("azure/widget", "_patch.so"),
    ] {
        let attacked = Attacked::by(&format!(
            "fs.mkdirSync('{place}', {{ recursive: true }});\nfs.writeFileSync('{place}/{name}', '');"
        ));
        let answer = attacked.generate().exits(1);
        assert!(answer.stdout.contains("would decide how the package is built"), "{}", answer.stdout);
        attacked.assert_whole();
    }
}

/// A person's own Python may have written it meanwhile, so it is no fault of the generation.
#[test]
fn module_that_python_compiled_does_not_stay_and_fails_nothing() {
    let (place, name) = ("azure/widget/__pycache__", "_patch.cpython-312.pyc");
    let attacked = Attacked::by(&format!(
        "fs.mkdirSync('{place}', {{ recursive: true }});\nfs.writeFileSync('{place}/{name}', '');"
    ));
    let _ = attacked.generate().exits(0);
    assert!(!attacked.world.package().join(place).join(name).exists(), "Python would run it");
}

/// The build takes its compiler from there, and git shows nothing of it.
#[test]
fn program_that_a_person_installed_is_not_exchanged_by_a_generation() {
    let tsc = "node_modules/typescript/bin/tsc";
    let attacked = Attacked::by(&format!("fs.writeFileSync('{tsc}', 'process.exit(0)');"));
    let place = attacked.world.package().join(tsc);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(&place, "a compiler").unwrap();
    let answer = attacked.generate().exits(1);
    assert!(answer.stderr.contains(tsc), "{}", answer.stderr);
    assert_eq!(std::fs::read_to_string(place).unwrap(), "a compiler");
}

/// Files without content cost the generator nothing, and the host reads every byte of them.
#[test]
fn files_of_holes_that_the_host_would_read_for_hours_end_the_generation() {
    let attacked = Attacked::by(
        "for (let i = 0; i < 10; i++) fs.ftruncateSync(fs.openSync('azure/widget/' + i, 'w'), 7 * 1024 ** 3);",
    );
    attacked.assert_refused(attacked.generate(), "files of more bytes");
}

/// Whatever the checker would say of such a file, it says nothing.
#[test]
fn generated_file_that_switches_its_check_off_fails_the_generation() {
    let models = "azure/widget/models/_models.py";
    let plain = Attacked::by(&format!("fs.appendFileSync('{models}', '# pylint: disable=all\\n');"));
    let _ = plain.generate().exits(0);
    for (file, line) in [
        (models, "# mypy: ignore-errors"),
        (models, "#type: ignore"),
        ("azure/widget/models/_more.py", "# mypy: disable-error-code=attr-defined"),
    ] {
        let attacked = Attacked::by(&format!(
            "const stood = fs.existsSync('{file}') ? fs.readFileSync('{file}', 'utf8') : '';\n\
             fs.writeFileSync('{file}', '{line}\\n' + stood);"
        ));
        let answer = attacked.generate().exits(1);
        assert!(answer.stdout.contains("switches a check off") && answer.stdout.contains(line), "{}", answer.stdout);
        attacked.assert_whole();
    }
}

/// In a workflow no person looks between a check and the next step.
#[test]
fn workflow_accepts_nothing_that_a_hostile_generator_left() {
    let attacked =
        Attacked::by("fs.appendFileSync('tsp-location.yaml', '# more\\n');\nfs.symlinkSync(outside, 'out');");
    let package = attacked.world.package();
    let package = package.to_str().unwrap();
    let request = "hide operation deleteWidget from the Python SDK";
    let started = attacked
        .world
        .bailiwick(&["--json", "package", "workflow", "--request", request, "--package-path", package])
        .exits(0)
        .json();
    let id = started["workflow_id"].as_str().unwrap().to_owned();
    let step = |result: &str| {
        attacked.world.bailiwick(&["--json", "package", "workflow", "--workflow-id", &id, "--result", result])
    };
    let _ = step("{\"type\": \"classification\", \"tspApplicable\": true}").exits(0);
    let client = attacked.world.project().join("client.tsp");
    let edited = format!(
        "{}\n@@access(Widgets.deleteWidget, Access.internal, \"python\");\n",
        attacked.world.client().trim_end()
    );
    std::fs::write(client, edited).unwrap();
    let answer = step("{\"type\": \"tsp_fix_applied\", \"description\": \"hidden\"}");
    assert_ne!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stderr.contains("tsp-location.yaml"), "{}", answer.stderr);
    let _ = attacked.world.bailiwick(&["package", "workflow", "--workflow-id", &id, "--abandon"]);
    let location = attacked.world.read("tsp-location.yaml");
    assert!(!location.contains("# more"), "{location}");
    assert_eq!(std::fs::read_dir(&attacked.outside).unwrap().count(), 1);
}
