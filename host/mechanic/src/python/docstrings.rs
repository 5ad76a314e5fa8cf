//! Cross-references of docstrings to a renamed class: `:rtype: ~azure.widget.models.AnalyzeResult`.

use tree_sitter::Node;

use super::package::Package;
use super::sites::words;
use super::source::children;
use crate::repair::Change;
use bailiwick_sdk::tasks::Rename;

/// The changes of all docstrings. A name counts where the module before it is the package's own; other text says what it says.
pub(super) fn collect(package: &Package, renames: &[&Rename]) -> Vec<Change> {
    let mut changes = Vec::new();
    for (file, source) in package.sources.iter().enumerate() {
        for node in source.nodes().into_iter().filter(|node| is_docstring(*node)) {
            let text = source.text(node);
            for rename in renames.iter().filter(|rename| rename.kind.is_type()) {
                let references = words(text, &rename.old).into_iter().filter(|word| {
                    let before = text.get(..word.start).and_then(|before| before.strip_suffix('.')).unwrap_or_default();
                    let in_path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                    let module = before.strip_prefix(before.trim_end_matches(in_path)).unwrap_or_default();
                    module.contains('.') && !module.starts_with('.') && package.is_own_module(source, module)
                });
                let at = node.start_byte();
                changes.extend(
                    references.map(|word| Change::new(file, at + word.start..at + word.end, rename.new.as_str())),
                );
            }
        }
    }
    changes
}

/// Whether a node is a string that is a statement of its own and the first of its body.
fn is_docstring(node: Node<'_>) -> bool {
    let Some(statement) = node.parent().filter(|one| node.kind() == "string" && one.kind() == "expression_statement")
    else {
        return false;
    };
    children(statement).len() == 1 && statement.prev_named_sibling().is_none_or(|before| before.kind() == "comment")
}
