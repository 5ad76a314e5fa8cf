//! What a name is bound to at a place, by Python's rules of scope.

use tree_sitter::Node;

use super::source::{Source, around, children, field, named_children};

/// One thing that binds a name in a scope.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Binding<'t> {
    /// `from module import name [as …]`: the statement and the node of the imported name.
    ImportFrom {
        statement: Node<'t>,
        name: Node<'t>,
        aliased: bool,
    },
    /// `import a.b [as c]`.
    ImportModule {
        name: Node<'t>,
    },
    Class,
    Function(Node<'t>),
    /// A parameter of the function or lambda.
    Parameter {
        function: Node<'t>,
        node: Node<'t>,
        position: usize,
    },
    /// An assignment, with its annotation and its value.
    Assigned {
        annotation: Option<Node<'t>>,
        value: Option<Node<'t>>,
    },
    /// A loop variable, with what is looped over.
    LoopItem(Node<'t>),
    /// `with value as name`.
    With(Node<'t>),
    /// Anything else: a part of a pattern, an exception, `global`, `del`.
    Other,
}

const COMPREHENSIONS: &[&str] =
    &["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"];

/// The scope that a node is evaluated in. Decorators, defaults, annotations and base classes belong to the scope around.
pub(crate) fn scope_of(node: Node<'_>) -> Node<'_> {
    let mut inner = node;
    while let Some(outer) = inner.parent() {
        let inside = match outer.kind() {
            "module" => true,
            "class_definition" | "function_definition" | "lambda" => field(outer, "body") == Some(inner),
            kind => COMPREHENSIONS.contains(&kind),
        };
        if inside {
            return outer;
        }
        inner = outer;
    }
    inner
}

/// The scope that a name at a place is bound in, with its bindings there. `None` for builtins and star imports.
pub(crate) fn resolve<'t>(source: &Source, at: Node<'t>, name: &str) -> Option<(Node<'t>, Vec<Binding<'t>>)> {
    let mut scope = scope_of(at);
    let mut direct = true;
    loop {
        // The names of a class body are not seen from the functions inside it.
        if direct || scope.kind() != "class_definition" {
            let found = bindings(source, scope, name);
            if !found.is_empty() {
                return Some((scope, found));
            }
        }
        if scope.kind() == "module" {
            return None;
        }
        direct = direct && COMPREHENSIONS.contains(&scope.kind());
        scope = scope_of(scope);
    }
}

/// All bindings of a name in one scope.
pub(crate) fn bindings<'t>(source: &Source, scope: Node<'t>, name: &str) -> Vec<Binding<'t>> {
    let mut found = Vec::new();
    if matches!(scope.kind(), "function_definition" | "lambda")
        && let Some(parameters) = field(scope, "parameters")
    {
        for (position, parameter) in named_children(parameters).into_iter().enumerate() {
            if parameter_name(parameter).is_some_and(|node| source.text(node) == name) {
                found.push(Binding::Parameter { function: scope, node: parameter, position });
            }
        }
    }
    let starts = match scope.kind() {
        "module" => vec![scope],
        kind if COMPREHENSIONS.contains(&kind) => children(scope),
        _ => field(scope, "body").into_iter().collect(),
    };
    let mut collector = Collector { source, name, found };
    let mut waiting: Vec<Node<'t>> = starts.into_iter().rev().collect();
    while let Some(node) = waiting.pop() {
        if collector.visit(node) == Inside::Same {
            waiting.extend(children(node).into_iter().rev());
        }
    }
    collector.found
}

/// The identifier that a parameter binds.
pub(crate) fn parameter_name(mut parameter: Node<'_>) -> Option<Node<'_>> {
    loop {
        match parameter.kind() {
            "identifier" => return Some(parameter),
            "default_parameter" | "typed_default_parameter" => return field(parameter, "name"),
            "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" => {
                parameter = *named_children(parameter).first()?;
            }
            _ => return None,
        }
    }
}

/// What scope the inside of a node belongs to.
#[derive(PartialEq, Eq)]
enum Inside {
    Same,
    Own,
}

struct Collector<'t, 's> {
    source: &'s Source,
    name: &'s str,
    found: Vec<Binding<'t>>,
}

impl<'t> Collector<'t, '_> {
    fn is(&self, node: Option<Node<'t>>) -> bool {
        node.is_some_and(|node| node.kind() == "identifier" && self.source.text(node) == self.name)
    }

    fn visit(&mut self, node: Node<'t>) -> Inside {
        match node.kind() {
            "function_definition" | "class_definition" => {
                if self.is(field(node, "name")) {
                    let class = node.kind() == "class_definition";
                    self.found.push(if class { Binding::Class } else { Binding::Function(node) });
                }
                // What is inside has a scope of its own; assignments in defaults are not worth looking for.
                return Inside::Own;
            }
            "lambda" => return Inside::Own,
            kind if COMPREHENSIONS.contains(&kind) => return Inside::Own,
            "import_from_statement" | "import_statement" | "future_import_statement" => {
                self.import(node);
                return Inside::Own;
            }
            "assignment" => self.assignment(node),
            "augmented_assignment" | "delete_statement" => self.other_targets(node),
            "named_expression" if self.is(field(node, "name")) => {
                self.found.push(Binding::Assigned { annotation: None, value: field(node, "value") });
            }
            "for_statement" | "for_in_clause" => {
                let (left, right) = (field(node, "left"), field(node, "right"));
                match (self.is(left), right, left) {
                    (true, Some(right), _) => self.found.push(Binding::LoopItem(right)),
                    (_, _, Some(left)) => self.pattern(left),
                    _ => {}
                }
            }
            "as_pattern" => self.as_pattern(node),
            "global_statement" | "nonlocal_statement" | "case_pattern" => self.pattern(node),
            "except_clause" => {
                // `except E as e` without an `as_pattern` in older grammars.
                for child in children(node).windows(2).filter(|pair| pair[0].kind() == "as").map(|pair| pair[1]) {
                    self.pattern(child);
                }
            }
            _ => {}
        }
        Inside::Same
    }

    fn assignment(&mut self, node: Node<'t>) {
        let Some(left) = field(node, "left") else { return };
        if self.is(Some(left)) {
            // In `a = b = c` the value of `a` is another assignment.
            let value = field(node, "right").map(|mut right| {
                while right.kind() == "assignment" {
                    match field(right, "right") {
                        Some(inner) => right = inner,
                        None => break,
                    }
                }
                right
            });
            self.found.push(Binding::Assigned { annotation: field(node, "type"), value });
        } else if matches!(left.kind(), "pattern_list" | "tuple_pattern" | "list_pattern") {
            self.pattern(left);
        }
    }

    fn other_targets(&mut self, node: Node<'t>) {
        let target = field(node, "left").or_else(|| named_children(node).first().copied());
        if self.is(target) {
            self.found.push(Binding::Other);
        }
    }

    fn as_pattern(&mut self, node: Node<'t>) {
        let alias = field(node, "alias").and_then(|alias| named_children(alias).first().copied().or(Some(alias)));
        if self.is(alias) {
            let value = named_children(node).first().copied();
            self.found.push(match (around(node, &["with_item", "except_clause", "case_pattern"]), value) {
                (Some(outer), Some(value)) if outer.kind() == "with_item" => Binding::With(value),
                _ => Binding::Other,
            });
        }
    }

    /// Any identifier inside a pattern that is not part of an attribute or subscript binds its name to something unknown.
    fn pattern(&mut self, node: Node<'t>) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            let binding = match node.kind() {
                "attribute" | "subscript" | "call" => continue,
                // The first names what is matched, not what is bound.
                "keyword_pattern" | "class_pattern" => named_children(node).into_iter().skip(1).collect(),
                _ => {
                    if self.is(Some(node)) {
                        self.found.push(Binding::Other);
                    }
                    named_children(node)
                }
            };
            waiting.extend(binding);
        }
    }

    fn import(&mut self, statement: Node<'t>) {
        let module = field(statement, "module_name");
        for imported in named_children(statement).into_iter().filter(|child| Some(*child) != module) {
            let (name, alias) = match imported.kind() {
                "aliased_import" => (field(imported, "name"), field(imported, "alias")),
                "dotted_name" => (Some(imported), None),
                _ => continue,
            };
            let Some(name) = name else { continue };
            let from = statement.kind() != "import_statement";
            let bound = match alias {
                Some(alias) => self.source.text(alias) == self.name,
                None if from => self.source.text(name) == self.name,
                None => self.source.text(name).split('.').next() == Some(self.name),
            };
            if bound {
                let aliased = alias.is_some();
                self.found.push(if from {
                    Binding::ImportFrom { statement, name, aliased }
                } else {
                    Binding::ImportModule { name }
                });
            }
        }
    }
}

/// Whether the file imports everything from a module of which `accept` approves.
pub(crate) fn has_star_import(source: &Source, accept: impl Fn(&str) -> bool) -> bool {
    source.nodes().into_iter().filter(|node| node.kind() == "wildcard_import").any(|star| {
        star.parent()
            .and_then(|statement| field(statement, "module_name"))
            .is_some_and(|module| accept(source.text(module)))
    })
}

/// Whether an identifier refers to a variable, rather than naming an attribute, a keyword or what an import brings.
pub(crate) fn is_reference(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "attribute" => field(parent, "attribute") != Some(node),
        "keyword_argument" => field(parent, "name") != Some(node),
        "keyword_pattern" => named_children(parent).first() != Some(&node),
        "dotted_name" => {
            parent.parent().is_some_and(|outer| matches!(outer.kind(), "class_pattern" | "case_pattern" | "decorator"))
        }
        "aliased_import" | "parameters" | "lambda_parameters" | "typed_parameter" => false,
        "default_parameter" | "typed_default_parameter" | "function_definition" | "class_definition" => {
            field(parent, "name") != Some(node)
        }
        "list_splat_pattern" | "dictionary_splat_pattern" => !parent
            .parent()
            .is_some_and(|outer| matches!(outer.kind(), "parameters" | "lambda_parameters" | "typed_parameter")),
        _ => true,
    }
}
