//! Directives: single changes of a client library, typed. A request that is read, a model's classification and a
//! script's options all end here, and one piece of code checks and carries them out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Decoration, Decorator, EntityKind, Scope};

/// One change that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Directive {
    /// What is done.
    #[serde(flatten)]
    pub change: Change,
    /// The languages whose client changes; `None` stands for the package's language alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The words of the request that ask for it, verbatim; empty for a directive that no text asks for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub basis: String,
}

/// What a directive does. Targets are full TypeSpec references, as [`super::Entity::reference`] has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "camelCase")]
pub enum Change {
    /// Another name in the client. The specification's own name takes an earlier rename back.
    Rename {
        /// What the target is.
        kind: EntityKind,
        /// What is renamed.
        target: String,
        /// The new name, in the letter case of the specification.
        name: String,
    },
    /// No longer part of the public surface.
    Hide {
        /// What the target is.
        kind: EntityKind,
        /// What is hidden.
        target: String,
    },
    /// Part of the public surface again.
    Show {
        /// What the target is.
        kind: EntityKind,
        /// What is shown.
        target: String,
    },
    /// In another group of operations.
    Move {
        /// What the target is.
        kind: EntityKind,
        /// The operation.
        target: String,
        /// The reference of an interface, of the service's namespace for the client itself, or the name of a new group.
        to: String,
    },
    /// A client that holds exactly these operations.
    Client {
        /// Its name.
        name: String,
        /// References of its operations.
        operations: Vec<String>,
        /// Parameters of its operations that it is initialized with instead.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parameters: Vec<ClientParameter>,
    },
    /// A decorator with its arguments, where no other directive writes it.
    Decorate {
        /// What the target is.
        kind: EntityKind,
        /// What is decorated.
        target: String,
        /// With what.
        #[serde(flatten)]
        decoration: Decoration,
    },
    /// A decorator of `client.tsp` less, so that the client has what the specification says.
    Undecorate {
        /// What the target is.
        kind: EntityKind,
        /// What is decorated.
        target: String,
        /// The decorator.
        decorator: Decorator,
    },
    /// Regeneration, and hand-written code that follows it. The specification stays.
    Repair {
        /// The files that an error names, relative to the package; empty where none is known before the build.
        #[serde(default)]
        files: Vec<String>,
    },
}

/// A parameter of operations that becomes one of their client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientParameter {
    /// Its name in the operations.
    pub declared: String,
    /// Its name in the client, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Change {
    /// What is changed; `None` for a change that has no single target.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Rename { target, .. }
            | Self::Hide { target, .. }
            | Self::Show { target, .. }
            | Self::Move { target, .. }
            | Self::Decorate { target, .. }
            | Self::Undecorate { target, .. } => Some(target),
            Self::Client { .. } | Self::Repair { .. } => None,
        }
    }
}
