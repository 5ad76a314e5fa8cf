//! What a directive takes from users, in the names that they know.

use bailiwick_sdk::tasks::{Access, Change, ClientEntry, ClientOperation, EntityKind, Language, SpecIndex};

use super::Seen;
use crate::language::{Place, Sought};

/// What a directive takes from users.
pub(super) struct Given {
    /// The names that they know.
    pub(super) old: Vec<Sought>,
    /// The same things under each of their names in generated code, old and new: hand-written code may call them otherwise.
    pub(super) generated_names: Vec<Sought>,
    /// What takes their place, where there is such a thing.
    pub(super) new: Option<New>,
    /// Whether generated code shows the thing to users.
    pub(super) generated: Access,
}

/// A name that takes the place of another.
pub(super) struct New {
    pub(super) name: String,
    pub(super) sought: Vec<Sought>,
    /// Whether it had this name before.
    pub(super) standing: Standing,
}

/// Whether a name was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Fresh,
    Settled,
}

impl Seen<'_> {
    /// What a change takes from users; `None` where it takes nothing that can be looked for.
    pub(super) fn given(&self, change: &Change) -> Option<Given> {
        match change {
            Change::Hide { kind: EntityKind::Operation | EntityKind::Interface, target } => {
                let operations = self.operations(target);
                let old = operations.iter().map(|(entry, one)| operation(entry, &one.name, &[])).collect();
                Some(Given { old, generated_names: Vec::new(), new: None, generated: Access::Internal })
            }
            Change::Hide { kind, target } if kind.is_type() => {
                let old: Vec<Sought> = types(self.client_names(target)).collect();
                Some(Given { generated_names: old.clone(), old, new: None, generated: Access::Internal })
            }
            Change::Rename { kind: EntityKind::Operation, target, name } => Some(self.renamed_operation(target, name)),
            Change::Rename { kind: EntityKind::Property | EntityKind::EnumMember, target, name } => {
                self.renamed_member(target, name)
            }
            Change::Rename { kind, target, name } if kind.is_type() || *kind == EntityKind::Namespace => {
                let known = types(self.client_names(target)).chain(types(self.group_names(target)));
                let mut generated_names: Vec<Sought> = known.collect();
                let settled = generated_names.iter().all(|one| is_called(one, name));
                let standing = if settled { Standing::Settled } else { Standing::Fresh };
                generated_names.extend(types([name.clone()]).filter(|_| !settled));
                let old = types(self.client_names(target)).filter(|one| !is_called(one, name)).collect();
                let new = Some(New { name: name.clone(), sought: Vec::new(), standing });
                Some(Given { old, generated_names, new, generated: Access::Public })
            }
            _ => None,
        }
    }

    fn renamed_operation(&self, target: &str, name: &str) -> Given {
        let operations = self.operations(target);
        let own = |operation: &ClientOperation| operation.reference.rsplit('.').next().map(str::to_owned);
        let of =
            |entry: &ClientEntry, known: &ClientOperation, called: &str| operation(entry, called, &[&known.name, name]);
        let fresh: Vec<Sought> = operations
            .iter()
            .filter(|(_, one)| one.name != name)
            .map(|(entry, one)| of(entry, one, &one.name))
            .collect();
        let standing = if fresh.is_empty() { Standing::Settled } else { Standing::Fresh };
        let declared = operations.iter().filter_map(|(entry, one)| Some(of(entry, one, &own(one)?)));
        let sought = operations.iter().map(|(entry, one)| of(entry, one, name)).collect::<Vec<_>>();
        let old = match standing {
            Standing::Fresh => fresh,
            Standing::Settled => declared.filter(|one| !sought.contains(one)).collect(),
        };
        let public = operations.iter().any(|(_, one)| one.access == Access::Public);
        let generated = if public { Access::Public } else { Access::Internal };
        let generated_names = old.iter().chain(&sought).cloned().collect();
        Given { old, generated_names, new: Some(New { name: name.to_owned(), sought, standing }), generated }
    }

    /// A property of a model, or a member of an enum. Where users do not see the model, a class that a person wrote may stand
    /// for it.
    fn renamed_member(&self, target: &str, name: &str) -> Option<Given> {
        let of = |index: &'_ SpecIndex, reference: &str| {
            index.entities.iter().find(|one| one.reference == reference).cloned()
        };
        let member = of(self.before, target)?;
        let holder = member.container.as_deref()?;
        let client = of(self.before, holder)?.client?;
        let base = self.before.bases.get(holder).map(String::as_str);
        let mut models = vec![client.name];
        // The model may have another name now, too.
        // A class in the place of a public model stands for that model alone.
        let replaced = client.access == Access::Public && self.language.language() == Language::Python;
        let base = base.filter(|_| !replaced);
        let holders = [(self.before, base), (self.after, Some(holder)), (self.after, base)];
        for (index, reference) in holders {
            let named = reference.and_then(|reference| of(index, reference)?.client).map(|client| client.name);
            models.extend(named.filter(|name| !models.contains(name)));
        }
        let of = |name: &str| Sought::Property { models: models.clone(), name: name.to_owned() };
        let now = member.client.as_ref().map_or(&member.name, |client| &client.name);
        let (old, standing) = if now == name { (&member.name, Standing::Settled) } else { (now, Standing::Fresh) };
        let new = New { name: name.to_owned(), sought: vec![of(name)], standing };
        // In .NET a half of the model itself may declare the property, which takes the place of the generated one. In Python a
        // hand-written class may take the place of the model.
        let halves = matches!(self.language.language(), Language::Dotnet | Language::Python);
        let shown = member.kind == EntityKind::Property && (halves || client.access == Access::Internal);
        let mut names = vec![old.as_str(), name];
        names.dedup();
        let generated_names = names.into_iter().map(of).collect();
        let old = if shown && old != name { vec![of(old)] } else { Vec::new() };
        Some(Given { old, generated_names, new: Some(new), generated: client.access })
    }

    /// The operations of a target as clients had them before.
    fn operations(&self, target: &str) -> Vec<(&ClientEntry, &ClientOperation)> {
        let of = |entry: &'_ ClientEntry| entry.reference.as_deref() == Some(target);
        let entries = self.before.clients.iter();
        entries
            .flat_map(|entry| entry.operations.iter().map(move |operation| (entry, operation)))
            .filter(|(entry, one)| of(entry) || one.reference == target || one.source == target)
            .collect()
    }

    /// The names of a group of operations, which hand-written code may call otherwise.
    fn group_names(&self, target: &str) -> Vec<String> {
        let groups = self.before.clients.iter().filter(|one| one.reference.as_deref() == Some(target));
        groups.filter(|one| one.parent.is_some()).map(|one| one.name.clone()).collect()
    }

    /// The names under which users know a type or a client.
    fn client_names(&self, target: &str) -> Vec<String> {
        let clients = self.before.clients.iter().filter(|one| one.reference.as_deref() == Some(target));
        let mut names: Vec<String> = clients.filter(|one| one.parent.is_none()).map(|one| one.name.clone()).collect();
        let entity = self.before.entities.iter().find(|one| one.reference == target && one.kind.is_type());
        let is_group = |kind: EntityKind| kind == EntityKind::Interface;
        let named = entity.filter(|one| !is_group(one.kind)).and_then(|one| one.client.as_ref());
        names.extend(named.map(|client| client.name.clone()));
        names
    }
}

/// An operation under a name, which generated code may also call otherwise.
fn operation(entry: &ClientEntry, name: &str, others: &[&str]) -> Sought {
    let place = match &entry.parent {
        Some(above) => Place::Group { above: above.clone() },
        None => Place::Client,
    };
    let mut called = vec![name.to_owned()];
    called.extend(others.iter().filter(|other| **other != name).map(|other| (*other).to_owned()));
    called.dedup();
    Sought::Operation { holder: entry.name.clone(), place, name: name.to_owned(), called }
}

fn types(names: impl IntoIterator<Item = String>) -> impl Iterator<Item = Sought> {
    names.into_iter().map(|name| Sought::Type { name })
}

fn is_called(sought: &Sought, name: &str) -> bool {
    matches!(sought, Sought::Type { name: one } if one == name)
}

/// The public operations under the names that the specification gives them and the client does not, with what it calls them.
pub(super) fn former_names(index: &SpecIndex) -> Vec<(Sought, String)> {
    let mut found: Vec<(Sought, String)> = Vec::new();
    for entry in &index.clients {
        let is_taken = |name: &str| entry.operations.iter().any(|one| one.name == name);
        for one in entry.operations.iter().filter(|one| one.access == Access::Public) {
            let declared = [&one.reference, &one.source].map(|path| path.rsplit('.').next().unwrap_or(path));
            for name in declared.into_iter().filter(|name| !is_taken(name)) {
                let former = (operation(entry, name, &[&one.name]), one.name.clone());
                if !found.contains(&former) {
                    found.push(former);
                }
            }
        }
    }
    found
}

/// The renames and hidings between two views, as directives.
pub(super) fn changes(before: &SpecIndex, after: &SpecIndex) -> Vec<Change> {
    let of = |index: &'_ SpecIndex| {
        let all = index.clients.iter().flat_map(|client| client.operations.iter().cloned());
        all.collect::<Vec<ClientOperation>>()
    };
    let (old, new) = (of(before), of(after));
    let mut found = Vec::new();
    for one in &old {
        let Some(now) = new.iter().find(|now| now.reference == one.reference) else { continue };
        let (kind, target) = (EntityKind::Operation, one.reference.clone());
        if one.name != now.name {
            found.push(Change::Rename { kind, target, name: now.name.clone() });
        } else if (one.access, now.access) == (Access::Public, Access::Internal) {
            found.push(Change::Hide { kind, target });
        }
    }
    for one in before.entities.iter().filter(|one| is_named(one.kind)) {
        let now = after.entities.iter().find(|now| now.reference == one.reference);
        let views = one.client.as_ref().zip(now.and_then(|now| now.client.as_ref()));
        let Some((old, now)) = views.filter(|(old, now)| old.name != now.name) else { continue };
        let (kind, target) = (one.kind, one.reference.clone());
        debug_assert_ne!(old.name, now.name);
        found.push(Change::Rename { kind, target, name: now.name.clone() });
    }
    found
}

fn is_named(kind: EntityKind) -> bool {
    kind.is_type() || matches!(kind, EntityKind::Property | EntityKind::EnumMember)
}
