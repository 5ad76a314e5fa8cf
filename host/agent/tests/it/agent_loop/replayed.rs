//! A conversation that is recorded and replayed.

use std::path::Path;

use bailiwick_agent::replay::{ConversationFile, FileError, Header, Placeholders, Recorder, Replay, ReplayError};
use bailiwick_agent::{AgentError, Backend, BackendError, KnownSecrets, Microagent, Transcript, Usage};
use serde_json::{Value, json};

use super::support::{Desk, Page, Scripted, budget, call, exit, look, put, say, turn};

fn nothing() -> KnownSecrets {
    KnownSecrets::new([])
}

fn agent(instructions: &str, task: Value) -> Microagent<String> {
    Microagent::new(instructions, task, budget(9))
}

fn usual() -> Microagent<String> {
    agent("Do it.", json!({"kind": "test", "file": "/srv/one/a.txt"}))
}

async fn outcome(agent: &Microagent<String>, backend: &dyn Backend) -> Result<String, AgentError> {
    let mut transcript = Transcript::discarded();
    bailiwick_agent::run(agent, &Desk::default(), backend, &mut transcript).await.map(|completed| completed.result)
}

async fn recorded(model: Scripted, places: Placeholders, secrets: KnownSecrets) -> String {
    let page = Page::default();
    let header = Header::recorded(&model);
    let recorder = Recorder::begin(model, &header, page.clone(), places, secrets).unwrap();
    let _ = outcome(&usual(), &recorder).await;
    page.lines().iter().map(|line| format!("{line}\n")).collect()
}

fn script() -> Scripted {
    Scripted::new([
        say("hm"),
        turn([look("a"), call("Fetch", json!({}))]),
        turn([put("/srv/one/b")]),
        turn([exit("done")]),
    ])
}

async fn usual_recording() -> String {
    recorded(script(), Placeholders::none(), nothing()).await
}

fn replay(text: &str) -> Replay {
    Replay::read(text, Placeholders::none(), nothing()).unwrap()
}

#[track_caller]
fn difference(outcome: Result<String, AgentError>) -> ReplayError {
    match outcome {
        Err(AgentError::Backend { source: BackendError::Replay(error), .. }) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn replay_of_a_recording_comes_to_the_same_result_and_is_recorded_in_the_same_bytes() {
    let text = usual_recording().await;
    let (replay, page) = (replay(&text), Page::default());
    assert_eq!(replay.name(), "replay of scripted");
    let header = replay.header().clone();
    let recorder = Recorder::begin(replay, &header, page.clone(), Placeholders::none(), nothing()).unwrap();
    assert_eq!(outcome(&usual(), &recorder).await.unwrap(), "done");
    let again: String = page.lines().iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(again, text);
    assert_eq!(recorder.finish().map(|(_, turns)| turns), Some(4));
    assert!(recorder.finish().is_none());
}

#[tokio::test]
async fn any_other_thing_that_is_sent_ends_the_replay_for_good_and_is_named() {
    let text = usual_recording().await;
    let task = |file: &str| json!({"kind": "test", "file": file});
    let cases = [
        (agent("Do it!", task("/srv/one/a.txt")), "instructions"),
        (agent("Do it.", task("/srv/one/b.txt")), "task.file"),
        (agent("Do it.", json!({"kind": "test", "file": "/srv/one/a.txt", "more": null})), "task.more"),
    ];
    for (agent, named) in cases {
        let replay = replay(&text);
        let error = difference(outcome(&agent, &replay).await);
        assert!(matches!(&error, ReplayError::Differs { turn: 1, place, .. } if place == named), "{error:?}");
        // Even the right thing comes too late.
        assert_eq!(difference(outcome(&usual(), &replay).await), error);
        assert_eq!(replay.finish(), Err(error));
    }
}

#[tokio::test]
async fn other_message_or_tool_is_named_with_its_turn() {
    let text = usual_recording().await;
    for (old, new, turn, place) in [
        ("\"did\":\"Look a\"", "\"did\":\"Look A\"", 3, "messages[3].content[0].content.did"),
        ("\"description\":\"A tool.\"", "\"description\":\"A fool.\"", 1, "tools[0].description"),
    ] {
        assert!(text.contains(old), "{text}");
        let error = difference(outcome(&usual(), &replay(&text.replacen(old, new, 1))).await);
        let ReplayError::Differs { turn: found, place: at, .. } = &error else { panic!("{error:?}") };
        assert_eq!((*found, at.as_str()), (turn, place), "{error}");
    }
}

#[tokio::test]
async fn conversation_that_is_longer_or_shorter_than_its_recording_is_told_apart() {
    let text = usual_recording().await;
    let end = text.trim_end().rfind('\n').unwrap();
    let shorter = replay(&text[..=end]);
    assert_eq!(difference(outcome(&usual(), &shorter).await), ReplayError::TooLong { turns: 3 });
    let unused = replay(&text);
    assert_eq!(unused.finish(), Err(ReplayError::TooShort { used: 0, turns: 4 }));
    outcome(&usual(), &unused).await.unwrap();
    assert_eq!(unused.finish(), Ok(()));
}

#[tokio::test]
async fn failure_of_the_model_is_recorded_and_replayed() {
    let usage = Usage { output_tokens: 7, ..Usage::default() };
    let model = Scripted::failing([Ok(turn([look("a")])), Err(BackendError::Truncated { usage })]);
    let text = recorded(model, Placeholders::none(), nothing()).await;
    let replay = replay(&text);
    let error = outcome(&usual(), &replay).await.unwrap_err();
    assert!(
        matches!(&error, AgentError::Backend { source: BackendError::Truncated { usage: found }, .. } if *found == usage)
    );
    assert_eq!(replay.finish(), Ok(()));
}

#[tokio::test]
async fn path_stands_as_a_placeholder_and_becomes_the_present_path_in_an_answer() {
    let there = Placeholders::new([("work", Path::new("/srv/one"))]);
    let text = recorded(script(), there, nothing()).await;
    assert!(!text.contains("/srv/one") && text.contains("${bailiwick:work}/a.txt"), "{text}");
    let here = Placeholders::new([("work", Path::new("/home/two"))]);
    let replay = Replay::read(&text, here, nothing()).unwrap();
    let task = json!({"kind": "test", "file": "/home/two/a.txt"});
    let desk = Desk::default();
    let agent = agent("Do it.", task);
    bailiwick_agent::run(&agent, &desk, &replay, &mut Transcript::discarded()).await.unwrap();
    assert_eq!(desk.log().last().unwrap(), "-/home/two/b");
}

#[tokio::test]
async fn secret_is_in_no_line_of_a_recording_and_the_replay_scrubs_what_it_compares() {
    let secrets = || KnownSecrets::new(["a.txt".to_string()]);
    let text = recorded(script(), Placeholders::none(), secrets()).await;
    assert!(!text.contains("a.txt") && text.contains("/srv/one/[redacted]"), "{text}");
    let replay = Replay::read(&text, Placeholders::none(), secrets()).unwrap();
    assert_eq!(outcome(&usual(), &replay).await.unwrap(), "done");
}

#[tokio::test]
async fn answers_of_a_person_are_given_only_where_what_is_sent_is_written_down() {
    let header =
        json!({"format": "bailiwick-conversation", "version": 1, "model": "a person", "origin": "written by hand"});
    let response = serde_json::to_value(turn([exit("done")])).unwrap();
    let text = format!("{header}\n{}\n", json!({"turn": 1, "response": response}));
    let refused = replay(&text);
    assert!(!refused.is_whole());
    assert_eq!(difference(outcome(&usual(), &refused).await), ReplayError::Unsaid { turn: 1 });
    assert_eq!(outcome(&usual(), &replay(&text).filling_in()).await.unwrap(), "done");
}

#[tokio::test]
async fn turn_that_cannot_be_recorded_fails() {
    let recorder =
        Recorder::begin(script(), &Header::recorded(&script()), std::io::sink(), Placeholders::none(), nothing())
            .unwrap();
    recorder.finish();
    let error = outcome(&usual(), &recorder).await.unwrap_err();
    assert!(matches!(error, AgentError::Backend { source: BackendError::Unrecorded { .. }, .. }), "{error:?}");
}

#[tokio::test]
async fn file_that_holds_no_conversation_is_refused_with_its_line() {
    let text = usual_recording().await;
    let header = text.lines().next().unwrap();
    let turn = |number: usize, rest: &str| format!("{header}\n{{\"turn\": {number}{rest}}}\n");
    let cases = [
        ("", "does not begin"),
        ("{}", "does not begin"),
        (header, "no turn"),
        (&header.replace("\"version\":1", "\"version\":2"), "version 2"),
        (&turn(2, ", \"failure\": {\"truncated\": {\"usage\": {}}}"), "line 2"),
        (&turn(1, ""), "line 2"),
        (&turn(1, ", \"response\": 7"), "line 2"),
        (&turn(1, ", \"request\": {\"messages\": []}, \"response\": {}"), "line 2"),
        (&turn(1, ", \"reply\": {}"), "line 2"),
        (&text.replace("\"messagesKept\":2", "\"messagesKept\":99"), "line 4"),
    ];
    for (text, words) in cases {
        let error: FileError = Replay::read(text, Placeholders::none(), nothing()).err().unwrap();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn conversation_file_replaces_nothing_and_is_whole_or_not_there() {
    use std::io::Write as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.jsonl");
    let names = || std::fs::read_dir(directory.path()).unwrap().count();
    drop(ConversationFile::create(&path).unwrap());
    assert_eq!(names(), 0);
    let (mut first, second) = (ConversationFile::create(&path).unwrap(), ConversationFile::create(&path).unwrap());
    first.write_all(b"first").unwrap();
    assert!(!path.exists());
    first.keep().unwrap();
    assert_eq!(second.keep().unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(ConversationFile::create(&path).err().unwrap().kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!((std::fs::read(&path).unwrap().as_slice(), names()), (&b"first"[..], 1));
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", &path).unwrap();
    assert!(ConversationFile::create(&path).is_err(), "a link that leads nowhere is a name that is taken");
}
