//! Types with which a checker asks nothing any more of what a value has: `Any` in Python, `any` in TypeScript, `dynamic` in C#, and
//! parameters and results of Python without a type. A repair that writes one hides what it was to mend.

use bailiwick_sdk::tasks::Language;
use tree_sitter::Node;

use super::unchecked::is_imported;
use super::{Use, Why};
use crate::language::tree::{all, field, named_children, text_of};

/// Each of them, as often as it stands in the code.
pub(super) fn uses(language: Language, root: Node<'_>, text: &str) -> Vec<Use> {
    let loosened = |node: Node<'_>| match language {
        Language::Python => python(node, text),
        Language::Javascript => typescript(node, text),
        Language::Dotnet => (node.kind() == "identifier" && text_of(node, text) == "dynamic").then_some("dynamic"),
        Language::Java | Language::Go => None,
    };
    let found = all(root).into_iter().filter_map(loosened);
    found.map(|what| Use { what: what.to_owned(), why: Why::Loosened }).collect()
}

fn python(node: Node<'_>, text: &str) -> Option<&'static str> {
    match node.kind() {
        "identifier" if text_of(node, text) == "Any" => {
            let renamed =
                node.parent().and_then(|name| name.parent()).is_some_and(|one| one.kind() == "aliased_import");
            (renamed || !is_imported(node) && !is_open_ended(node, text)).then_some("Any")
        }
        // `part: "Any"`
        "string" if is_in_a_type(node) => {
            let words = text_of(node, text).split(|sign: char| !sign.is_alphanumeric() && sign != '_');
            words.into_iter().any(|word| word == "Any").then_some("Any")
        }
        // `cast("Any", part)`, and with any other type what the code says counts for nothing.
        "call" => {
            let called = field(node, "function").map(|function| text_of(function, text)).unwrap_or_default();
            match called.rsplit('.').next() {
                Some("cast") => Some("cast"),
                Some("getattr") => reads_by_a_text(node).then_some("getattr"),
                _ => None,
            }
        }
        "function_definition" => {
            let name = field(node, "name").map(|name| text_of(name, text)).unwrap_or_default();
            let hands_on = || field(node, "body").is_some_and(|body| all(body).into_iter().any(returns_a_value));
            (name != "__init__" && field(node, "return_type").is_none() && hands_on())
                .then_some("a result without a type")
        }
        "identifier" | "default_parameter" => {
            let of_function = node.parent().filter(|parent| parent.kind() == "parameters")?;
            let is_first = named_children(of_function).next() == Some(node);
            let bound = is_first && matches!(text_of(node, text), "self" | "cls" | "mcs");
            (!bound).then_some("a parameter without a type")
        }
        _ => None,
    }
}

/// `getattr(part, "name")`, which is `part.name` for all but the checker.
fn reads_by_a_text(call: Node<'_>) -> bool {
    let arguments: Vec<Node<'_>> = field(call, "arguments").map(named_children).into_iter().flatten().collect();
    arguments.len() == 2 && arguments.last().is_some_and(|name| name.kind() == "string")
}

fn is_in_a_type(node: Node<'_>) -> bool {
    std::iter::successors(node.parent(), Node::parent).take(6).any(|one| one.kind() == "type")
}

fn returns_a_value(node: Node<'_>) -> bool {
    node.kind() == "return_statement" && named_children(node).next().is_some()
}

/// `**kwargs: Any`, `Dict[str, Any]`: what is passed on, and what JSON holds, has no other type.
fn is_open_ended(any: Node<'_>, text: &str) -> bool {
    let around: Vec<Node<'_>> = std::iter::successors(any.parent(), Node::parent).take(4).collect();
    let of_further = around.iter().any(|one| {
        one.kind() == "typed_parameter"
            && named_children(*one).next().is_some_and(|name| name.kind().ends_with("splat_pattern"))
    });
    let of_texts = around.iter().find(|one| matches!(one.kind(), "generic_type" | "subscript")).is_some_and(|one| {
        let squeezed: String = text_of(*one, text).split_whitespace().collect();
        squeezed.ends_with("[str,Any]")
    });
    of_further || of_texts
}

fn typescript(node: Node<'_>, text: &str) -> Option<&'static str> {
    if node.kind() != "predefined_type" {
        return None;
    }
    let parent = node.parent();
    match text_of(node, text) {
        "any" => {
            let squeezed: String =
                parent.map(|one| text_of(one, text).split_whitespace().collect()).unwrap_or_default();
            (squeezed != "<string,any>").then_some("any")
        }
        "unknown" => parent.is_some_and(|one| one.kind() == "as_expression").then_some("as unknown"),
        _ => None,
    }
}
