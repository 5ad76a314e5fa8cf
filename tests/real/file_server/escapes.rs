//! The ways out that the reference server had or has, over stdio.

use super::world::{SECRET, World, is_error, taken};
use bailiwick_tests::text;
use rustix::fs::{CWD, Mode};
use serde_json::{Value, json};

#[test]
fn links_lead_nowhere_outside_and_are_followed_inside() {
    let world = World::new().with_links();
    let mut client = world.ours(json!({}));
    let before = world.snapshot();
    let calls: [(&str, Value); 12] = [
        ("read_text_file", json!({ "path": "{base}/allowed/link" })),
        ("read_text_file", json!({ "path": "{base}/allowed/relative" })),
        ("read_text_file", json!({ "path": "{base}/allowed/chain" })),
        ("read_text_file", json!({ "path": "{base}/allowed/to-outside/secret" })),
        ("read_multiple_files", json!({ "paths": ["{base}/allowed/link", "{base}/allowed/chain"] })),
        ("list_directory", json!({ "path": "{base}/allowed/to-outside" })),
        ("directory_tree", json!({ "path": "{base}/allowed/to-outside" })),
        ("write_file", json!({ "path": "{base}/allowed/link", "content": "x" })),
        ("write_file", json!({ "path": "{base}/allowed/dangling", "content": "x" })),
        ("edit_file", json!({ "path": "{base}/allowed/link", "edits": [{ "oldText": "nobody", "newText": "all" }] })),
        ("create_directory", json!({ "path": "{base}/allowed/to-outside/new" })),
        ("move_file", json!({ "source": "{base}/allowed/a.txt", "destination": "{base}/allowed/to-outside/a.txt" })),
    ];
    for (tool, arguments) in calls {
        let answer = client.call(tool, world.placed(&arguments));
        assert!(!answer.to_string().contains(SECRET), "{answer:#}");
        let refused = is_error(&answer) || text(&answer).matches(": Error - ").count() == 2;
        assert!(refused, "{tool} {arguments}: {answer:#}");
    }
    assert_eq!(world.snapshot(), before);
    assert_eq!(std::fs::read_to_string(world.path("outside/secret")).unwrap(), SECRET);
    assert!(!world.path("outside/missing").exists());
    let inside = client.call("read_text_file", world.placed(&json!({ "path": "{base}/allowed/inside/y.py" })));
    assert_eq!(text(&inside), "print(1)\n");
    // A tree shows links and does not follow them.
    let tree = client.call("directory_tree", world.placed(&json!({ "path": "{base}/allowed" })));
    assert!(!tree.to_string().contains("secret"), "{tree:#}");
}

#[test]
fn nothing_is_moved_over_what_is_there() {
    let world = World::new().with_links();
    let mut client = world.ours(json!({}));
    let before = world.snapshot();
    for (source, destination) in [
        ("a.txt", "crlf.txt"),
        ("a.txt", "link"),
        ("a.txt", "dangling"),
        ("a.txt", "sub"),
        ("a.txt", "a.txt"),
        ("sub", "made"),
        ("sub", "sub/deep/sub"),
        ("a.txt", "to-outside/"),
        ("a.txt", "none/x"),
        (".", "x"),
        ("a.txt", "made/.git/hooks"),
    ] {
        let arguments =
            json!({ "source": format!("allowed/{source}"), "destination": format!("allowed/{destination}") });
        let answer = client.call("move_file", arguments);
        assert!(is_error(&answer), "{source} {destination}: {answer:#}");
    }
    assert_eq!(world.snapshot(), before);
    // A link is moved itself, wherever it leads.
    let moved = client.call("move_file", json!({ "source": "allowed/link", "destination": "allowed/sub/link" }));
    assert!(!is_error(&moved) && world.path("allowed/sub/link").is_symlink(), "{moved:#}");
}

#[test]
fn pipes_without_a_writer_do_not_block() {
    let world = World::new();
    let mut client = world.ours(json!({}));
    for index in 0..4 {
        let path = world.path(&format!("allowed/pipe{index}"));
        rustix::fs::mknodat(CWD, &path, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    }
    // All at once, as they block the reference server's threads: then nothing else is answered.
    let begun: Vec<u64> = (0..4)
        .map(|index| {
            let path = world.at(&format!("allowed/pipe{index}"));
            client.begin("tools/call", json!({ "name": "read_text_file", "arguments": { "path": path } }))
        })
        .collect();
    let read = client.call("read_text_file", json!({ "path": world.at("allowed/a.txt") }));
    assert_eq!(text(&read), "one\ntwo\nthree\n");
    for id in begun {
        let answer = taken(&mut client, id);
        assert!(text(&answer["result"]).contains("is not a regular file"), "{answer:#}");
    }
}

#[test]
fn huge_file_is_refused_by_name_and_read_in_parts() {
    let world = World::new();
    let mut client = world.ours(json!({}));
    let path = world.path("allowed/huge.txt");
    std::fs::File::create(&path).unwrap().set_len(600 << 20).unwrap();
    std::fs::write(world.path("allowed/long.txt"), "line\n".repeat(300_000)).unwrap();
    for (mut arguments, part) in [(json!({}), "read it in parts"), (json!({ "tail": 1 }), "the last 1 lines of")] {
        arguments["path"] = json!(path);
        let answer = client.call("read_text_file", arguments);
        assert!(is_error(&answer) && text(&answer).contains(part), "{answer:#}");
    }
    let long = world.at("allowed/long.txt");
    assert!(is_error(&client.call("read_text_file", json!({ "path": long }))));
    let last = client.call("read_text_file", json!({ "path": long, "tail": 2 }));
    assert_eq!(text(&last), "line\nline\n");
    let part = client.call("read_text_file", json!({ "path": long, "startLine": 2 }));
    let note = part["content"][1]["text"].as_str().unwrap();
    assert!(note.contains("the answer is full after line") && note.contains("read on with `startLine`"), "{note}");
}
