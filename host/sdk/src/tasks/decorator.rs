//! The decorators of the client generator core that customize a client: one closed list for directives, editor and gate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EntityKind;

/// A decorator of `Azure.ClientGenerator.Core`, as version 0.72 of `@azure-tools/typespec-client-generator-core` declares
/// it. Of its `Legacy` namespace there is only what a directive can write: the rest keeps libraries as they were before
/// TypeSpec, which is for their owners to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the variants are the names of the decorators")]
pub enum Decorator {
    Access,
    AlternateType,
    ApiVersion,
    Client,
    ClientApiVersions,
    ClientDoc,
    ClientInitialization,
    ClientLocation,
    ClientName,
    ClientNamespace,
    ClientOption,
    #[serde(rename = "convenientAPI")]
    ConvenientApi,
    DeserializeEmptyStringAsNull,
    FlattenProperty,
    OperationGroup,
    Override,
    ParamAlias,
    #[serde(rename = "protocolAPI")]
    ProtocolApi,
    ResponseAsBool,
    Scope,
    Usage,
    UseSystemTextJsonConverter,
}

use EntityKind::{Enum, EnumMember, Interface, Model, Namespace, Operation, Parameter, Property, Scalar, Union};

/// Everything that `client.tsp` can name.
const ANYTHING: &[EntityKind] =
    &[Namespace, Interface, Operation, Model, Property, Enum, EnumMember, Union, Scalar, Parameter];

impl Decorator {
    /// All of them, in the order of their names.
    pub const ALL: [Self; 22] = [
        Self::Access,
        Self::AlternateType,
        Self::ApiVersion,
        Self::Client,
        Self::ClientApiVersions,
        Self::ClientDoc,
        Self::ClientInitialization,
        Self::ClientLocation,
        Self::ClientName,
        Self::ClientNamespace,
        Self::ClientOption,
        Self::ConvenientApi,
        Self::DeserializeEmptyStringAsNull,
        Self::FlattenProperty,
        Self::OperationGroup,
        Self::Override,
        Self::ParamAlias,
        Self::ProtocolApi,
        Self::ResponseAsBool,
        Self::Scope,
        Self::Usage,
        Self::UseSystemTextJsonConverter,
    ];

    /// The name without `@` and namespace, as the compiler's view has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::AlternateType => "alternateType",
            Self::ApiVersion => "apiVersion",
            Self::Client => "client",
            Self::ClientApiVersions => "clientApiVersions",
            Self::ClientDoc => "clientDoc",
            Self::ClientInitialization => "clientInitialization",
            Self::ClientLocation => "clientLocation",
            Self::ClientName => "clientName",
            Self::ClientNamespace => "clientNamespace",
            Self::ClientOption => "clientOption",
            Self::ConvenientApi => "convenientAPI",
            Self::DeserializeEmptyStringAsNull => "deserializeEmptyStringAsNull",
            Self::FlattenProperty => "flattenProperty",
            Self::OperationGroup => "operationGroup",
            Self::Override => "override",
            Self::ParamAlias => "paramAlias",
            Self::ProtocolApi => "protocolAPI",
            Self::ResponseAsBool => "responseAsBool",
            Self::Scope => "scope",
            Self::Usage => "usage",
            Self::UseSystemTextJsonConverter => "useSystemTextJsonConverter",
        }
    }

    /// The name as a file that says `using Azure.ClientGenerator.Core;` writes it.
    #[must_use]
    pub fn written(self) -> &'static str {
        match self {
            Self::FlattenProperty => "Legacy.flattenProperty",
            _ => self.name(),
        }
    }

    /// The decorator of a name without `@` and namespace.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether it stands in the `Legacy` namespace, so that only a person may ask for it.
    #[must_use]
    pub fn is_legacy(self) -> bool {
        self.written() != self.name()
    }

    /// The position of its scope argument, counted without the target. All of them take it last.
    #[must_use]
    pub fn scope_position(self) -> usize {
        match self {
            Self::DeserializeEmptyStringAsNull
            | Self::FlattenProperty
            | Self::OperationGroup
            | Self::ResponseAsBool
            | Self::Scope
            | Self::UseSystemTextJsonConverter => 0,
            Self::ClientDoc | Self::ClientOption => 2,
            _ => 1,
        }
    }

    /// What it can stand on.
    #[must_use]
    pub fn targets(self) -> &'static [EntityKind] {
        match self {
            Self::Access => &[Property, Parameter, Model, Operation, Enum, Union, Namespace],
            Self::AlternateType => &[Property, Parameter, Scalar, Model, Enum, Union],
            Self::ApiVersion | Self::DeserializeEmptyStringAsNull | Self::FlattenProperty | Self::ParamAlias => {
                &[Property, Parameter]
            }
            Self::Client | Self::ClientInitialization | Self::OperationGroup => &[Namespace, Interface],
            Self::ClientApiVersions => &[Namespace],
            Self::ClientDoc | Self::ClientName | Self::ClientOption => ANYTHING,
            Self::ClientLocation => &[Operation, Property, Parameter],
            Self::ClientNamespace => &[Namespace, Interface, Model, Enum, Union],
            Self::ConvenientApi | Self::ProtocolApi => &[Operation, Namespace, Interface],
            Self::Override | Self::ResponseAsBool => &[Operation],
            Self::Scope => &[Operation, Property, Parameter],
            Self::Usage => &[Model, Enum, Union, Namespace],
            Self::UseSystemTextJsonConverter => &[Model],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decorator;

    #[test]
    fn names_are_sorted_distinct_and_those_of_the_json_form() {
        assert!(Decorator::ALL.is_sorted_by(|one, two| one.name() < two.name()));
        for one in Decorator::ALL {
            assert_eq!(serde_json::to_value(one).unwrap(), one.name());
            assert_eq!(Decorator::of_name(one.name()), Some(one));
            assert!(one.written().ends_with(one.name()));
        }
    }
}
