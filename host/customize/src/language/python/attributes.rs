//! Ways beside a plain method in which hand-written Python shows users an operation or a type: attributes of classes, names of
//! modules, looking a name up.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::python_classes::statements;
use bailiwick_sdk::syntax::{around, field, line, named_children, nodes};
use tree_sitter::Node;

use super::super::shown::Shown;
use super::overrides::{Source, forms};

/// An operation, as a file is searched for it.
pub(super) struct Operation<'t> {
    pub(super) source: Source<'t>,
    /// The generated classes that have it.
    pub(super) holders: Vec<String>,
    /// What users call it, without `begin_`.
    pub(super) called: String,
    /// What generated code calls it, now and before.
    pub(super) generated: Vec<String>,
}

impl<'t> Operation<'t> {
    /// All that shows it, classes first.
    pub(super) fn shown(&self) -> Vec<Shown> {
        let mut found: Vec<Shown> = self.source.classes().flat_map(|class| self.of_class(class)).collect();
        let further = self.put_into_classes().into_iter().chain(self.functions());
        for one in further {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }

    /// Whether a function reads the operation of generated code.
    fn reads(&self, function: Node<'_>) -> bool {
        self.generated.iter().any(|name| self.source.reads_member_of(function, name))
    }

    fn is_form(&self, name: &str) -> bool {
        name.strip_prefix("begin_").unwrap_or(name) == self.called || name == self.called
    }

    fn is_holder(&self, name: &str) -> bool {
        self.holders.iter().any(|holder| holder == name)
    }

    /// Whether a class has the operation from generated code, or is called as the one that has.
    fn has_it(&self, class: Node<'t>) -> bool {
        self.source.bases(class).into_iter().any(|base| self.is_holder(base)) || self.is_holder(self.name_of(class))
    }

    fn name_of(&self, node: Node<'_>) -> &'t str {
        field(node, "name").map(|name| self.source.of(name)).unwrap_or_default()
    }

    fn of_class(&self, class: Node<'t>) -> Vec<Shown> {
        let name = self.name_of(class);
        if name.starts_with('_') && !name.ends_with("OperationsMixin") {
            return Vec::new();
        }
        let extends = self.has_it(class);
        let shown = |at: Node<'_>, member: &str| Shown::alone(line(at), format!("{name}.{member}"));
        let mut found = Vec::new();
        for form in [self.called.clone(), format!("begin_{}", self.called)] {
            // Overloads are one method.
            let methods = self.source.methods(class, &form);
            let (Some(first), Some(last)) = (methods.first(), methods.last()) else { continue };
            let wraps = || self.source.makes_client(class) && last.parent().is_some_and(|method| self.reads(method));
            if extends || wraps() {
                found.push(shown(*first, &form));
            }
        }
        if !extends {
            return found;
        }
        for (target, value) in assigned(field(class, "body")) {
            let member = self.source.of(target);
            let is_it = self.is_form(member) || (!member.starts_with('_') && self.is_generated_method(value));
            if is_it && !found.iter().any(|one| one.name == format!("{name}.{member}")) {
                found.push(shown(target, member));
            }
        }
        found.extend(self.looked_up(class).map(|(at, member)| shown(at, member)));
        found
    }

    /// Whether a value is the operation's method of a generated class, maybe decorated. What only calls it is a method of its
    /// own.
    fn is_generated_method(&self, value: Node<'t>) -> bool {
        let names = |node: Node<'t>| {
            let is_it = field(node, "attribute")
                .is_some_and(|member| forms(&self.called).any(|form| self.source.of(member) == form));
            let object = field(node, "object").filter(|_| is_it && node.kind() == "attribute");
            object.and_then(|object| self.source.generated(object)).is_some_and(|class| self.is_holder(class))
        };
        value.kind() != "lambda" && nodes(value).into_iter().any(names)
    }

    /// `if name == "delete_widget": return …` in `__getattr__`.
    fn looked_up(&self, class: Node<'t>) -> Option<(Node<'t>, &'t str)> {
        let lookups = ["__getattr__", "__getattribute__"];
        let methods = lookups.iter().flat_map(|name| self.source.methods(class, name));
        let inside = methods.filter_map(|name| name.parent()).flat_map(nodes);
        let strings = inside.filter(|node| node.kind() == "string");
        strings.filter_map(|node| Some((node, self.source.content(node)?))).find(|(node, content)| {
            let compared = node.parent().filter(|one| one.kind() == "comparison_operator");
            let condition = compared.and_then(|one| one.parent()).filter(|one| one.kind() == "if_statement");
            let equal = compared.is_some_and(|one| self.source.of(one).contains("=="));
            let taken = condition.and_then(|one| field(one, "consequence"));
            let returns = taken.is_some_and(|one| nodes(one).iter().any(|one| one.kind() == "return_statement"));
            self.is_form(content) && equal && returns
        })
    }

    /// `WidgetsOperations.delete_widget = …` and `setattr(WidgetsOperations, "delete_widget", …)`, wherever they stand.
    fn put_into_classes(&self) -> Vec<Shown> {
        let mut found = Vec::new();
        for node in nodes(self.source.root) {
            let (object, member) = match node.kind() {
                "assignment" if !is_nothing(field(node, "right")) => {
                    let Some(target) = field(node, "left").filter(|one| one.kind() == "attribute") else { continue };
                    (field(target, "object"), field(target, "attribute").map(|one| self.source.of(one)))
                }
                "call" if field(node, "function").is_some_and(|one| self.source.of(one) == "setattr") => {
                    let arguments = field(node, "arguments").map(named_children).unwrap_or_default();
                    let mut arguments = arguments.into_iter();
                    (arguments.next(), arguments.next().and_then(|one| self.source.content(one)))
                }
                _ => continue,
            };
            let Some((object, member)) = object.zip(member).filter(|(_, member)| self.is_form(member)) else {
                continue;
            };
            let own = self.source.classes().find(|one| self.name_of(*one) == self.source.of(object));
            let own = own.filter(|class| self.has_it(*class)).map(|class| self.name_of(class));
            let class = own.or_else(|| self.source.generated(object).filter(|class| self.is_holder(class)));
            found.extend(class.map(|class| Shown::alone(line(node), format!("{class}.{member}"))));
        }
        found
    }

    /// Functions of this name that the file exports and that call the operation.
    fn functions(&self) -> Vec<Shown> {
        let defined = statements(self.source.root).into_iter().filter(|one| one.kind() == "function_definition");
        let is_it = |one: &Node<'t>| {
            let name = self.name_of(*one);
            self.is_form(name) && self.source.exports(name) && self.reads(*one)
        };
        defined.filter(is_it).map(|one| Shown::alone(line(one), self.name_of(one).to_owned())).collect()
    }
}

/// What the statements of a body assign to plain names, with the value of each. `None` takes a name from users.
pub(super) fn assigned(body: Option<Node<'_>>) -> Vec<(Node<'_>, Node<'_>)> {
    let statements = body.map(statements).unwrap_or_default().into_iter();
    let mut found = Vec::new();
    for statement in statements.filter(|one| one.kind() == "expression_statement") {
        let mut targets = Vec::new();
        let mut here = statement.named_child(0);
        while let Some(assignment) = here.filter(|one| one.kind() == "assignment") {
            targets.extend(field(assignment, "left").filter(|one| one.kind() == "identifier"));
            here = field(assignment, "right");
        }
        let value = here.filter(|one| one.kind() != "none");
        found.extend(value.into_iter().flat_map(|value| targets.iter().map(move |target| (*target, value))));
    }
    found
}

fn is_nothing(value: Option<Node<'_>>) -> bool {
    value.is_none_or(|value| value.kind() == "none")
}

/// Where a module gives something this name without defining a class or a function: `Part = _models.Piece`,
/// `from ._models import Piece as Part`.
pub(super) fn module_names<'t>(source: &Source<'t>, name: &str) -> Vec<Node<'t>> {
    let targets = assigned(Some(source.root)).into_iter().map(|(target, _)| target);
    let mut found: Vec<Node<'t>> = targets.filter(|target| source.of(*target) == name).collect();
    for statement in statements(source.root) {
        match statement.kind() {
            "import_from_statement" => {
                let is_it = |node: &Node<'t>| {
                    let is = |part: &str| field(*node, part).is_some_and(|one| source.of(one) == name);
                    node.kind() == "aliased_import" && is("alias") && !is("name")
                };
                found.extend(named_children(statement).into_iter().filter(is_it));
            }
            "type_alias_statement" => {
                found.extend(field(statement, "left").filter(|left| source.of(*left) == name));
            }
            _ => {}
        }
    }
    found
}

impl<'t> Source<'t> {
    /// Whether the file lists a name in its `__all__`.
    pub(super) fn exports(&self, name: &str) -> bool {
        nodes(self.root).into_iter().filter(|node| node.kind() == "string").any(|node| {
            let list = || {
                let assignment = around(node, &["assignment", "augmented_assignment"]);
                let called = around(node, &["call"]).and_then(|call| field(call, "function"));
                let target = assignment.and_then(|one| field(one, "left"));
                let added = called.filter(|one| one.kind() == "attribute").and_then(|one| field(one, "object"));
                [target, added].into_iter().flatten().any(|one| self.of(one) == "__all__")
            };
            self.content(node) == Some(name) && list()
        })
    }

    /// What stands between the quotes of a plain string.
    pub(super) fn content(&self, node: Node<'_>) -> Option<&'t str> {
        let text = self.of(node);
        let quoted = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        quoted('"').or_else(|| quoted('\'')).filter(|_| node.kind() == "string")
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::shown::{Place, Sought};
    use super::super::shown::shown;

    const HEAD: &str = "from ._operations import WidgetsOperations as _Gen\nfrom .. import models as _models\n";

    fn operation(text: &str) -> Vec<String> {
        let sought = Sought::Operation {
            holder: "Widgets".into(),
            place: Place::Group { above: String::new() },
            name: "deleteWidget".into(),
            called: vec!["deleteWidget".into()],
        };
        found(text, &sought)
    }

    fn found(text: &str, sought: &Sought) -> Vec<String> {
        shown(&format!("{HEAD}{text}"), sought).into_iter().map(|one| format!("{}:{}", one.line, one.name)).collect()
    }

    fn in_class(body: &str) -> Vec<String> {
        operation(&format!("class WidgetsOperations(_Gen):\n    {body}\n"))
    }

    const PLACE: [&str; 1] = ["4:WidgetsOperations.delete_widget"];

    #[test]
    fn attribute_of_a_class_under_the_name_of_an_operation_is_shown() {
        for body in [
            "delete_widget = _Gen.delete_widget",
            "delete_widget = _Gen._delete_widget",
            "delete_widget: Any = _Gen.delete_widget",
            "delete_widget = lambda self, name: self._x(name)",
            "delete_widget = other = _Gen._delete_widget",
            "delete_widget = property(lambda self: self._delete_widget)",
        ] {
            assert_eq!(in_class(body).first().map(String::as_str), Some(PLACE[0]), "{body}");
        }
        assert_eq!(in_class("remove_it = _Gen._delete_widget"), ["4:WidgetsOperations.remove_it"]);
        assert_eq!(in_class("remove_it = distributed_trace(_Gen.delete_widget)"), ["4:WidgetsOperations.remove_it"]);
    }

    #[test]
    fn what_takes_the_name_away_declares_it_alone_or_has_another_is_not_shown() {
        for body in [
            "delete_widget = None",
            "delete_widget: Any",
            "_delete = _Gen._delete_widget",
            "remove_it = lambda self: self._delete_widget()",
            "remove_it = _Gen.find_widget",
            "remove_it = Other.delete_widget",
        ] {
            assert_eq!(in_class(body), Vec::<String>::new(), "{body}");
        }
        assert_eq!(operation("class _Own(_Gen):\n    delete_widget = _Gen._delete_widget\n"), Vec::<String>::new());
        assert_eq!(operation("class Own:\n    delete_widget = 1\n"), Vec::<String>::new());
    }

    #[test]
    fn method_below_a_condition_is_shown() {
        let body = "if sys.version_info >= (3, 10):\n        @distributed_trace\n        def delete_widget(self): ...";
        assert_eq!(in_class(body), ["6:WidgetsOperations.delete_widget"]);
        let body = "try:\n        delete_widget = _Gen._delete_widget\n    except AttributeError:\n        pass";
        assert_eq!(in_class(body), ["5:WidgetsOperations.delete_widget"]);
        let class = "if A:\n    class WidgetsOperations(_Gen):\n        def delete_widget(self): ...\n";
        assert_eq!(operation(class), ["5:WidgetsOperations.delete_widget"]);
        let base = "from . import _operations\nclass WidgetsOperations(_operations.WidgetsOperations):\n    \
                    delete_widget = _operations.WidgetsOperations._delete_widget\n";
        assert_eq!(operation(base), ["5:WidgetsOperations.delete_widget"]);
    }

    #[test]
    fn attribute_that_is_put_into_a_class_or_looked_up_is_shown() {
        for text in [
            "\n_Gen.delete_widget = helper\n",
            "def patch_sdk():\n    _Gen.delete_widget = helper\n",
            "def patch_sdk():\n    setattr(_Gen, \"delete_widget\", helper)\n",
        ] {
            assert_eq!(operation(text), PLACE, "{text}");
        }
        assert_eq!(operation("_Gen.delete_widget = None\nother.delete_widget = 1\n"), Vec::<String>::new());
        let lookup = |does: &str| {
            in_class(&format!("def __getattr__(self, name):\n        if name == 'delete_widget':\n            {does}"))
        };
        assert_eq!(lookup("return super()._delete_widget"), ["5:WidgetsOperations.delete_widget"]);
        assert_eq!(lookup("raise AttributeError(name)"), Vec::<String>::new());
    }

    #[test]
    fn function_that_calls_an_operation_is_shown_where_the_module_exports_it() {
        let text = "def delete_widget(ops, name):\n    return ops._delete_widget(name)\n";
        assert_eq!(operation(text), Vec::<String>::new());
        assert_eq!(operation(&format!("{text}__all__ = [\"delete_widget\"]\n")), ["3:delete_widget"]);
    }

    #[test]
    fn name_of_a_module_for_a_type_is_shown_where_the_module_exports_it() {
        let part = |text: &str| found(text, &Sought::Type { name: "Part".into() });
        let all = "__all__: List[str] = [\"Part\"]\n";
        for text in [
            "Part = _models.Piece\n",
            "Part: TypeAlias = _models.Piece\n",
            "from ._models import Piece as Part\n",
            "type Part = _models.Piece\n",
        ] {
            assert_eq!(part(&format!("{text}{all}")), ["3:Part"], "{text}");
            assert_eq!(part(&format!("{text}__all__ = []\n__all__.append('Part')\n")), ["3:Part"], "{text}");
            assert_eq!(part(text), Vec::<String>::new(), "{text}");
        }
        for text in ["from ._models import Part\n", "from ._models import Part as Part\n", "Part = None\n"] {
            assert_eq!(part(&format!("{text}{all}")), Vec::<String>::new(), "{text}");
        }
    }
}
