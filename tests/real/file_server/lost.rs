//! What becomes of a directory that is taken from under the server, and of a server that is killed while it writes.

use super::world::{World, is_error};
use bailiwick_tests::text;
use serde_json::json;

#[test]
fn directory_that_is_replaced_while_it_is_served_is_not_taken_for_the_one_that_was_granted() {
    let world = World::new();
    let mut client = world.ours(json!({}));
    let path = world.at("allowed/a.txt");
    let moved = "the directory that was granted as `allowed` was moved, removed or replaced since";
    std::fs::rename(world.path("allowed"), world.path("moved")).unwrap();
    for replaced in [false, true] {
        if replaced {
            std::fs::create_dir(world.path("allowed")).unwrap();
            std::fs::write(&path, "another\n").unwrap();
        }
        for path in [path.as_str(), "allowed/a.txt", "a.txt"] {
            let read = client.call("read_text_file", json!({ "path": path }));
            let written = client.call("write_file", json!({ "path": path, "content": "x" }));
            for answer in [read, written] {
                let said = text(&answer);
                assert!(
                    is_error(&answer) && said.contains(moved) && said.contains("start this server again"),
                    "{said}"
                );
                assert!(!said.contains("moved/"), "the answer does not say where it went: {said}");
            }
        }
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "another\n");
    assert_eq!(std::fs::read_to_string(world.path("moved/a.txt")).unwrap(), "one\ntwo\nthree\n");
    std::fs::remove_dir_all(world.path("allowed")).unwrap();
    std::fs::rename(world.path("moved"), world.path("allowed")).unwrap();
    assert_eq!(text(&client.call("read_text_file", json!({ "path": path }))), "one\ntwo\nthree\n");
}

/// The names in `allowed` of replacements in progress.
fn in_progress(world: &World) -> Vec<String> {
    let names = std::fs::read_dir(world.path("allowed")).unwrap().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".bailiwick-tmp-")).collect()
}

#[test]
fn server_that_is_killed_while_it_writes_leaves_the_file_whole_and_the_next_write_clears_up_behind_it() {
    let world = World::new();
    let content = "0123456789abcde\n".repeat(256 << 10);
    // Whether it is killed in the middle is luck: until it was.
    for _ in 0..100 {
        let mut client = world.ours(json!({}));
        assert!(!is_error(&client.call("read_text_file", json!({ "path": "a.txt" }))), "it is ready");
        client
            .begin("tools/call", json!({ "name": "write_file", "arguments": { "path": "a.txt", "content": content } }));
        let begun = std::time::Instant::now();
        while in_progress(&world).is_empty() && std::fs::metadata(world.path("allowed/a.txt")).unwrap().len() < 20 {
            assert!(begun.elapsed() < std::time::Duration::from_secs(60), "nothing was written");
            std::thread::yield_now();
        }
        client.signal(rustix::process::Signal::KILL);
        if !in_progress(&world).is_empty() {
            assert_eq!(std::fs::read_to_string(world.path("allowed/a.txt")).unwrap(), "one\ntwo\nthree\n");
            let mut client = world.ours(json!({}));
            assert!(!is_error(&client.call("write_file", json!({ "path": "b.txt", "content": "b" }))));
            assert_eq!(in_progress(&world), Vec::<String>::new());
            return;
        }
        std::fs::write(world.path("allowed/a.txt"), "one\ntwo\nthree\n").unwrap();
    }
    panic!("it was never killed in the middle");
}
