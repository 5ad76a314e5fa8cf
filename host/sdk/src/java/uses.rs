//! Every string of a customization class, with what it stands for.

use std::ops::Range;

use tree_sitter::Node;

use super::code::names_in;
use super::owner::{TYPE_FINDERS, owner, plain_string};
use super::source::Source;
use crate::syntax::{around, children, field, line, named_children};

/// What a string, or a name inside one, stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A type that is asked for by its name.
    FindType,
    /// A field that is asked for by its name.
    FindField,
    /// A method that is asked for by its name.
    FindMethod,
    /// A member of any kind that names are compared with.
    FindMember,
    /// A field that the customization adds.
    AddField,
    /// A method that the customization adds.
    AddMethod,
    /// A parameter that the customization adds.
    AddParameter,
    /// A name in Java code, with what stands in front of its dot.
    Code {
        /// `Some("this")` for `this.name`, `None` without a dot, empty where it is not a plain name.
        receiver: Option<String>,
    },
    /// Text for people: comments and log messages.
    Prose,
    /// A string of which nothing is known.
    Unknown,
}

/// One string, or one name in a string of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// What it stands for.
    pub role: Role,
    /// The name, or the whole string of prose and of what is not known.
    pub name: String,
    /// The generated class that the member belongs to; `None` where that is not certain.
    pub owner: Option<String>,
    /// Its bytes in the file.
    pub span: Range<usize>,
    /// Its line, from 1.
    pub line: u32,
    /// The lines, from 1, of the statement around it, both included.
    pub statement: (u32, u32),
    /// The lines of the method around it, both included.
    pub method: (u32, u32),
    /// Whether its statement takes something away or gives it another name: afterwards it is not there any more.
    pub takes_away: bool,
}

const FIELD_FINDERS: &[&str] = &["getFieldByName", "getConstant", "getProperty"];
const METHOD_FINDERS: &[&str] =
    &["getMethod", "getMethodsByName", "getMethodsBySignature", "getCallablesWithSignature"];
const FIELD_ADDERS: &[&str] =
    &["addField", "addFieldWithInitializer", "addPrivateField", "addProtectedField", "addPublicField"];
/// Calls whose strings are Java code, or names in it.
const CODE_TAKERS: &[&str] = &[
    "addAnnotation",
    "addExtendedType",
    "addImplementedType",
    "addImport",
    "addMember",
    "addSingleMemberAnnotation",
    "addStatement",
    "addThrownException",
    "parse",
    "parseAnnotation",
    "parseBlock",
    "parseBodyDeclaration",
    "parseClassOrInterfaceType",
    "parseExpression",
    "parseMethodDeclaration",
    "parseStatement",
    "parseType",
    "parseVariableDeclarationExpr",
    "setBody",
    "setInitializer",
    "setType",
];
const PROSE_TAKERS: &[&str] = &[
    "debug",
    "error",
    "info",
    "log",
    "println",
    "setBlockComment",
    "setComment",
    "setJavadoc",
    "setJavadocComment",
    "setLineComment",
    "trace",
    "warn",
];
const REMOVERS: &[&str] = &["remove", "removeForced", "removeFile", "rename", "replace", "setName"];

/// All strings of a file, in its order.
#[must_use]
pub fn uses(source: &Source) -> Vec<Use> {
    let mut found: Vec<Use> = source
        .nodes()
        .into_iter()
        .filter(|node| node.kind() == "string_literal")
        .flat_map(|literal| uses_of(source, literal))
        .collect();
    found.sort_by_key(|one| one.span.start);
    found
}

fn uses_of(source: &Source, literal: Node<'_>) -> Vec<Use> {
    let Some((call, position, count)) = argument_of(source, literal) else {
        return vec![whole(source, literal, Role::Unknown, None)];
    };
    let name = call_name(source, call);
    let object = field(call, "object");
    let owned = |node: Node<'_>| owner(source, node);
    let of_object = object.and_then(owned);
    let last = position + 1 == count;
    match name {
        // Strings are compared with the names of members: `"x".equals(method.getNameAsString())` and the other way round.
        "equals" | "equalsIgnoreCase" => return vec![compared(source, literal, call)],
        _ if TYPE_FINDERS.contains(&name) && last => return vec![whole(source, literal, Role::FindType, of_object)],
        _ if FIELD_FINDERS.contains(&name) && position == 0 => {
            return vec![whole(source, literal, Role::FindField, of_object)];
        }
        _ if METHOD_FINDERS.contains(&name) && position == 0 => {
            return vec![whole(source, literal, Role::FindMethod, of_object)];
        }
        _ if FIELD_ADDERS.contains(&name) && position == 1 => {
            return vec![whole(source, literal, Role::AddField, of_object)];
        }
        "addMethod" if position == 0 => return vec![whole(source, literal, Role::AddMethod, of_object)],
        "addParameter" | "addAndGetParameter" if position == 1 => {
            return vec![whole(source, literal, Role::AddParameter, of_object)];
        }
        _ if PROSE_TAKERS.contains(&name) => return vec![whole(source, literal, Role::Prose, of_object)],
        _ => {}
    }
    let types = (FIELD_ADDERS.contains(&name) || name.starts_with("addParameter")) && position == 0;
    // `getMethodsBySignature("name", "String")` names types behind the first argument.
    let signature = METHOD_FINDERS.contains(&name);
    if types || signature || CODE_TAKERS.contains(&name) || name == "ClassOrInterfaceType" {
        // `parseBlock(…)` itself is an argument of a call on the class.
        let of = of_object.or_else(|| surrounding_owner(source, call));
        return names_in(source, literal)
            .into_iter()
            .map(|one| {
                let role = Role::Code { receiver: one.receiver };
                place(source, literal, role, source.text[one.span.clone()].to_owned(), of.clone(), one.span)
            })
            .collect();
    }
    vec![whole(source, literal, Role::Unknown, None)]
}

/// The call that has this literal as an argument, the position of the argument, and how many there are. The parts of
/// a sum of strings, and what `String.join` puts together, are arguments in its place.
fn argument_of<'t>(source: &Source, literal: Node<'t>) -> Option<(Node<'t>, usize, usize)> {
    let mut here = literal;
    loop {
        let parent = here.parent()?;
        match parent.kind() {
            "binary_expression" | "parenthesized_expression" => here = parent,
            "argument_list" => {
                let arguments = named_children(parent);
                let position = arguments.iter().position(|one| one.id() == here.id())?;
                let call = parent.parent()?;
                if position > 0 && is_join(source, call) {
                    here = call;
                    continue;
                }
                return Some((call, position, arguments.len()));
            }
            // `"x".equals(…)`
            "method_invocation" if field(parent, "object").is_some_and(|object| object.id() == here.id()) => {
                return Some((parent, usize::MAX - 1, usize::MAX));
            }
            _ => return None,
        }
    }
}

/// `String.join(separator, part, …)`
fn is_join(source: &Source, call: Node<'_>) -> bool {
    call_name(source, call) == "join" && field(call, "object").is_some_and(|object| source.text(object) == "String")
}

fn call_name<'s>(source: &'s Source, call: Node<'_>) -> &'s str {
    field(call, "name").or_else(|| field(call, "type")).map(|name| source.text(name)).unwrap_or_default()
}

fn compared(source: &Source, literal: Node<'_>, call: Node<'_>) -> Use {
    let other = field(call, "object")
        .filter(|object| object.id() != literal.id())
        .or_else(|| field(call, "arguments").and_then(|arguments| named_children(arguments).first().copied()));
    let named = other.filter(|other| source.text(*other).contains("getName"));
    match named {
        Some(other) => whole(source, literal, Role::FindMember, owner(source, other)),
        None => whole(source, literal, Role::Unknown, None),
    }
}

/// The class that the nearest call around this one is made on.
fn surrounding_owner(source: &Source, call: Node<'_>) -> Option<String> {
    let mut here = call;
    loop {
        here = around(here, &["method_invocation", "lambda_expression", "method_declaration"])?;
        if here.kind() != "method_invocation" {
            return None;
        }
        if let Some(found) = field(here, "object").and_then(|object| owner(source, object)) {
            return Some(found);
        }
    }
}

fn whole(source: &Source, literal: Node<'_>, role: Role, owner: Option<String>) -> Use {
    let span = match plain_string(source, literal) {
        Some(_) => literal.start_byte() + 1..literal.end_byte() - 1,
        None => literal.byte_range(),
    };
    let name = source.text.get(span.clone()).unwrap_or_default().to_owned();
    place(source, literal, role, name, owner, span)
}

fn place(
    source: &Source,
    literal: Node<'_>,
    role: Role,
    name: String,
    owner: Option<String>,
    span: Range<usize>,
) -> Use {
    let lines = |node: Node<'_>| (line(node), u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX));
    let statement = statement(literal);
    let method = around(literal, &["method_declaration", "constructor_declaration", "class_body"]);
    let row = source.text[..span.start].matches('\n').count();
    Use {
        role,
        name,
        owner,
        line: u32::try_from(row + 1).unwrap_or(u32::MAX),
        span,
        statement: statement.map_or((line(literal), line(literal)), lines),
        method: method.map_or((1, u32::MAX), lines),
        takes_away: statement.is_some_and(|statement| takes_away(source, statement)),
    }
}

/// The smallest statement around a node.
#[must_use]
pub fn statement(node: Node<'_>) -> Option<Node<'_>> {
    around(node, &["expression_statement", "local_variable_declaration", "return_statement", "field_declaration"])
}

fn takes_away(source: &Source, statement: Node<'_>) -> bool {
    let mut waiting = vec![statement];
    while let Some(node) = waiting.pop() {
        let removes = match node.kind() {
            "method_invocation" => field(node, "name").is_some_and(|name| REMOVERS.contains(&source.text(name))),
            "method_reference" => {
                source.text(node).rsplit("::").next().is_some_and(|name| REMOVERS.contains(&name.trim()))
            }
            _ => false,
        };
        if removes {
            return true;
        }
        waiting.extend(children(node));
    }
    false
}

#[cfg(test)]
mod tests;
