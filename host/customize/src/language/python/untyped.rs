//! Members of generated things under a name that is gone, where the type checker takes a value on trust: a client in an
//! attribute that may hold anything, its answers, and lines that it was told to leave alone. What such a value is follows from
//! what the code says of it: an import, an assignment, an annotation, and what generated methods answer with.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::cell::Cell;
use std::collections::BTreeSet;

use bailiwick_sdk::python_classes::statements;
use bailiwick_sdk::syntax::{around, column, field, line, named_children, nodes, parse};
use bailiwick_sdk::tasks::{EntityKind, Rename};
use tree_sitter::{Node, Tree};

use super::generated::{Generated, dotted, own_member};
use super::keywords::Text;
use super::overrides::{Source, holds};

/// How many steps a value is followed, one behind the other.
const DEEPEST: usize = 24;
/// How many imports, classes and assignments are looked at for one file in all: names may be given one another in a circle.
const STEPS: usize = 2_000_000;

/// A place that says an old name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gone<'r> {
    /// The file, as its number.
    pub(super) file: usize,
    pub(super) line: u32,
    /// Where the expression begins, as type checkers count it.
    pub(super) column: u32,
    /// The name that is said there: `begin_make` of an operation `make`.
    pub(super) name: String,
    pub(super) what: What<'r>,
    /// Whose it was: a class, or nothing for a class itself.
    pub(super) of: Option<String>,
}

/// What became of what has the name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum What<'r> {
    Renamed(&'r Rename),
    /// A class that its module does not give any more: it became internal.
    Hidden,
    /// A member that its class does not have any more, of which no rename tells: it moved, or its group has another name.
    Lost,
}

/// The places in hand-written files that say the old name of something generated of which the code tells what it is. The
/// generated code is asked for as it was before it changed, and as it is.
///
/// # Errors
/// When the generated code cannot be read.
pub(super) fn gone<'r, E>(
    files: &[Text],
    renames: &'r [Rename],
    is_changed: bool,
    generated: impl FnOnce() -> Result<(Generated, Generated), E>,
) -> Result<Vec<Gone<'r>>, E> {
    let renames: Vec<&Rename> = renames.iter().filter(|rename| is_looked_for(rename)).collect();
    if renames.is_empty() && !is_changed {
        return Ok(Vec::new());
    }
    let trees: Vec<Option<Tree>> =
        files.iter().map(|(_, text)| parse(&tree_sitter_python::LANGUAGE.into(), text)).collect();
    let sources = files.iter().zip(&trees).enumerate().filter_map(|(number, ((path, text), tree))| {
        Some(File::of(number, path, Source { text, root: tree.as_ref()?.root_node() }))
    });
    let (mut before, mut generated) = generated()?;
    let sources: Vec<File<'_>> = sources.collect();
    let replaced = replacing(&sources);
    before.without(&replaced);
    generated.without(&replaced);
    let lost = before.lost_in(&generated);
    let own = sources.iter().flat_map(File::class_names).collect();
    let code = Code { before: &before, lost, generated, files: &sources, own, steps: Cell::new(STEPS) };
    let mut found = Vec::new();
    for file in &sources {
        code.steps.set(STEPS);
        for node in nodes(file.source.root) {
            found.extend(code.says_old(file, node, &renames));
        }
    }
    found.sort_by_key(|one| (one.file, one.line, one.column));
    Ok(found)
}

fn is_looked_for(rename: &Rename) -> bool {
    let is_member = matches!(rename.kind, EntityKind::Property | EntityKind::Operation);
    (is_member || rename.kind.is_type()) && !rename.old.starts_with('_')
}

/// The classes that stand in the place of generated ones of their name.
fn replacing(files: &[File<'_>]) -> BTreeSet<String> {
    let patches = files.iter().filter(|file| super::is_patch(file.path));
    patches.flat_map(File::class_names).map(str::to_owned).collect()
}

struct File<'t> {
    number: usize,
    path: &'t str,
    source: Source<'t>,
    /// Its `from … import …`.
    imports: Vec<Node<'t>>,
    classes: Vec<Node<'t>>,
    /// All assignments in it, in their order.
    assignments: Vec<Node<'t>>,
}

impl<'t> File<'t> {
    fn of(number: usize, path: &'t str, source: Source<'t>) -> Self {
        let all = statements(source.root).into_iter();
        let imports = all.filter(|one| one.kind() == "import_from_statement").collect();
        let mut assignments = nodes(source.root);
        assignments.retain(|one| one.kind() == "assignment");
        assignments.sort_by_key(Node::start_byte);
        Self { number, path, source, imports, classes: source.classes().collect(), assignments }
    }

    fn class_names(&self) -> impl Iterator<Item = &'t str> {
        self.classes.iter().filter_map(|class| field(*class, "name").map(|name| self.source.of(name)))
    }

    /// The assignments in a part of it.
    fn assignments_in(&self, part: Node<'_>) -> &[Node<'t>] {
        let at = |byte: usize| self.assignments.partition_point(|one| one.start_byte() < byte);
        self.assignments.get(at(part.start_byte())..at(part.end_byte())).unwrap_or_default()
    }
}

/// What a value may be.
#[derive(Debug, Default)]
struct Value {
    /// Generated modules, by their files.
    modules: BTreeSet<String>,
    /// Generated classes.
    classes: BTreeSet<String>,
    /// What it is one of.
    objects: BTreeSet<String>,
}

impl Value {
    fn and(mut self, more: Self) -> Self {
        self.modules.extend(more.modules);
        self.classes.extend(more.classes);
        self.objects.extend(more.objects);
        self
    }

    fn is_empty(&self) -> bool {
        self.modules.is_empty() && self.classes.is_empty() && self.objects.is_empty()
    }

    fn one_of(objects: BTreeSet<String>) -> Self {
        Self { objects, ..Self::default() }
    }
}

struct Code<'c, 't> {
    before: &'c Generated,
    /// The members that classes had before and have no more.
    lost: BTreeSet<&'c str>,
    generated: Generated,
    files: &'c [File<'t>],
    /// The names of hand-written classes.
    own: BTreeSet<&'t str>,
    /// The steps that are left for the file that is looked at.
    steps: Cell<usize>,
}

impl<'t> Code<'_, 't> {
    /// What a node says of a generated thing that has another name now.
    fn says_old<'r>(&self, file: &File<'t>, node: Node<'t>, renames: &[&'r Rename]) -> Option<Gone<'r>> {
        let source = &file.source;
        let gone = |name: &str, what, of| {
            let (line, column, name) = (line(node), column(node), name.to_owned());
            Some(Gone { file: file.number, line, column, name, what, of })
        };
        match node.kind() {
            "attribute" => {
                let (object, member) = (field(node, "object")?, field(node, "attribute")?);
                let name = source.of(member);
                let rename = renames.iter().find(|rename| is_called(rename, name));
                if rename.is_none() && self.lost.contains(name) {
                    let of = self.loser(&self.value(file, object, DEEPEST).objects, name)?;
                    return gone(name, What::Lost, Some(of));
                }
                if rename.is_none_or(|rename| rename.kind.is_type()) {
                    let is_known = rename.is_some() || self.generated.has_class(name);
                    if !is_known || !name.starts_with(char::is_uppercase) {
                        return None;
                    }
                    let modules = self.value(file, object, DEEPEST).modules;
                    let is_lost = self.is_lost(&modules, name);
                    let what = match rename {
                        Some(rename) if !self.generated.has_class(name) => What::Renamed(rename),
                        _ if is_lost => What::Hidden,
                        _ => return None,
                    };
                    return gone(name, what, None).filter(|_| !modules.is_empty());
                }
                let value = self.value(file, object, DEEPEST);
                let all = renames.iter().filter(|other| is_called(other, name) && !other.kind.is_type());
                let (rename, of) = self.first_owner(&value.objects, all, name)?;
                gone(name, What::Renamed(rename), Some(of))
            }
            "keyword_argument" => {
                let keyword = field(node, "name")?;
                let name = source.of(keyword);
                let is_it = |rename: &&&Rename| rename.kind == EntityKind::Property && rename.old == name;
                renames.iter().find(is_it)?;
                let function = field(around(node, &["call"])?, "function")?;
                let value = self.value(file, function, DEEPEST);
                let (rename, of) = self.first_owner(&value.classes, renames.iter().filter(is_it), name)?;
                gone(name, What::Renamed(rename), Some(of))
            }
            _ => None,
        }
    }

    /// Whether a class is generated, and none of these modules gives it.
    fn is_lost(&self, modules: &BTreeSet<String>, name: &str) -> bool {
        // A `_patch.py` beside may add it.
        let is_added = || self.files.iter().any(|file| super::is_patch(file.path) && file.source.text.contains(name));
        self.generated.has_class(name) && modules.iter().all(|file| self.generated.lacks(file, name)) && !is_added()
    }

    /// The class of these that had a member before, where none has it now.
    fn loser(&self, classes: &BTreeSet<String>, name: &str) -> Option<String> {
        let is_there = classes.iter().any(|class| self.generated.has_member(class, name));
        let had_it = |class: &&String| self.before.has_member(class, name);
        classes.iter().find(had_it).filter(|_| !is_there).cloned()
    }

    /// Of several renames of one name the first whose thing one of these classes had, with that class.
    fn first_owner<'a, 'r: 'a>(
        &self,
        classes: &BTreeSet<String>,
        mut renames: impl Iterator<Item = &'a &'r Rename>,
        name: &str,
    ) -> Option<(&'r Rename, String)> {
        renames.find_map(|rename| Some((*rename, self.owner(classes, rename, name)?)))
    }

    /// The class of these that had the member and has it no more.
    fn owner(&self, classes: &BTreeSet<String>, rename: &Rename, name: &str) -> Option<String> {
        let has_it = |class: &&String| {
            let mut line = self.generated.with_bases(class).into_iter();
            match rename.kind {
                EntityKind::Operation => {
                    line.any(|one| holds(one.trim_start_matches('_'), rename.container.as_deref()))
                }
                _ => line.any(|one| rename.container.as_deref() == Some(one)),
            }
        };
        // What one of the classes that a value may be of has still is no error there.
        if classes.iter().any(|class| self.generated.has_member(class, name)) {
            return None;
        }
        classes.iter().find(has_it).cloned()
    }

    /// Takes steps, where there are so many left.
    fn take(&self, steps: usize) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(steps)?);
        Some(())
    }

    fn value(&self, file: &File<'t>, node: Node<'t>, left: usize) -> Value {
        let Some((left, ())) = left.checked_sub(1).zip(self.take(1)) else { return Value::default() };
        let all = |nodes: Vec<Node<'t>>| {
            nodes.into_iter().fold(Value::default(), |all, one| all.and(self.value(file, one, left)))
        };
        match node.kind() {
            "identifier" => self.named(file, node, left),
            "attribute" => self.member(file, node, left),
            "call" => self.answer(file, node, left),
            "await" | "parenthesized_expression" | "boolean_operator" => all(named_children(node)),
            "conditional_expression" => {
                let children = named_children(node);
                all(children.first().into_iter().chain(children.get(2)).copied().collect())
            }
            _ => Value::default(),
        }
    }

    /// What a name stands for: what the functions around it say of it, or what was imported under it.
    fn named(&self, file: &File<'t>, node: Node<'t>, left: usize) -> Value {
        let name = file.source.of(node);
        let mut here = node;
        while let Some(function) = around(here, &["function_definition", "lambda"]) {
            let (is_bound, value) = self.local(file, function, name, node, left);
            if is_bound {
                return value;
            }
            here = function;
        }
        self.imported(file, name)
    }

    /// What a function says of a name of its own, and whether it has one.
    fn local(&self, file: &File<'t>, function: Node<'t>, name: &str, of: Node<'t>, left: usize) -> (bool, Value) {
        let source = &file.source;
        let (mut is_bound, mut value) = (false, Value::default());
        // Which of its values a name has at a place is not followed: one that nothing is known of may be meant.
        let mut is_mixed = false;
        for parameter in field(function, "parameters").map(named_children).unwrap_or_default() {
            let named = match parameter.kind() {
                "identifier" => Some(parameter),
                "typed_parameter" => parameter.named_child(0),
                _ => field(parameter, "name"),
            };
            if named.is_some_and(|named| source.of(named) == name) {
                is_bound = true;
                let annotation = field(parameter, "type");
                let annotated = self.annotated(file, annotation);
                is_mixed |= annotation.is_some() && annotated.is_empty();
                value = value.and(annotated);
            }
        }
        let assignments = file.assignments_in(function);
        if self.take(assignments.len()).is_none() {
            return (true, Value::default());
        }
        for one in assignments.iter().copied() {
            let is_it = field(one, "left").is_some_and(|left| left.kind() == "identifier" && source.of(left) == name);
            if is_it && around(one, &["function_definition", "lambda"]) == Some(function) {
                is_bound = true;
                value = value.and(self.annotated(file, field(one, "type")));
                let right = field(one, "right").filter(|right| !right.byte_range().contains(&of.start_byte()));
                if let Some(right) = right {
                    let given = self.value(file, right, left);
                    is_mixed |= given.is_empty() && right.kind() != "none" && field(one, "type").is_none();
                    value = value.and(given);
                }
            }
        }
        (is_bound, if is_mixed { Value::default() } else { value })
    }

    /// What an annotation says: a generated class by its own name, or behind that of a generated module.
    fn annotated(&self, file: &File<'t>, annotation: Option<Node<'t>>) -> Value {
        let names = annotation.map(|one| dotted(file.source.of(one))).unwrap_or_default();
        // `Union[_models.Part, PartInfo]`: which of the two it is at a place, the type checker knows.
        if names.iter().any(|name| self.own.contains(name) && self.imported(file, name).is_empty()) {
            return Value::default();
        }
        let class = |name: &str| match name.rsplit_once('.') {
            Some((module, class)) => {
                let is_module = !self.imported(file, module).modules.is_empty();
                self.generated.known([&class.to_owned()]).into_iter().filter(move |_| is_module).collect()
            }
            None => self.imported(file, name).classes,
        };
        Value::one_of(names.into_iter().flat_map(class).collect())
    }

    /// What an import from generated code brings under a name.
    fn imported(&self, file: &File<'t>, name: &str) -> Value {
        let source = &file.source;
        let imports = if self.take(file.imports.len()).is_some() { file.imports.as_slice() } else { &[] };
        for import in imports {
            let Some(module) = field(*import, "module_name").map(|module| source.of(module)) else { continue };
            let mut cursor = import.walk();
            for one in import.children_by_field_name("name", &mut cursor) {
                let (original, bound) = match one.kind() {
                    "aliased_import" => (field(one, "name"), field(one, "alias")),
                    _ => (Some(one), Some(one)),
                };
                let (Some(original), Some(bound)) = (original, bound) else { continue };
                let original = source.of(original);
                if source.of(bound) != name {
                    continue;
                }
                let Some(from) = self.generated.file_of(file.path, module, original) else { continue };
                if self.generated.has_class(original) {
                    return Value { classes: BTreeSet::from([original.to_owned()]), ..Value::default() };
                }
                let is_module = !original.contains(char::is_uppercase);
                let modules = is_module.then(|| from.to_owned()).into_iter().collect();
                return Value { modules, ..Value::default() };
            }
        }
        Value::default()
    }

    fn member(&self, file: &File<'t>, node: Node<'t>, left: usize) -> Value {
        let Some((object, name)) = field(node, "object").zip(field(node, "attribute")) else { return Value::default() };
        let name = file.source.of(name);
        if own_member(&file.source, node).is_some() {
            let class = around(node, &["class_definition"]).and_then(|class| field(class, "name"));
            return class.map(|class| self.kept(file.source.of(class), name, left)).unwrap_or_default();
        }
        let of = self.value(file, object, left);
        let mut value = Value::one_of(of.objects.iter().flat_map(|class| self.generated.gives(class, name)).collect());
        if !of.modules.is_empty() {
            value.classes.extend(self.generated.known([&name.to_owned()]));
        }
        value
    }

    /// What hand-written classes of this name, and those that they extend, keep in an attribute.
    fn kept(&self, class: &str, attribute: &str, left: usize) -> Value {
        let Some(left) = left.checked_sub(1) else { return Value::default() };
        let mut value = Value::default();
        for file in self.files {
            let source = &file.source;
            if self.take(file.classes.len().saturating_add(1)).is_none() {
                return Value::default();
            }
            let is_it = |one: &Node<'_>| field(*one, "name").is_some_and(|name| source.of(name) == class);
            for found in file.classes.iter().copied().filter(is_it) {
                let assignments = file.assignments_in(found);
                if self.take(assignments.len()).is_none() {
                    return Value::default();
                }
                for one in assignments.iter().copied() {
                    let is_kept = field(one, "left").and_then(|one| own_member(source, one)) == Some(attribute);
                    if let Some(right) = field(one, "right").filter(|_| is_kept) {
                        value = value.and(self.value(file, right, left));
                    }
                    value = value.and(self.annotated(file, field(one, "type").filter(|_| is_kept)));
                }
                for base in field(found, "superclasses").map(named_children).unwrap_or_default() {
                    let base = source.of(base).rsplit('.').next().unwrap_or_default();
                    // `class Parts(_ops.Parts)` extends the generated one of its name.
                    if base != class {
                        value = value.and(self.kept(base, attribute, left));
                    }
                    // It is a generated one itself.
                    value.objects.extend(self.generated.gives(base, attribute));
                }
            }
        }
        value
    }

    /// What a call answers with.
    fn answer(&self, file: &File<'t>, call: Node<'t>, left: usize) -> Value {
        let Some(function) = field(call, "function") else { return Value::default() };
        let made = self.value(file, function, left);
        let mut value = Value::one_of(made.classes);
        let arguments = field(call, "arguments").map(named_children).unwrap_or_default();
        // With `cls` it answers with what that function makes.
        let makes_other = arguments.iter().any(|one| {
            field(*one, "name")
                .filter(|_| one.kind() == "keyword_argument")
                .is_some_and(|name| file.source.of(name) == "cls")
        });
        if function.kind() == "attribute" && !makes_other {
            value.objects.extend(made.objects);
        }
        value
    }
}

fn is_called(rename: &Rename, name: &str) -> bool {
    let begun = || rename.kind == EntityKind::Operation && name.strip_prefix("begin_") == Some(rename.old.as_str());
    rename.old == name || begun()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "\
from .._generated import PartsClient as _Client
from .._generated import models as _models

class Base:
    def __init__(self, **kwargs: Any) -> None:
        given = kwargs.get(\"client\")
        if given:
            self._client = given
            self._models = kwargs.get(\"models\") or _models
            return
        self._client = _Client(credential=None)
        self._models = _models
";
    const OWN: &str = "\
from ._shared import Base
from ._models import Part
from ._generated import models as _models
class Parts(Base):
    def get(self, name):
        part = self._client.get_part(name)
        label = part.label
        return Part(part.widget.title, label=self._models.Label(text=\"a\"))
    async def make(self):
        answer = await self._client.make_part(parameters=self._models.Part(label=\"b\"))
        return answer.label, self.label, answer.other.label
    def partial(self):
        return partial(self._client.get_part, cls=lambda part: part.label)
    def typed(self, part: \"_models.Part\", widget: Union[\"_models.Widget\", \"_models.Other\"]):
        return part.label, widget.title  # type: ignore
";
    const CLIENT: &str = "\
class _PartsClientOperationsMixin:
    def find_part(self, name) -> _models.Part: ...
    def make_part(self, parameters) -> _models.Part: ...
class PartsClient(_PartsClientOperationsMixin): ...
";
    const MODELS: &str = "\
class Part(_Model):
    widget: Optional[\"_models.Widget\"] = rest_field()
    caption: str = rest_field()
    other: \"_models.Other\" = rest_field()
class Widget(_Model):
    heading: str = rest_field()
class Other(_Model):
    label: str = rest_field()
    title: str = rest_field()
class Caption(_Model):
    text: str = rest_field()
class Internal(_Model): ...
";

    const EXPORTS: &str = "from ._models import Part, Widget, Other, Caption\n";

    fn found(own: &[(&str, &str)], rename: &Rename) -> Vec<(usize, u32)> {
        let text = |(path, text): &(&str, &str)| (format!("azure/p/{path}"), (*text).to_owned());
        let own: Vec<Text> = own.iter().map(text).collect();
        let generated = [
            ("_generated/_client.py", CLIENT),
            ("_generated/__init__.py", ""),
            ("_generated/models/__init__.py", EXPORTS),
            ("_generated/models/_models.py", MODELS),
        ];
        let generated: Vec<Text> = generated.iter().map(text).collect();
        let renames = [rename.clone()];
        let read = || Ok::<_, std::convert::Infallible>((Generated::default(), Generated::read(&generated)));
        let found = gone(&own, &renames, false, read).unwrap();
        found.into_iter().map(|one| (one.file, one.line)).collect()
    }

    #[test]
    fn operation_that_moved_and_group_that_has_another_name_are_missed_where_no_rename_tells() {
        let own = "\
from ._shared import Base
class Parts(Base):
    def get(self, name, other):
        self._client.shelves.list(name)
        self._client.find_part(name)
        other.shelves.find_part(name)
        return self._client.send(name), self._client.models.find_part(name)
";
        let client = |body: &str| {
            let text = format!(
                "class PartsClient:\n    def __init__(self):\n{body}class ModelsOperations:\n    def find_part(self): ...\n"
            );
            Generated::read(&[
                ("azure/p/_generated/_client.py".to_owned(), text),
                ("azure/p/_generated/__init__.py".to_owned(), String::new()),
            ])
        };
        let models = "        self.models = ModelsOperations(1)\n";
        let before = format!(
            "{models}        self.shelves = ShelvesOperations(1)\n    def find_part(self, name) -> str: ...\n    def send(self): ...\n"
        );
        let after = format!("{models}        self.racks = RacksOperations(1)\n    def send(self): ...\n");
        let text = |path: &str, text: &str| (format!("azure/p/{path}"), text.to_owned());
        let own = [text("_client.py", own), text("_shared/base.py", BASE)];
        let read = || Ok::<_, std::convert::Infallible>((client(&before), client(&after)));
        let found: Vec<_> =
            gone(&own, &[], true, read).unwrap().into_iter().map(|one| (one.line, one.name, one.what)).collect();
        assert_eq!(found, [(4, "shelves".to_owned(), What::Lost), (5, "find_part".to_owned(), What::Lost)]);
    }

    fn rename(kind: EntityKind, container: Option<&str>, old: &str, new: &str) -> Rename {
        Rename { kind, container: container.map(str::to_owned), old: old.into(), new: new.into() }
    }

    const PACKAGE: [(&str, &str); 2] = [("_client.py", OWN), ("_shared/base.py", BASE)];

    #[test]
    fn operation_of_a_client_in_an_untyped_attribute_is_found_under_its_old_name() {
        let of = |container| found(&PACKAGE, &rename(EntityKind::Operation, container, "get_part", "find_part"));
        assert_eq!(of(None), [(0, 6), (0, 13)]);
        assert_eq!(of(Some("Widgets")), []);
        let there = rename(EntityKind::Operation, None, "make_part", "build_part");
        assert_eq!(found(&PACKAGE, &there), [], "the client has it still");
    }

    #[test]
    fn type_that_an_untyped_module_gives_is_found_under_its_old_name() {
        let label = rename(EntityKind::Model, None, "Label", "Caption");
        assert_eq!(found(&PACKAGE, &label), [(0, 8)]);
        assert_eq!(found(&PACKAGE, &rename(EntityKind::Model, None, "Part", "Piece")), [], "there is one still");
    }

    #[test]
    fn property_of_an_answer_and_keyword_of_a_model_are_found_and_members_of_other_things_are_not() {
        let own = OWN.replace("get_part", "find_part");
        let package = [("_client.py", own.as_str()), PACKAGE[1]];
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&package, &label), [(0, 7), (0, 10), (0, 11), (0, 15)]);
        let title = rename(EntityKind::Property, Some("Widget"), "title", "heading");
        assert_eq!(found(&package, &title), [(0, 8)], "one of the two classes of the last line has it still");
        assert_eq!(found(&package, &rename(EntityKind::Property, Some("Label"), "label", "caption")), []);
    }

    #[test]
    fn class_that_became_internal_is_found_where_a_module_of_generated_code_is_to_give_it() {
        let own = OWN.replace("get_part", "find_part").replace("_models.Part(", "_models.Hidden(");
        let package = [("_client.py", own.as_str()), PACKAGE[1]];
        let any = rename(EntityKind::Operation, None, "list_all", "_list_all");
        assert_eq!(found(&package, &any), [], "nothing is called so");
        let own = own.replace("Hidden", "Internal");
        let package = [("_client.py", own.as_str()), PACKAGE[1]];
        assert_eq!(found(&package, &any), [(0, 10)]);
    }

    #[test]
    fn class_that_a_person_wrote_under_the_name_of_a_generated_one_is_another() {
        let own = "from ._models import Part\ndef f(part: Optional[Part], other: \"Part\"):\n    return part.label, other.label\n";
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&[("_client.py", own)], &label), []);
    }

    #[test]
    fn names_that_are_given_one_another_in_a_circle_come_to_an_end() {
        let lines = "        a, b = b, a\n        a = b.x or a.x or b\n        b = a.x or b.x or a\n".repeat(40);
        let own = format!("class Parts:\n    def f(self, a, b):\n{lines}        return a.label\n");
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&[("_client.py", &own)], &label), []);
    }

    #[test]
    fn large_file_whose_every_line_says_the_name_comes_to_an_end() {
        let lines = "        a = b.x or a.x or b\n        b = a.label or b.label or a.Part\n".repeat(2000);
        let own = format!("class Parts:\n    def f(self, a, b):\n{lines}");
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&[("_client.py", &own)], &label), []);
    }

    #[test]
    fn every_place_of_a_large_file_is_found() {
        let method =
            "    def get(self, name):\n        part = self._client.find_part(name)\n        return part.label\n";
        let own = format!("from ._shared import Base\nclass Parts(Base):\n{}", method.repeat(1000));
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&[("_client.py", &own), PACKAGE[1]], &label).len(), 1000);
    }

    #[test]
    fn name_that_may_stand_for_a_hand_written_object_is_left_alone() {
        let own = "\
from ._shared import Base
from ._generated import models as _models
class PartInfo: ...
class Parts(Base):
    def get(self, name):
        part = self._client.find_part(name)
        part = PartInfo._from_generated(part)
        return part.label
    def either(self, part: Union[_models.Part, PartInfo]):
        return part.label
    def later(self, part: PartInfo):
        label = part.label
        part = self._client.find_part(label)
";
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&[("_client.py", own), PACKAGE[1]], &label), []);
    }

    #[test]
    fn classes_that_extend_the_generated_one_of_their_name_in_several_files_come_to_an_end() {
        let own = "class Parts(_ops.Parts):\n    def get(self):\n        return self._client.find_part(\"a\").label\n";
        let paths: Vec<String> = (0..8).map(|at| format!("operations_{at}/_patch.py")).collect();
        let package: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), own)).collect();
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&package, &label), []);
    }

    #[test]
    fn class_that_a_person_puts_in_the_place_of_a_generated_one_is_not_judged() {
        let patch = "class Part(_Part):\n    label: str\n";
        let own = OWN.replace("get_part", "find_part");
        let package = [("_client.py", own.as_str()), PACKAGE[1], ("_generated/models/_patch.py", patch)];
        let label = rename(EntityKind::Property, Some("Part"), "label", "caption");
        assert_eq!(found(&package, &label), []);
    }
}
