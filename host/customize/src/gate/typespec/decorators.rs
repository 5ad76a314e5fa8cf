//! The decorators that may customize a client.

use bailiwick_sdk::tasks::Decorator;

/// Decorators of `Azure.ClientGenerator.Core` that a customization may use. Those of its `Legacy` namespace are left out
/// on purpose, because they are for clients that were released before TypeSpec: a person names such a one in a directive.
pub fn allowed_decorators() -> impl Iterator<Item = Decorator> {
    Decorator::ALL.into_iter().filter(|one| !one.is_legacy())
}

const NAMESPACE: &str = "Azure.ClientGenerator.Core.";

/// The name without the library's namespace: `Azure.ClientGenerator.Core.access` is `access`.
pub(in crate::gate) fn canonical_name(name: &str) -> &str {
    name.strip_prefix(NAMESPACE).unwrap_or(name)
}

/// The decorator of a name without the library's namespace; `None` for any other decorator.
pub(super) fn known(canonical: &str) -> Option<Decorator> {
    Decorator::ALL.into_iter().find(|one| one.written() == canonical)
}

/// A legacy decorator that a person's directive asks for, on this target alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// The decorator.
    pub decorator: Decorator,
    /// The full reference of its target.
    pub target: String,
}

impl Granted {
    /// Whether it grants a decorator on a target, as a file writes it: whole or by what a `using` brings into reach.
    pub(super) fn covers(&self, decorator: Decorator, target: &str) -> bool {
        let rest = self.target.strip_suffix(target);
        self.decorator == decorator && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
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
    use super::{Decorator, Granted, canonical_name, known};

    #[test]
    fn foreign_namespaces_are_not_ours() {
        for name in ["TypeSpec.Http.route", "Other.clientName", "flattenProperty", "Legacy.clientName"] {
            assert_eq!(known(canonical_name(name)), None, "{name}");
        }
        let legacy = known(canonical_name("Azure.ClientGenerator.Core.Legacy.flattenProperty"));
        assert_eq!(legacy, Some(Decorator::FlattenProperty));
    }

    #[test]
    fn grant_is_for_one_target() {
        let granted = Granted { decorator: Decorator::FlattenProperty, target: "Contoso.Widget.size".into() };
        for target in ["Contoso.Widget.size", "Widget.size"] {
            assert!(granted.covers(Decorator::FlattenProperty, target), "{target}");
        }
        for target in ["Contoso.Widget", "idget.size", "Contoso.Gadget.size", "Other.Contoso.Widget.size"] {
            assert!(!granted.covers(Decorator::FlattenProperty, target), "{target}");
        }
        assert!(!granted.covers(Decorator::Usage, "Widget.size"));
    }
}
