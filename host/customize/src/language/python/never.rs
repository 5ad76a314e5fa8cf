//! Names for what never returns. A type checker takes a function for such that says so, and skips everything behind a call of
//! it, whatever the function does.

// An emitter or an agent may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::super::tree::{all, field, named_children, text_of};
use super::switched_off::is_part_of_name;

/// A word for it that nothing else is called.
const NO_RETURN: &str = "NoReturn";
/// Another one, which a model or a value of a service may be called, too.
const NEVER: &str = "Never";

/// Whether a text can have such a name.
pub(super) fn may_be_named(text: &str) -> bool {
    [NO_RETURN, NEVER].iter().any(|name| text.contains(name)) || text.contains("import *")
}

/// Where a file names what never returns. A model, a value or a text that is only called so is not meant.
pub(crate) fn never_returning<'a>(root: Node<'a>, text: &str) -> Vec<Node<'a>> {
    let nodes = all(root);
    let foreign: BTreeSet<&str> = nodes.iter().flat_map(|node| foreign_names(*node, text)).collect();
    nodes.into_iter().filter(|node| names_it(*node, text, &foreign)).collect()
}

fn names_it(node: Node<'_>, text: &str, foreign: &BTreeSet<&str>) -> bool {
    let word = text_of(node, text);
    match node.kind() {
        "identifier" if word == NO_RETURN => !is_member(node),
        "identifier" if word == NEVER => is_foreign(node, text, foreign),
        "wildcard_import" => {
            let module = node.parent().and_then(|import| field(import, "module_name"));
            module.is_some_and(|module| is_of_types(text_of(module, text)))
        }
        "string" => {
            let is_doc = node.parent().is_some_and(|around| around.kind() == "expression_statement");
            !is_doc && is_written(word, foreign)
        }
        "comment" => {
            let said = word.trim_start_matches('#').trim_start();
            said.starts_with("type:") && [NO_RETURN, NEVER].iter().any(|name| words(said).any(|word| word == *name))
        }
        _ => false,
    }
}

/// The names that an import from outside the package binds. Within a package, emitters import by relative paths.
fn foreign_names<'a>(node: Node<'_>, text: &'a str) -> Vec<&'a str> {
    let is_foreign = match node.kind() {
        "import_statement" => true,
        "import_from_statement" => is_absolute(node),
        _ => return Vec::new(),
    };
    let mut cursor = node.walk();
    let imported = node.children_by_field_name("name", &mut cursor).filter(|_| is_foreign);
    let bound = imported.map(|one| field(one, "alias").unwrap_or(one));
    bound.filter_map(|one| text_of(one, text).split('.').next()).map(str::trim).collect()
}

fn is_absolute(import: Node<'_>) -> bool {
    field(import, "module_name").is_some_and(|module| module.kind() != "relative_import")
}

fn is_of_types(module: &str) -> bool {
    ["typing", "typing_extensions", "mypy_extensions"].contains(&module)
}

/// The name of a member of an enum.
fn is_member(name: Node<'_>) -> bool {
    name.parent().is_some_and(|around| around.kind() == "assignment" && field(around, "left") == Some(name))
}

/// Whether a name is imported from outside the package, or is that of something in a module from there.
fn is_foreign(name: Node<'_>, text: &str, foreign: &BTreeSet<&str>) -> bool {
    let import = std::iter::successors(name.parent(), Node::parent).find(|one| !is_part_of_import(*one));
    let Some(around) = import else { return false };
    match around.kind() {
        "import_from_statement" => is_absolute(around),
        "attribute" if field(around, "attribute") == Some(name) => {
            let heads = std::iter::successors(field(around, "object"), |one| named_children(*one).next());
            heads.last().is_some_and(|head| foreign.contains(text_of(head, text)))
        }
        _ => false,
    }
}

fn is_part_of_import(node: Node<'_>) -> bool {
    ["dotted_name", "aliased_import"].contains(&node.kind())
}

/// Whether a text reads it from a module of outside: `"typing.NoReturn"`.
fn is_written(text: &str, foreign: &BTreeSet<&str>) -> bool {
    [NO_RETURN, NEVER].iter().flat_map(|name| text.match_indices(name)).any(|(at, name)| {
        let behind = text.get(at.saturating_add(name.len())..).and_then(|rest| rest.chars().next());
        if behind.is_some_and(is_part_of_name) {
            return false;
        }
        let before = text.get(..at).unwrap_or_default().trim_end();
        let Some(module) = before.strip_suffix('.') else { return false };
        words(module.trim_end()).next_back().is_some_and(|word| foreign.contains(word) || is_of_types(word))
    })
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|one: char| !is_part_of_name(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bailiwick_sdk::syntax::parse;

    fn found(text: &str) -> usize {
        let tree = parse(&tree_sitter_python::LANGUAGE.into(), text).unwrap();
        never_returning(tree.root_node(), text).len()
    }

    #[test]
    fn what_says_that_it_never_returns_is_found_by_whatever_name() {
        for text in [
            "from typing import Any, NoReturn\n",
            "from typing import (\n    NoReturn as Quiet,\n)\n",
            "from typing_extensions import Never\n",
            "import typing\ndef a() -> typing.NoReturn: ...\n",
            "import typing as t\ndef a() -> t.Never: ...\n",
            "import typing\ndef a() -> \"typing.Never\": ...\n",
            "import typing\na = typing.cast('typing.Callable[[], typing . NoReturn]', b)\n",
            "from typing import *\ndef a() -> 'NoReturn': ...\n",
            "def a(x):  # type: (int) -> NoReturn\n    b(x)\n",
            "from .._utils import NoReturn\n",
        ] {
            assert_ne!(found(text), 0, "{text}");
        }
    }

    #[test]
    fn model_value_or_text_that_is_called_so_is_not() {
        for text in [
            "class AdoptionPolicy(str, Enum):\n    NEVER = \"Never\"\n    \"\"\"Never adopt. typing.Never\"\"\"\n",
            "class Policy(str, Enum):\n    NoReturn = \"NoReturn\"\n    Never = \"Never\"\n",
            "from ..models import Never\nfrom .. import models as _models\ndef a(x: \"_models.Never\") -> _models.Never: ...\n",
            "class Never(_Model):\n    kind: Literal[\"Never\"]\n    \"\"\"Known values are: \\\"Never\\\".\"\"\"\n",
            "# Never returns.\nx = 1  # type: ignore\n",
            "from .models import *\nfrom ._patch import *  # pylint: disable=unused-wildcard-import\n",
            "import json\nx = \"Never\" if json.loads(y) else \"json. Nevertheless\"\n",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
