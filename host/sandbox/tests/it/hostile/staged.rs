//! Grants in two layers, as a customization works on them.

use super::links::the_link_itself;
use super::world::World;
use crate::common;
use bailiwick_sandbox::{Access, Grant, Grants, Reserved};
use rustix::fd::OwnedFd;
use serde_json::json;

/// `frozen` below, `stage` above, and a plain writable grant beside them.
fn staged() -> World {
    let world = World::new();
    world.write("stage/staged.txt", "staged\n");
    world.write("stage/both/above.txt", "above\n");
    world.write("frozen/both/below.txt", "below\n");
    world.write("frozen/staged.txt", "below the stage\n");
    world.link("frozen/link-below", "inside.txt");
    world.grant_staged("box", "frozen", "stage").grant("other", "other", Access::ReadWrite)
}

/// `World::run` holds the lower layer to be unchanged, times and all: only the stage counts as granted.
#[test]
pub(crate) fn a_staged_grant_leaves_the_layer_below_alone() {
    let world = staged();
    let ran = world.run("a_staged_grant_leaves_the_layer_below_alone");
    ran.assert_results(&[
        ("create", "staged.txt", "ok: 7"),
        ("read", "staged.txt", "ok: hostile"),
        ("read", "inside.txt", "ok: inside\n"),
        ("unlink-file-at", "inside.txt", "no-entry"),
    ]);
    assert_eq!(world.read("stage/staged.txt"), "hostile");
    assert_eq!(world.read("frozen/staged.txt"), "below the stage\n");
    // What can be opened for writing is a file of the stage; new files may be made where it has the directory.
    ran.assert_only(|answer| {
        let opened = answer.call.strip_prefix("open-at ").map(|flags| flags.split(", ").next().unwrap_or(flags));
        match opened {
            Some(flags) => {
                !flags.contains(['c', 't', 'w'])
                    || answer.path == "new.txt"
                    || answer.path == "leaf.txt"
                    || answer.path == "inside.txt"
            }
            None => true,
        }
    });
}

#[test]
pub(crate) fn links_in_either_layer_do_not_escape() {
    let world = staged();
    for (layer, said) in [("frozen", "below"), ("stage", "above")] {
        world.link(&format!("{layer}/hidden-{said}"), "../outside");
        world.link(&format!("{layer}/absolute-{said}"), world.at("outside"));
    }
    world.link("stage/to-the-other-layer", "../frozen");
    world.link("frozen/to-below", "../frozen");
    let ran = world.run("links_in_either_layer_do_not_escape");
    ran.assert_only(the_link_itself);
}

/// What the programs try raw, by way of the built-in tool that replaces files by renaming.
#[test]
fn file_beside_a_staged_one_is_not_replaced_by_a_tool() {
    let base = tempfile::tempdir().unwrap();
    let at = |place: &str| base.path().join(place);
    for (place, content) in
        [("below/pkg/_client.py", "generated"), ("below/pkg/_patch.py", "old"), ("above/pkg/_patch.py", "old")]
    {
        std::fs::create_dir_all(at(place).parent().unwrap()).unwrap();
        std::fs::write(at(place), content).unwrap();
    }
    let open = |place: &str| OwnedFd::from(std::fs::File::open(at(place)).unwrap());
    let grant = Grant::staged("sdk", open("below"), open("above"), &Reserved::none()).unwrap();
    let above = at("above/pkg");
    let world = common::World::with(base, Grants::new(vec![grant]).unwrap());
    for (tool, input) in [
        ("WriteFile", json!({"filePath": "sdk/pkg/_client.py", "content": "x"})),
        ("CodePatch", json!({"filePath": "sdk/pkg/_client.py", "oldContent": "generated", "newContent": "x"})),
    ] {
        assert!(world.call(tool, &input).outcome.is_err(), "{tool}");
    }
    assert!(world.call("WriteFile", &json!({"filePath": "sdk/pkg/_patch.py", "content": "new"})).outcome.is_ok());
    let names: Vec<_> = std::fs::read_dir(above).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["_patch.py"]);
}
