//! What may be answered, and the names of what may go wrong.

use rustix::io::Errno;
use serde_json::Value;

/// Why an operation fails, as the error codes that may be told: mostly one.
pub(crate) type Fault = &'static [&'static str];

pub(crate) const OUTSIDE: Fault = &["not-permitted"];
pub(crate) const LINK: Fault = &["not-permitted"];
pub(crate) const HARD_LINK: Fault = &["not-permitted"];
pub(crate) const METADATA: Fault = &["not-permitted"];
pub(crate) const READ_ONLY: Fault = &["read-only"];
pub(crate) const SENSITIVE: Fault = &["access"];
pub(crate) const SPECIAL: Fault = &["no-device"];
pub(crate) const NOT_OPEN_SO: Fault = &["bad-descriptor"];
pub(crate) const NOT_DIRECTORY: Fault = &["not-directory"];
pub(crate) const IS_DIRECTORY: Fault = &["is-directory"];
pub(crate) const NO_ENTRY: Fault = &["no-entry"];
pub(crate) const EXISTS: Fault = &["exist"];
pub(crate) const INVALID: Fault = &["invalid"];
pub(crate) const UNDECODABLE: Fault = &["illegal-byte-sequence"];
pub(crate) const TOO_MUCH: Fault = &["quota"];
pub(crate) const NO_DESCRIPTOR: Fault = &["guest: no such descriptor"];

/// What must be answered.
#[derive(Debug)]
pub(crate) enum Expected {
    /// This.
    Is(Value),
    /// Something that is the sandbox's own to choose.
    Succeeds,
    /// A type, and the number of names and the size where it is not a directory.
    Stat(Value),
    /// The start of these bytes, and the end only if they end there.
    Reads { there: Vec<u8>, wanted: u64 },
    /// One of these codes.
    Fails(Fault),
}

impl Expected {
    /// Whether it is what was answered.
    pub(crate) fn allows(&self, answer: &Value) -> bool {
        let ok = answer.get("ok");
        match self {
            Self::Is(value) => ok == Some(value),
            Self::Succeeds => ok.is_some(),
            Self::Stat(value) => ok.is_some_and(|ok| match ok[0].as_str() {
                Some("directory") => value[0] == ok[0],
                _ => (0..3).all(|at| value[at] == ok[at]),
            }),
            Self::Reads { there, wanted } => ok.is_some_and(|ok| {
                let whole = String::from_utf8_lossy(there);
                let got = ok[0].as_str().unwrap();
                // A cut within a character is told as U+FFFD in the place of that character.
                let (start, cut) = match got.strip_suffix(char::REPLACEMENT_CHARACTER) {
                    Some(start) if !whole.starts_with(got) => (start, true),
                    _ => (got, false),
                };
                let Some(rest) = whole.strip_prefix(start) else { return false };
                let is_whole = rest.is_empty();
                // Rule: one call gives as much as the file had when it was opened, or a page: memory is not made on a
                // guest's word. What it gives is the start.
                let enough = is_whole || got.len() >= 4096;
                let ended = ok[1].as_bool().unwrap();
                let in_a_character = rest.chars().next().is_some_and(|next| !next.is_ascii());
                enough && (!cut || in_a_character) && (!ended || is_whole || *wanted == 0)
            }),
            Self::Fails(codes) => answer["err"].as_str().is_some_and(|code| codes.contains(&code)),
        }
    }
}

pub(crate) fn fault(errno: Errno) -> Fault {
    match errno {
        Errno::NOENT => NO_ENTRY,
        Errno::EXIST => EXISTS,
        Errno::NOTDIR => NOT_DIRECTORY,
        Errno::ISDIR => IS_DIRECTORY,
        Errno::NOTEMPTY => &["not-empty"],
        Errno::LOOP => &["loop"],
        Errno::INVAL => INVALID,
        Errno::NAMETOOLONG => &["name-too-long"],
        Errno::FBIG => &["file-too-large"],
        Errno::ACCESS => &["access"],
        Errno::BUSY => &["busy"],
        other => panic!("the oracle did not expect {other:?} of the system"),
    }
}
