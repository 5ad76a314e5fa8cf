//! What the strings of a customization class say, without white space, and which members it adds.

use super::source::Source;
use super::uses::{Role, uses};

/// The strings of a customization class.
pub(super) struct CodeText {
    /// All of them, one behind the other.
    pub(super) packed: String,
    added: Vec<String>,
    pub(super) adds_constructors: bool,
}

impl CodeText {
    pub(super) fn of(source: &Source) -> Self {
        let strings = source.strings().map(|literal| {
            let text = source.text(literal);
            let inner = text
                .strip_prefix("\"\"\"")
                .and_then(|rest| rest.strip_suffix("\"\"\""))
                .unwrap_or_else(|| text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text));
            packed(&inner.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"))
        });
        let packed = strings.collect();
        let added = uses(source).into_iter().filter(|one| matches!(one.role, Role::AddMethod | Role::AddField));
        let added = added.map(|one| one.name).collect();
        Self { packed, added, adds_constructors: source.text.contains(".addConstructor(") }
    }

    /// Whether a member of this name is added.
    pub(super) fn adds(&self, name: &str) -> bool {
        self.added.iter().any(|one| one == name)
    }

    /// Whether a piece of code stands in the strings.
    pub(super) fn says(&self, code: &str) -> bool {
        self.packed.contains(&packed(code))
    }
}

/// A text without white space.
pub(super) fn packed(text: &str) -> String {
    text.split_whitespace().collect()
}
