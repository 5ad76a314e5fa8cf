//! Which generated class an expression of a customization stands for.

use tree_sitter::Node;

use super::source::Source;
use crate::syntax::{around, children, field, named_children};

/// Calls that give a class by its name, which is the last argument.
pub(super) const TYPE_FINDERS: &[&str] = &[
    "getAnnotationDeclarationByName",
    "getClass",
    "getClassByName",
    "getEnumByName",
    "getInterfaceByName",
    "getRecordByName",
];

/// An expression nested deeper than this is not looked into.
const DEPTH: u32 = 64;

/// The name of the class that `expression` stands for or belongs to: a class found by its name, what a lambda is handed
/// by a call on it, a variable that holds it, and everything that is asked of one of these.
pub(super) fn owner(source: &Source, expression: Node<'_>) -> Option<String> {
    of(source, expression, DEPTH)
}

fn of(source: &Source, expression: Node<'_>, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    match expression.kind() {
        "method_invocation" => {
            let name = field(expression, "name").map(|name| source.text(name)).unwrap_or_default();
            if TYPE_FINDERS.contains(&name)
                && let Some(class) = found_class(source, expression)
            {
                return class;
            }
            of(source, field(expression, "object")?, depth)
        }
        "identifier" => binding(source, expression, depth),
        "cast_expression" => of(source, field(expression, "value")?, depth),
        "parenthesized_expression" => of(source, *named_children(expression).first()?, depth),
        _ => None,
    }
}

/// `Some(None)` where a class is looked for and its name is not written here; `None` for `object.getClass()`.
fn found_class(source: &Source, call: Node<'_>) -> Option<Option<String>> {
    let arguments = named_children(field(call, "arguments")?);
    let last = arguments.last()?;
    Some(plain_string(source, *last).map(str::to_owned))
}

/// The content of a string literal without escapes.
pub(super) fn plain_string<'s>(source: &'s Source, node: Node<'_>) -> Option<&'s str> {
    if node.kind() != "string_literal" {
        return None;
    }
    let text = source.text(node).strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['"', '\\', '\n'])).then_some(text)
}

/// What the name is bound to, searched outwards.
fn binding(source: &Source, identifier: Node<'_>, depth: u32) -> Option<String> {
    let name = source.text(identifier);
    let mut here = identifier;
    while let Some(outer) = here.parent() {
        match outer.kind() {
            "lambda_expression" if lambda_takes(source, outer, name) => {
                let call = around(outer, &["method_invocation", "object_creation_expression"])?;
                // The lambda is an argument of the call itself, not of one further out.
                let arguments = field(call, "arguments")?;
                let direct = outer.parent().is_some_and(|parent| parent.id() == arguments.id());
                return if direct { of(source, field(call, "object")?, depth) } else { None };
            }
            "enhanced_for_statement" if field(outer, "name").is_some_and(|found| source.text(found) == name) => {
                return of(source, field(outer, "value")?, depth);
            }
            "block" | "constructor_body" | "switch_block_statement_group" => {
                for statement in children(outer) {
                    if statement.start_byte() >= here.start_byte() {
                        break;
                    }
                    if statement.kind() != "local_variable_declaration" {
                        continue;
                    }
                    for declarator in named_children(statement) {
                        if field(declarator, "name").is_some_and(|found| source.text(found) == name)
                            && declarator.kind() == "variable_declarator"
                        {
                            // Assigned anew somewhere, it may hold anything.
                            if is_assigned(source, outer, name) {
                                return None;
                            }
                            return of(source, field(declarator, "value")?, depth);
                        }
                    }
                }
            }
            "method_declaration" | "constructor_declaration" => return None,
            _ => {}
        }
        here = outer;
    }
    None
}

fn lambda_takes(source: &Source, lambda: Node<'_>, name: &str) -> bool {
    let Some(parameters) = field(lambda, "parameters") else { return false };
    if parameters.kind() == "identifier" {
        return source.text(parameters) == name;
    }
    let mut waiting = named_children(parameters);
    while let Some(node) = waiting.pop() {
        let named = match node.kind() {
            "identifier" => Some(node),
            "formal_parameter" => field(node, "name"),
            _ => None,
        };
        if named.is_some_and(|found| source.text(found) == name) {
            return true;
        }
    }
    false
}

fn is_assigned(source: &Source, block: Node<'_>, name: &str) -> bool {
    let mut waiting = vec![block];
    while let Some(node) = waiting.pop() {
        if node.kind() == "assignment_expression" && field(node, "left").is_some_and(|left| source.text(left) == name) {
            return true;
        }
        waiting.extend(children(node));
    }
    false
}
