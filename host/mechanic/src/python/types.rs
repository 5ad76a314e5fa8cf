//! What a value is, as far as that is certain: an instance of the class in question, something else, or unknown.

use std::cell::RefCell;
use std::collections::HashSet;

use tree_sitter::Node;

use super::annotations::Annotation;
use super::definitions::{bases, classes, decorators};
use super::package::Package;
use super::scopes::{Binding, resolve};
use super::source::{Source, around, field, named_children};

/// What an expression yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ty {
    /// An instance of the class, or of a class derived from it.
    Instance,
    /// The class itself, or one derived from it.
    Class,
    /// Something that is certainly not of the class.
    Other,
    /// Something that follows from typed code: a type checker knows what it is, even if this analysis does not.
    Checked,
    /// Something a type checker may not know either.
    Unknown,
    /// `None`.
    Nothing,
}

/// Expressions nested or chained deeper than this are not followed.
const DEEPEST: usize = 24;

/// The types of a package's hand-written code, seen from one class.
pub(crate) struct Types<'p> {
    pub(crate) package: &'p Package,
    /// The names of the class: one, or two while it is being renamed itself.
    class: Vec<String>,
    /// Hand-written classes derived from the class: path and name.
    derived: RefCell<HashSet<(String, String)>>,
}

impl<'p> Types<'p> {
    pub(crate) fn new(package: &'p Package, class: Vec<String>) -> Self {
        let types = Self { package, class, derived: RefCell::default() };
        loop {
            let before = types.derived.borrow().len();
            for source in &package.sources {
                for (name, definition) in classes(source) {
                    let derives = bases(definition).into_iter().any(|base| types.of(source, base) == Ty::Class);
                    if derives {
                        types.derived.borrow_mut().insert((source.path.clone(), name.to_owned()));
                    }
                }
            }
            if types.derived.borrow().len() == before {
                return types;
            }
        }
    }

    /// The names under which a diagnostic may mention the class.
    pub(crate) fn class_names(&self) -> Vec<String> {
        let derived = self.derived.borrow();
        self.class.iter().cloned().chain(derived.iter().map(|(_, name)| name.clone())).collect()
    }

    pub(super) fn is_class(&self, name: &str) -> bool {
        self.class.iter().any(|class| class == name)
    }

    pub(crate) fn is_derived(&self, source: &Source, definition: Node<'_>) -> bool {
        let name = field(definition, "name").map(|name| source.text(name).to_owned()).unwrap_or_default();
        self.derived.borrow().contains(&(source.path.clone(), name))
    }

    pub(crate) fn of(&self, source: &Source, node: Node<'_>) -> Ty {
        self.at(source, node, 0)
    }

    pub(super) fn at(&self, source: &Source, node: Node<'_>, depth: usize) -> Ty {
        if depth > DEEPEST {
            return Ty::Unknown;
        }
        let of = |node: Node<'_>| self.at(source, node, depth + 1);
        match node.kind() {
            "identifier" => self.name(source, node, source.text(node), depth),
            "none" => Ty::Nothing,
            "attribute" => self.attribute(source, node, depth),
            "call" => self.call(source, node, depth),
            "await" | "parenthesized_expression" => {
                named_children(node).first().map_or(Ty::Unknown, |inner| of(*inner))
            }
            "named_expression" => field(node, "value").map_or(Ty::Unknown, of),
            "conditional_expression" => {
                let parts = named_children(node);
                let sides = [parts.first(), parts.get(2)];
                combined(sides.into_iter().flatten().map(|side| of(*side)))
            }
            "boolean_operator" => combined(["left", "right"].into_iter().filter_map(|side| field(node, side)).map(of)),
            "subscript" => match field(node, "value") {
                Some(value) => match self.element(source, value, depth + 1) {
                    Ty::Unknown => followed(of(value)),
                    known => known,
                },
                None => Ty::Unknown,
            },
            "string"
            | "concatenated_string"
            | "integer"
            | "float"
            | "true"
            | "false"
            | "list"
            | "dictionary"
            | "set"
            | "tuple"
            | "lambda"
            | "comparison_operator"
            | "not_operator"
            | "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => Ty::Other,
            "binary_operator" => followed(field(node, "left").map_or(Ty::Unknown, of)),
            _ => Ty::Unknown,
        }
    }

    /// What a name refers to where `at` stands.
    pub(crate) fn name(&self, source: &Source, at: Node<'_>, name: &str, depth: usize) -> Ty {
        let Some((_, bindings)) = resolve(source, at, name) else {
            let builtin = [
                "str", "int", "bool", "float", "bytes", "list", "dict", "set", "tuple", "len", "sorted", "print",
                "range", "type",
            ];
            return if builtin.contains(&name) { Ty::Other } else { Ty::Unknown };
        };
        // What a name is declared as holds wherever it is assigned.
        let declared = |binding: &&Binding<'_>| match binding {
            Binding::Assigned { annotation, .. } => annotation.is_some(),
            Binding::Parameter { node, .. } => field(*node, "type").is_some(),
            _ => false,
        };
        let declarations: Vec<_> = bindings.iter().filter(declared).copied().collect();
        let bindings = if declarations.is_empty() { bindings } else { declarations };
        combined(bindings.into_iter().map(|binding| self.binding(source, binding, name, depth + 1)))
    }

    fn binding(&self, source: &Source, binding: Binding<'_>, name: &str, depth: usize) -> Ty {
        match binding {
            Binding::ImportFrom { statement, name: imported, .. } => {
                let module = field(statement, "module_name").map(|module| source.text(module)).unwrap_or_default();
                let imported = source.text(imported);
                if !self.package.is_own_module(source, module) {
                    return Ty::Unknown;
                }
                let class = self.is_class(imported);
                let hand_written = || self.derived.borrow().iter().any(|(_, derived)| derived == imported);
                // Classes begin with a capital, in generated code without exception.
                let other_class = imported.starts_with(char::is_uppercase) && imported.chars().any(char::is_lowercase);
                match class || hand_written() {
                    true => Ty::Class,
                    false if other_class => Ty::Other,
                    false => Ty::Checked,
                }
            }
            Binding::ImportModule { name, .. } => {
                if self.package.is_own_module(source, source.text(name)) {
                    Ty::Checked
                } else {
                    Ty::Unknown
                }
            }
            Binding::Class => {
                let derived = self.derived.borrow().contains(&(source.path.clone(), name.to_owned()));
                if derived { Ty::Class } else { Ty::Other }
            }
            Binding::Function(_) => Ty::Checked,
            Binding::Parameter { function, node, position } => self.parameter(source, function, node, position, depth),
            Binding::Assigned { annotation: Some(annotation), .. } => self.annotated(source, annotation),
            Binding::Assigned { value: Some(value), .. } => self.at(source, value, depth),
            Binding::LoopItem(iterable) => match self.element(source, iterable, depth) {
                Ty::Unknown => followed(self.at(source, iterable, depth)),
                known => known,
            },
            Binding::With(value) => followed(self.at(source, value, depth)),
            Binding::Assigned { .. } | Binding::Other => Ty::Unknown,
        }
    }

    fn parameter(&self, source: &Source, function: Node<'_>, node: Node<'_>, position: usize, depth: usize) -> Ty {
        if let Some(annotation) = field(node, "type") {
            let spread = named_children(node).first().is_some_and(|first| first.kind().ends_with("splat_pattern"));
            return if spread { Ty::Unknown } else { self.annotated(source, annotation) };
        }
        let class = around(function, &["class_definition", "function_definition"])
            .filter(|outer| outer.kind() == "class_definition");
        if let Some(class) = class.filter(|_| position == 0 && node.kind() == "identifier") {
            return match decorators(source, function).iter().any(|name| name == "classmethod") {
                _ if decorators(source, function).iter().any(|name| name == "staticmethod") => Ty::Unknown,
                true if self.is_derived(source, class) => Ty::Class,
                false if self.is_derived(source, class) => Ty::Instance,
                _ => Ty::Checked,
            };
        }
        match field(node, "value") {
            Some(value) if value.kind() != "none" => followed(self.at(source, value, depth)),
            _ => Ty::Unknown,
        }
    }

    /// What iterating over, or indexing, an expression yields, from the annotation it has.
    fn element(&self, source: &Source, iterable: Node<'_>, depth: usize) -> Ty {
        if iterable.kind() == "list" {
            return combined(named_children(iterable).into_iter().map(|item| self.at(source, item, depth + 1)));
        }
        if iterable.kind() != "identifier" {
            return Ty::Unknown;
        }
        let Some((_, bindings)) = resolve(source, iterable, source.text(iterable)) else { return Ty::Unknown };
        let annotation = match bindings.as_slice() {
            [Binding::Parameter { node, .. }] => field(*node, "type"),
            [Binding::Assigned { annotation, .. }] => *annotation,
            _ => None,
        };
        let Some(annotation) = annotation else { return Ty::Unknown };
        let containers = [
            "List",
            "list",
            "Sequence",
            "Iterable",
            "Iterator",
            "Set",
            "set",
            "FrozenSet",
            "frozenset",
            "Collection",
            "Tuple",
            "tuple",
            "ItemPaged",
            "AsyncItemPaged",
            "AsyncIterable",
            "AsyncIterator",
            "Generator",
            "AsyncGenerator",
            "MutableSequence",
            "Deque",
            "deque",
        ];
        match Annotation::parse(source.text(annotation)) {
            Annotation::Generic(head, arguments)
                if containers.contains(&head.rsplit('.').next().unwrap_or_default()) =>
            {
                arguments.first().map_or(Ty::Unknown, |first| self.annotation(source, annotation, first))
            }
            _ => Ty::Unknown,
        }
    }

    /// What a value with this annotation is.
    pub(super) fn annotated(&self, source: &Source, annotation: Node<'_>) -> Ty {
        self.annotation(source, annotation, &Annotation::parse(source.text(annotation)))
    }

    fn annotation(&self, source: &Source, at: Node<'_>, annotation: &Annotation) -> Ty {
        match annotation {
            Annotation::Name(name) => match name.as_str() {
                "None" => Ty::Nothing,
                "Any" | "typing.Any" | "object" => Ty::Unknown,
                "Self" | "typing.Self" => Ty::Checked,
                _ => match self.class_named(source, at, name) {
                    Ty::Class => Ty::Instance,
                    _ => Ty::Other,
                },
            },
            Annotation::Generic(head, arguments) => {
                let of =
                    |at_: usize| arguments.get(at_).map_or(Ty::Unknown, |inner| self.annotation(source, at, inner));
                match head.rsplit('.').next().unwrap_or_default() {
                    "Optional" | "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" => of(0),
                    "Union" => combined(arguments.iter().map(|inner| self.annotation(source, at, inner))),
                    "Type" | "type" if of(0) == Ty::Instance => Ty::Class,
                    "Awaitable" => of(0),
                    "Coroutine" => of(2),
                    _ => Ty::Other,
                }
            }
            Annotation::Union(parts) => combined(parts.iter().map(|part| self.annotation(source, at, part))),
            Annotation::Other => Ty::Unknown,
        }
    }

    /// What a dotted name of an annotation refers to.
    fn class_named(&self, source: &Source, at: Node<'_>, name: &str) -> Ty {
        let (head, last) = match name.rsplit_once('.') {
            None => return self.name(source, at, name, 0),
            Some((path, last)) => (path.split('.').next().unwrap_or(path), last),
        };
        let module = self.name(source, at, head, 0);
        if module == Ty::Checked && self.is_class(last) { Ty::Class } else { Ty::Other }
    }
}

/// What an attribute, an item or the result of a call of something is.
pub(super) fn followed(ty: Ty) -> Ty {
    match ty {
        Ty::Unknown | Ty::Nothing => Ty::Unknown,
        _ => Ty::Checked,
    }
}

/// One type for several possibilities. `None` is left to the type checker.
pub(super) fn combined(all: impl Iterator<Item = Ty>) -> Ty {
    let mut result: Option<Ty> = None;
    for one in all.filter(|one| *one != Ty::Nothing) {
        result = Some(match result {
            None => one,
            Some(same) if same == one => same,
            Some(Ty::Unknown) => Ty::Unknown,
            Some(_) if one == Ty::Unknown => Ty::Unknown,
            Some(_) => Ty::Checked,
        });
    }
    result.unwrap_or(Ty::Nothing)
}
