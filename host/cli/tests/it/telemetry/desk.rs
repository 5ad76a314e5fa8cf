//! A directory with an agent file, which the real command runs.

use std::path::PathBuf;
use std::process::Command;

/// Stands in the file that the agent reads, and so in its result.
pub(super) const CONTENT: &str = "canary-of-the-file";
/// Stands in what the model is told.
pub(super) const INSTRUCTIONS: &str = "canary-of-the-instructions";
/// Stands in the arguments of a call.
pub(super) const ARGUMENT: &str = "canary-of-the-arguments";

const STEPS: &str = r#"
[[step]]
id = "note"
tool = "ReadFile"
arguments = { filePath = "notes/note.txt" }
[[step]]
id = "missing"
tool = "ReadFile"
arguments = { filePath = "notes/canary-of-the-arguments" }
may-fail = true
[exit]
result = "${note.content}"
"#;

/// What the command did.
pub(super) struct Answer {
    pub(super) code: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

pub(super) struct Desk {
    directory: tempfile::TempDir,
}

impl Desk {
    pub(super) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("notes")).unwrap();
        std::fs::write(directory.path().join("notes/note.txt"), CONTENT).unwrap();
        std::fs::write(directory.path().join("steps.toml"), STEPS).unwrap();
        let desk = Self { directory };
        desk.limit_calls(30);
        desk
    }

    /// Writes the agent file with this limit.
    pub(super) fn limit_calls(&self, calls: u32) {
        let agent = format!(
            "name = \"reader\"\ninstructions = \"{INSTRUCTIONS}\"\ntools = [\"ReadFile\"]\nmodel = \"script:steps.toml\"\n\
             [[grant]]\nname = \"notes\"\npath = \"notes\"\naccess = \"ro\"\n\
             [limits]\ntool-calls = {calls}\n[result]\ntype = \"string\"\n"
        );
        std::fs::write(self.directory.path().join("agent.toml"), agent).unwrap();
    }

    pub(super) fn run(&self, environment: &[(&str, &str)]) -> Answer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bailiwick"));
        // The environment of the tests may have a collector and a proxy of its own.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            let upper = name.to_ascii_uppercase();
            if upper.starts_with("OTEL_") || upper.starts_with("BAILIWICK_") || upper.ends_with("_PROXY") {
                command.env_remove(name);
            }
        }
        let state = |name: &str| -> PathBuf { self.directory.path().join(name) };
        let output = command
            .args(["agent", "run", "agent.toml"])
            .current_dir(self.directory.path())
            .env_remove("TRACEPARENT")
            .env("BAILIWICK_STATE_DIR", state("state"))
            .env("BAILIWICK_CACHE_DIR", state("cache"))
            .envs(environment.iter().copied())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        Answer {
            code: output.status.code().unwrap_or(128),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
