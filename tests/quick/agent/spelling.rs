//! The spelling example with the real cspell, and with a model in the place of the script.

use super::desk::records;
use super::readme::Clone;
use super::standin::{Say, StandIn, exit};
use bailiwick_tests::World;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the real cspell, of the example's lock file, finds beneath a directory.
pub(crate) fn cspell(directory: &Path) -> String {
    let program = Clone::shared().path("clone/examples/agents/spelling/node_modules/.bin/cspell");
    let output = Command::new(program)
        .args(["--no-progress", "--no-summary", "--root"])
        .arg(directory)
        .arg(".")
        .output()
        .unwrap();
    let (found, problems) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    // 1 says that it found something; more, that it could not look.
    assert_eq!(output.status.code(), Some(i32::from(!found.is_empty())), "{found}\n{problems}");
    found
}

fn docs(world: &World) -> std::path::PathBuf {
    let docs = world.base().join("docs");
    super::examples::copy(&super::examples::examples().join("spelling/sample"), &docs);
    docs
}

#[test]
fn sensitive_place_is_written_only_where_it_is_asked_for_and_allowed() {
    let world = World::without_generated_code();
    let docs = docs(&world);
    let file = super::examples::agent(&super::examples::examples(), "spelling");
    let found = cspell(&docs);
    assert!(found.contains("guide.md:3:13 - Unknown word (recieves) fix: (receives)\n"), "{found}");
    let arguments = ["agent", "run", &file, "--grant", "docs=docs:rw", "--input-lines", &found];
    let refused = world.bailiwick(&arguments).exits(3);
    assert!(refused.stderr.contains("--allow-sensitive .vscode/cspell.json"), "{}", refused.stderr);
    assert!(fs::read_to_string(docs.join("guide.md")).unwrap().contains("recieves"));
    assert!(records(&world).is_empty() && !docs.join(".vscode").exists());
}

#[test]
fn model_gets_what_cspell_found_and_its_decisions_are_carried_out() {
    let world = World::without_generated_code();
    let docs = docs(&world);
    let found = cspell(&docs);
    let patch = |file: &str, line: u64, old: &str, new: &str| {
        let place = json!({"filePath": format!("docs/{file}"), "startLine": line, "endLine": line});
        let mut arguments = place.as_object().unwrap().clone();
        arguments.extend([("oldContent".to_owned(), json!(old)), ("newContent".to_owned(), json!(new))]);
        ("CodePatch", Value::Object(arguments))
    };
    let corrections = vec![
        patch("guide.md", 3, "recieves", "receives"),
        patch("guide.md", 3, "seperate", "separate"),
        patch("src/latch.py", 2, "untill", "until"),
        ("UpdateCspellWords", json!({"words": ["preopen", "Okonkwo", "Laurila", "Jyväskylä"]})),
    ];
    let result = json!({"fixed": 3, "added": ["preopen", "Okonkwo", "Laurila", "Jyväskylä"], "left": []});
    let model = StandIn::saying(vec![Say::Calls(corrections), exit(result.clone())]);
    let file = super::examples::agent(&super::examples::examples(), "spelling");
    let arguments = ["agent", "run", &file, "--grant", "docs=docs:rw", "--allow-sensitive", ".vscode/cspell.json"];
    let further = ["--model", &model.model, "--input-lines", &found];
    let answer = world.bailiwick(&[&arguments[..], &further].concat()).exits(0);
    assert_eq!(answer.json(), result);
    let asked = model.asked(2).to_string();
    assert!(
        asked.contains("spell checker cspell") && asked.contains("src/latch.py:2:24 - Unknown word (untill)"),
        "{asked}"
    );
    assert_eq!(cspell(&docs), "");
}
