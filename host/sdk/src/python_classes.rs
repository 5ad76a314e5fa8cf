//! Classes that people wrote in Python: what stands in their bodies, and what their constructors do with a keyword.

// Any person may have written them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use tree_sitter::Node;

use crate::syntax::{field, named_children, nodes};

/// What has statements of the same scope in it.
const AROUND: &[&str] = &[
    "block",
    "case_clause",
    "elif_clause",
    "else_clause",
    "except_clause",
    "except_group_clause",
    "finally_clause",
    "for_statement",
    "if_statement",
    "match_statement",
    "try_statement",
    "while_statement",
    "with_statement",
];

/// The statements of a module or of the body of a class in their order, also those below `if`, `try` and their like.
/// Definitions are without what decorates them.
#[must_use]
pub fn statements(body: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut open: Vec<Node<'_>> = named_children(body).into_iter().rev().collect();
    while let Some(node) = open.pop() {
        match node.kind() {
            kind if AROUND.contains(&kind) => open.extend(named_children(node).into_iter().rev()),
            "decorated_definition" => found.extend(field(node, "definition")),
            kind if kind.ends_with("_statement") || kind.ends_with("_definition") => found.push(node),
            _ => {}
        }
    }
    found
}

/// What a constructor that people wrote does with a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyword {
    /// It hands the keyword on to the constructor of the class that it extends. So does a class without a constructor.
    HandedOn,
    /// It takes the keyword itself, or none that it does not name.
    Own,
    /// That cannot be told.
    Unclear,
}

/// The constructor of a class, seen from one keyword.
#[derive(Debug, Clone)]
pub struct Constructor<'t> {
    /// What becomes of the keyword.
    pub keyword: Keyword,
    /// Where overloads name it: the parameters, without annotation and default.
    pub offered: Vec<Node<'t>>,
    /// Where the method that runs names it: its parameter, or text in its body.
    pub named: Vec<Node<'t>>,
}

/// The constructor of a class, seen from one keyword; `None` where the class has none.
#[must_use]
pub fn constructor<'t>(text: &str, class: Node<'t>, keyword: &str) -> Option<Constructor<'t>> {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let body = statements(field(class, "body")?).into_iter();
    let mut methods: Vec<Node<'t>> = body
        .filter(|one| one.kind() == "function_definition")
        .filter(|one| field(*one, "name").is_some_and(|name| of(name) == "__init__"))
        .collect();
    // Overloads are one method, and the last of them is the one that runs.
    let last = methods.pop()?;
    let named =
        |method: Node<'t>| parameters_of(method).into_iter().filter_map(name_of).find(|name| of(*name) == keyword);
    let offered = methods.into_iter().filter_map(named).collect();
    if let Some(own) = named(last) {
        return Some(Constructor { keyword: Keyword::Own, offered, named: vec![own] });
    }
    let rest = parameters_of(last).into_iter().map(untyped).find(|one| one.kind() == "dictionary_splat_pattern");
    let Some(rest) = rest.map(|one| of(one).trim_start_matches('*').trim()) else {
        return Some(Constructor { keyword: Keyword::Own, offered, named: Vec::new() });
    };
    let inside = field(last, "body").map(nodes).unwrap_or_default();
    let mentioned: Vec<Node<'t>> = inside.iter().copied().filter(|one| is_text(&of, *one, keyword)).collect();
    let taken_out = mentioned.iter().any(|one| is_first_of_pop(&of, *one));
    let handed_on = inside.iter().any(|call| hands_on(&of, *call, rest));
    let keyword = match () {
        () if taken_out => Keyword::Own,
        () if handed_on && mentioned.is_empty() => Keyword::HandedOn,
        () => Keyword::Unclear,
    };
    Some(Constructor { keyword, offered, named: mentioned })
}

fn parameters_of(method: Node<'_>) -> Vec<Node<'_>> {
    field(method, "parameters").map(named_children).unwrap_or_default()
}

fn untyped(parameter: Node<'_>) -> Node<'_> {
    if parameter.kind() == "typed_parameter" { parameter.named_child(0).unwrap_or(parameter) } else { parameter }
}

/// The name of a parameter that can be given by name.
fn name_of(parameter: Node<'_>) -> Option<Node<'_>> {
    let name = match parameter.kind() {
        "default_parameter" | "typed_default_parameter" => field(parameter, "name")?,
        _ => untyped(parameter),
    };
    (name.kind() == "identifier").then_some(name)
}

/// Whether a node is a string of this content and nothing else.
fn is_text<'t>(of: &impl Fn(Node<'_>) -> &'t str, node: Node<'_>, content: &str) -> bool {
    node.kind() == "string" && [format!("\"{content}\""), format!("'{content}'")].iter().any(|text| of(node) == text)
}

/// Whether a string is what `pop` takes out.
fn is_first_of_pop<'t>(of: &impl Fn(Node<'_>) -> &'t str, node: Node<'_>) -> bool {
    let Some(arguments) = node.parent().filter(|one| one.kind() == "argument_list") else { return false };
    let function = arguments.parent().and_then(|call| field(call, "function"));
    let is_pop = function.and_then(|one| field(one, "attribute")).is_some_and(|name| of(name) == "pop");
    is_pop && named_children(arguments).first() == Some(&node)
}

/// Whether a call hands all further keywords to a constructor: `super().__init__(**kwargs)`.
fn hands_on<'t>(of: &impl Fn(Node<'_>) -> &'t str, call: Node<'_>, rest: &str) -> bool {
    let function = field(call, "function").filter(|_| call.kind() == "call");
    let of_constructor = function.and_then(|one| field(one, "attribute")).is_some_and(|name| of(name) == "__init__");
    let arguments = field(call, "arguments").map(named_children).unwrap_or_default().into_iter();
    let mut spread = arguments.filter(|one| one.kind() == "dictionary_splat");
    of_constructor && spread.any(|one| of(one).trim_start_matches('*').trim() == rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{line, parse};

    fn seen(text: &str) -> Option<(Keyword, Vec<u32>, Vec<u32>)> {
        let tree = parse(&tree_sitter_python::LANGUAGE.into(), text).unwrap();
        let class = statements(tree.root_node()).into_iter().find(|one| one.kind() == "class_definition").unwrap();
        let lines = |nodes: Vec<Node<'_>>| nodes.into_iter().map(line).collect();
        let found = constructor(text, class, "old")?;
        Some((found.keyword, lines(found.offered), lines(found.named)))
    }

    const OVERLOADED: &str = "\
class A(Generated):
    @overload
    def __init__(
        self,
        *,
        old: \"B\",
        event: C = None,
    ): ...

    @overload
    def __init__(self, mapping: Mapping[str, Any]):
        \"\"\"old\"\"\"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
";

    #[test]
    fn overload_names_what_the_method_that_runs_hands_on() {
        assert_eq!(seen(OVERLOADED), Some((Keyword::HandedOn, vec![6], vec![])));
        let with_class = OVERLOADED.replace("super()", "super(A, self)");
        assert_eq!(seen(&with_class), Some((Keyword::HandedOn, vec![6], vec![])));
        assert_eq!(seen(&OVERLOADED.replace("super().__init__(*args, **kwargs)", "pass")).unwrap().0, Keyword::Unclear);
        assert_eq!(seen("class A(Generated):\n    pass\n"), None);
    }

    #[test]
    fn keyword_that_the_method_names_is_its_own_and_one_that_it_looks_up_is_unclear() {
        let of = |head: &str, body: &str| {
            seen(&format!("class A(G):\n    def __init__({head}):\n        {body}\n")).map(|one| (one.0, one.2))
        };
        let super_call = "super().__init__(new=old, **kwargs)";
        assert_eq!(of("self, *, old: str = \"\", **kwargs: Any", super_call), Some((Keyword::Own, vec![2])));
        assert_eq!(of("self, new, old=None, **kwargs", super_call), Some((Keyword::Own, vec![2])));
        assert_eq!(of("self, mapping", "super().__init__(mapping)"), Some((Keyword::Own, vec![])));
        let pop = "super().__init__(new=kwargs.pop('old'), **kwargs)";
        assert_eq!(of("self, **kwargs", pop), Some((Keyword::Own, vec![3])));
        let changed = "kwargs[\"old\"] = 1; super().__init__(**kwargs)";
        assert_eq!(of("self, **kwargs", changed), Some((Keyword::Unclear, vec![3])));
        assert_eq!(of("self, **kwargs", "super().__init__(**kwargs)"), Some((Keyword::HandedOn, vec![])));
        assert_eq!(of("self, **kwargs", "super().__init__(**other)"), Some((Keyword::Unclear, vec![])));
    }

    #[test]
    fn statements_below_conditions_are_of_the_same_body() {
        let text = "\
if A:
    a = 1
elif B:
    @decorated
    def b(): ...
else:
    try:
        class C: ...
    except E:
        with d:
            import e
    finally:
        del f
";
        let tree = parse(&tree_sitter_python::LANGUAGE.into(), text).unwrap();
        let found: Vec<(&str, u32)> =
            statements(tree.root_node()).into_iter().map(|one| (one.kind(), line(one))).collect();
        let wanted = [
            ("expression_statement", 2),
            ("function_definition", 5),
            ("class_definition", 8),
            ("import_statement", 11),
            ("delete_statement", 13),
        ];
        assert_eq!(found, wanted);
    }
}
