//! Every string of a customization class, with what it stands for.

use std::ops::Range;

use tree_sitter::Node;

use super::destination::Variables;
use super::owner::plain_string;
use super::source::Source;
use crate::syntax::{around, children, field, line};

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
    /// Text that becomes documentation of the class: Javadoc and comments.
    Documentation,
    /// Text that nothing looks up: log messages, and strings of the generated code.
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
    /// Whether its statement takes something away or gives it another name: afterwards it is not there any more. A type is
    /// taken away only where the call that does so is handed its name: the others may take away members of it.
    pub takes_away: bool,
}

const REMOVERS: &[&str] = &["remove", "removeForced", "removeFile", "rename", "replace", "setName"];

impl Use {
    /// The type that a path of a source file is about: `Widget` of `src/main/java/com/azure/Widget.java`.
    fn of_file(mut self) -> Self {
        let Some(path) = self.name.strip_suffix(".java").filter(|_| self.role == Role::FindType) else { return self };
        let start = path.rfind('/').map_or(0, |at| at + 1);
        self.span = self.span.start + start..self.span.start + path.len();
        self.name = path[start..].to_owned();
        self
    }
}

/// All strings of a file, in its order.
#[must_use]
pub fn uses(source: &Source) -> Vec<Use> {
    let nodes = source.nodes();
    let variables = Variables::of(source, &nodes);
    let mut found: Vec<Use> = nodes
        .iter()
        .filter(|node| node.kind() == "string_literal")
        .flat_map(|literal| purpose::uses_of(source, *literal, &variables))
        .collect();
    found.sort_by_key(|one| one.span.start);
    found
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
        takes_away: match role {
            Role::FindType => is_handed_to_remover(source, literal),
            _ => statement.is_some_and(|statement| takes_away(source, statement)),
        },
        role,
        name,
        owner,
        line: u32::try_from(row + 1).unwrap_or(u32::MAX),
        span,
        statement: statement.map_or((line(literal), line(literal)), lines),
        method: method.map_or((1, u32::MAX), lines),
    }
}

/// Whether a text is an argument, or a part of one, of a call that removes: `removeFile(MODELS + "Widget.java")`.
fn is_handed_to_remover(source: &Source, literal: Node<'_>) -> bool {
    let call = around(literal, &["method_invocation", "object_creation_expression", "lambda_expression"]);
    call.filter(|call| call.kind() == "method_invocation")
        .filter(|call| field(*call, "arguments").is_some_and(|all| all.byte_range().contains(&literal.start_byte())))
        .and_then(|call| field(call, "name"))
        .is_some_and(|name| REMOVERS.contains(&source.text(name)))
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

mod purpose;
#[cfg(test)]
mod tests;
