//! From a core module to a component, and what the component imports.

use wit_component::{ComponentEncoder, DecodedWasm};

/// What a core module became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its binary form, validated.
    pub bytes: Vec<u8>,
    /// The interfaces it imports, such as `wasi:filesystem/types@0.2.12`, without those that it imports for the names of
    /// their types alone.
    pub imports: Vec<String>,
}

/// Why a core module does not make a component.
#[derive(Debug, thiserror::Error)]
#[error("the module does not make a component: {0}")]
pub struct ComponentError(String);

impl Component {
    /// Makes a component of a core module that a binding generator prepared.
    ///
    /// # Errors
    /// When it was not prepared so, or is not a module.
    pub fn of_module(module: &[u8]) -> Result<Self, ComponentError> {
        let mut encoder = ComponentEncoder::default();
        let encoded = encoder.module(module).and_then(|encoder| encoder.validate(true).encode());
        let bytes = encoded.map_err(|error| ComponentError(format!("{error:#}")))?;
        let decoded = wit_component::decode(&bytes).map_err(|error| ComponentError(format!("{error:#}")))?;
        let DecodedWasm::Component(resolve, world) = decoded else {
            return Err(ComponentError("what was encoded is a package of WIT".into()));
        };
        // An interface that is imported for the names of its types alone, as `stat` does for a time of `wasi:clocks`, has
        // nothing that can be called and so is no authority; a resource could be, and is told.
        let types_only = |name: &str| {
            let mut named = resolve.interfaces.iter().filter(|(id, _)| resolve.id_of(*id).as_deref() == Some(name));
            named.next().is_some_and(|(_, interface)| {
                interface.functions.is_empty()
                    && interface.types.values().all(|id| resolve.types[*id].kind.as_str() != "resource")
            })
        };
        let imports = resolve.worlds[world]
            .imports
            .keys()
            .map(|interface| resolve.name_world_key(interface))
            .filter(|name| !types_only(name))
            .collect();
        Ok(Self { bytes, imports })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_a_module_are_refused() {
        let error = Component::of_module(b"no module").unwrap_err().to_string();
        assert!(error.starts_with("the module does not make a component: "), "{error}");
    }
}
