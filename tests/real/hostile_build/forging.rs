//! No success from a forger: code of a package that writes, or bends, the verdict about itself.

use bailiwick_tests::{Answer, Sdk, World};
use serde_json::Value;
use std::path::Path;

const PATCH: &str = "azure/widget/models/_patch.py";

fn step(world: &World, step: &str) -> Answer {
    world.package_command(step, &[])
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Builds the fixture once for each code that runs when the models are imported. The import check refuses each, by one of
/// these codes, and names the file.
fn refused(attacks: &[(&str, &str, &[&str])]) {
    let world = World::new();
    let path = world.package().join(PATCH);
    let honest = world.read(PATCH);
    for (name, code, expected) in attacks {
        std::fs::write(&path, format!("{honest}\n{code}\n")).unwrap();
        world.commit();
        let answer = step(&world, "build").exits(1).json();
        let told = answer["diagnostics"].as_array().unwrap().iter().any(|found| {
            let code = found["code"].as_str().unwrap_or_default();
            let by_import = found["tool"] == "import" || found["tool"] == "confinement";
            by_import && found["severity"] == "error" && expected.contains(&code) && names_the_patch(found)
        });
        assert_eq!((&answer["succeeded"], told), (&false.into(), true), "{name}: {answer:#}");
        assert!(world.processes().is_empty(), "{name} left a process");
    }
}

fn names_the_patch(found: &Value) -> bool {
    found["file"] == format!("sdk/{PATCH}")
}

#[test]
fn import_that_ends_its_process_or_lets_another_answer_is_not_a_success() {
    refused(&[
        ("exit", "import os\nos._exit(0)", &["incomplete"]),
        (
            "exit from a thread",
            "import os, threading, time\n\
             threading.Thread(target=lambda: (time.sleep(0.1), os._exit(0)), daemon=True).start()\ntime.sleep(60)",
            &["incomplete"],
        ),
        ("another program", "import os\nos.execv('/bin/true', ['true'])", &["incomplete", "spawn"]),
        ("the child goes on, the parent leaves", "import os\nif os.fork():\n    os._exit(0)", &["incomplete", "spawn"]),
        (
            "the child goes on, the parent waits and leaves",
            "import os\n_child = os.fork()\nif _child:\n    os.waitpid(_child, 0)\n    os._exit(0)",
            &["incomplete", "spawn"],
        ),
        ("the parent is killed", "import os\nos.kill(os.getppid(), 9)", &["signal"]),
    ]);
}

#[test]
fn import_that_writes_the_report_is_not_a_success() {
    refused(&[
        (
            "the end on every descriptor",
            "import os\nfor _n in range(3, 21):\n    try:\n        \
             os.write(_n, b'{\"event\":\"done\"}\\n{\"event\":\"done\",\"imported\":99}\\n')\n    \
             except OSError:\n        pass\nos._exit(0)",
            &["forged"],
        ),
        (
            "the end on the output of the parent, which is then killed",
            "import os\n_out = os.open(f'/proc/{os.getppid()}/fd/1', os.O_WRONLY)\n\
             os.write(_out, b'{\"event\":\"done\",\"imported\":99}\\n')\nos.kill(os.getppid(), 9)",
            &["inspect", "signal"],
        ),
        (
            "the channel is led elsewhere while something is attempted",
            "import os\n_null = os.open('/dev/null', os.O_RDWR)\n_kept = {}\nfor _n in range(3, 6):\n    try:\n        \
             _kept[_n] = os.dup(_n)\n        os.dup2(_null, _n)\n    except OSError:\n        pass\n\
             try:\n    os.mkdir('/attempted')\nexcept OSError:\n    pass\n\
             for _n, _fd in _kept.items():\n    os.dup2(_fd, _n)",
            &["incomplete"],
        ),
        (
            "the tokens are looked for",
            "import functools, gc, os\nfor _one in gc.get_objects():\n    \
             if isinstance(_one, functools.partial) and _one.func is os.write:\n        _one()\nos._exit(0)",
            &["inspect", "forged"],
        ),
    ]);
}

#[test]
fn import_that_bends_the_interpreter_is_not_a_success_and_hides_no_attempt() {
    refused(&[
        (
            "what reports is replaced",
            "import json, os\njson.dumps = lambda *_, **__: '{\"event\":\"done\"}'\nos.write = lambda *_: 0\n\
             raise RuntimeError('broken')",
            &["RuntimeError"],
        ),
        (
            "every import succeeds from here on",
            "import builtins, sys, types\n\
             builtins.__import__ = lambda name, *_, **__: sys.modules.setdefault(name, types.ModuleType(name))\n\
             raise RuntimeError('broken')",
            &["RuntimeError"],
        ),
        (
            "at the exit",
            "import atexit, os\natexit.register(os._exit, 0)\nraise RuntimeError('broken')",
            &["RuntimeError"],
        ),
        (
            "a tracer jumps over the error",
            "import sys\ndef _trace(frame, event, arg):\n    return _trace\n_frame = sys._getframe()\n\
             while _frame:\n    _frame.f_trace = _trace\n    _frame = _frame.f_back\nsys.settrace(_trace)",
            &["inspect"],
        ),
        (
            "code that seems to be the standard library's",
            "import os\nexec(compile(\"import os\\ntry:\\n    os.mkdir('/attempted')\\nexcept OSError:\\n    pass\", \
             os.__file__, 'exec'))",
            &["write"],
        ),
    ]);
}

#[test]
fn module_that_another_one_stands_in_for_is_run_all_the_same() {
    let world = World::new();
    let path = world.package().join(PATCH);
    let honest = world.read(PATCH);
    // The last module by name fails, and the first one puts an empty one in its place.
    write(&world.package().join("azure/widget/zz_last.py"), "raise RuntimeError('broken')\n");
    let code = "import sys, types\nsys.modules['azure.widget.zz_last'] = types.ModuleType('azure.widget.zz_last')";
    std::fs::write(path, format!("{honest}\n{code}\n")).unwrap();
    world.commit();
    let answer = step(&world, "build").exits(1).json();
    let diagnostics = answer["diagnostics"].as_array().unwrap();
    let broken = |found: &&Value| found["code"] == "RuntimeError" && found["file"] == "sdk/azure/widget/zz_last.py";
    assert_eq!(diagnostics.iter().filter(broken).count(), 1, "{answer:#}");
}

#[test]
fn pytest_report_that_a_test_or_a_file_of_the_package_writes_is_not_a_success() {
    const LINES: &str = "b'{\"event\":\"passed\"}\\n{\"event\":\"finished\",\"code\":0}\\n'";
    let world = World::new();
    let package = world.package();
    let by_name = format!(
        "import os\n_path = os.environ.get('BAILIWICK_PYTEST_REPORT')\nif _path:\n    \
         open(_path, 'ab').write({LINES})\nfor _n in range(3, 21):\n    try:\n        os.write(_n, {LINES})\n    \
         except OSError:\n        pass\nos._exit(0)\n"
    );
    for (file, code) in [
        ("tests/test_forged.py", by_name.as_str()),
        ("tests/conftest.py", "import os\ndef pytest_configure(config):\n    os._exit(0)\n"),
        // It would be imported instead of the one that reports.
        ("bailiwick_pytest.py", &by_name),
        ("pytest.py", &by_name),
    ] {
        let failing = package.join("tests/test_failing.py");
        write(&failing, "def test_failing():\n    assert 1 == 2\n");
        write(&package.join(file), code);
        let answer = step(&world, "test").exits(1).json();
        assert_eq!(answer["succeeded"], false, "{file}: {answer:#}");
        assert_ne!(answer["diagnostics"], Value::Array(Vec::new()), "{file}: {answer:#}");
        std::fs::remove_file(package.join(file)).unwrap();
    }
}

/// A pipe would be waited for without end, and a device read until there is no memory left.
#[test]
fn pytest_report_that_became_a_pipe_or_a_device_is_not_a_report_and_is_not_waited_for() {
    let world = World::new();
    let test = world.package().join("tests/test_hostile.py");
    for exchange in ["os.mkfifo(_report)", "os.symlink('/dev/zero', _report)"] {
        let code = format!(
            "import atexit, glob, os\ndef _exchange():\n    for _report in glob.glob(os.path.join(os.path.dirname(os.environ['HOME']), \
             'report.jsonl')):\n        os.remove(_report)\n        {exchange}\n        os._exit(0)\natexit.register(_exchange)\n\
             def test_passes():\n    pass\n"
        );
        write(&test, &code);
        let answer = step(&world, "test").exits(1).json();
        let said = answer["diagnostics"].to_string();
        assert!(said.contains("ended without its report"), "{exchange}: {answer:#}");
    }
}

/// The compiler runs what a specification imports, beside the program that asks it.
#[test]
fn answer_of_the_compiler_that_became_a_pipe_is_an_error_and_is_not_waited_for() {
    let world = World::new();
    let project = world.project();
    let code = "import fs from 'node:fs';\nimport { execFileSync } from 'node:child_process';\n\
        process.on('exit', () => {\n  for (const path of process.argv.filter((one) => one.endsWith('.json') && fs.existsSync(one))) {\n    \
        fs.rmSync(path);\n    execFileSync('/usr/bin/mkfifo', [path]);\n  }\n});\n";
    write(&project.join("hostile.js"), code);
    let main = project.join("main.tsp");
    let text = std::fs::read_to_string(&main).unwrap();
    write(&main, &format!("import \"./hostile.js\";\n{text}"));
    world.commit();
    let answer = world.customize("hide operation deleteWidget").exits(1);
    assert!(answer.stderr.contains("cannot be read"), "{}", answer.stderr);
}

#[test]
fn go_tests_that_end_their_process_with_0_are_not_success() {
    let world = World::of(Sdk::Go);
    let package = world.package();
    let failing = "package azwidget\n\nimport \"testing\"\n\nfunc TestFailing(t *testing.T) { t.Fatal(\"broken\") }\n";
    write(&package.join("failing_test.go"), failing);
    let main =
        "package azwidget\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n";
    let init = "package azwidget\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n";
    for (file, code) in [("leaves_test.go", main), ("leaves.go", init)] {
        write(&package.join(file), code);
        let answer = step(&world, "test").exits(1).json();
        let said = answer["diagnostics"].to_string();
        assert!(said.contains("without an outcome of") && said.contains("TestFailing"), "{file}: {answer:#}");
        std::fs::remove_file(package.join(file)).unwrap();
    }
}

#[test]
fn go_build_runs_no_code_of_the_package() {
    let world = World::of(Sdk::Go);
    let made = world.base().join("made");
    let code = format!(
        "package azwidget\n\nimport \"os\"\n\n//go:generate touch {}\n\nfunc init() {{ os.Exit(0) }}\n\nvar broken int = \"text\"\n",
        made.display()
    );
    write(&world.package().join("leaves.go"), &code);
    let answer = step(&world, "build").exits(1).json();
    assert!(answer["diagnostics"].to_string().contains("sdk/leaves.go"), "{answer:#}");
    assert!(!made.exists());
}

#[test]
fn tests_that_passed_are_shown_with_what_that_rests_on() {
    let world = World::new();
    let package = world.package();
    let answer = world.bailiwick(&["package", "test", "--package-path", package.to_str().unwrap()]).exits(0);
    assert!(answer.stdout.contains("this rests on what the test runner reported"), "{answer:?}");
}
