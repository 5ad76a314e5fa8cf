//! What is wrong with an agent file: always the field, and what would be right.

use strsim::osa_distance;

/// Why an agent file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The text is not TOML.
    #[error("line {line}, column {column} is not TOML: {reason}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// A key that means nothing here.
    #[error("`{}` is not a key of an agent file; did you mean `{nearest}`", key.escape_debug())]
    UnknownKey {
        /// Where, such as `grant[0].acess`.
        key: String,
        /// The key that looks most like it.
        nearest: String,
    },
    /// A tool that does not exist.
    #[error("`{key}`: there is no tool `{}`; did you mean `{nearest}`", tool.escape_debug())]
    UnknownTool {
        /// Where it is asked for.
        key: String,
        /// What was asked for.
        tool: String,
        /// The tool whose name looks most like it.
        nearest: String,
    },
    /// A key that has to be there.
    #[error("`{key}` is missing: it has to be {expected}")]
    Missing {
        /// Which.
        key: String,
        /// What it would be.
        expected: String,
    },
    /// A value of another kind, or out of bounds.
    #[error("`{key}` has to be {expected}")]
    Wrong {
        /// Where.
        key: String,
        /// What it would be.
        expected: String,
    },
    /// An invalid JSON Schema, or one that refers to something outside itself.
    #[error("`{key}` is not a usable JSON Schema: {reason}")]
    Schema {
        /// `input` or `result`.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// The input that was given does not fit `[input]`.
    #[error("the input does not fit `[input]` of the agent file: {0}")]
    Input(String),
}

impl FileError {
    pub(crate) fn wrong(key: &str, expected: &str) -> Self {
        Self::Wrong { key: key.into(), expected: expected.into() }
    }

    pub(crate) fn missing(key: &str, expected: &str) -> Self {
        Self::Missing { key: key.into(), expected: expected.into() }
    }

    pub(super) fn unknown_key(place: &str, key: &str, known: &[&str]) -> Self {
        Self::UnknownKey { key: format!("{place}{key}"), nearest: format!("{place}{}", nearest(key, known)) }
    }

    pub(super) fn unknown_tool(key: &str, tool: &str, known: &[&str]) -> Self {
        Self::UnknownTool { key: key.into(), tool: tool.into(), nearest: nearest(tool, known).into() }
    }
}

/// The name that takes the fewest edits; the first of several.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> &'a str {
    // No plausible typing error is longer, and the comparison takes the product of both lengths.
    let word: String = word.chars().take(64).collect::<String>().to_lowercase();
    known.iter().copied().min_by_key(|name| osa_distance(&word, &name.to_lowercase())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_found_whatever_the_letter_case() {
        let known = ["ReadFile", "WriteFile", "ListFiles", "CodePatch"];
        for (word, expected) in
            [("readfile", "ReadFile"), ("ListFile", "ListFiles"), ("patch", "CodePatch"), ("", "ReadFile")]
        {
            assert_eq!(nearest(word, &known), expected, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(100_000), &known), "ReadFile");
    }
}
