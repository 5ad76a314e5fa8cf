//! Keywords of constructors under the old name of a property, which no type checker misses: overloads that people wrote name
//! them, and the method that runs hands every keyword on to the generated constructor.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::python_classes::{Keyword, constructor, statements};
use bailiwick_sdk::syntax::{field, line, named_children, nodes, parse};
use bailiwick_sdk::tasks::{EntityKind, Rename};
use tree_sitter::Node;

use super::arguments::Arguments;
use super::overrides::Source;

/// A file by its path.
pub(super) type Text = (String, String);

/// A place that still has the old keyword.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// The file, as its number.
    pub(super) file: usize,
    pub(super) line: u32,
    /// Whose constructor it is.
    pub(super) class: String,
}

/// The places in which hand-written files still use the old keyword of a renamed property, of constructors that a person wrote
/// and that do not take it themselves.
pub(super) fn kept(files: &[Text], rename: &Rename, all: &[Rename]) -> Vec<Kept> {
    let of_class = |one: &&Rename| one.kind == EntityKind::Property && one.container == rename.container;
    // Another property has this name now.
    let taken = all.iter().filter(of_class).any(|one| one.new == rename.old);
    let Some(container) = rename.container.as_ref().filter(|_| !taken) else { return Vec::new() };
    let renamed = all.iter().filter(|one| one.kind.is_type() && (one.old == *container || one.new == *container));
    let mut models: Vec<&str> = renamed.flat_map(|one| [one.old.as_str(), one.new.as_str()]).collect();
    models.push(container);
    if !files.iter().any(|(_, text)| text.contains(&rename.old)) {
        return Vec::new();
    }
    let (mut found, mut classes) = (Vec::new(), Vec::new());
    let trees = files.iter().map(|(_, text)| parse(&tree_sitter_python::LANGUAGE.into(), text));
    let trees: Vec<_> = trees.collect();
    let sources = || {
        let parsed = files.iter().zip(&trees).enumerate();
        parsed.filter_map(|(file, ((_, text), tree))| Some((file, Source { text, root: tree.as_ref()?.root_node() })))
    };
    for (file, source) in sources() {
        for class in derived(&source, &models) {
            let Some(own) = constructor(source.text, class, &rename.old) else { continue };
            let name = field(class, "name").map(|name| source.of(name)).unwrap_or_default();
            if own.keyword == Keyword::Own {
                continue;
            }
            classes.push(name.to_owned());
            let places = own.offered.into_iter().chain(own.named);
            found.extend(places.map(|place| Kept { file, line: line(place), class: name.to_owned() }));
        }
    }
    for (file, source) in sources().filter(|(_, source)| source.text.contains(&rename.old)) {
        let arguments = Arguments::read(&source);
        for call in nodes(source.root).into_iter().filter(|node| node.kind() == "call") {
            let Some(class) = constructed(&source, call).filter(|class| classes.contains(class)) else { continue };
            let given = arguments.of(&source, call).into_iter().filter(|(name, _)| *name == rename.old);
            found.extend(given.map(|(_, at)| Kept { file, line: line(at), class: class.clone() }));
        }
    }
    found
}

/// The classes of a file that extend one of these generated ones, also through each other.
fn derived<'t>(source: &Source<'t>, models: &[&str]) -> Vec<Node<'t>> {
    let mut found: Vec<Node<'t>> = Vec::new();
    loop {
        let before = found.len();
        for class in source.classes() {
            let bases = field(class, "superclasses").map(named_children).unwrap_or_default();
            let extends_own = bases.into_iter().any(|base| {
                found.iter().any(|one| field(*one, "name").is_some_and(|name| source.of(name) == source.of(base)))
            });
            let extends = extends_own || source.bases(class).iter().any(|base| models.contains(base));
            if extends && !found.contains(&class) {
                found.push(class);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The class of the package that a call constructs, by its own name.
fn constructed(source: &Source<'_>, call: Node<'_>) -> Option<String> {
    let function = field(call, "function")?;
    match function.kind() {
        "identifier" => {
            let name = source.of(function);
            let defined = source.classes().any(|class| field(class, "name").is_some_and(|own| source.of(own) == name));
            if defined { Some(name.to_owned()) } else { imported(source, name) }
        }
        "attribute" => {
            let module = field(function, "object").filter(|one| one.kind() == "identifier")?;
            imported(source, source.of(module))?;
            field(function, "attribute").map(|name| source.of(name).to_owned())
        }
        _ => None,
    }
}

/// What a name was imported as from any module of the package, hand-written ones too.
fn imported(source: &Source<'_>, name: &str) -> Option<String> {
    let imports = statements(source.root).into_iter().filter(|one| one.kind() == "import_from_statement");
    let own = imports.filter(|one| field(*one, "module_name").is_some_and(|one| source.of(one).starts_with('.')));
    own.flat_map(named_children).find_map(|node| match node.kind() {
        "aliased_import" => {
            let is_it = field(node, "alias").is_some_and(|alias| source.of(alias) == name);
            field(node, "name").filter(|_| is_it).map(|name| source.of(name).to_owned())
        }
        "dotted_name" => (source.of(node) == name).then(|| name.to_owned()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of `azure-eventgrid`.
    const MODELS: &str = "\
from ._models import ReceiveDetails as InternalReceiveDetails

class ReceiveDetails(InternalReceiveDetails):
    @overload
    def __init__(
        self,
        *,
        broker_properties: \"BrokerProperties\",
        event: \"CloudEvent\",
    ): ...
    @overload
    def __init__(self, mapping: Mapping[str, Any]): ...
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
";

    const USES: &str = "\
from ..models import ReceiveDetails
from .. import models as _models
details = ReceiveDetails(
    broker_properties=1,
)
same = _models.ReceiveDetails(broker_properties=1)
other = dict(broker_properties=2)
";

    fn rename(container: &str, old: &str, new: &str) -> Rename {
        let container = Some(container.to_owned());
        Rename { kind: EntityKind::Property, container, old: old.into(), new: new.into() }
    }

    fn of(models: &str, all: &[Rename]) -> Vec<String> {
        let files = [("models/_patch.py", models), ("_operations/_patch.py", USES)];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let found = kept(&files, all.first().unwrap(), all);
        found.into_iter().map(|one| format!("{}:{} {}", one.file, one.line, one.class)).collect()
    }

    #[test]
    fn keyword_of_an_overload_and_of_calls_that_a_constructor_hands_on_is_found() {
        let broker = rename("ReceiveDetails", "broker_properties", "broker");
        let all = ["0:8 ReceiveDetails", "1:4 ReceiveDetails", "1:6 ReceiveDetails"];
        assert_eq!(of(MODELS, std::slice::from_ref(&broker)), all);
        let further = format!(
            "{MODELS}class Special(ReceiveDetails):\n    def __init__(self, **kw):\n        kw[\"broker_properties\"] = 1\n"
        );
        assert_eq!(of(&further, std::slice::from_ref(&broker))[..2], ["0:8 ReceiveDetails", "0:17 Special"]);
        // Without overloads no call is missed either.
        let plain = "from ._models import ReceiveDetails as G\nclass ReceiveDetails(G):\n    def __init__(self, **kw):\n        super().__init__(**kw)\n";
        assert_eq!(of(plain, std::slice::from_ref(&broker)), all[1..]);
        let renamed =
            Rename { kind: EntityKind::Model, container: None, old: "ReceiveDetails".into(), new: "Details".into() };
        assert_eq!(of(MODELS, &[rename("Details", "broker_properties", "broker"), renamed]), all);
    }

    #[test]
    fn key_of_a_dictionary_that_a_constructor_is_given_is_found() {
        // The shape of `azure-search-documents`.
        let made = "def make(kind):\n    result = {\"kind\": kind}\n    if kind:\n        result[\"broker_properties\"] = 1\n    return ReceiveDetails(**result)\n";
        let broker = rename("ReceiveDetails", "broker_properties", "broker");
        let of = |text: &str| {
            let found = of(&format!("{MODELS}{text}"), std::slice::from_ref(&broker));
            found.into_iter().filter(|one| one.starts_with("0:1")).collect::<Vec<_>>()
        };
        assert_eq!(of(made), ["0:18 ReceiveDetails"]);
        assert_eq!(of(&made.replace("**result", "result")), [""; 0]);
    }

    #[test]
    fn keyword_that_a_constructor_takes_itself_or_that_another_property_has_now_is_right() {
        let broker = || rename("ReceiveDetails", "broker_properties", "broker");
        let own = MODELS
            .replace("def __init__(self, *args: Any, ", "def __init__(self, *args: Any, broker_properties=None, ");
        assert_eq!(of(&own, &[broker()]), Vec::<String>::new());
        assert_eq!(
            of(MODELS, &[broker(), rename("ReceiveDetails", "event", "broker_properties")]),
            Vec::<String>::new()
        );
        assert_eq!(of(MODELS, &[rename("Other", "broker_properties", "broker")]), Vec::<String>::new());
        assert_eq!(of("class ReceiveDetails(:", &[broker()]), Vec::<String>::new());
        let followed = MODELS.replace("broker_properties", "broker");
        assert_eq!(of(&followed, &[broker()])[..], ["1:4 ReceiveDetails", "1:6 ReceiveDetails"]);
    }
}
