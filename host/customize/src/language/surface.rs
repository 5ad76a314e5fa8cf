//! What generated code defines, before a generation and after it, and which definition became which.
//!
//! A rename is told by what stays: a definition that is gone and one that is new, of the same kind and in the same place,
//! that say the same but for the names. Where two definitions fit, no rename is reported.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::tasks::{EntityKind, Rename};

/// One definition of generated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// What it is: a type, or a member of one.
    pub kind: EntityKind,
    /// The file, relative to the package.
    pub file: String,
    /// The class that has it; `None` for a type.
    pub container: Option<String>,
    /// Its name.
    pub name: String,
    /// What it says without its own name, in words. Empty where it says too little to be recognised by.
    pub says: Vec<String>,
}

/// The parameters of a public method of generated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The class that has it.
    pub container: String,
    /// Its name.
    pub name: String,
    /// Its parameters by name, and whether each is required.
    pub parameters: BTreeMap<String, bool>,
}

impl Definition {
    /// Its name with that of its class: `Widget.display_name`.
    #[must_use]
    pub fn path(&self) -> String {
        self.container.as_ref().map_or_else(|| self.name.clone(), |container| format!("{container}.{}", self.name))
    }
}

/// The renames between two states of generated code, each once, types first.
#[must_use]
pub(crate) fn renames(before: &[Definition], after: &[Definition]) -> Vec<Rename> {
    let types =
        |all: &[Definition]| -> Vec<Definition> { all.iter().filter(|one| one.container.is_none()).cloned().collect() };
    let (old_types, new_types) = (types(before), types(after));
    let (gone, new) = (only_in(&old_types, &new_types), only_in(&new_types, &old_types));
    let names = |all: &[&Definition]| -> BTreeSet<String> { all.iter().map(|one| one.name.clone()).collect() };
    let (gone_names, new_names) = (names(&gone), names(&new));
    let mut pairs = pairs(&gone, &new, &gone_names, &new_names, |_| None);
    pairs.extend(same_but_hidden(&gone, &new, &pairs));
    let classes: BTreeMap<&str, &str> = pairs.iter().map(|(old, new)| (old.name.as_str(), new.name.as_str())).collect();
    let mut found: Vec<Rename> = Vec::new();
    for (old, new) in &pairs {
        push(&mut found, Rename { kind: old.kind, container: None, old: old.name.clone(), new: new.name.clone() });
    }

    let members =
        |all: &[Definition]| -> Vec<Definition> { all.iter().filter(|one| one.container.is_some()).cloned().collect() };
    let (old_members, new_members) = (members(before), members(after));
    let renamed =
        |class: &Option<String>| class.as_deref().map(|class| classes.get(class).copied().unwrap_or(class).to_owned());
    let moved: Vec<Definition> =
        old_members.iter().map(|one| Definition { container: renamed(&one.container), ..one.clone() }).collect();
    let (gone, new) = (only_in(&moved, &new_members), only_in(&new_members, &moved));
    for (old, new) in self::pairs(&gone, &new, &gone_names, &new_names, |one| one.container.clone()) {
        let rename =
            Rename { kind: old.kind, container: new.container.clone(), old: old.name.clone(), new: new.name.clone() };
        push(&mut found, rename);
    }
    found
}

fn push(found: &mut Vec<Rename>, rename: Rename) {
    if !found.contains(&rename) {
        found.push(rename);
    }
}

/// Those of `one` that `other` has not.
fn only_in<'a>(one: &'a [Definition], other: &[Definition]) -> Vec<&'a Definition> {
    let key = |one: &Definition| (one.kind, one.file.clone(), one.container.clone(), one.name.clone());
    let known: BTreeSet<_> = other.iter().map(key).collect();
    one.iter().filter(|one| !known.contains(&key(one))).collect()
}

/// What became what: the same kind, file and place, the same words, and no second one of either side.
fn pairs<'a>(
    gone: &[&'a Definition],
    new: &[&'a Definition],
    gone_names: &BTreeSet<String>,
    new_names: &BTreeSet<String>,
    place: impl Fn(&Definition) -> Option<String>,
) -> Vec<(&'a Definition, &'a Definition)> {
    let mut sides: BTreeMap<_, (Vec<&'a Definition>, Vec<&'a Definition>)> = BTreeMap::new();
    // Names of types that changed in the same generation say nothing of what is the same.
    let said = |one: &Definition, changed: &BTreeSet<String>| -> Vec<String> {
        one.says.iter().map(|word| if changed.contains(word) { "\u{a7}".to_owned() } else { word.clone() }).collect()
    };
    let key = |one: &Definition, words| (one.kind, one.file.clone(), place(one), words);
    for one in gone.iter().filter(|one| !one.says.is_empty()) {
        sides.entry(key(one, said(one, gone_names))).or_default().0.push(one);
    }
    for one in new.iter().filter(|one| !one.says.is_empty()) {
        sides.entry(key(one, said(one, new_names))).or_default().1.push(one);
    }
    sides.into_values().filter_map(|(old, new)| Some((*only(&old)?, *only(&new)?))).collect()
}

/// Types that only became internal, or public again: what else changed in them does not matter. Those of `pairs` are known.
fn same_but_hidden<'a>(
    gone: &[&'a Definition],
    new: &[&'a Definition],
    pairs: &[(&'a Definition, &'a Definition)],
) -> Vec<(&'a Definition, &'a Definition)> {
    let mut sides: BTreeMap<_, (Vec<&Definition>, Vec<&Definition>)> = BTreeMap::new();
    let key = |one: &&'a Definition| (one.file.as_str(), one.name.trim_start_matches('_'));
    let known: BTreeSet<&str> = pairs.iter().flat_map(|(old, new)| [old.name.as_str(), new.name.as_str()]).collect();
    let open = |one: &&&'a Definition| !known.contains(one.name.as_str());
    for one in gone.iter().filter(open) {
        sides.entry(key(one)).or_default().0.push(one);
    }
    for one in new.iter().filter(open) {
        sides.entry(key(one)).or_default().1.push(one);
    }
    sides.into_values().filter_map(|(old, new)| Some((*only(&old)?, *only(&new)?))).collect()
}

fn only<T>(all: &[T]) -> Option<&T> {
    match all {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(kind: EntityKind, container: Option<&str>, name: &str, says: &str) -> Definition {
        Definition {
            kind,
            file: "azure/w/_m.py".to_owned(),
            container: container.map(str::to_owned),
            name: name.to_owned(),
            says: says.split_whitespace().map(str::to_owned).collect(),
        }
    }

    fn model(name: &str, says: &str) -> Definition {
        definition(EntityKind::Model, None, name, says)
    }

    fn shown(found: &[Rename]) -> Vec<String> {
        let of = |one: &Rename| one.container.as_ref().map(|class| format!("{class}.")).unwrap_or_default();
        found.iter().map(|one| format!("{}{}>{}", of(one), one.old, one.new)).collect()
    }

    #[test]
    fn type_and_member_that_say_the_same_under_another_name_are_renamed() {
        let before = [
            model("Part", "id: str"),
            model("Report", "part: Part"),
            definition(EntityKind::Property, Some("Part"), "label", "str wire"),
        ];
        let after = [
            model("Piece", "id: str"),
            model("Report", "part: Piece"),
            definition(EntityKind::Property, Some("Piece"), "title", "str wire"),
        ];
        assert_eq!(shown(&renames(&before, &after)), ["Part>Piece", "Piece.label>title"]);
    }

    #[test]
    fn types_that_name_each_other_are_recognised_when_both_are_renamed() {
        let before = [model("A", "b : B"), model("B", "x : int")];
        let after = [model("C", "b : D"), model("D", "x : int")];
        assert_eq!(shown(&renames(&before, &after)), ["A>C", "B>D"]);
    }

    #[test]
    fn type_that_became_internal_is_the_same_whatever_else_changed_in_it() {
        let before = [
            definition(EntityKind::Interface, None, "ClientOperationsMixin", "find ( x )"),
            definition(EntityKind::Operation, Some("ClientOperationsMixin"), "find", "( x )"),
        ];
        let after = [
            definition(EntityKind::Interface, None, "_ClientOperationsMixin", "seek ( x ) now"),
            definition(EntityKind::Operation, Some("_ClientOperationsMixin"), "seek", "( x )"),
        ];
        let wanted = ["ClientOperationsMixin>_ClientOperationsMixin", "_ClientOperationsMixin.find>seek"];
        assert_eq!(shown(&renames(&before, &after)), wanted);
        let twice = [after[0].clone(), definition(EntityKind::Interface, None, "__ClientOperationsMixin", "other")];
        assert!(renames(&before[..1], &twice).is_empty());
    }

    #[test]
    fn ambiguous_or_empty_difference_is_not_a_rename() {
        let before = [model("A", "x : int"), model("E", "")];
        assert!(renames(&before, &[model("B", "x : int"), model("C", "x : int"), model("F", "")]).is_empty());
        let two = [model("A", "x : int"), model("B", "x : int")];
        assert!(renames(&two, &[model("C", "x : int")]).is_empty());
        // One that stays did not become another.
        assert!(renames(&before, &[model("A", "x : int"), model("E", ""), model("B", "x : int")]).is_empty());
    }
}
