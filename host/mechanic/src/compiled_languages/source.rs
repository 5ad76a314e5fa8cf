//! A parsed file, and where names stand in it.

use tree_sitter::{Node, Tree};

use super::dialect::Dialect;
use crate::repair::Text;
use bailiwick_sdk::syntax::{children, field, is_comment, last_line, line, nodes, parse};

/// A file with its syntax tree.
pub(super) struct Source {
    /// With its grant: `sdk/src/Widget.cs`.
    pub(super) path: String,
    pub(super) text: String,
    tree: Tree,
}

impl Source {
    /// Parses a file; `None` when its syntax has an error, for then nothing in it is certain.
    pub(super) fn parse(dialect: &dyn Dialect, file: &Text) -> Option<Self> {
        let tree = parse(&dialect.grammar(&file.path), &file.text)?;
        Some(Self { path: file.path.clone(), text: file.text.clone(), tree })
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(super) fn nodes(&self) -> Vec<Node<'_>> {
        nodes(self.root())
    }

    pub(super) fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The place of a node, as `path:line`.
    pub(super) fn place(&self, node: Node<'_>) -> String {
        format!("{}:{}", self.path, line(node))
    }

    /// Every identifier of this name.
    pub(super) fn identifiers(&self, name: &str) -> Vec<Node<'_>> {
        self.nodes().into_iter().filter(|node| is_identifier(*node) && self.text(*node) == name).collect()
    }

    /// The text of a field of a node.
    pub(super) fn name_of(&self, node: Node<'_>, name: &str) -> Option<&str> {
        field(node, name).map(|found| self.text(found))
    }

    /// The tokens of a node without comments, so that layout makes no difference.
    pub(super) fn tokens(&self, node: Node<'_>) -> String {
        let mut tokens = String::new();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if is_comment(node) {
                continue;
            }
            // A string is one token whatever it holds.
            if node.child_count() == 0 || node.kind().contains("string") {
                tokens.push_str(self.text(node));
                tokens.push('\u{1f}');
            } else {
                waiting.extend(children(node).into_iter().rev());
            }
        }
        tokens
    }
}

/// Whether a node is a name.
pub(super) fn is_identifier(node: Node<'_>) -> bool {
    node.child_count() == 0 && node.kind().contains("identifier")
}

/// Whether a node is the whole text of a plain string.
pub(super) fn is_string_content(node: Node<'_>) -> bool {
    matches!(node.kind(), "string_literal_content" | "string_fragment" | "interpreted_string_literal_content")
}

/// The lines of the smallest statement or declaration around a node; of one with a body, its head.
pub(super) fn statement_lines(node: Node<'_>) -> (u32, u32) {
    const HOLDERS: &[&str] = &[
        "block",
        "statement_block",
        "declaration_list",
        "class_body",
        "compilation_unit",
        "program",
        "source_file",
        "statement_list",
        "switch_body",
        "enum_member_declaration_list",
        "interface_body",
    ];
    let mut here = node;
    while let Some(outer) = here.parent().filter(|outer| !HOLDERS.contains(&outer.kind())) {
        here = outer;
    }
    let body = children(here).into_iter().find(|child| HOLDERS.contains(&child.kind()));
    (line(here), body.map_or_else(|| last_line(here), line))
}
