//! From a core module to a component, and what the component imports.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::{Resolve, TypeDefKind, WorldItem};

/// The only package a built-in tool may import from.
const ALLOWED: &str = "wasi:filesystem/";

/// A component that was checked.
pub(crate) struct Built {
    /// Its binary form.
    pub(crate) bytes: Vec<u8>,
    /// The interfaces it imports.
    pub(crate) imports: Vec<String>,
}

/// Makes a component of the core module at `path`.
///
/// # Errors
/// When it is none, or when it imports more than `wasi:filesystem`: the host would refuse to load it.
pub(crate) fn from_module(path: &Path) -> Result<Built> {
    let module = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let bytes = ComponentEncoder::default().module(&module)?.validate(true).encode()?;
    let DecodedWasm::Component(resolve, world) = wit_component::decode(&bytes)? else {
        bail!("what was encoded is a package of WIT");
    };
    let imports: Vec<String> = resolve.worlds[world]
        .imports
        .iter()
        .filter(|(_, item)| !types_only(&resolve, item))
        .map(|(interface, _)| resolve.name_world_key(interface))
        .collect();
    if let Some(other) = imports.iter().find(|import| !import.starts_with(ALLOWED)) {
        bail!("it imports `{other}`, and a built-in tool may import `wasi:filesystem` only");
    }
    Ok(Built { bytes, imports })
}

/// Whether an interface is imported for the names of its types alone, as `stat` does for a time of `wasi:clocks`.
/// Nothing in it can be called, so it is no authority; a resource could be, and is told.
fn types_only(resolve: &Resolve, item: &WorldItem) -> bool {
    let WorldItem::Interface { id, .. } = item else { return false };
    let interface = &resolve.interfaces[*id];
    interface.functions.is_empty()
        && interface.types.values().all(|id| !matches!(resolve.types[*id].kind, TypeDefKind::Resource))
}
