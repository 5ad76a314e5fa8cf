//! `--log`: what is done goes to stderr, on request, without contents, and never as something a terminal would obey.

use bailiwick_tests::{Answer, World};
use serde_json::{Value, json};
use std::fs;

const CANARY: &str = "canary-of-the-file";

/// Names a directory by what clears a terminal and forges a line of the log.
const HOSTILE: &str = "\u{1b}[2J\r\n2026-01-01T00:00:00Z  INFO forged\u{202e}";

const AGENT: &str = r#"
name = "reader"
instructions = "canary-of-the-instructions"
tools = ["ReadFile", "WriteFile"]
model = "script:steps.toml"
[[grant]]
name = "notes"
path = "notes"
access = "ro"
[result]
type = "string"
"#;

/// A world with an agent that reads a note, asks for a hostile path, and writes where it may not.
fn desk() -> World {
    let world = World::without_generated_code();
    fs::create_dir_all(world.base().join("desk/notes")).unwrap();
    fs::write(world.base().join("desk/notes/note.txt"), CANARY).unwrap();
    fs::write(world.base().join("desk/agent.toml"), AGENT).unwrap();
    let hostile = json!(format!("notes/{HOSTILE}/note.txt"));
    let steps = format!(
        "[[step]]\nid = \"note\"\ntool = \"ReadFile\"\narguments = {{ filePath = \"notes/note.txt\" }}\n\
         [[step]]\nid = \"hostile\"\ntool = \"WriteFile\"\nmay-fail = true\n\
         arguments = {{ filePath = {hostile}, content = \"canary-of-the-arguments\" }}\n\
         [exit]\nresult = \"${{note.content}}\"\n"
    );
    fs::write(world.base().join("desk/steps.toml"), steps).unwrap();
    world
}

fn run(world: &World, further: &[&str], environment: &[(&str, &str)]) -> Answer {
    let mut arguments = vec!["agent", "run", "desk/agent.toml"];
    arguments.extend(further);
    world.bailiwick_with(&arguments, environment)
}

/// The lines of a log: those that begin with a time.
fn log(answer: &Answer) -> Vec<&str> {
    let timed = |line: &&str| line.starts_with("20") && line.contains(['T']) && line.contains("bailiwick");
    answer.stderr.lines().filter(timed).collect()
}

#[test]
fn nothing_is_logged_unless_asked_for() {
    let answer = run(&desk(), &[], &[]).exits(0);
    assert_eq!(log(&answer), Vec::<&str>::new());
    assert!(answer.stderr.starts_with("agent `reader`, run "), "{}", answer.stderr);
}

#[test]
fn log_goes_to_stderr_and_stdout_stays_data() {
    let world = desk();
    for (further, environment) in [
        (vec!["--log", "debug"], vec![]),
        (vec![], vec![("BAILIWICK_LOG", "debug")]),
        (vec!["--log", "off,agent=info,sandbox=debug"], vec![("BAILIWICK_LOG", "loud")]),
    ] {
        let answer = run(&world, &further, &environment).exits(0);
        assert_eq!(answer.json(), CANARY);
        let log = log(&answer);
        for part in ["tool call", "conversation ended", "attempts refused", "gen_ai.agent.name=\"reader\""] {
            assert!(log.iter().any(|line| line.contains(part)), "`{part}` is not in {log:#?}");
        }
    }
}

#[test]
fn filter_that_cannot_be_used_is_named_and_nothing_is_started() {
    let world = desk();
    for (further, environment, said) in [
        (vec!["--log", "loud"], vec![], "error: `--log` cannot be used: `loud` is not one of "),
        (vec!["--log", ""], vec![], "error: `--log` cannot be used: it names no level"),
        (
            vec!["--log", "agents=debug"],
            vec![],
            "error: `--log` cannot be used: `agents` is not a part of this program",
        ),
        (vec![], vec![("BAILIWICK_LOG", "x=\u{1b}")], "error: `BAILIWICK_LOG` cannot be used: `x` is not a part"),
    ] {
        let answer = run(&world, &further, &environment).exits(2);
        assert!(answer.stderr.starts_with(said), "{}", answer.stderr);
        assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
        assert!(answer.stdout.is_empty());
        assert!(!world.state().exists());
    }
    let answer = run(&world, &["--log-format", "xml"], &[]).exits(2);
    assert!(answer.stderr.contains("--log-format"), "{}", answer.stderr);
}

#[test]
fn hostile_path_reaches_the_terminal_escaped_and_forges_no_line() {
    let answer = run(&desk(), &["--log", "trace"], &[]).exits(0);
    let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!answer.stderr.contains(raw), "{:?}", answer.stderr);
    assert!(!answer.stderr.lines().any(|line| line.starts_with("2026-01-01T00:00:00Z")), "{}", answer.stderr);
    assert!(log(&answer).iter().any(|line| line.contains("refused") && line.contains("[2J")), "{}", answer.stderr);
}

#[test]
fn json_lines_parse_one_by_one() {
    let answer = run(&desk(), &["--log", "trace", "--log-format", "json"], &[]).exits(0);
    let events: Vec<Value> = answer
        .stderr
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let refused = events.iter().find(|event| event["message"] == "refused").expect("a refused attempt");
    assert_eq!(refused["path"], HOSTILE);
    let call = events.iter().find(|event| event["message"] == "tool call").unwrap();
    assert_eq!((&call["tool"], &call["outcome"]), (&json!("ReadFile"), &json!("done")));
    let agent = call["spans"].as_array().unwrap().iter().find(|span| span["name"] == "invoke_agent").unwrap();
    assert_eq!(agent["gen_ai.request.model"], "steps.toml");
    for event in &events {
        assert!(event["target"].as_str().unwrap().starts_with("bailiwick"), "{event}");
    }
}

#[test]
fn no_level_logs_what_was_said_read_or_written() {
    for format in ["text", "json"] {
        let answer = run(&desk(), &["--log", "trace", "--log-format", format], &[]).exits(0);
        assert!(answer.stdout.contains(CANARY));
        for canary in [CANARY, "canary-of-the-instructions", "canary-of-the-arguments"] {
            assert!(!answer.stderr.contains(canary), "`{canary}` is in {}", answer.stderr);
        }
    }
}

#[test]
fn usage_of_an_agent_is_told_whether_it_came_to_a_result_or_not() {
    let world = desk();
    let answer = run(&world, &["--json"], &[]).exits(0);
    let usage = &answer.json()["usage"];
    for (field, value) in [("turns", 3), ("toolCalls", 3), ("inputTokens", 0), ("outputTokens", 0)] {
        assert_eq!(usage[field], value, "{usage}");
    }
    assert!(usage["toolTimeMs"].as_u64().unwrap() > 0, "{usage}");
    assert!(answer.stderr.contains("\nusage: 3 turns, 3 tool calls ("), "{}", answer.stderr);
    assert!(!answer.stderr.contains("cost"), "{}", answer.stderr);

    fs::write(world.base().join("desk/agent.toml"), format!("{AGENT}[limits]\ntool-calls = 1\n")).unwrap();
    let answer = run(&world, &[], &[]).exits(1);
    assert!(answer.stderr.contains("\nusage: 1 turns, 1 tool calls ("), "{}", answer.stderr);
}

#[test]
fn usage_of_a_customization_is_in_its_response_and_shown_with_its_run() {
    let world = World::standing_in();
    let answer = world.customize_with("hide operation deleteWidget from the Python SDK", &["--log", "info"]).exits(0);
    let (response, log) = (answer.json(), log(&answer));
    let usage = &response["usage"];
    assert!(usage["turns"].as_u64().unwrap() >= 3, "{usage}");
    assert!(usage["toolCalls"].as_u64().unwrap() >= 3, "{usage}");
    assert!(usage["toolTimeMs"].as_u64().unwrap() > 0, "{usage}");
    assert_eq!((&usage["inputTokens"], &usage["costMillionths"]), (&json!(0), &json!(0)));
    let run = response["runId"].as_str().unwrap();
    for part in ["run begun", "classified", "gate", "regenerated", "checked", "child ended", "run finished"] {
        assert!(log.iter().any(|line| line.contains(part)), "`{part}` is not in {log:#?}");
    }
    assert!(log.iter().any(|line| line.contains(&format!("run_id=\"{run}\""))), "{log:#?}");

    let shown = world.bailiwick(&["run", "show", run]).exits(0);
    let line = shown.stdout.lines().find(|line| line.starts_with("usage: ")).unwrap();
    assert!(line.contains(&format!("{} turns, {} tool calls", usage["turns"], usage["toolCalls"])), "{line}");
    assert!(line.ends_with("0 tokens in, 0 out"), "{line}");
    assert_eq!(&world.bailiwick(&["--json", "run", "show", run]).exits(0).json()["response"]["usage"], usage);
}
