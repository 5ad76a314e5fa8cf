//! The clients of one language, as the client generator core makes them of a TypeSpec project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Access;

/// A client, or a group of operations that hangs below one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientEntry {
    /// Its name in the language, for example `WidgetManagerClient`.
    pub name: String,
    /// The name of the client it hangs below; `None` for a client that stands alone.
    #[serde(default)]
    pub parent: Option<String>,
    /// The namespace or interface it is made of; `None` for a group that only a `@clientLocation` names.
    #[serde(default)]
    pub reference: Option<String>,
    /// What it is initialized with beside endpoint, credential and version.
    #[serde(default)]
    pub initialization: Vec<String>,
    /// Its operations, those of its groups not included.
    #[serde(default)]
    pub operations: Vec<ClientOperation>,
}

/// An operation of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientOperation {
    /// Its name in the language, before the emitter applies its own letter case.
    pub name: String,
    /// Whether users of the client see it.
    pub access: Access,
    /// What an augment decorator names.
    pub reference: String,
    /// The service's own operation: another one than `reference` where a client of `client.tsp` refers to it.
    pub source: String,
    /// What is handed over at each call.
    #[serde(default)]
    pub parameters: Vec<OperationParameter>,
}

/// A parameter of an operation, in the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationParameter {
    /// Its name in the language.
    pub name: String,
    /// Its name in the specification.
    pub declared: String,
    /// Where it goes in the request: `path`, `query`, `header`, `cookie` or `body`.
    pub place: String,
    /// Its type as `client.tsp` can name it, for example `string`; `None` for arrays and types without a name.
    #[serde(default)]
    pub r#type: Option<String>,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
}
