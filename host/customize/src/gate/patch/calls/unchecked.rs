//! Python code that an edit keeps from the type checker: for another version of Python, or behind what never returns.

use tree_sitter::Node;

use super::{Use, Why};
use crate::language::tree::{all, text_of};
use crate::language::{hidden, never_returning};

/// By it the checker tells code that it looks at from code for other versions, which runs all the same for other people.
const VERSION: &str = "version_info";

pub(super) fn uses(root: Node<'_>, text: &str) -> Vec<Use> {
    // mypy of one version of Python does not look at code for another one.
    let is_version = |node: &Node<'_>| node.kind() == "identifier" && text_of(*node, text) == VERSION;
    let versions = all(root).into_iter().filter(|node| is_version(node) && !is_imported(*node));
    let never = never_returning(root, text);
    hidden(root, text).into_iter().chain(versions).chain(never).map(|node| used(node, text)).collect()
}

fn used(node: Node<'_>, text: &str) -> Use {
    let words: Vec<&str> = text_of(node, text).split_whitespace().collect();
    Use { what: words.join(" "), why: Why::Unchecked }
}

pub(super) fn is_imported(name: Node<'_>) -> bool {
    std::iter::successors(name.parent(), Node::parent).any(|one| one.kind().starts_with("import"))
}
