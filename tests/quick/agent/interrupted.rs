//! Ctrl-C stops an agent at once, with the way to go on.

use super::desk::{Desk, NOTES, READER, RESULT};
use super::running::Running;
use super::standin::{Say, StandIn, calls, exit};
use rustix::process::Signal;
use serde_json::json;

fn reads() -> Say {
    calls("ReadFile", json!({"filePath": "notes/note.txt"}))
}

/// Runs until the model is asked for its second turn, where it says nothing, and stops it with these signals.
fn stopped_by(signals: &[Signal]) -> (Desk, StandIn, bailiwick_tests::Answer) {
    let (desk, model) = (Desk::new(), StandIn::saying(vec![reads(), Say::Nothing]));
    desk.write("agent.toml", &format!("{READER}{NOTES}{RESULT}"));
    let run = Running::start(&desk.world, &["agent", "run", "desk/agent.toml", "--model", &model.model]);
    model.asked(2);
    for signal in signals {
        run.signal(*signal);
    }
    (desk, model, run.end())
}

#[test]
fn interrupted_run_ends_at_once_with_130_and_says_how_it_goes_on() {
    for signals in [&[Signal::INT][..], &[Signal::TERM], &[Signal::INT, Signal::INT], &[Signal::INT, Signal::TERM]] {
        let (desk, model, answer) = stopped_by(signals);
        let answer = answer.exits(130);
        assert!(answer.stdout.is_empty(), "{}", answer.stdout);
        let list = desk.world.bailiwick(&["--json", "agent", "list"]).exits(0).json();
        assert_eq!((&list[0]["standing"], &list[0]["turns"]), (&json!("stopped"), &json!(1)), "{list:#}");
        let id = list[0]["id"].as_str().unwrap();
        if signals.len() == 1 {
            assert!(
                answer.stderr.contains("error: interrupted; what the agent wrote so far is there"),
                "{}",
                answer.stderr
            );
            assert!(
                answer.stderr.contains(&format!("`bailiwick agent resume {id}` goes on with it")),
                "{}",
                answer.stderr
            );
        }
        model.says_at(1, exit("remember"));
        let answer = desk.world.bailiwick(&["agent", "resume", id]).exits(0);
        assert_eq!(answer.json(), "remember");
    }
}

#[test]
fn interrupted_while_it_tidies_up_it_ends_all_the_same() {
    let (desk, model) = (Desk::new(), StandIn::saying(vec![reads(), Say::Nothing]));
    desk.write("agent.toml", &format!("{READER}{NOTES}{RESULT}"));
    let record = desk.world.base().join("kept.jsonl");
    let arguments = ["agent", "run", "desk/agent.toml", "--model", &model.model, "--record", record.to_str().unwrap()];
    let run = Running::start(&desk.world, &arguments);
    model.asked(2);
    run.signal(Signal::INT);
    let answer = run.end().exits(130);
    assert!(answer.stderr.contains("1 turns recorded"), "{}", answer.stderr);
    assert!(record.exists());
}
