//! Python code that a type checker believes and the program never runs, or the other way round. The checker takes some
//! names for constants wherever they stand, so that `if TYPE_CHECKING: return …` hides the rest of a function from it.

// An emitter or an agent may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use tree_sitter::Node;

use super::super::tree::{all, field, named_children, text_of};

/// Names that the checker takes for constants, by the last part alone.
pub(super) const CONSTANTS: [&str; 4] = ["MYPY", "PY2", "PY3", "TYPE_CHECKING"];

/// What stands under such a name, or reads it, but for imports and definitions of types under `if TYPE_CHECKING:`.
pub(crate) fn hidden<'a>(root: Node<'a>, text: &str) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    for node in all(root) {
        match node.kind() {
            "if_statement" | "elif_clause" => {
                let condition = field(node, "condition").filter(|condition| mentions(*condition, text));
                found.extend(condition.into_iter().flat_map(|condition| guarded(node, condition, text)));
            }
            "identifier" if CONSTANTS.contains(&text_of(node, text)) && !is_accounted_for(node, text) => {
                found.push(node);
            }
            _ => {}
        }
    }
    found
}

/// The statements that such a condition leads to, and those beside them, which the checker does not see.
fn guarded<'a>(node: Node<'a>, condition: Node<'_>, text: &str) -> Vec<Node<'a>> {
    let types_may_stand = node.kind() == "if_statement" && is_plain(condition, text);
    let mut found = statements(field(node, "consequence"));
    found.retain(|one| !(types_may_stand && is_of_types(*one, text)));
    let mut cursor = node.walk();
    for clause in node.children_by_field_name("alternative", &mut cursor) {
        found.extend(statements(field(clause, "body").or_else(|| field(clause, "consequence"))));
    }
    found
}

fn statements(block: Option<Node<'_>>) -> Vec<Node<'_>> {
    block.into_iter().flat_map(named_children).filter(|one| one.kind() != "comment").collect()
}

fn mentions(node: Node<'_>, text: &str) -> bool {
    all(node).into_iter().any(|one| one.kind() == "identifier" && CONSTANTS.contains(&text_of(one, text)))
}

/// `TYPE_CHECKING`, or that of a module.
fn is_plain(condition: Node<'_>, text: &str) -> bool {
    let name = match condition.kind() {
        "attribute" => field(condition, "attribute"),
        "identifier" => Some(condition),
        _ => None,
    };
    name.is_some_and(|name| text_of(name, text) == "TYPE_CHECKING")
}

/// Whether a name stands in an import, or in the condition of an `if`, whose blocks are looked at.
fn is_accounted_for(name: Node<'_>, text: &str) -> bool {
    let (mut below, mut around) = (name, name.parent());
    while let Some(node) = around {
        match node.kind() {
            "import_statement" | "import_from_statement" => return true,
            "if_statement" => return field(node, "condition") == Some(below) && is_plain(below, text),
            // A member of an enum may be called so.
            "assignment" => return field(node, "left") == Some(below),
            "block" => return false,
            _ => (below, around) = (node, node.parent()),
        }
    }
    false
}

fn is_of_types(statement: Node<'_>, text: &str) -> bool {
    match statement.kind() {
        "import_statement"
        | "import_from_statement"
        | "class_definition"
        | "type_alias_statement"
        | "pass_statement" => true,
        "expression_statement" => named_children(statement).all(|one| {
            let kind = one.kind() == "assignment"
                && field(one, "type").is_some_and(|kind| text_of(kind, text).rsplit('.').next() == Some("TypeAlias"));
            kind || one.kind() == "string"
        }),
        _ => false,
    }
}
