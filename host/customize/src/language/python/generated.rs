//! What generated classes have and give: bases, members, the types of properties and the answers of methods. Read as text: no
//! type checker tells it where it takes a value on trust.

// An emitter wrote it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::python_classes::statements;
use bailiwick_sdk::syntax::{field, named_children, nodes, parse};
use tree_sitter::Node;

use super::keywords::Text;
use super::overrides::Source;

/// Types that hold or give values of the type in their brackets. A value of them is no value of that type.
const HOLDERS: [&str; 20] = [
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "Callable",
    "Dict",
    "Generator",
    "Iterable",
    "Iterator",
    "List",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "Sequence",
    "Set",
    "Tuple",
    "Type",
    "dict",
    "list",
    "set",
    "tuple",
];
/// The same, as names end: `ItemPaged`, `AsyncLROPoller`, and pollers that an emitter or a person made of them.
const HOLDERS_END: [&str; 2] = ["Paged", "Poller"];
/// Of these, what gives one such value after the other.
const SEQUENCES: [&str; 8] = ["Generator", "Iterable", "Iterator", "List", "Paged", "Sequence", "list", "Set"];
/// How deep classes extend one another.
const DEEPEST: usize = 8;

/// The classes of generated files, by their names.
#[derive(Debug, Default, Clone)]
pub(super) struct Generated {
    classes: BTreeMap<String, Class>,
    /// The names that each file has at its top level; `None` where an import brings in names that are not told.
    files: BTreeMap<String, Option<BTreeSet<String>>>,
}

#[derive(Debug, Default, Clone)]
struct Class {
    bases: BTreeSet<String>,
    /// Each member, with the words of the type that it has or answers with.
    members: BTreeMap<String, BTreeSet<String>>,
    /// Each member that holds or answers with several things, with the words of the type of one of them.
    items: BTreeMap<String, BTreeSet<String>>,
    /// What each method takes, in any of its overloads.
    takes: BTreeMap<String, BTreeSet<String>>,
}

impl Generated {
    /// Reads files; what cannot be parsed did not build either.
    pub(super) fn read(files: &[Text]) -> Self {
        let mut read = Self::default();
        for (path, text) in files {
            let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else {
                read.files.insert(path.clone(), None);
                continue;
            };
            let source = Source { text, root: tree.root_node() };
            read.files.insert(path.clone(), names(&source));
            for class in source.classes() {
                let Some(name) = field(class, "name").map(|name| source.of(name).to_owned()) else { continue };
                read.classes.entry(name).or_default().add(&source, class);
            }
        }
        read
    }

    pub(super) fn has_class(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// The members of a class itself, each with the generated classes that it holds.
    pub(super) fn holdings(&self, class: &str) -> Vec<(&str, BTreeSet<String>)> {
        let members = self.with_bases(class).into_iter().filter_map(|one| self.classes.get(one));
        let members = members.flat_map(|one| one.members.iter().filter(|(name, _)| !one.takes.contains_key(*name)));
        members.map(|(name, words)| (name.as_str(), self.known(words))).collect()
    }

    /// The methods of a class, also those that it extends.
    pub(super) fn methods(&self, class: &str) -> BTreeSet<&str> {
        let classes = self.with_bases(class).into_iter().filter_map(|one| self.classes.get(one));
        classes.flat_map(|one| one.takes.keys()).map(String::as_str).filter(|name| !name.starts_with("__")).collect()
    }

    /// The names of methods that classes have here and none has in other code, each with a class that has it.
    pub(super) fn methods_lost_in(&self, now: &Self) -> BTreeMap<String, String> {
        let is_there = |name: &String| now.classes.values().any(|class| class.members.contains_key(name));
        let all = self.classes.iter().flat_map(|(class, one)| one.takes.keys().map(move |name| (name, class)));
        let gone = all.filter(|(name, _)| !name.starts_with("__") && !is_there(name));
        gone.map(|(name, class)| (name.clone(), class.clone())).collect()
    }

    /// The arguments that methods took here and do not take in other code, by method and name, with the classes that had them.
    pub(super) fn arguments_lost_in(&self, now: &Self) -> BTreeMap<(String, String), BTreeSet<String>> {
        let mut lost: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        let methods = self
            .classes
            .iter()
            .flat_map(|(class, one)| one.takes.iter().map(move |(method, had)| (class, method, had)));
        for (class, method, had) in methods {
            let Some(takes) = now.classes.get(class).and_then(|one| one.takes.get(method)) else { continue };
            for argument in had.difference(takes) {
                lost.entry((method.clone(), argument.clone())).or_default().insert(class.clone());
            }
        }
        lost
    }

    /// Whether a method of one of these classes takes an argument of this name.
    pub(super) fn takes(&self, classes: &BTreeSet<String>, method: &str, argument: &str) -> bool {
        let takes = |class: &String| self.classes.get(class).and_then(|one| one.takes.get(method));
        classes.iter().filter_map(takes).any(|taken| taken.contains(argument))
    }

    /// Takes classes out that hand-written code puts others in the place of.
    pub(super) fn without(&mut self, replaced: &BTreeSet<String>) {
        self.classes.retain(|name, _| !replaced.contains(name));
    }

    /// A class and those that it extends.
    pub(super) fn with_bases<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let mut found = vec![name];
        for _ in 0..DEEPEST {
            let bases = found.iter().filter_map(|one| self.classes.get(*one)).flat_map(|class| &class.bases);
            let new: Vec<&str> = bases.map(String::as_str).filter(|base| !found.contains(base)).collect();
            if new.is_empty() {
                break;
            }
            found.extend(new);
        }
        found
    }

    /// The names of members that classes have here, and none of the same class in other code, where there is such a class.
    pub(super) fn lost_in(&self, now: &Self) -> BTreeSet<&str> {
        let gone = |class: &str, name: &str| now.has_class(class) && !now.has_member(class, name);
        let all = self.classes.keys().flat_map(|class| {
            let members = self.with_bases(class).into_iter().filter_map(|one| self.classes.get(one));
            let names = members.flat_map(|one| one.members.keys());
            names.filter(move |name| gone(class, name)).map(String::as_str)
        });
        all.filter(|name| !name.starts_with("__")).collect()
    }

    /// Whether a class has a member of this name.
    pub(super) fn has_member(&self, class: &str, name: &str) -> bool {
        self.with_bases(class)
            .iter()
            .any(|one| self.classes.get(*one).is_some_and(|one| one.members.contains_key(name)))
    }

    /// The generated classes of what a member of a class holds or answers with.
    pub(super) fn gives(&self, class: &str, name: &str) -> BTreeSet<String> {
        let classes = self.with_bases(class).into_iter().filter_map(|one| self.classes.get(one));
        classes.filter_map(|one| one.members.get(name)).flat_map(|words| self.known(words)).collect()
    }

    /// The generated classes of one of the things that a member of a class holds or answers with.
    pub(super) fn gives_each(&self, class: &str, name: &str) -> BTreeSet<String> {
        let classes = self.with_bases(class).into_iter().filter_map(|one| self.classes.get(one));
        classes.filter_map(|one| one.items.get(name)).flat_map(|words| self.known(words)).collect()
    }

    /// Those of these words that are generated classes.
    pub(super) fn known<'a>(&self, words: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
        words.into_iter().filter(|word| self.has_class(word)).cloned().collect()
    }

    /// The generated file that `from module import name` takes `name` from: itself, where it is a module.
    pub(super) fn file_of(&self, file: &str, module: &str, name: &str) -> Option<&str> {
        let path = path_of(file, module)?;
        let inside = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        let files = [&inside, &path].into_iter().flat_map(|path| [format!("{path}.py"), format!("{path}/__init__.py")]);
        files.into_iter().find_map(|one| self.files.get_key_value(&one)).map(|(known, _)| known.as_str())
    }

    /// Whether a generated file has all that it has written in it, and nothing of this name.
    pub(super) fn lacks(&self, file: &str, name: &str) -> bool {
        matches!(self.files.get(file), Some(Some(names)) if !names.contains(name))
    }
}

impl Class {
    fn add(&mut self, source: &Source<'_>, class: Node<'_>) {
        let bases = field(class, "superclasses").map(named_children).unwrap_or_default();
        self.bases.extend(bases.into_iter().filter_map(|base| last_name(source, base)));
        for statement in field(class, "body").map(statements).unwrap_or_default() {
            match statement.kind() {
                "function_definition" => {
                    let Some(name) = field(statement, "name").map(|name| source.of(name).to_owned()) else { continue };
                    if name == "__init__" {
                        self.kept(source, statement);
                    }
                    let method = field(statement, "name").map(|name| source.takes(name)).unwrap_or_default();
                    self.takes.entry(name.clone()).or_default().extend(method);
                    let answers = field(statement, "return_type").map(|one| source.of(one)).unwrap_or_default();
                    self.items.entry(name.clone()).or_default().extend(items(answers));
                    let answers = words(answers);
                    self.members.entry(name).or_default().extend(answers);
                }
                "expression_statement" => {
                    let Some(assigned) = statement.named_child(0).filter(|one| one.kind() == "assignment") else {
                        continue;
                    };
                    let name = field(assigned, "left").filter(|left| left.kind() == "identifier");
                    let said = field(assigned, "type").map(|one| source.of(one)).unwrap_or_default();
                    if let Some(name) = name {
                        self.items.entry(source.of(name).to_owned()).or_default().extend(items(said));
                        let said = words(said);
                        self.members.entry(source.of(name).to_owned()).or_default().extend(said);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a constructor keeps: `self.widgets = WidgetsOperations(…)`.
    fn kept(&mut self, source: &Source<'_>, constructor: Node<'_>) {
        for one in nodes(constructor).into_iter().filter(|one| one.kind() == "assignment") {
            let Some((left, right)) = field(one, "left").zip(field(one, "right")) else { continue };
            let Some(name) = own_member(source, left) else { continue };
            let made = field(right, "function").filter(|_| right.kind() == "call");
            let made = made.and_then(|function| last_name(source, function));
            self.members.entry(name.to_owned()).or_default().extend(made);
        }
    }
}

/// The names that a file has at its top level, those in `__all__` too. What hand-written `_patch.py` adds is asked for elsewhere.
fn names(source: &Source<'_>) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for node in nodes(source.root) {
        match node.kind() {
            "wildcard_import" => {
                let import = node.parent()?;
                if !field(import, "module_name").is_some_and(|module| source.of(module).ends_with("_patch")) {
                    return None;
                }
            }
            "identifier" => drop(found.insert(source.of(node).to_owned())),
            "string" => found.extend(source.content(node).map(str::to_owned)),
            _ => {}
        }
    }
    Some(found)
}

/// The member that `self.member` names.
pub(super) fn own_member<'t>(source: &Source<'t>, node: Node<'_>) -> Option<&'t str> {
    let object = field(node, "object").filter(|_| node.kind() == "attribute")?;
    let is_own = ["self", "cls"].contains(&source.of(object));
    field(node, "attribute").filter(|_| is_own).map(|name| source.of(name))
}

/// `B` of `a.B` and of `B`.
pub(super) fn last_name(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    let is_name = ["identifier", "attribute"].contains(&node.kind());
    source.of(node).rsplit('.').next().filter(|_| is_name).map(|name| name.trim().to_owned())
}

/// The names in an annotation that may be the class of a value, with their modules: `_models.Widget`. None where it says another
/// thing than one of some classes.
pub(super) fn dotted(annotation: &str) -> BTreeSet<&str> {
    let is_part = |one: char| one.is_alphanumeric() || ['_', '.'].contains(&one);
    let is_holder = |front: &str| {
        let name = front.rsplit(|one: char| !one.is_alphanumeric() && one != '_').next().unwrap_or_default();
        HOLDERS.contains(&name) || HOLDERS_END.iter().any(|end| name.ends_with(end))
    };
    if annotation.match_indices('[').any(|(at, _)| annotation.get(..at).is_some_and(is_holder)) {
        return BTreeSet::new();
    }
    annotation.split(|one: char| !is_part(one)).filter(|name| !name.is_empty()).collect()
}

/// The same without modules.
fn words(annotation: &str) -> BTreeSet<String> {
    dotted(annotation).into_iter().filter_map(|name| name.rsplit('.').next()).map(str::to_owned).collect()
}

/// The same of one of the things in a list or a pager: `Optional[list["_models.Widget"]]`.
fn items(annotation: &str) -> BTreeSet<String> {
    let ends = |front: &str| SEQUENCES.iter().any(|end| front.ends_with(end));
    let inner = annotation.match_indices('[').find_map(|(at, _)| {
        let (front, rest) = annotation.split_at_checked(at)?;
        ends(front).then(|| rest.trim_start_matches('['))
    });
    inner.map(words).unwrap_or_default()
}

/// Where a module lies that a file imports from, without `.py`.
fn path_of(file: &str, module: &str) -> Option<String> {
    let up = module.chars().take_while(|one| *one == '.').count();
    let rest = module.trim_start_matches('.').replace('.', "/");
    if up == 0 {
        return Some(rest);
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    for _ in 0..up {
        parts.pop()?;
    }
    parts.extend(Some(rest.as_str()).filter(|rest| !rest.is_empty()));
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: &str = "\
class _PartsClientOperationsMixin(Base):
    def get_part(self, name: str, **kwargs: Any) -> _models.Part: ...
    def list_parts(self) -> ItemPaged[\"_models.Part\"]: ...
    def begin_make(self) -> LROPoller[_models.Part]: ...
class PartsClient(_PartsClientOperationsMixin):
    def __init__(self):
        self.widgets = WidgetsOperations(self._client)
class WidgetsOperations:
    def get(self) -> Union[_models.Widget, _models.Part]: ...
";
    const MODELS: &str = "\
class Part(_Model):
    widget: Optional[\"_models.Widget\"] = rest_field()
    all: list[\"_models.Widget\"] = rest_field()
class Widget(_Model):
    name: str = rest_field()
";

    fn read() -> Generated {
        let file = |path: &str, text: &str| (format!("azure/p/_generated/{path}"), text.to_owned());
        Generated::read(&[
            file("_client.py", CLIENT),
            file("models/__init__.py", "from ._models import Widget\nfrom ._patch import *\n__all__ = []\n"),
            file("models/_models.py", MODELS),
        ])
    }

    #[test]
    fn members_of_generated_classes_are_known_with_what_they_give() {
        let generated = read();
        let gives = |class: &str, name: &str| generated.gives(class, name).into_iter().collect::<Vec<_>>();
        assert_eq!(gives("PartsClient", "get_part"), ["Part"]);
        assert_eq!(gives("PartsClient", "widgets"), ["WidgetsOperations"]);
        assert_eq!(gives("WidgetsOperations", "get"), ["Part", "Widget"]);
        assert_eq!(gives("Part", "widget"), ["Widget"]);
        for (class, name) in [("PartsClient", "list_parts"), ("PartsClient", "begin_make"), ("Part", "all")] {
            assert_eq!(gives(class, name), [""; 0], "{name}");
            assert!(generated.has_member(class, name), "{name}");
        }
        assert!(!generated.has_member("Part", "name"));
    }

    #[test]
    fn class_whose_name_holds_a_word_of_pagers_is_no_pager() {
        for name in ["IterationResult", "PagedPart", "PollerOptions", "Iterator", "Verdict"] {
            let annotation = format!("Optional[\"_models.{name}\"]");
            assert!(dotted(&annotation).contains(format!("_models.{name}").as_str()), "{name}");
        }
        for holder in ["AsyncItemPaged", "AnalyzeLROPoller", "collections.abc.Iterator", "typing.List", "Dict[str, "] {
            assert_eq!(dotted(&format!("{holder}[\"_models.Part\"]")), BTreeSet::new(), "{holder}");
        }
    }

    #[test]
    fn module_is_generated_where_the_import_leads_to_a_generated_file() {
        let generated = read();
        for (file, module, name, is_it) in [
            ("azure/p/_client.py", "._generated", "models", Some("models/__init__.py")),
            ("azure/p/_client.py", "._generated.models", "Part", Some("models/__init__.py")),
            ("azure/p/aio/_client.py", ".._generated.models._models", "Part", Some("models/_models.py")),
            ("azure/p/_client.py", "azure.p._generated.models", "Part", Some("models/__init__.py")),
            ("azure/p/_client.py", "._models", "Part", None),
            ("azure/p/_client.py", "....too.far.away", "Part", None),
        ] {
            let found = generated.file_of(file, module, name);
            let wanted = is_it.map(|file| format!("azure/p/_generated/{file}"));
            assert_eq!(found, wanted.as_deref(), "{file}: from {module} import {name}");
        }
        let models = "azure/p/_generated/models/__init__.py";
        assert!(
            generated.lacks(models, "Part") && !generated.lacks(models, "Widget") && !generated.lacks("a.py", "Part")
        );
    }
}
