//! The history of a run as the classifier sees it: append-only and bounded.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::Diagnostic;
use serde::{Deserialize, Serialize};

use super::reduce::reduce_request;

/// Characters that the request and the history may have together (seed 000: about 12,500 tokens).
pub const CONTEXT_LIMIT: usize = 50_000;

/// The request and what happened since. Raw logs stay in the run; here are decisions and distinct diagnostics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    request: String,
    entries: Vec<Entry>,
    characters: usize,
    /// Diagnostics already in an entry, as they stand there.
    seen: BTreeSet<String>,
    /// The size that the first entry that did not fit would have made it.
    overflow: Option<usize>,
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// What the step was, for example `phase A, attempt 1: build failed`.
    pub title: String,
    /// Decisions and diagnostics, one per line.
    pub lines: Vec<String>,
}

impl Context {
    /// Starts with the request, reduced to its diagnostics and prose when it alone is over the limit.
    pub(super) fn new(request: &str) -> Self {
        let count = request.chars().count();
        let request = if count > CONTEXT_LIMIT { reduce_request(request) } else { request.to_owned() };
        let characters = request.chars().count();
        let overflow = (characters > CONTEXT_LIMIT).then_some(characters);
        // A request that does not fit is not carried along: a state stays within its bound.
        let request = if overflow.is_some() { request.chars().take(CONTEXT_LIMIT).collect() } else { request };
        Self { request, entries: Vec::new(), characters, seen: BTreeSet::new(), overflow }
    }

    /// The request as agents are given it.
    #[must_use]
    pub fn request(&self) -> &str {
        &self.request
    }

    /// The entries in the order in which they were appended.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Characters of the request and the history.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// The size the context would have needed, once something did not fit.
    #[must_use]
    pub fn overflow(&self) -> Option<usize> {
        self.overflow
    }

    /// The history as text; empty before the first step.
    #[must_use]
    pub fn history(&self) -> String {
        self.entries.iter().map(Entry::to_text).collect()
    }

    /// Appends a step. A diagnostic that is in the history already is only counted. An entry that would go over the
    /// limit is not appended, and the context stays full from then on.
    pub(super) fn append(&mut self, title: String, mut lines: Vec<String>, diagnostics: &[Diagnostic]) {
        if self.overflow.is_some() {
            return;
        }
        let mut known = 0_usize;
        let mut fresh = BTreeSet::new();
        for diagnostic in diagnostics {
            let line = diagnostic_line(diagnostic);
            if self.seen.contains(&line) || fresh.contains(&line) {
                known += 1;
            } else {
                lines.push(line.clone());
                fresh.insert(line);
            }
        }
        if known > 0 {
            lines.push(format!("({known} diagnostics as before)"));
        }
        let entry = Entry { title, lines };
        let characters = self.characters + entry.to_text().chars().count();
        if characters > CONTEXT_LIMIT {
            self.overflow = Some(characters);
            return;
        }
        self.characters = characters;
        self.seen.append(&mut fresh);
        self.entries.push(entry);
    }
}

impl Entry {
    fn to_text(&self) -> String {
        let mut text = format!("## {}\n", self.title);
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// A diagnostic on one line: `sdk/azure/_patch.py:3: error [attr-defined] message`.
pub(crate) fn diagnostic_line(diagnostic: &Diagnostic) -> String {
    let severity = if diagnostic.is_error() { "error" } else { "warning" };
    let code = diagnostic.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
    let message = diagnostic.message.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}: {severity}{code} {message}", diagnostic.place())
}

#[cfg(test)]
mod tests {
    use super::{CONTEXT_LIMIT, Context};

    #[test]
    fn entry_that_does_not_fit_is_not_appended_and_nothing_after_it_is() {
        let mut context = Context::new("request");
        context.append("a".to_owned(), vec!["x".repeat(CONTEXT_LIMIT)], &[]);
        context.append("b".to_owned(), vec!["short".to_owned()], &[]);
        assert!(context.entries().is_empty());
        assert!(context.overflow().is_some_and(|size| size > CONTEXT_LIMIT));
    }

    #[test]
    fn oversized_request_is_reduced_to_its_diagnostics_first() {
        let log = "[INFO] noise of the build\n".repeat(4_000);
        let context = Context::new(&format!("{log}error: no such member\n"));
        assert_eq!(context.request(), "error: no such member");
        assert_eq!(context.overflow(), None);
    }

    #[test]
    fn count_is_that_of_the_text() {
        let mut context = Context::new("häh");
        context.append("title".to_owned(), vec!["ünïcode".to_owned()], &[]);
        assert_eq!(context.characters(), 3 + context.history().chars().count());
    }
}
