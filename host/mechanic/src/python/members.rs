//! What attributes and calls yield: members of the class around, methods, constructors.

use tree_sitter::Node;

use super::definitions::{decorators, methods};
use super::scopes::{Binding, resolve};
use super::source::{Source, around, field, named_children};
use super::types::{Ty, Types, combined, followed};

impl Types<'_> {
    pub(super) fn attribute(&self, source: &Source, node: Node<'_>, depth: usize) -> Ty {
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
                let of_class = left.kind() == "identifier"
                    && source.text(left) == name
                    && around(left, &["class_definition", "function_definition"]) == Some(class);
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
                found.push(
                    field(node, "return_type").map_or(Ty::Unknown, |annotation| self.annotated(source, annotation)),
                );
            }
            pending.extend(named_children(node).into_iter().filter(|child| child.kind() != "class_definition"));
        }
        (!found.is_empty()).then(|| combined(found.into_iter()))
    }

    /// The class whose instance an expression is, if the expression is the `self` of a method.
    pub(super) fn class_of_self<'t>(&self, source: &Source, object: Node<'t>) -> Option<Node<'t>> {
        if object.kind() != "identifier" {
            return None;
        }
        let (_, bindings) = resolve(source, object, source.text(object))?;
        let [Binding::Parameter { function, position: 0, .. }] = bindings.as_slice() else { return None };
        let class = around(*function, &["class_definition", "function_definition"])?;
        let named = decorators(source, *function);
        let is_method = class.kind() == "class_definition"
            && !named.iter().any(|name| name == "staticmethod" || name == "classmethod");
        is_method.then_some(class)
    }

    pub(super) fn call(&self, source: &Source, node: Node<'_>, depth: usize) -> Ty {
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
        methods(class)
            .into_iter()
            .find(|method| field(*method, "name").is_some_and(|name| source.text(name) == source.text(attribute)))
    }
}
