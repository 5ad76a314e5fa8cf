//! Lines of a log that an agent of a pipeline obeys.
//!
//! Azure Pipelines obeys `##vso[…]` anywhere in a line (it sets variables for later steps, uploads any file that the agent can
//! read, and says that the step succeeded), GitHub Actions `::…::` at the beginning of a line and `##[…]` anywhere in it. What is
//! printed comes from requests, builds and repositories in part.

use std::sync::OnceLock;

/// Who reads what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A person, or a program of a person's.
    Person,
    /// The agent of a pipeline.
    Agent,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// For people.
    Text,
    /// JSON, which keeps its meaning.
    Json,
}

/// The variables by which a process knows Azure Pipelines and GitHub Actions.
const VARIABLES: [&str; 2] = ["TF_BUILD", "GITHUB_ACTIONS"];

impl Reader {
    /// Who reads what this process prints.
    pub(crate) fn of_this_process() -> Self {
        static READER: OnceLock<Reader> = OnceLock::new();
        let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        *READER.get_or_init(|| if VARIABLES.iter().any(set) { Self::Agent } else { Self::Person })
    }
}

/// Escapes the commands in a text that an agent reads. Returns `None` if the text stays as it is.
pub(crate) fn escape_commands(text: &str, reader: Reader, kind: Kind) -> Option<String> {
    if reader == Reader::Person || !(text.contains("##") || text.contains("::")) {
        return None;
    }
    let (hash, colon) = match kind {
        Kind::Text => ("\\u{23}", "\\u{3a}"),
        Kind::Json => ("\\u0023", ":"),
    };
    let line = |line: &str| {
        let begun = line.trim_start();
        let blank = line.strip_suffix(begun).unwrap_or_default();
        let begun = begun.strip_prefix(':').filter(|rest| rest.starts_with(':')).map(|rest| format!("{colon}{rest}"));
        let mut shown = begun.map_or_else(|| line.to_owned(), |begun| format!("{blank}{begun}"));
        // A third `#` before a command makes no difference to an agent.
        while let Some(at) = command(&shown) {
            shown.replace_range(at..=at, hash);
        }
        shown
    };
    let shown = text.split('\n').map(line).collect::<Vec<_>>().join("\n");
    (shown != text).then_some(shown)
}

/// Where the second `#` of `##[` or `##vso[` is, in any letter case.
fn command(line: &str) -> Option<usize> {
    let follows = |rest: &str| {
        let name = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("vso"));
        name.and_then(|_| rest.get(3..)).unwrap_or(rest).starts_with('[')
    };
    line.match_indices('#').map(|(at, _)| at).find(|at| {
        let (before, after) = line.split_at(*at);
        before.ends_with('#') && after.strip_prefix('#').is_some_and(follows)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_an_agent_are_escaped_and_nothing_else_is() {
        for (text, shown) in [
            ("##vso[task.complete result=Succeeded;]", "#\\u{23}vso[task.complete result=Succeeded;]"),
            ("error: x ##VSO[a]b ###vso[c]", "error: x #\\u{23}VSO[a]b ##\\u{23}vso[c]"),
            ("##[add-matcher]x", "#\\u{23}[add-matcher]x"),
            ("a\n  ::stop-commands::x\nb", "a\n  \\u{3a}:stop-commands::x\nb"),
            ("::error::x ##[y]", "\\u{3a}:error::x #\\u{23}[y]"),
        ] {
            assert_eq!(escape_commands(text, Reader::Agent, Kind::Text).as_deref(), Some(shown));
            assert_eq!(escape_commands(text, Reader::Person, Kind::Text), None);
        }
        for text in ["## Fleet", "a::b", "# [x](y)", "#[derive]", "##vs[", "##vso", "é##é", ""] {
            assert_eq!(escape_commands(text, Reader::Agent, Kind::Text), None, "{text}");
        }
    }

    #[test]
    fn json_keeps_its_meaning() {
        let value = serde_json::json!({ "##[a]": ["::x", "##vso[y]\n::z"] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap_or_default()] {
            let shown = escape_commands(&text, Reader::Agent, Kind::Json).unwrap_or_default();
            assert!(!shown.contains("##"), "{shown}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).ok(), Some(value.clone()));
        }
    }
}
