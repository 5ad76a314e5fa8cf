//! Small helpers over syntax trees.

use bailiwick_sdk::syntax::is_shallow;
use tree_sitter::{Language, Node, Parser, Tree};

/// Parses a text. A tree with errors is a tree all the same: what it holds beside them is there. `None` for one that is too
/// deep to be looked into.
pub(crate) fn parse(grammar: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    parser.parse(text, None).filter(is_shallow)
}

pub(crate) fn text_of<'a>(node: Node<'_>, text: &'a str) -> &'a str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The line of a node, from 1.
pub(crate) fn line(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

pub(crate) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

pub(crate) fn named_children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    // By a cursor: asking for each by its number takes time that is quadratic in how many there are.
    let children: Vec<Node<'_>> = node.named_children(&mut node.walk()).collect();
    children.into_iter()
}

/// A node and every one beneath it, parents before children.
pub(crate) fn all(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        found.extend(named_children(node));
    }
    found
}
