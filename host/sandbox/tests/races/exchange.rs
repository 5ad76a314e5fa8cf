//! The directory in the grant against a link to the outside, for each tool over the whole distance.

use crate::arena::{Arena, LANES, Outside, SECRET, lane_file};
use crate::attacker::Attacker;
use crate::naive;
use crate::volley::{MANY, Shooter, Tally, volley};
use bailiwick_sandbox::ErrorKind;
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;

// A kernel that sees a rename while it walks gives up after a few tries.
const GAVE_UP: &[ErrorKind] = &[ErrorKind::Failed];

fn race<F>(lane: impl Fn(Shooter, usize) -> F + 'static, mut control: impl FnMut(&Arena) -> bool) -> Tally
where
    F: Future<Output = ()> + 'static,
{
    let mut arena = Arena::new();
    arena.seal(Outside::LeftAlone);
    let attacker = Attacker::exchanging(&arena.granted());
    let tally = volley(&arena, MANY, lane);
    arena.assert_outside_untouched(Outside::LeftAlone);
    naive::assert_leaks(|| control(&arena));
    drop(attacker);
    arena.assert_no_temporary_file();
    tally
}

#[test]
fn reading_never_shows_a_directory_swapped_in() {
    let tally = race(
        async |shooter: Shooter, lane| {
            let path = format!("box/swap/{}", lane_file(lane));
            let outcome = shooter.call("ReadFile", json!({"filePath": path})).await;
            assert!(outcome.is_err() || outcome.unwrap().contains("one"));
        },
        |arena| naive::read(&arena.granted(), "swap/lane-0.txt").is_some_and(|content| content.contains(SECRET)),
    );
    tally.assert_counts(MANY, ErrorKind::NotPermitted, GAVE_UP);
}

#[test]
fn writing_never_changes_a_directory_swapped_in() {
    let tally = race(
        async |shooter: Shooter, lane| {
            let path = format!("box/swap/{}", lane_file(lane));
            let _ = shooter.call("WriteFile", json!({"filePath": path, "content": "written\n"})).await;
        },
        |arena| naive::write(&arena.granted(), "swap/lane-0.txt", &arena.outside().join("lane-0.txt")),
    );
    tally.assert_counts(MANY, ErrorKind::NotPermitted, GAVE_UP);
}

#[test]
fn listing_never_shows_a_directory_swapped_in() {
    let tally = race(
        async |shooter: Shooter, _| {
            let outcome = shooter.call("ListFiles", json!({"path": "box/swap", "recursive": true})).await;
            assert!(outcome.is_err() || outcome.unwrap().contains("lane-0.txt"));
        },
        |arena| {
            let names = naive::list(&arena.granted(), "swap");
            names.is_some_and(|names| names.iter().any(|name| name.contains(SECRET)))
        },
    );
    tally.assert_counts(MANY, ErrorKind::NotPermitted, GAVE_UP);
}

#[test]
fn patching_never_touches_a_directory_swapped_in() {
    // What the file of each lane holds: a patch that was refused half way has changed nothing.
    let turned: Rc<Vec<Cell<bool>>> = Rc::new((0..LANES).map(|_| Cell::new(false)).collect());
    let tally = race(
        move |shooter: Shooter, lane| {
            let turned = turned.clone();
            async move {
                let (old, new) = if turned[lane].get() { ("two", "one") } else { ("one", "two") };
                let path = format!("box/swap/{}", lane_file(lane));
                let input = json!({"filePath": path, "oldContent": old, "newContent": new});
                if shooter.call("CodePatch", input).await.is_ok() {
                    turned[lane].set(!turned[lane].get());
                }
            }
        },
        |arena| {
            let shown = naive::read(&arena.granted(), "swap/lane-0.txt").is_some_and(|text| text.contains(SECRET));
            naive::write(&arena.granted(), "swap/lane-0.txt", &arena.outside().join("lane-0.txt")) || shown
        },
    );
    tally.assert_counts(MANY, ErrorKind::NotPermitted, GAVE_UP);
}
