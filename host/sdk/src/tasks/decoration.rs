//! Decorators with their arguments, typed: what a directive may write beside names, access and places, which have
//! directives of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ClientParameter, Decorator};

/// A decorator and its arguments between target and scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "decorator", content = "value", rename_all = "camelCase")]
pub enum Decoration {
    /// Another type in the client.
    AlternateType(AlternateType),
    /// Whether a parameter is the version of the API.
    ApiVersion(bool),
    /// What the client says about the target.
    ClientDoc(Documentation),
    /// What a client is created with, and by whom.
    ClientInitialization(Initialization),
    /// The namespace, package or module in the client.
    ClientNamespace(String),
    /// A switch of one emitter.
    ClientOption(EmitterOption),
    /// Whether there are methods with the models of the service.
    #[serde(rename = "convenientAPI")]
    ConvenientApi(bool),
    /// An empty string from the service is null.
    DeserializeEmptyStringAsNull,
    /// The properties of the property's model stand in the model that has it.
    FlattenProperty,
    /// Another signature.
    Override(Signature),
    /// The name by which operations know a parameter of their client.
    ParamAlias(String),
    /// Whether there are methods with raw requests and responses.
    #[serde(rename = "protocolAPI")]
    ProtocolApi(bool),
    /// A HEAD request answers true or false.
    ResponseAsBool,
    /// Not in the clients of the directive's languages at all.
    Scope,
    /// What a type serves for, beside what operations make of it.
    Usage(Vec<Usage>),
    /// The converter of `System.Text.Json`.
    UseSystemTextJsonConverter,
}

/// The type that takes a type's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AlternateType {
    /// A type of the specification or of TypeSpec, as `client.tsp` names it, with `[]` for a list.
    Named(String),
    /// A type of the language.
    External(ExternalType),
}

/// A type of a library of the language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExternalType {
    /// Its full name in the language, for example `java.time.Duration`.
    pub identity: String,
    /// The package that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The lowest version of the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_version: Option<String>,
}

/// Documentation in the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Documentation {
    /// The words.
    pub text: String,
    /// Whether they stand in the place of the specification's, or behind them.
    #[serde(default)]
    pub mode: DocumentationMode,
}

/// How documentation is put together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DocumentationMode {
    /// In the place of the specification's.
    #[default]
    Replace,
    /// Behind the specification's.
    Append,
}

/// What a client is created with, and by whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Initialization {
    /// By whom; empty leaves it to the emitter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initialized_by: Vec<InitializedBy>,
    /// Parameters of its operations that it is created with instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ClientParameter>,
}

/// Who creates a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InitializedBy {
    /// The user of the library.
    Individually,
    /// Its parent, on demand.
    Parent,
    /// Hand-written code.
    CustomizeCode,
}

/// A switch of an emitter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmitterOption {
    /// Its name.
    pub name: String,
    /// What it is set to.
    pub value: OptionValue,
}

/// What a switch is set to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// On or off.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// Words.
    Text(String),
}

/// A signature made of the operation's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Signature {
    /// Its parameters in this order, all of them.
    Reorder(Vec<String>),
    /// Without an optional parameter.
    Remove(String),
    /// Without a result.
    ReturnsNothing,
    /// With the raw body as its result.
    ReturnsBytes,
}

/// What a type serves for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Usage {
    /// What users hand over.
    Input,
    /// What users get.
    Output,
    /// JSON.
    Json,
    /// XML.
    Xml,
}

impl Decoration {
    /// The decorator.
    #[must_use]
    pub fn decorator(&self) -> Decorator {
        match self {
            Self::AlternateType(_) => Decorator::AlternateType,
            Self::ApiVersion(_) => Decorator::ApiVersion,
            Self::ClientDoc(_) => Decorator::ClientDoc,
            Self::ClientInitialization(_) => Decorator::ClientInitialization,
            Self::ClientNamespace(_) => Decorator::ClientNamespace,
            Self::ClientOption(_) => Decorator::ClientOption,
            Self::ConvenientApi(_) => Decorator::ConvenientApi,
            Self::DeserializeEmptyStringAsNull => Decorator::DeserializeEmptyStringAsNull,
            Self::FlattenProperty => Decorator::FlattenProperty,
            Self::Override(_) => Decorator::Override,
            Self::ParamAlias(_) => Decorator::ParamAlias,
            Self::ProtocolApi(_) => Decorator::ProtocolApi,
            Self::ResponseAsBool => Decorator::ResponseAsBool,
            Self::Scope => Decorator::Scope,
            Self::Usage(_) => Decorator::Usage,
            Self::UseSystemTextJsonConverter => Decorator::UseSystemTextJsonConverter,
        }
    }

    /// Reads the value of an option: `input|json`, `off`, `Contoso.Models`. `None` is an option without a value.
    ///
    /// # Errors
    /// What is expected instead, as the end of a sentence.
    pub fn read(decorator: Decorator, value: Option<&str>) -> Result<Self, String> {
        let named = decorator.name();
        let text = || {
            let filled = value.map(str::trim).filter(|value| !value.is_empty());
            filled.map(str::to_owned).ok_or_else(|| format!("`{named}` needs a value: {}", expected(decorator)))
        };
        let flag = || match text()?.to_ascii_lowercase().as_str() {
            "on" | "true" => Ok(true),
            "off" | "false" => Ok(false),
            other => Err(format!("`{other}` is neither `on` nor `off`")),
        };
        let plain = |decoration: Self| match value {
            None => Ok(decoration),
            Some(_) => Err(format!("`{named}` takes no value")),
        };
        match decorator {
            Decorator::AlternateType => Ok(Self::AlternateType(AlternateType::Named(text()?))),
            Decorator::ApiVersion => Ok(Self::ApiVersion(flag()?)),
            Decorator::ClientDoc => {
                Ok(Self::ClientDoc(Documentation { text: text()?, mode: DocumentationMode::Replace }))
            }
            Decorator::ClientInitialization => {
                let initialized_by = words(&text()?, decorator)?;
                Ok(Self::ClientInitialization(Initialization { initialized_by, parameters: Vec::new() }))
            }
            Decorator::ClientNamespace => Ok(Self::ClientNamespace(text()?)),
            Decorator::ClientOption => {
                let text = text()?;
                let (name, value) = text.split_once('=').ok_or_else(|| expected(decorator).to_owned())?;
                let value = match value.trim() {
                    "true" => OptionValue::Flag(true),
                    "false" => OptionValue::Flag(false),
                    other => other.parse().map_or_else(|_| OptionValue::Text(other.to_owned()), OptionValue::Number),
                };
                Ok(Self::ClientOption(EmitterOption { name: name.trim().to_owned(), value }))
            }
            Decorator::ConvenientApi => Ok(Self::ConvenientApi(flag()?)),
            Decorator::DeserializeEmptyStringAsNull => plain(Self::DeserializeEmptyStringAsNull),
            Decorator::FlattenProperty => plain(Self::FlattenProperty),
            Decorator::Override => Ok(Self::Override(signature(&text()?)?)),
            Decorator::ParamAlias => Ok(Self::ParamAlias(text()?)),
            Decorator::ProtocolApi => Ok(Self::ProtocolApi(flag()?)),
            Decorator::ResponseAsBool => plain(Self::ResponseAsBool),
            Decorator::Scope => plain(Self::Scope),
            Decorator::Usage => Ok(Self::Usage(words(&text()?, decorator)?)),
            Decorator::UseSystemTextJsonConverter => plain(Self::UseSystemTextJsonConverter),
            Decorator::Access => {
                Err("hide and show are directives of their own: `--hide TARGET`, `--show TARGET`".into())
            }
            Decorator::ClientName => Err("a rename is a directive of its own: `--rename TARGET=NAME`".into()),
            Decorator::ClientLocation => Err("a move is a directive of its own: `--move TARGET=CLIENT`".into()),
            Decorator::Client | Decorator::OperationGroup => Err(format!(
                "`{named}` stands in front of a declaration; `client` in `--directives` makes clients of one's own"
            )),
            Decorator::ClientApiVersions => {
                Err(format!("`{named}` needs an enum that is declared by hand in `client.tsp`"))
            }
        }
    }
}

/// The form of the value of an option.
fn expected(decorator: Decorator) -> &'static str {
    match decorator {
        Decorator::AlternateType => "a type such as `string`",
        Decorator::ClientDoc => "the words",
        Decorator::ClientInitialization => "`individually`, `parent`, `customizeCode`, or several with `|`",
        Decorator::ClientNamespace => "a namespace such as `Contoso.Models`",
        Decorator::ClientOption => "`NAME=VALUE`",
        Decorator::Override => "`reorder(b, a)`, `remove(a)`, `returnsNothing` or `returnsBytes`",
        Decorator::ParamAlias => "a name",
        Decorator::Usage => "`input`, `output`, `json`, `xml`, or several with `|`",
        _ => "`on` or `off`",
    }
}

/// Words with `|` between them, each one of a closed list.
fn words<T: serde::de::DeserializeOwned + Ord>(text: &str, decorator: Decorator) -> Result<Vec<T>, String> {
    let one = |word: &str| {
        let value = serde_json::Value::String(word.to_owned());
        serde_json::from_value(value).map_err(|_| format!("`{word}` is not known: {}", expected(decorator)))
    };
    let mut found = text.split(['|', ',']).map(|word| one(word.trim())).collect::<Result<Vec<T>, String>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn signature(text: &str) -> Result<Signature, String> {
    let inside = |name: &str| text.strip_prefix(name)?.trim().strip_prefix('(')?.strip_suffix(')');
    if let Some(names) = inside("reorder") {
        return Ok(Signature::Reorder(names.split(',').map(|name| name.trim().to_owned()).collect()));
    }
    if let Some(name) = inside("remove") {
        return Ok(Signature::Remove(name.trim().to_owned()));
    }
    match text {
        "returnsNothing" => Ok(Signature::ReturnsNothing),
        "returnsBytes" => Ok(Signature::ReturnsBytes),
        other => Err(format!("`{other}` is not known: {}", expected(Decorator::Override))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_of_options_are_typed() {
        let read = |decorator, value| Decoration::read(decorator, value);
        assert_eq!(
            read(Decorator::Usage, Some("json | input|json")),
            Ok(Decoration::Usage(vec![Usage::Input, Usage::Json]))
        );
        assert_eq!(read(Decorator::ConvenientApi, Some("off")), Ok(Decoration::ConvenientApi(false)));
        assert_eq!(
            read(Decorator::Override, Some("reorder(b, a)")),
            Ok(Decoration::Override(Signature::Reorder(vec!["b".into(), "a".into()])))
        );
        let option = |value| EmitterOption { name: "n".into(), value };
        for (text, value) in [
            ("n=true", OptionValue::Flag(true)),
            ("n = 3", OptionValue::Number(3)),
            ("n=x", OptionValue::Text("x".into())),
        ] {
            assert_eq!(
                read(Decorator::ClientOption, Some(text)),
                Ok(Decoration::ClientOption(option(value))),
                "{text}"
            );
        }
        for (decorator, value) in [
            (Decorator::Usage, Some("inputs")),
            (Decorator::Usage, None),
            (Decorator::ConvenientApi, Some("maybe")),
            (Decorator::ResponseAsBool, Some("on")),
            (Decorator::Override, Some("drop(a)")),
            (Decorator::ClientOption, Some("n")),
            (Decorator::Access, Some("internal")),
            (Decorator::ClientName, Some("x")),
            (Decorator::Client, None),
        ] {
            let error = read(decorator, value).unwrap_err();
            assert!(!error.is_empty() && !error.contains('\n'), "{decorator:?}: {error}");
        }
    }

    #[test]
    fn every_decorator_is_a_decoration_or_says_what_to_use_instead() {
        for decorator in Decorator::ALL {
            for value in
                [None, Some("on"), Some("string"), Some("input"), Some("parent"), Some("returnsBytes"), Some("a=b")]
            {
                if let Ok(found) = Decoration::read(decorator, value) {
                    assert_eq!(found.decorator(), decorator);
                    let text = serde_json::to_value(&found).unwrap();
                    assert_eq!(text["decorator"], decorator.name());
                    assert_eq!(serde_json::from_value::<Decoration>(text).unwrap(), found);
                }
            }
        }
    }

    #[test]
    fn json_form_is_decorator_and_value() {
        for (json, decoration) in [
            (
                json!({ "decorator": "usage", "value": ["input", "xml"] }),
                Decoration::Usage(vec![Usage::Input, Usage::Xml]),
            ),
            (json!({ "decorator": "protocolAPI", "value": false }), Decoration::ProtocolApi(false)),
            (json!({ "decorator": "responseAsBool" }), Decoration::ResponseAsBool),
            (
                json!({ "decorator": "alternateType", "value": { "identity": "java.time.Duration", "minVersion": "1" } }),
                Decoration::AlternateType(AlternateType::External(ExternalType {
                    identity: "java.time.Duration".into(),
                    package: None,
                    min_version: Some("1".into()),
                })),
            ),
            (
                json!({ "decorator": "clientDoc", "value": { "text": "x", "mode": "append" } }),
                Decoration::ClientDoc(Documentation { text: "x".into(), mode: DocumentationMode::Append }),
            ),
        ] {
            assert_eq!(serde_json::from_value::<Decoration>(json.clone()).unwrap(), decoration);
            assert_eq!(serde_json::to_value(&decoration).unwrap(), json);
        }
        for wrong in [
            json!({ "decorator": "usage", "value": "input" }),
            json!({ "decorator": "convenientAPI", "value": "off" }),
            json!({ "decorator": "responseAsBool", "value": true }),
            json!({ "decorator": "access", "value": "internal" }),
        ] {
            assert!(serde_json::from_value::<Decoration>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
