//! Classes and functions of a file, as definitions.

use tree_sitter::Node;

use super::scopes::parameter_name;
use super::source::{Source, around, field, named_children};

/// The class definitions of a file with their names.
pub(crate) fn classes(source: &Source) -> Vec<(&str, Node<'_>)> {
    source
        .nodes()
        .into_iter()
        .filter(|node| node.kind() == "class_definition")
        .filter_map(|node| field(node, "name").map(|name| (source.text(name), node)))
        .collect()
}

/// The base classes of a definition, without keywords such as `metaclass`.
pub(crate) fn bases(definition: Node<'_>) -> Vec<Node<'_>> {
    field(definition, "superclasses")
        .map(named_children)
        .unwrap_or_default()
        .into_iter()
        .filter(|base| base.kind() != "keyword_argument")
        .map(|base| if base.kind() == "subscript" { field(base, "value").unwrap_or(base) } else { base })
        .collect()
}

/// The functions that a class body defines itself.
pub(crate) fn methods(class: Node<'_>) -> Vec<Node<'_>> {
    field(class, "body")
        .map(named_children)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|statement| match statement.kind() {
            "function_definition" => Some(statement),
            "decorated_definition" => {
                field(statement, "definition").filter(|inner| inner.kind() == "function_definition")
            }
            _ => None,
        })
        .collect()
}

/// The names of a function's parameters, the first too: `self`, `name`, `kwargs`.
pub(crate) fn parameters(source: &Source, function: Node<'_>) -> Vec<String> {
    let all = field(function, "parameters").map(named_children).unwrap_or_default().into_iter();
    all.filter_map(parameter_name).map(|name| source.text(name).to_owned()).collect()
}

/// The names of a function's decorators.
pub(crate) fn decorators(source: &Source, function: Node<'_>) -> Vec<String> {
    let Some(decorated) = function.parent().filter(|parent| parent.kind() == "decorated_definition") else {
        return Vec::new();
    };
    named_children(decorated)
        .into_iter()
        .filter(|child| child.kind() == "decorator")
        .map(|decorator| source.text(decorator).trim_start_matches('@').trim().to_owned())
        .collect()
}

/// Whether a type checker looks into the code around a node: functions without any annotation are skipped.
pub(crate) fn is_checked(node: Node<'_>) -> bool {
    let mut here = node;
    while let Some(function) = around(here, &["function_definition"]) {
        let typed = field(function, "return_type").is_some()
            || field(function, "parameters").is_some_and(|parameters| {
                named_children(parameters).iter().any(|parameter| field(*parameter, "type").is_some())
            });
        if !typed {
            return false;
        }
        here = function;
    }
    true
}
