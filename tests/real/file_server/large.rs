//! Directories and files that are too large for one answer.

use super::world::{World, is_error};
use bailiwick_tests::text;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn directory_of_65_000_names_is_listed_as_far_as_an_answer_goes_and_says_how_to_go_on() {
    const NAMES: usize = 65_000;
    let world = World::new();
    let many = world.path("allowed/many");
    std::fs::create_dir(&many).unwrap();
    std::fs::write(many.join("m00000"), "").unwrap();
    // Further names of one file are the cheapest there are. There are bounds on how many one has.
    for number in 1..NAMES {
        let name = many.join(format!("m{number:05}"));
        if std::fs::hard_link(many.join(format!("m{:05}", number / 1000 * 1000)), &name).is_err() {
            std::fs::write(name, "").unwrap();
        }
    }
    let mut client = world.ours(json!({}));
    for tool in ["list_directory", "list_directory_with_sizes"] {
        let listed = client.call(tool, json!({ "path": world.at("allowed/many") }));
        assert!(!is_error(&listed), "{tool}: {}", text(&listed));
        let lines: Vec<&str> = text(&listed).lines().filter(|line| line.starts_with("[FILE] m")).collect();
        assert_eq!(lines.len(), 10_000, "{tool}");
        assert!(lines[9_999].contains("m09999"), "{tool}: the first of them, sorted: {}", lines[9_999]);
        let note = listed["content"][1]["text"].as_str().unwrap();
        assert!(note.contains("has 65000 names, and these are the first 10000"), "{note}");
        assert!(note.contains("`search_files`"), "{note}");
        assert_eq!(text(&listed).contains("Total of these: 10000 files"), tool != "list_directory", "{tool}");
    }
    let found = client.call("search_files", json!({ "path": world.at("allowed/many"), "pattern": "m6499*" }));
    assert_eq!(text(&found).lines().count(), 10, "{found:#}");
}

#[test]
fn file_of_a_tebibyte_of_nothing_is_refused_in_bounded_time_by_whatever_part_is_asked_for() {
    let world = World::new();
    let path = world.path("allowed/huge");
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    // And one whose lines begin behind what is looked through.
    let file = std::fs::File::create(world.path("allowed/late")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, b"\nlast line\n", 1 << 40).unwrap();
    let mut client = world.ours(json!({}));
    let mut said = |name: &str, part: serde_json::Value| {
        let mut arguments = json!({ "path": world.at(&format!("allowed/{name}")) });
        arguments.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        let started = Instant::now();
        let answer = client.call("read_text_file", arguments.clone());
        assert!(started.elapsed() < Duration::from_secs(25), "{arguments}: {:?}", started.elapsed());
        (is_error(&answer), text(&answer).to_owned())
    };
    for (part, about) in [
        (json!({}), "read it in parts"),
        (json!({ "head": 1 }), "line 1 of"),
        (json!({ "startLine": 1, "endLine": 1 }), "line 1 of"),
        (json!({ "startLine": 2 }), "as far as lines are counted"),
        (json!({ "tail": 1 }), "the last 1 lines of"),
        (json!({ "tail": 4_000_000_000_u32 }), "lines of"),
    ] {
        let (refused, words) = said("huge", part.clone());
        assert!(refused && words.contains(about) && words.len() < 400, "{part}: {words}");
    }
    assert_eq!(said("late", json!({ "tail": 1 })), (false, "last line\n".into()));
    let answer = client.call("read_multiple_files", json!({ "paths": [world.at("allowed/huge"), "a.txt"] }));
    assert!(text(&answer).contains("has more than 1048576 bytes") && text(&answer).contains("two"), "{answer:#}");
    for tool in ["read_media_file", "edit_file"] {
        let edits = json!([{ "oldText": "x", "newText": "y" }]);
        let arguments = json!({ "path": world.at("allowed/huge"), "edits": edits });
        let arguments = if tool == "edit_file" { arguments } else { json!({ "path": arguments["path"] }) };
        let answer = client.call(tool, arguments);
        assert!(is_error(&answer), "{tool}: {answer:#}");
    }
}
