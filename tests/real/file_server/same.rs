//! The same calls get the same answers, but for differences that are meant; `docs/reference/file-server.md` has the table of them.

use super::world::{World, is_error};
use bailiwick_tests::text;
use serde_json::{Value, json};

/// How an answer is compared.
#[derive(Clone, Copy)]
enum As {
    /// To the letter.
    Text,
    /// Line by line in any order: the reference server lists as the filesystem happens to.
    Lines,
    /// As JSON, lists in any order.
    Tree,
    /// The lines that ours has are among theirs.
    Some,
    /// All parts are the same.
    Media,
    /// Both refuse.
    Refused,
}

fn calls() -> Vec<(&'static str, Value, As)> {
    vec![
        ("read_text_file", json!({ "path": "{base}/allowed/a.txt" }), As::Text),
        ("read_file", json!({ "path": "{base}/allowed/a.txt" }), As::Text),
        ("read_text_file", json!({ "path": "{base}/allowed/a.txt", "head": 2 }), As::Text),
        ("read_text_file", json!({ "path": "{base}/allowed/no-end.txt", "tail": 2 }), As::Text),
        ("read_text_file", json!({ "path": "{base}/allowed/crlf.txt" }), As::Text),
        ("read_text_file", json!({ "path": "{base}/allowed/sub/./deep//x.py" }), As::Text),
        ("read_text_file", json!({ "path": "{base}/allowed/sub/deep/../y.py" }), As::Text),
        ("read_text_file", json!({ "path": "{base}/allowed/a.txt", "head": 1, "tail": 1 }), As::Refused),
        ("read_text_file", json!({ "path": "{base}/allowed/missing" }), As::Refused),
        ("read_text_file", json!({ "path": "{base}/allowed" }), As::Refused),
        ("read_multiple_files", json!({ "paths": ["{base}/allowed/a.txt", "{base}/allowed/sub/y.py"] }), As::Text),
        ("read_multiple_files", json!({ "paths": [] }), As::Refused),
        ("read_media_file", json!({ "path": "{base}/allowed/image.png" }), As::Media),
        ("read_media_file", json!({ "path": "{base}/allowed/latin1.txt" }), As::Media),
        ("read_media_file", json!({ "path": "{base}/allowed/none.png" }), As::Refused),
        ("list_directory", json!({ "path": "{base}/allowed" }), As::Lines),
        ("list_directory", json!({ "path": "{base}/allowed/a.txt" }), As::Refused),
        ("list_directory_with_sizes", json!({ "path": "{base}/allowed/sub/deep" }), As::Text),
        ("list_directory_with_sizes", json!({ "path": "{base}/allowed" }), As::Lines),
        ("list_directory_with_sizes", json!({ "path": "{base}/allowed/sub/deep", "sortBy": "size" }), As::Text),
        ("directory_tree", json!({ "path": "{base}/allowed/sub" }), As::Tree),
        ("directory_tree", json!({ "path": "{base}/allowed", "excludePatterns": ["made", "*.txt"] }), As::Tree),
        ("directory_tree", json!({ "path": "{base}/allowed/sub", "excludePatterns": ["**/*.py"] }), As::Tree),
        ("search_files", json!({ "path": "{base}/allowed", "pattern": "**/*.py" }), As::Lines),
        ("search_files", json!({ "path": "{base}/allowed", "pattern": "*.txt" }), As::Lines),
        (
            "search_files",
            json!({ "path": "{base}/allowed", "pattern": "**/*.{py,txt}", "excludePatterns": ["sub/deep"] }),
            As::Lines,
        ),
        ("search_files", json!({ "path": "{base}/allowed", "pattern": "nothing" }), As::Text),
        ("get_file_info", json!({ "path": "{base}/allowed/a.txt" }), As::Some),
        ("list_allowed_directories", json!({}), As::Text),
        ("write_file", json!({ "path": "{base}/allowed/new.txt", "content": "é\r\nnew" }), As::Text),
        ("write_file", json!({ "path": "{base}/allowed/new.txt", "content": "newer\n" }), As::Text),
        (
            "edit_file",
            json!({ "path": "{base}/allowed/a.txt", "edits": [{ "oldText": "two", "newText": "2" }], "dryRun": true }),
            As::Text,
        ),
        (
            "edit_file",
            json!({ "path": "{base}/allowed/a.txt", "edits": [
                { "oldText": "one\n", "newText": "ONE\nand a half\n" }, { "oldText": "half", "newText": "bit" },
            ] }),
            As::Text,
        ),
        (
            "edit_file",
            json!({ "path": "{base}/allowed/sub/y.py", "edits": [{ "oldText": "  print(1)", "newText": "  print(3)" }] }),
            As::Text,
        ),
        (
            "edit_file",
            json!({ "path": "{base}/allowed/a.txt", "edits": [{ "oldText": "absent", "newText": "" }] }),
            As::Refused,
        ),
        ("create_directory", json!({ "path": "{base}/allowed/new/er" }), As::Text),
        ("create_directory", json!({ "path": "{base}/allowed/new/er" }), As::Text),
        ("create_directory", json!({ "path": "{base}/allowed/a.txt" }), As::Refused),
        (
            "move_file",
            json!({ "source": "{base}/allowed/new.txt", "destination": "{base}/allowed/new/er/x.txt" }),
            As::Text,
        ),
        ("move_file", json!({ "source": "{base}/allowed/new", "destination": "{base}/allowed/moved" }), As::Text),
        (
            "move_file",
            json!({ "source": "{base}/allowed/a.txt", "destination": "{base}/allowed/crlf.txt" }),
            As::Refused,
        ),
        ("move_file", json!({ "source": "{base}/allowed/none", "destination": "{base}/allowed/x" }), As::Refused),
    ]
}

#[test]
fn same_calls_get_the_same_answers_and_leave_the_same_files() {
    let (one, other) = (World::new(), World::new());
    let (mut ours, mut theirs) = (one.ours(json!({})), other.theirs(json!({})));
    for (tool, arguments, comparison) in calls() {
        let answer = ours.call(tool, one.placed(&arguments));
        let expected = theirs.call(tool, other.placed(&arguments));
        let told = format!("{tool} {arguments}\nours: {answer:#}\ntheirs: {expected:#}");
        if let As::Refused = comparison {
            assert!(is_error(&answer) && is_error(&expected), "{told}");
            continue;
        }
        assert!(!is_error(&answer) && !is_error(&expected), "{told}");
        if let As::Media = comparison {
            let parts = |world: &World, answer: &Value| {
                answer["content"].to_string().replace(world.base.path().to_str().unwrap(), "{base}")
            };
            assert_eq!(parts(&one, &answer), parts(&other, &expected), "{told}");
            continue;
        }
        let here = |world: &World, answer: &Value| text(answer).replace(world.base.path().to_str().unwrap(), "{base}");
        let (answered, expected) = (here(&one, &answer), here(&other, &expected));
        match comparison {
            As::Text | As::Refused | As::Media => assert_eq!(answered, expected, "{told}"),
            As::Lines => assert_eq!(sorted(&answered), sorted(&expected), "{told}"),
            As::Tree => assert_eq!(tree(&answered), tree(&expected), "{told}"),
            As::Some => {
                let known = ["size", "isDirectory", "isFile"];
                let of = |text: &str| -> Vec<String> {
                    text.lines()
                        .filter(|line| known.iter().any(|name| line.starts_with(name)))
                        .map(str::to_owned)
                        .collect()
                };
                assert_eq!(of(&answered), of(&expected), "{told}");
            }
        }
    }
    assert_eq!(one.snapshot(), other.snapshot());
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines
}

fn tree(text: &str) -> Value {
    fn sort(value: &mut Value) {
        for entry in value.as_array_mut().unwrap().iter_mut() {
            if let Some(children) = entry.get_mut("children") {
                sort(children);
            }
        }
        value.as_array_mut().unwrap().sort_by_key(|entry| entry["name"].as_str().unwrap().to_owned());
    }
    let mut value = serde_json::from_str(text).unwrap();
    sort(&mut value);
    value
}

#[test]
fn differences_are_those_that_are_meant() {
    let (one, other) = (World::new(), World::new());
    let (mut ours, mut theirs) = (one.ours(json!({})), other.theirs(json!({})));
    let mut both = |tool: &str, arguments: Value| {
        let answer = ours.call(tool, one.placed(&arguments));
        assert!(answer.get("structuredContent").is_none(), "the text is sent once: {answer:#}");
        (answer, theirs.call(tool, other.placed(&arguments)))
    };
    let edit = |path: &str, old: &str, new: &str| json!({ "path": format!("{{base}}/allowed/{path}"), "edits": [{ "oldText": old, "newText": new }] });

    // The last lines are whole lines.
    let (answer, theirs) = both("read_text_file", json!({ "path": "{base}/allowed/a.txt", "tail": 2 }));
    assert_eq!((text(&answer), text(&theirs)), ("two\nthree\n", "three\n"));
    let (answer, theirs) =
        both("read_text_file", json!({ "path": "{base}/allowed/a.txt", "startLine": 2, "endLine": 2 }));
    assert_eq!((text(&answer), text(&theirs)), ("two\n", "one\ntwo\nthree\n"));
    // What is no text is refused.
    for path in ["latin1.txt", "image.png"] {
        let (answer, theirs) = both("read_text_file", json!({ "path": format!("{{base}}/allowed/{path}") }));
        assert!(is_error(&answer) && !is_error(&theirs), "{answer:#}");
    }
    let (answer, theirs) = both("edit_file", edit("latin1.txt", "caf", "tea"));
    assert!(is_error(&answer) && !is_error(&theirs), "{answer:#}");
    // Line endings stay.
    let (answer, _) = both("edit_file", edit("crlf.txt", "one\ntwo", "1\n2"));
    assert!(!is_error(&answer), "{answer:#}");
    // A place that is not the only one is refused, and so is what is no place at all.
    for arguments in [edit("twice.txt", "x = 1", "x = 2"), edit("twice.txt", "", "y"), edit("twice.txt", "x", "x")] {
        let (answer, theirs) = both("edit_file", arguments);
        assert!(is_error(&answer) && !is_error(&theirs), "{answer:#}");
    }
    // Directories of made files are not looked into, and the answer says so.
    let (answer, theirs) = both("search_files", json!({ "path": "{base}/allowed", "pattern": "**/{index.js,config}" }));
    assert_eq!(text(&answer), "No matches found");
    let note = answer["content"][1]["text"].as_str().unwrap();
    assert!(note.contains("made/.git, made/node_modules"), "{note}");
    assert_eq!(text(&theirs).lines().count(), 2);
    let (answer, _) = both("directory_tree", json!({ "path": "{base}/allowed/made" }));
    assert!(text(&answer).contains("\"skipped\": true") && answer["content"][1]["text"].is_string(), "{answer:#}");
    let (answer, _) = both("search_files", json!({ "path": "{base}/allowed/made/node_modules", "pattern": "**/*.js" }));
    assert!(text(&answer).ends_with("made/node_modules/m/index.js"), "{answer:#}");
    // Several files: what cannot be read is said in its place.
    let (answer, _) =
        both("read_multiple_files", json!({ "paths": ["{base}/allowed/latin1.txt", "{base}/allowed/a.txt"] }));
    assert!(
        text(&answer).contains("latin1.txt: Error - ") && text(&answer).ends_with("one\ntwo\nthree\n\n"),
        "{answer:#}"
    );
    // Directories above a new file are made.
    let (answer, theirs) = both("write_file", json!({ "path": "{base}/allowed/far/away.txt", "content": "" }));
    assert!(!is_error(&answer) && is_error(&theirs), "{answer:#}");

    let read = |world: &World, path: &str| std::fs::read(world.path("allowed").join(path)).unwrap();
    assert_eq!(read(&one, "latin1.txt"), b"caf\xe9\n");
    assert_eq!(read(&other, "latin1.txt"), "tea\u{fffd}\n".as_bytes());
    assert_eq!((read(&one, "crlf.txt"), read(&other, "crlf.txt")), (b"1\r\n2\r\n".to_vec(), b"1\n2\n".to_vec()));
    assert_eq!(
        (read(&one, "twice.txt"), read(&other, "twice.txt")),
        (b"x = 1\nx = 1\n".to_vec(), b"yx = 2\nx = 1\n".to_vec())
    );
}
