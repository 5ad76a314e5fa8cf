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
/// by a call on it, a variable that holds it, a parameter of a helper method that is handed it by every caller, and
/// everything that is asked of one of these.
pub(super) fn owner(source: &Source, expression: Node<'_>) -> Option<String> {
    of(source, expression, Budget { depth: DEPTH, helpers: 1 })
}

/// How far is still looked.
#[derive(Debug, Clone, Copy)]
struct Budget {
    /// How deep expressions may nest.
    depth: u32,
    /// From how many helper methods callers are looked for, one within another.
    helpers: u32,
}

fn of(source: &Source, expression: Node<'_>, budget: Budget) -> Option<String> {
    let budget = Budget { depth: budget.depth.checked_sub(1)?, ..budget };
    match expression.kind() {
        "method_invocation" => {
            let name = field(expression, "name").map(|name| source.text(name)).unwrap_or_default();
            if TYPE_FINDERS.contains(&name)
                && let Some(class) = found_class(source, expression)
            {
                return class;
            }
            of(source, field(expression, "object")?, budget)
        }
        "identifier" => binding(source, expression, budget),
        "cast_expression" => of(source, field(expression, "value")?, budget),
        "parenthesized_expression" => of(source, *named_children(expression).first()?, budget),
        _ => None,
    }
}

/// `Some(None)` where a class is looked for and its name is not written here; `None` for `object.getClass()`.
fn found_class(source: &Source, call: Node<'_>) -> Option<Option<String>> {
    let arguments = named_children(field(call, "arguments")?);
    let last = arguments.last()?;
    Some(plain_string(source, constant(source, *last).unwrap_or(*last)).map(str::to_owned))
}

/// What a constant of the file stands for: the one declaration of its name, in a `final` field.
fn constant<'t>(source: &'t Source, expression: Node<'_>) -> Option<Node<'t>> {
    let name = (expression.kind() == "identifier").then(|| source.text(expression))?;
    let mut value = None;
    for (at, _) in source.text.match_indices(name) {
        let found = source.root().descendant_for_byte_range(at, at + name.len())?;
        let declares = |outer: &Node<'_>| field(*outer, "name").is_some_and(|one| one.id() == found.id());
        let Some(outer) = found.parent().filter(|_| found.kind() == "identifier" && source.text(found) == name) else {
            continue;
        };
        match outer.kind() {
            "variable_declarator" if declares(&outer) => {
                let is_final = outer
                    .parent()
                    .is_some_and(|field| field.kind() == "field_declaration" && has_modifier(source, field, "final"));
                if !is_final || value.is_some() {
                    return None;
                }
                value = Some(field(outer, "value")?);
            }
            "lambda_expression" if field(outer, "body").is_none_or(|body| body.id() != found.id()) => return None,
            "inferred_parameters" => return None,
            "formal_parameter" | "catch_formal_parameter" | "enhanced_for_statement" | "resource"
                if declares(&outer) =>
            {
                return None;
            }
            _ => {}
        }
    }
    value
}

fn has_modifier(source: &Source, declaration: Node<'_>, modifier: &str) -> bool {
    children(declaration)
        .into_iter()
        .any(|child| child.kind() == "modifiers" && source.text(child).split_whitespace().any(|word| word == modifier))
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
fn binding(source: &Source, identifier: Node<'_>, budget: Budget) -> Option<String> {
    let name = source.text(identifier);
    let mut here = identifier;
    while let Some(outer) = here.parent() {
        match outer.kind() {
            "lambda_expression" if lambda_takes(source, outer, name) => {
                return of(source, called_on(outer)?, budget);
            }
            "enhanced_for_statement" if field(outer, "name").is_some_and(|found| source.text(found) == name) => {
                return of(source, field(outer, "value")?, budget);
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
                            return of(source, field(declarator, "value")?, budget);
                        }
                    }
                }
            }
            "method_declaration" => return handed(source, outer, name, budget),
            "constructor_declaration" => return None,
            _ => {}
        }
        here = outer;
    }
    None
}

/// What the call is made on that has this lambda or method reference as an argument of its own, not further in.
fn called_on(function: Node<'_>) -> Option<Node<'_>> {
    let call = around(function, &["method_invocation", "object_creation_expression"])?;
    let arguments = field(call, "arguments")?;
    let direct = function.parent().is_some_and(|parent| parent.id() == arguments.id());
    if direct { field(call, "object") } else { None }
}

/// The class that every caller hands to this method under the name of its parameter. Only a private method has all its
/// callers in the file.
fn handed(source: &Source, method: Node<'_>, name: &str, budget: Budget) -> Option<String> {
    let budget = Budget { helpers: budget.helpers.checked_sub(1)?, ..budget };
    if !has_modifier(source, method, "private") || is_assigned(source, method, name) {
        return None;
    }
    let parameters = named_children(field(method, "parameters")?);
    let is_named = |one: &Node<'_>| field(*one, "name").is_some_and(|found| source.text(found) == name);
    let position = parameters.iter().position(is_named)?;
    let helper = source.text(field(method, "name")?);
    let mut classes = Vec::new();
    for (at, _) in source.text.match_indices(helper) {
        let found = source.root().descendant_for_byte_range(at, at + helper.len())?;
        if found.kind() != "identifier" || source.text(found) != helper {
            continue;
        }
        let around = found.parent()?;
        let argument = match around.kind() {
            "method_declaration" if around.id() == method.id() => continue,
            "method_invocation" if field(around, "name").is_some_and(|called| called.id() == found.id()) => {
                let arguments = named_children(field(around, "arguments")?);
                if arguments.len() != parameters.len() {
                    return None;
                }
                *arguments.get(position)?
            }
            // `ifPresent(this::addCode)`
            "method_reference" if parameters.len() == 1 => called_on(around)?,
            // Another method or variable of that name.
            _ => return None,
        };
        classes.push(of(source, argument, budget)?);
    }
    classes.dedup();
    if classes.len() == 1 { classes.pop() } else { None }
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
