//! What a disk may hold after the power was lost.
//!
//! The model is that of ALICE (Pillai and others, OSDI 2014) for a file system that promises what POSIX says and no more,
//! with what all journalling file systems of Linux add:
//!
//! - A file that was brought to the disk (`fsync`) has at least the content, mode and time it had then. Each later write
//!   may be lost or kept; what is kept is the content after any one of the writes, or a torn one: empty, cut off in the
//!   middle, of the right length but zeros, the first half new and the second half old. Mode and time are kept or lost
//!   independently of the content, those of one file in their order.
//! - `fsync` of a file says nothing of its name. Each change of names since the directory was brought to the disk may be
//!   lost or kept, independently of the others, with one exception: changes of the same name stay in their order. A
//!   rename or an exchange within one directory is lost or kept as a whole. Directories are independent of one another.
//! - `fsync` of a directory brings its names to the disk, its mode and time, and the links in it with theirs: a link is
//!   written with its name, and nothing else could bring it there. It says nothing of the files it names nor of the
//!   directories in it.
//! - `syncfs` brings everything to the disk. The scene lies on one file system.
//! - Files without a name are gone.
//!
//! Each step is recorded as the difference between the directory before it and after it, so that a change which passes
//! no failpoint is recorded too (with the next step; its changes count as independent of one another then). Writes from
//! outside (a generator that syncs nothing) are recorded in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::rc::Rc;

use super::world::{Body, Facts, Number, World};

/// Combinations that are all tried; of more, a sample is.
const ALL: u64 = 48;
/// Combinations by chance for each moment with more than `ALL`.
const CHANCE: usize = 6;

/// A change of names in one directory that is kept or lost as a whole: each name with what it leads to afterwards.
type Names = BTreeMap<OsString, Option<Number>>;

/// Something on the disk, and what may be there instead.
#[derive(Debug, Clone)]
struct Entry {
    /// The first is on the disk.
    facts: Vec<Facts>,
    kept: Kept,
}

#[derive(Debug, Clone)]
enum Kept {
    /// The first content is on the disk.
    File(Vec<Rc<Vec<u8>>>),
    Directory {
        durable: BTreeMap<OsString, Number>,
        pending: Vec<Names>,
    },
    Link(std::path::PathBuf),
}

/// A disk and what is on the way to it.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    root: Number,
    now: World,
    entries: BTreeMap<Number, Entry>,
}

/// One thing that may have come out in more than one way.
#[derive(Debug, Clone, Copy)]
enum Item {
    Content(Number),
    Facts(Number),
    Names(Number, usize),
}

impl Disk {
    /// A disk on which all of `world` is.
    pub(super) fn holding(world: World) -> Self {
        let entries = world
            .nodes
            .iter()
            .map(|(number, (body, facts))| {
                let kept = match body {
                    Body::File(content) => Kept::File(vec![Rc::clone(content)]),
                    Body::Directory(names) => Kept::Directory { durable: names.clone(), pending: Vec::new() },
                    Body::Link(target) => Kept::Link(target.clone()),
                };
                (*number, Entry { facts: vec![*facts], kept })
            })
            .collect();
        Self { root: world.root, now: world, entries }
    }

    /// The directory has become `next`; nothing of the difference is on the disk yet.
    pub(super) fn becomes(&mut self, next: World) {
        for (number, (body, facts)) in &next.nodes {
            let Some(entry) = self.entries.get_mut(number).filter(|_| self.now.nodes.contains_key(number)) else {
                self.entries.insert(*number, created(body, *facts));
                continue;
            };
            if entry.facts.last() != Some(facts) {
                entry.facts.push(*facts);
            }
            match (&mut entry.kept, body, &self.now.nodes[number].0) {
                (Kept::File(contents), Body::File(content), Body::File(before)) if content != before => {
                    contents.push(Rc::clone(content));
                }
                (Kept::Directory { pending, .. }, Body::Directory(names), Body::Directory(before)) => {
                    pending.extend(differences(before, names));
                }
                _ => {}
            }
        }
        for (number, (body, _)) in self.now.nodes.iter().filter(|(number, _)| !next.nodes.contains_key(number)) {
            if let (Some(Entry { kept: Kept::Directory { pending, .. }, .. }), Body::Directory(names)) =
                (self.entries.get_mut(number), body)
            {
                // It was emptied before it was removed.
                pending.extend(differences(names, &BTreeMap::new()));
            }
        }
        self.now = next;
    }

    pub(super) fn synced(&mut self, number: Number) {
        let Some((body, _)) = self.now.nodes.get(&number) else { return };
        if let Body::Directory(names) = body {
            for below in names.values() {
                if let Some(Entry { facts, kept: Kept::Link(_) }) = self.entries.get_mut(below) {
                    facts.drain(..facts.len() - 1);
                }
            }
        }
        let body = body.clone();
        let Some(entry) = self.entries.get_mut(&number) else { return };
        entry.facts.drain(..entry.facts.len() - 1);
        match (&mut entry.kept, body) {
            (Kept::File(contents), _) => drop(contents.drain(..contents.len() - 1)),
            (Kept::Directory { durable, pending }, Body::Directory(names)) => {
                *durable = names;
                pending.clear();
            }
            _ => {}
        }
    }

    pub(super) fn synced_everything(&mut self) {
        *self = Self::holding(self.now.clone());
    }

    /// What the disk may hold now, and whether these are all possibilities.
    pub(super) fn possible(&self, random: &mut impl FnMut(usize) -> usize) -> (Vec<World>, bool) {
        let items = self.items();
        let ways: Vec<usize> = items.iter().map(|item| self.ways(*item)).collect();
        let total = ways.iter().try_fold(1_u64, |total, ways| total.checked_mul(*ways as u64)).unwrap_or(u64::MAX);
        let mut choices: BTreeSet<Vec<usize>> = BTreeSet::new();
        if total <= ALL {
            for mut number in 0..total {
                let choice = ways.iter().map(|ways| {
                    let way = number % *ways as u64;
                    number /= *ways as u64;
                    usize::try_from(way).unwrap()
                });
                choices.insert(choice.collect());
            }
        } else {
            let (lost, kept) = (vec![0; ways.len()], ways.iter().map(|ways| ways - 1).collect::<Vec<_>>());
            for (at, ways) in ways.iter().enumerate() {
                for way in 0..*ways {
                    for base in [&lost, &kept] {
                        let mut choice = base.clone();
                        choice[at] = way;
                        choices.insert(choice);
                    }
                }
            }
            for _ in 0..CHANCE {
                choices.insert(ways.iter().map(|ways| random(*ways)).collect());
            }
        }
        (choices.into_iter().map(|choice| self.built(&items, &choice)).collect(), total <= ALL)
    }

    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (number, entry) in &self.entries {
            if entry.facts.len() > 1 {
                items.push(Item::Facts(*number));
            }
            match &entry.kept {
                Kept::File(contents) if contents.len() > 1 => items.push(Item::Content(*number)),
                Kept::Directory { pending, .. } => {
                    items.extend((0..pending.len()).map(|at| Item::Names(*number, at)));
                }
                _ => {}
            }
        }
        items
    }

    /// In how many ways an item may come out; the first is as on the disk, the last as in memory.
    fn ways(&self, item: Item) -> usize {
        match item {
            Item::Names(..) => 2,
            Item::Facts(number) => self.entries[&number].facts.len(),
            Item::Content(number) => self.contents(number).len(),
        }
    }

    fn contents(&self, number: Number) -> Vec<Rc<Vec<u8>>> {
        let Kept::File(contents) = &self.entries[&number].kept else { return Vec::new() };
        let (old, new) = (&contents[0], &contents[contents.len() - 1]);
        let mut ways = vec![Rc::clone(old)];
        let half = new.len() / 2;
        let mut mixed = old.as_slice().to_vec();
        mixed.resize(new.len(), 0);
        mixed[..half].copy_from_slice(&new[..half]);
        let torn = [Vec::new(), new[..half].to_vec(), vec![0; new.len()], mixed];
        for way in contents.iter().skip(1).cloned().rev().skip(1).chain(torn.into_iter().map(Rc::new)) {
            if !ways.contains(&way) && way != *new {
                ways.push(way);
            }
        }
        ways.push(Rc::clone(new));
        ways
    }

    fn built(&self, items: &[Item], choice: &[usize]) -> World {
        let mut nodes: BTreeMap<Number, (Body, Facts)> = BTreeMap::new();
        for (number, entry) in &self.entries {
            let body = match &entry.kept {
                Kept::File(contents) => Body::File(Rc::clone(&contents[0])),
                Kept::Directory { durable, .. } => Body::Directory(durable.clone()),
                Kept::Link(target) => Body::Link(target.clone()),
            };
            nodes.insert(*number, (body, entry.facts[0]));
        }
        // Names that a lost change touched: later changes of them are lost with it.
        let mut lost: BTreeSet<(Number, &OsString)> = BTreeSet::new();
        for (item, way) in items.iter().zip(choice) {
            match item {
                Item::Facts(number) => {
                    nodes.get_mut(number).unwrap().1 = self.entries[number].facts[*way];
                }
                Item::Content(number) => {
                    nodes.get_mut(number).unwrap().0 = Body::File(Rc::clone(&self.contents(*number)[*way]));
                }
                Item::Names(number, at) => {
                    let Kept::Directory { pending, .. } = &self.entries[number].kept else { continue };
                    let names = &pending[*at];
                    if *way == 0 || names.keys().any(|name| lost.contains(&(*number, name))) {
                        lost.extend(names.keys().map(|name| (*number, name)));
                        continue;
                    }
                    let Some((Body::Directory(entries), _)) = nodes.get_mut(number) else { continue };
                    for (name, leads) in names {
                        match leads {
                            Some(leads) => entries.insert(name.clone(), *leads),
                            None => entries.remove(name),
                        };
                    }
                }
            }
        }
        World { root: self.root, nodes }
    }
}

fn created(body: &Body, facts: Facts) -> Entry {
    let kept = match body {
        Body::File(content) if content.is_empty() => Kept::File(vec![Rc::clone(content)]),
        Body::File(content) => Kept::File(vec![Rc::new(Vec::new()), Rc::clone(content)]),
        Body::Directory(names) => {
            Kept::Directory { durable: BTreeMap::new(), pending: differences(&BTreeMap::new(), names) }
        }
        Body::Link(target) => Kept::Link(target.clone()),
    };
    Entry { facts: vec![facts], kept }
}

/// Changes of names; names that changed hands belong together.
fn differences(before: &BTreeMap<OsString, Number>, after: &BTreeMap<OsString, Number>) -> Vec<Names> {
    let mut groups: Vec<(BTreeSet<Number>, Names)> = Vec::new();
    let names: BTreeSet<&OsString> = before.keys().chain(after.keys()).collect();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        if old == new {
            continue;
        }
        let mut numbers: BTreeSet<Number> = old.into_iter().chain(new).copied().collect();
        let mut group = Names::from([(name.clone(), new.copied())]);
        groups.retain(|(others, names)| {
            let together = !others.is_disjoint(&numbers);
            if together {
                numbers.extend(others);
                group.extend(names.clone());
            }
            !together
        });
        groups.push((numbers, group));
    }
    groups.into_iter().map(|(_, names)| names).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk() -> (Disk, World) {
        let facts = Facts { mode: 0o644, modified: (0, 0) };
        let nodes = BTreeMap::from([(1, (Body::Directory(BTreeMap::new()), facts))]);
        let world = World { root: 1, nodes };
        (Disk::holding(world.clone()), world)
    }

    fn add(world: &mut World, name: &str, number: Number, content: &str) {
        let facts = Facts { mode: 0o644, modified: (0, 0) };
        world.nodes.insert(number, (Body::File(Rc::new(content.into())), facts));
        if let Some((Body::Directory(names), _)) = world.nodes.get_mut(&1) {
            names.insert(name.into(), number);
        }
    }

    fn shown(worlds: &[World]) -> BTreeSet<String> {
        worlds.iter().map(World::describe).collect()
    }

    #[test]
    fn new_file_may_be_missing_empty_or_torn_until_it_and_its_name_are_synced() {
        let (mut disk, mut world) = disk();
        add(&mut world, "a", 2, "four");
        disk.becomes(world.clone());
        let (worlds, all) = disk.possible(&mut |_| 0);
        assert!(all);
        // Not there; empty; "fo"; four zeros; "fo" and two zeros; all of it.
        assert_eq!(shown(&worlds).len(), 6);
        disk.synced(2);
        assert_eq!(shown(&disk.possible(&mut |_| 0).0).len(), 2, "its name may be missing");
        disk.synced(1);
        assert_eq!(shown(&disk.possible(&mut |_| 0).0), BTreeSet::from([world.describe()]));
    }

    #[test]
    fn rename_over_a_file_is_kept_or_lost_as_a_whole() {
        let (mut disk, mut world) = disk();
        add(&mut world, "a", 2, "old");
        add(&mut world, "a.new", 3, "new");
        disk.becomes(world.clone());
        disk.synced_everything();
        if let Some((Body::Directory(names), _)) = world.nodes.get_mut(&1) {
            names.remove(&OsString::from("a.new"));
            names.insert("a".into(), 3);
        }
        world.nodes.remove(&2);
        disk.becomes(world);
        assert_eq!(shown(&disk.possible(&mut |_| 0).0).len(), 2);
    }
}
