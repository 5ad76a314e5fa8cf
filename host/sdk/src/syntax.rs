//! Small helpers over syntax trees, the same for every language.

use std::ops::ControlFlow;

use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

/// How deep a tree may be that is looked into.
///
/// The author of a source decides how deep its tree is. What walks a tree takes a frame of the stack, or the way from the
/// root, for each level, so that 20,000 parentheses would end the process or keep it busy for hours. The deepest that
/// generators write are chains of `else if` and of `+`, of some hundreds.
pub const DEEPEST_TREE: u32 = 1000;

/// Whether nothing in a tree lies deeper than [`DEEPEST_TREE`]. Takes one walk and no stack.
#[must_use]
pub fn is_shallow(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        if cursor.depth() > DEEPEST_TREE {
            return false;
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return true;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// Parses a text; `None` when its syntax has an error, for then nothing in it is certain, and where [`tree`] has none.
#[must_use]
pub fn parse(grammar: &Language, text: &str) -> Option<Tree> {
    tree(grammar, text).filter(|tree| !tree.root_node().has_error())
}

/// The tree of a text, with what a parser makes of its errors. `None` for one that is deeper than [`DEEPEST_TREE`] and for a
/// text that the parser does not come to an end with: behind an error it may try ever more ways, more than a minute long
/// for 64 KiB of Java.
#[must_use]
pub fn tree(grammar: &Language, text: &str) -> Option<Tree> {
    // The parser asks each 100 steps whether to go on. Source code takes it one hundredth of a question a byte.
    let mut left = 1000_usize.saturating_add(text.len() / 8);
    let mut goes_on = |_: &_| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut goes_on);
    parser.parse_with_options(&mut rest, None, Some(options)).filter(is_shallow)
}

/// The line of a node, from 1.
#[must_use]
pub fn line(node: Node<'_>) -> u32 {
    number(node.start_position().row)
}

/// The last line of a node, from 1.
#[must_use]
pub fn last_line(node: Node<'_>) -> u32 {
    number(node.end_position().row)
}

/// The column of a node, from 1, in bytes.
#[must_use]
pub fn column(node: Node<'_>) -> u32 {
    number(node.start_position().column)
}

/// A row or column as people count them.
#[must_use]
pub fn number(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

/// The children of a node, in order, unnamed tokens among them.
#[must_use]
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    // By a cursor: asking for each by its number takes time that is quadratic in how many there are.
    node.children(&mut node.walk()).collect()
}

/// Whether a node is a comment, in any of the languages.
#[must_use]
pub fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// The named children of a node without comments, in order.
#[must_use]
pub fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    children(node).into_iter().filter(|child| child.is_named() && !is_comment(*child)).collect()
}

/// The child in a field of the grammar.
#[must_use]
pub fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// The nearest node around this one, itself excluded, of one of these kinds.
#[must_use]
pub fn around<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut here = node.parent();
    while let Some(outer) = here {
        if kinds.contains(&outer.kind()) {
            return Some(outer);
        }
        here = outer.parent();
    }
    None
}

/// This node and every one beneath it, parents before children.
#[must_use]
pub fn nodes(root: Node<'_>) -> Vec<Node<'_>> {
    let mut all = vec![root];
    let mut next = 0;
    while next < all.len() {
        let node = all[next];
        next += 1;
        all.extend(children(node));
    }
    all
}
