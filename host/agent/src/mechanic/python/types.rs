//! What a value is, as far as that is certain: an instance of the class in question, something else, or unknown.

use std::cell::RefCell;
use std::collections::HashSet;

use tree_sitter::Node;

use super::annotations::Annotation;
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

    fn is_class(&self, name: &str) -> bool {
        self.class.iter().any(|class| class == name)
    }

    pub(crate) fn is_derived(&self, source: &Source, definition: Node<'_>) -> bool {
        let name = field(definition, "name").map(|name| source.text(name).to_owned()).unwrap_or_default();
        self.derived.borrow().contains(&(source.path.clone(), name))
    }

    pub(crate) fn of(&self, source: &Source, node: Node<'_>) -> Ty {
        self.at(source, node, 0)
    }

    fn at(&self, source: &Source, node: Node<'_>, depth: usize) -> Ty {
        if depth > DEEPEST {
            return Ty::Unknown;
        }
        let of = |node: Node<'_>| self.at(source, node, depth + 1);
        match node.kind() {
            "identifier" => self.name(source, node, source.text(node), depth),
            "none" => Ty::Nothing,
            "attribute" => self.attribute(source, node, depth),
            "call" => self.call(source, node, depth),
            "await" | "parenthesized_expression" => named_children(node).first().map_or(Ty::Unknown, |inner| of(*inner)),
            "named_expression" => field(node, "value").map_or(Ty::Unknown, of),
            "conditional_expression" => {
                let parts = named_children(node);
                let sides = [parts.first(), parts.get(2)];
                combined(sides.into_iter().flatten().map(|side| of(*side)))
            }
            "boolean_operator" => {
                combined(["left", "right"].into_iter().filter_map(|side| field(node, side)).map(of))
            }
            "subscript" => match field(node, "value") {
                Some(value) => match self.element(source, value, depth + 1) {
                    Ty::Unknown => followed(of(value)),
                    known => known,
                },
                None => Ty::Unknown,
            },
            "string" | "concatenated_string" | "integer" | "float" | "true" | "false" | "list" | "dictionary" | "set"
            | "tuple" | "lambda" | "comparison_operator" | "not_operator" | "list_comprehension" | "set_comprehension"
            | "dictionary_comprehension" | "generator_expression" => Ty::Other,
            "binary_operator" => followed(field(node, "left").map_or(Ty::Unknown, of)),
            _ => Ty::Unknown,
        }
    }

    /// What a name refers to where `at` stands.
    pub(crate) fn name(&self, source: &Source, at: Node<'_>, name: &str, depth: usize) -> Ty {
        let Some((_, bindings)) = resolve(source, at, name) else {
            let builtin = ["str", "int", "bool", "float", "bytes", "list", "dict", "set", "tuple", "len", "sorted", "print", "range", "type"];
            return if builtin.contains(&name) { Ty::Other } else { Ty::Unknown };
        };
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
                if self.package.is_own_module(source, source.text(name)) { Ty::Checked } else { Ty::Unknown }
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
        let class = around(function, &["class_definition", "function_definition"]).filter(|outer| outer.kind() == "class_definition");
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

    fn attribute(&self, source: &Source, node: Node<'_>, depth: usize) -> Ty {
        let (Some(object), Some(attribute)) = (field(node, "object"), field(node, "attribute")) else {
            return Ty::Unknown;
        };
        let name = source.text(attribute);
        if let Some(found) = self.own_attribute(source, object, name, depth + 1) {
            return found;
        }
        let object = self.at(source, object, depth + 1);
        // A module of the package, by the class's own name: `_models.Widget`.
        if object == Ty::Checked && self.is_class(name) {
            return Ty::Class;
        }
        followed(object)
    }

    /// What `self.name` is, from the assignments and annotations of the class around.
    fn own_attribute(&self, source: &Source, object: Node<'_>, name: &str, depth: usize) -> Option<Ty> {
        let class = self.class_of_self(source, object)?;
        let body = field(class, "body")?;
        let mut found = Vec::new();
        let mut pending = vec![body];
        while let Some(node) = pending.pop() {
            if node.kind() == "assignment"
                && let Some(left) = field(node, "left")
            {
                let of_self = left.kind() == "attribute"
                    && field(left, "attribute").is_some_and(|attribute| source.text(attribute) == name)
                    && field(left, "object").and_then(|object| self.class_of_self(source, object)) == Some(class);
                let of_class = left.kind() == "identifier" && source.text(left) == name && around(left, &["class_definition", "function_definition"]) == Some(class);
                if of_self || of_class {
                    found.push(match (field(node, "type"), field(node, "right")) {
                        (Some(annotation), _) => self.annotated(source, annotation),
                        (None, Some(value)) => self.at(source, value, depth + 1),
                        (None, None) => Ty::Unknown,
                    });
                }
            }
            if node.kind() == "function_definition"
                && around(node, &["class_definition", "function_definition"]) == Some(class)
                && field(node, "name").is_some_and(|own| source.text(own) == name)
                && decorators(source, node).iter().any(|name| name == "property" || name.ends_with("cached_property"))
            {
                found.push(field(node, "return_type").map_or(Ty::Unknown, |annotation| self.annotated(source, annotation)));
            }
            pending.extend(named_children(node).into_iter().filter(|child| child.kind() != "class_definition"));
        }
        (!found.is_empty()).then(|| combined(found.into_iter()))
    }

    /// The class whose instance an expression is, if the expression is the `self` of a method.
    fn class_of_self<'t>(&self, source: &Source, object: Node<'t>) -> Option<Node<'t>> {
        if object.kind() != "identifier" {
            return None;
        }
        let (_, bindings) = resolve(source, object, source.text(object))?;
        let [Binding::Parameter { function, position: 0, .. }] = bindings.as_slice() else { return None };
        let class = around(*function, &["class_definition", "function_definition"])?;
        let named = decorators(source, *function);
        let is_method = class.kind() == "class_definition" && !named.iter().any(|name| name == "staticmethod" || name == "classmethod");
        is_method.then_some(class)
    }

    fn call(&self, source: &Source, node: Node<'_>, depth: usize) -> Ty {
        let Some(function) = field(node, "function") else { return Ty::Unknown };
        let arguments = field(node, "arguments").map(named_children).unwrap_or_default();
        if function.kind() == "identifier" {
            let name = source.text(function);
            let resolved = resolve(source, function, name);
            match (name, resolved.as_ref()) {
                ("super", None) => {
                    let class = around(node, &["class_definition"]);
                    return match class {
                        Some(class) if self.is_derived(source, class) => Ty::Instance,
                        _ => Ty::Checked,
                    };
                }
                ("cast", Some(_)) => {
                    return arguments.first().map_or(Ty::Unknown, |annotation| self.annotated(source, *annotation));
                }
                (_, Some((_, bindings))) if let [Binding::Function(definition)] = bindings.as_slice() => {
                    return field(*definition, "return_type")
                        .map_or(Ty::Unknown, |annotation| self.annotated(source, annotation));
                }
                _ => {}
            }
        }
        if let Some(method) = self.own_method(source, function) {
            return field(method, "return_type").map_or(Ty::Unknown, |annotation| self.annotated(source, annotation));
        }
        match self.at(source, function, depth + 1) {
            Ty::Class => Ty::Instance,
            // Calling another class makes one of its instances.
            Ty::Other if function.kind() == "identifier" && self.is_class_name(source, function) => Ty::Other,
            // What a method of a typed value returns is typed; the method is an attribute and was followed already.
            other => followed(other),
        }
    }

    fn is_class_name(&self, source: &Source, node: Node<'_>) -> bool {
        resolve(source, node, source.text(node)).is_some_and(|(_, found)| {
            found.iter().all(|binding| matches!(binding, Binding::ImportFrom { .. } | Binding::Class))
        })
    }

    /// The method of the class around that `self.name` refers to.
    fn own_method<'t>(&self, source: &Source, function: Node<'t>) -> Option<Node<'t>> {
        let (object, attribute) = (field(function, "object")?, field(function, "attribute")?);
        let class = self.class_of_self(source, object)?;
        methods(class).into_iter().find(|method| {
            field(*method, "name").is_some_and(|name| source.text(name) == source.text(attribute))
        })
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
            "List", "list", "Sequence", "Iterable", "Iterator", "Set", "set", "FrozenSet", "frozenset", "Collection", "Tuple",
            "tuple", "ItemPaged", "AsyncItemPaged", "AsyncIterable", "AsyncIterator", "Generator", "AsyncGenerator",
            "MutableSequence", "Deque", "deque",
        ];
        match Annotation::parse(source.text(annotation)) {
            Annotation::Generic(head, arguments) if containers.contains(&head.rsplit('.').next().unwrap_or_default()) => {
                arguments.first().map_or(Ty::Unknown, |first| self.annotation(source, annotation, first))
            }
            _ => Ty::Unknown,
        }
    }

    /// What a value with this annotation is.
    fn annotated(&self, source: &Source, annotation: Node<'_>) -> Ty {
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
                let of = |at_: usize| arguments.get(at_).map_or(Ty::Unknown, |inner| self.annotation(source, at, inner));
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
fn followed(ty: Ty) -> Ty {
    match ty {
        Ty::Unknown | Ty::Nothing => Ty::Unknown,
        _ => Ty::Checked,
    }
}

/// One type for several possibilities. `None` is left to the type checker.
fn combined(all: impl Iterator<Item = Ty>) -> Ty {
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
            "decorated_definition" => field(statement, "definition").filter(|inner| inner.kind() == "function_definition"),
            _ => None,
        })
        .collect()
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
