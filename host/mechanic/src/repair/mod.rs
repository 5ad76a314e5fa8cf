//! The frame of a code repair, the same for every language.
//!
//! `plan` reads the files, asks the [`Reader`] of the language for changes, and sends them as patches; `settle` decides whether
//! all of it is certain and small enough; `hunks` cuts changes into patches. What a language adds is its reader: `python`,
//! `java` and, for languages whose compiler names each place, `compiled`.

/// What is said of errors: `1 error is not explained: …`, `3 errors are not explained, the first: …`.
pub(crate) fn errors_that(count: usize, (one, more): (&str, &str), first: &str) -> String {
    match count {
        1 => format!("1 error {one}: {first}"),
        count => format!("{count} errors {more}, the first: {first}"),
    }
}

#[cfg(test)]
pub(crate) mod cases;
mod change;
mod hunks;
mod plan;
mod reader;
mod settle;

pub(crate) use change::{Change, Doubt, Hunk, Limits, has_word, words};
pub(crate) use plan::plan;
pub(crate) use reader::{Case, Reader, Text, Wanted};
pub(crate) use settle::settle;
