//! Parameters that the reference of their operation does not reach, because a template puts them into it.
//!
//! The compiler refuses `@@clientName(Widgets.get::parameters.name, …)` where `get` is an instance of a template. Where the
//! parameter is spread from a model with a name or from an `alias`, or is the key of a resource, a decorator on that property
//! reaches it, in every operation that has it. Otherwise nothing in `client.tsp` does: `@@override` with a parameter of another
//! client name is followed by the emitter of JavaScript, and not by those of Python and Java.

use super::client_file::LIBRARY;
use super::guidance::place;
use super::intents::Refusal;
use bailiwick_sdk::tasks::{Entity, EntityKind, Language, Reach, SpecIndex};

/// The thing itself, and the parameters of other operations that have another name with it.
pub(crate) fn along<'a>(target: &'a Entity, index: &'a SpecIndex) -> Vec<&'a Entity> {
    let Reach::Property(property) = &target.reach else { return vec![target] };
    let others = index.spread_from(property).filter(|one| one.reference != target.reference);
    std::iter::once(target).chain(others).collect()
}

/// The other operations whose parameters a rename changes.
///
/// # Errors
/// [`Refusal::OutOfReach`] where no decorator renames the parameter, or one that would rename a property of the client as well.
pub(crate) fn renamed_along(target: &Entity, name: &str, index: &SpecIndex) -> Result<Vec<String>, Refusal> {
    let also = others(target, index);
    match &target.reach {
        Reach::Reference => Ok(also),
        Reach::Property(property) if !index.shows_property(property) => Ok(also),
        _ => Err(Refusal::OutOfReach { target: Box::new(target.clone()), name: Some(name.to_owned()), also }),
    }
}

/// A target that its own reference reaches.
pub(crate) fn named<'a>(target: &'a Entity, index: &SpecIndex) -> Result<&'a Entity, Refusal> {
    if target.reach.is_reference() {
        return Ok(target);
    }
    let also = others(target, index);
    Err(Refusal::OutOfReach { target: Box::new(target.clone()), name: None, also })
}

fn others(target: &Entity, index: &SpecIndex) -> Vec<String> {
    along(target, index).into_iter().skip(1).filter_map(|one| one.container.clone()).collect()
}

/// The parameter of the client that stands for what a reference names: for the parameter of the service's operation that of
/// the operation in its place, and for a property that the client does not have the parameter that is spread from it.
pub(crate) fn of_client<'a>(found: &Entity, index: &'a SpecIndex) -> Option<&'a Entity> {
    if found.client.is_some() {
        return None;
    }
    if found.kind == EntityKind::Property {
        return index.spread_from(&found.reference).find(|one| one.address() == Some(&found.reference));
    }
    let owner = found.container.as_ref().filter(|_| !found.reach.is_reference())?;
    let operations = || index.clients.iter().flat_map(|client| &client.operations);
    let mut stand_ins = operations().filter(|one| one.source == *owner && one.reference != *owner);
    let (one, None) = (stand_ins.next()?, stand_ins.next()) else { return None };
    let is_it = |other: &&Entity| other.container.as_ref() == Some(&one.reference) && other.name == found.name;
    index.entities.iter().find(is_it)
}

/// How the sentence about a rename ends: what else has another name with it.
pub(crate) fn shared(target: &Entity, also: &[String]) -> String {
    let Reach::Property(property) = &target.reach else { return String::new() };
    let with = if also.is_empty() { String::new() } else { format!(", and so in {}", listed(also)) };
    format!(", by the property `{property}` that it is spread from{with}")
}

fn listed(operations: &[String]) -> String {
    operations.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ")
}

/// What stands against a change, as a sentence.
pub(crate) fn issue(target: &Entity, name: Option<&str>, also: &[String], language: Language) -> String {
    let obstacle = match &target.reach {
        Reach::Property(property) if name.is_some() => {
            format!("is spread from `{property}`, which is a property of the {language} client as well")
        }
        Reach::Property(property) => format!("is reached by `{property}` alone, which it is spread from"),
        Reach::Declaration => "is reached by no decorator in `client.tsp`".to_owned(),
        Reach::Template | Reach::Reference => {
            "is made by a template, and no decorator in `client.tsp` reaches it".to_owned()
        }
    };
    let with = if also.is_empty() { String::new() } else { format!("; {} have it from there, too", listed(also)) };
    let operation = target.container.as_deref().unwrap_or_default();
    format!("the parameter `{}` of `{operation}` {obstacle}{with}", target.name)
}

/// What a person does about it.
pub(crate) fn approach(target: &Entity, name: Option<&str>, language: Language) -> String {
    let operation = target.container.as_deref().unwrap_or_default();
    let own_name = operation.rsplit('.').next().unwrap_or(operation);
    match &target.reach {
        Reach::Property(property) if name.is_some() => format!(
            "rename the property as well, with `--rename {property}=NAME`, which renames the parameter in every operation that \
             has it; or declare the parameter in the operation by itself"
        ),
        Reach::Property(property) => format!(
            "write the decorator by hand for the property that it is spread from, `{property}`; it is then for every operation \
             that has it"
        ),
        Reach::Declaration => {
            let scope = language.scope_token();
            let written = name.map_or_else(
                || "the decorator".to_owned(),
                |name| format!("`@Azure.ClientGenerator.Core.clientName(\"{name}\", \"{scope}\")`"),
            );
            format!(
                "declare the parameters at {} as a model with a name, spread that into the operation (`...{}Parameters`), and ask \
                 for this again; or write {written} in front of `{}` there, with `import \"{LIBRARY}\";` at the top of the file",
                place(target),
                super::names::pascal(own_name),
                target.name
            )
        }
        Reach::Template | Reach::Reference => format!(
            "leave the name; or change it in the specification, where the template gives it; or write a method by hand that takes another name and calls `{own_name}`"
        ),
    }
}

/// Why nothing is done.
pub(crate) fn reason(target: &Entity) -> String {
    format!(
        "the operation is an instance of a template, so the compiler knows nothing called `{}`; and of `@@override` the \
         emitters of Python and Java do not take the names of parameters",
        target.reference
    )
}
