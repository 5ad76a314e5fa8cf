//! Names that the analyzers of the Azure SDK for .NET ask for.
//!
//! The messages (package Azure.ClientSdk.Analyzers) have the forms
//! `AZC0012: Type name 'Tasks' is too generic … such as 'A' or 'B'.`,
//! `AZC0030: Model name 'XParameters' ends with 'Parameters'. We suggest renaming it to 'A' or 'B' or another name …`,
//! `AZC0031`/`AZC0032: Model name 'XData' ends with 'Data'. Suggest to rename it to an appropriate name.`,
//! `AZC0034: Type name 'X' conflicts with 'Y (from Z)'. Consider renaming to 'A' or 'B' to avoid confusion.`
//!
//! The new name is the first of the analyzer's own suggestions that keeps all of these rules, else the first name of
//! [`by_rule`] that does; when none does, a person chooses.

use super::intents::{Intent, Refusal};
use super::names::{self, pascal};
use bailiwick_sdk::diagnostics::quoted;
use bailiwick_sdk::tasks::{Diagnostic, Entity, EntityKind, Language, SpecIndex};

/// The rules about the names of types.
const NAMING: &[&str] = &["AZC0012", "AZC0030", "AZC0031", "AZC0032", "AZC0033", "AZC0034", "AZC0036"];

/// Endings that no model's name may have, with what takes their place. The first that is free is taken; nothing means
/// that the ending is dropped.
const ENDINGS: &[(&str, &[&str])] = &[
    ("Requests", &["Content"]),
    ("Request", &["Content"]),
    ("Responses", &["Results"]),
    ("Response", &["Result"]),
    ("Parameters", &["Content"]),
    ("Parameter", &["Content"]),
    ("Options", &["Config"]),
    ("Option", &["Config"]),
    ("Collection", &["Group", "List"]),
    ("Definition", &["", "Info"]),
    ("Data", &["", "Info"]),
    ("Operation", &["Info"]),
];

/// Whether a diagnostic is about the name of a type, so that `@@clientName` puts it right.
pub(crate) fn is_naming(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.as_deref().is_some_and(|code| NAMING.contains(&code))
}

/// The refusal of a violation, with the reason.
pub(crate) fn refused(diagnostic: &Diagnostic, problem: String) -> Refusal {
    Refusal::Analyzer { diagnostic: Box::new(diagnostic.clone()), problem }
}

/// What one violation asks for.
pub(crate) fn rename(diagnostic: &Diagnostic, index: &SpecIndex) -> Result<Intent, Refusal> {
    let code = diagnostic.code.clone().unwrap_or_default();
    let refused = |problem: String| refused(diagnostic, problem);
    let Some(name) = violating_name(diagnostic) else {
        return Err(refused("the message names no type".into()));
    };
    let target = match types_named(index, &name).as_slice() {
        [one] => *one,
        [] => return Err(refused(format!("the TypeSpec project declares no type that .NET calls `{name}`"))),
        several => {
            let candidates = several.iter().map(|&one| one.clone()).collect();
            return Err(Refusal::Ambiguous { text: name, candidates });
        }
    };
    // Once renamed, the log still holds the name that the specification gives.
    if let Some(client) = target.client.as_ref().filter(|client| pascal(&client.name) != name) {
        return Ok(Intent::Rename { target: target.clone(), new: client.name.clone(), also: Vec::new() });
    }
    let suggestions = suggestions(&diagnostic.message);
    let wanted = suggestions.into_iter().chain(by_rule(&code, &name, index));
    let mut problems = Vec::new();
    for new in wanted {
        match problem(&new, target, index) {
            None => return Ok(Intent::Rename { target: target.clone(), new, also: Vec::new() }),
            Some(problem) => problems.push(format!("`{new}` {problem}")),
        }
    }
    Err(refused(format!("no name is certain: {}", problems.join(", "))))
}

/// The name that breaks a rule: the first one in quotes, else the file's (older messages name nothing).
fn violating_name(diagnostic: &Diagnostic) -> Option<String> {
    let named = quoted(&diagnostic.message).into_iter().next().or_else(|| {
        let file = diagnostic.file.as_ref()?.rsplit(['/', '\\']).next()?;
        file.strip_suffix(".cs")?.split('.').next().map(str::to_owned)
    })?;
    // `Page`1` is a generic type.
    let name = named.split('`').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    names::is_identifier(name).then(|| name.to_owned())
}

/// The types and clients that .NET calls so, or called so before the specification gave them another name.
fn types_named<'a>(index: &'a SpecIndex, name: &str) -> Vec<&'a Entity> {
    let types = || index.entities.iter().filter(|one| one.client.is_some() && is_class(one.kind));
    let today: Vec<&Entity> =
        types().filter(|one| one.client.as_ref().is_some_and(|client| pascal(&client.name) == name)).collect();
    if today.is_empty() { types().filter(|one| pascal(&one.name) == name).collect() } else { today }
}

/// Whether .NET makes a class, struct or enum of it.
fn is_class(kind: EntityKind) -> bool {
    matches!(
        kind,
        EntityKind::Model | EntityKind::Enum | EntityKind::Union | EntityKind::Interface | EntityKind::Namespace
    )
}

/// The names that a message suggests, in its order.
fn suggestions(message: &str) -> Vec<String> {
    let starts = ["renaming it to ", "rename it to ", "renaming to ", "such as "];
    let Some(at) = starts.iter().filter_map(|start| message.find(start).map(|at| at + start.len())).min() else {
        return Vec::new();
    };
    quoted(&message[at..])
}

/// The names that the rules lead to where a message suggests none: the ending is replaced or dropped
/// ([`ENDINGS`]), or the last part of the service's namespace is put in front.
fn by_rule(code: &str, name: &str, index: &SpecIndex) -> Vec<String> {
    if ["AZC0012", "AZC0034"].contains(&code) {
        // The namespace that the client is made of, not one inside of it.
        let root =
            index.clients.iter().find(|client| client.parent.is_none()).and_then(|client| client.reference.as_deref());
        let namespace = root.or(index.namespaces.last().map(String::as_str));
        let service = namespace.and_then(|one| one.rsplit('.').next());
        return service.iter().map(|service| format!("{}{name}", pascal(service))).collect();
    }
    let ending = ENDINGS.iter().find_map(|(ending, instead)| name.strip_suffix(ending).map(|stem| (stem, instead)));
    ending.map_or_else(Vec::new, |(stem, instead)| instead.iter().map(|end| format!("{stem}{end}")).collect())
}

/// Why a name cannot be the new one, if it cannot.
fn problem(new: &str, target: &Entity, index: &SpecIndex) -> Option<String> {
    if !names::is_identifier(new) || pascal(new) != new || names::is_reserved(Language::Dotnet, new) {
        return Some("is not written as .NET writes the names of types".into());
    }
    if names::words(new).len() < 2 {
        return Some("is a single word".into());
    }
    if let Some((ending, _)) = ENDINGS.iter().find(|(ending, _)| new.ends_with(ending)) {
        return Some(format!("ends with `{ending}`, which the analyzers refuse too"));
    }
    let is_client = matches!(target.kind, EntityKind::Interface | EntityKind::Namespace);
    if new.ends_with("Client") && !is_client {
        return Some("would call a model a client".into());
    }
    let called = |one: &Entity| one.client.as_ref().is_some_and(|client| pascal(&client.name) == new);
    let mut types = index.entities.iter().filter(|one| is_class(one.kind) && one.reference != target.reference);
    types.find(|one| called(one)).map(|other| format!("is the name of `{}`", other.reference))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::request::{Item, read as items_of};
    use crate::sample;
    use bailiwick_sdk::tasks::{Access, ClientView};

    fn read(request: &str, language: Language, index: &SpecIndex) -> Vec<Item> {
        items_of(request, language, index).items
    }

    fn index(models: &[&str]) -> SpecIndex {
        let mut index = sample::index();
        let model = index.entities.iter().find(|one| one.name == "Part").unwrap().clone();
        for name in models {
            index.entities.push(Entity {
                name: (*name).into(),
                reference: format!("Contoso.WidgetManager.{name}"),
                client: Some(ClientView { name: (*name).into(), access: Access::Public }),
                ..model.clone()
            });
        }
        index
    }

    fn brief(items: &[Item]) -> Vec<Result<String, String>> {
        let brief = |item: &Item| match &item.outcome {
            Ok(intents) => match intents.as_slice() {
                [Intent::Rename { target, new, .. }] => Ok(format!("{} {new}", target.name)),
                other => Ok(format!("{other:?}")),
            },
            Err(refusal) => Err(crate::guidance::guidance(refusal, Language::Dotnet).reason),
        };
        items.iter().map(brief).collect()
    }

    fn line(code: &str, message: &str) -> String {
        format!("/s/src/Generated/Models/Some.cs(14,26): error {code}: {message} [/s/src/Azure.Widget.csproj]\n")
    }

    /// Messages of the real analyzers, a model of the name, and the name it becomes.
    pub(crate) const RENAMED: &[(&str, &str, &str, &str)] = &[
        (
            "AZC0012",
            "Type name 'Tasks' is too generic and has high chance of collision with BCL types or types from other libraries. Consider using a more descriptive multi-word name, such as 'WidgetTasksClient' or 'WidgetTasksService'.",
            "Tasks",
            "WidgetTasksService",
        ),
        ("AZC0012", "Avoid single word type names: 'Sku'", "Sku", "WidgetManagerSku"),
        (
            "AZC0030",
            "Model name 'RestockParameters' ends with 'Parameters'. We suggest renaming it to 'WidgetRestockParametersContent' or 'WidgetRestockParametersPatch' or another name with this suffix.",
            "RestockParameters",
            "WidgetRestockParametersContent",
        ),
        (
            "AZC0030",
            "Model name 'RestockRequest' ends with 'Request'. Suggest to rename it to 'RestockContent' or any other appropriate name.",
            "RestockRequest",
            "RestockContent",
        ),
        ("AZC0030", "Model name 'RestockResponse' ends with 'Response'.", "RestockResponse", "RestockResult"),
        (
            "AZC0030",
            "Model name 'PartCollection' ends with 'Collection'. Suggest to rename it to 'PartGroup' or 'PartList' or any other appropriate name.",
            "PartCollection",
            "PartGroup",
        ),
        (
            "AZC0031",
            "Model name 'PartTypeDefinition' ends with 'Definition'. Suggest to rename it to an appropriate name.",
            "PartTypeDefinition",
            "PartType",
        ),
        (
            "AZC0031",
            "Model name 'StockDefinition' ends with 'Definition'. Suggest to rename it to an appropriate name.",
            "StockDefinition",
            "StockInfo",
        ),
        (
            "AZC0032",
            "Model name 'WidgetData' ends with 'Data'. Suggest to rename it to an appropriate name.",
            "WidgetData",
            "WidgetInfo",
        ),
        (
            "AZC0033",
            "Model name 'RepairOperation' ends with 'Operation'. Suggest to rename it to 'RepairData' or 'RepairInfo', if an appropriate name could not be found.",
            "RepairOperation",
            "RepairInfo",
        ),
        (
            "AZC0034",
            "Type name 'QueueProperties' conflicts with 'Azure.Storage.Queues.Models.QueueProperties (from Azure.Storage.Queues)'. Consider renaming to 'WidgetQueuePropertiesClient' or 'WidgetQueuePropertiesService' to avoid confusion.",
            "QueueProperties",
            "WidgetQueuePropertiesService",
        ),
        (
            "AZC0036",
            "Model name 'StockOptions' ends with 'Options'. Suggest to rename it to 'StockConfig' or any other appropriate name.",
            "StockOptions",
            "StockConfig",
        ),
    ];

    #[test]
    fn each_rule_yields_a_name_that_keeps_all_rules() {
        for (code, message, model, new) in RENAMED {
            let items = read(&line(code, message), Language::Dotnet, &index(&[model]));
            assert_eq!(brief(&items), [Ok(format!("{model} {new}"))], "{message}");
        }
    }

    #[test]
    fn log_has_an_item_for_each_type_in_its_order_and_one_for_a_type_that_is_reported_twice() {
        let models: Vec<&str> = RENAMED.iter().map(|(_, _, model, _)| *model).collect();
        let mut log = "Build FAILED.\n\n".to_owned();
        for (code, message, ..) in RENAMED {
            log += &line(code, message);
            log += &line(code, message).replace("Some.cs", "Some.Serialization.cs");
        }
        log += "  0 Warning(s)\n  24 Error(s)\n\nTime Elapsed 00:00:04.10\n";
        let items = read(&log, Language::Dotnet, &index(&models));
        let wanted: Vec<_> = RENAMED.iter().map(|(_, _, model, new)| Ok(format!("{model} {new}"))).collect();
        assert_eq!(brief(&items), wanted);
        for item in &items {
            assert_eq!(read(&item.text, Language::Dotnet, &index(&models))[0].outcome, item.outcome, "{}", item.text);
        }
    }

    #[test]
    fn what_is_uncertain_is_for_a_person_and_the_rest_of_the_log_is_done() {
        let data = "Model name 'PartData' ends with 'Data'. Suggest to rename it to an appropriate name.";
        let log = line("AZC0032", data)
            + &line("AZC0030", "Model name 'ForeignRequest' ends with 'Request'.")
            + &line(
                "AZC0035",
                "Output model type 'Widget' should have a corresponding method in a model factory class.",
            )
            + &line("CS0103", "The name 'Old' does not exist in the current context")
            + &line("AZC0030", RENAMED[3].1);
        let items = read(&log, Language::Dotnet, &index(&["PartData", "PartInfo", "RestockRequest"]));
        let found = brief(&items);
        assert!(found[0].as_ref().unwrap_err().contains("`Part` is a single word"), "{found:#?}");
        assert!(found[1].as_ref().unwrap_err().contains("ForeignRequest"), "{found:#?}");
        assert_eq!(found[2], Ok("RestockRequest RestockContent".into()));
        assert!(found[3].is_err() && found.len() == 4, "{found:#?}");
    }

    #[test]
    fn two_types_never_get_one_name() {
        let message = |model: &str, end: &str| {
            format!(
                "Model name '{model}' ends with '{end}'. Suggest to rename it to 'StockContent' or any other appropriate name."
            )
        };
        let log = line("AZC0030", &message("StockRequest", "Request"))
            + &line("AZC0030", &message("StockParameters", "Parameters"));
        let items = read(&log, Language::Dotnet, &index(&["StockRequest", "StockParameters"]));
        let found = brief(&items);
        assert_eq!(found[0], Ok("StockRequest StockContent".into()));
        assert!(found[1].as_ref().unwrap_err().contains("another type"), "{found:#?}");
    }

    #[test]
    fn log_of_a_name_that_was_given_since_is_done() {
        let mut index = index(&["RestockRequest"]);
        index.entities.last_mut().unwrap().client.as_mut().unwrap().name = "RestockContent".into();
        let items = read(&line("AZC0030", RENAMED[3].1), Language::Dotnet, &index);
        assert!(items[0].outcome.as_ref().is_ok_and(|intents| intents.iter().all(Intent::is_done)), "{items:#?}");
    }

    #[test]
    fn analyzers_of_another_language_ask_for_nothing() {
        let items = read(&line("AZC0030", RENAMED[3].1), Language::Python, &index(&["RestockRequest"]));
        assert!(items[0].outcome.is_err(), "{items:#?}");
    }
}
