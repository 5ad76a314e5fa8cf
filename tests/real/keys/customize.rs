//! `package customize` with a provider that repeats the key: over the real toolchains, and over the stand-in where only the
//! way of the key is another.

use super::Desk;
use super::canary::{Way, assert_in_no_file, found};
use super::provider::{Echo, Reply, repeated, repeats};
use super::watch::{Seen, watch};
use bailiwick_tests::{Answer, World, cache};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::SystemTime;

/// Answers that hide an operation, each with the key repeated in its text; calls with the key in them come first.
fn hides() -> Vec<Reply> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conversations/hide-for-every-language-first.jsonl");
    let text = fs::read_to_string(file).unwrap();
    let turns = text.lines().skip(1).map(|line| {
        let turn: Value = serde_json::from_str(line).unwrap();
        Reply::Turn(repeated(), turn["response"]["calls"].as_array().unwrap().clone())
    });
    [repeats()].into_iter().chain(turns).collect()
}

#[track_caller]
fn customize(desk: &Desk, way: Way, replies: Vec<Reply>) -> (Answer, Seen) {
    customize_with(desk, way, replies, &[])
}

#[track_caller]
fn customize_with(desk: &Desk, way: Way, replies: Vec<Reply>, further: &[&str]) -> (Answer, Seen) {
    let since = SystemTime::now();
    let server = Echo::serve(replies);
    let (name, value) = way.variable("OPENAI_API_KEY", &desk.secret());
    let (choice, package) = (server.choice(), desk.world.package());
    let mut arguments = vec!["--json", "package", "customize", "--package-path", package.to_str().unwrap()];
    arguments.extend(["--customization-request", "hide operation deleteWidget from the Python SDK"]);
    arguments.extend(["--model", &choice, "--record", "desk/conversation.jsonl"]);
    arguments.extend(further);
    // A run of an agent is for a person at work.
    let variables = [(name.as_str(), value.as_str()), ("CI", "")];
    let (output, seen) = watch(desk.command(&arguments, &variables).spawn().unwrap());
    let answer = super::read(&output);
    assert_eq!(seen.leaks, Vec::<String>::new());
    // Both repositories with what git keeps of them, the state with transcripts and the audit log, and the recording.
    let looked_at = assert_in_no_file(desk.world.base(), since, &[desk.secret().join("key")]);
    assert!(looked_at > 5, "{looked_at} files were looked at");
    assert_in_no_file(&cache(), since, &[]);
    for request in server.received() {
        assert_eq!(found(format!("{}{}", request.line, request.body).as_bytes()), None);
    }
    let recording = fs::read_to_string(desk.path("conversation.jsonl")).unwrap();
    assert!(recording.contains("[redacted]"), "the recording holds what was repeated, redacted: {recording}");
    fs::remove_file(desk.path("conversation.jsonl")).unwrap();
    (answer, seen)
}

/// Every transcript is for its owner alone.
fn assert_private_transcripts(desk: &Desk) {
    let mut transcripts = 0;
    for run in fs::read_dir(desk.world.state().join("runs")).unwrap() {
        let transcript = run.unwrap().path().join("transcript.jsonl");
        let Ok(metadata) = fs::metadata(&transcript) else { continue };
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{}", transcript.display());
        transcripts += 1;
    }
    assert!(transcripts > 0, "there is no transcript");
}

/// How the stand-in toolchain calls its program.
const STAND_IN: &[&str] = &["stand-in-node"];

fn succeeds(way: Way, world: World, programs: &[&str]) {
    let desk = Desk::of(world);
    let (answer, seen) = customize(&desk, way, hides());
    let response = answer.exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    for program in programs {
        assert!(
            seen.programs.keys().any(|seen| seen.starts_with(*program)),
            "no `{program}` was seen: {:?}",
            seen.programs
        );
    }
    assert_private_transcripts(&desk);
}

#[test]
fn key_in_a_variable_is_nowhere_after_a_customization() {
    // The compiler and the emitter, and the checks of the package.
    succeeds(Way::Variable, World::new(), &["node", "python"]);
}

#[test]
fn key_in_a_file_is_nowhere_after_a_customization() {
    succeeds(Way::File, World::standing_in(), STAND_IN);
}

#[test]
fn key_of_a_command_is_nowhere_after_a_customization() {
    succeeds(Way::Command, World::standing_in(), STAND_IN);
}

#[test]
fn key_is_nowhere_after_a_customization_that_the_provider_breaks_off() {
    let desk = Desk::of(World::standing_in());
    let before = desk.world.snapshot();
    for (way, reply) in [
        (Way::Variable, Reply::Error(500, repeated())),
        (Way::File, Reply::Error(401, repeated())),
        (Way::Command, Reply::Raw("application/json".into(), format!("{{\"choices\": [{}", repeated()))),
    ] {
        let (answer, _) = customize(&desk, way, vec![repeats(), reply]);
        assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
        before.assert_same(&desk.world.snapshot());
    }
    assert_private_transcripts(&desk);
}

/// Code of the package that runs when it is checked. It reads what it can of every process and says what it found.
const SPY: &str = r#"
import glob as _glob
_read, _found = 0, []
for _path in _glob.glob("/proc/[0-9]*/environ") + _glob.glob("/proc/[0-9]*/cmdline"):
    try:
        with open(_path, "rb") as _file:
            _text = _file.read()
    except OSError:
        continue
    _read += 1
    if b"Canary" + b"One" in _text:
        _found.append(_path)
raise ImportError(f"spied on {_read} files, keys in {len(_found)}")
"#;

#[test]
fn confined_build_reads_the_key_of_no_process() {
    let desk = Desk::of(World::new());
    let path = desk.world.package().join("azure/widget/models/_patch.py");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("from typing import", &format!("{SPY}\nfrom typing import"), 1)).unwrap();
    desk.world.commit();
    // In a variable, it is in the environment of `bailiwick` itself.
    let (answer, _) = customize(&desk, Way::Variable, hides());
    let response = answer.exits(1).json();
    // Not even its own is there to be read: `/proc` is not among what a build is given.
    let said = response["buildResult"]["errorMessages"].to_string();
    assert!(said.contains("spied on ") && said.contains("keys in 0"), "{response:#}");
    // The same code finds it where nothing confines it.
    let (answer, _) = customize_with(&desk, Way::Variable, hides(), &["--unconfined-builds"]);
    let response = answer.exits(1).json();
    let said = response["buildResult"]["errorMessages"].to_string();
    assert!(said.contains("keys in ") && !said.contains("keys in 0"), "{response:#}");
}
