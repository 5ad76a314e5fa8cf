//! One message of a compiler, emitter, type checker or of the confinement.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// The tool that reported it failed because of it.
    Error,
    /// The tool went on.
    Warning,
}

/// A diagnostic with what the tool said about its place. Lines and columns are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, relative and with its grant in front: `spec/client.tsp`, `sdk/azure/widget/_patch.py`.
    #[serde(default)]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// The column, from 1.
    #[serde(default)]
    pub column: Option<u32>,
    /// The tool's own code, for example `attr-defined` or `invalid-ref`.
    #[serde(default)]
    pub code: Option<String>,
    /// The text of the message, on one line.
    pub message: String,
    /// The name the message is about, where it can be told from the text: `AnalyzeResult`, `Widget.display_name`.
    #[serde(default)]
    pub symbol: Option<String>,
    /// Who reported it: `tsp`, `emitter`, `mypy`, `import`, `confinement`.
    pub tool: String,
}

impl Diagnostic {
    /// An error that has no place in a file.
    #[must_use]
    pub fn without_place(tool: &str, code: &str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            file: None,
            line: None,
            column: None,
            code: Some(code.to_owned()),
            message: message.into(),
            symbol: None,
            tool: tool.to_owned(),
        }
    }

    /// Each once, in their order. A build may print as many as its output has room for, so they are not compared each with
    /// each.
    pub fn unique(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut known = HashSet::new();
        all.into_iter().filter(|one| known.insert(one.clone())).collect()
    }

    /// `path:line` as far as both are known, else the path, else the tool's name.
    #[must_use]
    pub fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => self.tool.clone(),
        }
    }

    /// Whether this is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
