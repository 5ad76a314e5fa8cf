//! Holds a wish against the clients that there are: no operation is lost, and nothing is done that is not certain.

use super::{KeptClient, KeptContent, PlannedClient, PlannedParameter, Regrouping, WishedClient, WishedParameter};
use crate::client_file::covers;
use crate::intents::{Intent, Refusal};
use crate::names::{self, key};
use bailiwick_sdk::tasks::{ClientEntry, ClientOperation, EntityKind, Language, SpecIndex};

/// The intent of clients with the references of their operations. Where they leave operations out, the client of today
/// stays beside them with all that it holds.
pub(crate) fn resolve(clients: &[WishedClient], index: &SpecIndex, language: Language) -> Result<Intent, Refusal> {
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
    each_once(clients, &chosen)?;
    if let Some(service) = declared(index, language) {
        return beside_declared(clients, service, index);
    }
    let coverage = coverage(&chosen, &operations);
    if coverage == Coverage::Whole && clients.len() < 2 {
        return Err(refused("one client holds every operation already; name two or more".into()));
    }
    planned(clients, chosen, coverage, index, language)
}

fn refused(problem: String) -> Refusal {
    Refusal::Structure { problem }
}

/// The service of clients that `client.tsp` declares one by one, where nothing else says how they are made up.
fn declared(index: &SpecIndex, language: Language) -> Option<String> {
    let ours = |scope: Option<&str>| scope.is_none_or(|scope| covers(scope, language));
    let structural = index.customizations.iter().filter(|one| {
        ["client", "operationGroup", "clientLocation", "clientInitialization"].contains(&one.decorator.as_str())
            && ours(one.scope.as_deref())
    });
    let mut found: Option<String> = None;
    for one in structural {
        let named = one.arguments.first().filter(|_| one.decorator == "client").and_then(|options| {
            let (_, behind) = options.split_once("service:")?;
            let service: String =
                behind.trim_start().chars().take_while(|c| c.is_alphanumeric() || ['.', '_'].contains(c)).collect();
            index.namespaces.contains(&service).then_some(service)
        });
        match (&found, named) {
            (_, None) => return None,
            (Some(known), Some(service)) if *known != service => return None,
            (_, Some(service)) => found = Some(service),
        }
    }
    found
}

/// Clients beside those that `client.tsp` declares, which keep all that they hold.
fn beside_declared(wished: &[WishedClient], service: String, index: &SpecIndex) -> Result<Intent, Refusal> {
    let roots = || index.clients.iter().filter(|client| client.parent.is_none());
    let operations = || index.clients.iter().flat_map(|client| &client.operations);
    let mut clients: Vec<PlannedClient> = Vec::new();
    let mut done = true;
    for one in wished {
        let name = client_name(one, &clients, index)?;
        // What the clients call it, with the decorators that stand there.
        let member = |text: &String| operations().find(|held| held.reference == *text || held.source == *text);
        let members: Vec<&ClientOperation> = one.operations.iter().filter_map(member).collect();
        distinct_names(&name, &members)?;
        let mut wanted: Vec<&str> = members.iter().map(|member| member.source.as_str()).collect();
        wanted.sort_unstable();
        let there = roots().find(|client| key(&client.name) == key(&name));
        let holds = there.is_some_and(|client| {
            let mut held: Vec<&str> = client.operations.iter().map(|member| member.source.as_str()).collect();
            held.sort_unstable();
            held == wanted && one.parameters.is_empty()
        });
        if there.is_some() && !holds {
            return Err(refused(format!(
                "`{name}` is a client already, and it holds other operations; name another one"
            )));
        }
        done &= holds;
        let parameters =
            one.parameters.iter().map(|wanted| parameter(&name, wanted, &members)).collect::<Result<_, _>>()?;
        let operations = members.iter().map(|member| member.reference.clone()).collect();
        clients.push(PlannedClient { name, operations, parameters });
    }
    let made = |client: &&ClientEntry| clients.iter().any(|made| key(&made.name) == key(&client.name));
    let names: Vec<&str> = roots().filter(|client| !made(client)).map(|client| client.name.as_str()).collect();
    let kept = KeptClient { name: names.join("` and `"), content: KeptContent::Declared };
    let namespace = namespace(index, &service);
    Ok(Intent::Regroup { plan: Regrouping { service, namespace, clients, kept: Some(kept), done } })
}

/// How much of the service the wished clients hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coverage {
    Whole,
    Part,
}

fn coverage(chosen: &[Vec<String>], operations: &[&ClientOperation]) -> Coverage {
    let is_held = |one: &&ClientOperation| chosen.iter().flatten().any(|source| *source == one.source);
    if operations.iter().all(is_held) { Coverage::Whole } else { Coverage::Part }
}

/// The intent of clients whose operations are known.
fn planned(
    wanted: &[WishedClient],
    assigned: Vec<Vec<String>>,
    coverage: Coverage,
    index: &SpecIndex,
    language: Language,
) -> Result<Intent, Refusal> {
    let operations: Vec<&ClientOperation> = index.clients.iter().flat_map(|client| &client.operations).collect();
    let service =
        service(index).ok_or_else(|| refused("the project does not have exactly one service namespace".into()))?;
    let done = is_done(wanted, &assigned, coverage, index);
    let mut kept = None;
    if !done {
        customized(index, language).map_or(Ok(()), |problem| Err(refused(problem)))?;
        if coverage == Coverage::Part {
            kept = Some(kept_client(wanted, index)?);
        }
    }
    let mut clients: Vec<PlannedClient> = Vec::new();
    for (wished, sources) in wanted.iter().zip(assigned) {
        let name = client_name(wished, &clients, index)?;
        // A client beside the one of today holds operations that it holds, too.
        let held = |source: &String| operations.iter().copied().find(|one| one.source == *source);
        let members: Vec<&ClientOperation> = sources.iter().filter_map(held).collect();
        distinct_names(&name, &members)?;
        let parameters = if done {
            Vec::new()
        } else {
            wished.parameters.iter().map(|wanted| parameter(&name, wanted, &members)).collect::<Result<_, _>>()?
        };
        clients.push(PlannedClient { name, operations: sources, parameters });
    }
    let namespace = namespace(index, &service);
    Ok(Intent::Regroup { plan: Regrouping { service, namespace, clients, kept, done } })
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

/// The client of today, for a declaration that leaves it as it is.
fn kept_client(wished: &[WishedClient], index: &SpecIndex) -> Result<KeptClient, Refusal> {
    let roots: Vec<&ClientEntry> = index.clients.iter().filter(|client| client.parent.is_none()).collect();
    let [root] = roots.as_slice() else {
        return Err(refused("the project has several clients already".into()));
    };
    let taken = |client: &&WishedClient| index.clients.iter().any(|there| key(&there.name) == key(&client.name));
    if let Some(taken) = wished.iter().find(taken) {
        let problem = format!(
            "`{}` is a client already, and the request leaves operations of the service to no client; \
             name another client, or where the other operations go",
            taken.name
        );
        return Err(refused(problem));
    }
    let has_groups = index.clients.iter().any(|client| client.parent.is_some() && !client.operations.is_empty());
    let content = match (has_groups, root.operations.as_slice()) {
        (true, []) => KeptContent::Groups,
        (false, own) => KeptContent::Operations(own.iter().map(|one| one.source.clone()).collect()),
        // The client generator core takes over the groups of a service, and no operation beside them.
        (true, [own, ..]) => {
            let problem = format!(
                "`{}` has groups of operations and `{}` beside them, and such a client cannot be declared anew as it \
                 is; name clients for all operations",
                root.name, own.source
            );
            return Err(refused(problem));
        }
    };
    Ok(KeptClient { name: root.name.clone(), content })
}

/// Whether no operation is named twice, and no client is empty.
fn each_once(clients: &[WishedClient], chosen: &[Vec<String>]) -> Result<(), Refusal> {
    let mut seen: Vec<&String> = Vec::new();
    for source in chosen.iter().flatten() {
        if seen.contains(&source) {
            return Err(refused(format!("the operation `{source}` is named twice")));
        }
        seen.push(source);
    }
    match clients.iter().zip(chosen).find(|(_, sources)| sources.is_empty()) {
        Some((empty, _)) => Err(refused(format!("`{}` would hold no operation", empty.name))),
        None => Ok(()),
    }
}

/// Whether the language has exactly these clients already, beside another one where they leave operations out.
fn is_done(wished: &[WishedClient], assigned: &[Vec<String>], coverage: Coverage, index: &SpecIndex) -> bool {
    let sorted = |mut all: Vec<String>| {
        all.sort_unstable();
        all
    };
    let alone = index.clients.iter().filter(|client| client.parent.is_none()).count();
    let kept = match coverage {
        Coverage::Whole => 0,
        Coverage::Part => 1,
    };
    alone == wished.len() + kept
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
            return Err(refused(format!(
                "`{client}` cannot be initialized with `{}`: `{}` has no such required parameter, and {instead}",
                wanted.declared, member.source
            )));
        };
        let name = wanted.name.clone().unwrap_or_else(|| own.declared.clone());
        let mine = PlannedParameter { name: names::camel(&name), declared: own.declared.clone(), r#type };
        match &found {
            Some(found) if *found != mine => {
                return Err(refused(format!("`{}` is not the same in all operations of `{client}`", wanted.declared)));
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
