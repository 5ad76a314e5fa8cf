//! What docstrings say of a rename: cross-references to a class (`:rtype: ~azure.widget.models.AnalyzeResult`), and fields of
//! a property.

use std::ops::Range;

use tree_sitter::Node;

use super::package::Package;
use super::sites::words;
use super::source::{around, children, field};
use super::types::Types;
use crate::repair::Change;
use bailiwick_sdk::python_classes::{Keyword, constructor};
use bailiwick_sdk::tasks::{EntityKind, Rename};

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

/// The fields of docstrings that name a renamed property of a class which people wrote in front of the generated one:
/// `:ivar display_name: …` of the class, `:keyword str display_name: …` of a constructor that hands the keyword on.
pub(super) fn members(package: &Package, renames: &[&Rename]) -> Vec<Change> {
    let mut changes = Vec::new();
    for rename in renames.iter().filter(|rename| rename.kind == EntityKind::Property) {
        let types = Types::new(package, rename.container.iter().cloned().collect());
        for (file, source) in package.sources.iter().enumerate() {
            for node in source.nodes().into_iter().filter(|node| is_docstring(*node)) {
                let outer = around(node, &["class_definition", "function_definition"]);
                let class = outer.and_then(|outer| match outer.kind() {
                    "class_definition" => Some(outer),
                    _ => around(outer, &["class_definition"]),
                });
                let (Some(outer), Some(class)) = (outer, class.filter(|one| types.is_derived(source, *one))) else {
                    continue;
                };
                let own =
                    constructor(&source.text, class, &rename.old).is_some_and(|one| one.keyword != Keyword::HandedOn);
                let is_constructor = field(outer, "name").is_some_and(|name| source.text(name) == "__init__");
                let fields = match outer == class {
                    true if own => ATTRIBUTE.to_vec(),
                    true => [ATTRIBUTE, ARGUMENT].concat(),
                    false if own || !is_constructor => continue,
                    false => ARGUMENT.to_vec(),
                };
                let (text, at) = (source.text(node), node.start_byte());
                let found = named_by(text, &fields, &rename.old);
                changes
                    .extend(found.map(|word| Change::new(file, at + word.start..at + word.end, rename.new.as_str())));
            }
        }
    }
    changes
}

/// Fields of an attribute, and of an argument.
const ATTRIBUTE: &[&str] = &["ivar", "vartype"];
const ARGUMENT: &[&str] = &["keyword", "paramtype", "param", "type"];

/// Where fields of a docstring end with a name: `:ivar display_name:`, `:keyword str display_name:`.
fn named_by<'t>(text: &'t str, fields: &'t [&str], name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    words(text, name).into_iter().filter(|word| {
        let line = text.get(..word.start).unwrap_or_default();
        let line = line.rsplit('\n').next().unwrap_or_default().trim_start().trim_start_matches(['"', '\'']);
        let field = line.strip_prefix(':').and_then(|rest| rest.split(' ').next());
        let ends = text.get(word.end..).is_some_and(|rest| rest.starts_with(':'));
        ends && field.is_some_and(|field| fields.contains(&field)) && !line.trim_start_matches(':').contains(':')
    })
}

/// Whether a node is a string that is a statement of its own and the first of its body.
fn is_docstring(node: Node<'_>) -> bool {
    let Some(statement) = node.parent().filter(|one| node.kind() == "string" && one.kind() == "expression_statement")
    else {
        return false;
    };
    children(statement).len() == 1 && statement.prev_named_sibling().is_none_or(|before| before.kind() == "comment")
}
