//! Directives in a file: a JSON list, or a plan that was printed.

use serde::Deserialize;

use super::super::{ClientParameter, Decorator, Scope};
use super::unique::Unique;
use super::{AskedAction, AskedChange, AskedDirective, DirectiveError, filled};

/// A directive in a file. It is what a dry run prints as an action, so that a plan that was looked at can be carried out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    action: AskedAction,
    target: Option<String>,
    name: Option<String>,
    to: Option<String>,
    operations: Option<Vec<String>>,
    decorator: Option<Decorator>,
    value: Option<serde_json::Value>,
    #[serde(default)]
    parameters: Option<Vec<ClientParameter>>,
    files: Option<Vec<String>>,
    scope: Option<String>,
    /// For people.
    #[serde(default, rename = "kind")]
    _kind: Option<String>,
    /// For people.
    #[serde(default, rename = "basis")]
    _basis: Option<String>,
}

/// So many are taken at once, and a text of so many bytes.
const MOST: usize = 200;
const BYTES: usize = 1 << 20;

impl AskedDirective {
    /// The directives of a file: a JSON list, or a plan that holds one as its `actions`.
    ///
    /// # Errors
    /// The first entry that is not a directive.
    pub fn read_list(text: &str) -> Result<Vec<Self>, DirectiveError> {
        let unread = |reason: String| DirectiveError::NotAList { reason };
        if text.len() > BYTES {
            return Err(unread(format!("they have more than {BYTES} bytes")));
        }
        let Unique(value) = serde_json::from_str(text).map_err(|error| unread(error.to_string()))?;
        Self::from_value(value)
    }

    /// The same of a value.
    ///
    /// # Errors
    /// As for [`Self::read_list`].
    pub fn from_value(value: serde_json::Value) -> Result<Vec<Self>, DirectiveError> {
        let list = match value {
            serde_json::Value::Array(list) => list,
            serde_json::Value::Object(mut plan) => match plan.remove("actions") {
                Some(serde_json::Value::Array(list)) => list,
                _ => return Err(DirectiveError::NotAList { reason: "the object has no list of `actions`".into() }),
            },
            _ => return Err(DirectiveError::NotAList { reason: "it is not a JSON list".into() }),
        };
        if list.len() > MOST {
            return Err(DirectiveError::TooMany { count: list.len(), most: MOST });
        }
        list.into_iter().map(Self::of_entry).collect()
    }

    fn of_entry(value: serde_json::Value) -> Result<Self, DirectiveError> {
        let written: String = value.to_string().chars().take(300).collect();
        let malformed = |expected: String| DirectiveError::Malformed { written: written.clone(), expected };
        let entry: Entry = serde_json::from_value(value).map_err(|error| malformed(error.to_string()))?;
        let need = |field: &'static str, value: Option<&String>| {
            value.and_then(|value| filled(value)).ok_or_else(|| malformed(format!("it has no `{field}`")))
        };
        let target = || need("target", entry.target.as_ref());
        let (name, to) = (|| need("name", entry.name.as_ref()), || need("to", entry.to.as_ref()));
        let change = match entry.action {
            AskedAction::Rename => AskedChange::Rename { target: target()?, name: name()? },
            AskedAction::Hide => AskedChange::Hide { target: target()? },
            AskedAction::Show => AskedChange::Show { target: target()? },
            AskedAction::Move => AskedChange::Move { target: target()?, to: to()? },
            AskedAction::Client => AskedChange::Client {
                name: name()?,
                operations: entry
                    .operations
                    .clone()
                    .filter(|operations| !operations.is_empty())
                    .ok_or_else(|| malformed("it has no `operations`".into()))?,
                parameters: entry.parameters.clone().unwrap_or_default(),
            },
            AskedAction::Decorate => {
                let decorator = entry.decorator.ok_or_else(|| malformed("it has no `decorator`".into()))?;
                let mut form = serde_json::json!({ "decorator": decorator });
                if let (Some(value), Some(form)) = (&entry.value, form.as_object_mut()) {
                    form.insert("value".into(), value.clone());
                }
                let decoration = serde_json::from_value(form)
                    .map_err(|error| malformed(format!("the `value` of `{}`: {error}", decorator.name())))?;
                AskedChange::Decorate { target: target()?, decoration }
            }
            AskedAction::Undecorate => {
                let decorator = entry.decorator.ok_or_else(|| malformed("it has no `decorator`".into()))?;
                AskedChange::Undecorate { target: target()?, decorator }
            }
            AskedAction::Repair => AskedChange::Repair { files: entry.files.clone().unwrap_or_default() },
        };
        let scope = entry.scope.as_deref().map(Scope::parse).transpose()?;
        let written = words(&change);
        Ok(Self { change, scope, written })
    }
}

/// A directive of a file in one short line.
fn words(change: &AskedChange) -> String {
    match change {
        AskedChange::Rename { target, name } => format!("rename {target}={name}"),
        AskedChange::Hide { target } => format!("hide {target}"),
        AskedChange::Show { target } => format!("show {target}"),
        AskedChange::Move { target, to } => format!("move {target}={to}"),
        AskedChange::Client { name, .. } => format!("client {name}"),
        AskedChange::Decorate { target, decoration } => format!("decorate {}:{target}", decoration.decorator().name()),
        AskedChange::Undecorate { target, decorator } => format!("undecorate {}:{target}", decorator.name()),
        AskedChange::Repair { .. } => "repair".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Language;
    use super::*;
    use serde_json::json;

    #[test]
    fn key_that_stands_twice_is_refused_by_name() {
        for text in [
            r#"[{ "action": "hide", "target": "A", "scope": "python", "scope": "all" }]"#,
            r#"{ "actions": [], "actions": [{ "action": "hide", "target": "A" }] }"#,
            r#"[{ "action": "decorate", "decorator": "override", "target": "A", "value": { "a": 1, "a": 2 } }]"#,
        ] {
            let error = AskedDirective::read_list(text).unwrap_err().to_string();
            assert!(error.contains("stands twice in one object at line 1"), "{error}");
        }
    }

    #[test]
    fn list_is_read_whole_or_not_at_all_and_a_plan_is_a_list() {
        let list = json!([
            { "action": "rename", "kind": "property", "target": "A.b", "name": "c", "scope": "python, csharp", "basis": "x" },
            { "action": "client", "name": "SmallClient", "operations": ["A.get"] },
            { "action": "repair" },
            { "action": "decorate", "decorator": "convenientAPI", "target": "A.get", "value": false },
            { "action": "undecorate", "decorator": "clientName", "target": "A.b" },
        ]);
        let read = AskedDirective::read_list(&list.to_string()).unwrap();
        assert_eq!(read[0].scope, Some(Scope::Only(vec![Language::Python, Language::Dotnet])));
        assert_eq!(read[0].written, "rename A.b=c");
        assert_eq!(read[2].change, AskedChange::Repair { files: Vec::new() });
        assert_eq!(read[3].written, "decorate convenientAPI:A.get");
        assert_eq!(read[4].written, "undecorate clientName:A.b");
        let plan = json!({ "outcome": "planned", "actions": list, "guidance": [] });
        assert_eq!(AskedDirective::read_list(&plan.to_string()).unwrap(), read);
        for wrong in [
            json!("hide A"),
            json!({ "outcome": "nothing" }),
            json!([{ "action": "destroy", "target": "A" }]),
            json!([{ "action": "hide" }]),
            json!([{ "action": "decorate", "target": "A", "value": true }]),
            json!([{ "action": "decorate", "decorator": "route", "target": "A" }]),
            json!([{ "action": "decorate", "decorator": "convenientAPI", "target": "A" }]),
            json!([{ "action": "hide", "target": "A", "scopes": "python" }]),
            json!([{ "action": "client", "name": "A", "operations": [] }]),
            json!([{ "action": "hide", "target": "A", "scope": "cobol" }]),
            json!(vec![json!({ "action": "hide", "target": "A" }); MOST + 1]),
        ] {
            let error = AskedDirective::read_list(&wrong.to_string()).unwrap_err();
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}
