//! The parameters of the public methods of generated Python.

use std::collections::BTreeMap;

use bailiwick_sdk::syntax::{field, named_children, parse};
use tree_sitter::Node;

use super::super::surface::Signature;

/// The signatures of the public methods of one file. A method that is written several times, as overloads are, has one:
/// a parameter is required where each of them has it and requires it.
pub(super) fn signatures(text: &str) -> Vec<Signature> {
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let mut found: BTreeMap<(String, String), Vec<BTreeMap<String, bool>>> = BTreeMap::new();
    for class in named_children(tree.root_node()).into_iter().map(undecorated) {
        let (Some(name), Some(body)) = (field(class, "name"), field(class, "body")) else { continue };
        if class.kind() != "class_definition" || of(name).starts_with("__") {
            continue;
        }
        for method in named_children(body).into_iter().map(undecorated) {
            let (Some(own), Some(parameters)) = (field(method, "name"), field(method, "parameters")) else { continue };
            if method.kind() == "function_definition" && !of(own).starts_with('_') {
                let read = named_children(parameters).into_iter().filter_map(|one| parameter(one, &of)).collect();
                found.entry((of(name).to_owned(), of(own).to_owned())).or_default().push(read);
            }
        }
    }
    found
        .into_iter()
        .map(|((container, name), written)| Signature { container, name, parameters: all_of(&written) })
        .collect()
}

/// The name of a parameter, and whether it is required. What takes any further arguments is none.
fn parameter<'t>(node: Node<'_>, of: &impl Fn(Node<'_>) -> &'t str) -> Option<(String, bool)> {
    let (name, required) = match node.kind() {
        "identifier" => (node, true),
        "typed_parameter" => (node.named_child(0).filter(|name| name.kind() == "identifier")?, true),
        "default_parameter" | "typed_default_parameter" => (field(node, "name")?, false),
        _ => return None,
    };
    let name = of(name);
    (!matches!(name, "self" | "cls")).then(|| (name.to_owned(), required))
}

fn all_of(written: &[BTreeMap<String, bool>]) -> BTreeMap<String, bool> {
    let names = written.iter().flat_map(BTreeMap::keys).cloned();
    let required = |name: &String| written.iter().all(|one| one.get(name) == Some(&true));
    names.map(|name| (name.clone(), required(&name))).collect()
}

fn undecorated(node: Node<'_>) -> Node<'_> {
    field(node, "definition").unwrap_or(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_with_what_is_required_and_overloads_are_one_method() {
        let text = "\
class Widgets:
    def __init__(self, client): ...
    @overload
    async def create(self, name: str, body: A, *, kind: str = \"json\", **kwargs: Any) -> None: ...
    @overload
    async def create(self, name: str, body: IO[bytes], *, top, **kwargs: Any) -> None: ...
    def _hidden(self, x): ...
    def plain(self, *args, limit=None): ...
class _Own:
    def get(self): ...
";
        let shown: Vec<String> = signatures(text)
            .into_iter()
            .map(|one| format!("{}.{} {:?}", one.container, one.name, one.parameters))
            .collect();
        assert_eq!(
            shown,
            [
                r#"Widgets.create {"body": true, "kind": false, "name": true, "top": false}"#,
                r#"Widgets.plain {"limit": false}"#,
                "_Own.get {}",
            ]
        );
        assert!(signatures("class A(:").is_empty());
    }
}
