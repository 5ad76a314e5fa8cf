//! Hard links. A second name of an outside file inside the grant is that file: no check of a path can tell, and whoever
//! made it had both. What can be kept is that the outside is not changed through it.
//!
//! The built-in tools never write in place: they put a new file under the name. The refusal of a write in place, to a
//! file with more than one name, is therefore asked of a component that tries it, among the hostile ones.

use super::{leftovers, list, patch, read, write};
use crate::common::World;
use bailiwick_sandbox::Access;
use std::os::unix::fs::MetadataExt;

#[test]
fn hard_link_to_an_outside_file_is_read_and_listed() {
    let world = World::new(Access::ReadWrite);
    std::fs::hard_link(world.base.path().join("secret.txt"), world.granted().join("twin")).unwrap();
    // This is what cannot be kept: the content was put inside when the name was.
    assert_eq!(read(&world, "box/twin").unwrap(), "canary\n");
    assert!(list(&world, "box").unwrap().contains(&("twin".to_owned(), "file".to_owned())));
}

#[test]
fn replacing_a_hard_link_leaves_the_outside_file_as_it_was() {
    for tool in ["WriteFile", "CodePatch"] {
        let world = World::new(Access::ReadWrite);
        let outside = world.base.path().join("secret.txt");
        std::fs::hard_link(&outside, world.granted().join("twin")).unwrap();
        std::fs::hard_link(&outside, world.granted().join("sub/second-twin")).unwrap();
        let before = std::fs::metadata(&outside).unwrap();
        let done = match tool {
            "WriteFile" => write(&world, "box/twin", "overwritten\n"),
            _ => patch(&world, "box/twin", "canary", "overwritten"),
        };
        assert_eq!(done, Ok(()), "{tool}");
        assert_eq!(std::fs::read_to_string(world.granted().join("twin")).unwrap(), "overwritten\n", "{tool}");
        assert_eq!(std::fs::read_to_string(world.granted().join("sub/second-twin")).unwrap(), "canary\n", "{tool}");
        world.assert_outside_untouched();
        let after = std::fs::metadata(&outside).unwrap();
        assert_eq!((after.ino(), after.mode(), after.nlink()), (before.ino(), before.mode(), 2), "{tool}");
        assert_ne!(std::fs::metadata(world.granted().join("twin")).unwrap().ino(), before.ino(), "{tool}");
        assert_eq!(leftovers(&world.granted()), [""; 0], "{tool}");
    }
}

#[test]
fn two_names_inside_part_ways_when_one_is_written() {
    let world = World::new(Access::ReadWrite);
    std::fs::hard_link(world.granted().join("inside.txt"), world.granted().join("sub/twin")).unwrap();
    assert_eq!(write(&world, "box/sub/twin", "written\n"), Ok(()));
    assert_eq!(read(&world, "box/inside.txt").unwrap(), "inside\n");
    assert_eq!(std::fs::metadata(world.granted().join("inside.txt")).unwrap().nlink(), 1);
}

#[test]
fn hard_link_to_an_outside_link_is_refused_like_the_link() {
    let world = World::new(Access::ReadWrite);
    let link = world.base.path().join("link");
    std::os::unix::fs::symlink(world.base.path().join("secret.txt"), &link).unwrap();
    std::fs::hard_link(&link, world.granted().join("twin")).unwrap();
    std::fs::remove_file(link).unwrap();
    super::assert_all_refused(&world, "box/twin", true);
}
