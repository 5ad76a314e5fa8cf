//! A machine without Rust: an empty home and a path with a few named programs.

use super::prints;
use bailiwick_tests::python_client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What wrappers and installers start.
const PROGRAMS: [&str; 5] = ["sh", "env", "dirname", "readlink", "uname"];

pub(super) struct Home {
    base: tempfile::TempDir,
}

impl Home {
    /// With these programs beside those of every system, by name or by path.
    pub(super) fn new(programs: &[&Path]) -> Self {
        let base = tempfile::Builder::new().prefix("bailiwick-home-").tempdir().unwrap();
        for directory in ["bin", "docs"] {
            std::fs::create_dir(base.path().join(directory)).unwrap();
        }
        std::fs::write(base.path().join("docs/a.txt"), "one\n").unwrap();
        for program in PROGRAMS.iter().map(Path::new).chain(programs.iter().copied()) {
            let found = if program.is_absolute() { program.to_owned() } else { on_path(program) };
            std::os::unix::fs::symlink(&found, base.path().join("bin").join(found.file_name().unwrap())).unwrap();
        }
        Self { base }
    }

    pub(super) fn path(&self) -> &Path {
        self.base.path()
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.path().display().to_string();
        vec![("HOME", home.clone()), ("PATH", format!("{home}/bin")), ("LANG", "C.UTF-8".into())]
    }

    /// A command that sees nothing of the tests' own environment.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.environment()).current_dir(self.path());
        command
    }

    /// Lets the official Python client read a file over MCP from the server that is started so.
    #[track_caller]
    pub(super) fn reads_over_mcp(&self, program: &Path, first: &[&str]) {
        let grant = format!("docs={}", self.path().join("docs").display());
        self.reads_from(program, first, &grant);
    }

    #[track_caller]
    pub(super) fn reads_from(&self, program: &Path, first: &[&str], grant: &str) {
        let arguments: Vec<&str> = first.iter().copied().chain(["mcp", "--grant", grant]).collect();
        let environment: Value = self
            .environment()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let scenario = json!({
            "scenario": "called", "calls": [["read_text_file", { "path": "docs/a.txt" }]],
            "mode": "auto", "command": program, "args": arguments, "env": environment
        });
        let answer: Value = serde_json::from_str(&prints(python_client().arg(scenario.to_string()))).unwrap();
        assert_eq!(answer["outcome"][0]["isError"], false, "{answer:#}");
        assert!(answer["outcome"][0]["text"].as_str().unwrap().contains("one"), "{answer:#}");
    }
}

/// Where a program is. One that `PATH` leads to through a link is named as it is there: what it does may depend on it.
fn on_path(program: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let mut found = std::env::split_paths(&path).map(|directory| directory.join(program)).filter(|path| path.is_file());
    found.next().unwrap_or_else(|| panic!("no `{}`", program.display()))
}
