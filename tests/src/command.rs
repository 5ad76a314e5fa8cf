//! One run of the binary.

use crate::{World, dotnet};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What the binary printed and how it ended.
#[derive(Debug)]
pub struct Answer {
    /// The exit code; a signal is 128 and its number.
    pub code: i32,
    /// stdout as text.
    pub stdout: String,
    /// stderr as text.
    pub stderr: String,
}

impl Answer {
    /// stdout as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("stdout is not JSON ({error}):\n{}\n{}", self.stdout, self.stderr))
    }

    /// Asserts the exit code, showing everything when it is another.
    #[track_caller]
    #[must_use]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// The binary under test: what `cargo xtask test` built, or the one beside this test.
#[must_use]
pub fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("BAILIWICK_BIN") {
        return path.into();
    }
    let test = std::env::current_exe().unwrap();
    let path = test.parent().and_then(Path::parent).unwrap().join("bailiwick");
    assert!(path.is_file(), "`{}` is not built; run `cargo xtask test`", path.display());
    path
}

/// The cache with the toolchains, which `cargo xtask test` fills before any test runs.
#[must_use]
pub fn cache() -> PathBuf {
    std::env::var_os("BAILIWICK_CACHE_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(".bailiwick-cache"), PathBuf::from)
}

/// The link by which a world has a cache directory of its own.
pub(crate) const OWN_CACHE: &str = "stand-in-cache";

/// The cache directory of a world beneath `base`: the stand-in's where it stands in, else the real one.
#[must_use]
pub fn cache_of(base: &Path) -> PathBuf {
    let own = base.join(OWN_CACHE);
    if own.exists() { own } else { cache() }
}

pub(crate) fn run(world: &World, arguments: &[&str], environment: &[(&str, &str)]) -> Answer {
    let output = prepared(world, arguments).envs(environment.iter().copied()).output().expect("the binary starts");
    Answer {
        code: output.status.code().unwrap_or(128),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The binary with these arguments over the directories of a world.
pub(crate) fn prepared(world: &World, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    // The environment of the tests may name a model, and may be a service that builds.
    for variable in [
        "CI",
        "BAILIWICK_LOG",
        "BAILIWICK_MODEL",
        "BAILIWICK_CONFIG",
        "BAILIWICK_KEY_FILE",
        "OPENAI_API_KEY",
        "AZURE_OPENAI_ENDPOINT",
        // What stays between commands is for tests of that alone.
        "XDG_RUNTIME_DIR",
    ] {
        command.env_remove(variable);
    }
    command
        .args(arguments)
        .current_dir(world.base())
        .env("BAILIWICK_STATE_DIR", world.state())
        .env("BAILIWICK_CACHE_DIR", cache_of(world.base()))
        .env("XDG_CONFIG_HOME", world.base().join("configuration"))
        .envs(dotnet::path(&world.repositories()).map(|path| ("PATH", path)))
        .stdin(Stdio::null());
    command
}

/// Runs the command at a terminal that `script` makes, and types.
pub(crate) fn at_terminal(world: &World, arguments: &[&str], typed: &str) -> (String, bool) {
    let mut child = terminal(world, arguments);
    // The end of the input would end the terminal, too: it stays open until the command is over.
    let mut input = child.stdin.take().unwrap();
    input.write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(input);
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
}

/// The same, where `meanwhile` happens between the question and what is typed.
pub(crate) fn asked_at_terminal(
    world: &World,
    arguments: &[&str],
    question: &str,
    meanwhile: impl FnOnce(),
    typed: &str,
) -> (String, bool) {
    let mut child = terminal(world, arguments);
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut shown = Vec::new();
    let mut some = [0; 4096];
    while !String::from_utf8_lossy(&shown).contains(question) {
        let length = output.read(&mut some).unwrap();
        assert_ne!(length, 0, "nothing was asked: {}", String::from_utf8_lossy(&shown));
        shown.extend_from_slice(&some[..length]);
    }
    meanwhile();
    input.write_all(typed.as_bytes()).unwrap();
    output.read_to_end(&mut shown).unwrap();
    (String::from_utf8_lossy(&shown).into_owned(), child.wait().unwrap().success())
}

fn terminal(world: &World, arguments: &[&str]) -> Child {
    let plain = prepared(world, arguments);
    let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap().replace('\'', "'\\''"));
    let words: Vec<String> = [plain.get_program()].into_iter().chain(plain.get_args()).map(quoted).collect();
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]).current_dir(world.base());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None => script.env_remove(name),
        };
    }
    script.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    script.spawn().expect("`script` makes a terminal")
}
