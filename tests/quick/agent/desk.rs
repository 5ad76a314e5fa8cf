//! What the tests here have in common.

use bailiwick_tests::{Answer, World};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A directory `desk` with an agent file and what lies beside it, and a canary outside of it.
pub(crate) struct Desk {
    pub(crate) world: World,
}

/// The beginning of an agent file that reads a directory beside it, and a script for it.
pub(crate) const READER: &str = r#"
name = "reader"
instructions = "Read the note and hand it in."
tools = ["ReadFile", "WriteFile"]
model = "script:steps.toml"
"#;
pub(crate) const NOTES: &str = "[[grant]]\nname = \"notes\"\npath = \"notes\"\naccess = \"ro\"\n";
pub(crate) const RESULT: &str = "[result]\ntype = \"string\"\n";
pub(crate) const READS: &str = r#"
[[step]]
id = "note"
tool = "ReadFile"
arguments = { filePath = "notes/note.txt" }
[exit]
result = "${note.content}"
"#;
/// Tries to write and hands in what came of it.
pub(crate) const WRITES: &str = r#"
[[step]]
id = "written"
tool = "WriteFile"
arguments = { filePath = "notes/note.txt", content = "overwritten" }
may-fail = true
[exit]
result = "${written.error.kind}"
"#;

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self { world: World::without_generated_code() };
        fs::create_dir_all(desk.path("notes")).unwrap();
        desk.write("notes/note.txt", "remember");
        desk.write("steps.toml", READS);
        fs::create_dir(desk.world.base().join("outside")).unwrap();
        fs::write(desk.world.base().join("outside/note.txt"), "canary").unwrap();
        desk
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.world.base().join("desk").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    /// Runs `agent.toml` with this text.
    pub(crate) fn run(&self, text: &str, further: &[&str]) -> Answer {
        self.write("agent.toml", text);
        let mut arguments = vec!["agent", "run", "desk/agent.toml"];
        arguments.extend(further);
        self.world.bailiwick(&arguments)
    }

    /// The same, expected to end before anything runs: one sentence, a hint, no call on record, and nothing touched.
    #[track_caller]
    pub(crate) fn starts_nothing(&self, text: &str, further: &[&str], code: i32, said: &str) {
        let answer = self.run(text, further).exits(code);
        assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
        assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
        assert!(!answer.stderr.contains('\u{1b}'), "{:?}", answer.stderr);
        assert!(answer.stderr.contains(said), "`{said}` is not in: {}", answer.stderr);
        assert_eq!(answer.stderr.lines().filter(|line| !line.is_empty()).count(), 2, "{}", answer.stderr);
        assert!(answer.stdout.is_empty(), "{}", answer.stdout);
        assert_eq!(records(&self.world), Vec::<Value>::new());
        assert!(!self.world.state().join("agent-runs").exists());
        assert_eq!(fs::read_to_string(self.path("notes/note.txt")).unwrap(), "remember");
        assert_eq!(fs::read_to_string(self.world.base().join("outside/note.txt")).unwrap(), "canary");
    }
}

pub(crate) fn records(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(world.state().join("audit/audit-000001.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
