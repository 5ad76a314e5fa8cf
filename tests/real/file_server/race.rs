//! A directory and a link to the outside change places all the time. The reference server looks first and opens then; ours
//! opens beneath a handle. How often theirs is caught is printed beside it and not asserted: it is a race.

use super::world::{SECRET, World, taken};
use bailiwick_tests::Mcp;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls in each direction.
const CALLS: usize = 800;
/// Calls that are open at once.
const AT_ONCE: usize = 8;

/// What came of many calls while the places changed.
#[derive(Debug, Default)]
struct Caught {
    reads: usize,
    writes: usize,
    /// Calls that met the directory itself.
    met: usize,
}

#[test]
fn directory_that_becomes_a_link_between_look_and_open_lets_nothing_out() {
    let ours = race(World::ours, CALLS);
    let theirs = race(World::theirs, CALLS);
    println!("ours: {ours:?}\nthe reference server: {theirs:?}");
    assert_eq!((ours.reads, ours.writes), (0, 0), "{ours:?}");
    assert!(ours.met > 0, "no side ever won the race: {ours:?}");
}

fn race(serve: fn(&World, serde_json::Value) -> Mcp, calls: usize) -> Caught {
    let world = World::new();
    std::fs::create_dir(world.path("allowed/swap")).unwrap();
    std::fs::write(world.path("allowed/swap/secret"), "harmless").unwrap();
    std::os::unix::fs::symlink(world.path("outside"), world.path("allowed/other")).unwrap();
    let mut client = serve(&world, json!({}));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| flip(&world.path("allowed"), &over));
        let mut caught = Caught::default();
        let path = world.at("allowed/swap/secret");
        for _ in 0..calls / AT_ONCE {
            let ids: Vec<u64> = (0..AT_ONCE)
                .map(|_| client.begin("tools/call", json!({ "name": "read_text_file", "arguments": { "path": path } })))
                .collect();
            for id in ids {
                let answer = taken(&mut client, id).to_string();
                caught.reads += usize::from(answer.contains(SECRET));
                caught.met += usize::from(answer.contains("harmless"));
            }
        }
        for number in 0..calls / AT_ONCE {
            let ids: Vec<u64> = (0..AT_ONCE)
                .map(|at| {
                    let path = world.at(&format!("allowed/swap/new-{number}-{at}"));
                    let arguments = json!({ "path": path, "content": "w" });
                    client.begin("tools/call", json!({ "name": "write_file", "arguments": arguments }))
                })
                .collect();
            for id in ids {
                taken(&mut client, id);
            }
        }
        over.store(true, Ordering::Relaxed);
        caught.writes = std::fs::read_dir(world.path("outside")).unwrap().count() - 1;
        caught
    })
}

fn flip(directory: &Path, over: &AtomicBool) {
    let (one, other) = (directory.join("swap"), directory.join("other"));
    while !over.load(Ordering::Relaxed) {
        let _ = renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
    }
}
