//! What calls are given by name: keywords, and the keys of dictionaries that are unpacked into them.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeMap;

use bailiwick_sdk::syntax::{around, field, named_children, nodes};
use tree_sitter::Node;

use super::overrides::Source;

/// What has variables of its own.
const SCOPES: [&str; 2] = ["function_definition", "lambda"];

/// A name that something is given by, with where it stands: the keyword argument, or the text of the key.
pub(super) type Argument<'t> = (&'t str, Node<'t>);

/// The keys that the dictionaries of a file are given, by the function and the variable.
#[derive(Debug, Default)]
pub(super) struct Arguments<'t> {
    keys: BTreeMap<(usize, &'t str), Vec<Argument<'t>>>,
}

impl<'t> Arguments<'t> {
    pub(super) fn read(source: &Source<'t>) -> Self {
        let mut read = Self::default();
        for node in nodes(source.root) {
            let (variable, keys) = match node.kind() {
                "assignment" | "augmented_assignment" => assigned(source, node),
                "call" => changed(source, node),
                _ => continue,
            };
            if let Some(variable) = variable.filter(|one| one.kind() == "identifier" && !keys.is_empty()) {
                read.keys.entry((scope(node), source.of(variable))).or_default().extend(keys);
            }
        }
        read
    }

    /// What a call is given by name.
    pub(super) fn of(&self, source: &Source<'t>, call: Node<'t>) -> Vec<Argument<'t>> {
        let arguments = field(call, "arguments").map(named_children).unwrap_or_default().into_iter();
        let given = arguments.flat_map(|one| match one.kind() {
            "dictionary_splat" => match one.named_child(0) {
                Some(variable) if variable.kind() == "identifier" => {
                    self.keys.get(&(scope(call), source.of(variable))).cloned().unwrap_or_default()
                }
                Some(dictionary) => keys(source, dictionary),
                None => Vec::new(),
            },
            _ => keyword(source, one).into_iter().collect(),
        });
        given.collect()
    }
}

/// What is called, also by `partial`.
pub(super) fn called<'t>(source: &Source<'t>, call: Node<'t>) -> Option<Node<'t>> {
    let function = field(call, "function")?;
    if source.of(function).rsplit('.').next() == Some("partial") {
        return field(call, "arguments").map(named_children)?.first().copied();
    }
    Some(function)
}

/// The function around a node, as its number.
fn scope(node: Node<'_>) -> usize {
    around(node, &SCOPES).map_or(0, |scope| scope.id())
}

fn keyword<'t>(source: &Source<'t>, node: Node<'t>) -> Option<Argument<'t>> {
    field(node, "name").filter(|_| node.kind() == "keyword_argument").map(|name| (source.of(name), node))
}

/// `options = {"top": 1}`, `options["top"] = 1`
fn assigned<'t>(source: &Source<'t>, assignment: Node<'t>) -> (Option<Node<'t>>, Vec<Argument<'t>>) {
    let (left, right) = (field(assignment, "left"), field(assignment, "right"));
    match left {
        Some(place) if place.kind() == "subscript" => {
            let key = field(place, "subscript").and_then(|key| Some((source.content(key)?, key)));
            (field(place, "value"), key.into_iter().collect())
        }
        variable => (variable, right.map(|one| keys(source, one)).unwrap_or_default()),
    }
}

/// `options.update(top=1)`, `options.setdefault("top", 1)`
fn changed<'t>(source: &Source<'t>, call: Node<'t>) -> (Option<Node<'t>>, Vec<Argument<'t>>) {
    let Some(function) = field(call, "function").filter(|one| one.kind() == "attribute") else {
        return (None, Vec::new());
    };
    let arguments = field(call, "arguments").map(named_children).unwrap_or_default();
    let method = field(function, "attribute").map(|name| source.of(name)).unwrap_or_default();
    let keys = match method {
        "update" => arguments.into_iter().flat_map(|one| match keyword(source, one) {
            Some(keyword) => vec![keyword],
            None => keys(source, one),
        }),
        "setdefault" => {
            let key = arguments.first().and_then(|key| Some((source.content(*key)?, *key)));
            return (field(function, "object"), key.into_iter().collect());
        }
        _ => return (None, Vec::new()),
    };
    (field(function, "object"), keys.collect())
}

/// The keys of `{"top": 1}` and of `dict(top=1)`.
fn keys<'t>(source: &Source<'t>, dictionary: Node<'t>) -> Vec<Argument<'t>> {
    match dictionary.kind() {
        "dictionary" => {
            let pairs = named_children(dictionary).into_iter().filter(|one| one.kind() == "pair");
            pairs.filter_map(|pair| field(pair, "key").and_then(|key| Some((source.content(key)?, key)))).collect()
        }
        "call" if field(dictionary, "function").is_some_and(|one| source.of(one) == "dict") => {
            let arguments = field(dictionary, "arguments").map(named_children).unwrap_or_default();
            arguments.into_iter().filter_map(|one| keyword(source, one)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_sdk::syntax::parse;

    #[test]
    fn names_that_a_call_is_given_are_keywords_and_keys_of_what_is_unpacked_into_it() {
        let text = "\
def f(self, **kwargs):
    options: Dict[str, Any] = {\"a\": 1, \"b\": 2}
    if self.x:
        options[\"c\"] = 3
    options.update(d=4)
    options.update({\"e\": 5})
    options.setdefault(\"f\", 6)
    other = {\"z\": 1}
    kwargs[\"g\"] = 7
    make(h=8, **options, **kwargs, **{\"i\": 9}, **dict(j=1))
def g(options):
    make(**options)
def h():
    partial(self.client.make, k=1)
";
        let tree = parse(&tree_sitter_python::LANGUAGE.into(), text).unwrap();
        let source = Source { text, root: tree.root_node() };
        let read = Arguments::read(&source);
        let calls = nodes(source.root).into_iter().filter(|node| node.kind() == "call");
        let of_make = calls.filter_map(|call| {
            let function = called(&source, call)?;
            let mut names: Vec<&str> = read.of(&source, call).into_iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            source.of(function).ends_with("make").then(|| (line_of(call), names.concat()))
        });
        let mut found: Vec<_> = of_make.collect();
        found.sort();
        assert_eq!(found, [(10, "abcdefghij".to_owned()), (12, String::new()), (14, "k".to_owned())]);
    }

    fn line_of(node: Node<'_>) -> u32 {
        bailiwick_sdk::syntax::line(node)
    }
}
