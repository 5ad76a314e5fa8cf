//! Plans: operations of the hostile guest's interpreter, made of bytes. A property test and a fuzzer differ in where
//! the bytes come from and in nothing else.

use serde_json::{Value, json};
use std::fmt;

/// What is done to the tree, in the interpreter's own notation.
#[derive(Clone, PartialEq)]
pub(crate) struct Plan(pub(crate) Vec<Value>);

/// One operation is made of so many bytes, so that taking one out leaves the others what they are.
pub(crate) const RECORD: usize = 24;

/// More would only make a finding longer.
pub(crate) const LONGEST: usize = 80;

/// What paths are made of: what [`super::world`] plants, and what programs like to get wrong. What is plain comes first
/// and often, so that a plan gets somewhere and a finding shrinks to it.
const NAMES: [&str; 72] = [
    "file",
    "sub",
    "new",
    "other-new",
    "deeper",
    "leaf",
    "empty",
    "file",
    "sub",
    "new",
    "other-new",
    "empty",
    "private",
    "set-id",
    "hard",
    "fifo",
    "socket",
    ".",
    "..",
    "",
    "..",
    ".",
    "",
    "in",
    "in-directory",
    "to-sub",
    "to-empty",
    "up",
    "back",
    "out",
    "out-file",
    "out-new",
    "evil",
    "absolute",
    "absolute-new",
    "absolute-inside",
    "root",
    "hidden",
    "indirect",
    "dangling",
    "dangling-directory",
    "deep-dangling",
    "loop",
    "ping",
    "chain",
    "longer-chain",
    "to-fifo",
    "to-bad",
    "bad",
    "git",
    "git-config",
    ".git",
    ".GIT",
    "config",
    ".vscode",
    "tasks.json",
    ".envrc",
    ".github",
    ".bailiwick-tmp-1",
    ".bailiwick-tmp-2",
    ".bailiwick-tmp-1",
    "missing",
    "outside",
    "secret",
    "granted",
    "a\0b",
    "\0",
    "a\\b",
    "..\\file",
    " ",
    "\u{e9}\u{202e}",
    "e\u{301}",
];

const STARTS: [&str; 16] = ["", "", "", "", "", "", "", "", "", "", "./", "../", "/", "//", ".//", "sub/../"];
const BETWEEN: [&str; 8] = ["/", "/", "/", "/", "//", "/./", "/../", "///"];
const ENDS: [&str; 16] = ["", "", "", "", "", "", "", "", "", "/", "/", "/.", "//", "/./", "/..", "\0"];

const FLAGS: [&str; 32] = [
    "r", "w", "rw", "crw", "fr", "frw", "fcrw", "cxrw", "ctw", "dr", "fdr", "drm", "fdrm", "tw", "ftw", "fw", "cw",
    "fcw", "cx", "fcxw", "t", "ft", "c", "fc", "", "f", "m", "fm", "dx", "dcrw", "fdw", "xriaq",
];

const FOLLOW: [&str; 2] = ["", "f"];

const DIRECTORIES: [u64; 16] = [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 4, 8, 9, 10, 2];
const OPENED: [u64; 12] = [4, 5, 3, 6, 7, 8, 9, 10, 11, 12, 13, 0];

/// Past 2^40 every one is over the limit of bytes written; none between, where it would depend on what was written.
const NUMBERS: [u64; 12] = [0, 1, 3, 7, 100, 4095, 4096, 9000, 1 << 40, i64::MAX as u64, 1 << 63, u64::MAX];

const TEXTS: [&str; 4] = ["hostile", "", "a\0b", "\u{e9}"];

/// On directories and files of each grant.
const HANDLES: &str = r#"
["open-at", 0, "sub", "drm"]
["open-at", 0, "file", "rw"]
["open-at", 0, "new", "crw"]
["open-at", 0, ".bailiwick-tmp-1", "cxrw"]
["open-at", 1, "file", "r"]
["open-at", 2, "sub", "drm"]
["open-at", 1, "sub", "dr"]
"#;

impl Plan {
    /// One operation for each whole or begun record.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let records = bytes.chunks(RECORD).take(LONGEST).map(Bytes);
        // Most begin with handles that something can be done with; a finding that needs none shrinks to none.
        let handles = bytes.first().is_some_and(|first| first % 8 != 0);
        let mut plan = if handles { Self::parse(HANDLES) } else { Self(Vec::new()) };
        plan.0.extend(records.map(|mut record| record.operation()));
        plan
    }

    /// Reads what a failure has printed.
    pub(crate) fn parse(text: &str) -> Self {
        let operations = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        Self(
            operations.map(|operation| operation.expect("a plan is operations as JSON, one after the other")).collect(),
        )
    }
}

/// In the form that [`Plan::parse`] reads, which is what a regression test is made of.
impl fmt::Display for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|operation| writeln!(out, "{operation}"))
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\n{self}")
    }
}

/// What is left of a record. When nothing is, every choice is the first.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first)
            }
            None => 0,
        }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.next() % from.len()]
    }

    fn directory(&mut self) -> u64 {
        self.pick(&DIRECTORIES)
    }

    fn opened(&mut self) -> u64 {
        self.pick(&OPENED)
    }

    fn path(&mut self) -> String {
        let shape = self.next();
        let name = self.pick(&NAMES);
        // Every other path is a name as it stands; a few are as long as a path can be, or longer.
        match shape {
            0..116 => name.to_owned(),
            116..120 => "x".repeat(255),
            120..124 => "x".repeat(256),
            124..126 => format!("{}{name}", "./".repeat(2_000)),
            126..128 => format!("{}{name}", "./".repeat(2_100)),
            _ => {
                let start = self.pick(&STARTS);
                let end = self.pick(&ENDS);
                let mut path = format!("{start}{name}");
                for _ in 0..shape % 4 {
                    path.push_str(self.pick(&BETWEEN));
                    path.push_str(self.pick(&NAMES));
                }
                path + end
            }
        }
    }

    fn operation(&mut self) -> Value {
        // What the first byte says of the handles has nothing to do with the operation.
        let kind = self.next() / 8;
        match kind {
            0..9 => json!(["open-at", self.directory(), self.path(), self.pick(&FLAGS)]),
            9..11 => json!(["stat-at", self.directory(), self.path(), self.pick(&FOLLOW)]),
            11..13 => json!(["create-directory-at", self.directory(), self.path()]),
            13 => json!(["remove-directory-at", self.directory(), self.path()]),
            14..16 => json!(["unlink-file-at", self.directory(), self.path()]),
            16..21 => json!(["rename-at", self.directory(), self.path(), self.directory(), self.path()]),
            21 => json!(["readlink-at", self.directory(), self.path()]),
            22 => {
                let directory = self.directory();
                json!([self.pick(&["readdir", "entries"]), directory])
            }
            23..25 => json!(["read", self.opened(), self.pick(&NUMBERS), self.pick(&NUMBERS)]),
            25..27 => json!(["write", self.opened(), self.pick(&TEXTS), self.pick(&NUMBERS)]),
            27 => json!(["set-size", self.opened(), self.pick(&NUMBERS)]),
            28 => json!(["metadata-hash-at", self.directory(), self.path(), self.pick(&FOLLOW)]),
            29 => match self.next() % 3 {
                0 => json!(["link-at", 0, self.path(), self.pick(&FOLLOW), self.directory(), self.path()]),
                1 => json!(["symlink-at", self.directory(), self.path(), self.path()]),
                _ => json!(["set-times-at", self.directory(), self.path(), self.pick(&FOLLOW), "now", [1, 2]]),
            },
            30 => json!([
                self.pick(&["stat", "get-type", "get-flags", "sync", "sync-data", "metadata-hash"]),
                self.opened()
            ]),
            _ => match self.next() % 2 {
                0 => json!(["is-same-object", self.opened(), self.opened()]),
                _ => json!(["drop", self.opened()]),
            },
        }
    }
}
