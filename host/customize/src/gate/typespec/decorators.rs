//! The decorators that may customize a client.

/// Decorators of `Azure.ClientGenerator.Core` that a customization may use, with the position of their scope argument
/// (counted without the target). All of them take it last. Taken from version 0.72 of
/// `@azure-tools/typespec-client-generator-core`; its `Legacy` namespace is left out on purpose, because those
/// decorators are for clients that were released before TypeSpec.
pub const ALLOWED_DECORATORS: [(&str, usize); 21] = [
    ("access", 1),
    ("alternateType", 1),
    ("apiVersion", 1),
    ("client", 1),
    ("clientApiVersions", 1),
    ("clientDoc", 2),
    ("clientInitialization", 1),
    ("clientLocation", 1),
    ("clientName", 1),
    ("clientNamespace", 1),
    ("clientOption", 2),
    ("convenientAPI", 1),
    ("deserializeEmptyStringAsNull", 0),
    ("operationGroup", 0),
    ("override", 1),
    ("paramAlias", 1),
    ("protocolAPI", 1),
    ("responseAsBool", 0),
    ("scope", 0),
    ("usage", 1),
    ("useSystemTextJsonConverter", 0),
];

const NAMESPACE: &str = "Azure.ClientGenerator.Core.";

/// The name without the library's namespace: `Azure.ClientGenerator.Core.access` is `access`.
pub(in crate::gate) fn canonical_name(name: &str) -> &str {
    name.strip_prefix(NAMESPACE).unwrap_or(name)
}

/// The position of an allowed decorator's scope argument; `None` for any other decorator.
pub(super) fn scope_position(canonical: &str) -> Option<usize> {
    ALLOWED_DECORATORS.iter().find(|(name, _)| *name == canonical).map(|(_, position)| *position)
}

/// Whether a decorator makes a client of its target.
pub(super) fn makes_client(canonical: &str) -> bool {
    matches!(canonical, "client" | "operationGroup")
}

/// Whether a decorator takes an options model, in which a second scope could stand.
pub(super) fn takes_options(canonical: &str) -> bool {
    matches!(canonical, "client" | "clientInitialization")
}

/// `@useDependency`, by which a namespace of `client.tsp` says which version of the service it refers to. It customizes
/// nothing, but versioned services cannot be referred to without it.
pub(super) fn is_version_dependency(name: &str) -> bool {
    matches!(name, "useDependency" | "TypeSpec.Versioning.useDependency")
}

#[cfg(test)]
mod tests {
    use super::{ALLOWED_DECORATORS, canonical_name, scope_position};

    #[test]
    fn names_are_sorted_and_distinct() {
        assert!(ALLOWED_DECORATORS.is_sorted_by(|one, two| one.0 < two.0));
    }

    #[test]
    fn legacy_and_foreign_namespaces_are_not_ours() {
        for name in ["Azure.ClientGenerator.Core.Legacy.flattenProperty", "TypeSpec.Http.route", "Other.clientName"] {
            assert_eq!(scope_position(canonical_name(name)), None, "{name}");
        }
    }
}
