//! What generated Python defines: classes, their methods, properties and the members of enums.

// Any emitter may have generated it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::syntax::tree;
use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::surface::Definition;

/// The definitions of one file, with the functions that make the requests of operations. A file that cannot be read has none.
pub(super) fn definitions(file: &str, text: &str) -> Vec<Definition> {
    let of = |source: &Source<'_>, node: Node<'_>| {
        source.class(node).unwrap_or_else(|| source.builder(node).into_iter().collect())
    };
    each(file, text, of)
}

fn each(file: &str, text: &str, of: impl Fn(&Source<'_>, Node<'_>) -> Vec<Definition>) -> Vec<Definition> {
    let Some(tree) = tree(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let root = tree.root_node();
    let mut cursor = root.walk();
    let source = Source { file, text };
    root.named_children(&mut cursor).flat_map(|node| of(&source, node)).collect()
}

/// The definitions of one file that do not begin with an underscore. What a class mixes into a client is the client's.
pub(super) fn public(file: &str, text: &str) -> Vec<Definition> {
    let named = |mut one: Definition| {
        let container = one.container.take();
        one.container = container.map(|class| match class.strip_suffix("OperationsMixin") {
            Some(client) => client.trim_start_matches('_').to_owned(),
            None => class,
        });
        let hidden = one.name.starts_with('_') || one.container.as_ref().is_some_and(|class| class.starts_with('_'));
        let mixin = one.container.is_none() && one.name.ends_with("OperationsMixin");
        (!hidden && !mixin).then_some(one)
    };
    // Who makes a request is no business of users.
    let classes = |source: &Source<'_>, node: Node<'_>| source.class(node).unwrap_or_default();
    each(file, text, classes).into_iter().filter_map(named).collect()
}

/// The names that an `__init__.py` passes on: the first `__all__` in it.
pub(super) fn exports(file: &str, text: &str) -> Option<Vec<String>> {
    if file.rsplit('/').next() != Some("__init__.py") {
        return None;
    }
    let (_, rest) = text.split_once("\n__all__ = [")?;
    let (list, _) = rest.split_once(']')?;
    let names = list.split(',').map(|name| name.trim().trim_matches(['"', '\'']));
    Some(names.filter(|name| !name.is_empty() && !name.starts_with('_')).map(str::to_owned).collect())
}

struct Source<'a> {
    file: &'a str,
    text: &'a str,
}

impl<'a> Source<'a> {
    fn of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn field(&self, node: Node<'_>, name: &str) -> &'a str {
        node.child_by_field_name(name).map(|node| self.of(node)).unwrap_or_default()
    }

    /// A function that makes the request of an operation. Modules import it as they import a class, and so it is followed.
    fn builder(&self, node: Node<'_>) -> Option<Definition> {
        let name = self.field(node, "name");
        let is_builder =
            node.kind() == "function_definition" && name.starts_with("build_") && name.ends_with("_request");
        is_builder.then(|| Definition {
            kind: EntityKind::Model,
            file: self.file.to_owned(),
            container: None,
            name: name.to_owned(),
            says: self.without_name(&self.plain_words(node), name),
        })
    }

    /// A class with its members.
    fn class(&self, node: Node<'_>) -> Option<Vec<Definition>> {
        let node = undecorated(node);
        if node.kind() != "class_definition" {
            return None;
        }
        let (name, bases) = (self.field(node, "name"), self.field(node, "superclasses"));
        let body = node.child_by_field_name("body")?;
        let is_enum = bases.contains("Enum");
        let mut members: BTreeMap<(EntityKind, &str), Vec<String>> = BTreeMap::new();
        let mut cursor = body.walk();
        for child in body.named_children(&mut cursor) {
            if let Some((kind, name, says)) = self.member(child, is_enum) {
                members.entry((kind, name)).or_default().extend(says);
            }
        }
        let kind = match () {
            () if is_enum => EntityKind::Enum,
            () if members.keys().any(|(kind, name)| *kind == EntityKind::Operation && !name.starts_with("__"))
                && !members.keys().any(|(kind, _)| *kind == EntityKind::Property) =>
            {
                EntityKind::Interface
            }
            () => EntityKind::Model,
        };
        let mut says = Vec::new();
        for ((_, member), words) in &members {
            says.push((*member).to_owned());
            says.extend(words.iter().filter(|word| word.as_str() != name).cloned());
        }
        if !says.is_empty() {
            says.splice(0..0, words(bases));
        }
        let file = self.file.to_owned();
        let mut found = vec![Definition { kind, file: file.clone(), container: None, name: name.to_owned(), says }];
        found.extend(self.first_requests(body).into_iter().map(|(first, caller)| Definition {
            kind: EntityKind::Operation,
            file: file.clone(),
            container: Some(name.to_owned()),
            name: first.to_owned(),
            says: vec!["first request of".to_owned(), caller.to_owned()],
        }));
        found.extend(members.into_iter().filter(|((_, member), _)| !member.starts_with("__")).map(
            |((kind, member), says)| Definition {
                kind,
                file: file.clone(),
                container: Some(name.to_owned()),
                name: member.to_owned(),
                says,
            },
        ));
        Some(found)
    }

    /// The methods that send the first request of a long-running operation, each with the only one that calls it: emitters
    /// have named them differently.
    fn first_requests(&self, body: Node<'_>) -> BTreeMap<&'a str, &'a str> {
        let mut cursor = body.walk();
        let methods = body.named_children(&mut cursor).map(undecorated);
        let methods: Vec<_> = methods.filter(|one| one.kind() == "function_definition").collect();
        let names = methods.iter().map(|one| self.field(*one, "name"));
        let mut callers: BTreeMap<&str, BTreeSet<&str>> =
            names.filter(|name| name.ends_with("_initial")).map(|name| (name, BTreeSet::new())).collect();
        for method in &methods {
            for called in self.of(*method).split("self.").skip(1).filter_map(|rest| rest.split('(').next()) {
                if let Some(callers) = callers.get_mut(called) {
                    callers.insert(self.field(*method, "name"));
                }
            }
        }
        let only = |callers: BTreeSet<&'a str>| (callers.len() == 1).then(|| callers.into_iter().next()).flatten();
        callers.into_iter().filter_map(|(first, callers)| Some((first, only(callers)?))).collect()
    }

    fn member(&self, node: Node<'_>, of_enum: bool) -> Option<(EntityKind, &'a str, Vec<String>)> {
        let inner = undecorated(node);
        match inner.kind() {
            "function_definition" => {
                let name = self.field(inner, "name");
                Some((EntityKind::Operation, name, self.without_name(&self.plain_words(node), name)))
            }
            "expression_statement" => {
                let assignment = inner.named_child(0).filter(|one| one.kind() == "assignment")?;
                let name = self.field(assignment, "left");
                if !name.chars().all(|one| one.is_alphanumeric() || one == '_') {
                    return None;
                }
                let (kind, value) = (self.field(assignment, "type"), self.field(assignment, "right"));
                if of_enum {
                    return Some((EntityKind::EnumMember, name, words(value)));
                }
                if kind.is_empty() {
                    return None;
                }
                // The name on the wire stays; where it is not written it is the name itself.
                let mut says = words(kind);
                says.push(wire_name(value).unwrap_or(name).to_owned());
                Some((EntityKind::Property, name, says))
            }
            _ => None,
        }
    }

    /// The words of a node without its documentation and comments.
    fn plain_words(&self, node: Node<'_>) -> Vec<String> {
        let mut left_out: Vec<std::ops::Range<usize>> = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let documents = node.kind() == "expression_statement"
                && node.named_child_count() == 1
                && node.named_child(0).is_some_and(|child| child.kind() == "string");
            if documents || node.kind() == "comment" {
                left_out.push(node.byte_range());
                continue;
            }
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor));
        }
        left_out.sort_by_key(|range| range.start);
        let (mut said, mut at) = (Vec::new(), node.start_byte());
        for range in left_out {
            said.extend(words(self.text.get(at..range.start).unwrap_or_default()));
            at = range.end;
        }
        said.extend(words(self.text.get(at..node.end_byte()).unwrap_or_default()));
        said
    }

    /// The words with a method's name taken out wherever it is a part between underscores: `build_widgets_get_request`.
    fn without_name(&self, words: &[String], name: &str) -> Vec<String> {
        let stem = name.trim_start_matches('_');
        let stem = stem.strip_prefix("begin_").unwrap_or(stem);
        let stem = format!("_{}_", stem.strip_suffix("_initial").unwrap_or(stem));
        words.iter().map(|word| format!("_{word}_").replace(&stem, "_\u{a7}_").trim_matches('_').to_owned()).collect()
    }
}

/// `rest_field(name="displayName", …)`.
fn wire_name(value: &str) -> Option<&str> {
    let (_, rest) = value.strip_prefix("rest_")?.split_once("name=\"")?;
    rest.split('"').next()
}

fn undecorated(node: Node<'_>) -> Node<'_> {
    node.child_by_field_name("definition").unwrap_or(node)
}

/// Names and numbers as they are, and every other sign but white space on its own.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut joined = false;
    for sign in text.chars() {
        let part = sign.is_alphanumeric() || sign == '_';
        match found.last_mut().filter(|_| part && joined) {
            Some(word) => word.push(sign),
            None if sign.is_whitespace() => {}
            None => found.push(sign.to_string()),
        }
        joined = part;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::surface::renames;
    use super::*;

    fn shown(before: &str, after: &str) -> Vec<String> {
        let found = renames(&definitions("azure/w/_x.py", before), &definitions("azure/w/_x.py", after));
        let of = |one: &Option<String>| one.as_ref().map(|class| format!("{class}.")).unwrap_or_default();
        found.iter().map(|one| format!("{:?} {}{}>{}", one.kind, of(&one.container), one.old, one.new)).collect()
    }

    const MODELS: &str = r#"
class Volume(_Model):
    """A volume.

    :ivar shelf_mark: Where it stands.
    :vartype shelf_mark: str
    """

    id: str = rest_field(visibility=["read"])
    shelf_mark: Optional[str] = rest_field(name="shelfMark", visibility=["read", "create"])

    @overload
    def __init__(self, *, id: str) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class VolumeState(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """States."""

    LENT = "lent"
    """It is away."""
    ON_SHELF = "onShelf"
"#;

    #[test]
    fn models_properties_and_members_of_enums_are_recognised() {
        assert_eq!(shown(MODELS, &MODELS.replace("class Volume(", "class Book(")), ["Model Volume>Book"]);
        let after = MODELS.replace("    shelf_mark: Optional", "    place: Optional").replace("ON_SHELF", "PRESENT");
        assert_eq!(
            shown(MODELS, &after),
            ["Property Volume.shelf_mark>place", "EnumMember VolumeState.ON_SHELF>PRESENT"]
        );
        let after = MODELS.replace("    id: str = rest_field(vis", "    key: str = rest_field(name=\"id\", vis");
        assert_eq!(shown(MODELS, &after), ["Property Volume.id>key"]);
        assert_eq!(shown(MODELS, MODELS), Vec::<String>::new());
    }

    const OPERATIONS: &str = r#"
class BooksOperations:
    """Operations."""

    @distributed_trace
    def find_by_mark(self, mark: str, **kwargs: Any) -> _models.Volume:
        """Find one.

        :return: Volume. Call find_by_mark once.
        """
        _request = build_books_find_by_mark_request(mark=mark)
        return self._client.send(_request)

    @distributed_trace
    def begin_renew(self, mark: str, **kwargs: Any) -> LROPoller[_models.Volume]:
        raw_result = self._renew_initial(mark=mark)
        return LROPoller(raw_result)

    def _renew_initial(self, mark: str) -> Iterator[bytes]:
        return build_books_renew_request(mark)
"#;

    #[test]
    fn methods_are_recognised_also_when_they_become_internal_and_their_texts_change() {
        let after = OPERATIONS
            .replace("def find_by_mark", "def _find_volume")
            .replace("build_books_find_by_mark_request", "build_books_find_volume_request")
            .replace("Find one", "Another text")
            .replace("_renew_initial", "_extend_initial")
            .replace("begin_renew", "begin_extend")
            .replace("build_books_renew", "build_books_extend");
        assert_eq!(
            shown(OPERATIONS, &after),
            [
                "Operation BooksOperations.begin_renew>begin_extend",
                "Operation BooksOperations.find_by_mark>_find_volume",
                "Operation BooksOperations._renew_initial>_extend_initial",
            ]
        );
    }

    #[test]
    fn first_request_of_an_operation_is_told_by_who_sends_it() {
        let after = OPERATIONS
            .replace("_renew_initial", "__begin_renew_initial")
            .replace("Iterator[bytes]", "Iterator[bytes] | None")
            .replace("build_books_renew_request(mark)", "send(build_books_renew_request(mark), stream=True)");
        assert_eq!(shown(OPERATIONS, &after), ["Operation BooksOperations._renew_initial>__begin_renew_initial"]);
    }

    const BUILDERS: &str = r#"
def build_chat_complete_request(*, model: str, **kwargs: Any) -> HttpRequest:
    _url = "/chat/completions"
    return HttpRequest(method="POST", url=_url, **kwargs)


def build_chat_get_info_request(**kwargs: Any) -> HttpRequest:
    return HttpRequest(method="GET", url="/info", **kwargs)


def build_images_get_info_request(**kwargs: Any) -> HttpRequest:
    return HttpRequest(method="GET", url="/info", **kwargs)
"#;

    #[test]
    fn functions_that_make_requests_are_recognised_and_are_not_public() {
        let after = BUILDERS.replace("build_chat_", "build_talk_");
        assert_eq!(
            shown(BUILDERS, &after),
            [
                "Model build_chat_get_info_request>build_talk_get_info_request",
                "Model build_chat_complete_request>build_talk_complete_request",
            ]
        );
        // Two that say the same cannot be told apart.
        let after = after.replace("build_images_", "build_pictures_");
        assert_eq!(shown(BUILDERS, &after), ["Model build_chat_complete_request>build_talk_complete_request"]);
        assert_eq!(public("azure/w/_x.py", BUILDERS), []);
    }

    #[test]
    fn method_that_does_something_else_is_not_a_rename() {
        let after = OPERATIONS.replace("find_by_mark", "drop").replace("(mark=mark)", "()");
        assert!(!shown(OPERATIONS, &after).iter().any(|one| one.contains("find_by_mark")));
    }

    #[test]
    fn text_that_is_not_python_defines_nothing() {
        for text in ["", "class", "class A(", "def f(:\n", "\u{0}\u{0}"] {
            let _ = definitions("a.py", text);
        }
    }
}
