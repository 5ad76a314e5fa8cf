//! Methods of hand-written classes that take the place of generated ones.

use bailiwick_sdk::python_classes::statements;
use bailiwick_sdk::syntax::{field, line, named_children, nodes, parse};
use bailiwick_sdk::tasks::{EntityKind, Rename};
use tree_sitter::Node;

use super::super::Override;

/// The methods with which hand-written classes override the operation of a rename: of a class whose base is the generated one
/// that has the operation, with the old name, or that with `begin_` in front.
pub(super) fn overrides(text: &str, rename: &Rename) -> Vec<Override> {
    if rename.kind != EntityKind::Operation || !text.contains(&rename.old) {
        return Vec::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let names = [rename.old.clone(), format!("begin_{}", rename.old)];
    let of_class = |class| {
        names.iter().filter_map(move |name| {
            let methods = source.methods(class, name);
            // Overloads are one method, and the last of them is the one that runs.
            let (first, last) = (*methods.first()?, *methods.last()?);
            Some(Override { line: line(first), name: name.clone(), takes: source.takes(last) })
        })
    };
    source.classes().filter(|class| source.extends_holder(*class, rename)).flat_map(of_class).collect()
}

/// The public methods of hand-written classes under the name of the operation of a rename, which call a generated client that
/// the class keeps: users call them, and not the generated operation.
pub(super) fn wrappers(text: &str, rename: &Rename) -> Vec<Override> {
    if rename.kind != EntityKind::Operation || !text.contains(&rename.old) {
        return Vec::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let names = [rename.old.clone(), format!("begin_{}", rename.old)];
    let of_class = |class: Node<'_>| {
        let found = names.iter().filter_map(|name| {
            let methods = source.methods(class, name);
            let (first, last) = (*methods.first()?, *methods.last()?);
            let calls = last.parent().is_some_and(|method| source.reads_member_of(method, &rename.old));
            calls.then(|| Override { line: line(first), name: name.clone(), takes: source.takes(last) })
        });
        found.collect::<Vec<_>>()
    };
    let wraps = |class: &Node<'_>| !source.extends_holder(*class, rename) && source.makes_client(*class);
    source.classes().filter(wraps).flat_map(of_class).collect()
}

/// What the methods of this name take that generated classes have for an operation of this container, each with the names of
/// its parameters.
pub(super) fn takes(text: &str, container: Option<&str>, name: &str) -> Vec<Vec<String>> {
    if !text.contains(name) {
        return Vec::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let is_meant = |class: &Node<'_>| {
        field(*class, "name").is_some_and(|class| holds(source.of(class).trim_start_matches('_'), container))
    };
    let classes = source.classes().filter(is_meant);
    classes.filter_map(|class| source.methods(class, name).last().map(|one| source.takes(*one))).collect()
}

#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) root: Node<'t>,
}

impl<'t> Source<'t> {
    pub(super) fn of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Whether a base of the class is the generated class of the rename's operation, by the name it was imported under.
    fn extends_holder(&self, class: Node<'_>, rename: &Rename) -> bool {
        self.bases(class).into_iter().any(|generated| holds(generated, rename.container.as_deref()))
    }

    /// The bases of a class that come from generated code, by their names there.
    pub(super) fn bases(&self, class: Node<'_>) -> Vec<&'t str> {
        let bases = field(class, "superclasses").map(named_children).unwrap_or_default();
        bases.into_iter().filter_map(|base| self.generated(base)).collect()
    }

    /// The name in generated code of what an expression is: `Base`, `_models.Widget`.
    pub(super) fn generated(&self, expression: Node<'_>) -> Option<&'t str> {
        match expression.kind() {
            "identifier" => self.imported(self.of(expression)),
            "attribute" => {
                let module = field(expression, "object").filter(|module| self.is_module(*module));
                field(expression, "attribute").filter(|_| module.is_some()).map(|name| self.of(name))
            }
            _ => None,
        }
    }

    /// Whether an expression is a module of generated code: modules are written in small letters, classes are not.
    pub(super) fn is_module(&self, expression: Node<'_>) -> bool {
        expression.kind() == "identifier"
            && self.imported(self.of(expression)).is_some_and(|name| !name.contains(char::is_uppercase))
    }

    /// Whether a class makes, or is handed, a generated client.
    pub(super) fn makes_client(&self, class: Node<'_>) -> bool {
        let is_client = |node: &Node<'_>| {
            node.kind() == "identifier"
                && self.imported(self.of(*node)).is_some_and(|generated| generated.ends_with("Client"))
        };
        nodes(class).iter().any(is_client)
    }

    /// Whether a method reads a member of something other than itself whose name is that of an operation, or holds it.
    pub(super) fn reads_member_of(&self, method: Node<'_>, operation: &str) -> bool {
        nodes(method).into_iter().any(|node| {
            let member = field(node, "attribute").filter(|_| node.kind() == "attribute");
            let object = field(node, "object").map(|object| self.of(object)).unwrap_or_default();
            member.is_some_and(|member| forms(operation).any(|form| self.of(member) == form)) && object != "self"
        })
    }

    /// What a name was imported as from a module that is not hand-written.
    fn imported(&self, name: &str) -> Option<&'t str> {
        let statements = statements(self.root).into_iter().filter(|node| node.kind() == "import_from_statement");
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

    /// The classes of the file.
    pub(super) fn classes(&self) -> impl Iterator<Item = Node<'t>> {
        statements(self.root).into_iter().filter(|node| node.kind() == "class_definition")
    }

    /// The names of the methods of a class that are called so, each where it is written.
    pub(super) fn methods<'n>(&self, class: Node<'n>, called: &str) -> Vec<Node<'n>> {
        let members = field(class, "body").map(statements).unwrap_or_default().into_iter();
        members
            .filter(|node| node.kind() == "function_definition")
            .filter_map(|node| field(node, "name").filter(|name| self.of(*name) == called))
            .collect()
    }

    /// The names of the parameters of the method with this name, the first too: `self`, `body`, `kwargs`.
    pub(super) fn takes(&self, name: Node<'_>) -> Vec<String> {
        let parameters = name.parent().and_then(|method| field(method, "parameters"));
        let parameters = parameters.map(named_children).unwrap_or_default().into_iter();
        parameters.filter_map(|one| self.parameter(one)).collect()
    }

    fn parameter(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            "identifier" => Some(self.of(node).to_owned()),
            "default_parameter" | "typed_default_parameter" => self.parameter(field(node, "name")?),
            "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" => {
                self.parameter(node.named_child(0)?)
            }
            _ => None,
        }
    }
}

/// What an operation's methods are called in generated code.
pub(super) fn forms(operation: &str) -> impl Iterator<Item = String> {
    let begun = [operation.to_owned(), format!("begin_{operation}")].into_iter();
    let all = begun.flat_map(|name| [format!("_{name}"), name]);
    all.chain(std::iter::once(format!("_{operation}_initial")))
}

/// Whether a generated class has the operations of a group, or of the client itself where there is no group.
pub(super) fn holds(generated: &str, group: Option<&str>) -> bool {
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
        overrides(TEXT, &rename).first().map(|one| one.line)
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
        let found = Override { line: 3, name: "ping".into(), takes: vec!["self".into()] };
        assert_eq!(overrides(text, &rename), [found]);
        assert_eq!(overrides("class A(:\n  def ping", &rename), []);
    }

    #[test]
    fn overloads_are_one_method_that_takes_what_the_last_of_them_takes() {
        let text = "\
from ._client import AClient as Generated
class AClient(Generated):
    @overload
    def ping(self, body: A, **kwargs: Any) -> None: ...
    @distributed_trace
    def ping(self, body: Union[A, B], *args, top: int = 3, limit=None, **kwargs: Any) -> None: ...
    def begin_ping(self): ...
";
        let rename = Rename { kind: EntityKind::Operation, container: None, old: "ping".into(), new: "check".into() };
        let of_client = ["self", "body", "args", "top", "limit", "kwargs"].map(str::to_owned).to_vec();
        let called = |line, name: &str, takes: &[String]| Override { line, name: name.into(), takes: takes.to_vec() };
        let begun = called(7, "begin_ping", &["self".to_owned()]);
        assert_eq!(overrides(text, &rename), [called(4, "ping", &of_client), begun]);

        let generated = "\
class _AClientOperationsMixin(Base):
    def ping(self, body: B, *args, top: int = 4, limit=0, **kwargs: Any) -> None:
        pass
class WidgetsOperations:
    def ping(self): ...
";
        assert_eq!(takes(generated, None, "ping"), [of_client]);
        assert_eq!(takes(generated, Some("Widgets"), "ping"), [["self"]]);
        assert_eq!(takes(generated, None, "begin_ping"), Vec::<Vec<String>>::new());
    }

    #[test]
    fn public_method_around_a_client_that_the_class_keeps_is_a_wrapper() {
        let text = "\
from ._client import AClient as _AClient
class AClient:
    def __init__(self, **kwargs):
        self._client = _AClient(**kwargs)
    @overload
    def begin_ping(self, body: A): ...
    def begin_ping(self, body):
        return self._client._ping_initial(body)
    def check(self):
        return self._client.check()
class Other:
    def begin_ping(self):
        return self.client.begin_ping()
";
        let of = |text: &str, old: &str| {
            let rename =
                Rename { kind: EntityKind::Operation, container: Some("G".into()), old: old.into(), new: "x".into() };
            wrappers(text, &rename).into_iter().map(|one| (one.line, one.name)).collect::<Vec<_>>()
        };
        assert_eq!(of(text, "ping"), [(6, "begin_ping".to_owned())]);
        assert_eq!(of(text, "check"), [(9, "check".to_owned())]);
        // One that calls something else wraps nothing.

        assert_eq!(of(&text.replace("_ping_initial", "pong"), "ping"), []);
    }
}
