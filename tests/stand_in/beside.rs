//! What a person does with git in the SDK repository while a run is at work: what is called done is what was generated and
//! built, and nothing else.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use bailiwick_tests::World;
use serde_json::{Value, json};

/// Hand-written code names this model, so that a build of what is generated fails until it is repaired.
const RENAME: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";

/// The exit code, the answer and everything that was said.
struct Ended {
    code: i32,
    answer: Value,
    said: String,
}

/// Runs this, and calls `beside` with each line that is said.
fn run_beside(world: &World, arguments: &[&str], mut beside: impl FnMut(&str)) -> Ended {
    let mut child = world.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let (mut line, mut said) = (String::new(), String::new());
    while stderr.read_line(&mut line).unwrap() > 0 {
        beside(&line);
        said.push_str(&line);
        line.clear();
    }
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    let code = child.wait().unwrap().code().unwrap();
    let answer = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{said}"));
    Ended { code, answer, said }
}

fn customize(world: &World, beside: impl FnMut(&str)) -> Ended {
    let package = world.package();
    let arguments = ["--json", "package", "customize", "--package-path", package.to_str().unwrap()];
    run_beside(world, &[&arguments[..], &["--customization-request", RENAME]].concat(), beside)
}

fn stash(world: &World, arguments: &[&str]) {
    let person = ["-c", "user.name=P", "-c", "user.email=p@example.com", "stash"];
    let _ = world.git(world.sdk().repository(), &[&person[..], arguments].concat());
}

/// Every call of the stand-in takes so long that what a person does meanwhile is done.
fn slow(further: &Value) -> World {
    let world = World::standing_in();
    let mut script = json!({ "takes": 700 });
    script.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    world.stand_in_fails(&script);
    world
}

fn builds(world: &World) -> bool {
    let answer = world.package_command("build", &[]);
    answer.json()["succeeded"].as_bool().unwrap()
}

#[test]
fn package_that_was_another_one_while_it_was_built_is_built_once_more() {
    let world = slow(&json!({}));
    let (mut builds_begun, mut popped) = (0, 0);
    let ended = customize(&world, |line| {
        if line.starts_with("building") {
            builds_begun += 1;
            if builds_begun == 1 {
                stash(&world, &["-q"]);
                std::thread::sleep(std::time::Duration::from_millis(1_500));
                stash(&world, &["pop", "-q"]);
                popped += 1;
            }
        }
    });
    assert_eq!(popped, 1);
    assert_eq!((ended.code, &ended.answer["outcome"]), (0, &"success".into()), "{:#}\n{}", ended.answer, ended.said);
    assert!(ended.said.contains("changed while it was built"), "{}", ended.said);
    assert_eq!(ended.answer["phaseBAttempts"], 1, "what was generated was not built: {:#}", ended.answer);
    assert!(builds(&world), "a success that does not build");
}

#[test]
fn package_is_built_once_more_where_git_was_at_work_beside_it() {
    let world = slow(&json!({}));
    let repository = world.base().join(world.sdk().repository());
    std::fs::write(repository.join("notes.txt"), "of a person\n").unwrap();
    let mut begun = 0;
    let ended = customize(&world, |line| {
        if line.starts_with("building") {
            begun += 1;
            if begun == 1 {
                let _ = world.git(world.sdk().repository(), &["add", "notes.txt"]);
            }
        }
    });
    assert_eq!((ended.code, &ended.answer["outcome"]), (0, &"success".into()), "{:#}\n{}", ended.answer, ended.said);
    assert!(ended.said.contains("git was at work in the repository"), "{}", ended.said);
}

#[test]
fn package_that_is_another_one_at_the_end_of_its_build_is_no_success_and_keeps_what_stands_there() {
    let world = slow(&json!({}));
    let mut stashed = false;
    let ended = customize(&world, |line| {
        if line.starts_with("building") && !stashed {
            stash(&world, &["-q"]);
            stashed = true;
        }
    });
    assert_eq!((ended.code, &ended.answer["outcome"]), (1, &"partial".into()), "{:#}\n{}", ended.answer, ended.said);
    assert_eq!(ended.answer["errorCode"], "ChangedMeanwhile", "{:#}", ended.answer);
    let message = ended.answer["message"].as_str().unwrap();
    assert!(message.starts_with("files of the package changed while it was built: `sdk/azure/"), "{message}");
    assert_ne!(ended.answer["buildResult"]["success"], true, "{:#}", ended.answer);
    // What the person put aside is whole.
    stash(&world, &["pop", "-q"]);
    assert!(world.read("azure/widget/models/_models.py").contains("WidgetAnalysis"));
}

#[test]
fn package_that_git_takes_back_before_its_build_begins_is_not_built_instead_of_what_was_generated() {
    let world = slow(&json!({}));
    let mut stashed = false;
    let ended = customize(&world, |line| {
        if line.starts_with("regenerated after") && !stashed {
            stash(&world, &["-q"]);
            stashed = true;
        }
    });
    // Where git was seen at its lock, the package was generated once more.
    if ended.answer["outcome"] == "success" {
        assert!(ended.said.contains("git was at work"), "{:#}\n{}", ended.answer, ended.said);
        assert!(world.read("azure/widget/models/_models.py").contains("WidgetAnalysis"), "{}", ended.said);
        assert!(builds(&world), "a success that does not build");
    } else {
        assert_eq!(ended.code, 1);
    }
}

/// The generator has written, and has not ended, when git puts the old files in place of the new ones.
#[test]
fn package_that_git_takes_back_while_it_is_generated_is_generated_once_more() {
    let waits = "const { existsSync } = require('node:fs');\nwhile (!existsSync('go-on')) ;\n";
    let world = World::standing_in();
    std::fs::write(world.package().join("waits.js"), waits).unwrap();
    world.stand_in_fails(&json!({ "runs": "waits.js" }));
    let models = world.package().join("azure/widget/models/_models.py");
    let mut begun = false;
    let ended = customize(&world, |line| {
        if line.starts_with("regenerating") && !begun {
            begun = true;
            let written = || std::fs::read_to_string(&models).is_ok_and(|text| text.contains("WidgetAnalysis"));
            while !written() {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            stash(&world, &["-q"]);
            std::fs::write(world.package().join("go-on"), "").unwrap();
        }
    });
    assert!(begun);
    assert_eq!((ended.code, &ended.answer["outcome"]), (0, &"success".into()), "{:#}\n{}", ended.answer, ended.said);
    assert!(world.read("azure/widget/models/_models.py").contains("WidgetAnalysis"), "{}", ended.said);
    assert!(builds(&world), "a success that does not build");
}

#[test]
fn build_on_its_own_of_a_package_that_was_another_one_meanwhile_is_made_once_more() {
    let world = slow(&json!({}));
    let patch = world.package().join("azure/widget/models/_patch.py");
    let good = std::fs::read_to_string(&patch).unwrap();
    // What the stand-in takes for an error, and what is committed has not.
    let error = json!([[], [{ "file": "azure/widget/models/_patch.py", "line": 1, "message": "no", "code": "x" }]]);
    std::fs::write(world.package().join("stand-in.json"), json!({ "takes": 700, "build": error }).to_string()).unwrap();
    world.commit();
    let package = world.package();
    let mut builds_begun = 0;
    let ended =
        run_beside(&world, &["--json", "package", "build", "--package-path", package.to_str().unwrap()], |line| {
            if line.starts_with("building") {
                builds_begun += 1;
                if builds_begun == 1 {
                    std::fs::write(&patch, "").unwrap();
                    std::fs::write(&patch, &good).unwrap();
                }
            }
        });
    assert_eq!((ended.code, builds_begun), (1, 2), "{:#}\n{}", ended.answer, ended.said);
    // And where it is never at rest, it is not a success.
    std::fs::write(world.package().join("stand-in.json"), json!({ "takes": 700 }).to_string()).unwrap();
    let mut count = 0;
    let ended =
        run_beside(&world, &["--json", "package", "build", "--package-path", package.to_str().unwrap()], |line| {
            if line.starts_with("building") {
                count += 1;
                std::fs::write(&patch, format!("{good}# {count}\n")).unwrap();
            }
        });
    assert_eq!((ended.code, count), (1, 3), "{:#}\n{}", ended.answer, ended.said);
    let message = ended.answer["diagnostics"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("files of the package changed while it was built: `sdk/azure/widget/models/_patch.py`")
    );
    assert_eq!(std::fs::read_to_string(&patch).unwrap(), format!("{good}# 3\n"), "what a person wrote stays");
}
