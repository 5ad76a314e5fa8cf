//! What a string of a customization is for, told by the calls that it comes to.

use tree_sitter::Node;

use super::{REMOVERS, Role, Use, place, whole};
use crate::java::code::names_in;
use crate::java::destination::{Destination, Position, Share, Variables};
use crate::java::owner::{TYPE_FINDERS, owner};
use crate::java::source::Source;
use crate::syntax::{around, field, named_children};

const FIELD_FINDERS: &[&str] = &["getFieldByName", "getConstant", "getProperty"];
const METHOD_FINDERS: &[&str] =
    &["getMethod", "getMethodsByName", "getMethodsBySignature", "getCallablesWithSignature", "removeMethod"];
const FIELD_ADDERS: &[&str] =
    &["addField", "addFieldWithInitializer", "addPrivateField", "addProtectedField", "addPublicField"];
/// Calls on files by their paths.
const FILES: &[&str] = &["getFileContent", "removeFile", "replaceFile"];
/// Calls and constructors whose strings are Java code, or names in it.
const CODE: &[&str] = &[
    "ClassOrInterfaceType",
    "FieldAccessExpr",
    "MarkerAnnotationExpr",
    "MethodCallExpr",
    "Name",
    "NameExpr",
    "ReturnStmt",
    "SimpleName",
    "addAnnotation",
    "addAndGetStatement",
    "addConstructor",
    "addExtendedType",
    "addImplementedType",
    "addImport",
    "addImports",
    "addMember",
    "addSee",
    "addSingleMemberAnnotation",
    "addStatement",
    "addStaticBlock",
    "addThrownException",
    "parse",
    "parseAnnotation",
    "parseAnnotationBodyDeclaration",
    "parseBlock",
    "parseBodyDeclaration",
    "parseClassOrInterfaceType",
    "parseExplicitConstructorInvocationStmt",
    "parseExpression",
    "parseImport",
    "parseMethodDeclaration",
    "parseName",
    "parseParameter",
    "parseSimpleName",
    "parseStatement",
    "parseType",
    "parseTypeDeclaration",
    "parseVariableDeclarationExpr",
    "removeAnnotation",
    "replaceBody",
    "replaceParameters",
    "setBody",
    "setExpression",
    "setInitializer",
    "setReturnType",
    "setType",
];
/// Expressions of a member behind what it is a member of.
const ACCESSES: &[&str] = &["FieldAccessExpr", "MethodCallExpr"];
const DOCUMENTATION: &[&str] = &[
    "BlockComment",
    "Javadoc",
    "JavadocBlockTag",
    "JavadocComment",
    "JavadocDescription",
    "JavadocSnippet",
    "LineComment",
    "MarkdownComment",
    "TraditionalJavadocComment",
    "addBlockTag",
    "parseJavadoc",
    "parseText",
    "setBlockComment",
    "setComment",
    "setDeprecated",
    "setDescription",
    "setJavadoc",
    "setJavadocComment",
    "setLineComment",
    "setReturn",
];
/// Calls on documentation whose first argument is a name of code.
const DOCUMENTATION_OF_NAMES: &[&str] = &["addThrows", "setParam"];
const PROSE: &[&str] =
    &["StringLiteralExpr", "TextBlockLiteralExpr", "debug", "error", "info", "log", "println", "trace", "warn"];

/// What one call makes of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Purpose {
    /// It is a name, or a text, of this role.
    Whole(Role, Option<String>),
    /// It is Java code; what is in front of a name without a dot, where that is not told by the text.
    Code { of: Option<String>, receiver: Option<String> },
    /// It is replaced in a text of which nothing is known: what it is elsewhere, it is there.
    Replaced,
}

/// The uses in a string.
pub(super) fn uses_of<'t>(source: &Source, literal: Node<'t>, variables: &Variables<'_, 't>) -> Vec<Use> {
    let destinations = variables.destinations(literal).unwrap_or_default();
    let purposes = destinations.iter().map(|one| purpose(source, literal, one, variables)).collect();
    // A variable may be handed to a call that takes the type away, far from the string.
    let taken = destinations.iter().any(|one| REMOVERS.contains(&call_name(source, one.call)));
    match together(purposes) {
        Purpose::Replaced => vec![whole(source, literal, Role::Unknown, None)],
        Purpose::Whole(role, owner) => {
            let mut found = whole(source, literal, role, owner).of_file();
            found.takes_away |= taken && found.role == Role::FindType;
            vec![found]
        }
        Purpose::Code { of, receiver } => names_in(source, literal)
            .into_iter()
            .map(|one| {
                let role = Role::Code { receiver: one.receiver.or_else(|| receiver.clone()) };
                place(source, literal, role, source.text[one.span.clone()].to_owned(), of.clone(), one.span)
            })
            .collect(),
    }
}

/// What a string is for that is used several times. A log that says it as well does not count.
fn together(mut all: Vec<Purpose>) -> Purpose {
    let is_text = |one: &Purpose| matches!(one, Purpose::Whole(Role::Prose | Role::Documentation, _));
    if !all.iter().all(is_text) {
        all.retain(|one| !is_text(one));
    }
    let mut all = all.into_iter();
    let Some(first) = all.next() else { return Purpose::Whole(Role::Unknown, None) };
    all.fold(first, |one, other| match (one, other) {
        (Purpose::Whole(role, owner), Purpose::Whole(other, its)) if role == other => {
            Purpose::Whole(role, owner.filter(|owner| its.as_ref() == Some(owner)))
        }
        (Purpose::Code { of, receiver }, Purpose::Code { of: other, receiver: its }) if receiver == its => {
            Purpose::Code { of: of.filter(|of| other.as_ref() == Some(of)), receiver }
        }
        // The name of a type, which code may say as well.
        (found @ Purpose::Whole(Role::FindType, _), Purpose::Code { .. } | Purpose::Replaced)
        | (Purpose::Code { .. } | Purpose::Replaced, found @ Purpose::Whole(Role::FindType, _)) => found,
        (Purpose::Replaced, Purpose::Replaced) => Purpose::Replaced,
        _ => Purpose::Whole(Role::Unknown, None),
    })
}

fn purpose<'t>(
    source: &Source,
    literal: Node<'t>,
    destination: &Destination<'t>,
    variables: &Variables<'_, 't>,
) -> Purpose {
    let call = destination.call;
    let name = call_name(source, call);
    let of_object = field(call, "object").and_then(|object| owner(source, object));
    let unknown = Purpose::Whole(Role::Unknown, None);
    let Position::Argument(position, count) = destination.position else {
        return compared(source, literal, call);
    };
    let role = match name {
        // Strings are compared with the names of members: `"x".equals(method.getNameAsString())` and the other way round.
        "equals" | "equalsIgnoreCase" => return compared(source, literal, call),
        _ if TYPE_FINDERS.contains(&name) && position + 1 == count => Some(Role::FindType),
        _ if FILES.contains(&name) && position == 0 && source.text(literal).ends_with(".java\"") => {
            Some(Role::FindType)
        }
        _ if FILES.contains(&name) && position == 0 && destination.share == Share::FileName => {
            return Purpose::Whole(Role::FindType, of_object);
        }
        "replace" if position == 0 && count == 2 && destination.share == Share::Whole => return Purpose::Replaced,
        _ if FIELD_FINDERS.contains(&name) && position == 0 => Some(Role::FindField),
        _ if METHOD_FINDERS.contains(&name) && position == 0 => Some(Role::FindMethod),
        _ if FIELD_ADDERS.contains(&name) && position == 1 => Some(Role::AddField),
        "addMethod" if position == 0 && !is_declaration(source.text(literal)) => Some(Role::AddMethod),
        "addParameter" | "addAndGetParameter" | "Parameter" if position == 1 => Some(Role::AddParameter),
        _ => None,
    };
    if let Some(role) = role {
        // Of a part of a name nothing is known.
        return if destination.share != Share::Whole { unknown } else { Purpose::Whole(role, of_object) };
    }
    let of = || of_object.clone().or_else(|| owner_of_code(source, call, variables));
    if DOCUMENTATION.contains(&name) || DOCUMENTATION_OF_NAMES.contains(&name) && position > 0 {
        return Purpose::Whole(Role::Documentation, of());
    }
    let is_exception = name.ends_with("Exception") || name.ends_with("Error");
    if PROSE.contains(&name) || is_exception && call.kind() == "object_creation_expression" {
        return Purpose::Whole(Role::Prose, of_object);
    }
    let types =
        (FIELD_ADDERS.contains(&name) || name.starts_with("addParameter") || name == "Parameter") && position == 0;
    // `getMethodsBySignature("name", "String")` names types behind the first argument.
    let signature = METHOD_FINDERS.contains(&name);
    let thrown = name == "addThrows" && position == 0;
    if types || signature || thrown || CODE.contains(&name) || name == "addMethod" && position == 0 {
        let access = ACCESSES.contains(&name) && position > 0;
        let receiver =
            access.then(|| first_argument(source, call).filter(|one| one.contains("ThisExpr")).map_or("", |_| "this"));
        return Purpose::Code { of: of(), receiver: receiver.map(str::to_owned) };
    }
    unknown
}

/// Whether the string that is added as a method is its declaration and not its name.
fn is_declaration(literal: &str) -> bool {
    literal.contains(['(', '{', ' '])
}

fn first_argument<'s>(source: &'s Source, call: Node<'_>) -> Option<&'s str> {
    named_children(field(call, "arguments")?).first().map(|one| source.text(*one))
}

fn call_name<'s>(source: &'s Source, call: Node<'_>) -> &'s str {
    field(call, "name").or_else(|| field(call, "type")).map(|name| source.text(name)).unwrap_or_default()
}

fn compared(source: &Source, literal: Node<'_>, call: Node<'_>) -> Purpose {
    let sides = field(call, "object").into_iter();
    let sides = sides.chain(field(call, "arguments").and_then(|arguments| named_children(arguments).first().copied()));
    let named = sides.filter(|side| side.id() != literal.id()).find(|side| source.text(*side).contains("getName"));
    match named {
        Some(named) => Purpose::Whole(Role::FindMember, owner(source, named)),
        None => Purpose::Whole(Role::Unknown, None),
    }
}

/// The class that code is added to: by the calls around it, or by those that are handed the variable which holds it.
fn owner_of_code<'t>(source: &Source, call: Node<'t>, variables: &Variables<'_, 't>) -> Option<String> {
    if let Some(found) = surrounding_owner(source, call) {
        return Some(found);
    }
    // `BlockStmt body = parseBlock(…);`, and `body.addStatement(…);`
    let object = field(call, "object").filter(|object| object.kind() == "identifier");
    let mut waiting: Vec<Node<'t>> = variables.destinations(call).into_iter().flatten().map(|one| one.call).collect();
    waiting.extend(object.and_then(|object| variables.handed_to(object)).into_iter().flatten().map(|one| one.call));
    let owner_of = |call: Node<'_>| {
        field(call, "object").and_then(|object| owner(source, object)).or_else(|| surrounding_owner(source, call))
    };
    let mut owners = waiting.into_iter().map(owner_of);
    let first = owners.next()??;
    owners.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The class that the nearest call around this one is made on. `parseBlock(…)` is an argument of such a call.
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
