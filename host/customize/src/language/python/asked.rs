//! Members that are asked for by their name as text: `getattr(widget, "display_name")`, also where the text reaches the call
//! through a variable, a loop or a parameter of the same file.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use bailiwick_sdk::python_enums;
use bailiwick_sdk::syntax::{around, field, line, named_children, nodes, parse};
use tree_sitter::Node;

use super::generated::own_member;
use super::overrides::Source;

/// What takes the name of a member as its second argument.
const ASKS: [&str; 4] = ["getattr", "setattr", "hasattr", "delattr"];
/// What takes names of members, dots included.
const GETTER: &str = "attrgetter";
/// What a text may stand in on its way to a name.
const AROUND: [&str; 10] = [
    "list",
    "tuple",
    "set",
    "dictionary",
    "pair",
    "expression_list",
    "parenthesized_expression",
    "conditional_expression",
    "boolean_operator",
    "binary_operator",
];
/// Functions of which each value comes out again.
const PASSES_ON: [&str; 8] = ["enumerate", "frozenset", "list", "reversed", "set", "sorted", "tuple", "zip"];
/// Each text is followed through the whole of a file that has no more bytes.
const LONGEST: usize = 256 * 1024;
/// Bases that bring a class no members of generated code.
const PLAIN_BASES: [&str; 3] = ["ABC", "Protocol", "object"];
/// What gives the values of a dictionary one by one.
const VIEWS: [&str; 3] = ["items", "keys", "values"];

/// The lines on which the name of a member stands as a text that is asked for, sorted. `plain` are constants that hold members of
/// enums: who asks what is one of them for its `value` asks for no member of generated code.
pub(super) fn lines(text: &str, name: &str, plain: &BTreeSet<&str>) -> BTreeSet<u32> {
    if text.len() > LONGEST {
        return on_one_line(text, name);
    }
    let is_asked = ASKS.iter().chain([&GETTER]).any(|ask| text.contains(ask));
    if !is_asked || !text.contains(name) {
        return BTreeSet::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return BTreeSet::new() };
    let source = Source { text, root: tree.root_node() };
    let asked = Asked { source, all: nodes(source.root), name, plain };
    let says = |node: &&Node<'_>| {
        let content = source.content(**node).unwrap_or_default();
        content == name || content.split('.').any(|part| part == name) && asked.is_of_getter(**node)
    };
    let strings = asked.all.iter().filter(|node| node.kind() == "string").filter(says);
    strings.filter(|node| asked.reaches(**node)).map(|node| line(*node)).collect()
}

/// The lines on which a table names a method beside the class that has it, in a file that asks for members by name:
/// `("PartsOperations", "list_parts")`. Where the class is known, it is that class or the client or the group of its name.
pub(super) fn tables(text: &str, name: &str, container: Option<&str>) -> BTreeSet<u32> {
    if !ASKS.iter().any(|ask| text.contains(&format!("{ask}("))) {
        return BTreeSet::new();
    }
    let group = container.map(|class| plain(class).unwrap_or(class));
    let is_class = |part: &str| {
        let class = part.rsplit('.').next().unwrap_or(part).trim_start_matches('_');
        let is_known = group.is_none_or(|group| plain(class) == Some(group));
        container == Some(class) || plain(class).is_some() && is_known
    };
    let names_class = |row: &str| row.split(['"', '\'']).any(is_class);
    let quoted = ['"', '\''].map(|mark| format!("{mark}{name}{mark}"));
    let places = quoted.iter().flat_map(|quoted| text.match_indices(quoted.as_str()));
    let in_table = places.filter_map(|(at, _)| {
        let (front, rest) = text.split_at_checked(at)?;
        let (_, row) = front.rsplit_once('(')?;
        let comment = front.rsplit('\n').next()?.contains('#');
        let row = format!("{row}{}", rest.split(')').next()?);
        (!comment && names_class(&row)).then(|| front.matches('\n').count())
    });
    in_table.filter_map(|before| u32::try_from(before).ok()?.checked_add(1)).collect()
}

/// Whether a class is meant that may stand here.
fn is_own(receiver: &str) -> bool {
    ["self", "cls"].contains(&receiver) || receiver.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// The lines on which the name of a member stands as a text, each with the constant of the file, or of a class in it, that
/// holds it: another file may ask for it.
pub(super) fn constants(text: &str, name: &str) -> Vec<(u32, String)> {
    if text.len() > LONGEST || !text.contains(name) {
        return Vec::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let asked = Asked { source, all: nodes(source.root), name, plain: &BTreeSet::new() };
    let strings = asked.all.iter().filter(|node| node.kind() == "string" && source.content(**node) == Some(name));
    let held = strings.flat_map(|node| {
        let here = asked.carried(*node);
        let outer = here.parent().filter(|outer| outer.kind() == "assignment" && field(*outer, "right") == Some(here));
        let outer = outer.filter(|outer| around(*outer, &["function_definition", "lambda"]).is_none());
        let names = outer.map(|outer| asked.assigned(outer)).unwrap_or_default();
        names.into_iter().map(|constant| (line(*node), constant.to_owned())).collect::<Vec<_>>()
    });
    held.collect()
}

/// Whether a file asks for the members that a constant of another file names.
pub(super) fn asks_for(text: &str, constant: &str) -> bool {
    if text.len() > LONGEST || !text.contains(constant) || !ASKS.iter().chain([&GETTER]).any(|ask| text.contains(ask)) {
        return false;
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return false };
    let source = Source { text, root: tree.root_node() };
    let asked = Asked { source, all: nodes(source.root), name: "", plain: &BTreeSet::new() };
    let named = asked.all.iter().find(|node| node.kind() == "identifier" && source.of(**node) == constant);
    named.is_some_and(|node| asked.is_from_elsewhere(constant) && asked.is_asked(source.of(*node)))
}

/// The name of a group or a client in that of its class; `None` for another class.
fn plain(class: &str) -> Option<&str> {
    let ends = ["OperationsMixin", "Operations", "Client"];
    let without = |name, end: &&str| str::strip_suffix(name, *end).filter(|rest| !rest.is_empty()).unwrap_or(name);
    let name = ends.iter().fold(class, without);
    (name != class).then_some(name)
}

/// Where a long file asks for a member on the line that names it.
fn on_one_line(text: &str, name: &str) -> BTreeSet<u32> {
    let quoted = ['"', '\''].map(|mark| format!("{mark}{name}{mark}"));
    let asks = |line: &str| ASKS.iter().chain([&GETTER]).any(|ask| line.contains(ask));
    let found = text.lines().zip(1..).filter(|(line, _)| asks(line) && quoted.iter().any(|one| line.contains(one)));
    found.map(|(_, number)| number).collect()
}

struct Asked<'t> {
    source: Source<'t>,
    all: Vec<Node<'t>>,
    /// The member that is looked for; empty where any may be meant.
    name: &'t str,
    /// Constants that hold members of enums.
    plain: &'t BTreeSet<&'t str>,
}

impl<'t> Asked<'t> {
    /// Whether a text ends up as the name of a member that is asked for.
    fn reaches(&self, text: Node<'t>) -> bool {
        let here = self.carried(text);
        let Some(outer) = here.parent() else { return false };
        match outer.kind() {
            "argument_list" => {
                self.is_asked_of(here) || self.parameters_for(here).iter().any(|name| self.is_asked(name))
            }
            "keyword_argument" => self.parameters_for(outer).iter().any(|name| self.is_asked(name)),
            "assignment" | "for_statement" | "for_in_clause" => {
                field(outer, "right") == Some(here) && self.assigned(outer).iter().any(|name| self.is_asked(name))
            }
            "default_parameter" | "typed_default_parameter" => {
                field(outer, "name").is_some_and(|name| self.is_asked(self.source.of(name)))
            }
            _ => false,
        }
    }

    /// The outermost expression that still holds a value: a list of it, the keys of a dictionary.
    fn carried(&self, value: Node<'t>) -> Node<'t> {
        let mut here = value;
        while let Some(outer) = here.parent() {
            let is_method = || {
                let named = field(outer, "attribute").map(|name| self.source.of(name));
                outer.kind() == "attribute" && named.is_some_and(|name| VIEWS.contains(&name))
            };
            let is_called = || outer.kind() == "call" && here.kind() == "attribute" && here != value;
            let is_passed =
                || outer.kind() == "argument_list" && self.called(outer).is_some_and(|one| PASSES_ON.contains(&one));
            let is_result = || outer.kind() == "call" && here.kind() == "argument_list";
            if !(AROUND.contains(&outer.kind()) || is_method() || is_called() || is_passed() || is_result()) {
                break;
            }
            here = outer;
        }
        here
    }

    /// Whether a node is the name in a call that asks for a member.
    fn is_asked_of(&self, node: Node<'t>) -> bool {
        let Some(arguments) = node.parent().filter(|parent| parent.kind() == "argument_list") else { return false };
        let by_name = self.called(arguments).is_some_and(|called| ASKS.contains(&called));
        let children = named_children(arguments);
        let is_name = by_name && children.get(1) == Some(&node);
        is_name && !children.first().is_some_and(|object| self.has_it_itself(*object) || self.is_of_enum(*object))
            || self.is_of_getter(node)
    }

    /// Whether an object is `self` of a class without bases that gives itself what is looked for.
    fn has_it_itself(&self, object: Node<'t>) -> bool {
        let is_self = ["self", "cls"].contains(&self.source.of(object));
        let Some(class) = around(object, &["class_definition"]).filter(|_| is_self) else { return false };
        let bases = field(class, "superclasses").map(named_children).unwrap_or_default();
        let is_plain = |base: &Node<'_>| PLAIN_BASES.contains(&self.source.of(*base));
        bases.iter().all(is_plain) && nodes(class).into_iter().any(|node| self.gives(class, node))
    }

    fn is_of_enum(&self, object: Node<'t>) -> bool {
        python_enums::gives(self.name) && python_enums::is_member(self.source.text, &self.all, object, self.plain)
    }

    /// Whether a node in a class gives the class what is looked for: `self.x = …`, `x: str`, `def x`, a name in `__slots__`.
    fn gives(&self, class: Node<'t>, node: Node<'t>) -> bool {
        let given = match node.kind() {
            "function_definition" => field(node, "name"),
            "assignment" => field(node, "left"),
            "string" if self.is_slot(node) => return self.source.content(node) == Some(self.name),
            _ => None,
        };
        given.is_some_and(|given| match given.kind() {
            "attribute" => own_member(&self.source, given) == Some(self.name),
            _ => {
                let outer = around(node, &["class_definition", "function_definition"]);
                self.source.of(given) == self.name && outer == Some(class)
            }
        })
    }

    /// Whether a text names a member in `__slots__`.
    fn is_slot(&self, text: Node<'t>) -> bool {
        let assigned = self.carried(text).parent().filter(|outer| outer.kind() == "assignment");
        assigned.and_then(|outer| field(outer, "left")).is_some_and(|left| self.source.of(left) == "__slots__")
    }

    fn is_of_getter(&self, node: Node<'t>) -> bool {
        node.parent()
            .filter(|parent| parent.kind() == "argument_list")
            .and_then(|arguments| self.called(arguments))
            .is_some_and(|called| called.rsplit('.').next() == Some(GETTER))
    }

    /// What is called with these arguments.
    fn called(&self, arguments: Node<'t>) -> Option<&'t str> {
        let call = arguments.parent().filter(|parent| parent.kind() == "call")?;
        field(call, "function").map(|function| self.source.of(function))
    }

    /// Whether what a name stands for is asked for, by the name itself or by one that it is handed to.
    fn is_asked(&self, name: &'t str) -> bool {
        let (mut known, mut waiting) = (BTreeSet::from([name]), vec![name]);
        while let Some(name) = waiting.pop() {
            for node in self.all.iter().filter(|node| node.kind() == "identifier" && self.source.of(**node) == name) {
                let node = self.of_class(*node);
                if self.is_asked_of(node) {
                    return true;
                }
                for next in self.handed_to(node) {
                    if known.insert(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        false
    }

    /// `self.FIELDS` and `Widget.FIELDS` for the name in it, and any other name itself.
    fn of_class(&self, name: Node<'t>) -> Node<'t> {
        let member =
            name.parent().filter(|outer| outer.kind() == "attribute" && field(*outer, "attribute") == Some(name));
        let is_own = |outer: &Node<'t>| field(*outer, "object").is_some_and(|object| is_own(self.source.of(object)));
        member.filter(is_own).unwrap_or(name)
    }

    /// Whether a name comes from another file: it is imported, or a class has it.
    fn is_from_elsewhere(&self, name: &str) -> bool {
        self.all
            .iter()
            .filter(|node| node.kind() == "identifier" && self.source.of(**node) == name)
            .any(|node| self.of_class(*node) != *node || around(*node, &["import_from_statement"]).is_some())
    }

    /// The names that take over what a name stands for.
    fn handed_to(&self, node: Node<'t>) -> Vec<&'t str> {
        let here = self.carried(node);
        let Some(outer) = here.parent() else { return Vec::new() };
        match outer.kind() {
            "argument_list" => self.parameters_for(here),
            "keyword_argument" if field(outer, "value") == Some(here) => self.parameters_for(outer),
            "assignment" | "for_statement" | "for_in_clause" if field(outer, "right") == Some(here) => {
                self.assigned(outer)
            }
            _ => Vec::new(),
        }
    }

    /// The names that an assignment or a loop gives a value to.
    fn assigned(&self, statement: Node<'t>) -> Vec<&'t str> {
        let mut waiting: Vec<Node<'t>> = field(statement, "left").into_iter().collect();
        let mut names = Vec::new();
        while let Some(node) = waiting.pop() {
            match node.kind() {
                "identifier" => names.push(self.source.of(node)),
                // `body[key] = …` says nothing of `key`.
                "subscript" | "attribute" => {}
                _ => waiting.extend(named_children(node)),
            }
        }
        names
    }

    /// The parameters of functions of this file that an argument is given for.
    fn parameters_for(&self, argument: Node<'t>) -> Vec<&'t str> {
        let Some(arguments) = argument.parent().filter(|parent| parent.kind() == "argument_list") else {
            return Vec::new();
        };
        let Some(called) = self.called(arguments) else { return Vec::new() };
        let (is_method, function) = called.rsplit_once('.').map_or((false, called), |(_, name)| (true, name));
        // `mapping.get("x")` is no method of a class that stands here.
        let receiver = called.rsplit_once('.').map(|(receiver, _)| receiver);
        if receiver.is_some_and(|receiver| !is_own(receiver)) {
            return Vec::new();
        }
        let functions = self.all.iter().filter(|node| {
            node.kind() == "function_definition"
                && field(**node, "name").is_some_and(|name| self.source.of(name) == function)
        });
        let found = functions.filter_map(|function| {
            let parameters = self.parameters(*function);
            if argument.kind() == "keyword_argument" {
                let keyword = self.source.of(field(argument, "name")?);
                return parameters.into_iter().find(|name| *name == keyword);
            }
            let at = named_children(arguments).iter().position(|one| *one == argument)?;
            let bound = is_method && matches!(parameters.first(), Some(&"self" | &"cls"));
            parameters.get(at.saturating_add(usize::from(bound))).copied()
        });
        found.collect()
    }

    fn parameters(&self, function: Node<'t>) -> Vec<&'t str> {
        let all = field(function, "parameters").map(named_children).unwrap_or_default();
        let name = |node: Node<'t>| match node.kind() {
            "identifier" => Some(node),
            "typed_parameter" => node.named_child(0),
            _ => field(node, "name"),
        };
        all.into_iter().filter_map(name).map(|name| self.source.of(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<u32> {
        lines(text, "display_name", &BTreeSet::new()).into_iter().collect()
    }

    #[test]
    fn table_that_names_a_method_beside_its_class_is_found_in_a_file_that_asks_by_name() {
        let asks = "for owner, method in rows():\n    if hasattr(owner, method): ...\n";
        let of = |table: &str, container| -> Vec<u32> {
            tables(&format!("{table}\n{asks}"), "list_parts", container).into_iter().collect()
        };
        let lines = |table: &str| of(table, None);
        assert_eq!(lines("A = ((\"w.operations\", \"PartsOperations\", \"list_parts\"),)"), [1]);
        assert_eq!(lines("A = [\n    (\n        'PartsClient',\n        'list_parts',\n    ),\n]"), [4]);
        for other in [
            "A = (\"list_parts\",)",
            "A = ((\"PartsOperations\", \"list_parts_again\"), (\"x\", \"list_parts\"))",
            "# A = ((\"PartsOperations\", \"list_parts\"),)",
        ] {
            assert_eq!(lines(other), [0; 0], "{other}");
        }
        assert!(tables("A = (\"PartsOperations\", \"list_parts\")\n", "list_parts", None).is_empty(), "nothing asks");
        for container in ["PartsOperations", "Parts", "PartsClient"] {
            for class in ["PartsOperations", "_PartsClientOperationsMixin", "a.PartsClient"] {
                assert_eq!(of(&format!("A = ((\"{class}\", \"list_parts\"),)"), Some(container)), [1], "{class}");
            }
            for class in ["AssetsOperations", "SparePartsOperations", "PartsTable"] {
                let found = of(&format!("A = ((\"{class}\", \"list_parts\"),)"), Some(container));
                assert_eq!(found, [0; 0], "{class} for {container}");
            }
        }
    }

    #[test]
    fn text_that_reaches_a_call_which_asks_for_a_member_is_found_however_it_gets_there() {
        for (text, line) in [
            ("a = getattr(widget, \"display_name\")\n", 1),
            ("a = getattr(\n    widget,\n    'display_name',\n    None,\n)\n", 3),
            ("a = operator.attrgetter(\"part.display_name\")\n", 1),
            ("name = \"display_name\"\na = getattr(widget, name)\n", 1),
            ("for one in [\"other\", \"display_name\"]:\n    if hasattr(widget, one):\n        pass\n", 1),
            ("NAMES = (\n    \"display_name\",\n)\nall([getattr(widget, one) for one in NAMES])\n", 2),
            (
                "class A:\n    _FIELDS = (\"id\", \"display_name\")\n    def f(self, kwargs):\n        for one in self._FIELDS:\n            setattr(self, one, kwargs.get(one))\n",
                2,
            ),
            (
                "class A:\n    NAMES = [\"display_name\"]\ndef f(x):\n    return {one: getattr(x, one, None) for one in A.NAMES}\n",
                2,
            ),
            ("for name, kind in {\"display_name\": str}.items():\n    setattr(widget, name, kind)\n", 1),
            ("for at, name in enumerate(sorted([\"display_name\"])):\n    getattr(widget, name)\n", 1),
            (
                "def add(kind: type, member: str) -> None:\n    def read(self):\n        return getattr(self, member, None)\n    setattr(kind, \"value\", property(read))\n\n\nadd(Widget, \"display_name\")\n",
                7,
            ),
            ("def read(one, member):\n    return getattr(one, member)\n\n\nread(1, member=\"display_name\")\n", 5),
            ("class A:\n    def read(self, member=\"display_name\"):\n        return getattr(self, member)\n", 2),
            (
                "class A:\n    def read(self, member):\n        return getattr(self, member)\n    def f(self):\n        return self.read(\"display_name\")\n",
                5,
            ),
        ] {
            assert_eq!(found(text), [line], "{text}");
        }
    }

    #[test]
    fn constant_of_one_file_that_another_asks_by_is_found() {
        let table = "NAMES = (\n    \"id\",\n    \"display_name\",\n)\nclass A:\n    FIELDS = [\"display_name\"]\n\
                     def f():\n    local = \"display_name\"\n";
        let held = [(3, "NAMES".to_owned()), (6, "FIELDS".to_owned())];
        assert_eq!(constants(table, "display_name"), held);
        let asks = "from ._names import NAMES\nfrom ._a import A\n";
        for (text, constant, is_it) in [
            ("all(getattr(x, one) for one in NAMES)\n", "NAMES", true),
            ("for one in A.FIELDS:\n    setattr(x, one, 1)\n", "FIELDS", true),
            ("all(getattr(x, \"a\") for one in NAMES)\n", "NAMES", false),
            ("FIELDS = [\"a\"]\nfor one in FIELDS:\n    setattr(x, one, 1)\n", "FIELDS", false),
        ] {
            assert_eq!(asks_for(&format!("{asks}{text}"), constant), is_it, "{text}");
        }
    }

    #[test]
    fn long_file_is_looked_through_line_by_line() {
        let text = format!("{}a = getattr(widget, \"display_name\")\nb = \"display_name\"\n", "x = 1\n".repeat(50_000));
        assert_eq!(found(&text), [50_001]);
    }

    #[test]
    fn class_that_gives_itself_what_it_asks_for_asks_no_generated_one() {
        for text in [
            "class A:\n    __slots__ = (\"display_name\",)\n    def f(self):\n        return [getattr(self, one) for one in self.__slots__]\n",
            "class A:\n    def __init__(self):\n        self.display_name = 1\n    def f(self):\n        return getattr(self, \"display_name\")\n",
            "class A(object):\n    display_name: str\n    def f(self):\n        return getattr(self, \"display_name\", None)\n",
            "class A(ABC):\n    @property\n    def display_name(self): ...\n    def f(self):\n        return hasattr(self, \"display_name\")\n",
            "class A:\n    display_name = 1\n    def f(self):\n        for one in (\"display_name\", \"b\"):\n            setattr(self, one, 2)\n",
        ] {
            assert_eq!(found(text), [] as [u32; 0], "{text}");
        }
        for (text, line) in [
            // Whose member it is where the class has a base is not told, nor what another object has.
            (
                "class A(_A):\n    display_name = 1\n    def f(self):\n        return getattr(self, \"display_name\")\n",
                4,
            ),
            ("class A:\n    display_name = 1\n    def f(self, b):\n        return getattr(b, \"display_name\")\n", 4),
            ("class A:\n    def f(self):\n        return getattr(self, \"display_name\")\n", 3),
            (
                "class A:\n    def f(self):\n        display_name = 1\n        return getattr(self, \"display_name\")\n",
                4,
            ),
        ] {
            assert_eq!(found(text), [line], "{text}");
        }
    }

    #[test]
    fn constants_of_a_long_file_are_not_followed() {
        let long = "x = 1\n".repeat(50_000);
        let table = format!("NAMES = (\"display_name\",)\n{long}");
        assert_eq!(constants(&table, "display_name"), []);
        assert!(!asks_for(&format!("from ._a import NAMES\nall(getattr(x, one) for one in NAMES)\n{long}"), "NAMES"));
    }

    #[test]
    fn text_of_another_meaning_is_not_found() {
        for text in [
            "b = \"display_name\"\n",
            "# getattr(widget, 'display_name')\n",
            "a = getattr(widget, \"name\") == \"display_name\"\n",
            "a = getattr(display_name, \"name\", \"display_name\")\n",
            "body = {\"display_name\": 1}\na = getattr(widget, \"name\")\n",
            "name = \"display_name\"\nmapping[name] = getattr(widget, other)\n",
            "body[key] = \"display_name\"\na = getattr(widget, key)\n",
            "class A:\n    def get(self, key):\n        return getattr(self, key)\n\n\na = mapping.get(\"display_name\")\n",
            "def read(one, member, label):\n    return getattr(one, member), label\n\n\nread(1, \"x\", \"display_name\")\n",
            "def f(:\n    getattr(widget, \"display_name\")\n",
        ] {
            assert_eq!(found(text), [] as [u32; 0], "{text}");
        }
    }
}
