//! The repository or the stage is edited while the agent works.

use super::{REQUEST, build_error, client_with, good, write_client};
use bailiwick_tests::World;
use bailiwick_tests::played::{calls, classified, edited, exit, guidance, no_edit, patched, turn};
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// The stage that the agent works in now.
fn stage(world: &World) -> PathBuf {
    let run = fs::read_dir(world.state().join("runs")).unwrap().next().unwrap().unwrap().path();
    let mut stages: Vec<_> = fs::read_dir(run.join("work"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("stage-"))
        .collect();
    stages.sort();
    stages.pop().expect("there is a stage")
}

fn gives_up() -> Vec<Value> {
    vec![exit(&json!({ "changes": [], "noEditNeeded": false, "failure": guidance(), "renames": [] }))]
}

#[test]
fn file_that_a_person_edits_meanwhile_is_not_overwritten_and_the_next_attempt_starts_from_it() {
    let world = World::standing_in();
    let client = world.project().join("client.tsp");
    let mine = client_with(&world, "// a person's remark");
    let turns = vec![
        classified("PHASE_A"),
        turn(|_| {
            fs::write(&client, &mine).unwrap();
            vec![write_client(&good(&World::without_generated_code())), edited()]
        }),
        // Nothing that the agent does in this stage can mend that, so it ends the attempt.
        turn(|back| {
            assert!(back.contains("changed-since-staged"), "{back}");
            assert_eq!(fs::read_to_string(&client).unwrap(), mine);
            Vec::new()
        }),
        calls(Vec::new()),
        classified("PHASE_A"),
        turn(|_| vec![write_client(&good(&world)), edited()]),
        classified("SUCCESS"),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(0).json();
    assert_eq!((&response["outcome"], &response["phaseAAttempts"]), (&"success".into(), &2.into()), "{response:#}");
    let client = world.client();
    assert!(client.contains("// a person's remark") && client.contains("@@access(Widgets.deleteWidget"), "{client}");
}

#[test]
fn link_or_pipe_in_place_of_the_repositorys_file_is_neither_followed_nor_waited_for() {
    for pipe in [false, true] {
        let world = World::standing_in();
        let before = world.snapshot();
        let (client, secret) = (world.project().join("client.tsp"), world.base().join("secret"));
        fs::write(&secret, "secret text\n").unwrap();
        let text = good(&world);
        let turns = vec![
            classified("PHASE_A"),
            turn(|_| {
                fs::remove_file(&client).unwrap();
                if pipe {
                    mkfifoat(CWD, &client, Mode::RWXU).unwrap();
                } else {
                    symlink(&secret, &client).unwrap();
                }
                vec![write_client(&text), edited()]
            }),
            turn(|back| {
                assert!(back.contains("changed-since-staged") && !back.contains("secret text"), "{back}");
                gives_up()
            }),
        ];
        let response = world.customize_played(REQUEST, &[], turns).exits(1).json();
        assert_eq!(response["success"], false, "{response:#}");
        assert_eq!(fs::read_to_string(&secret).unwrap(), "secret text\n");
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn special_file_in_the_stage_is_refused_and_not_read() {
    let world = World::standing_in();
    let secret = world.base().join("secret");
    fs::write(&secret, "secret text\n").unwrap();
    let text = good(&world);
    let before = world.snapshot();
    let refused = |back: &str| {
        assert!(back.contains("not-a-plain-file") && !back.contains("secret text"), "{back}");
        before.assert_same(&world.snapshot());
    };
    let staged = || stage(&world).join("client.tsp");
    let turns = vec![
        classified("PHASE_A"),
        turn(|_| {
            fs::remove_file(staged()).unwrap();
            symlink(&secret, staged()).unwrap();
            vec![edited()]
        }),
        turn(|back| {
            refused(back);
            fs::remove_file(staged()).unwrap();
            mkfifoat(CWD, staged(), Mode::RWXU).unwrap();
            vec![edited()]
        }),
        turn(|back| {
            refused(back);
            fs::remove_file(staged()).unwrap();
            fs::write(staged(), &text).unwrap();
            fs::hard_link(staged(), stage(&world).join("twin.tsp")).unwrap();
            vec![edited()]
        }),
        turn(|back| {
            refused(back);
            fs::remove_file(stage(&world).join("twin.tsp")).unwrap();
            symlink("/", stage(&world).join("root")).unwrap();
            vec![edited()]
        }),
        turn(|back| {
            refused(back);
            fs::remove_file(stage(&world).join("root")).unwrap();
            // What no tool writes may stand there all the same.
            fs::write(stage(&world).join("main.tsp"), "model Evil {}\n").unwrap();
            vec![edited()]
        }),
        turn(|back| {
            assert!(back.contains("outside-editable"), "{back}");
            fs::remove_file(stage(&world).join("main.tsp")).unwrap();
            fs::rename(staged(), stage(&world).join("aside.tsp")).unwrap();
            vec![edited()]
        }),
        turn(|back| {
            assert!(back.contains("file-removed") && back.contains("outside-editable"), "{back}");
            fs::rename(stage(&world).join("aside.tsp"), staged()).unwrap();
            vec![edited()]
        }),
        classified("SUCCESS"),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(world.client(), text);
}

#[test]
fn generated_code_in_the_stage_of_a_repair_is_refused_however_it_came_there() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "build": [build_error("no such member")] }));
    let before = world.snapshot();
    let plant = |file: &str| {
        let path = stage(&world).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "import os\n").unwrap();
    };
    let turns = vec![
        classified("PHASE_A"),
        no_edit(),
        turn(|_| {
            plant("azure/widget/models/_models.py");
            plant("azure/widget/_patch.py");
            vec![patched()]
        }),
        turn(|back| {
            assert!(back.contains("generated-code") && back.contains("outside-editable"), "{back}");
            before.assert_same(&world.snapshot());
            let mut result = guidance();
            result["outcome"] = json!("guidance");
            vec![exit(&result)]
        }),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(1).json();
    assert_eq!(response["errorCode"], "ManualGuidance", "{response:#}");
    before.assert_same(&world.snapshot());
}
