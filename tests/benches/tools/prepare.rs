//! The example tools, built and added in a place of their own.

use bailiwick_tests::{binary, cache};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// One of the examples, and a call that it answers.
pub(crate) struct Tool {
    pub(crate) language: &'static str,
    pub(crate) name: &'static str,
    /// The directory that it asks for.
    pub(crate) directory: &'static str,
    access: &'static str,
    /// What is in the directory: a file and its content.
    file: (&'static str, &'static str),
    pub(crate) input: &'static str,
}

pub(crate) const TOOLS: [Tool; 3] = [
    Tool {
        language: "Rust",
        name: "diagnostics-summary",
        directory: "logs",
        access: "ro",
        file: ("build.txt", "a.py:1: error: No  [x]\n"),
        input: r#"{ "file": "logs/build.txt" }"#,
    },
    Tool {
        language: "Python",
        name: "changelog-writer",
        directory: "package",
        access: "rw",
        file: ("CHANGELOG.md", "# Release History\n\n## 1.0.0b1 (Unreleased)\n"),
        input: r#"{ "file": "package/CHANGELOG.md", "version": "1.0.0b1", "fixes": ["Mended."] }"#,
    },
    Tool {
        language: "JavaScript",
        name: "typespec-style",
        directory: "spec",
        access: "rw",
        file: ("main.tsp", "model Widget {\n\tname: string;\n}\n"),
        input: r#"{ "path": "spec" }"#,
    },
];

impl Tool {
    /// Its directory as a grant.
    pub(crate) fn grant(&self) -> String {
        format!("{0}={0}:{1}", self.directory, self.access)
    }

    fn source(&self) -> String {
        format!("examples/tools/{}", self.name)
    }
}

/// A copy of the examples, with a state and a cache of its own.
pub(crate) struct World {
    base: PathBuf,
}

impl World {
    pub(crate) fn new(base: &Path) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        // The tool in Rust depends on the SDK by its path, in a workspace that has nothing else here.
        copy(&root.join("components/tool-sdk"), &base.join("components/tool-sdk"));
        let manifest = fs::read_to_string(root.join("components/Cargo.toml")).expect("the workspace of the guests");
        let (before, rest) = manifest.split_once("members = [").expect("members");
        let (_, after) = rest.split_once(']').expect("their end");
        fs::write(base.join("components/Cargo.toml"), format!("{before}members = [\"tool-sdk\"]{after}"))
            .expect("a file");
        copy(&root.join("examples"), &base.join("examples"));
        for tool in &TOOLS {
            let directory = base.join(tool.directory);
            fs::create_dir_all(&directory).expect("a directory");
            fs::write(directory.join(tool.file.0), tool.file.1).expect("a file");
        }
        Self { base: base.to_owned() }
    }

    pub(crate) fn base(&self) -> &Path {
        &self.base
    }

    /// Where compiled components are kept: nothing is, at first.
    pub(crate) fn cache(&self) -> PathBuf {
        self.base.join("cache")
    }

    /// Builds a tool; how long its component is, in bytes.
    pub(crate) fn build(&self, tool: &Tool) -> u64 {
        let _ = self.run(&["tool", "build", &tool.source()], &cache());
        let component = self.base.join(tool.source()).join(format!("{}.wasm", tool.name));
        fs::metadata(component).expect("a component").len()
    }

    pub(crate) fn add(&self, tool: &Tool) {
        let _ = self.run(&["tool", "add", &tool.source()], &self.cache());
    }

    pub(crate) fn approve(&self, tool: &Tool) {
        let seen = self.run(&["--json", "tool", "inspect", tool.name], &self.cache());
        let seen: Value = serde_json::from_slice(&seen.stdout).expect("JSON");
        let review = seen["review"].as_str().expect("a review");
        let _ = self.run(&["tool", "approve", tool.name, "--reviewed", review], &self.cache());
    }

    /// Calls a tool by a command; how long the process took.
    pub(crate) fn call(&self, tool: &Tool) -> Duration {
        let started = Instant::now();
        let call = ["tool", "call", tool.name, "--grant", &tool.grant(), "--input", tool.input];
        let _ = self.run(&call, &self.cache());
        started.elapsed()
    }

    fn run(&self, arguments: &[&str], cache: &Path) -> Output {
        let output = Command::new(binary())
            .args(arguments)
            .current_dir(&self.base)
            .env("BAILIWICK_STATE_DIR", self.base.join("state"))
            .env("BAILIWICK_CACHE_DIR", cache)
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

/// What belongs to the repository, without what building leaves there.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        let made = name == "target" || name == "__pycache__" || path.extension().is_some_and(|it| it == "wasm");
        if path.is_dir() && !made {
            copy(&path, &to.join(name));
        } else if !made {
            let _ = fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}
