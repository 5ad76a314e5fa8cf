//! Holds a wish against the clients that there are: every operation once, and nothing that is not certain.

use super::{PlannedClient, PlannedParameter, Regrouping, WishedClient, WishedParameter};
use crate::client_file::covers;
use crate::intents::{Intent, Refusal};
use crate::names::{self, key};
use bailiwick_sdk::tasks::{ClientOperation, EntityKind, Language, SpecIndex};

/// The intent of clients with the references of their operations.
pub(crate) fn resolve(clients: &[WishedClient], index: &SpecIndex, language: Language) -> Result<Intent, Refusal> {
    if clients.len() < 2 {
        return Err(one_client());
    }
    let operations: Vec<&ClientOperation> = index.clients.iter().flat_map(|client| &client.operations).collect();
    let source = |reference: &String| {
        let known = operations.iter().find(|one| one.reference == *reference || one.source == *reference);
        known
            .map(|one| one.source.clone())
            .ok_or_else(|| Refusal::NotFound { text: reference.clone(), near: Vec::new() })
    };
    let chosen = clients
        .iter()
        .map(|client| client.operations.iter().map(source).collect::<Result<Vec<String>, Refusal>>())
        .collect::<Result<Vec<_>, Refusal>>()?;
    each_once(clients, &chosen, &operations)?;
    planned(clients, chosen, index, language)
}

fn one_client() -> Refusal {
    Refusal::Structure { problem: "one client holds every operation already; name two or more".into() }
}

/// The intent of clients whose operations are known.
fn planned(
    wanted: &[WishedClient],
    assigned: Vec<Vec<String>>,
    index: &SpecIndex,
    language: Language,
) -> Result<Intent, Refusal> {
    let refused = |problem: String| Refusal::Structure { problem };
    let operations: Vec<&ClientOperation> = index.clients.iter().flat_map(|client| &client.operations).collect();
    let service =
        service(index).ok_or_else(|| refused("the project does not have exactly one service namespace".into()))?;
    let done = is_done(wanted, &assigned, index);
    if !done {
        customized(index, language).map_or(Ok(()), |problem| Err(refused(problem)))?;
    }
    let mut clients: Vec<PlannedClient> = Vec::new();
    for (wished, sources) in wanted.iter().zip(assigned) {
        let name = client_name(wished, &clients, index)?;
        let members: Vec<&ClientOperation> =
            operations.iter().copied().filter(|one| sources.contains(&one.source)).collect();
        distinct_names(&name, &members)?;
        let parameters = if done {
            Vec::new()
        } else {
            wished.parameters.iter().map(|wanted| parameter(&name, wanted, &members)).collect::<Result<_, _>>()?
        };
        clients.push(PlannedClient { name, operations: sources, parameters });
    }
    let namespace = namespace(index, &service);
    Ok(Intent::Regroup { plan: Regrouping { service, namespace, clients, done } })
}

/// The namespace that clients belong to. It is known by the client that it makes, or by what the operations lie in once
/// there are other clients.
fn service(index: &SpecIndex) -> Option<String> {
    let is_namespace = |name: &&str| index.namespaces.iter().any(|one| one == name);
    let mut found: Vec<&str> = Vec::new();
    for operation in index.clients.iter().flat_map(|client| &client.operations) {
        let mut holder = operation.source.as_str();
        while let Some((outer, _)) = holder.rsplit_once('.') {
            holder = outer;
            if is_namespace(&holder) {
                break;
            }
        }
        if !found.contains(&holder) {
            found.push(holder);
        }
    }
    // Operations of an inner namespace belong to the outer one's service.
    found.sort_unstable_by_key(|name| name.len());
    let first = *found.first().filter(|name| is_namespace(name))?;
    found.iter().all(|name| *name == first || name.starts_with(&format!("{first}."))).then(|| first.to_owned())
}

/// Whether every operation is in one client, and in one alone.
fn each_once(clients: &[WishedClient], chosen: &[Vec<String>], operations: &[&ClientOperation]) -> Result<(), Refusal> {
    let refused = |problem: String| Err(Refusal::Structure { problem });
    let mut seen: Vec<&String> = Vec::new();
    for source in chosen.iter().flatten() {
        if seen.contains(&source) {
            return refused(format!("the operation `{source}` is named twice"));
        }
        seen.push(source);
    }
    let left: Vec<&String> = operations.iter().map(|one| &one.source).filter(|source| !seen.contains(source)).collect();
    if !left.is_empty() {
        let names: Vec<String> = left.iter().take(10).map(|source| format!("`{source}`")).collect();
        return refused(format!(
            "no client gets {}, and what no client holds is gone from the library",
            names.join(", ")
        ));
    }
    match clients.iter().zip(chosen).find(|(_, sources)| sources.is_empty()) {
        Some((empty, _)) => refused(format!("`{}` would hold no operation", empty.name)),
        None => Ok(()),
    }
}

/// Whether the language has exactly these clients already.
fn is_done(wished: &[WishedClient], assigned: &[Vec<String>], index: &SpecIndex) -> bool {
    let sorted = |mut all: Vec<String>| {
        all.sort_unstable();
        all
    };
    let alone = index.clients.iter().filter(|client| client.parent.is_none()).count();
    alone == wished.len()
        && wished.iter().zip(assigned).all(|(wished, sources)| {
            let mine = index.clients.iter().find(|client| client.name == wished.name && client.parent.is_none());
            mine.is_some_and(|client| {
                let held = client.operations.iter().map(|one| one.source.clone()).collect();
                let given = |wanted: &WishedParameter| key(wanted.name.as_ref().unwrap_or(&wanted.declared));
                let wanted = wished.parameters.iter().map(given).collect();
                let initialized = client.initialization.iter().map(|name| key(name)).collect();
                sorted(held) == sorted(sources.clone()) && sorted(wanted) == sorted(initialized)
            })
        })
}

/// A decorator that already says how clients of this language are made up.
fn customized(index: &SpecIndex, language: Language) -> Option<String> {
    let structural = ["client", "operationGroup", "clientLocation", "clientInitialization"];
    let one = index.customizations.iter().find(|one| {
        structural.contains(&one.decorator.as_str()) && one.scope.as_deref().is_none_or(|scope| covers(scope, language))
    })?;
    Some(format!(
        "`@{}` on `{}` (line {} of `client.tsp`) already says how the clients are made up",
        one.decorator, one.target, one.line
    ))
}

fn client_name(wished: &WishedClient, others: &[PlannedClient], index: &SpecIndex) -> Result<String, Refusal> {
    let bad = |problem: &str| Refusal::BadName { name: wished.name.clone(), problem: problem.to_owned() };
    if names::pascal(&wished.name) != wished.name {
        return Err(bad("is not written as clients are: in PascalCase"));
    }
    if !wished.name.ends_with("Client") || wished.name == "Client" {
        return Err(bad("does not end with `Client`, as the name of a client must"));
    }
    if others.iter().any(|other| other.name == wished.name) {
        return Err(bad("is that of two clients"));
    }
    let types = [EntityKind::Model, EntityKind::Enum, EntityKind::Union];
    let other = index.entities.iter().find(|one| {
        types.contains(&one.kind) && one.client.as_ref().is_some_and(|client| key(&client.name) == key(&wished.name))
    });
    match other {
        Some(other) => Err(Refusal::Collision { name: wished.name.clone(), other: Box::new(other.clone()) }),
        None => Ok(wished.name.clone()),
    }
}

/// Two operations of one name cannot be members of one client.
fn distinct_names(client: &str, members: &[&ClientOperation]) -> Result<(), Refusal> {
    for (at, one) in members.iter().enumerate() {
        if let Some(other) = members[..at].iter().find(|other| key(&other.name) == key(&one.name)) {
            let problem = format!(
                "`{client}` would have two operations called `{}`: `{}` and `{}`; rename one of them first",
                one.name, other.source, one.source
            );
            return Err(Refusal::Structure { problem });
        }
    }
    Ok(())
}

/// The parameter that all operations of a client have under this name.
pub(crate) fn parameter(
    client: &str,
    wanted: &WishedParameter,
    members: &[&ClientOperation],
) -> Result<PlannedParameter, Refusal> {
    let refused = |problem: String| Err(Refusal::Structure { problem });
    let mut found: Option<PlannedParameter> = None;
    for member in members {
        let own = member.parameters.iter().find(|one| {
            let same = key(&one.declared) == key(&wanted.declared) || key(&one.name) == key(&wanted.declared);
            same && !one.optional && one.place != "body"
        });
        let Some((own, r#type)) = own.and_then(|own| Some((own, own.r#type.clone()?))) else {
            let shared = shared(members);
            let instead = if shared.is_empty() {
                "they have no parameter in common".to_owned()
            } else {
                format!("they all have {}; `… as {}` gives one another name", shared.join(" and "), wanted.declared)
            };
            return refused(format!(
                "`{client}` cannot be initialized with `{}`: `{}` has no such required parameter, and {instead}",
                wanted.declared, member.source
            ));
        };
        let name = wanted.name.clone().unwrap_or_else(|| own.declared.clone());
        let mine = PlannedParameter { name: names::camel(&name), declared: own.declared.clone(), r#type };
        match &found {
            Some(found) if *found != mine => {
                return refused(format!("`{}` is not the same in all operations of `{client}`", wanted.declared));
            }
            _ => found = Some(mine),
        }
    }
    found.ok_or_else(|| Refusal::Structure { problem: format!("`{client}` would hold no operation") })
}

/// Required parameters that every operation has.
fn shared(members: &[&ClientOperation]) -> Vec<String> {
    let Some((first, rest)) = members.split_first() else { return Vec::new() };
    let has =
        |one: &ClientOperation, name: &str| one.parameters.iter().any(|own| own.declared == name && !own.optional);
    first
        .parameters
        .iter()
        .filter(|own| !own.optional && own.place != "body" && rest.iter().all(|one| has(one, &own.declared)))
        .map(|own| format!("`{}`", own.declared))
        .collect()
}

/// What the namespace of declarations for one language is called.
pub(crate) const NAMESPACE: &str = "ClientCustomizations";

/// A namespace beside the service's, where declarations belong to the client of one language only.
pub(crate) fn namespace(index: &SpecIndex, service: &str) -> String {
    let name = NAMESPACE;
    if !index.namespaces.iter().any(|one| one == name || one.starts_with(&format!("{name}."))) {
        return name.to_owned();
    }
    format!("{}{name}", service.replace('.', ""))
}
