//! Malformed agent files and scripts: each gets one clear sentence and never a panic.

use async_trait::async_trait;
use bailiwick_agent::file::{AgentFile, Instructions, SchemaSource, check_input, filled};
use bailiwick_agent::script::Script;
use bailiwick_agent::{Microagent, ToolReply, ToolSpec, Toolbox};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

const FILES: [&str; 4] = [
    include_str!("../../../../../examples/agents/readme/agent.toml"),
    include_str!("../../../../../examples/agents/spelling/agent.toml"),
    include_str!("../../../../../examples/agents/dependencies/agent.toml"),
    // Everything that a file can have.
    r##"
name = "whole"
description = "All of it."
instructions = """
Do it with ${input} and {fences}."""
tools = ["ReadFile", "CodePatch"]
model = "openai:gpt"
[[grant]]
name = "one"
path = "{folder}"
access = "ro"
[[grant]]
name = "two"
path = "a/b"
access = "rw"
allow-sensitive = [".git", ".vscode/cspell.json"]
[limits]
tool-calls = 3
tokens = 1000
seconds = 60
money = "0.25"
[limits.call]
seconds = 5
memory-mib = 16
input-kib = 10
output-kib = 10
handles = 9
directory-entries = 100
written-mib = 1
[input]
type = "object"
properties = { folder = { type = "string", pattern = "^[a-z]+$" } }
[result]
"$ref" = "#/$defs/node"
[result."$defs".node]
type = "object"
properties = { next = { type = "string" }, at = { type = "number", minimum = 0.5 } }
"##,
];

const SCRIPTS: [&str; 3] = [
    include_str!("../../../../../examples/agents/readme/steps.toml"),
    include_str!("../../../../../examples/agents/spelling/steps.toml"),
    include_str!("../../../../../examples/agents/dependencies/steps.toml"),
];

/// What people, editors and attackers leave in files.
const PIECES: [&str; 36] = [
    "",
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    "\n",
    "#",
    ".",
    "..",
    "/",
    "\\",
    "\\u001b",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{feff}",
    "\0",
    "ä",
    "-1",
    "0",
    "1e400",
    "99999999999999999999",
    "nan",
    "true",
    "1979-05-27",
    "\"../..\"",
    "\"/etc\"",
    "[grant]",
    "$ref = \"#\"",
    "{ type = 7 }",
    "\"{}\"",
    "name = \"a\"\n",
];

/// One change at a place, which is taken modulo the length of the text.
#[derive(Debug, Clone)]
enum Change {
    Cut(usize, usize),
    Put(usize, usize),
    Replace(usize, usize, usize),
    Double(usize, usize),
    SwapLines(usize, usize),
    Byte(usize, u8),
}

fn any_change() -> impl Strategy<Value = Change> {
    let (at, length, piece) = (any::<usize>(), 1_usize..40, 0..PIECES.len());
    prop_oneof![
        (at, length.clone()).prop_map(|(at, length)| Change::Cut(at, length)),
        (at, piece.clone()).prop_map(|(at, piece)| Change::Put(at, piece)),
        (at, length.clone(), piece).prop_map(|(at, length, piece)| Change::Replace(at, length, piece)),
        (at, length).prop_map(|(at, length)| Change::Double(at, length)),
        (at, at).prop_map(|(one, other)| Change::SwapLines(one, other)),
        (at, any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_owned();
    for change in changes {
        let place = |at: usize| text.floor_char_boundary(at % (text.len() + 1));
        let span = |at: usize, length: usize| {
            let start = place(at);
            start..text.floor_char_boundary((start + length).min(text.len()))
        };
        match *change {
            Change::Cut(at, length) => text.replace_range(span(at, length), ""),
            Change::Put(at, piece) => text.insert_str(place(at), PIECES[piece]),
            Change::Replace(at, length, piece) => text.replace_range(span(at, length), PIECES[piece]),
            Change::Double(at, length) => {
                let span = span(at, length);
                let again = text[span.clone()].repeat(2);
                text.replace_range(span, &again);
            }
            Change::SwapLines(one, other) => {
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    let (one, other) = (one % lines.len(), other % lines.len());
                    lines.swap(one, other);
                    text = lines.join("\n");
                }
            }
            Change::Byte(at, byte) => {
                let mut bytes = text.clone().into_bytes();
                if !bytes.is_empty() {
                    let at = at % bytes.len();
                    bytes[at] = byte;
                    text = String::from_utf8_lossy(&bytes).into_owned();
                }
            }
        }
    }
    text
}

struct NoTools;

#[async_trait]
impl Toolbox for NoTools {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    async fn call(&self, _name: &str, _arguments: &Value) -> ToolReply {
        unreachable!("there is no tool")
    }
}

/// One sentence that a person can read: not empty, on one line, of bearable length, and harmless to a terminal.
fn assert_clear(said: &dyn std::fmt::Display) -> Result<(), TestCaseError> {
    let said = said.to_string();
    prop_assert!(said.starts_with(|first: char| first.is_lowercase() || first == '`'), "{said:?}");
    prop_assert!(said.len() < 1_000 && !said.ends_with('.'), "{said:?}");
    prop_assert!(!said.contains(char::is_control) && !said.contains('\u{202e}'), "{said:?}");
    Ok(())
}

/// Everything that is done with a file before an agent runs.
fn try_file(text: &str) -> Result<(), TestCaseError> {
    let file = match AgentFile::parse(text) {
        Ok(file) => file,
        Err(error) => return assert_clear(&error),
    };
    prop_assert!(file.budget.max_tool_calls > 0 && file.call_limits.memory_bytes <= 64 << 20);
    for grant in &file.grants {
        prop_assert!(!format!("{:?}", grant.place).contains(".."), "{grant:?}");
    }
    if let Err(error) = file.check_tools(&["ReadFile", "WriteFile"]) {
        assert_clear(&error)?;
    }
    let input = json!({ "folder": "docs", "title": "T" });
    if let Some(SchemaSource::Inline(schema)) = &file.input
        && let Err(error) = check_input(schema, &input)
    {
        let said = error.to_string();
        prop_assert!(!said.is_empty() && said.len() < 10_000, "{said:?}");
    }
    if let Instructions::Template { parameters, .. } = &file.instructions
        && let Err(error) = filled(parameters, &input)
    {
        assert_clear(&error)?;
    }
    if let SchemaSource::Inline(schema) = &file.result {
        let agent = Microagent::<Value>::new("Do it.", file.task(&input), file.budget.clone());
        if let Err(error) = agent.with_result_schema(schema.clone()).define(&NoTools) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: bailiwick_fuzz::cases(2_000), rng_seed: RngSeed::Fixed(2026), ..ProptestConfig::default() })]

    #[test]
    fn agent_file_that_was_changed_anyhow_is_usable_or_says_in_one_sentence_why_not(
        file in 0..FILES.len(), changes in prop::collection::vec(any_change(), 0..4),
    ) {
        try_file(&changed(FILES[file], &changes))?;
    }

    #[test]
    fn script_that_was_changed_anyhow_is_usable_or_says_in_one_sentence_why_not(
        script in 0..SCRIPTS.len(), changes in prop::collection::vec(any_change(), 0..4),
    ) {
        if let Err(error) = Script::parse("script", &changed(SCRIPTS[script], &changes)) {
            assert_clear(&error)?;
        }
    }
}

#[test]
fn files_that_are_changed_here_are_good_ones() {
    for text in FILES {
        AgentFile::parse(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    }
    for text in SCRIPTS {
        Script::parse("script", text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    }
}
