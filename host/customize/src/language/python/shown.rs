//! Public Python that people wrote, under the name of something generated.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::python_classes::{Keyword, constructor, statements};
use bailiwick_sdk::python_names::python_name;
use bailiwick_sdk::syntax::{field, line, parse};
use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::shown::{Place, Shown, Sought};
use super::attributes::{Operation, module_names};
use super::overrides::Source;

/// What a hand-written file shows under this name.
pub(super) fn shown(text: &str, sought: &Sought) -> Vec<Shown> {
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let name_of = |node: Node<'_>| field(node, "name").map(|name| source.of(name)).unwrap_or_default();
    match sought {
        Sought::Operation { holder, place, name, called } => {
            let generated: Vec<String> = called.iter().map(|name| python_name(EntityKind::Operation, name)).collect();
            let called = python_name(EntityKind::Operation, name);
            if !text.contains(&called) {
                return Vec::new();
            }
            Operation { source, holders: classes(holder, place), called, generated }.shown()
        }
        Sought::Type { name } => {
            let is_it = |class: &Node<'_>| name_of(*class) == *name;
            let classes = source.classes().filter(is_it);
            let exported = module_names(&source, name).into_iter().filter(|_| source.exports(name));
            classes.chain(exported).map(|one| Shown::alone(line(one), name.clone())).collect()
        }
        Sought::Property { models, name } => {
            let called = python_name(EntityKind::Property, name);
            let is_model = |name: &str| models.iter().any(|model| python_name(EntityKind::Model, model) == name);
            let of_class = |class: Node<'_>| {
                let known = !name_of(class).starts_with('_') && source.bases(class).into_iter().any(is_model);
                if !known {
                    return None;
                }
                let member = declared(&source, class, &called);
                let member = member.map(|member| (member, format!("{}.{called}", name_of(class))));
                // What it hands on follows the rename. What it takes itself is what users write, where the class is the model.
                let taken = || {
                    let own = constructor(text, class, &called).filter(|one| one.keyword == Keyword::Own)?;
                    let place = own.offered.into_iter().chain(own.named).next().filter(|_| is_model(name_of(class)))?;
                    Some((place, format!("{}({called}=…)", name_of(class))))
                };
                let (place, name) = member.or_else(taken)?;
                Some(Shown::alone(line(place), name))
            };
            source.classes().filter_map(of_class).collect()
        }
    }
}

/// The classes that generated code has for a client or a group, and mixes into one.
fn classes(holder: &str, place: &Place) -> Vec<String> {
    match place {
        Place::Client => vec![
            holder.to_owned(),
            format!("_{holder}"),
            format!("{holder}OperationsMixin"),
            format!("_{holder}OperationsMixin"),
        ],
        Place::Group { .. } => {
            let class = python_name(EntityKind::Interface, holder);
            vec![format!("_{class}"), class]
        }
    }
}

/// The attribute or the property of this name that a class declares.
fn declared<'t>(source: &Source<'t>, class: Node<'t>, called: &str) -> Option<Node<'t>> {
    let members = field(class, "body").map(statements).unwrap_or_default().into_iter();
    members.into_iter().find_map(|member| {
        let name = match member.kind() {
            "function_definition" => field(member, "name"),
            "expression_statement" => {
                member.named_child(0).filter(|one| one.kind() == "assignment").and_then(|one| field(one, "left"))
            }
            _ => None,
        };
        name.filter(|name| source.of(*name) == called)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
from ._client import ChatClient as Generated, ImageClient as _ImageClient
from ._models import Message

class ChatClient(Generated):
    @overload
    def complete(self, body: A) -> B: ...
    def complete(self, body):
        return self._complete(body)
    def begin_train(self):
        return super().begin_train()
    def _internal(self): ...

class _Hidden(Generated):
    def complete(self): ...

class Images:
    def __init__(self):
        self._client = _ImageClient()
    def embed(self):
        return self._client._embed()
    def complete(self):
        return self._client._embed()

class AssistantMessage(Message):
    tool_calls: Optional[List[Call]] = rest_field()
    @property
    def text(self): ...

class Other:
    tool_calls: int = 1
";

    fn found(sought: &Sought) -> Vec<String> {
        shown(TEXT, sought).into_iter().map(|one| format!("{}:{}", one.line, one.name)).collect()
    }

    fn group() -> Place {
        Place::Group { above: "ServiceClient".into() }
    }

    fn operation(holder: &str, place: Place, name: &str) -> Vec<String> {
        found(&Sought::Operation { holder: holder.into(), place, name: name.into(), called: vec![name.into()] })
    }

    #[test]
    fn public_method_of_a_class_that_extends_the_client_or_wraps_it_is_shown_with_its_first_line() {
        assert_eq!(operation("ChatClient", Place::Client, "complete"), ["6:ChatClient.complete"]);
        assert_eq!(operation("ChatClient", Place::Client, "train"), ["9:ChatClient.begin_train"]);
        assert_eq!(operation("ImageClient", Place::Client, "embed"), ["19:Images.embed"]);
        // What it calls has another name since a rename.
        let (holder, called) = ("ImageClient".into(), vec!["embed".into(), "embedImage".into()]);
        let sought = Sought::Operation { holder, place: Place::Client, name: "embed".into(), called };
        let renamed = TEXT.replace("._embed()", "._embed_image()");
        assert_eq!(shown(&renamed, &sought), [Shown::alone(19, "Images.embed".into())]);
    }

    #[test]
    fn other_clients_groups_and_internal_names_are_not_shown() {
        for (holder, place, name) in [
            ("ImageClient", Place::Client, "complete"),
            ("ChatClient", group(), "complete"),
            ("ChatClient", Place::Client, "internal"),
            ("ChatClient", Place::Client, "comp"),
        ] {
            assert_eq!(operation(holder, place, name), Vec::<String>::new(), "{holder} {name}");
        }
        assert!(shown("class ChatClient(:\n  def complete", &Sought::Type { name: "ChatClient".into() }).is_empty());
    }

    #[test]
    fn group_is_found_by_the_class_of_its_operations() {
        let text = "from ._operations import WidgetsOperations as G\nclass WidgetsOperations(G):\n    def get_all(self): ...\n";
        let sought =
            Sought::Operation { holder: "Widgets".into(), place: group(), name: "getAll".into(), called: Vec::new() };
        assert_eq!(shown(text, &sought), [Shown::alone(3, "WidgetsOperations.get_all".into())]);
    }

    #[test]
    fn class_of_a_type_and_property_of_a_class_beside_a_model_are_shown() {
        assert_eq!(found(&Sought::Type { name: "ChatClient".into() }), ["4:ChatClient"]);
        assert_eq!(found(&Sought::Type { name: "Message".into() }), Vec::<String>::new());
        let property = |name: &str| Sought::Property {
            models: vec!["ChatRequestAssistantMessage".into(), "Message".into()],
            name: name.into(),
        };
        assert_eq!(found(&property("toolCalls")), ["25:AssistantMessage.tool_calls"]);
        assert_eq!(found(&property("text")), ["27:AssistantMessage.text"]);
        assert_eq!(found(&property("content")), Vec::<String>::new());
    }

    #[test]
    fn keyword_that_the_class_in_place_of_a_model_takes_itself_is_shown() {
        let of = |class: &str, head: &str, body: &str| {
            let text = format!(
                "from ._models import Widget as G\nclass {class}(G):\n    def __init__({head}):\n        {body}\n"
            );
            let sought = Sought::Property { models: vec!["Widget".into()], name: "displayName".into() };
            shown(&text, &sought).into_iter().map(|one| format!("{}:{}", one.line, one.name)).collect::<Vec<_>>()
        };
        let own = ("self, *, display_name: str, **kwargs", "super().__init__(title=display_name, **kwargs)");
        assert_eq!(of("Widget", own.0, own.1), ["3:Widget(display_name=…)"]);
        // A class of its own has parameters of its own, and what is handed on follows.
        assert_eq!(of("Fancy", own.0, own.1), Vec::<String>::new());
        assert_eq!(of("Widget", "self, **kwargs", "super().__init__(**kwargs)"), Vec::<String>::new());
    }
}
