//! Holds a directive against the specification: what it names is there and in the client, can be changed so, and what
//! comes of it builds. A sentence that was read, a script's option and a model's classification all pass through here.

use super::client_layout::{self, WishedClient, WishedParameter};
use super::decorate::{decorated, undecorated};
use super::intents::{Intent, Refusal, can_be_hidden, can_be_renamed};
use super::moves::{self, movable};
use super::names::{self, key};
use super::out_of_reach;
use bailiwick_sdk::python_names;
use bailiwick_sdk::tasks::{Change, Decoration, Decorator, Directive, Entity, EntityKind, Language, Scope, SpecIndex};

/// The intent of a directive for the package of a language.
///
/// A [`Change::Client`], or the name that a thing has in its new group, makes sense only together with the others of the request:
/// see [`check_all`].
fn check(directive: &Directive, all: &[&Directive], index: &SpecIndex, language: Language) -> Result<Intent, Refusal> {
    let languages = languages(directive.scope.as_ref(), language);
    match &directive.change {
        Change::Rename { kind, target, name } => renamable(entity(index, *kind, target)?, name, &languages, index),
        Change::Hide { kind, target } => hideable(entity(index, *kind, target)?),
        Change::Show { kind, target } => showable(entity(index, *kind, target)?),
        Change::Move { kind, target, to } => {
            let target = out_of_reach::named(entity(index, *kind, target)?, index)?;
            let name = new_name_of(target, directive.scope.as_ref(), all, index);
            movable(target, name, to, &languages, index, language)
        }
        Change::Decorate { kind, target, decoration } => {
            let target = out_of_reach::named(named(index, *kind, target)?, index)?;
            decorated(target, decoration, directive.scope.as_ref(), index, language)
        }
        Change::Undecorate { kind, target, decorator } => {
            undecorated(out_of_reach::named(named(index, *kind, target)?, index)?, *decorator, index, language)
        }
        Change::Client { .. } => clients(&[directive], index, language),
        Change::Repair { .. } => Ok(Intent::Refresh { renames: Vec::new() }),
    }
}

/// The name that another directive of the request, for the same languages, gives to what one is about.
fn new_name_of<'a>(
    target: &Entity,
    scope: Option<&Scope>,
    all: &[&'a Directive],
    index: &SpecIndex,
) -> Option<&'a str> {
    all.iter().filter(|other| other.scope.as_ref() == scope).find_map(|other| match &other.change {
        Change::Rename { kind, target: renamed, name } => {
            let is_it = entity(index, *kind, renamed).is_ok_and(|one| one.reference == target.reference);
            is_it.then_some(name.as_str())
        }
        _ => None,
    })
}

/// The intents of all directives of a request, one for each. The clients that it asks for are one intent, which stands
/// for each of their directives. Directives that contradict each other are all refused.
pub(crate) fn check_all(
    directives: &[&Directive],
    index: &SpecIndex,
    language: Language,
) -> Vec<Result<Intent, Refusal>> {
    let is_client = |one: &Directive| matches!(one.change, Change::Client { .. });
    let asked: Vec<&Directive> = directives.iter().copied().filter(|one| is_client(one)).collect();
    let together = if asked.is_empty() { None } else { Some(clients(&asked, index, language)) };
    let mut checked: Vec<Result<Intent, Refusal>> = directives
        .iter()
        .map(|one| match &together {
            Some(together) if is_client(one) => together.clone(),
            _ => check(one, directives, index, language),
        })
        .collect();
    let scopes: Vec<Vec<Language>> = directives.iter().map(|one| languages(one.scope.as_ref(), language)).collect();
    let intents: Vec<Option<Intent>> = checked.iter().map(|one| one.as_ref().ok().cloned()).collect();
    for (at, outcome) in checked.iter_mut().enumerate() {
        let Some(own) = intents.get(at).and_then(Option::as_ref) else { continue };
        let overlaps = |other: usize| {
            let both = scopes.get(at).zip(scopes.get(other));
            both.is_some_and(|(one, other)| one.iter().any(|language| other.contains(language)))
        };
        let others = intents.iter().enumerate().filter(|(other, _)| *other != at && overlaps(*other));
        let contrary = others.filter_map(|(_, other)| other.as_ref()).find(|other| contradict(own, other));
        if let Some(other) = contrary {
            *outcome = Err(Refusal::Contradiction { first: own.describe(language), second: other.describe(language) });
        }
    }
    refuse_to_hide_what_stays_public(&mut checked, &scopes, index, language);
    let names: Vec<Option<&str>> = directives
        .iter()
        .zip(&checked)
        .map(|(one, outcome)| match outcome {
            Ok(Intent::Move { target, .. }) => new_name_of(target, one.scope.as_ref(), directives, index),
            _ => None,
        })
        .collect();
    moves::refuse_twins(&mut checked, &names);
    moves::refuse_to_empty(&mut checked, index, language);
    checked
}

/// A type is public as long as a public operation takes or returns it, or a public model has it, whatever its own `@access`
/// says.
fn refuse_to_hide_what_stays_public(
    checked: &mut [Result<Intent, Refusal>],
    scopes: &[Vec<Language>],
    index: &SpecIndex,
    language: Language,
) {
    let hidden: Vec<String> = checked
        .iter()
        .filter_map(|one| match one {
            Ok(Intent::Hide { target }) => Some(target.reference.clone()),
            _ => None,
        })
        .collect();
    for (outcome, languages) in checked.iter_mut().zip(scopes) {
        let Ok(Intent::Hide { target }) = outcome else { continue };
        let uses = index.uses.get(&target.reference).map(Vec::as_slice).unwrap_or_default();
        let operations: Vec<String> = uses.iter().filter(|one| !hidden.contains(one)).cloned().collect();
        // What the index says of the package's language may be otherwise in another.
        if !operations.is_empty() && languages.contains(&language) {
            *outcome = Err(Refusal::StaysPublic { target: Box::new(target.clone()), operations });
            continue;
        }
        let held = index.held.get(&target.reference).map(Vec::as_slice).unwrap_or_default();
        let of_hidden = |property: &&String| hidden.iter().any(|model| is_property_of(property, model));
        let properties: Vec<String> = held.iter().filter(|one| !of_hidden(one)).cloned().collect();
        if !properties.is_empty() && languages.contains(&language) {
            *outcome = Err(Refusal::HeldPublic { target: Box::new(target.clone()), properties });
        }
    }
}

fn is_property_of(property: &str, model: &str) -> bool {
    property.rsplit_once('.').is_some_and(|(holder, _)| holder == model)
}

/// Whether two intents cannot both be followed in one request.
pub(crate) fn contradict(first: &Intent, second: &Intent) -> bool {
    match (first, second) {
        (Intent::Rename { target, new, .. }, Intent::Rename { target: other, new: name, .. }) => {
            if target.address() == other.address() {
                new != name
            } else {
                key(new) == key(name) && target.container == other.container
            }
        }
        (Intent::Move { target, place, .. }, Intent::Move { target: other, place: to, .. }) => {
            target.reference == other.reference && place != to
        }
        (
            Intent::Decorate { target, decoration, source, .. },
            Intent::Decorate { target: other, decoration: also, source: with, .. },
        ) => {
            let option = |one: &Decoration| match one {
                Decoration::ClientOption(option) => Some(option.name.clone()),
                _ => None,
            };
            target.reference == other.reference
                && decoration.decorator() == also.decorator()
                && option(decoration) == option(also)
                && source != with
        }
        (Intent::Decorate { target, decoration, .. }, Intent::Undecorate { target: other, decorator, .. })
        | (Intent::Undecorate { target: other, decorator, .. }, Intent::Decorate { target, decoration, .. }) => {
            target.reference == other.reference && decoration.decorator() == *decorator
        }
        (Intent::Undecorate { target, decorator, .. }, other)
        | (other, Intent::Undecorate { target, decorator, .. }) => {
            let (also, written) = match other {
                Intent::Rename { target, .. } => (target, Decorator::ClientName),
                Intent::Hide { target } | Intent::Show { target } => (target, Decorator::Access),
                Intent::Move { target, .. } => (target, Decorator::ClientLocation),
                _ => return false,
            };
            target.reference == also.reference && *decorator == written
        }
        (Intent::Hide { target }, Intent::Show { target: other })
        | (Intent::Show { target }, Intent::Hide { target: other }) => target.reference == other.reference,
        // Clients are declared anew in one request, and decorated in the next.
        (Intent::Regroup { plan }, other) | (other, Intent::Regroup { plan }) if !plan.done => match other {
            Intent::Regroup { plan: other } => plan != other,
            Intent::Move { .. } | Intent::Decorate { .. } => true,
            Intent::Hide { target } | Intent::Show { target } | Intent::Rename { target, .. } => !matches!(
                target.kind,
                EntityKind::Model
                    | EntityKind::Property
                    | EntityKind::Enum
                    | EntityKind::EnumMember
                    | EntityKind::Union
            ),
            Intent::Refresh { .. } | Intent::Undecorate { .. } | Intent::Nothing => false,
        },
        _ => false,
    }
}

/// The languages that a scope is for, among those that there are libraries of.
pub(crate) fn languages(scope: Option<&Scope>, language: Language) -> Vec<Language> {
    match scope {
        None => vec![language],
        Some(scope) => Language::ALL.into_iter().filter(|one| scope.covers(*one)).collect(),
    }
}

/// What a reference names. Where a client of `client.tsp` stands in for an operation of the service, the client has the
/// stand-in, and a decorator on the service's own would change nothing.
fn entity<'a>(index: &'a SpecIndex, kind: EntityKind, reference: &str) -> Result<&'a Entity, Refusal> {
    let found = named(index, kind, reference)?;
    if let Some(parameter) = out_of_reach::of_client(found, index) {
        return Ok(parameter);
    }
    let operations = || index.clients.iter().flat_map(|client| &client.operations);
    if found.client.is_some() || operations().any(|one| one.reference == reference) {
        return Ok(found);
    }
    let mut stand_ins = operations().filter(|one| one.source == reference);
    match (stand_ins.next(), stand_ins.next()) {
        (Some(one), None) => Ok(index.entities.iter().find(|other| other.reference == one.reference).unwrap_or(found)),
        _ => Ok(found),
    }
}

/// What a reference names, where a decorator stands on that and on nothing in its place.
fn named<'a>(index: &'a SpecIndex, kind: EntityKind, reference: &str) -> Result<&'a Entity, Refusal> {
    let named = || index.entities.iter().filter(|one| one.reference == reference);
    named().find(|one| one.kind == kind).ok_or_else(|| {
        let found: Vec<Entity> = named().cloned().collect();
        let text = reference.to_owned();
        if found.is_empty() {
            Refusal::NotFound { text, near: near(index, reference) }
        } else {
            Refusal::KindMismatch { text, noun: kind.noun().to_owned(), found }
        }
    })
}

/// What has the same name elsewhere.
pub(crate) fn near(index: &SpecIndex, reference: &str) -> Vec<Entity> {
    let name = |text: &str| key(text.rsplit(['.', ':']).next().unwrap_or(text));
    let wanted = name(reference);
    index.entities.iter().filter(|one| name(&one.reference) == wanted).take(5).cloned().collect()
}

/// The intent to hide an entity.
pub(crate) fn hideable(target: &Entity) -> Result<Intent, Refusal> {
    if !can_be_hidden(target.kind) {
        Err(Refusal::CannotHide { target: Box::new(target.clone()) })
    } else if target.client.is_none() {
        Err(Refusal::NotInClient { target: Box::new(target.clone()) })
    } else {
        Ok(Intent::Hide { target: target.clone() })
    }
}

/// The intent to show an entity again.
pub(crate) fn showable(target: &Entity) -> Result<Intent, Refusal> {
    if !can_be_hidden(target.kind) {
        Err(Refusal::CannotShow { target: Box::new(target.clone()) })
    } else if target.client.is_none() {
        Err(Refusal::NotInClient { target: Box::new(target.clone()) })
    } else {
        Ok(Intent::Show { target: target.clone() })
    }
}

/// The intent to rename an entity in the clients of these languages. Its own name takes an earlier rename back.
pub(crate) fn renamable(
    target: &Entity,
    name: &str,
    languages: &[Language],
    index: &SpecIndex,
) -> Result<Intent, Refusal> {
    let is_client = target.kind == EntityKind::Namespace && target.client.is_some();
    if !can_be_renamed(target.kind) && !is_client {
        return Err(Refusal::CannotRename { target: Box::new(target.clone()) });
    }
    if target.client.is_none() {
        return Err(Refusal::NotInClient { target: Box::new(target.clone()) });
    }
    // The Python emitter adds this word to the name of a group.
    let added = (target.kind == EntityKind::Interface && languages.contains(&Language::Python))
        .then(|| name.strip_suffix("Operations"))
        .flatten()
        .filter(|rest| !rest.is_empty() && !target.name.ends_with("Operations"));
    let name = added.unwrap_or(name);
    let new = if name == target.name && !is_client {
        name.to_owned()
    } else {
        let new = new_name(target, name, is_client, languages)?;
        // A name that the specification itself has is the emitter's business.
        if new != target.name {
            may_be_written(target, name, &new, languages)?;
        }
        new
    };
    // Where the client has this name already, nothing would be done, and users would go on seeing the longer one.
    if target.client.as_ref().is_some_and(|client| client.name == new) && languages.contains(&Language::Python) {
        as_asked_in_python(target, name, &new)?;
    }
    let also = out_of_reach::renamed_along(target, &new, index)?;
    match out_of_reach::along(target, index).into_iter().find_map(|one| collision(one, &new, index)) {
        Some(other) => Err(Refusal::Collision { name: new, other: Box::new(other.clone()) }),
        None => Ok(Intent::Rename { target: target.clone(), new, also }),
    }
}

pub(crate) fn bad(name: &str, problem: &str) -> Refusal {
    Refusal::BadName { name: name.to_owned(), problem: problem.to_owned() }
}

/// The new name in the letter case of its kind.
fn new_name(target: &Entity, name: &str, is_client: bool, languages: &[Language]) -> Result<String, Refusal> {
    let given = own_part(target, name).ok_or_else(|| bad(name, "names a place in something other than the target"))?;
    if !names::is_identifier(given) {
        return Err(bad(name, "is not an identifier (letters, digits and underscores, not beginning with a digit)"));
    }
    // Analyzers of .NET refuse other names. Published packages of the other languages have some: `MongoClusterAPI`.
    if is_client && languages.contains(&Language::Dotnet) && !given.ends_with("Client") {
        return Err(bad(name, "does not end with `Client`, as the name of a client must in .NET"));
    }
    if given.starts_with('_') {
        return Err(bad(name, "begins with an underscore, which would say that it is hidden"));
    }
    Ok(names::client_name(target.kind, &target.name, given))
}

/// Whether each of the languages can have the name as it is.
fn may_be_written(target: &Entity, name: &str, new: &str, languages: &[Language]) -> Result<(), Refusal> {
    let given = own_part(target, name).unwrap_or(name);
    for language in languages.iter().copied() {
        let written = if language == Language::Python { python_names::snake(new) } else { new.to_owned() };
        if [given, new, &written].iter().any(|word| names::is_reserved(language, word)) {
            return Err(bad(name, &format!("is a word that {language} keeps for itself")));
        }
        if language == Language::Python {
            as_asked_in_python(target, name, new)?;
        }
    }
    Ok(())
}

/// Whether the Python emitter writes the name as it was asked for.
fn as_asked_in_python(target: &Entity, name: &str, new: &str) -> Result<(), Refusal> {
    if python_names::is_padded(target.kind, new) {
        let problem =
            "is taken by Python or by the base class of generated models, so that the emitter would change it";
        return Err(bad(name, problem));
    }
    Ok(())
}

/// The last part of a new name that is written with what holds the target: `Widget.title`.
fn own_part<'a>(target: &Entity, name: &'a str) -> Option<&'a str> {
    let Some((path, last)) = name.rsplit_once('.') else { return Some(name) };
    let holder = target.container.as_deref()?;
    let ends_there = key(holder).ends_with(&key(path)) && !key(path).is_empty();
    ends_there.then_some(last)
}

/// What already has the name in the place where the target would have it.
fn collision<'a>(target: &Entity, new: &str, index: &'a SpecIndex) -> Option<&'a Entity> {
    let name = |entity: &Entity| key(entity.client.as_ref().map_or(&entity.name, |client| &client.name));
    let wanted = key(new);
    let is_type = |kind: EntityKind| (kind.is_type() && kind != EntityKind::Interface) || kind == EntityKind::Namespace;
    index.entities.iter().find(|other| {
        let same_place = if is_type(target.kind) {
            is_type(other.kind)
        } else {
            other.kind == target.kind && other.container == target.container
        };
        let is_one = other.kind != EntityKind::Namespace || other.client.is_some();
        same_place && is_one && other.reference != target.reference && name(other) == wanted
    })
}

/// The reference of the library's one root client.
pub(crate) fn root(index: &SpecIndex) -> Result<String, Refusal> {
    let mut roots = index.clients.iter().filter(|one| one.parent.is_none());
    match (roots.next().and_then(|root| root.reference.clone()), roots.next()) {
        (Some(reference), None) => Ok(reference),
        _ => Err(Refusal::Structure { problem: "the library does not have exactly one root client".into() }),
    }
}

/// The clients of a request, together.
fn clients(asked: &[&Directive], index: &SpecIndex, language: Language) -> Result<Intent, Refusal> {
    let mut wanted = Vec::new();
    for directive in asked {
        let Change::Client { name, operations, parameters } = &directive.change else { continue };
        if languages(directive.scope.as_ref(), language) != [language] {
            let problem = format!("clients of one's own are made for one language at a time, here {language}");
            return Err(Refusal::Structure { problem });
        }
        let parameters = parameters
            .iter()
            .map(|one| WishedParameter { declared: one.declared.clone(), name: one.name.clone() })
            .collect();
        wanted.push(WishedClient { name: name.clone(), operations: operations.clone(), parameters });
    }
    client_layout::resolve(&wanted, index, language)
}
