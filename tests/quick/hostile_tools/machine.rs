//! A machine of a person who adds tools of strangers.

use bailiwick_tests::{Mcp, binary, cache_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Two directories with a file each, and a state of its own.
pub(crate) struct Machine(tempfile::TempDir);

/// A component that this project's own attacks are made of.
pub(crate) fn guest(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../components/dist/{name}.wasm"));
    std::fs::read(file).expect("the guests are not built yet; run `cargo xtask guests` first")
}

/// A manifest's request for a directory.
pub(crate) fn directory(name: &str, access: &str) -> String {
    format!("[[directories]]\nname = \"{name}\"\naccess = \"{access}\"\nreason = \"looks at it\"\n")
}

impl Machine {
    pub(crate) fn new() -> Self {
        let base = tempfile::Builder::new().prefix("bailiwick-hostile-").tempdir().unwrap();
        for directory in ["docs", "other"] {
            std::fs::create_dir(base.path().join(directory)).unwrap();
            std::fs::write(base.path().join(directory).join(format!("{directory}.txt")), "text\n").unwrap();
        }
        Self(base)
    }

    pub(crate) fn base(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(binary())
            .args(arguments)
            .current_dir(self.base())
            .env("BAILIWICK_STATE_DIR", self.base().join("state"))
            .env("BAILIWICK_CACHE_DIR", cache_of(self.base()))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// What is said to a person, with this exit code. No character that is not seen reaches them.
    #[track_caller]
    pub(crate) fn exits(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let [told, said] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{told}\n{said}");
        for text in [&told, &said] {
            let unseen = |c: char| c != '\n' && c.is_control() || matches!(c, '\u{202e}' | '\u{200b}' | '\u{e0041}');
            assert!(!text.contains(unseen), "{arguments:?}: {text:?}");
            assert!(!text.contains("panicked"), "{arguments:?}: {text}");
        }
        format!("{told}{said}")
    }

    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// A tool in a directory of its own, with a manifest.
    pub(crate) fn project(&self, name: &str, component: &[u8], asks: &str) -> PathBuf {
        let place = self.base().join(format!("project-{name}"));
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("tool.wasm"), component).unwrap();
        let head = format!(
            "schema = 1\nname = \"{name}\"\nversion = \"0.1.0\"\ndescription = \"Helps.\"\ncomponent = \"tool.wasm\"\n"
        );
        std::fs::write(place.join("tool.toml"), format!("{head}{asks}")).unwrap();
        place
    }

    /// The same, added and approved by a person who has read the review.
    pub(crate) fn approved(&self, name: &str, component: &[u8], asks: &str) {
        let place = self.project(name, component, asks);
        if self.json(&["tool", "add", place.to_str().unwrap()])["state"] == "added" {
            return;
        }
        let review = self.json(&["tool", "inspect", name])["review"].as_str().unwrap().to_owned();
        self.exits(&["tool", "approve", name, "--reviewed", &review], 0);
    }

    /// Adds a component without a manifest.
    pub(crate) fn added(&self, name: &str, component: &[u8]) {
        let file = self.base().join(format!("{name}.wasm"));
        std::fs::write(&file, component).unwrap();
        self.exits(&["tool", "add", file.to_str().unwrap(), "--name", name], 0);
    }

    /// The answer of a tool, called by command.
    #[track_caller]
    pub(crate) fn call(&self, tool: &str, input: &Value, more: &[&str]) -> Value {
        let input = input.to_string();
        self.json(&[&["tool", "call", tool, "--input", &input], more].concat())["output"].clone()
    }

    pub(crate) fn mcp(&self, arguments: &[&str]) -> Mcp {
        Mcp::legacy(self.base(), arguments, json!({}))
    }

    /// What is kept of an added component.
    pub(crate) fn kept(&self, name: &str) -> PathBuf {
        let digest = self.json(&["tool", "inspect", name])["digest"].as_str().unwrap().to_owned();
        self.base().join(format!("state/tools/components/{}.wasm", digest.trim_start_matches("sha256:")))
    }
}

/// Whether a server offers a tool of this name.
pub(crate) fn offers(server: &mut Mcp, tool: &str) -> bool {
    server.tools().iter().any(|name| name == tool)
}
