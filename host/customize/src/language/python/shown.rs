//! Public Python that people wrote, under the name of something generated.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::python_names::python_name;
use bailiwick_sdk::syntax::{field, line, named_children, parse};
use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::shown::{Place, Shown, Sought};
use super::overrides::{Source, undecorated};

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
            let holders = classes(holder, place);
            let is_holder = |name: &str| holders.iter().any(|holder| holder == name);
            let forms = [called.clone(), format!("begin_{called}")];
            let of_class = |class: Node<'_>| {
                let extends = source.bases(class).into_iter().any(is_holder) || is_holder(name_of(class));
                let public = !name_of(class).starts_with('_') || name_of(class).ends_with("OperationsMixin");
                let found = forms.iter().filter_map(|form| {
                    // Overloads are one method.
                    let methods = source.methods(class, form);
                    let (first, last) = (*methods.first()?, *methods.last()?);
                    let wraps = || {
                        source.makes_client(class)
                            && last
                                .parent()
                                .is_some_and(|method| generated.iter().any(|name| source.reads_member_of(method, name)))
                    };
                    (public && (extends || wraps()))
                        .then(|| Shown::alone(line(first), format!("{}.{form}", name_of(class))))
                });
                found.collect::<Vec<_>>()
            };
            source.classes().flat_map(of_class).collect()
        }
        Sought::Type { name } => {
            let is_it = |class: &Node<'_>| name_of(*class) == *name;
            source.classes().filter(is_it).map(|class| Shown::alone(line(class), name.clone())).collect()
        }
        Sought::Property { models, name } => {
            let called = python_name(EntityKind::Property, name);
            let known = |name: &str| models.iter().any(|model| python_name(EntityKind::Model, model) == name);
            let of_class = |class: Node<'_>| {
                let known = !name_of(class).starts_with('_') && source.bases(class).into_iter().any(known);
                let member = known.then(|| declared(&source, class, &called)).flatten()?;
                Some(Shown::alone(line(member), format!("{}.{called}", name_of(class))))
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
    let members = field(class, "body").map(named_children).unwrap_or_default().into_iter();
    members.map(undecorated).find_map(|member| {
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
}
