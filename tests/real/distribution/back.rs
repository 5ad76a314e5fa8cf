//! A tag that was put back to an older tool.

use super::server::{For, Server};
use super::{CALL, World, server, text};

#[test]
fn older_tool_takes_the_place_of_a_newer_one_only_where_a_person_wants_that() {
    if !server::there() {
        return;
    }
    let world = World::new();
    let server = Server::start(world.base.path(), For::Everyone);
    let (first, second) = (world.project("first", "1.9"), world.project("second", "1.10"));
    let tag = format!("oci://{}/team/lines:latest", server.host);
    let push = |project| world.json(&["tool", "push", text(project), &tag])["artifact"].as_str().unwrap().to_owned();
    let approve = || {
        let inspected = world.json(&["tool", "inspect", "lines"]);
        world.says(0, &["tool", "approve", "lines", "--reviewed", inspected["review"].as_str().unwrap()]);
        inspected["warnings"].to_string()
    };
    let old = push(&first);
    world.says(0, &["tool", "add", &tag]);
    approve();
    let new = push(&second);
    world.says(0, &["tool", "update", "lines"]);
    assert!(!approve().contains("older"));
    let lock = || std::fs::read_to_string(world.path("state/tools/tools.lock")).unwrap();
    assert!(lock().contains(&new));

    assert_eq!(push(&first), old);
    let index = || std::fs::read_to_string(world.path("state/tools/added.json")).unwrap();
    let before = index();
    let told = world.says(3, &["tool", "update", "lines"]);
    assert!(told.contains("goes back: it is older than what is used: version 1.9 after 1.10"), "{told}");
    assert!(told.contains("--older"), "{told}");
    assert_eq!(index(), before);
    // From a file it is no other thing.
    world.says(3, &["tool", "update", "lines", text(&first)]);
    assert!(world.says(0, &CALL).contains("a.txt"));

    // Wanted: it is said again where it is approved, and the newer one is used until then.
    let told = world.says(0, &["tool", "update", "lines", "--older"]);
    assert!(told.contains("warning: it is older") && told.contains("waits for your approval"), "{told}");
    assert!(lock().contains(&new) && world.says(0, &CALL).contains("a.txt"));
    assert!(approve().contains("it is older than what is used: version 1.9 after 1.10"));
    assert!(lock().contains(&old) && world.says(0, &CALL).contains("a.txt"));

    // A newer version with a component that was used before is a step back, too.
    let manifest = second.join("tool.toml");
    let words = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, words.replace("1.10", "1.11")).unwrap();
    push(&second);
    assert!(world.says(3, &["tool", "update", "lines"]).contains("its component was used before"));
}
