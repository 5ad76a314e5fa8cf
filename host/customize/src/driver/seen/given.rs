//! What a directive takes from users, in the names that they know.

use bailiwick_sdk::tasks::{Access, Change, ClientEntry, ClientOperation, EntityKind, Language, SpecIndex};

use super::Seen;
use crate::language::{Place, Sought};

/// What a directive takes from users.
pub(super) struct Given {
    /// The names that they know.
    pub(super) old: Vec<Sought>,
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
                let old = operations.iter().map(|(entry, one)| operation(entry, &one.name)).collect();
                Some(Given { old, new: None, generated: Access::Internal })
            }
            Change::Hide { kind, target } if kind.is_type() => {
                let old = self.client_names(target).into_iter().map(|name| Sought::Type { name }).collect();
                Some(Given { old, new: None, generated: Access::Internal })
            }
            Change::Rename { kind: EntityKind::Operation, target, name } => Some(self.renamed_operation(target, name)),
            Change::Rename { kind: EntityKind::Property, target, name } => self.renamed_property(target, name),
            Change::Rename { kind, target, name } if kind.is_type() || *kind == EntityKind::Namespace => {
                let old = self.client_names(target).into_iter().filter(|old| old != name);
                let old: Vec<Sought> = old.map(|name| Sought::Type { name }).collect();
                let new = New { name: name.clone(), sought: Vec::new(), standing: Standing::Fresh };
                (!old.is_empty()).then_some(Given { old, new: Some(new), generated: Access::Public })
            }
            _ => None,
        }
    }

    fn renamed_operation(&self, target: &str, name: &str) -> Given {
        let operations = self.operations(target);
        let own = |operation: &ClientOperation| operation.reference.rsplit('.').next().map(str::to_owned);
        let fresh: Vec<Sought> = operations
            .iter()
            .filter(|(_, one)| one.name != name)
            .map(|(entry, one)| operation(entry, &one.name))
            .collect();
        let standing = if fresh.is_empty() { Standing::Settled } else { Standing::Fresh };
        let declared = operations.iter().filter_map(|(entry, one)| Some(operation(entry, &own(one)?)));
        let sought = operations.iter().map(|(entry, _)| operation(entry, name)).collect::<Vec<_>>();
        let old = match standing {
            Standing::Fresh => fresh,
            Standing::Settled => declared.filter(|one| !sought.contains(one)).collect(),
        };
        let public = operations.iter().any(|(_, one)| one.access == Access::Public);
        let generated = if public { Access::Public } else { Access::Internal };
        Given { old, new: Some(New { name: name.to_owned(), sought, standing }), generated }
    }

    /// A property of a model: a class that a person wrote may stand for it. Where users see the model, that is read in Python
    /// alone, whose hand-written classes replace generated ones.
    fn renamed_property(&self, target: &str, name: &str) -> Option<Given> {
        let entity = |reference: &str| self.before.entities.iter().find(|one| one.reference == reference);
        let property = entity(target)?;
        let model = property.container.as_deref()?;
        let client = entity(model)?.client.as_ref()?;
        let is_public = client.access == Access::Public;
        if is_public && self.language.language() != Language::Python {
            return None;
        }
        let base = self.before.bases.get(model).filter(|_| !is_public).and_then(|base| entity(base));
        let models: Vec<String> = [Some(client), base.and_then(|base| base.client.as_ref())]
            .into_iter()
            .flatten()
            .map(|one| one.name.clone())
            .collect();
        let of = |name: &str| Sought::Property { models: models.clone(), name: name.to_owned() };
        let now = property.client.as_ref().map_or(&property.name, |client| &client.name);
        let (old, standing) = if now == name { (&property.name, Standing::Settled) } else { (now, Standing::Fresh) };
        let new = New { name: name.to_owned(), sought: vec![of(name)], standing };
        let old = if old == name { Vec::new() } else { vec![of(old)] };
        Some(Given { old, new: Some(new), generated: client.access })
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

fn operation(entry: &ClientEntry, name: &str) -> Sought {
    let place = if entry.parent.is_some() { Place::Group } else { Place::Client };
    Sought::Operation { holder: entry.name.clone(), place, name: name.to_owned() }
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
    for one in before.entities.iter().filter(|one| one.kind.is_type() || one.kind == EntityKind::Property) {
        let now = after.entities.iter().find(|now| now.reference == one.reference);
        let views = one.client.as_ref().zip(now.and_then(|now| now.client.as_ref()));
        let Some((old, now)) = views.filter(|(old, now)| old.name != now.name) else { continue };
        let (kind, target) = (one.kind, one.reference.clone());
        debug_assert_ne!(old.name, now.name);
        found.push(Change::Rename { kind, target, name: now.name.clone() });
    }
    found
}
