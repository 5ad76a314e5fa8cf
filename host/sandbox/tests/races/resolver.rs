//! The two resolvers themselves under the same attackers: what a kernel without `openat2` would run is raced here, too.

use crate::arena::{Arena, Outside};
use crate::attacker::Attacker;
use crate::naive;
use crate::volley::MANY;
use bailiwick_sandbox::fs::resolve::{LastLink, Resolution, beneath_with};
use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
use std::path::Path;

/// Resolves `path` beneath the grant again and again. Panics unless all it ever finds is the one file `inside`, and that
/// and the absence of it are both met often.
fn race(resolution: Resolution, arena: &Arena, path: &str, inside: &Path) {
    let root = openat(CWD, arena.granted(), OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
    let inside = std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(inside).unwrap());
    let (mut found, mut refused) = (0, 0);
    for _ in 0..MANY {
        match beneath_with(resolution, &root, Path::new(path), LastLink::Follow) {
            Ok(handle) => {
                assert_eq!(fstat(&handle).unwrap().st_ino, inside, "{resolution:?} left the directory by {path}");
                found += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(found >= MANY / 100, "{resolution:?} hardly ever found it: {found} of {MANY}");
    assert!(refused >= MANY / 100, "{resolution:?} hardly ever missed it: {refused} of {MANY}");
}

#[test]
fn neither_resolver_follows_a_link_swapped_in() {
    let mut arena = Arena::new();
    arena.seal(Outside::LeftAlone);
    let inside = arena.granted().join("lane");
    std::fs::hard_link(arena.granted().join("swap/lane-0.txt"), &inside).unwrap();
    let _attacker = Attacker::exchanging(&arena.granted());
    for resolution in [Resolution::Openat2, Resolution::Walk] {
        race(resolution, &arena, "swap/lane-0.txt", &inside);
    }
    naive::assert_leaks(|| {
        let checked = naive::checked(&arena.granted(), "swap/lane-0.txt");
        checked.is_some_and(|path| std::fs::read(path).is_ok_and(|content| content.len() > 4))
    });
}

#[test]
fn neither_resolver_climbs_out_of_a_directory_moved_away() {
    let arena = Arena::new();
    std::fs::create_dir(arena.granted().join("swap/moved")).unwrap();
    let inside = arena.granted().join("swap/lane-0.txt");
    let _attacker = Attacker::dancing(&arena.granted().join("swap"), &arena.outside());
    for resolution in [Resolution::Openat2, Resolution::Walk] {
        race(resolution, &arena, "swap/moved/../lane-0.txt", &inside);
    }
    naive::assert_leaks(|| naive::climb(&arena.granted().join("swap/moved"), "lane-0.txt"));
}
