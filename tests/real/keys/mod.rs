//! A key of a model reaches the provider and nothing else, however it is given and whatever the provider does with it.

mod canary;
mod customize;
mod input;
mod provider;
mod watch;
mod ways;

use bailiwick_tests::{Answer, World};
use canary::found;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Directories for one test.
struct Desk {
    world: World,
}

impl Desk {
    /// Without the generated code of the package, which an agent from a file has no use for.
    fn bare() -> Self {
        Self::of(World::without_generated_code())
    }

    fn of(world: World) -> Self {
        let desk = Self { world };
        for directory in ["desk/notes", "secret"] {
            fs::create_dir_all(desk.world.base().join(directory)).unwrap();
        }
        fs::write(desk.path("notes/note.txt"), "remember").unwrap();
        fs::write(desk.path("agent.toml"), AGENT).unwrap();
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.world.base().join("desk").join(path)
    }

    /// Where the key is kept, where it is in a file.
    fn secret(&self) -> PathBuf {
        self.world.base().join("secret")
    }

    /// The binary with these arguments and nothing but these variables in its environment that concern models.
    fn command(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(bailiwick_tests::binary());
        for (name, _) in std::env::vars_os() {
            let shown = name.to_string_lossy().to_ascii_uppercase();
            if shown.ends_with("_PROXY")
                || shown.ends_with("_API_KEY")
                || shown.starts_with("BAILIWICK_")
                || shown == "CI"
            {
                command.env_remove(name);
            }
        }
        command
            .args(arguments)
            .current_dir(self.world.base())
            .env("BAILIWICK_STATE_DIR", self.world.state())
            .env("BAILIWICK_CACHE_DIR", bailiwick_tests::cache_of(self.world.base()))
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Answer {
        read(&self.command(arguments, variables).output().unwrap())
    }
}

const AGENT: &str = r#"
name = "reader"
instructions = "Read the note and hand it in."
tools = ["ReadFile", "ListFiles"]
[[grant]]
name = "notes"
path = "notes"
access = "ro"
[result]
type = "string"
"#;

/// What a command printed, in which no trace of the key may be.
#[track_caller]
fn read(output: &std::process::Output) -> Answer {
    for (name, text) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        assert_eq!(found(text), None, "in {name}: {}", String::from_utf8_lossy(text));
    }
    Answer {
        code: output.status.code().unwrap_or(128),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
