//! Small helpers over syntax trees.

/// A tree with errors is a tree all the same: what it holds beside them is there.
pub(crate) use bailiwick_sdk::syntax::tree as parse;
use tree_sitter::Node;

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
