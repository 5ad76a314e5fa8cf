//! Names that a customization asks for and nothing has any more.
//!
//! `getMethodsByName("old")` gives an empty list: the generation and the build pass, and the customization does nothing.
//! A name is missed when neither the generated code as it lies there has it, nor the generator could have written it
//! before the customization ran. The latter follows from the client model, for a customization may well have removed or
//! renamed what it asked for.

use bailiwick_base::files::Tree;
use bailiwick_sdk::java::{GeneratedCode, Role, Source, Use, constant_name, member_names, operation_owner, uses};
use bailiwick_sdk::tasks::{Diagnostic, Entity, EntityKind, Rename, Severity, SpecIndex};

use super::super::{DriftRequest, LanguageError, LanguageService, files_of, listed_content, open_package};
use super::SOURCES;

/// How the names of classes end that are written along with a type.
const ALONG: [&str; 6] = ["Client", "AsyncClient", "ClientBuilder", "ClientImpl", "ServiceVersion", "Impl"];

pub(super) fn check(
    request: &DriftRequest<'_>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let package = &open_package(request.package)?;
    let mut code = GeneratedCode::default();
    for file in files_of(package)? {
        if file.starts_with(SOURCES) && language.is_source(&file) {
            // What cannot be parsed did not build either.
            if let Some(source) = Source::parse(&file, &read(package, &file)?) {
                code.add(&source);
            }
        }
    }
    let model = Model { index: request.index, renames: request.renames };
    let mut found = Vec::new();
    let files = language.customization_files(request.package)?;
    for file in files.into_iter().filter(|file| language.runs_in_generator(file)) {
        let text = read(package, &file)?;
        // What cannot be parsed cannot have been generated from either.
        let Some(source) = Source::parse(&file, &text) else { continue };
        let all = uses(&source);
        found.extend(all.iter().filter(|one| is_missed(one, &all, &code, &model)).map(|one| diagnostic(&file, one)));
    }
    Ok(found)
}

fn read(package: &Tree, file: &str) -> Result<String, LanguageError> {
    Ok(String::from_utf8_lossy(&listed_content(package, file)?).into_owned())
}

fn diagnostic(file: &str, one: &Use) -> Diagnostic {
    let what = match one.role {
        Role::FindType => "type",
        Role::FindField => "field",
        Role::FindMethod => "method",
        _ => "member",
    };
    let message = match &one.owner {
        Some(owner) if one.role != Role::FindType => {
            format!("the customization asks for the {what} `{}` of `{owner}`, and there is none", one.name)
        }
        _ => format!("the customization asks for the {what} `{}`, and there is none", one.name),
    };
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(one.line),
        column: None,
        code: Some("missing-member".to_owned()),
        message,
        symbol: Some(one.name.clone()),
        tool: "drift".to_owned(),
    }
}

/// Whether a name is asked for in vain.
fn is_missed(one: &Use, all: &[Use], code: &GeneratedCode, model: &Model<'_>) -> bool {
    let name = member_name(&one.name);
    // Anything else is not a name: a pattern, a text with a placeholder.
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
        return false;
    }
    match one.role {
        // What is taken away is not there afterwards, and the generator writes more types than the client model has.
        Role::FindType => {
            code.get(name).is_none() && !model.has_type(name) && (!one.takes_away || model.gave_up_type(name))
        }
        Role::FindField | Role::FindMethod | Role::FindMember => {
            let added = all.iter().any(|other| {
                matches!(other.role, Role::AddField | Role::AddMethod) && other.name == name && other.owner == one.owner
            });
            let Some(owner) = &one.owner else {
                return !added && !code.has_member(name) && !model.has_member_anywhere(name);
            };
            let Some(declared) = code.get(owner) else { return false };
            // For classes outside the client model it is unknown what they had before.
            !added && !declared.has(name) && !model.had_member(owner, name, one.takes_away)
        }
        _ => false,
    }
}

/// `getX` of `getX(String)`, as the former customization API names methods.
fn member_name(text: &str) -> &str {
    let name = text.split('(').next().unwrap_or_default().trim();
    name.rsplit(' ').next().unwrap_or(name)
}

/// What the generator could have written before a customization changed it.
struct Model<'a> {
    index: &'a SpecIndex,
    renames: &'a [Rename],
}

impl Model<'_> {
    fn client_name(entity: &Entity) -> &str {
        entity.client.as_ref().map_or(&entity.name, |client| &client.name)
    }

    fn types(&self, name: &str) -> impl Iterator<Item = &Entity> {
        self.index.entities.iter().filter(move |one| one.kind.is_type() && Self::client_name(one) == name)
    }

    fn has_type(&self, name: &str) -> bool {
        self.types(name).next().is_some()
    }

    /// Whether a type had this name until now, or is written along with one: `WidgetClientBuilder` of `WidgetClient`.
    fn gave_up_type(&self, name: &str) -> bool {
        let of_types = |one: &&Rename| one.kind.is_type() || one.kind == EntityKind::Interface;
        self.renames.iter().filter(of_types).any(|one| {
            let group = one.old.strip_suffix("Client").unwrap_or(&one.old);
            let is_along = |end| ALONG.contains(&end) || end == "Version" && group.ends_with("Service");
            name == one.old || name.strip_prefix(group).is_some_and(is_along)
        })
    }

    fn names(entity: &Entity) -> Vec<String> {
        let mut names = member_names(entity.kind, Self::client_name(entity));
        if entity.kind == EntityKind::Property {
            names.push(constant_name(Self::client_name(entity)));
        }
        names
    }

    fn had_member(&self, owner: &str, name: &str, takes_away: bool) -> bool {
        let holders: Vec<&str> = self.types(owner).map(|one| one.reference.as_str()).collect();
        if holders.is_empty() {
            let operation = self.index.entities.iter().filter(|one| one.kind == EntityKind::Interface);
            let interfaces: Vec<&str> = operation
                .filter(|one| operation_owner(owner, Self::client_name(one)))
                .map(|one| one.reference.as_str())
                .collect();
            let of_interface = self.members(&interfaces).any(|one| Self::names(one).iter().any(|found| found == name));
            return of_interface || takes_away;
        }
        // A property may come from a base model, which the index does not tell: only its own count.
        self.members(&holders).any(|one| Self::names(one).iter().any(|found| found == name))
    }

    fn has_member_anywhere(&self, name: &str) -> bool {
        let member =
            |one: &&Entity| matches!(one.kind, EntityKind::Property | EntityKind::Operation | EntityKind::EnumMember);
        self.index.entities.iter().filter(member).any(|one| Self::names(one).iter().any(|found| found == name))
    }

    fn members<'s>(&'s self, holders: &'s [&'s str]) -> impl Iterator<Item = &'s Entity> {
        self.index
            .entities
            .iter()
            .filter(move |one| one.container.as_deref().is_some_and(|container| holders.contains(&container)))
    }
}

#[cfg(test)]
mod tests;
