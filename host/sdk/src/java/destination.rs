//! Which calls a string comes to: as it stands, in a sum, through a variable, a list or a helper method.

use std::collections::HashMap;

use tree_sitter::Node;

use super::source::Source;
use crate::syntax::{field, named_children};

/// More expressions than this are not looked at for one string.
const STEPS: u32 = 256;

/// Calls that hand on the text that they are made on.
const SAME_TEXT: &[&str] = &["concat", "formatted", "strip", "stripIndent", "stripLeading", "stripTrailing", "trim"];
/// Calls on strings, or on lists of them, that compare.
const COMPARING: &[&str] = &["contains", "equals", "equalsIgnoreCase"];
/// What makes a list of its arguments: `List.of("a", "b")`.
const LISTS: &[(&str, &str)] =
    &[("Arrays", "asList"), ("Arrays", "stream"), ("List", "of"), ("Set", "of"), ("Stream", "of")];

/// Where in a call something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// In front of its dot.
    Object,
    /// As the argument of this number, of so many.
    Argument(usize, usize),
}

/// A call that is handed a string.
#[derive(Debug, Clone, Copy)]
pub(super) struct Destination<'t> {
    pub(super) call: Node<'t>,
    pub(super) position: Position,
    /// How much of what is handed over the string is.
    pub(super) share: Share,
}

/// How much of a text a string is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All of it.
    Whole,
    /// All that is behind a directory.
    InDirectory,
    /// The name of a Java file, behind its directory: `directory + name + ".java"`.
    FileName,
    /// Another part.
    Part,
}

impl Share {
    /// The share in a sum in which this stands behind it.
    fn before(self, behind: &str) -> Self {
        match self {
            Self::Whole | Self::InDirectory if behind == "\".java\"" => Self::FileName,
            _ => Self::Part,
        }
    }

    /// The share in a sum in which the path of a directory stands in front.
    fn in_directory(self) -> Self {
        match self {
            Self::Whole => Self::InDirectory,
            other => other,
        }
    }
}

/// The identifiers of a file by their names.
pub(super) struct Variables<'s, 't> {
    source: &'s Source,
    identifiers: HashMap<&'s str, Vec<Node<'t>>>,
}

impl<'s, 't> Variables<'s, 't> {
    pub(super) fn of(source: &'s Source, nodes: &[Node<'t>]) -> Self {
        let mut identifiers: HashMap<&str, Vec<Node<'_>>> = HashMap::new();
        for node in nodes.iter().filter(|node| node.kind() == "identifier") {
            identifiers.entry(source.text(*node)).or_default().push(*node);
        }
        Self { source, identifiers }
    }

    /// Every call that this expression comes to, or `None` where one of its ways is not understood.
    pub(super) fn destinations(&self, expression: Node<'t>) -> Option<Vec<Destination<'t>>> {
        let mut found = Vec::new();
        self.follow(expression, Share::Whole, &mut STEPS.clone(), &mut found)?;
        (!found.is_empty()).then_some(found)
    }

    /// Every call that is handed what a local variable holds.
    pub(super) fn handed_to(&self, variable: Node<'t>) -> Option<Vec<Destination<'t>>> {
        let name = self.source.text(variable);
        let scope = crate::syntax::around(variable, &["method_declaration"])?;
        let mut found = Vec::new();
        // What is called on the variable is no way of it.
        for use_ in self.identifiers.get(name)?.iter().filter(|one| scope.byte_range().contains(&one.start_byte())) {
            if use_.parent().is_some_and(|parent| parent.kind() == "argument_list") {
                self.follow(*use_, Share::Whole, &mut STEPS.clone(), &mut found)?;
            }
        }
        Some(found)
    }

    fn follow(
        &self,
        expression: Node<'t>,
        mut share: Share,
        left: &mut u32,
        found: &mut Vec<Destination<'t>>,
    ) -> Option<()> {
        let mut here = expression;
        loop {
            *left = left.checked_sub(1)?;
            let parent = here.parent()?;
            let is_field = |name: &str| field(parent, name).is_some_and(|one| one.id() == here.id());
            match parent.kind() {
                "binary_expression" if field(parent, "operator").is_some_and(|one| one.kind() == "+") => {
                    share = match (field(parent, "left")?, field(parent, "right")?) {
                        (_, behind) if is_field("left") => share.before(self.source.text(behind)),
                        (front, _) if self.is_directory(front, left) => share.in_directory(),
                        _ => Share::Part,
                    };
                }
                "parenthesized_expression" | "array_initializer" | "array_creation_expression" => {}
                "ternary_expression" if !is_field("condition") => {}
                "argument_list" => {
                    let call = parent.parent()?;
                    let arguments = named_children(parent);
                    let position = arguments.iter().position(|one| one.id() == here.id())?;
                    if self.makes_text(call, position) {
                        share = Share::Part;
                        here = call;
                        continue;
                    }
                    if self.makes_list(call) {
                        here = call;
                        continue;
                    }
                    if let Some((method, name)) = self.helper(call, position, arguments.len()) {
                        return self.variable(name, field(method, "body")?, share, left, found);
                    }
                    let position = Position::Argument(position, arguments.len());
                    found.push(Destination { call, position, share });
                    return Some(());
                }
                "method_invocation" if is_field("object") => {
                    let name = self.source.text(field(parent, "name")?);
                    if COMPARING.contains(&name) {
                        found.push(Destination { call: parent, position: Position::Object, share });
                        return Some(());
                    }
                    if name == "forEach" {
                        let lambda = *named_children(field(parent, "arguments")?).first()?;
                        let parameter = field(lambda, "parameters").filter(|one| one.kind() == "identifier")?;
                        return self.variable(self.source.text(parameter), field(lambda, "body")?, share, left, found);
                    }
                    if name != "stream" && !SAME_TEXT.contains(&name) {
                        return None;
                    }
                    if SAME_TEXT[..2].contains(&name) {
                        share = Share::Part;
                    }
                }
                "variable_declarator" if is_field("value") => {
                    let name = self.source.text(field(parent, "name")?);
                    let declaration = parent.parent()?;
                    let scope = match declaration.kind() {
                        "field_declaration" => self.source.root(),
                        "local_variable_declaration" => declaration.parent()?,
                        _ => return None,
                    };
                    return self.variable(name, scope, share, left, found);
                }
                "enhanced_for_statement" if is_field("value") => {
                    let name = self.source.text(field(parent, "name")?);
                    return self.variable(name, field(parent, "body")?, share, left, found);
                }
                _ => return None,
            }
            here = parent;
        }
    }

    /// Follows every use of a variable in what it is declared for. One that is declared twice or assigned may hold anything.
    fn variable(
        &self,
        name: &str,
        scope: Node<'_>,
        share: Share,
        left: &mut u32,
        found: &mut Vec<Destination<'t>>,
    ) -> Option<()> {
        let within = scope.byte_range();
        let mut declared = 0;
        for identifier in self.identifiers.get(name).into_iter().flatten() {
            *left = left.checked_sub(1)?;
            if !within.contains(&identifier.start_byte()) {
                continue;
            }
            let parent = identifier.parent()?;
            let is_field = |name: &str| field(parent, name).is_some_and(|one| one.id() == identifier.id());
            match parent.kind() {
                "method_invocation" if is_field("name") => {}
                "variable_declarator" if is_field("name") => declared += 1,
                "assignment_expression" if is_field("left") => return None,
                "formal_parameter"
                | "lambda_expression"
                | "inferred_parameters"
                | "catch_formal_parameter"
                | "enhanced_for_statement"
                | "resource"
                    if !is_field("value") && !is_field("body") =>
                {
                    return None;
                }
                "field_access" if is_field("field") => self.follow(parent, share, left, found)?,
                _ => self.follow(*identifier, share, left, found)?,
            }
        }
        (declared < 2).then_some(())
    }

    /// Whether a text is certain to end a directory: `"src/main/java/"`, in a sum or a variable too.
    fn is_directory(&self, text: Node<'_>, left: &mut u32) -> bool {
        let Some(less) = left.checked_sub(1) else { return false };
        *left = less;
        match text.kind() {
            "string_literal" => self.source.text(text).ends_with("/\""),
            "binary_expression" => field(text, "right").is_some_and(|right| self.is_directory(right, left)),
            "parenthesized_expression" => named_children(text).first().is_some_and(|one| self.is_directory(*one, left)),
            "identifier" => {
                let name = self.source.text(text);
                let mut is_any = false;
                let all = self.identifiers.get(name).into_iter().flatten().all(|one| {
                    let Some(parent) = one.parent() else { return false };
                    let is_field = |name: &str| field(parent, name).is_some_and(|field| field.id() == one.id());
                    match parent.kind() {
                        "variable_declarator" if is_field("name") => {
                            is_any = true;
                            field(parent, "value").is_some_and(|value| self.is_directory(value, left))
                        }
                        "assignment_expression" => !is_field("left"),
                        kind => !is_field("name") || kind == "method_invocation",
                    }
                });
                all && is_any
            }
            _ => false,
        }
    }

    /// The private method of this file that a call is of, and its parameter in this place.
    fn helper(&self, call: Node<'t>, position: usize, count: usize) -> Option<(Node<'t>, &'s str)> {
        let own = field(call, "object").is_none_or(|object| object.kind() == "this");
        if call.kind() != "method_invocation" || !own {
            return None;
        }
        let name = self.source.text(field(call, "name")?);
        let is_method = |node: &Node<'t>| node.kind() == "method_declaration";
        let named = self.identifiers.get(name)?.iter().filter_map(|one| {
            one.parent()
                .filter(is_method)
                .filter(|method| field(*method, "name").is_some_and(|own| own.id() == one.id()))
        });
        let methods: Vec<Node<'t>> = named.collect();
        let [method] = methods[..] else { return None };
        let parameters = named_children(field(method, "parameters")?);
        let parameter = parameters.get(position).filter(|_| parameters.len() == count)?;
        Some((method, self.source.text(field(*parameter, "name")?)))
    }

    /// `String.join(separator, part, …)`, `String.format(pattern, part, …)`
    fn makes_text(&self, call: Node<'_>, position: usize) -> bool {
        let name = field(call, "name").map(|name| self.source.text(name));
        let of_string = field(call, "object").is_some_and(|object| self.source.text(object) == "String");
        of_string && (name == Some("format") || name == Some("join") && position > 0)
    }

    fn makes_list(&self, call: Node<'_>) -> bool {
        let text = |name: &str| field(call, name).map(|node| self.source.text(node)).unwrap_or_default();
        call.kind() == "method_invocation" && LISTS.contains(&(text("object"), text("name")))
    }
}
