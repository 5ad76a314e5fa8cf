//! A package may leave the type checker out of its checks. Only the recorded commit says so, and code that would break when it
//! runs is found all the same.
//!
//! The type checker is the stand-in, which reports what `stand-in.json` says. Git, the driver and the runs are real.

use bailiwick_tests::{Answer, World};
use serde_json::{Value, json};

const LEFT_OUT: &str = "[project]\nname = \"azure-widget\"\n\n[tool.azure-sdk-build]\npyright = false\nmypy = false\n";
const PATCH: &str = "azure/widget/models/_patch.py";

/// A world whose type checker reports these, one list a build. What is in `project` is not recorded.
fn world(reported: &[Value]) -> World {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "build": reported }));
    world.commit();
    world
}

fn project(world: &World, text: &str) {
    std::fs::write(world.package().join("pyproject.toml"), text).unwrap();
}

/// An error of mypy in hand-written code.
fn error(code: &str) -> Value {
    json!([{ "file": PATCH, "line": 3, "message": "\"Widget\" is wrong", "code": code }])
}

fn build(world: &World) -> Answer {
    world.package_command("build", &[])
}

/// The warnings of the host itself about the checks.
fn told(diagnostics: &Value) -> Vec<(&Value, &Value, &str)> {
    let own = diagnostics.as_array().unwrap().iter().filter(|one| one["code"] == "checks");
    own.map(|one| (&one["file"], &one["line"], one["message"].as_str().unwrap())).collect()
}

#[test]
fn package_that_leaves_mypy_out_in_its_recorded_commit_does_not_fail_by_mypy_and_says_where() {
    let world = world(&[error("attr-defined"), error("attr-defined")]);
    project(&world, LEFT_OUT);
    world.commit();
    let before = world.snapshot();
    let step = build(&world).exits(0).json();
    let told = told(&step["diagnostics"]);
    assert_eq!((told.len(), told[0].0, told[0].1), (1, &json!("sdk/pyproject.toml"), &json!(6)), "{step:#}");
    assert!(told[0].2.contains("leaves mypy out of its checks"), "{step:#}");
    // What mypy reports is told all the same.
    assert!(step["diagnostics"].to_string().contains("is wrong"), "{step:#}");
    // Who writes it off again is held to the commit, too.
    project(&world, "[project]\nname = \"azure-widget\"\n");
    let _ = build(&world).exits(0);
    project(&world, LEFT_OUT);
    before.assert_same(&world.snapshot());
}

#[test]
fn what_is_not_recorded_leaves_no_check_out() {
    for text in [LEFT_OUT, "[tool.azure-sdk-build]\nmypy = false"] {
        let world = world(&[error("attr-defined")]);
        project(&world, text);
        let step = build(&world).exits(1).json();
        assert!(told(&step["diagnostics"])[0].2.contains("commit it for it to hold"), "{step:#}");
    }
    // Nor does a file of another name or place.
    let world = world(&[error("attr-defined")]);
    std::fs::write(world.package().join("../pyproject.toml"), LEFT_OUT).unwrap();
    std::fs::write(world.package().join("azure/pyproject.toml"), LEFT_OUT).unwrap();
    world.commit();
    let step = build(&world).exits(1).json();
    assert_eq!(told(&step["diagnostics"]), [], "{step:#}");
}

/// The generator writes that the package leaves mypy out, and the error that it would hide is one of its own making.
#[test]
fn generator_that_leaves_a_check_out_hides_nothing() {
    let world = World::standing_in();
    let script = format!("require('fs').writeFileSync('pyproject.toml', {});", json!(LEFT_OUT));
    std::fs::write(world.package().join("hostile.js"), script).unwrap();
    let reported = [error("return-value"), json!([]), error("return-value"), error("return-value")];
    world.stand_in_fails(&json!({ "runs": "hostile.js", "build": reported }));
    world.commit();
    let before = world.snapshot();
    let response = world.customize("hide operation deleteWidget").exits(1).json();
    assert_ne!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["buildResult"]["success"], false, "{response:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn run_that_breaks_hand_written_code_is_no_success_where_mypy_is_left_out() {
    for (code, outcome, exit) in
        [("attr-defined", "failure", 1), ("override", "failure", 1), ("return-value", "success", 0)]
    {
        // After the edit, as it was before, and after a repair.
        let world = world(&[error(code), json!([]), error(code), error(code)]);
        project(&world, LEFT_OUT);
        world.commit();
        let response = world.customize("hide operation deleteWidget").exits(exit).json();
        assert_eq!(response["outcome"], outcome, "{code}: {response:#}");
        let warnings = response["buildResult"]["warningMessages"].to_string();
        assert!(warnings.contains("sdk/pyproject.toml:6") && warnings.contains("leaves mypy out"), "{response:#}");
    }
}

/// A checker that the repository pins to another version is told with its place; the one of this program is not.
#[test]
fn version_that_the_repository_pins_is_told_where_it_is_another_one() {
    let world = world(&[]);
    let repository = world.base().join(world.sdk().repository());
    let pins = repository.join("eng/tool_requirements");
    std::fs::create_dir_all(&pins).unwrap();
    std::fs::write(pins.join("mypy.txt"), "# Pins\nmypy==0.900\n").unwrap();
    assert_eq!(told(&build(&world).exits(0).json()["diagnostics"]), [], "it is not recorded yet");
    world.commit();
    let step = build(&world).exits(0).json();
    let told = told(&step["diagnostics"]);
    assert_eq!((told[0].0, told[0].1), (&json!("repository/eng/tool_requirements/mypy.txt"), &json!(2)), "{step:#}");
    assert!(told[0].2.contains("mypy 0.900"), "{step:#}");
}
