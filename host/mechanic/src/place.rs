//! Where an operation shall live: in the group of an interface, in a new group, or in the client itself.

use super::clause::Clause;
use super::client_file::covers;
use super::intents::{Intent, Refusal};
use super::matcher::new_name;
use super::names::{self, key};
use super::resolve::one_entity;
use super::sentences::Reader;
use super::targets::Target;
use bailiwick_sdk::tasks::{ClientEntry, Entity, EntityKind};

/// A place as it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SaidPlace {
    /// An interface, as far as the words say.
    Group(Target),
    /// `the root client`
    Root,
    /// `a new group called X`
    New(String),
}

impl SaidPlace {
    /// Whether everything it names exists.
    pub(crate) fn exists(&self) -> bool {
        !matches!(self, Self::Group(target) if target.candidates.is_empty())
    }
}

/// A place that is certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// The group of the interface with this reference.
    Group(String),
    /// The client of the service's namespace with this reference.
    Root(String),
    /// A group that nothing in the specification declares.
    New(String),
}

impl Place {
    /// What stands in the decorator.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Group(reference) | Self::Root(reference) => reference.clone(),
            Self::New(name) => format!("\"{name}\""),
        }
    }

    /// For people: `to the group of …`.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Group(reference) => format!("to the group of `{reference}`"),
            Self::Root(_) => "to the root client".to_owned(),
            Self::New(name) => format!("to a new group `{name}`"),
        }
    }
}

impl Clause<'_> {
    /// The places that can begin at a position, each with the position after it.
    pub(crate) fn places(&self, at: usize) -> Vec<(usize, SaidPlace)> {
        let mut found = Vec::new();
        if self.is(at, &["root", "main", "top-level"]) && self.word(at + 1) == "client" {
            found.push((at + 2, SaidPlace::Root));
        }
        if self.is(at, &["new", "separate"])
            && self.is(at + 1, &["group", "interface", "subclient"])
            && self.is(at + 2, &["called", "named"])
            && let Some(name) = new_name(self, at + 3).filter(|name| name.certain)
        {
            found.push((at + 4, SaidPlace::New(name.text)));
        }
        for (end, target) in self.targets(at).iter() {
            let mut target = target.clone();
            target.candidates.retain(|&at| self.lookup.entity(at).kind == EntityKind::Interface);
            found.push((*end, SaidPlace::Group(target)));
        }
        found
    }
}

/// The intent to move an operation.
pub(crate) fn move_to(reader: &Reader<'_>, target: &Entity, said: &SaidPlace) -> Result<Intent, Refusal> {
    let refused = |problem: String| Err(Refusal::Structure { problem });
    if target.kind != EntityKind::Operation {
        return refused(format!("the {} `{}` is no operation", target.kind.noun(), target.reference));
    }
    if target.client.is_none() {
        return Err(Refusal::NotInClient { target: Box::new(target.clone()) });
    }
    let declared = reader.index.customizations.iter().find(|one| {
        let structural = ["client", "operationGroup"].contains(&one.decorator.as_str());
        structural && one.scope.as_deref().is_none_or(|scope| covers(scope, reader.language))
    });
    if let Some(one) = declared {
        return refused(format!(
            "`@{}` on `{}` (line {} of `client.tsp`) makes up the clients, and `@clientLocation` does not go with it",
            one.decorator, one.target, one.line
        ));
    }
    let (place, there) = resolved(reader, said)?;
    let done = there.is_some_and(|one| one.operations.iter().any(|operation| operation.reference == target.reference));
    let own = target.client.as_ref().map_or(&target.name, |client| &client.name);
    let taken = there
        .into_iter()
        .flat_map(|one| &one.operations)
        .find(|other| other.reference != target.reference && key(&other.name) == key(own));
    match taken {
        Some(other) => refused(format!("`{}` is there already under the name `{own}`", other.reference)),
        None => Ok(Intent::Move { target: target.clone(), place, done }),
    }
}

/// The place, with what is there in the client today.
fn resolved<'a>(reader: &Reader<'a>, said: &SaidPlace) -> Result<(Place, Option<&'a ClientEntry>), Refusal> {
    let clients = &reader.index.clients;
    match said {
        SaidPlace::Group(interface) => {
            let interface = one_entity(reader, interface)?;
            let there = clients.iter().find(|one| one.reference.as_ref() == Some(&interface.reference));
            Ok((Place::Group(interface.reference.clone()), there))
        }
        SaidPlace::Root => {
            let mut roots = clients.iter().filter(|one| one.parent.is_none());
            match (roots.next().map(|root| (root, root.reference.clone())), roots.next()) {
                (Some((root, Some(reference))), None) => Ok((Place::Root(reference), Some(root))),
                _ => Err(Refusal::Structure { problem: "the library has no one root client".into() }),
            }
        }
        SaidPlace::New(name) => {
            let there = clients.iter().find(|one| key(&one.name) == key(name));
            let known = there.is_some_and(|one| one.reference.is_some() || one.name != *name);
            if known || !names::is_identifier(name) || names::pascal(name) != *name {
                let problem = "is no new name of a group in PascalCase".to_owned();
                return Err(Refusal::BadName { name: name.clone(), problem });
            }
            Ok((Place::New(name.clone()), there))
        }
    }
}
