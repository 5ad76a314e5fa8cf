//! `--record` and `--replay`, by the same rules as those of `package customize`; and limits on money.

use super::desk::{Desk, NOTES, READER, RESULT, records};
use super::standin::{StandIn, calls, exit};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn desk(further: &str) -> (Desk, StandIn) {
    let model = StandIn::saying(vec![calls("ReadFile", json!({"filePath": "notes/note.txt"})), exit("remember")]);
    let desk = Desk::new();
    desk.write("agent.toml", &format!("{READER}{NOTES}{RESULT}{further}"));
    (desk, model)
}

#[test]
fn recorded_run_is_replayed_without_a_model_and_fails_at_the_first_difference() {
    let (desk, model) = desk("");
    let agent = ["agent", "run", "desk/agent.toml"];
    let with = |further: &[&str]| desk.world.bailiwick(&[&agent[..], further].concat());
    let answer = with(&["--model", &model.model, "--record", "kept.jsonl"]).exits(0);
    assert_eq!(answer.json(), "remember");
    let kept = desk.world.base().join("kept.jsonl");
    assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&kept).unwrap();
    assert!(!text.contains(desk.world.base().to_str().unwrap()), "a path of this machine is in the recording");

    let before = model.times_asked();
    let answer = with(&["--replay", "kept.jsonl"]).exits(0);
    assert_eq!(answer.json(), "remember");
    assert!(answer.stderr.contains("replay of openai-compatible:stand-in"), "{}", answer.stderr);
    assert_eq!(model.times_asked(), before);

    desk.write("notes/note.txt", "remember more");
    let answer = with(&["--replay", "kept.jsonl"]).exits(1);
    assert!(answer.stdout.is_empty() && answer.stderr.contains("turn 2 "), "{}", answer.stderr);
    let list = desk.world.bailiwick(&["--json", "agent", "list"]).exits(0).json();
    assert_eq!(list, json!([]), "a replay is begun anew and not resumed");
}

#[test]
fn unusable_recordings_are_named_before_anything_runs() {
    let (desk, model) = desk("");
    fs::write(desk.world.base().join("mine"), "mine").unwrap();
    for (further, said) in [
        (&["--record", "mine"][..], "is there already"),
        (&["--record", "desk/notes/kept.jsonl"], "lies in a directory that is worked on"),
        (&["--replay", "none"], "cannot be read"),
        (&["--replay", "mine"], "does not begin with the header"),
        (&["--replay", "/dev/zero"], "it is not a regular file"),
        (&["--model", "script:/dev/zero"], "it is not a regular file"),
    ] {
        let answer = desk.world.bailiwick(&[&["agent", "run", "desk/agent.toml"], further].concat()).exits(2);
        assert!(answer.stderr.contains(said), "{}", answer.stderr);
    }
    let both = ["agent", "run", "desk/agent.toml", "--replay", "mine", "--model", &model.model];
    assert!(desk.world.bailiwick(&both).exits(2).stderr.contains("cannot be used with"));
    assert_eq!((records(&desk.world).len(), model.times_asked()), (0, 0));
}

#[test]
fn limit_on_money_needs_prices_and_a_script_costs_nothing() {
    let (desk, model) = desk("[limits]\nmoney = \"0.50\"\n");
    let answer = desk.world.bailiwick(&["agent", "run", "desk/agent.toml", "--model", &model.model]).exits(2);
    assert!(answer.stderr.contains("there are no prices for `openai-compatible:stand-in"), "{}", answer.stderr);
    assert_eq!((model.times_asked(), records(&desk.world).len()), (0, 0));
    assert!(!desk.world.state().join("agents").exists() && !desk.world.state().join("agent-runs").exists());
    let _ = desk.world.bailiwick(&["agent", "run", "desk/agent.toml"]).exits(0);
    let plan = desk.world.bailiwick(&["agent", "run", "desk/agent.toml", "--dry-run"]).exits(0).json();
    assert_eq!(plan["limits"]["money"], "0.500000");
    for money in ["0.5", "\"0\"", "\"-1\"", "\"1,50\"", "\"0.0000001\"", "\"1000001\""] {
        let text = format!("{READER}{NOTES}{RESULT}[limits]\nmoney = {money}\n");
        let answer = desk.run(&text, &[]).exits(2);
        assert!(answer.stderr.contains("`limits.money` has to be an amount in quotes"), "{}", answer.stderr);
    }
}
