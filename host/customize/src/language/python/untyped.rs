//! Members of generated things under a name that is gone, where the type checker takes a value on trust: a client in an
//! attribute that may hold anything, its answers, and lines that it was told to leave alone. What such a value is follows from
//! what the code says of it: an import, an assignment, an annotation, and what generated methods answer with.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::syntax::{around, column, field, line, named_children, nodes, parse};
use bailiwick_sdk::tasks::{EntityKind, Rename};
use tree_sitter::{Node, Tree};

use super::drift::COMMON;
use super::generated::{Generated, dotted, own_member};
use super::keywords::Text;
use super::overrides::{Source, forms, holds};
use calls::LostArguments;
use file::File;

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
    /// A member that its class does not have any more, of which no rename tells: it moved, or its group has another name. What it
    /// is reached by now, where that is certain: `settings.get`.
    Lost(Option<String>),
    /// An argument that its method does not take any more, with its name of now where a rename tells it.
    Argument(Option<&'r Rename>),
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
    let all = renames;
    let renames: Vec<&Rename> = renames.iter().filter(|rename| is_looked_for(rename)).collect();
    if renames.is_empty() && !is_changed {
        return Ok(Vec::new());
    }
    let trees: Vec<Option<Tree>> =
        files.iter().map(|(_, text)| parse(&tree_sitter_python::LANGUAGE.into(), text)).collect();
    let sources = files.iter().zip(&trees).enumerate().filter_map(|(number, ((path, text), tree))| {
        Some(File::of(number, path, Source { text, root: tree.as_ref()?.root_node() }))
    });
    let sources: Vec<File<'_>> = sources.collect();
    let (mut before, mut generated) = generated()?;
    let arguments = LostArguments::of(&before, &generated, all);
    let mut methods = before.methods_lost_in(&generated);
    let defined = sources.iter().flat_map(File::defined).collect();
    methods.retain(|name, _| !COMMON.contains(&name.as_str()));
    let replaced = replacing(&sources);
    let whole = generated.clone();
    before.without(&replaced);
    generated.without(&replaced);
    let lost = before.lost_in(&generated);
    let own = sources.iter().flat_map(File::class_names).collect();
    let code = Code {
        before: &before,
        lost,
        methods,
        defined,
        arguments,
        whole,
        generated,
        files: &sources,
        own,
        steps: Cell::new(STEPS),
    };
    let mut found = Vec::new();
    for file in &sources {
        code.steps.set(STEPS);
        for node in nodes(file.source.root) {
            match node.kind() {
                "attribute" => found.extend(code.says_old(file, node, &renames)),
                "call" => found.extend(code.gives_old(file, node, &renames)),
                _ => {}
            }
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

struct Code<'c, 't, 'r> {
    before: &'c Generated,
    /// The members that classes had before and have no more.
    lost: BTreeSet<&'c str>,
    /// The methods that no generated class has any more, each with one that had it.
    methods: BTreeMap<String, String>,
    /// The names of functions and attributes that people wrote.
    defined: BTreeSet<&'t str>,
    /// The arguments that methods had before and have no more.
    arguments: LostArguments<'r>,
    /// Without the classes that hand-written ones take the place of.
    generated: Generated,
    /// With them: such a hand-written class extends the one of its name.
    whole: Generated,
    files: &'c [File<'t>],
    /// The names of hand-written classes.
    own: BTreeSet<&'t str>,
    /// The steps that are left for the file that is looked at.
    steps: Cell<usize>,
}

impl<'t, 'r> Code<'_, 't, 'r> {
    /// What a node says of a generated thing that has another name now.
    fn says_old(&self, file: &File<'t>, node: Node<'t>, renames: &[&'r Rename]) -> Option<Gone<'r>> {
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
                if let Some(class) = self.lost_anywhere(file, object, name) {
                    let what = rename.map_or_else(|| self.lost(&class, name), |rename| What::Renamed(rename));
                    return gone(name, what, Some(class));
                }
                if rename.is_none() && self.lost.contains(name) {
                    let of = self.loser(&self.value(file, object, DEEPEST).objects, name)?;
                    let what = self.lost(&of, name);
                    return gone(name, what, Some(of));
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
            _ => None,
        }
    }

    /// Whether a class is generated, and none of these modules gives it.
    fn is_lost(&self, modules: &BTreeSet<String>, name: &str) -> bool {
        // A `_patch.py` beside may add it.
        let is_added = || self.files.iter().any(|file| super::is_patch(file.path) && file.source.text.contains(name));
        self.generated.has_class(name) && modules.iter().all(|file| self.generated.lacks(file, name)) && !is_added()
    }

    /// The class that had a method which neither generated nor hand-written code has any more, where nothing tells what it is
    /// asked of.
    fn lost_anywhere(&self, file: &File<'t>, object: Node<'t>, name: &str) -> Option<String> {
        let class = self.methods.get(name).filter(|_| !self.defined.contains(name))?;
        self.value(file, object, DEEPEST).is_empty().then(|| class.clone())
    }

    /// The class of these that had a member before, where none has it now.
    fn loser(&self, classes: &BTreeSet<String>, name: &str) -> Option<String> {
        let is_there = classes.iter().any(|class| self.generated.has_member(class, name));
        let had_it = |class: &&String| self.before.has_member(class, name);
        classes.iter().find(had_it).filter(|_| !is_there).cloned()
    }

    /// Of several renames of one name the first whose thing one of these classes had, with that class.
    fn first_owner<'a>(
        &self,
        classes: &BTreeSet<String>,
        mut renames: impl Iterator<Item = &'a &'r Rename>,
        name: &str,
    ) -> Option<(&'r Rename, String)>
    where
        'r: 'a,
    {
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
        if let Some(value) = self.looped(file, node, left) {
            return value;
        }
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
                value = value.and(annotated).and(self.handed_to(file, function, parameter, left));
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
    rename.old == name || rename.kind == EntityKind::Operation && forms(&rename.old).any(|form| form == name)
}

#[cfg(test)]
mod argument_tests;
mod calls;
mod file;
mod items;
mod moved;
#[cfg(test)]
mod tests;
