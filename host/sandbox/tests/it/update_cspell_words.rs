//! `UpdateCspellWords` through the sandbox. What it makes of a text is tested beside it; here, whose file it is and
//! what it takes to be let at it.

use crate::common::World;
use bailiwick_sandbox::{Access, CallError, CallReport, DenialReason, ErrorKind, Grant, Grants, Reserved};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::path::PathBuf;

const PLACE: &str = ".vscode/cspell.json";

/// A grant on a new directory that has `cspell.json` with this text, or no `.vscode` at all.
fn world(text: Option<&str>, allowed: &[&str]) -> World {
    let base = tempfile::tempdir().unwrap();
    let granted = base.path().join("granted");
    std::fs::create_dir(&granted).unwrap();
    if let Some(text) = text {
        std::fs::create_dir(granted.join(".vscode")).unwrap();
        std::fs::write(granted.join(PLACE), text).unwrap();
    }
    let grant = Grant::open("box", &granted, Access::ReadWrite, &Reserved::none()).unwrap();
    let grant = allowed.iter().fold(grant, |grant, place| grant.allowing(place).unwrap());
    World::with(base, Grants::new(vec![grant]).unwrap())
}

fn config(world: &World) -> PathBuf {
    world.granted().join(PLACE)
}

fn update(world: &World, words: &[&str]) -> CallReport {
    world.call("UpdateCspellWords", &json!({"words": words}))
}

fn answer(report: CallReport) -> Value {
    serde_json::from_str(&report.outcome.unwrap()).unwrap()
}

fn refusal(report: &CallReport) -> (ErrorKind, String) {
    match &report.outcome {
        Err(CallError::Tool(error)) => (error.kind, error.message.clone()),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

const TEXT: &str = "\u{feff}// ours\r\n{\r\n\t\"words\": [\r\n\t\t\"azsdk\", // the tool\r\n\t\t\"tsp\",\r\n\t],\r\n\t\"ignorePaths\": []\r\n}";

#[test]
fn words_are_added_and_every_byte_around_them_stays() {
    let world = world(Some(TEXT), &[PLACE]);
    let answer = answer(update(&world, &["Zod", "cspell", "AzSDK"]));
    assert_eq!(answer["filePath"], "box/.vscode/cspell.json");
    assert_eq!(answer["added"], json!(["cspell", "Zod"]));
    assert_eq!(answer["alreadyPresent"], json!(["AzSDK"]));
    assert_eq!(answer["created"], false);
    let diff = answer["diff"].as_str().unwrap();
    let changed: Vec<_> = diff.lines().skip(3).filter(|line| line.starts_with(['+', '-'])).collect();
    assert_eq!(changed, ["+\t\t\"cspell\",", "+\t\t\"Zod\","], "{diff}");
    let expected =
        TEXT.replace("tool\r\n", "tool\r\n\t\t\"cspell\",\r\n").replace("\"tsp\",", "\"tsp\",\r\n\t\t\"Zod\",");
    assert_eq!(std::fs::read_to_string(config(&world)).unwrap(), expected);
}

#[test]
fn second_call_changes_nothing_and_does_not_write() {
    let world = world(Some(TEXT), &[PLACE]);
    let _ = answer(update(&world, &["new"]));
    let text = std::fs::read(config(&world)).unwrap();
    let report = update(&world, &["new", "NEW"]);
    assert_eq!(report.cost.written_bytes, 0);
    let answer = answer(report);
    assert_eq!((&answer["added"], &answer["diff"]), (&json!([]), &json!("")));
    assert_eq!(std::fs::read(config(&world)).unwrap(), text);
}

#[test]
fn missing_file_and_directory_are_made_where_the_file_is_allowed() {
    for directory_there in [false, true] {
        let world = world(None, &[PLACE]);
        if directory_there {
            std::fs::create_dir(world.granted().join(".vscode")).unwrap();
        }
        let answer = answer(update(&world, &["b", "a"]));
        assert_eq!(answer["created"], true);
        let made: Value = serde_json::from_str(&std::fs::read_to_string(config(&world)).unwrap()).unwrap();
        assert_eq!(made, json!({"version": "0.2", "language": "en", "words": ["a", "b"]}));
        let left: Vec<_> = std::fs::read_dir(world.granted().join(".vscode")).unwrap().collect();
        assert_eq!(left.len(), 1, "no temporary file stays: {left:?}");
    }
}

#[test]
fn without_the_allowance_nothing_is_written_and_the_message_says_how() {
    for text in [Some(TEXT), None] {
        for allowed in [&[][..], &[".git"], &[".vscode/settings.json"]] {
            let world = world(text, allowed);
            let report = update(&world, &["new"]);
            let (kind, message) = refusal(&report);
            assert_eq!(kind, ErrorKind::NotPermitted);
            assert!(message.starts_with("`box/.vscode/cspell.json` cannot be written"), "{message}");
            assert!(message.contains("grant also allows it by name, as `.vscode/cspell.json`"), "{message}");
            assert!(report.denials.iter().any(|denial| denial.reason == DenialReason::Sensitive), "{report:?}");
            assert_eq!(std::fs::read_to_string(config(&world)).ok().as_deref(), text);
            assert_eq!(world.granted().join(".vscode").exists(), text.is_some());
        }
    }
}

#[test]
fn allowance_of_the_file_opens_no_other_file_beside_it() {
    let world = world(Some(TEXT), &[PLACE]);
    std::fs::write(world.granted().join(".vscode/tasks.json"), "{}\n").unwrap();
    let name = |tool: &str, file: &str| match tool {
        "WriteFile" => json!({"filePath": file, "content": "evil\n"}),
        _ => json!({"filePath": file, "oldContent": "{}", "newContent": "evil"}),
    };
    for (tool, file) in [
        ("WriteFile", "box/.vscode/tasks.json"),
        ("WriteFile", "box/.vscode/settings.json"),
        ("WriteFile", "box/.VSCODE/tasks.json"),
        ("WriteFile", "box/.vscode/cspell.json/x"),
        ("WriteFile", "box/.vscode/sub/cspell.json"),
        ("CodePatch", "box/.vscode/tasks.json"),
    ] {
        let (kind, _) = refusal(&world.call(tool, &name(tool, file)));
        assert!(matches!(kind, ErrorKind::NotPermitted | ErrorKind::WrongKind), "{tool} {file}: {kind:?}");
    }
    assert_eq!(std::fs::read_to_string(world.granted().join(".vscode/tasks.json")).unwrap(), "{}\n");
    assert_eq!(std::fs::read_dir(world.granted().join(".vscode")).unwrap().count(), 2);
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 1);
    let _ = answer(update(&world, &["new"]));
}

#[test]
fn link_in_the_place_of_the_file_leads_nowhere_it_may_not() {
    let world = world(Some(TEXT), &[PLACE]);
    std::fs::write(world.base.path().join("secret.json"), TEXT).unwrap();
    std::fs::write(world.granted().join(".vscode/tasks.json"), TEXT).unwrap();
    for target in ["../../secret.json", "tasks.json"] {
        std::fs::remove_file(config(&world)).unwrap();
        symlink(target, config(&world)).unwrap();
        assert_eq!(refusal(&update(&world, &["new"])).0, ErrorKind::NotPermitted, "{target}");
    }
    for untouched in [world.base.path().join("secret.json"), world.granted().join(".vscode/tasks.json")] {
        assert_eq!(std::fs::read_to_string(untouched).unwrap(), TEXT);
    }
}

#[test]
fn one_of_several_grants_has_to_be_named() {
    let base = tempfile::tempdir().unwrap();
    let grants = ["sdk", "spec"].map(|name| {
        std::fs::create_dir(base.path().join(name)).unwrap();
        let grant = Grant::open(name, &base.path().join(name), Access::ReadWrite, &Reserved::none()).unwrap();
        grant.allowing(PLACE).unwrap()
    });
    let world = World::with(base, Grants::new(grants.into()).unwrap());
    let (kind, message) = refusal(&update(&world, &["new"]));
    assert_eq!(kind, ErrorKind::InvalidInput);
    assert!(message.contains("`sdk`, `spec`"), "{message}");
    let call = |grant: &str| world.call("UpdateCspellWords", &json!({"words": ["new"], "grant": grant}));
    for grant in ["other", "", "..", "spec/..", "/spec", "spec/sub"] {
        assert_eq!(refusal(&call(grant)).0, ErrorKind::NotPermitted, "{grant}");
    }
    assert_eq!(answer(call("spec"))["filePath"], "spec/.vscode/cspell.json");
    assert!(world.base.path().join("spec").join(PLACE).is_file());
    assert!(!world.base.path().join("sdk/.vscode").exists());
}

#[test]
fn file_that_cannot_be_understood_stays_and_its_place_is_named() {
    for (text, place) in [
        ("{\n  \"words\": [\"a\" \"b\"]\n}\n", "line 2, column 16"),
        ("{\n  \"words\": \"a\"\n}\n", "line 2, column 12"),
        ("{\n  \"words\": [\n    1\n  ]\n}\n", "line 3, column 5"),
        ("", "line 1, column 1"),
        ("{\"words\": []", "line 1"),
    ] {
        let world = world(Some(text), &[PLACE]);
        let (kind, message) = refusal(&update(&world, &["new"]));
        assert_eq!(kind, ErrorKind::Failed, "{text}");
        assert!(message.contains(place) && message.contains("was not changed"), "{text}: {message}");
        assert_eq!(std::fs::read_to_string(config(&world)).unwrap(), text);
    }
    // As deep as is read, in the guest's own small stack, and far deeper.
    let deep = format!("{{\"words\": [], \"deep\": {}1{}}}", "{\"a\": [".repeat(31), "]}".repeat(31));
    let world_of_deep = world(Some(&deep), &[PLACE]);
    let _ = answer(update(&world_of_deep, &["new"]));
    let deep = format!("{{\"words\": [], \"deep\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let world = world(Some(&deep), &[PLACE]);
    assert_eq!(refusal(&update(&world, &["new"])).0, ErrorKind::Failed);
}

#[test]
fn long_list_gets_its_words_within_the_limits() {
    let words: Vec<String> = (0..30_000).map(|number| format!("    \"word{number:05}\"")).collect();
    let world = world(Some(&format!("{{\n  \"words\": [\n{}\n  ]\n}}\n", words.join(",\n"))), &[PLACE]);
    let new: Vec<String> = (0..30_000).step_by(1_000).map(|number| format!("word{number:05}a")).collect();
    let answer = answer(world.call("UpdateCspellWords", &json!({"words": new})));
    assert_eq!(answer["added"].as_array().unwrap().len(), 30);
    let text = std::fs::read_to_string(config(&world)).unwrap();
    let made: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(made["words"].as_array().unwrap().len(), 30_030);
    assert!(made["words"].as_array().unwrap().is_sorted_by_key(|word| word.as_str().unwrap().to_owned()));
}

#[test]
fn text_that_is_not_a_word_is_invalid_and_nothing_is_made() {
    let world = world(None, &[PLACE]);
    let long = "w".repeat(5_000);
    for words in [vec![], vec!["fine", ""], vec!["two words"], vec!["line\nfeed"], vec!["nul\0"], vec![long.as_str()]] {
        assert_eq!(refusal(&update(&world, &words)).0, ErrorKind::InvalidInput, "{words:?}");
    }
    for input in [json!({}), json!({"words": "a"}), json!({"words": [1]}), json!({"words": ["a"], "filePath": "x"})] {
        let report = world.call("UpdateCspellWords", &input);
        assert!(report.outcome.is_err(), "{input}");
        assert_eq!(report.cost.host_calls, 0, "{input}");
    }
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 0);
}
