//! Edits of one file at the same time: each is there or said not to be.

use crate::common::World;
use bailiwick_sandbox::{Access, CallError};
use serde_json::json;

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line} of it\n")).collect()
}

#[test]
fn edit_that_is_reported_is_in_the_file_and_every_other_one_is_an_error() {
    let world = World::new(Access::ReadWrite);
    let path = world.granted().join("shared.txt");
    std::fs::write(&path, lines(64)).unwrap();
    let done: Vec<bool> = std::thread::scope(|scope| {
        let world = &world;
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                scope.spawn(move || {
                    (0..8)
                        .map(|number| {
                            let line = thread * 8 + number;
                            let input = json!({
                                "filePath": "box/shared.txt",
                                "oldContent": format!("line {line} of it\n"),
                                "newContent": format!("edit {line} of it\n"),
                            });
                            match world.call("CodePatch", &input).outcome {
                                Ok(_) => true,
                                Err(CallError::Tool(error)) => {
                                    assert!(error.message.contains("changed by somebody else"), "{error}");
                                    false
                                }
                                Err(other) => panic!("{other}"),
                            }
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let content = std::fs::read_to_string(&path).unwrap();
    for (line, done) in done.iter().enumerate() {
        assert_eq!(content.contains(&format!("edit {line} of it\n")), *done, "line {line}");
    }
    assert!(done.iter().any(|done| *done));
    assert_eq!(std::fs::read_dir(world.granted()).unwrap().count(), 3, "nothing is left behind");
}

#[test]
fn leftover_of_a_killed_call_is_cleared_by_any_write_beside_it_and_one_in_progress_is_not() {
    let world = World::new(Access::ReadWrite);
    let write = || world.call("WriteFile", &json!({"filePath": "box/inside.txt", "content": "new\n"})).outcome;
    write().unwrap();
    // The name a tool uses follows from the path; every number of it is taken here.
    let name = |number: u32| {
        let hash = "inside.txt"
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        world.granted().join(format!(".bailiwick-tmp-{hash:016x}-{number}"))
    };
    for number in 0..64 {
        std::fs::write(name(number), "left").unwrap();
    }
    write().unwrap();
    assert!((0..64).all(|number| !name(number).exists()), "they belong to no call");
    let held = std::fs::File::create(name(0)).unwrap();
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).unwrap();
    write().unwrap();
    assert!(name(0).exists() && !name(1).exists(), "one that is held is stepped over");
    // Of other files, and what only looks like one: a second name, a link, a name that no tool makes.
    let beside = |name: &str| world.granted().join(name);
    let [left, linked, link, similar] = ["0123456789abcdef-3", "0123456789abcdef-4", "0123456789abcdef-5", "notes"]
        .map(|end| beside(&format!(".bailiwick-tmp-{end}")));
    for path in [&left, &linked, &similar] {
        std::fs::write(path, "left").unwrap();
    }
    std::fs::hard_link(&linked, beside("second")).unwrap();
    std::os::unix::fs::symlink("inside.txt", &link).unwrap();
    write().unwrap();
    assert!(!left.exists() && name(0).exists());
    assert!(linked.exists() && link.is_symlink() && similar.exists());
}
