//! Moves of operations, and of parameters, to another client or group: where they may go, and what stands against it.
//!
//! `@clientLocation` does all of them. Beside clients that `client.tsp` declares, the client generator core follows it from
//! version 0.67 on; the operation is then named as the declared client has it.

#[cfg(test)]
mod tests;

use super::check::{bad, near, root};
use super::client_file::{covers, stands};
use super::intents::{Intent, Place, Refusal};
use super::names::{self, key};
use bailiwick_sdk::tasks::{ClientEntry, Customization, Entity, EntityKind, Language, SpecIndex};

fn refused<T>(problem: String) -> Result<T, Refusal> {
    Err(Refusal::Structure { problem })
}

fn no_place<T>(problem: String, approach: String) -> Result<T, Refusal> {
    Err(Refusal::Place { problem, approach })
}

/// The intent to move an operation to the group of an interface, to a client or to a new group. `name` is what it is
/// called there, where the request renames it, too.
pub(crate) fn movable(
    target: &Entity,
    name: Option<&str>,
    to: &str,
    languages: &[Language],
    index: &SpecIndex,
    language: Language,
) -> Result<Intent, Refusal> {
    if target.kind == EntityKind::Parameter {
        return movable_parameter(target, to, index, language);
    }
    if target.kind != EntityKind::Operation {
        return refused(format!("the {} `{}` is no operation", target.kind.noun(), target.reference));
    }
    if target.client.is_none() {
        return Err(Refusal::NotInClient { target: Box::new(target.clone()) });
    }
    let declared = languages.iter().find_map(|one| declaration(index, *one));
    let (place, there) = match declared {
        Some(_) if languages != [language] => {
            return no_place(
                format!(
                    "operations of clients that `client.tsp` declares are moved for one language at a time, here {language}"
                ),
                "ask for each language in a run of its own".into(),
            );
        }
        Some(declared) => declared_place(declared, target, to, index, language)?,
        None => place(to, index)?,
    };
    let done = there.is_some_and(|one| one.operations.iter().any(|operation| operation.reference == target.reference));
    let own = name.unwrap_or_else(|| called(target));
    let taken = there
        .into_iter()
        .flat_map(|one| &one.operations)
        .find(|other| other.reference != target.reference && key(&other.name) == key(own));
    match taken {
        Some(other) => refused(format!("`{}` is there already under the name `{own}`", other.reference)),
        None => Ok(Intent::Move { target: target.clone(), place, done }),
    }
}

/// The name of an operation in the client.
fn called(target: &Entity) -> &str {
    target.client.as_ref().map_or(&target.name, |client| &client.name)
}

/// A decorator by which `client.tsp` declares the clients of a language.
fn declaration(index: &SpecIndex, language: Language) -> Option<&Customization> {
    index.customizations.iter().find(|one| {
        let declares = ["client", "operationGroup"].contains(&one.decorator.as_str());
        declares && one.scope.as_deref().is_none_or(|scope| covers(scope, language))
    })
}

/// The place that a directive names, where `client.tsp` declares the clients. An interface or a namespace that is no
/// client of the language is no place: the client generator core would leave the operation where it is.
fn declared_place<'a>(
    declared: &Customization,
    target: &Entity,
    to: &str,
    index: &'a SpecIndex,
    language: Language,
) -> Result<(Place, Option<&'a ClientEntry>), Refusal> {
    if !index.locates_declared {
        return no_place(
            format!(
                "`@{}` on `{}` (line {} of `client.tsp`) makes up the clients, and this version of the client generator \
                 core does not follow `@clientLocation` beside it",
                declared.decorator, declared.target, declared.line
            ),
            "use version 0.67 of the client generator core or a later one".into(),
        );
    }
    let holds = |one: &&ClientEntry| one.operations.iter().any(|operation| operation.reference == target.reference);
    if index.clients.iter().filter(holds).count() != 1 {
        return no_place(
            format!("no client, or more than one, has the operation `{}`", target.reference),
            "name the operation as the client has it that it shall leave".into(),
        );
    }
    let roots: Vec<&ClientEntry> = index.clients.iter().filter(|one| one.parent.is_none()).collect();
    let is_service = || target_service(target, index).is_some_and(|service| service == to);
    let there = match index.clients.iter().find(|one| one.reference.as_deref() == Some(to)) {
        // The service's own namespace stands for its one client.
        None if roots.len() == 1 && is_service() => roots.first().copied(),
        found => found,
    };
    if let Some(entry) = there
        && let Some(reference) = entry.reference.clone()
    {
        let place = match roots.as_slice() {
            [root] if root.reference == entry.reference => Place::Root(reference),
            _ if !turns_round(target, &reference, index) => Place::Group(reference),
            [root] if is_known_by_its_name(entry, root, &reference) => {
                Place::Named { reference, name: entry.name.clone() }
            }
            _ => {
                let scope = language.scope_token();
                return no_place(
                    format!(
                        "`{reference}` is declared below `{}`, and to name it there would change the order of the clients \
                         for every language",
                        target.container.as_deref().unwrap_or_default()
                    ),
                    format!(
                        "take the operation out of its client by hand (`@@scope({}, \"!{scope}\");`) and write it into the \
                         other one (`@scope(\"{scope}\") name is Interface.operation;`)",
                        target.reference
                    ),
                );
            }
        };
        return Ok((place, there));
    }
    if let Some(one) = index.entities.iter().find(|one| one.reference == to) {
        return no_place(
            format!("the {} `{to}` is not one of the clients that `client.tsp` declares", one.kind.noun()),
            format!("name one of {}", listed(index)),
        );
    }
    if to.contains('.') {
        return Err(Refusal::NotFound { text: to.to_owned(), near: near(index, to) });
    }
    let new = new_group(to, index)?;
    if roots.len() != 1 {
        return no_place(
            format!("it is not certain to which of several clients the new group `{to}` would belong"),
            format!(
                "move the operation to one of {}, or declare the group in `client.tsp` by hand (`@client` for \"{}\")",
                listed(index),
                language.scope_token()
            ),
        );
    }
    Ok(new)
}

/// Whether the compiler would have an interface before others that are declared above it: what an operation's decorator
/// names is done with before the interface that holds the operation is.
fn turns_round(target: &Entity, place: &str, index: &SpecIndex) -> bool {
    let declared = |reference: &str| index.entities.iter().find(|one| one.reference == reference);
    let Some(to) = declared(place).filter(|one| one.kind == EntityKind::Interface) else { return false };
    let Some(from) = target.container.as_deref().and_then(declared) else { return true };
    let above = |one: &&Entity| {
        let sibling = one.kind == EntityKind::Interface && one.container == to.container && one.file == to.file;
        sibling && one.line < to.line && (from.file != to.file || from.line <= one.line)
    };
    index.entities.iter().any(|one| above(&one))
}

/// Whether a name in quotes is this group: it hangs right below the one client, and is called as its declaration is.
fn is_known_by_its_name(entry: &ClientEntry, root: &ClientEntry, reference: &str) -> bool {
    entry.parent.as_ref() == Some(&root.name) && reference.rsplit('.').next() == Some(&entry.name)
}

/// The namespace of the service that an operation of a declared client comes from.
fn target_service<'a>(target: &Entity, index: &'a SpecIndex) -> Option<&'a str> {
    let operations = || index.clients.iter().flat_map(|one| &one.operations);
    let source = &operations().find(|one| one.reference == target.reference)?.source;
    let around = |name: &&String| source.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'));
    index.namespaces.iter().filter(around).min_by_key(|name| name.len()).map(String::as_str)
}

/// The references of the clients, for people.
fn listed(index: &SpecIndex) -> String {
    let references = index.clients.iter().filter_map(|one| one.reference.as_ref());
    references.map(|reference| format!("`{reference}`")).collect::<Vec<_>>().join(", ")
}

/// The intent to move a parameter of an operation to a client, which is created with it from then on.
fn movable_parameter(target: &Entity, to: &str, index: &SpecIndex, language: Language) -> Result<Intent, Refusal> {
    let (place, there) = place(to, index)?;
    if matches!(place, Place::New(_)) || there.is_none() {
        let problem = format!("`{to}` is not a client that could be created with `{}`", target.name);
        return Err(Refusal::Structure { problem });
    }
    let intent = |done| Intent::Move { target: target.clone(), place: place.clone(), done };
    let done = stands(&intent(false), language, index);
    if !done && target.client.is_none() {
        return Err(Refusal::NotInClient { target: Box::new(target.clone()) });
    }
    Ok(intent(done))
}

/// The place that a directive names, with what is there in the client today.
fn place<'a>(to: &str, index: &'a SpecIndex) -> Result<(Place, Option<&'a ClientEntry>), Refusal> {
    let there = index.clients.iter().find(|one| one.reference.as_deref() == Some(to));
    let kind = index.entities.iter().find(|one| one.reference == to).map(|one| one.kind);
    match kind {
        Some(EntityKind::Interface) => return Ok((Place::Group(to.to_owned()), there)),
        _ if there.is_some_and(|one| one.parent.is_none()) => return Ok((Place::Root(root(index)?), there)),
        Some(kind) => {
            let problem = format!("the {} `{to}` is no group of operations", kind.noun());
            return Err(Refusal::Structure { problem });
        }
        None if to.contains('.') => {
            return Err(Refusal::NotFound { text: to.to_owned(), near: near(index, to) });
        }
        None => {}
    }
    new_group(to, index)
}

/// A group that only `@clientLocation` names; it may be there from an earlier move.
fn new_group<'a>(to: &str, index: &'a SpecIndex) -> Result<(Place, Option<&'a ClientEntry>), Refusal> {
    let there = index.clients.iter().find(|one| key(&one.name) == key(to));
    let known = there.is_some_and(|one| one.reference.is_some() || one.name != to);
    if known || !names::is_identifier(to) || names::pascal(to) != to {
        return Err(bad(to, "is no new name of a group in PascalCase"));
    }
    Ok((Place::New(to.to_owned()), there))
}

/// Refuses moves that would put two operations of one name into one place. `names` are what a request calls what it moves.
pub(crate) fn refuse_twins(checked: &mut [Result<Intent, Refusal>], names: &[Option<&str>]) {
    let moved: Vec<Option<(Entity, Place, String)>> = checked
        .iter()
        .zip(names)
        .map(|(outcome, name)| match outcome {
            Ok(Intent::Move { target, place, .. }) if target.kind == EntityKind::Operation => {
                Some((target.clone(), place.clone(), name.unwrap_or_else(|| called(target)).to_owned()))
            }
            _ => None,
        })
        .collect();
    for (outcome, own) in checked.iter_mut().zip(&moved) {
        let Some((target, place, name)) = own else { continue };
        let spelled = moved.iter().flatten().find_map(|(_, there, _)| match (place, there) {
            (Place::New(one), Place::New(other)) if one != other && key(one) == key(other) => Some((one, other)),
            _ => None,
        });
        if let Some((one, other)) = spelled {
            let problem = format!("`{one}` and `{other}` would be two groups; write the name of the group in one way");
            *outcome = Err(Refusal::Structure { problem });
            continue;
        }
        let twin = moved.iter().flatten().find(|(other, there, called)| {
            other.reference != target.reference && there == place && key(called) == key(name)
        });
        if let Some((other, ..)) = twin {
            let problem = format!(
                "`{}` and `{}` would both be called `{name}` {}; rename one of them in the same request",
                target.reference,
                other.reference,
                place.describe()
            );
            *outcome = Err(Refusal::Structure { problem });
        }
    }
}

/// Refuses moves that would leave a declared client without operations: it stays in the library, as a class that does
/// nothing.
pub(crate) fn refuse_to_empty(checked: &mut [Result<Intent, Refusal>], index: &SpecIndex, language: Language) {
    if declaration(index, language).is_none() {
        return;
    }
    let moved: Vec<(String, Option<String>)> = checked
        .iter()
        .filter_map(|outcome| match outcome {
            Ok(Intent::Move { target, place, done: false }) => {
                Some((target.reference.clone(), place.reference().map(str::to_owned)))
            }
            _ => None,
        })
        .collect();
    let goes = |reference: &str| moved.iter().any(|(operation, _)| operation == reference);
    let emptied: Vec<&ClientEntry> = index
        .clients
        .iter()
        .filter(|client| client.reference.is_some() && !client.operations.is_empty())
        .filter(|client| client.operations.iter().all(|one| goes(&one.reference)))
        .filter(|client| !moved.iter().any(|(_, place)| *place == client.reference))
        .filter(|client| !index.clients.iter().any(|other| other.parent.as_ref() == Some(&client.name)))
        .collect();
    for outcome in checked.iter_mut() {
        let Ok(Intent::Move { target, done: false, .. }) = outcome else { continue };
        let left = |client: &&&ClientEntry| client.operations.iter().any(|one| one.reference == target.reference);
        if let Some(client) = emptied.iter().find(left) {
            *outcome = Err(Refusal::Place {
                problem: format!("`{}` would hold no operation, and stay in the library", client.name),
                approach: format!("leave an operation there, or declare the clients of {language} anew by hand"),
            });
        }
    }
}
