//! The process is killed with SIGKILL at any time, not only between steps.

use std::fs;
use std::time::Duration;

use super::locking::{child, childs_scene};
use super::{Scene, assert_same, change, null, request, tree};
use crate::{Status, Store};

/// Xorshift; the seed is in the message of a failure.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

#[test]
fn works_until_it_is_killed() {
    let Some((directory, _)) = childs_scene() else { return };
    let store = Store::open(&directory.join("state")).unwrap();
    let sdk = directory.join("sdk");
    for round in 0_u64.. {
        let mut run = store.begin(request(vec![tree("sdk", &sdk)])).unwrap();
        for number in 0..3 {
            let path = format!("new/{number}.py");
            run.apply(&[
                change(
                    "sdk",
                    "setup.py",
                    Some(&if number == 0 { "setup()\n".into() } else { format!("{}\n", number - 1) }),
                    Some(&format!("{number}\n")),
                ),
                change("sdk", &path, None, Some("new")),
            ])
            .unwrap();
        }
        fs::write(sdk.join("azure/widget/_client.py"), vec![b'x'; 100_000]).unwrap();
        fs::remove_dir_all(sdk.join("azure/widget/models")).unwrap();
        if round % 2 == 0 {
            let id = run.id().clone();
            run.finish(Status::Pending, &null()).unwrap();
            store.revert(&id).unwrap();
        } else {
            run.restore().unwrap();
            run.finish(Status::Reverted, &null()).unwrap();
        }
    }
}

#[test]
fn whatever_dies_in_between_the_repository_is_whole() {
    let scene = Scene::new();
    let before = scene.picture();
    let seed = u64::from(std::process::id()) | 1;
    let mut random = Random(seed);
    let mut recovered = 0;
    for round in 0..60 {
        let mut child = child("killing::works_until_it_is_killed", &scene, "");
        std::thread::sleep(Duration::from_micros(random.below(120_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let store = scene.store();
        recovered += store.recovered().len();
        for run in store.list().unwrap() {
            if run.status == Status::Pending {
                store.revert(&run.id).unwrap();
            }
            let status = super::status(&store, &run.id);
            assert_eq!(status, Status::Reverted, "seed {seed}, round {round}");
        }
        assert_same(&scene.picture(), &before);
    }
    assert!(recovered > 5, "killed in the middle only {recovered} times, seed {seed}");
}
