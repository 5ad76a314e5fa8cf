//! Files of agents and of their templates.

use std::path::Path;

use bailiwick_fuzz::Target;
use serde_json::Value;

use crate::KnownSecrets;
use crate::file::AgentFile;
use crate::replay::{Placeholders, Replay};
use crate::script::Script;
use crate::templates::Template;

#[test]
fn agent_files() {
    const WORDS: &[&str] = &[
        "name = ",
        "[[grants]]",
        "[limits]",
        "[result]",
        "\"\"\"",
        "{ a = ",
        "[[a.b]]",
        "a.b.c = ",
        "1979-05-27",
        "inf",
        "nan",
        "0x",
        "$ref",
        "[[",
        "{a={",
        "pattern = ",
        "allOf = [",
        "steps = [",
    ];
    Target { name: "agent_files", words: WORDS }.run_text(|text| {
        let _ = AgentFile::parse(text);
        let _ = Script::parse("script", text);
    });
}

#[test]
fn templates() {
    const WORDS: &[&str] = &[
        "---",
        "# ",
        "## ",
        "{{",
        "}}",
        "{a = b}",
        "<!-- enforced: ",
        "-->",
        "```",
        "- ",
        "{{fence-rule}}",
        "optional text",
    ];
    Target { name: "templates", words: WORDS }.run_text(|text| {
        let _ = Template::parse(text);
    });
}

#[test]
fn recordings() {
    const WORDS: &[&str] = &[
        "{\"format\":\"bailiwick-conversation\",\"version\":1,\"model\":\"m\",\"origin\":\"recorded\"}\n",
        "{\"turn\":",
        "\"request\":{",
        "\"messagesKept\":",
        "\"messages\":[",
        "\"task\":",
        "\"instructions\":",
        "\"tools\":[",
        "\"response\":{",
        "\"failure\":{",
        "${bailiwick:sdk}",
        "${bailiwick:literal}",
        "${bailiwick:run}",
        "${bailiwick:",
        "20261120-130405-678-k3m9x2qa",
        "/home/a/sdk",
    ];
    Target { name: "recordings", words: WORDS }.run_text(|text| {
        let places = Placeholders::new([("sdk", Path::new("/home/a/sdk")), ("home", Path::new("/home/a"))]);
        let value = Value::String(text.to_owned());
        // What is hidden is shown again, but for ids of runs.
        let hidden = places.hide(value.clone());
        if !hidden.to_string().contains("${bailiwick:run}") {
            assert_eq!(places.show(hidden), value);
        }
        if let Ok(replay) = Replay::read(text, places, KnownSecrets::new([])) {
            let _ = (replay.is_whole(), replay.finish());
        }
    });
}
