//! Names of generated code that hand-written Python still uses although they are gone, where no check of a build looks: behind
//! `# type: ignore`, in a module without checks, as a text.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::syntax::{field, line, named_children, nodes, parse};
use tree_sitter::Node;

use super::super::shown::{Shown, Sought};
use super::overrides::Source;

/// Where a hand-written file reads a type of this name from a generated module: `_models.Part`, `getattr(_models, "Part")`.
pub(super) fn used(text: &str, sought: &Sought) -> Vec<Shown> {
    let Sought::Type { name } = sought else { return Vec::new() };
    if !text.contains(name.as_str()) {
        return Vec::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let reads = |node: &Node<'_>| match node.kind() {
        "attribute" => source.generated(*node) == Some(name.as_str()),
        "call" => looks_up(&source, *node, name),
        _ => false,
    };
    let lines = nodes(source.root).into_iter().filter(reads).map(line);
    let mut found: Vec<Shown> = lines.map(|line| Shown::alone(line, name.clone())).collect();
    found.dedup();
    found
}

/// `getattr(_models, "Part")`, without a default.
fn looks_up(source: &Source<'_>, call: Node<'_>, name: &str) -> bool {
    let is_getattr = field(call, "function").is_some_and(|function| source.of(function) == "getattr");
    let arguments = field(call, "arguments").map(named_children).unwrap_or_default();
    let [module, text] = arguments.as_slice() else { return false };
    let named = source.of(*text).trim_matches(['"', '\'']) == name && text.kind() == "string";
    is_getattr && named && source.is_module(*module)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
from .. import models as _models
from ._operations import Parts as Generated
import other

class Parts(Generated):
    def make(self) -> Any:
        return _models.Part(display_name=\"b\")  # type: ignore
    def found(self):
        return getattr(_models, \"Part\")()
    def kept(self):
        return _models.Piece(), other.Part, getattr(_models, \"Part\", None), self.Part, \"_models.Part\"
";

    #[test]
    fn type_that_is_read_from_a_generated_module_is_found_and_what_only_looks_alike_is_not() {
        let of = |name: &str| {
            used(TEXT, &Sought::Type { name: name.into() }).into_iter().map(|one| one.line).collect::<Vec<_>>()
        };
        assert_eq!(of("Part"), [7, 9]);
        assert_eq!(of("Piece"), [11]);
        assert_eq!(of("Other"), Vec::<u32>::new());
    }
}
