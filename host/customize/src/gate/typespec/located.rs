//! `@clientLocation` beside clients that `client.tsp` declares.
//!
//! Whether the client generator core follows it there depends on its version, and the decorator alone does not tell. So it
//! is allowed where the compiler's view shows that each operation is exactly where its decorator says, and is otherwise
//! what it was.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{ClientEntry, ClientOperation, Language, SpecIndex};

use super::super::Rule;
use super::application::{Application, ScopeArgument};
use super::declarations::{Declared, declares_client};
use super::judge::Refusals;

/// The decorators of one version of the file, as its text and as the compiler have them.
pub(super) struct Version<'a> {
    pub(super) text: &'a [Application],
    pub(super) declared: &'a [Declared<'a>],
    pub(super) compiled: &'a [Application],
    pub(super) index: &'a SpecIndex,
}

impl Version<'_> {
    /// Those that move something for the language, where the file declares its clients as well.
    fn beside_clients(&self, language: Language) -> Vec<&Application> {
        let declares = declares_client(self.declared, language);
        self.text.iter().filter(|one| declares && locates(one, language)).collect()
    }

    fn compiled(&self, language: Language) -> impl Iterator<Item = &Application> {
        self.compiled.iter().filter(move |one| locates(one, language))
    }

    /// The clients that have an operation, with what they have.
    fn holders(&self, reference: &str) -> Vec<(&ClientEntry, &ClientOperation)> {
        let own = |client| operations(client).filter(|one| one.reference == reference).map(move |one| (client, one));
        self.index.clients.iter().flat_map(own).collect()
    }

    /// What `@access` says of an operation.
    fn access(&self, reference: &str) -> Vec<(&[String], &ScopeArgument)> {
        let said = self.compiled.iter().filter(|one| one.decorator == "access" && one.target == reference);
        said.map(|one| (one.arguments.as_slice(), &one.scope)).collect()
    }
}

fn operations(client: &ClientEntry) -> impl Iterator<Item = &ClientOperation> {
    client.operations.iter()
}

fn locates(application: &Application, language: Language) -> bool {
    application.decorator == "clientLocation"
        && match &application.scope {
            ScopeArgument::Read(scope, _) => scope.applies_to(language),
            ScopeArgument::Unclear(_) => true,
        }
}

fn is_parameter(application: &Application) -> bool {
    application.target.contains("::")
}

/// Judges the moves that an edit brings beside clients that the file declares, or that it leaves beside clients which it
/// declares itself.
pub(super) fn judge(before: &Version<'_>, after: &Version<'_>, refusals: &mut Refusals<'_>) {
    let language = refusals.language;
    let in_text = after.beside_clients(language);
    let Some(first) = in_text.first() else { return };
    let were_beside = !before.beside_clients(language).is_empty();
    let stood = |one: &Application| {
        let same = |other: &&Application| {
            (&other.target, &other.arguments, &other.scope) == (&one.target, &one.arguments, &one.scope)
        };
        were_beside && before.compiled(language).any(|other| same(&other))
    };
    if !were_beside && after.compiled(language).count() < in_text.len() {
        let message = "the compiler does not see every `@clientLocation` beside `@client` or `@operationGroup`";
        refusals.add(Rule::ClientWithLocation, first.line, message);
    }
    let arrived: Vec<&Application> = after.compiled(language).filter(|one| !stood(one)).collect();
    if let Some(one) = arrived.first().filter(|_| order(before.index, after.index) != order(after.index, before.index))
    {
        let message = "the compiler has the declarations in another order, so the clients of every language change places; \
                       name a client that is declared further up";
        refusals.add(Rule::OtherLanguage, one.line, message);
    }
    for one in arrived {
        if let Some(problem) = problem(one, before, after).filter(|_| !(were_beside && is_parameter(one))) {
            let message =
                format!("`@clientLocation` does not go together with `@client` or `@operationGroup`: {problem}");
            refusals.add(Rule::ClientWithLocation, one.line, &message);
        }
    }
}

/// What both versions declare, in the order of the first.
fn order<'a>(first: &'a SpecIndex, second: &SpecIndex) -> Vec<&'a str> {
    let known: BTreeSet<&str> = second.entities.iter().map(|one| one.reference.as_str()).collect();
    first.entities.iter().map(|one| one.reference.as_str()).filter(|one| known.contains(one)).collect()
}

/// Why one of them is not allowed.
fn problem(one: &Application, before: &Version<'_>, after: &Version<'_>) -> Option<String> {
    let target = &one.target;
    if is_parameter(one) {
        return Some(format!("`{target}` is a parameter; declare it with `@clientInitialization`"));
    }
    let (old, new) = (before.holders(target), after.holders(target));
    let [(_, old)] = old.as_slice() else {
        return Some(format!("the clients of before do not have `{target}` exactly once; name it as a client has it"));
    };
    let [(client, new)] = new.as_slice() else {
        return Some(format!("`{target}` would not be in exactly one client"));
    };
    let alike = |other: &&ClientEntry| other.name == client.name && other.parent == client.parent;
    if after.index.clients.iter().filter(alike).count() > 1 {
        return Some(format!("`{}` would be the name of two clients", client.name));
    }
    if !is_place(client, one.arguments.first().map(String::as_str).unwrap_or_default()) {
        return Some(format!(
            "the client generator core leaves `{target}` in `{}`; name a client of the library, or use a version that \
             follows it (0.67 and later)",
            client.name
        ));
    }
    if old.source != new.source {
        return Some(format!("`{target}` would be another operation of the service"));
    }
    if old.access != new.access && before.access(target) == after.access(target) {
        return Some(format!("`{target}` would be seen by other people than before, and no `@access` says so"));
    }
    let name = |one: &ClientOperation| one.name.to_lowercase();
    let twin = operations(client).find(|other| other.reference != *target && name(other) == name(new));
    twin.map(|twin| format!("`{}` has the operation `{}` already, of the same name", client.name, twin.reference))
}

/// Whether a client is what a `@clientLocation` names: by a reference, whole or by what stands open, or by the name of a
/// group.
fn is_place(client: &ClientEntry, argument: &str) -> bool {
    if let Some(name) = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return client.parent.is_some() && client.name == name;
    }
    let Some(reference) = &client.reference else { return false };
    let rest = reference.strip_suffix(argument);
    !argument.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
