//! A tool that attacks the sandbox with every raw call of `wasi:filesystem` it can import, and with the feature `built-in`,
//! which makes it another component, with the one call that only built-in tools can.
//!
//! Its input chooses one of two modes.
//!
//! # `{"program": "<name>", "outside": "<path>"}`
//! Runs one of the hostile programs that `programs.rs` lists and answers `{"answers": [{call, path, result}, …]}`:
//! what each call came to, `ok` with what it gave, or the name of the error code. A program never stops at an error.
//! The host's tests include the same list, so a program without a test does not compile. `outside` is a directory on
//! the host that no grant covers: absolute paths are tried in full on what the test made there, and only read elsewhere.
//!
//! # `{"operations": [[name, argument, …], …]}`
//! Interprets raw operations over a table of descriptors, the grants first, and answers `{"answers": […]}` with one
//! answer for each: `{"ok": …}` or `{"err": "no-entry"}`. An `err` that starts with `guest:` is the interpreter's own:
//! an operation it cannot read, or an index that holds no descriptor. `d` and `e` are indices in the table, paths are
//! any string (also with NUL), numbers are unsigned 64-bit. `flags` is a string of letters:
//!
//! | letters | flags |
//! |---|---|
//! | `f` | path: symlink-follow |
//! | `c` `d` `x` `t` | open: create, directory, exclusive, truncate |
//! | `r` `w` `m` | descriptor: read, write, mutate-directory |
//! | `i` `a` `q` | descriptor: file-integrity-sync, data-integrity-sync, requested-write-sync |
//!
//! | operation | `ok` |
//! |---|---|
//! | `["open-at", d, path, flags]` | index of the new descriptor |
//! | `["read", d, length, offset]` | `[text, ended]`, what is not UTF-8 replaced |
//! | `["write", d, text, offset]` | bytes written |
//! | `["set-size", d, size]` | `null` |
//! | `["stat", d]`, `["stat-at", d, path, flags]` | `[type, links, size, accessed, modified, changed]` |
//! | `["get-type", d]` | type, such as `regular-file` |
//! | `["get-flags", d]` | letters |
//! | `["set-times", d, access, modification]` | `null`; a time is `"keep"`, `"now"` or `[seconds, nanoseconds]` |
//! | `["set-times-at", d, path, flags, access, modification]` | `null` |
//! | `["readdir", d]` | `[[name, type], …]` in the host's order; an entry that is an error is its name |
//! | `["entries", d]` | the same by the one call of the built-in tools, where it is imported |
//! | `["create-directory-at", d, path]` and `remove-directory-at`, `unlink-file-at` | `null` |
//! | `["rename-at", d, old, e, new]` | `null` |
//! | `["link-at", d, old, flags, e, new]` | `null` |
//! | `["symlink-at", d, target, path]` | `null` |
//! | `["readlink-at", d, path]` | the link's text |
//! | `["sync", d]`, `["sync-data", d]` | `null` |
//! | `["advise", d, offset, length]` | `null` |
//! | `["is-same-object", d, e]` | `true` or `false` |
//! | `["metadata-hash", d]`, `["metadata-hash-at", d, path, flags]` | `[lower, upper]` |
//! | `["drop", d]` | `null`; the index stays empty |
//!
//! A time in an answer is `[seconds, nanoseconds]` or `null`.
//!
//! The calls that give a stream (`read-via-stream` and its like) are not among them: they need the resources of
//! `wasi:io`, and the host refuses a component that imports those before it runs.

#[macro_use]
mod programs;

mod attacks;
mod calls;
mod interpret;
mod listing;
mod names;

mod raw;
mod report;
#[cfg(feature = "built-in")]
mod whole;

use bailiwick_tool_sdk::{Effects, Grants, Output, Schema, Tool, ToolError, export_tool, input, output};
use report::{Report, Roots};
use serde_json::{Value, json};

/// Any JSON at all.
#[derive(serde::Deserialize)]
#[serde(transparent)]
pub struct Json(Value);

impl Schema for Json {
    fn schema() -> Value {
        json!({})
    }
}

impl Output for Json {
    fn write_json(self, out: &mut String) {
        out.push_str(&self.0.to_string());
    }
}

input! {
    /// What `Hostile` is given: one of the two.
    pub struct Input {
        /// The name of a program.
        pub program: Option<String>,
        /// With a program: the absolute path of a directory outside of every grant that may be broken.
        pub outside: Option<String>,
        /// Operations for the interpreter.
        pub operations: Option<Vec<Json>>,
    }
}

output! {
    /// What `Hostile` answers.
    pub struct Answered {
        /// What each call came to.
        pub answers: Vec<Json>,
    }
}

/// Attacks the sandbox.
pub struct Hostile;

impl Tool for Hostile {
    const NAME: &'static str = "Hostile";
    const DESCRIPTION: &'static str = "Attacks the sandbox it runs in. For tests only.";
    const EFFECTS: Effects = Effects::READS.union(Effects::WRITES).union(Effects::DESTRUCTIVE);
    type Input = Input;
    type Output = Answered;

    // The SDK has asked for the grants already; the attacks ask again and use the raw handles.
    fn call(_: &Grants, input: Input) -> Result<Answered, ToolError> {
        let roots = Roots::of_this_call(input.outside.unwrap_or_default());
        let answers = match (input.program, input.operations) {
            (Some(program), None) => {
                let mut report = Report::default();
                if !attacks::run(&program, &roots, &mut report) {
                    return Err(ToolError::invalid_input(format!("there is no program `{program}`")));
                }
                report.into_json()
            }
            (None, Some(operations)) => interpret::run(roots, operations.into_iter().map(|json| json.0)),
            _ => return Err(ToolError::invalid_input("give either `program` or `operations`")),
        };
        Ok(Answered { answers: answers.into_iter().map(Json).collect() })
    }
}

export_tool!(Hostile);
