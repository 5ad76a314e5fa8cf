//! A directory that is allowed, and what lies around it.

use bailiwick_tests::{Mcp, reference_file_server, server};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

pub(crate) const SECRET: &str = "nobody may read this";

/// `allowed` and its surroundings, with a server over it.
pub(crate) struct World {
    pub(crate) base: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let base = tempfile::Builder::new().prefix("bailiwick-files-").tempdir().unwrap();
        let world = Self { base };
        for (path, content) in [
            ("allowed/a.txt", "one\ntwo\nthree\n".as_bytes()),
            ("allowed/no-end.txt", b"one\ntwo\nthree"),
            ("allowed/crlf.txt", b"one\r\ntwo\r\n"),
            ("allowed/latin1.txt", b"caf\xe9\n"),
            ("allowed/twice.txt", b"x = 1\nx = 1\n"),
            ("allowed/image.png", b"\x89PNG\r\n\x1a\n\0"),
            ("allowed/sub/y.py", b"print(1)\n"),
            ("allowed/sub/deep/x.py", b"print(2)\n"),
            ("allowed/sub/deep/x.txt", b"2\n"),
            ("allowed/made/node_modules/m/index.js", b""),
            ("allowed/made/.git/config", b""),
            ("allowed_evil/secret", SECRET.as_bytes()),
            ("outside/secret", SECRET.as_bytes()),
        ] {
            let path = world.path(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        world
    }

    /// Links that lead out, which a tree that is compared has none of.
    pub(crate) fn with_links(self) -> Self {
        for (link, target) in [
            ("allowed/link", "outside/secret"),
            ("allowed/dangling", "outside/missing"),
            ("allowed/to-outside", "outside"),
            ("allowed/chain", "allowed/link"),
        ] {
            symlink(self.path(target), self.path(link)).unwrap();
        }
        symlink("../outside/secret", self.path("allowed/relative")).unwrap();
        symlink("sub", self.path("allowed/inside")).unwrap();
        self
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.base.path().join(path)
    }

    pub(crate) fn at(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    /// Our server over `allowed`, writable.
    pub(crate) fn ours(&self, capabilities: Value) -> Mcp {
        let grant = format!("allowed={}:rw", self.at("allowed"));
        Mcp::over(server(self.base.path(), &["--grant", &grant]), capabilities)
    }

    /// The reference server over `allowed`.
    pub(crate) fn theirs(&self, capabilities: Value) -> Mcp {
        let mut command = reference_file_server();
        command.arg(self.path("allowed"));
        Mcp::with(command, capabilities, "secure-filesystem-server")
    }

    /// `{base}` in `value` is where this world lies.
    pub(crate) fn placed(&self, value: &Value) -> Value {
        let text = value.to_string().replace("{base}", self.base.path().to_str().unwrap());
        serde_json::from_str(&text).unwrap()
    }

    /// Files and directories beneath `allowed`, with what the files hold.
    pub(crate) fn snapshot(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn walk(directory: &Path, root: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            let mut paths: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            for path in paths {
                let name = path.strip_prefix(root).unwrap().to_owned();
                if path.is_symlink() || path.is_file() {
                    found.push((name, std::fs::read(&path).ok()));
                } else {
                    found.push((name, None));
                    walk(&path, root, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.path("allowed"), &self.path("allowed"), &mut found);
        found
    }
}

pub(crate) fn is_error(answer: &Value) -> bool {
    answer["isError"] == json!(true)
}

/// The answer of a request, which may have come while another was waited for.
pub(crate) fn taken(client: &mut Mcp, id: u64) -> Value {
    match client.aside.iter().position(|message| message["id"] == json!(id)) {
        Some(index) => client.aside.swap_remove(index),
        None => client.answer(id),
    }
}
