//! Methods of hand-written classes that take the place of generated ones.

use bailiwick_sdk::syntax::{field, line, named_children, parse};
use bailiwick_sdk::tasks::{EntityKind, Rename};
use tree_sitter::Node;

/// The line, from 1, on which a hand-written class overrides the operation of a rename: a class whose base is the
/// generated one that has the operation, with a method of the old name, or of that with `begin_` in front.
pub(super) fn overrides(text: &str, rename: &Rename) -> Option<u32> {
    if rename.kind != EntityKind::Operation || !text.contains(&rename.old) {
        return None;
    }
    let tree = parse(&tree_sitter_python::LANGUAGE.into(), text)?;
    let source = Source { text, root: tree.root_node() };
    let classes = named_children(source.root).into_iter().map(undecorated);
    classes
        .filter(|node| node.kind() == "class_definition" && source.extends_holder(*node, rename))
        .find_map(|class| source.method(class, &rename.old))
}

struct Source<'t> {
    text: &'t str,
    root: Node<'t>,
}

impl<'t> Source<'t> {
    fn of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Whether a base of the class is the generated class of the rename's operation, by the name it was imported under.
    fn extends_holder(&self, class: Node<'_>, rename: &Rename) -> bool {
        let bases = field(class, "superclasses").map(named_children).unwrap_or_default();
        bases.into_iter().filter(|base| base.kind() == "identifier").any(|base| {
            self.imported(self.of(base)).is_some_and(|generated| holds(generated, rename.container.as_deref()))
        })
    }

    /// What a name was imported as from a module that is not hand-written.
    fn imported(&self, name: &str) -> Option<&'t str> {
        let statements = named_children(self.root).into_iter().filter(|node| node.kind() == "import_from_statement");
        let generated = |node: &Node<'_>| {
            field(*node, "module_name").is_some_and(|module| {
                let module = self.of(module);
                module.starts_with('.') && !module.ends_with("_patch")
            })
        };
        statements.filter(generated).flat_map(named_children).find_map(|node| match node.kind() {
            "aliased_import" => {
                let is_it = field(node, "alias").is_some_and(|alias| self.of(alias) == name);
                field(node, "name").filter(|_| is_it).map(|name| self.of(name))
            }
            "dotted_name" => (self.of(node) == name).then(|| self.of(node)),
            _ => None,
        })
    }

    /// The line of a method of a class.
    fn method(&self, class: Node<'_>, old: &str) -> Option<u32> {
        let body = field(class, "body")?;
        let mut methods = named_children(body).into_iter().map(undecorated);
        methods.find_map(|node| {
            let name = field(node, "name").filter(|_| node.kind() == "function_definition")?;
            let is_it = self.of(name) == old || self.of(name).strip_prefix("begin_") == Some(old);
            is_it.then(|| line(name))
        })
    }
}

/// A definition without what decorates it.
fn undecorated(node: Node<'_>) -> Node<'_> {
    if node.kind() == "decorated_definition" { field(node, "definition").unwrap_or(node) } else { node }
}

/// Whether a generated class has the operations of a group, or of the client itself where there is no group.
fn holds(generated: &str, group: Option<&str>) -> bool {
    match group {
        Some(group) => generated == group || generated.strip_suffix("Operations") == Some(group),
        None => generated.ends_with("Client") || generated.ends_with("ClientOperationsMixin"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
from ..models import Widget
from ._operations import PartsOperations, WidgetsOperations as Generated
from ._patch import Other

class WidgetsOperations(Generated):
    def find(self):
        return self.get_widget(\"a\")

    @distributed_trace
    def get_widget(self, name):
        return super().get_widget(name)

    def begin_analyze(self):
        pass

class Parts(PartsOperations):
    def get_part(self):
        pass

class Own(Other):
    def delete_widget(self):
        pass
";

    fn line_of(container: Option<&str>, old: &str) -> Option<u32> {
        let container = container.map(str::to_owned);
        let rename = Rename { kind: EntityKind::Operation, container, old: old.into(), new: "x".into() };
        overrides(TEXT, &rename)
    }

    #[test]
    fn method_that_takes_the_place_of_a_generated_one_is_found_with_its_line() {
        assert_eq!(line_of(Some("Widgets"), "get_widget"), Some(10));
        assert_eq!(line_of(Some("Widgets"), "analyze"), Some(13));
        assert_eq!(line_of(Some("Parts"), "get_part"), Some(17));
    }

    #[test]
    fn uses_other_groups_and_classes_of_ones_own_override_nothing() {
        for (container, old) in [
            (Some("Widgets"), "get_part"),
            (Some("Parts"), "get_widget"),
            (Some("Widgets"), "delete_widget"),
            (Some("Widgets"), "find_widget"),
            (None, "get_widget"),
        ] {
            assert_eq!(line_of(container, old), None, "{container:?} {old}");
        }
    }

    #[test]
    fn class_of_the_client_itself_is_its_own_group() {
        let text = "from ._client import AClient as Generated\nclass AClient(Generated):\n    def ping(self): ...\n";
        let rename = Rename { kind: EntityKind::Operation, container: None, old: "ping".into(), new: "check".into() };
        assert_eq!(overrides(text, &rename), Some(3));
        assert_eq!(overrides("class A(:\n  def ping", &rename), None);
    }
}
