//! Arguments under a name that is gone: a generated method takes any further keyword, so no type checker misses one.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::syntax::{around, column, field, line, named_children};
use bailiwick_sdk::tasks::{EntityKind, Rename};
use tree_sitter::Node;

use super::super::arguments::called;
use super::super::generated::{Generated, last_name};
use super::{Code, DEEPEST, File, Gone, What};

/// The arguments that generated methods do not take any more.
#[derive(Debug, Default)]
pub(super) struct LostArguments<'r> {
    /// By method and name.
    lost: BTreeMap<(String, String), Lost<'r>>,
}

#[derive(Debug)]
struct Lost<'r> {
    /// The classes that had it.
    classes: BTreeSet<String>,
    rename: Option<&'r Rename>,
}

impl<'r> LostArguments<'r> {
    pub(super) fn of(before: &Generated, now: &Generated, renames: &'r [Rename]) -> Self {
        let lost = before.arguments_lost_in(now).into_iter().map(|((method, name), classes)| {
            let is_it = |rename: &&Rename| {
                let is_argument = matches!(rename.kind, EntityKind::Property | EntityKind::Parameter);
                is_argument && rename.old == name && now.takes(&classes, &method, &rename.new)
            };
            let rename = renames.iter().find(is_it);
            ((method, name), Lost { classes, rename })
        });
        Self { lost: lost.collect() }
    }

    fn get(&self, method: &str, name: &str) -> Option<&Lost<'r>> {
        // Most packages have none.
        (!self.lost.is_empty()).then(|| self.lost.get(&(method.to_owned(), name.to_owned())))?
    }
}

impl<'t, 'r> Code<'_, 't, 'r> {
    /// What a call gives under a name that a generated constructor or method does not take any more.
    pub(super) fn gives_old(&self, file: &File<'t>, call: Node<'t>, renames: &[&'r Rename]) -> Vec<Gone<'r>> {
        let Some(function) = called(&file.source, call) else { return Vec::new() };
        let given = file.arguments.of(&file.source, call);
        let gone = given.into_iter().filter_map(|(name, at)| {
            let (what, of) =
                self.of_constructor(file, function, name, renames).or_else(|| self.of_method(file, function, name))?;
            Some(Gone {
                file: file.number,
                line: line(at),
                column: column(at),
                name: name.to_owned(),
                what,
                of: Some(of),
            })
        });
        gone.collect()
    }

    fn of_constructor(
        &self,
        file: &File<'t>,
        function: Node<'t>,
        name: &str,
        renames: &[&'r Rename],
    ) -> Option<(What<'r>, String)> {
        let is_it = |rename: &&&Rename| rename.kind == EntityKind::Property && rename.old == name;
        renames.iter().find(is_it)?;
        let classes = self.value(file, function, DEEPEST).classes;
        let (rename, of) = self.first_owner(&classes, renames.iter().filter(is_it), name)?;
        Some((What::Renamed(rename), of))
    }

    fn of_method(&self, file: &File<'t>, function: Node<'t>, name: &str) -> Option<(What<'r>, String)> {
        let (object, method) = field(function, "object").zip(field(function, "attribute"))?;
        let method = file.source.of(method);
        let lost = self.arguments.get(method, name)?;
        let had_it = |class: &String| self.before.with_bases(class).into_iter().any(|one| lost.classes.contains(one));
        let of = match self.receiver(file, object, method) {
            Receiver::Own => return None,
            Receiver::Generated(classes) => classes.into_iter().find(had_it)?,
            // Nothing tells what it is: it is the generated one unless a person wrote one that takes this.
            Receiver::Unknown if self.is_own_argument(method, name) => return None,
            Receiver::Unknown => lost.classes.first()?.clone(),
        };
        Some((What::Argument(lost.rename), format!("{of}.{method}")))
    }

    /// What a method is called of.
    fn receiver(&self, file: &File<'t>, object: Node<'t>, method: &str) -> Receiver {
        if let Some((class, is_super)) = own_class(file, object) {
            let (is_own, bases) = self.bases_of(class, method, !is_super);
            return if is_own { Receiver::Own } else { Receiver::Generated(bases) };
        }
        let objects = self.value(file, object, DEEPEST).objects;
        if objects.is_empty() { Receiver::Unknown } else { Receiver::Generated(objects) }
    }

    /// What the class around `self` and `super()` extends, where an object is one of them.
    pub(super) fn generated_bases(&self, file: &File<'t>, object: Node<'t>) -> Option<BTreeSet<String>> {
        own_class(file, object).map(|(class, _)| self.bases_of(class, "", false).1)
    }

    /// The bases of hand-written classes of this name, also through each other, and whether one of them has the method.
    fn bases_of(&self, class: &str, method: &str, with_itself: bool) -> (bool, BTreeSet<String>) {
        let (mut found, mut open) = (BTreeSet::new(), vec![class.to_owned()]);
        while let Some(class) = open.pop() {
            for file in self.files {
                let source = &file.source;
                let is_it = |one: &Node<'_>| field(*one, "name").is_some_and(|name| source.of(name) == class);
                for definition in file.classes.iter().copied().filter(is_it) {
                    let is_first = found.is_empty() && !with_itself;
                    if !is_first && !source.methods(definition, method).is_empty() {
                        return (true, found);
                    }
                    let bases = field(definition, "superclasses").map(named_children).unwrap_or_default();
                    for base in bases {
                        let own = last_name(source, base).unwrap_or_default();
                        let name = source.generated(base).map_or(own, str::to_owned);
                        // `class Parts(_ops.Parts)` extends the generated one of its name.
                        if found.insert(name.clone()) && name != class {
                            open.push(name);
                        }
                    }
                }
            }
        }
        (false, found)
    }

    /// Whether a hand-written function of this name takes an argument of this name.
    fn is_own_argument(&self, function: &str, argument: &str) -> bool {
        self.files.iter().filter(|file| file.source.text.contains(function)).any(|file| {
            let source = &file.source;
            let methods = file.classes.iter().flat_map(|class| source.methods(*class, function));
            let mut taken = methods.flat_map(|name| source.takes(name));
            taken.any(|one| one == argument)
        })
    }
}

/// The class around `self` and `super()`, and whether it is the latter.
fn own_class<'t>(file: &File<'t>, object: Node<'t>) -> Option<(&'t str, bool)> {
    let source = &file.source;
    let is_super = field(object, "function").is_some_and(|function| source.of(function) == "super");
    let class = around(object, &["class_definition"]).and_then(|class| field(class, "name"))?;
    (is_super || ["self", "cls"].contains(&source.of(object))).then(|| (source.of(class), is_super))
}

/// What a method is called of.
enum Receiver {
    /// A class that has a hand-written method of this name.
    Own,
    /// Generated classes.
    Generated(BTreeSet<String>),
    Unknown,
}
