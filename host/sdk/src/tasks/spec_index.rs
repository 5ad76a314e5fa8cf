//! The TypeSpec project as the probe sees it through the real compiler.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ClientEntry, Diagnostic};

/// The version of the index's format that the probe writes and this crate reads.
pub const INDEX_SCHEMA: u32 = 3;

/// Everything an agent may know about a TypeSpec project without reading its files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecIndex {
    /// Version of this format; [`INDEX_SCHEMA`] today.
    pub schema: u32,
    /// Full names of the service's namespaces, for example `Contoso.WidgetManager`.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// The service's own declarations.
    #[serde(default)]
    pub entities: Vec<Entity>,
    /// The clients and operation groups of the language asked for, parents first; empty for a project with errors.
    #[serde(default)]
    pub clients: Vec<ClientEntry>,
    /// Whether the client generator core follows `@clientLocation` on operations of clients that `client.tsp` declares: from
    /// version 0.67 on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locates_declared: bool,
    /// The public operations that take or return a type, also as a part of another type, by the type's reference. Not all
    /// of them where there are many.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uses: BTreeMap<String, Vec<String>>,
    /// The properties of public models that have a type which no public operation takes or returns, by the type's reference. Not
    /// all of them where there are many.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held: BTreeMap<String, Vec<String>>,
    /// The base of each model that has one, by their references.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bases: BTreeMap<String, String>,
    /// What clients have and no decorator can name, because the specification declares it without a name of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nameless: Vec<Nameless>,
    /// The client customizations that `client.tsp` holds.
    #[serde(default)]
    pub customizations: Vec<Customization>,
    /// What `client.tsp` imports, as written between the quotes.
    #[serde(default)]
    pub imports: Vec<String>,
    /// The namespaces that `client.tsp` opens with `using`.
    #[serde(default)]
    pub usings: Vec<String>,
    /// What the compiler reported.
    #[serde(default)]
    pub diagnostics: Vec<Diagnostic>,
}

/// A declaration of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// Its own name, for example `deleteWidget`.
    pub name: String,
    /// What an augment decorator names, for example `Contoso.WidgetManager.Widgets.deleteWidget`.
    pub reference: String,
    /// The reference of the entity that holds it.
    #[serde(default)]
    pub container: Option<String>,
    /// The file that declares it, relative to the project.
    pub file: String,
    /// The line of the declaration, from 1.
    pub line: u32,
    /// How the client of the language asked for sees it; `None` when that client does not have it.
    #[serde(default)]
    pub client: Option<ClientView>,
    /// What a decorator in `client.tsp` names to reach it.
    #[serde(default, skip_serializing_if = "Reach::is_reference")]
    pub reach: Reach,
    /// The properties with references that a property or a parameter is made from, the nearest first. What decorates them
    /// decorates it as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spread_from: Vec<String>,
}

/// What a decorator in `client.tsp` names to reach a declaration. An operation that is an instance of a template has
/// parameters that no reference names: the compiler knows the names that stand in an operation, and not those that a template
/// puts into it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Reach {
    /// Its own reference.
    #[default]
    Reference,
    /// The reference of the property that the parameter is made from: of a model with a name, of what an `alias` declares, or the
    /// key of a resource. A decorator there is for every operation that has the property. What an `alias` declares is no entity.
    Property(String),
    /// Nothing. The parameter is declared in a part of the specification that has no name, where `file` and `line` say.
    Declaration,
    /// Nothing. A template of a library makes the parameter.
    Template,
}

impl Reach {
    /// Whether it is the declaration's own reference.
    #[must_use]
    pub fn is_reference(&self) -> bool {
        *self == Self::Reference
    }
}

impl Entity {
    /// What a decorator in `client.tsp` names; `None` where nothing does.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match &self.reach {
            Reach::Reference => Some(&self.reference),
            Reach::Property(property) => Some(property),
            Reach::Declaration | Reach::Template => None,
        }
    }
}

impl SpecIndex {
    /// The parameters of the client that a property of a model is spread into.
    pub fn spread_from(&self, property: &str) -> impl Iterator<Item = &Entity> {
        let is_spread = move |one: &&Entity| one.spread_from.iter().any(|from| from == property);
        self.entities.iter().filter(is_spread).filter(|one| one.kind == EntityKind::Parameter && one.client.is_some())
    }

    /// Whether the client has a property of a model, or one that it is spread into.
    #[must_use]
    pub fn shows_property(&self, property: &str) -> bool {
        let is_it = |one: &Entity| one.reference == property || one.spread_from.iter().any(|from| from == property);
        self.entities.iter().any(|one| one.kind == EntityKind::Property && one.client.is_some() && is_it(one))
    }
}

/// Something that clients have under a name, and the specification declares without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Nameless {
    /// The reference of what holds it.
    pub holder: String,
    /// What people call it.
    pub name: String,
    /// Why it has no name of its own.
    pub form: NamelessForm,
}

/// How a thing without a name of its own is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NamelessForm {
    /// By `@discriminator` on its model, which declares no property of the name.
    Discriminator,
    /// As a variant of a union that is its value alone: `"ScalableExecution"`.
    Variant,
}

/// What a declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntityKind {
    /// A namespace.
    Namespace,
    /// An interface, that is a group of operations.
    Interface,
    /// An operation.
    Operation,
    /// A model.
    Model,
    /// A property of a model.
    Property,
    /// An enum.
    Enum,
    /// A member of an enum, or a variant of a union.
    EnumMember,
    /// A union.
    Union,
    /// A scalar.
    Scalar,
    /// A parameter of an operation.
    Parameter,
}

impl EntityKind {
    /// The word that people use for it, for example `enum member`.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::Interface => "interface",
            Self::Operation => "operation",
            Self::Model => "model",
            Self::Property => "property",
            Self::Enum => "enum",
            Self::EnumMember => "enum member",
            Self::Union => "union",
            Self::Scalar => "scalar",
            Self::Parameter => "parameter",
        }
    }

    /// Whether client libraries make a type of it, so that its name is written in PascalCase.
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(self, Self::Interface | Self::Model | Self::Enum | Self::Union | Self::Scalar)
    }
}

/// An entity in the client library of one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientView {
    /// Its name in the client, before the emitter applies its own letter case.
    pub name: String,
    /// Whether users of the client see it.
    pub access: Access,
}

/// Visibility in a client library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Access {
    /// Part of the public surface.
    Public,
    /// Hidden from users.
    Internal,
}

/// One client customization of `client.tsp`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Customization {
    /// The decorator's name without `@`, for example `clientName`.
    pub decorator: String,
    /// The reference it is applied to.
    pub target: String,
    /// The arguments as source text, without the target and the scope.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The scope argument without quotes, for example `python` or `!csharp`; `None` means every language.
    #[serde(default)]
    pub scope: Option<String>,
    /// The line in `client.tsp`, from 1.
    pub line: u32,
    /// How it is attached.
    pub form: CustomizationForm,
}

/// How a decorator is attached to its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CustomizationForm {
    /// `@@decorator(Target, …);`
    Augment,
    /// `@decorator(…)` in front of a declaration.
    Declaration,
}
