//! A parsed Python file.

use std::ops::Range;

use tree_sitter::{Node, Tree};

pub(crate) use bailiwick_sdk::syntax::{around, children, column, field, last_line, line, named_children, nodes};

/// A file with its syntax tree.
pub(crate) struct Source {
    /// With its grant: `sdk/azure/widget/_patch.py`.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tree: Tree,
}

impl Source {
    /// Parses a file; `None` when its syntax has an error, for then nothing in it is certain.
    pub(crate) fn parse(path: &str, text: &str) -> Option<Self> {
        let tree = bailiwick_sdk::syntax::parse(&tree_sitter_python::LANGUAGE.into(), text)?;
        Some(Self { path: path.to_owned(), text: text.to_owned(), tree })
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Every node, parents before children.
    pub(crate) fn nodes(&self) -> Vec<Node<'_>> {
        nodes(self.root())
    }

    /// The place of a node, as `path:line`.
    pub(crate) fn place(&self, node: Node<'_>) -> String {
        format!("{}:{}", self.path, line(node))
    }

    /// The bytes between the quotes of a plain string; `None` for f-strings with values in them and joined strings.
    pub(crate) fn string_content(&self, node: Node<'_>) -> Option<Range<usize>> {
        if node.kind() != "string" {
            return None;
        }
        let parts = children(node);
        let (start, end) = (parts.first()?, parts.last()?);
        let plain = parts.iter().all(|part| matches!(part.kind(), "string_start" | "string_content" | "string_end"));
        let content = start.end_byte()..end.start_byte();
        let escaped = self.text.get(content.clone()).is_none_or(|text| text.contains('\\'));
        (plain && !escaped && !self.text(*start).contains(['b', 'B'])).then_some(content)
    }
}

/// The lines of the smallest statement around a node; of a statement with a body, its head.
pub(crate) fn statement_lines(node: Node<'_>) -> (u32, u32) {
    let mut here = node;
    while let Some(outer) = here.parent() {
        if matches!(outer.kind(), "module" | "block") {
            break;
        }
        if let Some(body) = field(outer, "body").filter(|body| body.kind() == "block") {
            if body.byte_range().contains(&node.start_byte()) {
                break;
            }
            // The colon ends a head, also where the body is on its line: `def f(x: X) -> X: ...`.
            let colon = children(outer).into_iter().take_while(|child| *child != body).last();
            return (line(outer), last_line(colon.unwrap_or(outer)));
        }
        here = outer;
    }
    (line(here), last_line(here))
}
