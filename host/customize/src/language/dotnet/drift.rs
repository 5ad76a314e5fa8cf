//! Names in attributes that nothing generated has any more, halves of types whose other half has another name, and members
//! that took the place of a generated one by having its name.
//!
//! `[CodeGenType("Old")]` takes the place of the generated type `Old`. Where there is none, nothing fails: the generator
//! writes the type under its new name, and the hand-written half stands alone. A name is missed when it was the client's
//! until this run, or is still the specification's for what the client calls something else. What the generator makes up
//! itself (client options, model factories) is in neither, and nothing is said about it.
//!
//! The generator leaves out a member that the hand-written half declares under the same name. Where this run gave the member
//! another name, the generator writes it beside the hand-written one, which is filled and read by nothing from then on.

use bailiwick_sdk::method_names::pascal;
use bailiwick_sdk::tasks::{Diagnostic, Entity, EntityKind, Rename, Severity, SpecIndex};

use super::super::{DriftRequest, LanguageError, LanguageService, listed_content, open_package};
use super::source::{Named, OwnMember, Role, Source};

pub(super) fn check(
    request: &DriftRequest<'_>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let model = Model { index: request.index, renames: request.renames };
    let mut found = Vec::new();
    let package = open_package(request.package)?;
    let mut texts: Vec<(String, String)> = Vec::new();
    for file in language.customization_files(request.package)? {
        let text = String::from_utf8_lossy(&listed_content(&package, &file)?).into_owned();
        texts.push((file, text));
    }
    // What cannot be parsed did not build either.
    let sources = texts.iter().filter_map(|(file, text)| Some((file.as_str(), Source::parse(text)?)));
    let sources: Vec<(&str, Source<'_>)> = sources.collect();
    let held = Held::of(sources.iter().map(|(_, source)| source));
    for (file, source) in &sources {
        for named in source.named() {
            if let Some(new) = model.now(&named) {
                found.push(diagnostic(file, &named, &new));
            }
        }
        for member in source.own_members() {
            if let Some(new) = model.replaced(&member, &held) {
                found.push(no_longer_replaces(file, &member, &new));
            }
        }
        for (name, line) in source.halves() {
            if let Some(new) = model.other_half(name) {
                found.push(left_alone(file, (name, line), &new));
            }
        }
    }
    Ok(found)
}

fn diagnostic(file: &str, named: &Named, new: &str) -> Diagnostic {
    let (code, what) = match &named.owner {
        None => ("renamed-type", format!("the type `{}`", named.name)),
        Some(owner) => ("renamed-member", format!("`{}` of `{owner}`", named.name)),
    };
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(named.line),
        column: None,
        code: Some(code.to_owned()),
        message: format!("{what} is called `{new}` now and is asked for by name here"),
        symbol: Some(named.name.clone()),
        tool: "drift".to_owned(),
    }
}

/// A member that the generator left out for this one until now.
fn no_longer_replaces(file: &str, member: &OwnMember<'_>, new: &str) -> Diagnostic {
    let OwnMember { owner, name, line } = member;
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(*line),
        column: None,
        code: Some("renamed-replacement".to_owned()),
        message: format!("`{name}` of `{owner}` took the place of the generated member, which is called `{new}` now"),
        symbol: Some((*name).to_owned()),
        tool: "drift".to_owned(),
    }
}

/// A half of a type whose generated half has another name now.
fn left_alone(file: &str, (name, line): (&str, u32), new: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(line),
        column: None,
        code: Some("renamed-half".to_owned()),
        message: format!("the generated half of the type `{name}` is called `{new}` now"),
        symbol: Some(name.to_owned()),
        tool: "drift".to_owned(),
    }
}

/// What the hand-written code of a package has of generated types: owner and name.
#[derive(Default)]
struct Held {
    /// The generated members that attributes name.
    tied: Vec<(String, String)>,
    /// Members that no attribute ties to another name.
    own: Vec<(String, String)>,
}

impl Held {
    fn of<'s, 't: 's>(sources: impl Iterator<Item = &'s Source<'t>>) -> Self {
        let mut held = Self::default();
        for source in sources {
            held.tied.extend(source.named().into_iter().filter_map(|one| Some((one.owner?, one.name))));
            held.own.extend(source.own_members().into_iter().map(|one| (one.owner, one.name.to_owned())));
        }
        held
    }
}

struct Model<'a> {
    index: &'a SpecIndex,
    renames: &'a [Rename],
}

impl Model<'_> {
    /// What a name that is asked for is called now; `None` when it still stands or nothing is known about it.
    fn now(&self, named: &Named) -> Option<String> {
        match named.role {
            Role::Type | Role::SuppressedType => self.type_now(&named.name),
            Role::Member | Role::Suppressed => self.member_now(named.owner.as_deref()?, &named.name),
        }
    }

    /// What this run calls the generated half of a type; `None` where it has the name still.
    fn other_half(&self, name: &str) -> Option<String> {
        let types = || self.index.entities.iter().filter(|one| one.kind.is_type());
        let is_there = |wanted: &str| types().any(|one| client_name(one) == wanted);
        let renamed = self.renames.iter().find(|one| one.container.is_none() && pascal(&one.old) == name)?;
        let new = pascal(&renamed.new);
        (renamed.kind.is_type() && is_there(&new) && !is_there(name)).then_some(new)
    }

    /// What this run calls the generated property whose place a hand-written member of its name took. None where an attribute
    /// says which member stands for it, or a hand-written one has the new name already.
    fn replaced(&self, member: &OwnMember<'_>, held: &Held) -> Option<String> {
        // Before this run no generated member can have stood beside one of its name.
        let owner = self.type_now(&member.owner).unwrap_or_else(|| member.owner.clone());
        let renamed = self.renames.iter().find(|one| {
            let holds = one.container.as_deref().map(pascal).is_some_and(|one| one == owner || one == member.owner);
            one.kind == EntityKind::Property && holds && pascal(&one.old) == member.name
        })?;
        let new = pascal(&renamed.new);
        let has = |all: &[(String, String)], wanted: &str| {
            all.iter().any(|(of, name)| (*of == owner || *of == member.owner) && name == wanted)
        };
        let is_settled = has(&held.tied, member.name) || has(&held.tied, &new) || has(&held.own, &new);
        (new != member.name && !is_settled).then_some(new)
    }

    fn type_now(&self, name: &str) -> Option<String> {
        let types = || self.index.entities.iter().filter(|one| one.kind.is_type());
        if types().any(|one| client_name(one) == name) {
            return None;
        }
        let renamed = self.renames.iter().find(|one| one.container.is_none() && pascal(&one.old) == name);
        let moved = types().find(|one| one.client.is_some() && pascal(&one.name) == name);
        renamed.map(|one| pascal(&one.new)).or_else(|| moved.map(client_name))
    }

    fn member_now(&self, owner: &str, name: &str) -> Option<String> {
        let (name, end) = match name.strip_suffix("Async") {
            Some(name) if !name.is_empty() => (name, "Async"),
            _ => (name, ""),
        };
        // The half that stands beside a renamed type may still have the old name of it.
        let owner = self.type_now(owner).unwrap_or_else(|| owner.to_owned());
        let holders: Vec<&str> = self
            .index
            .entities
            .iter()
            .filter(|one| client_name(one) == owner)
            .map(|one| one.reference.as_str())
            .collect();
        let members: Vec<&Entity> = self
            .index
            .entities
            .iter()
            .filter(|one| matches!(one.kind, EntityKind::Property | EntityKind::Operation | EntityKind::EnumMember))
            .filter(|one| one.container.as_deref().is_some_and(|holder| holders.contains(&holder)))
            .collect();
        if members.iter().any(|one| client_name(one) == name) {
            return None;
        }
        let renamed = self.renames.iter().find(|one| {
            pascal(&one.old) == name && one.container.as_deref().is_some_and(|holder| pascal(holder) == owner)
        });
        let moved = members.iter().find(|one| one.client.is_some() && pascal(&one.name) == name);
        let new = renamed.map(|one| pascal(&one.new)).or_else(|| moved.map(|one| client_name(one)))?;
        Some(format!("{new}{end}"))
    }
}

/// How C# writes what the client model calls an entity.
fn client_name(entity: &Entity) -> String {
    pascal(entity.client.as_ref().map_or(&entity.name, |client| &client.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entity(kind: EntityKind, name: &str, container: Option<&str>, client: &str) -> Entity {
        let reference = container.map_or_else(|| name.to_owned(), |one| format!("{one}.{name}"));
        serde_json::from_value(json!({
            "kind": kind, "name": name, "reference": reference, "container": container,
            "file": "spec/main.tsp", "line": 1, "client": { "name": client, "access": "public" },
        }))
        .unwrap()
    }

    fn now(attribute: &str, renames: &[Rename]) -> Vec<(String, String)> {
        let index = SpecIndex {
            entities: vec![
                entity(EntityKind::Model, "AnalyzeResult", None, "WidgetAnalysis"),
                entity(EntityKind::Property, "rule", Some("AnalyzeResult"), "ruleName"),
                entity(EntityKind::Property, "score", Some("AnalyzeResult"), "score"),
                entity(EntityKind::Interface, "Widgets", None, "Widgets"),
                entity(EntityKind::Operation, "getWidget", Some("Widgets"), "fetchWidget"),
                entity(EntityKind::Model, "Part", None, "Part"),
            ],
            ..SpecIndex::default()
        };
        let text = format!("namespace A {{ {attribute} }}\n");
        let source = Source::parse(&text).unwrap();
        let model = Model { index: &index, renames };
        source.named().iter().filter_map(|one| model.now(one).map(|new| (one.name.clone(), new))).collect()
    }

    #[test]
    fn names_that_the_client_no_longer_has_are_found_with_what_they_are_called_now() {
        for (text, new) in [
            ("[CodeGenType(\"AnalyzeResult\")] partial class Mine { }", "WidgetAnalysis"),
            ("partial class WidgetAnalysis { [CodeGenMember(\"Rule\")] string R; }", "RuleName"),
            ("[CodeGenSuppress(\"GetWidgetAsync\", typeof(string))] partial class Widgets { }", "FetchWidgetAsync"),
        ] {
            let found = now(text, &[]);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].1, new, "{text}");
        }
    }

    #[test]
    fn half_of_a_type_is_missed_where_this_run_gave_the_other_half_another_name() {
        let index = SpecIndex {
            entities: vec![
                entity(EntityKind::Model, "AnalyzeResult", None, "WidgetAnalysis"),
                entity(EntityKind::Model, "Part", None, "Part"),
            ],
            ..SpecIndex::default()
        };
        let rename = |old: &str, new: &str| Rename {
            kind: EntityKind::Model,
            container: None,
            old: old.into(),
            new: new.into(),
        };
        let now = |name: &str, renames: &[Rename]| Model { index: &index, renames }.other_half(name);
        let renamed = [rename("AnalyzeResult", "WidgetAnalysis")];
        assert_eq!(now("AnalyzeResult", &renamed), Some("WidgetAnalysis".to_owned()));
        // A person's own class, a class that this run did not rename, and a name that something else has by now.
        assert_eq!(now("AnalyzeResult", &[]), None);
        assert_eq!(now("Part", &renamed), None);
        assert_eq!(now("Part", &[rename("Part", "WidgetAnalysis")]), None);
        assert_eq!(now("AnalyzeResult", &[rename("AnalyzeResult", "Gone")]), None);
        let halves =
            "namespace A { public partial class B { } [CodeGenType(\"C\")] partial struct D { } class E { } }\n";
        assert_eq!(Source::parse(halves).unwrap().halves(), [("B", 1)]);
    }

    #[test]
    fn names_that_stand_or_that_the_generator_makes_up_are_left_alone() {
        for text in [
            "[CodeGenType(\"WidgetAnalysis\")] partial class Mine { }",
            "[CodeGenType(\"WidgetManagerClientOptions\")] partial class Options { }",
            "partial class WidgetAnalysis { [CodeGenMember(\"Score\")] int S; [CodeGenMember(\"Other\")] int O; }",
            "[CodeGenSuppress(\"FetchWidget\")] partial class Widgets { }",
            "[Obsolete(\"AnalyzeResult\")] partial class Mine { }",
        ] {
            assert_eq!(now(text, &[]), [], "{text}");
        }
    }

    #[test]
    fn name_that_this_run_changed_is_missed_though_the_specification_never_had_it() {
        let rename = |old: &str, container: Option<&str>| Rename {
            kind: if container.is_some() { EntityKind::Property } else { EntityKind::Model },
            container: container.map(Into::into),
            old: old.into(),
            new: "newName".into(),
        };
        let found = now("[CodeGenType(\"Piece\")] partial class Mine { }", &[rename("Piece", None)]);
        assert_eq!(found, [("Piece".to_owned(), "NewName".to_owned())]);
        let text = "partial class Part { [CodeGenMember(\"Count\")] int C; }";
        assert_eq!(now(text, &[rename("count", Some("Part"))]).len(), 1);
        assert_eq!(now(text, &[rename("count", Some("Widget"))]), []);
    }

    #[test]
    fn member_that_took_the_place_of_a_generated_one_by_its_name_is_missed_when_this_run_renamed_that() {
        let index = SpecIndex {
            entities: vec![
                entity(EntityKind::Model, "Part", None, "Part"),
                entity(EntityKind::Property, "nested", Some("Part"), "inner"),
            ],
            ..SpecIndex::default()
        };
        let rename = |old: &str, container: &str| Rename {
            kind: EntityKind::Property,
            container: Some(container.into()),
            old: old.into(),
            new: "inner".into(),
        };
        let replaced = |text: &str, renames: &[Rename]| -> Vec<(u32, String)> {
            let source = Source::parse(text).unwrap();
            let model = Model { index: &index, renames };
            let members = source.own_members();
            let held = Held::of(std::iter::once(&source));
            members.iter().filter_map(|one| Some((one.line, model.replaced(one, &held)?))).collect()
        };
        let renamed = [rename("nested", "Part")];
        let private = "partial class Part\n{\n    private int Nested { get => 1; set { } }\n}\n";
        assert_eq!(replaced(private, &renamed), [(3, "Inner".to_owned())]);
        let field = "[CodeGenType(\"Part\")]\npartial class Mine { private readonly int Nested; }\n";
        assert_eq!(replaced(field, &renamed), [(2, "Inner".to_owned())]);
        for text in [
            // Tied to a generated member by an attribute, the new name, a whole class, and another class.
            "partial class Part { [CodeGenMember(\"Other\")] int Nested { get; } }",
            "partial class Part { int Inner { get; } }",
            "class Part { int Nested { get; } }",
            "partial class Other { int Nested { get; } }",
            // A wrapper of a private one under the old or the new name, and one under the new name beside it.
            "partial class Part { [CodeGenMember(\"Nested\")] int Raw { get; } int Nested => Raw; }",
            "partial class Part { int Nested => Raw; } partial class Part { [CodeGenMember(\"Inner\")] int Raw { get; } }",
            "partial class Part { int Nested => Inner; int Inner { get; } }",
        ] {
            assert_eq!(replaced(text, &renamed), [], "{text}");
        }
        let other =
            "partial class Part { int Nested; } partial class B { [CodeGenMember(\"Nested\")] int C; int Inner; }";
        assert_eq!(replaced(other, &renamed).len(), 1, "it is tied in another class");
        assert_eq!(replaced(private, &[]), [], "no run renamed it");
        assert_eq!(replaced(private, &[rename("nested", "Other")]), []);
    }
}
