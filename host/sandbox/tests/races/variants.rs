//! The same question for other moments: between two calls, between the two halves of a replacement, and with the parent
//! or the kind of file swapped. Fewer iterations, since each is a case of what the long races ask.

use crate::arena::{Arena, Outside, SECRET};
use crate::attacker::{Attacker, fifo, link_to};
use crate::naive;
use crate::volley::{FEW, Shooter, volley};
use bailiwick_sandbox::ErrorKind;
use serde_json::{Value, json};

#[test]
fn directory_moved_away_and_back_is_not_a_step_to_the_outside() {
    let mut arena = Arena::new();
    std::fs::create_dir(arena.granted().join("swap/moved")).unwrap();
    arena.seal(Outside::Visited);
    let attacker = Attacker::dancing(&arena.granted().join("swap"), &arena.outside());
    for (tool, input) in [
        ("ReadFile", json!({"filePath": "box/swap/moved/../lane-0.txt"})),
        ("WriteFile", json!({"filePath": "box/swap/moved/../lane-1.txt", "content": "one\n"})),
        ("ListFiles", json!({"path": "box/swap/moved/.."})),
        ("CodePatch", json!({"filePath": "box/swap/moved/../lane-2.txt", "oldContent": "one", "newContent": "one."})),
    ] {
        let tally = volley(&arena, FEW, move |shooter: Shooter, _| {
            let input = input.clone();
            async move { drop(shooter.call(tool, input).await) }
        });
        // A file that is to be made beneath a directory that is not there is refused when the way to it climbs.
        let other = if tool == "WriteFile" { ErrorKind::NotPermitted } else { ErrorKind::NotFound };
        tally.assert_counts(FEW, other, &[ErrorKind::Failed, ErrorKind::NotPermitted, ErrorKind::NotFound]);
    }
    naive::assert_leaks(|| naive::climb(&arena.granted().join("swap/moved"), "lane-0.txt"));
    drop(attacker);
    arena.assert_outside_untouched(Outside::Visited);
}

#[test]
fn file_listed_inside_is_not_read_outside() {
    let mut arena = Arena::new();
    arena.seal(Outside::LeftAlone);
    let attacker = Attacker::exchanging(&arena.granted());
    let tally = volley(&arena, FEW, async |shooter: Shooter, lane| {
        let listed = shooter.call("ListFiles", json!({"path": "box/swap"})).await;
        let Ok(listed) = listed else { return };
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let names: Vec<_> = listed["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str()).collect();
        let path = format!("box/{}", names[lane % names.len()].unwrap());
        let _ = shooter.call("ReadFile", json!({"filePath": path})).await;
    });
    tally.assert_counts(FEW, ErrorKind::NotPermitted, &[ErrorKind::Failed]);
    arena.assert_outside_untouched(Outside::LeftAlone);
    naive::assert_leaks(|| {
        let Some(path) = naive::checked(&arena.granted(), "swap") else { return false };
        let Some(names) = naive::list(&arena.granted(), "swap") else { return false };
        names.iter().any(|name| std::fs::read_to_string(path.join(name)).is_ok_and(|content| content.contains(SECRET)))
    });
    drop(attacker);
}

#[test]
fn link_that_takes_the_place_of_a_file_is_never_written_through() {
    let mut arena = Arena::new();
    arena.seal(Outside::LeftAlone);
    let swap = arena.granted().join("swap");
    let attacker = Attacker::replacing(&swap, "lane-0.txt", link_to("../../outside/lane-0.txt"));
    for (tool, input) in [
        ("CodePatch", json!({"filePath": "box/swap/lane-0.txt", "oldContent": "one", "newContent": "one."})),
        ("WriteFile", json!({"filePath": "box/swap/lane-0.txt", "content": "one\n"})),
        ("ReadFile", json!({"filePath": "box/swap/lane-0.txt"})),
    ] {
        let tally = volley(&arena, FEW, move |shooter: Shooter, _| {
            let input = input.clone();
            async move { drop(shooter.call(tool, input).await) }
        });
        // What was a link and is a file again when its text is asked for has none.
        let passing = [ErrorKind::Failed, ErrorKind::InvalidInput, ErrorKind::NotFound];
        tally.assert_counts(FEW, ErrorKind::NotPermitted, &passing);
        arena.assert_outside_untouched(Outside::LeftAlone);
    }
    naive::assert_leaks(|| naive::write(&arena.granted(), "swap/lane-0.txt", &arena.outside().join("lane-0.txt")));
    drop(attacker);
    arena.assert_no_temporary_file();
}

#[test]
fn fifo_that_takes_the_place_of_a_file_never_blocks_a_call() {
    let arena = Arena::new();
    let swap = arena.granted().join("swap");
    let attacker = Attacker::replacing(&swap, "lane-0.txt", fifo);
    for (tool, input) in [
        ("ReadFile", json!({"filePath": "box/swap/lane-0.txt"})),
        ("WriteFile", json!({"filePath": "box/swap/lane-0.txt", "content": "one\n"})),
        ("CodePatch", json!({"filePath": "box/swap/lane-0.txt", "oldContent": "one", "newContent": "one."})),
    ] {
        let tally = volley(&arena, FEW, move |shooter: Shooter, _| {
            let input = input.clone();
            async move { drop(shooter.call(tool, input).await) }
        });
        tally.assert_counts(FEW, ErrorKind::WrongKind, &[ErrorKind::Failed]);
    }
    naive::assert_leaks(|| naive::opens_a_fifo(&swap.join("lane-0.txt")));
    drop(attacker);
    arena.assert_no_temporary_file();
}
