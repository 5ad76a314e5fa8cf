//! The audit log: one JSON line for every call of a tool, each line bound to the one before it by its hash.
//!
//! - [`Log`]: appends. A call is on record or [`Log::append`] says why not.
//! - [`verify`]: walks the whole chain and names the first line that was altered, removed, reordered or added.
//! - [`Lines`]: reads without judging.
//!
//! # What is on disk
//!
//! A directory of mode 0700 with `audit-000001.jsonl`, `audit-000002.jsonl` and so on, and `head`, all of mode 0600.
//! A line is
//!
//! ```text
//! {"seq":7,"prev":"<64 hex>","time":"2026-11-20T13:04:05.678Z","kind":"call", … ,"hash":"<64 hex>"}
//! ```
//!
//! `hash` is the SHA-256 of the line's bytes before `,"hash":"`, in lower-case hexadecimal, so nothing has to be
//! serialised again to check it. `prev` is the `hash` of the line before, 64 zeros in the very first one, and `seq`
//! counts from 1; both go on in the next file. With other tools:
//!
//! ```text
//! head -n 1 audit-000001.jsonl | sed 's/,"hash":"[0-9a-f]*"}$//' | tr -d '\n' | sha256sum
//! ```
//!
//! `kind` is `call` ([`Entry`] has the fields) or `torn`. Arguments and answers are there as digests alone. Characters
//! that steer a terminal or reorder text are written as `\u` escapes, and no line holds a raw line break.
//!
//! `head` is one line of JSON, padded with spaces to 256 bytes and written in place after each line: `file`, `seq`,
//! `length` (of that file, in bytes) and `hash` of the last line. It is what shows that last lines were cut off.
//! A process that appends holds an exclusive `flock` on `head`.
//!
//! # What may be there after a crash
//!
//! - A line that `head` does not know yet, since the process died between the two writes: one is legal, and the next
//!   append catches up. A `head` that knows more than the file holds is not.
//! - Part of a line. The next append closes it off: it ends the line and adds one of kind `torn` that names the number
//!   and the digest of the unfinished bytes. Verification reports both as torn, which is a warning.
//! - An empty next file, since the process died while it began it.
//!
//! Nothing is synced to the disk for each line: lines survive a killed process, but a machine that loses power may
//! lose the last seconds, which verification then reports as truncated. A file is synced when the next one begins.
//!
//! # When the disk is full
//!
//! [`Log::check`], asked before a call, reserves room for the line that is to come, behind the end of the file and
//! without changing its length, and begins the next file when it is time. Calls that run at once share half a mebibyte.
//! `head` is written in place and needs no room. Filesystems that cannot reserve (some network filesystems) or that
//! never write in place are not helped by it: there a full disk shows only when the line is written.
//!
//! # What the chain shows, and what not
//!
//! It shows that lines were altered, removed, reordered, added in the middle or cut off by anything that did not
//! write the whole rest of the chain and `head` anew. It holds no secret: a program with the user's own rights can write
//! a new chain. That shows only to a person who keeps the hash of a head elsewhere and asks [`verify`] for it.
//! Tools cannot reach the log at all, since the directory it lies in can never be granted. Times are what the clock of
//! the machine said.
//!
//! Verification reads what was there when it began; it does not block appending. It judges by the rules of
//! appending: what it lets pass, with a warning or without, can be appended to.

mod chain;
mod entry;
mod error;
mod files;
#[cfg(test)]
mod fuzzing;
mod head;
mod invisible;
mod line;
mod log;
mod preallocation;
mod read;
mod recover;
mod sanitize;
mod scrub;
mod secret_encodings;
mod verify;

pub use entry::{Denied, Entry, GrantAccess, GrantEntry, LONGEST_PATH, Outcome};
pub use error::{AuditError, Broken, Fault};
pub use invisible::is_invisible;
pub use log::Log;
pub use read::{Line, Lines};
pub use sanitize::{plain_json, printable, printable_lines};
pub use scrub::{KnownSecrets, REDACTED, Scrub, value as scrubbed};
pub use verify::{Verified, Warning, verify};
